"""Claims on messages of the outbox: a conditional UPDATE and a lease.

Any number of workers share the work. What a worker that died had claimed is due again when the
lease ends. Every later change requires that the claim still holds, so nobody marks a message
that another worker has taken over.
"""

import logging
import time
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from reservation.domain.people import resetting
from reservation.metrics import ATTEMPTS
from reservation.storage.database import Database, transaction

logger = logging.getLogger("reservation")

MOST = 50  # messages of one claim
LEASE = 120  # seconds for which a claim holds
MARGIN = 20  # seconds that a claim must still hold when its next message is begun
MINUTE = 60
# Seconds to wait after each failure; after the last one, a day after the first, it is given up.
PAUSES = tuple(MINUTE * m for m in (1, 2, 4, 8, 15, 30, 60, 120, 180, 180, 180, 180, 240, 240))
assert all(a <= b for a, b in pairwise(PAUSES)) and sum(PAUSES) >= 24 * 60 * MINUTE

_EXPIRED = (
    "UPDATE eventemail SET statut = 'attente' WHERE statut = 'envoi' AND prochain_essai <= ?"
)
_DUE = (
    "SELECT id, genre, destinataire, message, reservation_id, debut, fin, sequence, essais,"
    " prochain_essai, cree_le FROM eventemail"
    " WHERE statut = 'attente' AND prochain_essai <= ? ORDER BY prochain_essai, id LIMIT ?"
)
_CLAIM = (
    "UPDATE eventemail SET statut = 'envoi', prochain_essai = ?, essais = essais + 1"
    " WHERE statut = 'attente' AND id IN ({})"
)
_MINE = " WHERE id = ? AND statut = 'envoi' AND prochain_essai = ?"
_RENEW = "UPDATE eventemail SET prochain_essai = ?" + _MINE
_SENT = (
    "UPDATE eventemail SET statut = 'envoye', envoye_le = ?, sujet = ?, corps = ?,"
    f" piece_jointe = ?, derniere_erreur = NULL{_MINE}"
)
_UNSENT = (
    "UPDATE eventemail SET statut = ?, prochain_essai = ?, derniere_erreur = ?" + _MINE
)
_UNTRIED = (
    "UPDATE eventemail SET statut = 'attente', prochain_essai = ?, essais = essais - 1" + _MINE
)
_DELETE = "DELETE FROM eventemail" + _MINE


class Queued(NamedTuple):
    """A row of the outbox that this worker has claimed, as it was before."""

    id: int
    genre: str
    destinataire: str
    message: str | None
    reservation_id: int | None
    debut: int
    fin: int
    sequence: int
    essais: int
    prochain_essai: int
    cree_le: int


class Kept(NamedTuple):
    """What is stored of a message once it is sent."""

    subject: str
    text: str
    calendar: str | None


def take(db: Database, due: int, lease: int) -> list[Queued]:
    """Claims until `lease` what was due by `due`, the longest due first, MOST at a time."""

    def claim() -> list[Queued]:
        db.write(_EXPIRED, due)
        rows = [Queued(*row) for row in db.rows(_DUE + db.FOR_UPDATE, due, MOST)]
        if rows:
            marks = ", ".join("?" * len(rows))
            db.write(_CLAIM.format(marks), lease, *(row.id for row in rows))
        return rows

    return transaction(db, claim)


def begins(lease: int) -> bool:
    """Whether another message of a claim may be begun: not near its end, nor once the clock
    has fallen back to before the claim."""
    return lease - LEASE - 1 <= time.time() <= lease - MARGIN


def renew(db: Database, row: Queued, lease: int) -> int:
    """Makes the claim of a message hold for LEASE from now. Returns its lease, the old one if
    another worker has taken the message over."""
    new = int(time.time()) + LEASE
    return new if _write(db, _RENEW, new, row.id, lease) else lease


def give_back(db: Database, rows: list[Queued], lease: int) -> None:
    """Undoes a claim for messages that were not tried."""
    for row in rows:
        _write(db, _UNTRIED, row.prochain_essai, row.id, lease)


def mark_sent(db: Database, row: Queued, lease: int, kept: Kept) -> None:
    _write(db, _SENT, int(time.time()), *kept, row.id, lease)
    db.counters.count(ATTEMPTS, "sent")
    logger.info("message %d, %s: sent", row.id, row.genre)


def mark_failed(db: Database, row: Queued, lease: int, reason: str) -> None:
    """Puts the message off until its next attempt, or gives it up."""
    given_up = row.essais >= len(PAUSES)
    statut = "abandonne" if given_up else "attente"
    again = int(time.time()) + (0 if given_up else PAUSES[row.essais])
    _write(db, _UNSENT, statut, again, reason, row.id, lease)
    db.counters.count(ATTEMPTS, "given_up" if given_up else "postponed")
    outcome = "given up" if given_up else "not sent"
    logger.warning("message %d, %s: %s: %s", row.id, row.genre, outcome, reason)


def mark_not_needed(db: Database, row: Queued, lease: int, reason: str) -> None:
    """Abandons the message; deletes it if anybody can queue any number of its kind."""
    if row.genre == resetting.GENRE:
        _write(db, _DELETE, row.id, lease)
    else:
        _write(db, _UNSENT, "abandonne", int(time.time()), reason, row.id, lease)
    db.counters.count(ATTEMPTS, "not_needed")


def _write(db: Database, sql: str, *values: object) -> int:
    """Returns the number of rows that were changed."""
    return int(transaction(db, partial(db.write, sql, *values)).rowcount)
