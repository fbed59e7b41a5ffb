"""Corrects the due times of messages after the clock was set back.

A clock that is a day ahead causes due times and ends of leases that are a day too late. After the
clock is set back, messages with these times would wait for a day. A due time is wrong if it is
later than now plus the pause after the last attempt. Only a reminder that was never tried may be
due later.
"""

import logging
import time
from collections.abc import Callable

from reservation.domain.messages import claims, outbox
from reservation.storage.database import Database, marks, transaction

logger = logging.getLogger("reservation")

STEP = 10.0  # seconds; a smaller step of the clock is ignored
SETTLED = 10.0  # seconds from a step of the clock to the check; requests in progress end first
INTERVAL = 600.0  # seconds between two checks of all messages
CLAIMS = 10.0  # seconds between two checks of the claims
GRACE = 30.0  # seconds; a running worker renews or ends each of its claims in this time
MOST = 500  # upper bound of the rows that one check finds
SLACK = claims.MINUTE  # seconds by which the clocks of two machines may differ

_ALLOWED = " ".join(f"WHEN {essais} THEN {s}" for essais, s in enumerate(claims.PAUSES, 1))
# Plain SQL instead of Peewee, for speed: the query may read a million reminders.
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
Claim = tuple[int, int]  # id of the message, and end of the lease


class Mending:
    """Looks for claims that end too late, every CLAIMS seconds. Looks for messages with a wrong
    due time at the start, after the clock was set back, and every INTERVAL seconds."""

    def __init__(
        self, db: Database, grace: float = GRACE, wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.db, self.grace, self._wall, self._steady = db, grace, wall, steady
        self._ahead = wall() - steady()
        self._claims_due = self._messages_due = steady()
        self._seen: dict[Claim, float] = {}  # when each claim that ends too late was first found

    def look(self) -> None:
        """Runs the checks that are due."""
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
        """Finds up to MOST messages with a wrong due time, makes them due now, and returns their
        number."""
        limit = now + SLACK
        # This query may read a million rows. It runs before the transaction, which must be short.
        rows = self.db.rows(_LATE, limit, limit, *outbox.AHEAD, MOST)
        if rows:
            ids = [row[0] for row in rows]
            hasten = _HASTEN.format(marks(ids))
            transaction(self.db, lambda: self.db.write(hasten, now, limit, *ids))
            logger.warning("%d messages were due too late and are due now", len(ids))
        return len(rows)

    def _free_claims(self, now: int, steady: float) -> None:
        """Finds the claims that end too late. Releases each of these claims that was already found
        `self.grace` seconds ago or earlier. A running worker would have renewed or ended the claim
        by now. `steady` is the present time of a clock that is never set back."""
        found = self.db.rows(_CLAIMED, now + claims.LEASE + SLACK, MOST)
        self._seen = {(id, lease): self._seen.get((id, lease), steady) for id, lease in found}
        old = [claim for claim, since in self._seen.items() if steady - since >= self.grace]
        if old:
            transaction(self.db, lambda: [self.db.write(_FREE, now, *claim) for claim in old])
            logger.warning("%d claims would have ended too late and are released", len(old))
