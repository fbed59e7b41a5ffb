"""Child processes that kill themselves (SIGKILL)."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def in_child(work: Callable[[], int | None]) -> int:
    """Runs `work` in a child process. Returns the exit status, negative for a signal.

    The caller must not have an open SQLite connection.
    """
    pid = os.fork()
    if not pid:
        status = 99
        try:
            status = work() or 0
            sys.stdout.flush()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def survives(work: Callable[[], None]) -> bool:
    """Runs `work` in a child process. Returns whether the child survived."""
    status = in_child(work)
    assert status in (0, -signal.SIGKILL), "the child failed by itself"
    return status == 0
