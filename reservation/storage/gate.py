"""Admits a limited number of threads at a time, in order of arrival."""

import threading
import time
from collections import deque
from collections.abc import Callable

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline

JAM = 0.8  # seconds without progress before a jam begins (see Gate)
LOOK = 0.5  # seconds between two checks for a shutdown of the process


class Gate:
    """Admits at most `places` threads at a time.

    A jam begins if, for JAM seconds, all places are taken and no thread succeeds. During a jam,
    `enter` admits a thread only if all places are free, and refuses other threads immediately.
    The next success, `leave(well=True)`, ends the jam.
    """

    def __init__(self, places: int) -> None:
        self._free = self._places = places
        self._jammed = False
        self._moved = 0.0  # when a free place was last taken or `leave(well=True)` was called
        self._waiting: deque[threading.Lock] = deque()
        self._state = threading.Lock()

    def enter(self, until: float) -> None:
        """Waits for a place until the monotonic time `until`. Raises DatabaseUnavailable if no
        place is free by then, or immediately during a jam (see Gate)."""
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
            if mine in self._waiting:  # unless `leave` has just given a place to this thread
                self._waiting.remove(mine)
                raise DatabaseUnavailable()

    def waiting(self) -> int:
        return len(self._waiting)

    def leave(self, well: bool, unwanted: Callable[[], None] = lambda: None) -> None:
        """Gives the place to the thread that has waited longest. If no thread is waiting, calls
        `unwanted`, and then frees the place.

        `well` is True if the leaving thread has succeeded. A success ends a jam (see Gate).
        """
        with self._state:
            if well:
                self._moved, self._jammed = time.monotonic(), False
            if self._waiting:
                self._waiting.popleft().release()
            else:
                unwanted()
                self._free += 1
