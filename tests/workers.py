"""`reservation worker` in its own process."""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.servers import without_settings

# Short waits, for tests with an unavailable database.
_RUN = (
    "import sys; from reservation.commands import main, worker;"
    " from reservation.storage import database;"
    " worker.POLL = 0.1; worker.DOWN = 0.1; database.PATIENCE = 0.5;"
    " sys.exit(main(['worker', *sys.argv[1:]]))"
)


class Worker:
    """Checks the outbox ten times a second, without a terminal."""

    def __init__(
        self, folder: Path, environ: dict[str, str], options: Sequence[str] = ()
    ) -> None:
        self.log = folder / f"worker-{time.monotonic_ns()}.log"
        self.process = subprocess.Popen(
            [sys.executable, "-c", _RUN, *options],
            cwd=folder,
            env={**without_settings(), **environ},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.log.open("wb"),
            start_new_session=True,
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
