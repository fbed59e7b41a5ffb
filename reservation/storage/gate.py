"""Admits a limited number of threads at a time. Further threads wait in a queue, or are refused
during a jam."""

import threading
import time
from collections import deque

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline

JAM = 0.8  # seconds without progress before a jam begins (see Jam)
LOOK = 0.5  # seconds between two checks for a shutdown of the process


def acquired(lock: threading.Lock, until: float) -> bool:
    """Waits for a lock until the monotonic time `until`. Returns whether the lock is acquired."""
    while not deadline.passed(until):
        if lock.acquire(timeout=min(max(until - time.monotonic(), 0), LOOK)):
            return True
    return False


class Jam:
    """A jam begins if, for JAM seconds, all places are taken and no thread succeeds. During a jam,
    a thread is admitted only if all places are free. The next success ends the jam."""

    def __init__(self) -> None:
        self._is_on = False
        self._moved = 0.0  # when a free place was last taken or a thread succeeded

    def check(self, taken: int, places: int) -> None:
        """Raises DatabaseUnavailable if the jam forbids to admit another thread."""
        now = time.monotonic()
        if taken == places and now - self._moved > JAM:
            self._is_on = True
        if self._is_on and taken:
            raise DatabaseUnavailable()
        if taken < places:
            self._moved = now

    def end(self) -> None:
        self._moved, self._is_on = time.monotonic(), False


class Gate:
    """Admits at most `places` threads at a time."""

    def __init__(self, places: int) -> None:
        self._free = self._places = places
        self._jam = Jam()
        self._waiting: deque[threading.Lock] = deque()
        self._state = threading.Lock()

    def enter(self, until: float) -> None:
        """Waits for a place until the monotonic time `until`. Raises DatabaseUnavailable if no
        place is free by then, or immediately during a jam (see Jam)."""
        with self._state:
            self._jam.check(self._places - self._free, self._places)
            if self._free:
                self._free -= 1
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if acquired(mine, until):
            return
        with self._state:
            if mine in self._waiting:  # unless `leave` has just given a place to this thread
                self._waiting.remove(mine)
                raise DatabaseUnavailable()

    def leave(self, well: bool) -> None:
        """Gives the place to the thread that has waited longest. `well` is True if the leaving
        thread has succeeded, which ends a jam."""
        with self._state:
            if well:
                self._jam.end()
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1
