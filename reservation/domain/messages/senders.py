"""A thread that sends claimed messages, and outlasts a relay that is slow to answer."""

import logging
import re
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import NamedTuple

from reservation.domain.messages import claims
from reservation.domain.messages.claims import Kept, Queued
from reservation.domain.messages.mailers import Line, Mailer
from reservation.errors import DatabaseUnavailable, MailNotSent
from reservation.lib.mime import Mail
from reservation.lib.smtp import TIME_LIMIT
from reservation.storage.database import UNAVAILABLE, Database, forget

logger = logging.getLogger("reservation")

PATIENCE = 2.0  # seconds for which other messages wait for the relay's answer to one
ANSWER_LIMIT = 600.0  # seconds for which a relay may be silent after the data (RFC 5321)
RENEWAL = 10.0  # seconds between two renewals of a claim meanwhile
LOOK = 0.2  # seconds between two looks at whether to wait any longer
DOWN = 0.5  # seconds between two attempts to reach the database


class Ready(NamedTuple):
    """A rendered message, and what is stored of it once it is sent."""

    mail: Mail
    kept: Kept


class _Job(NamedTuple):
    row: Queued
    ready: Ready
    lease: int


class Sender:
    """Sends and marks messages, one at a time, with its own connections to the relay and the
    database.

    A daemon: it holds up no exit of the interpreter.
    """

    def __init__(self, db: Database, mailer: Mailer, stopping: Callable[[], bool]) -> None:
        self.db, self.mailer, self.stopping = db, mailer, stopping
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._free: SimpleQueue[bool] = SimpleQueue()
        self._busy = False  # as far as the thread knows that gives the messages
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def send(self, row: Queued, ready: Ready, lease: int) -> None:
        self._busy = True
        self._jobs.put(_Job(row, ready, lease))

    def is_free(self) -> bool:
        """Waits until the relay has answered for the message. False if that takes long: the
        sender is to be left alone then. Does not wait while `stopping`."""
        until = time.monotonic() + TIME_LIMIT + PATIENCE + 1
        while self._busy and time.monotonic() < until and not self.stopping():
            try:
                self._busy = not self._free.get(timeout=LOOK)
            except Empty:
                continue  # it may be looking up a name, or marking the message before
            if self._busy:
                break  # the relay takes its time
        return not self._busy

    def end(self) -> None:
        """Let the thread end after its message."""
        self._jobs.put(None)

    def join(self, seconds: float) -> bool:
        """Waits so long at most; returns whether the thread has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            with self.mailer.session() as line:
                for job in iter(self._jobs.get, None):
                    self._work(line, job)
        finally:
            self._free.put(False)
            forget(self.db)

    def _work(self, line: Line, job: _Job) -> None:
        try:
            if claims.begins(job.lease):
                self._send(line, job)
            else:  # it waited here while the database was away
                self._free.put(True)
                claims.give_back(self.db, [job.row], job.lease)
        except (DatabaseUnavailable, *UNAVAILABLE) as ex:
            # The claim ends by itself, and the message is tried again.
            logger.warning("message %d: the database does not answer: %s", job.row.id, ex)
            forget(self.db)

    def _send(self, line: Line, job: _Job) -> None:
        row, lease, failure = job.row, job.lease, None
        try:
            line.hand_over(job.ready.mail)
            lease = self._wait(line, row, lease)
            line.confirm()
        except MailNotSent as ex:
            failure = reason(ex.__cause__ or ex)
        self._free.put(True)  # so that the next message is there when this one is marked
        if failure is None:
            self._mark_sent(row, lease, job.ready.kept)
        else:
            claims.mark_failed(self.db, row, lease, failure)

    def _wait(self, line: Line, row: Queued, lease: int) -> int:
        """Wait for the relay's answer and keep the claim until then. Returns its lease."""
        if line.answers(PATIENCE):
            return lease
        self._free.put(False)
        for _ in range(int(ANSWER_LIMIT / RENEWAL)):
            lease = self._renewed(row, lease)
            if line.answers(RENEWAL):
                break
        return lease

    def _renewed(self, row: Queued, lease: int) -> int:
        try:
            return claims.renew(self.db, row, lease)
        except (DatabaseUnavailable, *UNAVAILABLE):
            forget(self.db)
            return lease  # it holds for longer than until the next attempt

    def _mark_sent(self, row: Queued, lease: int, kept: Kept) -> None:
        """Mark it as soon as the database answers: until then it may be sent again."""
        until = time.monotonic() + claims.LEASE
        while True:
            try:
                return claims.mark_sent(self.db, row, lease, kept)
            except (DatabaseUnavailable, *UNAVAILABLE):
                if self.stopping() or time.monotonic() > until:
                    raise
            forget(self.db)
            time.sleep(DOWN)


def reason(ex: BaseException) -> str:
    """What the relay or the network said, in one line, and without what a link has behind #."""
    said = " ".join(f"{type(ex).__name__}: {ex}".split())
    return re.sub(r"#\S+", "#…", said)[:500]
