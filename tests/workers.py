"""`reservation worker` in its own process."""

import os
import signal
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.servers import Fork, without_settings


class Worker:
    """Checks the outbox ten times a second, without a terminal."""

    def __init__(
        self, folder: Path, environ: dict[str, str], options: Sequence[str] = ()
    ) -> None:
        self.log = folder / f"worker-{time.monotonic_ns()}.log"
        self.log.touch()
        self.process = Fork(
            ["worker", *options], folder, {**without_settings(), **environ},
            partial(_prepare, self.log),
        )

    @property
    def output(self) -> str:
        return self.log.read_text()

    def tell(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()

    def status(self) -> int:
        """Waits for the worker to end. Returns its exit status."""
        return self.process.wait(timeout=20)

    def stop(self) -> None:
        """Kills the worker at the end of a test."""
        self.process.kill()
        self.process.wait()


def _prepare(log: Path) -> None:
    """Shortens waits, for tests with an unavailable database. Sends standard error to `log`."""
    from reservation.commands import worker
    from reservation.storage import database

    os.setsid()
    os.dup2(os.open(log, os.O_WRONLY), 2)
    worker.POLL = worker.DOWN = 0.1
    database.PATIENCE = 0.5
