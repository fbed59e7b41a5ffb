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
from reservation.errors import DatabaseUnavailable
from reservation.storage.database import UNAVAILABLE, Database, forget

logger = logging.getLogger("reservation")

ROUNDS = 200  # maximum number of claims per call of `deliver`, to let the worker do other tasks
MOST_SENDERS = 20
_ENDING = 2.0  # seconds to wait for a sender to mark its last message, or for its thread to end


class Delivery:
    def __init__(
        self, db: Database, mailer: Mailer, templates: Templates, sender: str, public_url: str,
        secret: str, quotas: Quotas = OPEN,
    ) -> None:
        self.db, self.mailer, self.quotas = db, mailer, quotas
        self._renderer = Renderer(db, templates, sender, public_url, secret)
        self._sender: Sender | None = None
        self._senders: list[Sender] = []

    def deliver(self, stopping: Callable[[], bool] = lambda: False) -> int:
        """Sends the messages that are due now. Returns the number of messages handled.

        Stops early if `stopping` returns True, if the clock is set back, or if MOST_SENDERS
        senders are still running.
        """
        due, tried = int(time.time()), 0
        try:
            for _ in range(ROUNDS):
                fell_back = time.time() < due - 1
                if stopping() or fell_back or self._waiting() >= MOST_SENDERS:
                    break
                lease = int(time.time()) + claims.LEASE
                claimed = claims.take(self.db, due, lease, self.quotas.exceeded)
                if not claimed:
                    break
                tried += self._send_all(claimed, lease, stopping)
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

    def _send_all(
        self, claimed: list[QueuedMessage], lease: int, stopping: Callable[[], bool]
    ) -> int:
        """Sends claimed messages in order, and returns the number of messages handled.

        If sending stops early, releases the remaining messages.
        """
        for at, row in enumerate(claimed):
            rendered = self._rendered(row, lease, stopping)
            is_free = self._sender is not None and self._sender.is_free()
            if not is_free and not stopping():
                self._sender = self._new_sender(self._sender, stopping)
            if self._sender is None or stopping() or not claims.begins(lease):
                claims.give_back(self.db, claimed[at:], lease, self.quotas.uncount)
                return at
            if rendered is not None:
                self._sender.send(row, rendered, lease)
        self._settle()
        return len(claimed)

    def _new_sender(self, left: Sender | None, stopping: Callable[[], bool]) -> Sender | None:
        """Ends the sender `left` after its current message, and returns a new sender.

        Returns None if MOST_SENDERS senders are still running.
        """
        if left is not None:
            left.end()
        if self._waiting() >= MOST_SENDERS:
            return None
        self._senders.append(Sender(self.db, self.mailer, self.quotas, stopping))
        return self._senders[-1]

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

    def _rendered(
        self, row: QueuedMessage, lease: int, stopping: Callable[[], bool]
    ) -> RenderedMessage | None:
        """Renders a message. Returns None if the message is obsolete or cannot be rendered.
        Retries while the database does not answer."""
        while True:
            try:
                return self._renderer.render(row)
            except NotNeeded as ex:
                claims.mark_not_needed(self.db, row, lease, str(ex))
                return None
            except (DatabaseUnavailable, *UNAVAILABLE) as ex:
                if stopping() or not claims.begins(lease):
                    raise
                logger.warning("message %d: the database does not answer: %s", row.id, ex)
            except Exception as ex:  # a message that fails must not delay the others
                logger.exception("message %d, %s", row.id, row.genre)
                claims.mark_failed(self.db, row, lease, reason(ex))
                return None
            forget(self.db)
            time.sleep(DOWN)
