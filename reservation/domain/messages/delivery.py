"""Delivers the outbox: claims due messages, renders them and hands them to a sender.

If the relay is slow to answer, a new sender continues with the next message.
"""

import logging
import time
from collections.abc import Callable

from reservation.domain.messages import claims
from reservation.domain.messages.claims import QueuedMessage
from reservation.domain.messages.mailers import Mailer
from reservation.domain.messages.messages import Templates
from reservation.domain.messages.quotas import OPEN, Quotas
from reservation.domain.messages.rendering import NotNeeded, RenderedMessage, Renderer
from reservation.domain.messages.senders import ANSWER_LIMIT, DOWN, Sender, reason
from reservation.domain.outbox.outbox import CLOSED
from reservation.metrics import ATTEMPTS
from reservation.storage.database import NO_ANSWER, Database, forget, transaction
from reservation.storage.remedies import outage

logger = logging.getLogger("reservation")

# Seconds. After TURN, `deliver` claims no more messages, so that the worker can do other tasks.
TURN = 5.0
# Seconds. After ROUND, the unsent messages of a claim are released. The next claim then begins
# with the codes and links that are due, because people wait for them.
ROUND = 2.0
MOST_SENDERS = 20
# Seconds. The maximum wait for a sender to mark its last message as sent or failed, and the
# maximum wait for its thread to end.
_ENDING = 2.0


class Delivery:
    def __init__(
        self, db: Database, mailer: Mailer, templates: Templates, sender: str, public_url: str,
        secret: str, quotas: Quotas = OPEN,
    ) -> None:
        self.db, self.mailer, self.quotas = db, mailer, quotas
        self._renderer = Renderer(db, templates, sender, public_url, secret)
        self._sender: Sender | None = None
        self._senders: list[Sender] = []
        self._most = claims.MOST  # maximum number of messages of the next claim
        self._stopping: Callable[[], bool] = lambda: False  # set by `deliver`
        self.has_more = False  # True if `deliver` ran out of time; more messages may be due

    def deliver(
        self, stopping: Callable[[], bool] = lambda: False, seconds: float = TURN
    ) -> int:
        """Sends due messages for at most about `seconds` seconds. Returns the number of messages
        handled.

        Also sends codes and links that become due meanwhile, but no other new messages. Stops
        early if `stopping` returns True, if the clock is set back, or if MOST_SENDERS
        senders are still running.
        """
        due, until, tried = int(time.time()), time.monotonic() + seconds, 0
        self._stopping, self.has_more = stopping, False
        try:
            while True:
                fell_back = time.time() < due - 1
                if stopping() or fell_back or self._waiting() >= MOST_SENDERS:
                    break
                lease = int(time.time()) + claims.LEASE
                claimed = claims.take(
                    self.db, due, lease, self.quotas.exceeded, self._most
                )
                if claimed is None:
                    break
                tried += self._round(claimed, lease)
                if time.monotonic() > until:
                    self.has_more = True
                    break
        finally:
            self._end_sender()
        return tried

    def wait(
        self, seconds: float = ANSWER_LIMIT, stopping: Callable[[], bool] = lambda: False
    ) -> None:
        """Waits up to `seconds` for the relay's answers to all sent messages. Stops waiting if
        `stopping` returns True."""
        until = time.monotonic() + seconds
        while self._waiting() and time.monotonic() < until and not stopping():
            self._senders[0].join(0.2)

    def _waiting(self) -> int:
        self._senders = [sender for sender in self._senders if not sender.join(0)]
        return len(self._senders)

    def _round(self, claimed: list[QueuedMessage], lease: int) -> int:
        """Sends claimed messages, and returns the number of messages handled. Sets the size of the
        next claim to what the relay accepts in one round."""
        began = time.monotonic()
        handled = self._send_all(claimed, lease, began + ROUND)
        if handled < len(claimed):
            self._most = max(1, handled)
        elif time.monotonic() < began + ROUND / 2:
            self._most = min(2 * self._most, claims.MOST)
        return handled

    def _send_all(self, claimed: list[QueuedMessage], lease: int, end: float) -> int:
        """Sends claimed messages in order, and returns the number of messages handled.

        Begins no further message after the monotonic time `end`. If sending stops early, releases
        the remaining messages.
        """
        for at, row in enumerate(claimed):
            if at and time.monotonic() > end:
                claims.give_back(self.db, claimed[at:], lease, self.quotas.uncount)
                self._settle()
                return at
            rendered = self._rendered(row, lease)
            if rendered is None:
                continue
            is_free = self._sender is not None and self._sender.is_free()
            if not is_free and not self._stopping():
                self._replace_sender()
            if self._sender is None or self._stopping() or not claims.begins(lease):
                claims.give_back(self.db, claimed[at:], lease, self.quotas.uncount)
                return at
            self._sender.send(row, rendered, lease)
        self._settle()
        return len(claimed)

    def _replace_sender(self) -> None:
        """Ends the sender, if any, after its current message. Starts a new sender, unless
        MOST_SENDERS senders are still running."""
        if self._sender is not None:
            self._sender.end()
            self._sender = None
        if self._waiting() < MOST_SENDERS:
            self._sender = Sender(self.db, self.mailer, self.quotas, self._stopping)
            self._senders.append(self._sender)

    def _settle(self) -> None:
        if self._sender is None:
            return
        if self._sender.is_free():
            self._sender.settle(_ENDING)
        else:
            self._sender.end()
            self._sender = None

    def _end_sender(self) -> None:
        sender, self._sender = self._sender, None
        if sender is not None:
            sender.end()
            if sender.is_free():
                sender.join(_ENDING)

    def _rendered(self, row: QueuedMessage, lease: int) -> RenderedMessage | None:
        """Renders a message. Returns None if the message is obsolete or cannot be rendered.
        Retries while the database does not answer."""
        while True:
            try:
                return self._renderer.render(row)
            except NotNeeded as ex:
                self._give_up(row, lease, str(ex))
                return None
            except NO_ANSWER as ex:
                if self._stopping() or not claims.begins(lease):
                    raise
                logger.warning("message %d: %s", row.id, outage(self.db, ex))
            except Exception as ex:  # a message that fails must not delay other messages
                logger.exception("message %d, %s", row.id, row.genre)
                claims.mark_failed(self.db, row, lease, reason(ex))
                return None
            forget(self.db)
            time.sleep(DOWN)

    def _give_up(self, row: QueuedMessage, lease: int, reason: str) -> None:
        """Abandons an obsolete message. Releases a reminder instead if its closure was removed
        meanwhile, because `reminders.queue_again` had found only reminders abandoned before."""

        def work() -> bool:
            if reason == CLOSED and not self._renderer.is_closed(row):
                return False
            claims.mark_not_needed(self.db, row, lease, reason)
            return True

        if transaction(self.db, work):
            self.db.counters.count(ATTEMPTS, "not_needed")
        else:
            claims.give_back(self.db, [row], lease, self.quotas.uncount)
