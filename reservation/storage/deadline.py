"""The deadline of the request that the current thread answers.

Commands and workers have no deadline: they wait for the `patience` of the caller.
"""

import math
import threading
import time


class _RequestDeadline(threading.local):
    until = math.inf


_request = _RequestDeadline()
_closing = math.inf  # when all waits of this process end


def begin(seconds: float) -> None:
    """Ends all waits of this thread within `seconds`, until `end()` is called."""
    _request.until = time.monotonic() + seconds


def end() -> None:
    _request.until = math.inf


def close(seconds: float) -> None:
    """Ends all waits of this process within `seconds`, including those that have begun.

    A signal handler may call this function.
    """
    global _closing
    _closing = time.monotonic() + seconds


def until(patience: float) -> float:
    """Returns the deadline on the monotonic clock, by default `patience` seconds from now."""
    own = time.monotonic() + patience if _request.until == math.inf else _request.until
    return min(own, _closing)


def left(patience: float) -> float:
    """Returns the seconds left, at most `patience`; not positive after the deadline."""
    return min(min(_request.until, _closing) - time.monotonic(), patience)


def passed(until: float) -> bool:
    """Returns whether `until`, or the end of all waits of this process, has passed."""
    return time.monotonic() > min(until, _closing)
