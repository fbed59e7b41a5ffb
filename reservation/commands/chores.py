"""Long tasks of the worker, done in short steps, so that the worker can send mail in between."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

# Upper bound of the duration of `Chores.work`, in seconds. The worker sends due messages between
# two calls.
TURN = 0.25


class Chore(NamedTuple):
    """Work that is due every `interval` seconds. `start` returns an iterator, and each step of the
    iterator does about 20 ms of the work."""

    interval: float
    start: Callable[[], Iterator[object]]


class Chores:
    """Runs the chores that are due, one after the other.

    If a chore raises an exception, the chore stays due, and a later call of `work` starts it again
    from the beginning.
    """

    def __init__(self, *chores: Chore) -> None:
        self._due = dict.fromkeys(chores, 0.0)
        self._steps = self._all_due()

    def work(self, stopping: Callable[[], bool]) -> bool:
        """Works on the due chores for at most TURN seconds, or until `stopping()` returns True.
        Returns whether work is left."""
        until = time.monotonic() + TURN
        for _ in self._steps:
            if stopping() or time.monotonic() > until:
                return True
        self._steps = self._all_due()
        return False

    def _all_due(self) -> Iterator[object]:
        for chore, due in self._due.items():
            if time.monotonic() >= due:
                yield from chore.start()
                self._due[chore] = time.monotonic() + chore.interval
