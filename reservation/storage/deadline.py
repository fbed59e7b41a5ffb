"""The deadline of the request that a thread answers.

Commands and workers have no deadline: they wait as long as the caller of `until` or `left` says.
"""

import math
import threading
import time


class _RequestDeadline(threading.local):
    until = math.inf


_mine = _RequestDeadline()
_closing = math.inf  # when all waits of this process end


def begin(seconds: float) -> None:
    """Ends all waits of this thread within `seconds`, until `end()` is called."""
    _mine.until = time.monotonic() + seconds


def end() -> None:
    _mine.until = math.inf


def close(seconds: float) -> None:
    """Ends all waits of this process within `seconds`, including those that have begun.

    A signal handler may call this function.
    """
    global _closing
    _closing = time.monotonic() + seconds


def until(patience: float) -> float:
    """Returns the deadline on the monotonic clock: without one, `patience` seconds from now."""
    mine = time.monotonic() + patience if _mine.until == math.inf else _mine.until
    return min(mine, _closing)


def left(patience: float) -> float:
    """Returns the seconds left, at most `patience`; not positive after the deadline."""
    return min(min(_mine.until, _closing) - time.monotonic(), patience)


def passed(until: float) -> bool:
    """Whether `until`, or the end of all waits of this process, is over."""
    return time.monotonic() > min(until, _closing)
