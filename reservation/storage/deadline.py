"""The deadline of the HTTP request that the current thread handles.

Outside a request, for example in a command, there is no deadline. `until` and `left` then limit
the wait to their argument `patience`, in seconds.
"""

import math
import threading
import time


class _RequestDeadline(threading.local):
    until = math.inf


_request = _RequestDeadline()
_closing = math.inf  # upper bound of all deadlines (monotonic time), set by `close`


def begin(seconds: float) -> None:
    """Sets the deadline of this thread to `seconds` from now."""
    _request.until = time.monotonic() + seconds


def end() -> None:
    _request.until = math.inf


def close(seconds: float) -> None:
    """Limits all deadlines in this process to `seconds` from now, for a shutdown. May be called
    in a signal handler."""
    global _closing
    _closing = time.monotonic() + seconds


def until(patience: float) -> float:
    """Returns the deadline of the request as a monotonic time. Without a request, the deadline is
    `patience` seconds from now."""
    own = time.monotonic() + patience if _request.until == math.inf else _request.until
    return min(own, _closing)


def left(patience: float) -> float:
    """Returns the seconds until the deadline, at most `patience`. Returns 0 or less after the
    deadline."""
    return min(min(_request.until, _closing) - time.monotonic(), patience)


def passed(until: float) -> bool:
    """Returns whether the monotonic time `until`, or the limit set by `close`, has passed."""
    return time.monotonic() > min(until, _closing)
