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
from collections.abc import Callable, Sequence
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
    """`reservation serve`. By default, it has one web process, no worker and no path prefix.

    The command runs in a fork of a process that has imported the program, because the imports take
    most of the CPU time of a server that serves one test. With `fresh`, a new interpreter runs it.
    """

    prefix = ""
    program: Sequence[str] = ("-m", "reservation")

    def __init__(
        self,
        folder: Path,
        environ: dict[str, str],
        options: Sequence[str] = (),
        worker: bool = False,
        prefix: str = "",
        fresh: bool = False,
    ) -> None:
        self.prefix, self._fresh = prefix, fresh
        command = [sys.executable, *self.program, "serve", "--port", "0", "--workers", "1"]
        command += [] if worker else ["--no-worker"]
        super().__init__([*command, *options], folder, {"SCRIPT_NAME": prefix, **environ})
        with urllib.request.urlopen(self.url + "/health", timeout=20):
            pass

    def _started(
        self, command: Sequence[str], folder: Path, environ: dict[str, str]
    ) -> "subprocess.Popen[str] | Fork":
        if self._fresh:
            return super()._started(command, folder, environ)
        return Fork(command[command.index("serve"):], folder, environ)

    @property
    def url(self) -> str:
        return super().url + self.prefix

    def is_ready(self) -> bool:
        """Reads the port from the output. Returns False until the output has the port."""
        found = [re.match(r"Serving on \S+:(\d+),? ", line) for line in list(self.lines)]
        self.port = next((int(one[1]) for one in found if one), 0)
        return self.port > 0


_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.warm"])


class Fork:
    """`reservation` in a forked process, with the methods of Popen that the tests need.

    The process calls `first` before the command. With `apart`, standard error has its own pipe.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        environ: dict[str, str],
        first: Callable[[], object] | None = None,
        stdin: str = "",
        apart: bool = False,
    ) -> None:
        given, out, err = (_SERVER.Pipe(duplex=False) for _ in range(3))
        streams = given[0], out[1], err[1] if apart else out[1]
        self._process = _SERVER.Process(
            target=_run, args=(streams, first, list(words), folder, environ)
        )
        os.write(given[1].fileno(), stdin.encode())
        self._process.start()
        for connection in (*given, out[1], err[1]):
            connection.close()
        self.stdout, self.stderr = (open(os.dup(one[0].fileno())) for one in (out, err))
        self.terminate, self.kill = self._process.terminate, self._process.kill
        assert self._process.pid
        self.pid = self._process.pid

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("reservation", timeout or 0)
        return status


def completed(
    words: Sequence[str],
    folder: Path,
    environ: dict[str, str],
    first: Callable[[], object] | None = None,
    stdin: str = "",
) -> subprocess.CompletedProcess[str]:
    """Runs the command in a Fork. The output must be shorter than a pipe's buffer of 64 KB."""
    fork = Fork(words, folder, environ, first, stdin, apart=True)
    try:
        status = fork.wait(timeout=60)
    finally:
        fork.kill()
    with fork.stdout, fork.stderr:
        return subprocess.CompletedProcess(
            words, status, fork.stdout.read(), fork.stderr.read()
        )


def patient() -> None:
    """Starts a process group. Raises the time limits of the program, so that none of them ends the
    process before the test does."""
    from reservation.commands import serve
    from reservation.http.middleware import Admission
    from reservation.storage import database

    os.setsid()
    serve.ENDING, database.PATIENCE, Admission.DEADLINE = 30, 60, 60


def _run(
    streams: Sequence[Any],
    first: Callable[[], object] | None,
    words: list[str],
    folder: Path,
    environ: dict[str, str],
) -> None:
    from reservation.__main__ import main

    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    for stream in streams:
        stream.close()
    sys.stdin, sys.stdout = open(0), open(1, "w")
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace")
    sys.argv[1:] = words
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    try:
        if first:
            first()
        sys.exit(main())
    finally:
        logging.shutdown()  # a fork of multiprocessing runs no exit handlers
