"""Threads that take turns, one statement at a time, in random order."""

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from reservation.storage.database import Database, SQLite, connect, forget
from tests.races.statements import Statements

Work = Callable[[Database], Any]
WAITS_FOR_A_LOCK = 0.02  # seconds, after which a running thread counts as blocked
RUNNING, READY, BLOCKED, DONE = "running", "ready", "blocked", "done"


class Turns(Statements):
    """Runs works in parallel threads, and lets one thread at a time run its next statement.

    A thread that waits for a lock does not report back within WAITS_FOR_A_LOCK; then another
    thread gets the turn. On a slow machine a turn may end too early, which only gives another
    interleaving. On SQLite a whole transaction is one turn, because transactions exclude each
    other.
    """

    def __init__(self, url: str, people: int) -> None:
        super().__init__()
        self._change = threading.Condition()
        self._states: list[str] = []
        self._over = False
        self._results: list[Any] = []
        self._mine = threading.local()
        self._jobs: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(people)]
        self._threads = [
            threading.Thread(target=self._person, args=(url, number), daemon=True)
            for number in range(people)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Releases the threads that wait for a turn, and ends all threads."""
        with self._change:
            self._over = True
            self._change.notify_all()
        for jobs in self._jobs:
            jobs.put(None)
        for thread in self._threads:
            thread.join(timeout=30)

    def play(self, works: Sequence[Work], chance: random.Random) -> list[Any]:
        """Runs the works; returns what each work returned or raised."""
        haste = chance.choice((0.2, 0.5, 0.8))  # how often a thread gets the next turn too
        last = None
        with self._change:
            self._states = [RUNNING] * len(works)
            self._results = [None] * len(works)
            for jobs, work in zip(self._jobs, works, strict=False):
                jobs.put(work)
            while ready := self._ready():
                goes_on = last in ready and chance.random() < haste
                last = last if goes_on else chance.choice(ready)
                self._states[last] = RUNNING
                self._change.notify_all()
            return self._results

    def _ready(self) -> list[int]:
        """Returns the threads that can run their next statement; none once all are done."""
        self._change.wait_for(lambda: RUNNING not in self._states, WAITS_FOR_A_LOCK)
        self._states = [BLOCKED if one == RUNNING else one for one in self._states]
        assert self._change.wait_for(
            lambda: READY in self._states or set(self._states) == {DONE}, 60
        ), f"no thread can go on: {self._states}"
        return [number for number, state in enumerate(self._states) if state == READY]

    def step(self, db: Any, text: str, run: Callable[[], Any]) -> Any:
        number = getattr(self._mine, "number", None)
        if number is not None and self._is_step(db, text):
            with self._change:
                self._states[number] = READY
                self._change.notify_all()
                self._change.wait_for(lambda: self._over or self._states[number] != READY)
        return run()

    @staticmethod
    def _is_step(db: Any, text: str) -> bool:
        if isinstance(db, SQLite):
            return not db.in_transaction() and text not in ("COMMIT", "ROLLBACK")
        return text != "ROLLBACK"

    def _person(self, url: str, number: int) -> None:
        own = connect(url)
        while work := self._jobs[number].get():
            self._mine.number = number
            try:
                result = work(own)
            except Exception as ex:
                result = ex
            self._mine.number = None
            with self._change:
                self._results[number], self._states[number] = result, DONE
                self._change.notify_all()
        forget(own)


@contextmanager
def taken(url: str, people: int, put: Callable[[Any, str, Any], None]) -> Iterator[Turns]:
    """Turns for this number of threads; `put` is monkeypatch.setattr."""
    turns = Turns(url, people)
    turns.install(put)
    try:
        yield turns
    finally:
        turns.close()
