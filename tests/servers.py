"""Real servers for tests. Each server has its own process and port."""

import logging
import multiprocessing
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil


def without_settings() -> dict[str, str]:
    """Returns the environment without settings of the service."""
    return {k: v for k, v in os.environ.items() if not k.startswith("RESERVATION_")}


def variables(settings: dict[str, str]) -> dict[str, str]:
    """Returns settings such as {"LOG": "json"} as environment variables."""
    return {f"RESERVATION_{name}": value for name, value in settings.items()}


class Server:
    """A server on a loopback port; ready when the constructor returns."""

    def __init__(
        self, command: Sequence[str], folder: Path, environ: dict[str, str], port: int = 0
    ) -> None:
        environ = {**without_settings(), "PYTHONUNBUFFERED": "1", **environ}
        self.process = self._started(command, folder, environ)
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = port
        until = time.monotonic() + 60
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise AssertionError("the server did not start:\n" + self.output)
            time.sleep(0.01)

    def _started(
        self, command: Sequence[str], folder: Path, environ: dict[str, str]
    ) -> "subprocess.Popen[str] | Fork":
        return subprocess.Popen(
            command, cwd=folder, env=environ, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def is_ready(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5):
            return True
        return False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        """Returns the standard output and standard error so far."""
        return "\n".join(self.lines)

    def send(
        self, raw: bytes, half_close: bool = False, timeout: float = 30, source: str = ""
    ) -> bytes:
        """Writes the bytes to a new connection and reads until the server closes the connection.

        The request should have `Connection: close`. With `half_close` the client closes its
        sending side at once. `source` is the address of the client.
        """
        with socket.create_connection(
            ("127.0.0.1", self.port), timeout=timeout, source_address=(source, 0)
        ) as connection:
            parts = []
            # The server answered before it had read the whole request
            with suppress(ConnectionError):
                connection.sendall(raw)
                if half_close:
                    connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while part := connection.recv(65536):
                    parts.append(part)
        return b"".join(parts)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join(timeout=5)

    def kill(self) -> None:
        """Kills the server and its processes. An orderly end takes a quarter of a second."""
        with suppress(psutil.NoSuchProcess):
            first = psutil.Process(self.process.pid)
            for process in (first, *first.children(recursive=True)):
                process.kill()
        self.stop()


class Gunicorn(Server):
    """`reservation serve`, optionally with a worker or below a path prefix."""

    prefix = ""
    program: Sequence[str] = ("-m", "reservation")

    def __init__(
        self,
        folder: Path,
        environ: dict[str, str],
        options: Sequence[str] = (),
        worker: bool = False,
        prefix: str = "",
    ) -> None:
        self.prefix = prefix
        command = [sys.executable, *self.program, "serve", "--port", "0"]
        command += [] if worker else ["--no-worker"]
        super().__init__([*command, *options], folder, {"SCRIPT_NAME": prefix, **environ})
        with urllib.request.urlopen(self.url + "/health", timeout=20):
            pass

    @property
    def url(self) -> str:
        return super().url + self.prefix

    def is_ready(self) -> bool:
        """Reads the port from the output. Returns False until the output has the port."""
        found = [re.match(r"Serving on \S+:(\d+),? ", line) for line in list(self.lines)]
        self.port = next((int(one[1]) for one in found if one), 0)
        return self.port > 0


class ForkedGunicorn(Gunicorn):
    """Runs the command in a process that has imported the program: most of the CPU time of a
    server that serves one test goes into the imports. By default, it has one web process."""

    def _started(self, command: Sequence[str], folder: Path, environ: dict[str, str]) -> "Fork":
        options = command[command.index("serve") + 1:]
        return Fork(["serve", "--workers", "1", *options], folder, environ)


_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.warm"])


class Fork:
    """`reservation`, with the methods of subprocess.Popen that a Server needs."""

    def __init__(self, words: Sequence[str], folder: Path, environ: dict[str, str]) -> None:
        reader, writer = _SERVER.Pipe(duplex=False)
        self.stdout = open(os.dup(reader.fileno()))
        self._process = _SERVER.Process(target=_run, args=(writer, list(words), folder, environ))
        self._process.start()
        writer.close()
        self.terminate, self.kill = self._process.terminate, self._process.kill
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> None:
        self._process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("reservation", timeout or 0)


def _run(output: Any, words: list[str], folder: Path, environ: dict[str, str]) -> None:
    from reservation import commands

    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    output.close()
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    try:
        sys.exit(commands.main(words))
    finally:
        logging.shutdown()  # a fork of multiprocessing runs no exit handlers
