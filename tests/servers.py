"""Real servers for tests: gunicorn as `reservation serve` starts it, on a port of its own."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path


class Gunicorn:
    """`reservation serve` in a process of its own, with or without its own worker for the
    outbox, below a path prefix or not; ready when the constructor returns."""

    def __init__(
        self,
        folder: Path,
        environ: dict[str, str],
        options: Sequence[str] = (),
        worker: bool = False,
        prefix: str = "",
    ) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("RESERVATION_")}
        command = [sys.executable, "-m", "reservation", "serve", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, *([] if worker else ["--no-worker"]), *options],
            cwd=folder,
            env={**clean, "PYTHONUNBUFFERED": "1", "SCRIPT_NAME": prefix, **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        address = self._address(time.monotonic() + 20)
        self.port = int(address.rpartition(":")[2])
        self.url = address + prefix
        with urllib.request.urlopen(self.url + "/health", timeout=20):
            pass

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def _address(self, until: float) -> str:
        while time.monotonic() < until:
            for line in list(self.lines):
                found = re.match(r"Serving on (\S+?),? ", line)
                if found:
                    return found.group(1)
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.stop()
        raise AssertionError("the server did not start:\n" + self.output)

    @property
    def output(self) -> str:
        """Everything that it wrote to standard output and standard error so far."""
        return "\n".join(self.lines)

    def send(self, raw: bytes, half_close: bool = False, timeout: float = 10) -> bytes:
        """Write these bytes to a new connection and read until the server closes it.

        A request should carry `Connection: close`. With `half_close` the client ends its
        sending side at once, as one does that breaks off in the middle of a body.
        """
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            connection.sendall(raw)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            parts = []
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
