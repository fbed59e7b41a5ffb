"""Long tasks of the worker, split into short steps, so that mail does not have to wait long."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

# Maximum duration of one call of `Chores.work`, in seconds. The worker sends mail between two
# calls.
TURN = 0.25


class Chore(NamedTuple):
    """Work that is due every `interval` seconds. `start(now)` returns an iterator that does the
    work in steps of about 20 ms. `now` is in Unix seconds."""

    interval: float
    start: Callable[[int], Iterator[object]]


class Chores:
    """Runs the chores that are due, one after the other. Calls `before()` before each chore.

    A chore that raises an exception stays due. A later call of `work` restarts the chore.
    """

    def __init__(self, *chores: Chore, before: Callable[[], None] = lambda: None) -> None:
        self._before = before
        self._due = dict.fromkeys(chores, 0.0)
        self._steps = self._all_due()

    def work(self, stopping: Callable[[], bool]) -> bool:
        """Works for at most TURN seconds, or until `stopping()` returns True. Returns whether work
        is left."""
        until = time.monotonic() + TURN
        for _ in self._steps:
            if stopping() or time.monotonic() > until:
                return True
        self._steps = self._all_due()
        return False

    def _all_due(self) -> Iterator[object]:
        for chore, due in self._due.items():
            if time.monotonic() >= due:
                self._before()
                yield from chore.start(int(time.time()))
                self._due[chore] = time.monotonic() + chore.interval
