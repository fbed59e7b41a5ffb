"""A limited number of places, first come first served, and a quick refusal once they jam."""

import threading
import time
from collections import deque
from collections.abc import Callable

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline

JAM = 0.8  # seconds without progress, while every place is taken
LOOK = 0.5  # seconds between two looks at whether the process is to end


def _nothing() -> None:
    pass


class Gate:
    """Hands out `places`.

    When all are taken and nothing moves for JAM seconds, newcomers are refused at once instead
    of waiting for what does not come. From then on, one at a time may try, until one of them
    leaves well.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._places = places
        self._jammed = False
        self._moved = 0.0  # when somebody took a place, or left one well
        self._waiting: deque[threading.Lock] = deque()
        self._state = threading.Lock()

    def enter(self, until: float) -> None:
        """Take a place. Raises DatabaseUnavailable if none is free by `until`, or in a jam."""
        with self._state:
            now = time.monotonic()
            if not self._free and now - self._moved > JAM:
                self._jammed = True
            if self._jammed and self._free < self._places:
                raise DatabaseUnavailable()
            if self._free:
                self._free -= 1
                self._moved = now
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        while not deadline.passed(until):
            if mine.acquire(timeout=min(max(until - time.monotonic(), 0), LOOK)):
                return
        with self._state:
            if mine in self._waiting:
                self._waiting.remove(mine)
                raise DatabaseUnavailable()
            # The place was handed over at the last moment.

    def leave(self, well: bool, unwanted: Callable[[], None] = _nothing) -> None:
        """Hand the place on, or call `unwanted` if nobody waits for it; `well` ends a jam."""
        with self._state:
            if well:
                self._moved, self._jammed = time.monotonic(), False
            if self._waiting:
                self._waiting.popleft().release()
            else:
                unwanted()
                self._free += 1
