"""Commits the transactions of several threads together (group commit), on SQLite.

A COMMIT waits for the disk, and takes longer than all other statements of a booking. So the
thread whose turn it is also does the work of the threads that wait, and commits once for all.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import peewee

from reservation.errors import DatabaseUnavailable
from reservation.storage.gate import Jam, acquired
from reservation.storage.turn import Turn

MOST = 0.02  # seconds of CPU time after which a group takes no more jobs
Work = Callable[[], Any]
Commit = Callable[[Work], Any]


class _WriteJob:
    """The work of a thread, which waits until another thread calls it. After the call, either the
    job is done, or the thread that has waited must lead."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.is_done = False
        self.result: Any = None
        self.error: Exception | None = None
        self.called = threading.Lock()
        self.called.acquire()

    def outcome(self) -> Any:
        if self.error is None:
            return self.result
        try:
            raise self.error
        finally:
            self.error = None  # breaks the reference cycle between this job and the traceback


class GroupCommit:
    """At most one thread leads: it does its own job and those of the threads that wait."""

    def __init__(self, db: Any, turn: Turn) -> None:
        self._db, self._turn = db, turn
        self._state = threading.Lock()
        self._jam = Jam()
        self._is_led = False
        self._waiting: deque[_WriteJob] = deque()  # the jobs that no thread is doing, oldest first

    def run(self, work: Work, commit: Commit, until: float) -> Any:
        """Does `work` in a transaction, and returns its result after the COMMIT.

        `commit` does its argument in a transaction. Another thread may do `work`, in a savepoint
        of its own transaction: an exception of `work` undoes only the writes of `work`. Raises
        DatabaseUnavailable if nobody has begun with `work` by the monotonic time `until`. During a
        jam (see Jam), raises DatabaseUnavailable immediately.
        """
        job = _WriteJob(work)
        with self._state:
            self._jam.check(taken=int(self._is_led), places=1)
            must_wait, self._is_led = self._is_led, True
            self._waiting.append(job)
        if must_wait:
            self._wait(job, until)
        if not job.is_done:
            self._lead(job, commit, until)
        return job.outcome()

    def _wait(self, job: _WriteJob, until: float) -> None:
        """Waits for a call. Withdraws the job and raises DatabaseUnavailable if nobody has begun
        with the job by `until`."""
        if acquired(job.called, until):
            return
        with self._state:
            if job.called.acquire(blocking=False):
                return
            if job in self._waiting:
                self._waiting.remove(job)
                raise DatabaseUnavailable()
        job.called.acquire()  # another thread is doing the job

    def _lead(self, job: _WriteJob, commit: Commit, until: float) -> None:
        with self._state:
            self._waiting.remove(job)
        group, well = [job], True
        try:
            with self._turn.by(until):
                if self._waiting:
                    self._do_together(group, commit)
                if not job.is_done:
                    job.error, job.result = None, commit(job.work)
        except (peewee.OperationalError, DatabaseUnavailable):
            well = False
            raise
        finally:
            self._call(group[1:], well)

    def _do_together(self, group: list[_WriteJob], commit: Commit) -> None:
        """Does the job of this thread, and adds waiting jobs to `group`. If the database fails,
        undoes all of them, and puts the others back: each thread must then do its own job."""
        try:
            with suppress(peewee.PeeweeException):
                commit(partial(self._do_all, group))
                for job in group:
                    job.is_done = True
        finally:
            if not group[0].is_done:
                with self._state:
                    self._waiting.extendleft(reversed(group[1:]))
                del group[1:]

    def _do_all(self, group: list[_WriteJob]) -> None:
        until = time.thread_time() + MOST
        for job in group:
            self._do(job)
            with self._state:
                if self._waiting and time.thread_time() < until:
                    group.append(self._waiting.popleft())

    def _do(self, job: _WriteJob) -> None:
        job.error = None
        self._db.write("SAVEPOINT job")
        try:
            job.result = job.work()
        except Exception as ex:
            job.error = ex
            # Fails if SQLite has undone the whole transaction, for example on a full disk.
            self._db.write("ROLLBACK TO job")
        self._db.write("RELEASE job")  # open savepoints make all later writes slower

    def _call(self, done: list[_WriteJob], well: bool) -> None:
        """Calls the threads whose jobs are done, and the thread that must lead next. `well` is
        False if the database has failed."""
        with self._state:
            if well:
                self._jam.end()
            self._is_led = bool(self._waiting)
            for job in [*done, *list(self._waiting)[:1]]:
                job.called.release()
