"""Threads that send claimed messages and wait for the relay's answers."""

import logging
import re
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import NamedTuple

from reservation.domain.messages import claims
from reservation.domain.messages.claims import QueuedMessage
from reservation.domain.messages.mailers import Mailer, RelaySession
from reservation.domain.messages.quotas import Quotas
from reservation.domain.messages.rendering import RenderedMessage
from reservation.errors import MailNotSent
from reservation.lib.smtp import TIME_LIMIT
from reservation.storage.database import NO_ANSWER, Database, forget
from reservation.storage.remedies import outage

logger = logging.getLogger("reservation")

PATIENCE = 2.0  # seconds; if the relay takes longer, another sender sends the next message
ANSWER_LIMIT = 600.0  # seconds to wait for the relay's answer after the data (RFC 5321)
RENEWAL = 10.0  # seconds between two extensions of a lease
LOOK = 0.2  # seconds between two checks of `stopping`
DOWN = 0.5  # seconds between two attempts to reach the database


class _Job(NamedTuple):
    row: QueuedMessage
    rendered: RenderedMessage
    lease: int


class Sender:
    """A daemon thread that sends one message at a time and marks it as sent or failed.

    Has its own connections to the relay and the database. `stopping` returns True when the worker
    shuts down.
    """

    def __init__(
        self, db: Database, mailer: Mailer, quotas: Quotas, stopping: Callable[[], bool]
    ) -> None:
        self.db, self.mailer, self.quotas, self.stopping = db, mailer, quotas, stopping
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        # What `is_free` waits for. True: the thread can take another message. False: `is_free`
        # gives up, because the relay is slow or the thread has ended.
        self._free: SimpleQueue[bool] = SimpleQueue()
        self._busy = False  # no lock, because only the thread that calls `send` uses `_busy`
        self._settled = threading.Event()  # set when the thread has handled the latest message
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def send(self, row: QueuedMessage, rendered: RenderedMessage, lease: int) -> None:
        self._busy = True
        self._settled.clear()
        self._jobs.put(_Job(row, rendered, lease))

    def is_free(self) -> bool:
        """Returns whether the sender can take another message. If the sender is busy, waits first,
        but gives up if the relay is slow or the worker is shutting down."""
        until = time.monotonic() + TIME_LIMIT + PATIENCE + 1
        while self._busy and time.monotonic() < until and not self.stopping():
            try:
                self._busy = not self._free.get(timeout=LOOK)
            except Empty:
                continue
            if self._busy:
                break
        return not self._busy

    def settle(self, seconds: float) -> None:
        """Waits up to `seconds` until the thread has handled the latest message."""
        self._settled.wait(seconds)

    def end(self) -> None:
        """Ends the thread after its current message."""
        self._jobs.put(None)

    def join(self, seconds: float) -> bool:
        """Waits up to `seconds`. Returns whether the thread has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            with self.mailer.session() as line:
                for job in iter(self._jobs.get, None):
                    self._work(line, job)
                    self._settled.set()
        finally:
            self._free.put(False)
            forget(self.db)

    def _work(self, line: RelaySession, job: _Job) -> None:
        try:
            if claims.begins(job.lease):
                self._send(line, job)
            else:  # the lease has nearly ended, or the clock was set back
                self._free.put(True)
                claims.give_back(self.db, [job.row], job.lease, self.quotas.uncount)
        except NO_ANSWER as ex:
            # The message will be tried again after the lease ends.
            logger.warning("message %d: %s", job.row.id, outage(self.db, ex))
            forget(self.db)

    def _send(self, line: RelaySession, job: _Job) -> None:
        row, lease, failure = job.row, job.lease, None
        try:
            line.hand_over(job.rendered.mail)
            lease = self._wait(line, row, lease)
            line.confirm()
        except MailNotSent as ex:
            failure = reason(ex.__cause__ or ex)
        self._free.put(True)  # first, so that `is_free` need not wait until the message is marked
        if failure is None:
            self._mark_sent(row, lease, job.rendered)
        else:
            claims.mark_failed(self.db, row, lease, failure)

    def _wait(self, line: RelaySession, row: QueuedMessage, lease: int) -> int:
        if line.answers(PATIENCE):
            return lease
        self._free.put(False)
        for _ in range(int(ANSWER_LIMIT / RENEWAL)):
            try:
                lease = claims.renew(self.db, row, lease)
            except NO_ANSWER:
                forget(self.db)  # the next round tries again
            if line.answers(RENEWAL):
                break
        return lease

    def _mark_sent(self, row: QueuedMessage, lease: int, sent: RenderedMessage) -> None:
        """Marks a message as sent. Retries while the database does not answer, because an unmarked
        message would be sent again. Gives up after LEASE seconds, or if the worker is shutting
        down."""
        until = time.monotonic() + claims.LEASE
        while True:
            try:
                return claims.mark_sent(self.db, row, lease, sent.content, sent.erased)
            except NO_ANSWER:
                if self.stopping() or time.monotonic() > until:
                    raise
            forget(self.db)
            time.sleep(DOWN)


def reason(ex: BaseException) -> str:
    """Returns the answer of the relay on one line. If `ex` has no answer, returns the type and the
    text of `ex`. Hides login codes, and tokens in links."""
    said = f"{type(ex).__name__}: {ex}"
    code, answer = getattr(ex, "smtp_code", None), getattr(ex, "smtp_error", "")
    if code is not None:
        text = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
        said = f"{code} {text}"
    return re.sub(r"(?<=#)\S+|\b\d{6}\b", "…", " ".join(said.split()))[:500]
