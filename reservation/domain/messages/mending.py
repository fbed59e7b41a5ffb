"""Corrects the due times of messages after the clock was set back.

A new message is due at once, unless it is a reminder. After a failed attempt, the message is due
again after a pause (see `claims.PAUSES`). If a due time is later than these rules allow, the clock
was wrong.
"""

import logging
import time
from collections.abc import Callable

from reservation.domain.messages import claims
from reservation.storage.database import Database, marks, transaction

logger = logging.getLogger("reservation")

STEP = 10.0  # seconds; smaller changes of the clock are ignored
# Seconds from a change of the clock to the check of messages. Meanwhile, requests may still store
# messages with due times of the old clock.
SETTLED = 10.0
INTERVAL = 600.0  # seconds between two checks of all messages
CLAIMS = 10.0  # seconds between two checks of claims
GRACE = 30.0  # seconds; a running worker renews or ends each of its claims within this time
MOST = 500  # maximum number of rows per check
SLACK = claims.MINUTE  # seconds by which the clocks of two machines may differ

_ALLOWED = " ".join(f"WHEN {essais} THEN {s}" for essais, s in enumerate(claims.PAUSES, 1))
# Plain SQL instead of Peewee, for speed: the query may read a million reminders.
_LATE = (
    "SELECT id FROM eventemail WHERE statut = 'attente' AND prochain_essai > ?"
    f" AND prochain_essai > ? + CASE essais WHEN 0 THEN 0 {_ALLOWED} ELSE {claims.PAUSES[-1]} END"
    " AND (essais > 0 OR genre <> 'rappel')"
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
Claim = tuple[int, int]  # message id, end of the lease


class Mending:
    """Corrects times that were stored while the clock was ahead. Releases claims that end too far
    in the future. Makes messages due now if their due times are too far in the future.

    Checks claims and messages at the start and then regularly. Checks messages also after the
    clock was set back.
    """

    def __init__(
        self, db: Database, grace: float = GRACE, wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.db, self.grace, self._wall, self._steady = db, grace, wall, steady
        self._ahead = wall() - steady()
        self._claims_due = self._messages_due = steady()
        self._seen: dict[Claim, float] = {}  # {claim that ends too late: when the check found it}

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
        limit = now + SLACK
        # Read outside the transaction: the transaction must be short, and the query may read a
        # million rows.
        rows = self.db.rows(_LATE, limit, limit, MOST)
        if rows:
            ids = [row[0] for row in rows]
            hasten = _HASTEN.format(marks(ids))
            transaction(self.db, lambda: self.db.write(hasten, now, limit, *ids))
            logger.warning("%d messages were due too late and are due now", len(ids))
        return len(rows)

    def _free_claims(self, now: int, steady: float) -> None:
        """Releases claims that end later than a new claim would end. Such claims were made before
        the clock was set back.

        Releases a claim only if it stays unchanged for `self.grace` seconds. A running worker
        renews or ends each of its claims within this time.
        """
        found = self.db.rows(_CLAIMED, now + claims.LEASE + SLACK, MOST)
        self._seen = {(id, lease): self._seen.get((id, lease), steady) for id, lease in found}
        old = [claim for claim, since in self._seen.items() if steady - since >= self.grace]
        if old:
            transaction(self.db, lambda: [self.db.write(_FREE, now, *claim) for claim in old])
            logger.warning("%d claims would have ended too late and are released", len(old))
