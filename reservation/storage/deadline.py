"""The deadline of the request that the current thread answers.

Commands and the worker have no deadline. A function that waits therefore has a parameter
`patience`: how many seconds it waits if there is no deadline.
"""

import math
import threading
import time


class _RequestDeadline(threading.local):
    until = math.inf


_request = _RequestDeadline()
_closing = math.inf  # the time on the monotonic clock after which no thread of this process waits


def begin(seconds: float) -> None:
    """Sets the deadline of this thread to `seconds` from now. `end()` removes the deadline."""
    _request.until = time.monotonic() + seconds


def end() -> None:
    _request.until = math.inf


def close(seconds: float) -> None:
    """Ends all waits of this process within `seconds`, including waits that have begun.

    A signal handler may call this function.
    """
    global _closing
    _closing = time.monotonic() + seconds


def until(patience: float) -> float:
    """Returns the deadline of the request, on the monotonic clock. Without a request, the deadline
    is `patience` seconds from now."""
    own = time.monotonic() + patience if _request.until == math.inf else _request.until
    return min(own, _closing)


def left(patience: float) -> float:
    """Returns the seconds until the deadline, at most `patience`. After the deadline, returns 0 or
    less."""
    return min(min(_request.until, _closing) - time.monotonic(), patience)


def passed(until: float) -> bool:
    """Returns whether `until` has passed. Also returns True after the time limit that `close` has
    set."""
    return time.monotonic() > min(until, _closing)
