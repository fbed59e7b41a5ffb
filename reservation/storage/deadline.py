"""The time by which the request that this thread answers must have its answer.

Commands and workers have none: they wait as long as the caller of `until` and `left` says.
"""

import math
import threading
import time


class _Mine(threading.local):
    until: float | None = None


_mine = _Mine()
_closing = math.inf  # when every wait of this process ends


def begin(seconds: float) -> None:
    """Everything that this thread waits for ends within `seconds`, until `end()`."""
    _mine.until = time.monotonic() + seconds


def end() -> None:
    _mine.until = None


def close(seconds: float) -> None:
    """The process is to end: all that its threads wait for ends within `seconds`, also what
    they wait for already. A signal handler may call this."""
    global _closing
    _closing = time.monotonic() + seconds


def until(patience: float) -> float:
    """The deadline on the monotonic clock; `patience` seconds from now without one."""
    mine = time.monotonic() + patience if _mine.until is None else _mine.until
    return min(mine, _closing)


def left(patience: float) -> float:
    """Seconds left, at most `patience`; not positive once the deadline has passed."""
    mine = math.inf if _mine.until is None else _mine.until
    return min(min(mine, _closing) - time.monotonic(), patience)


def passed(until: float) -> bool:
    """Whether it is later than `until`, or than the end of all waits of this process."""
    return time.monotonic() > min(until, _closing)
