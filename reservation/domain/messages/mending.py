"""Makes due what a clock that ran ahead has put off.

A message is due at a time of the wall clock. If that ran a day ahead and comes back, whatever
was queued, put off or claimed meanwhile lies a day ahead too. Only reminders may lie further
ahead than the pause after their last attempt.
"""

import logging
import time
from collections.abc import Callable

from reservation.domain.messages import claims, outbox
from reservation.storage.database import Database, transaction

logger = logging.getLogger("reservation")

STEP = 10.0  # seconds by which the clock falls back, to be noticed
SETTLED = 10.0  # seconds after which no request that began before the step still writes
INTERVAL = 600.0  # seconds between two looks at all messages
CLAIMS = 10.0  # seconds between two looks at the claims
# Seconds for which a claim that lies too far ahead is left alone: a worker that lives renews it
# or is done with it in less.
GRACE = 30.0
MOST = 500  # rows of one look
SLACK = claims.MINUTE  # seconds by which the clocks of two machines may differ

_ALLOWED = " ".join(f"WHEN {essais} THEN {s}" for essais, s in enumerate(claims.PAUSES, 1))
_LATE = (
    "SELECT id FROM eventemail WHERE statut = 'attente' AND prochain_essai > ?"
    f" AND prochain_essai > ? + CASE essais WHEN 0 THEN 0 {_ALLOWED} ELSE {claims.PAUSES[-1]} END"
    f" AND (essais > 0 OR genre NOT IN ({', '.join('?' * len(outbox.AHEAD))}))"
    " ORDER BY prochain_essai LIMIT ?"
)
_HASTEN = (
    "UPDATE eventemail SET prochain_essai = ? WHERE statut = 'attente' AND prochain_essai > ?"
    " AND id IN ({})"
)
_CLAIMED = (
    "SELECT id, prochain_essai FROM eventemail WHERE statut = 'envoi' AND prochain_essai > ?"
    " ORDER BY prochain_essai LIMIT ?"
)
_FREE = (
    "UPDATE eventemail SET statut = 'attente', prochain_essai = ?"
    " WHERE statut = 'envoi' AND id = ? AND prochain_essai = ?"
)
Claim = tuple[int, int]  # message and lease


class Mending:
    """Looks at the claims often, because they are few; at all messages when it begins, when it
    sees the clock fall back, and at long intervals, because there may be a million reminders.
    """

    def __init__(
        self,
        db: Database,
        grace: float = GRACE,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.db, self.grace, self._wall, self._steady = db, grace, wall, steady
        self._ahead = wall() - steady()
        self._claims_due = self._messages_due = steady()
        self._seen: dict[Claim, float] = {}  # when each was first seen

    def look(self) -> None:
        """Mend what is to be mended by now; cheap as long as that is nothing."""
        steady, now = self._steady(), int(self._wall())
        if self._fell_back():
            logger.warning("the clock was set back")
            self._messages_due = min(self._messages_due, steady + SETTLED)
        if steady >= self._claims_due:
            self._claims_due = steady + CLAIMS
            self._free_claims(now, steady)
        if steady >= self._messages_due:
            full = self._hasten(now) == MOST
            self._messages_due = steady if full else steady + INTERVAL

    def _fell_back(self) -> bool:
        before, self._ahead = self._ahead, self._wall() - self._steady()
        return self._ahead < before - STEP

    def _hasten(self, now: int) -> int:
        """Returns how many messages are due now that would have been much later."""
        limit = now + SLACK
        # Outside the transaction: it may read a million rows, and would keep others waiting.
        rows = self.db.rows(_LATE, limit, limit, *outbox.AHEAD, MOST)
        if rows:
            marks = ", ".join("?" * len(rows))
            ids = [row[0] for row in rows]
            hasten = _HASTEN.format(marks)
            transaction(self.db, lambda: self.db.write(hasten, now, limit, *ids))
            logger.warning("%d messages that were due too late are due now", len(ids))
        return len(rows)

    def _free_claims(self, now: int, steady: float) -> None:
        found = self.db.rows(_CLAIMED, now + claims.LEASE + SLACK, MOST)
        self._seen = {(id, lease): self._seen.get((id, lease), steady) for id, lease in found}
        old = [claim for claim, since in self._seen.items() if steady - since >= self.grace]
        if old:
            transaction(self.db, lambda: [self.db.write(_FREE, now, *claim) for claim in old])
            logger.warning("%d claims that would have ended too late have ended", len(old))
