"""Real servers for tests. Each server has its own process and port."""

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


def without_settings() -> dict[str, str]:
    """Returns the environment without settings of the service."""
    return {k: v for k, v in os.environ.items() if not k.startswith("RESERVATION_")}


class Server:
    """A server on a loopback port; ready when the constructor returns."""

    def __init__(
        self, command: Sequence[str], folder: Path, environ: dict[str, str], port: int = 0
    ) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**without_settings(), "PYTHONUNBUFFERED": "1", **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = port
        until = time.monotonic() + 20
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise AssertionError("the server did not start:\n" + self.output)
            time.sleep(0.01)

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
        self, raw: bytes, half_close: bool = False, timeout: float = 10, source: str = ""
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
