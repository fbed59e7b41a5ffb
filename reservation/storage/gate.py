"""Admits a limited number of threads at a time, in the order in which the threads arrive."""

import threading
import time
from collections import deque
from collections.abc import Callable

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline

JAM = 0.8  # seconds without progress after which a jam begins
LOOK = 0.5  # seconds after which a waiting thread checks whether the process is about to end


class Gate:
    """Gives each thread one of `places` places.

    A thread takes its place with `enter` and gives the place back with `leave`. If it calls
    `leave(well=True)`, the thread has succeeded.

    There is no progress while no thread takes a free place or succeeds. After JAM seconds without
    progress, the next thread that finds all places taken begins a jam. During a jam, `enter` gives
    a place only if all places are free, and otherwise refuses the thread immediately. The jam ends
    when a thread succeeds.
    """

    def __init__(self, places: int) -> None:
        self._free = self._places = places
        self._jammed = False
        self._moved = 0.0  # when a thread last took a free place or succeeded
        self._waiting: deque[threading.Lock] = deque()
        self._state = threading.Lock()

    def enter(self, until: float) -> None:
        """Waits for a place and takes it. Raises DatabaseUnavailable during a jam (see the class),
        or if no place is free before `until`, a time on the monotonic clock."""
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
            if mine in self._waiting:  # otherwise, another thread has just handed over its place
                self._waiting.remove(mine)
                raise DatabaseUnavailable()

    def waiting(self) -> int:
        """Returns the number of threads that wait for a place."""
        return len(self._waiting)

    def leave(self, well: bool, unwanted: Callable[[], None] = lambda: None) -> None:
        """Hands the place of this thread to the thread that has waited longest.

        If no thread is waiting, calls `unwanted`, for example to release a lock, and then frees
        the place. `well` says whether the work of this thread succeeded. A success ends a jam.
        """
        with self._state:
            if well:
                self._moved, self._jammed = time.monotonic(), False
            if self._waiting:
                self._waiting.popleft().release()
            else:
                unwanted()
                self._free += 1
