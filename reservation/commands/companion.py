"""The `reservation worker` process that `reservation serve` starts."""

import logging
import os
import subprocess
import sys
import threading
import time

from reservation.commands.connections import ENDING

logger = logging.getLogger("reservation")


class Companion:
    """A `reservation worker` process, restarted when it dies."""

    PAUSE = 1.0  # seconds before a restart
    FAREWELL = ENDING + 0.5  # seconds from SIGTERM to SIGKILL

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._spawning = threading.Lock()
        self._until = 0.0
        self._command: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper = threading.Thread(target=self._keep_running, daemon=True)

    def start(self, public_url: str) -> None:
        beside = ["--beside", str(os.getpid()), "--public-url", public_url]
        self._command = [sys.executable, "-m", "reservation", "worker", *beside]
        # Popen creates a pipe, and waits until all processes have closed the writing end. A web
        # process that is forked during Popen would keep this end open, and Popen would wait until
        # the web process ends. So a lock delays such a fork.
        free = self._spawning.release
        os.register_at_fork(
            before=self._spawning.acquire, after_in_parent=free, after_in_child=free
        )
        self._keeper.start()

    def terminate(self) -> None:
        """Sends SIGTERM to the worker. May be called more than once."""
        if not self._stopping.is_set():
            self._until = time.monotonic() + self.FAREWELL
            self._stopping.set()
        if self._process is not None:
            self._process.terminate()

    def stop(self) -> None:
        """Waits until the worker ends. Kills the worker if it still runs FAREWELL seconds after
        `terminate`."""
        if self._process is not None:
            self._keeper.join(max(self._until - time.monotonic(), 0))
            self._process.kill()

    def _keep_running(self) -> None:
        while not self._stopping.is_set():
            try:
                self._run()
            except OSError as ex:  # the machine has no memory or no process left
                logger.warning("the worker could not be started, trying again: %s", ex)
            self._stopping.wait(self.PAUSE)

    def _run(self) -> None:
        with self._spawning:
            self._process = subprocess.Popen(self._command)
        if self._stopping.is_set():  # `terminate` ran before `_process` was set
            self._process.terminate()
        self._process.wait()
