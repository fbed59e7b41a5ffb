"""The time by which the request that this thread answers must have its answer.

Commands and workers have none: they wait as long as the caller of `until` and `left` says.
"""

import threading
import time


class _Mine(threading.local):
    until: float | None = None


_mine = _Mine()


def begin(seconds: float) -> None:
    """Everything that this thread waits for ends within `seconds`, until `end()`."""
    _mine.until = time.monotonic() + seconds


def end() -> None:
    _mine.until = None


def until(patience: float) -> float:
    """The deadline on the monotonic clock; `patience` seconds from now without one."""
    return time.monotonic() + patience if _mine.until is None else _mine.until


def left(patience: float) -> float:
    """Seconds left, at most `patience`; not positive once the deadline has passed."""
    return patience if _mine.until is None else min(_mine.until - time.monotonic(), patience)
