"""Claims messages of the outbox, so that only one worker sends each message.

After the lease ends, another worker can claim the messages, even if the first worker still runs.
So each UPDATE of a claimed message checks that the worker still has the claim.
"""

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from reservation.domain.messages import visits
from reservation.domain.messages.messages import SECRETS
from reservation.domain.outbox.outbox import NO_TEXTS, SentContent
from reservation.domain.people import email_change
from reservation.metrics import ATTEMPTS
from reservation.storage import records
from reservation.storage.database import Database, marks, transaction
from reservation.storage.models import EventEmail

logger = logging.getLogger("reservation")

MOST = 50  # maximum number of messages per claim
LEASE = 120  # seconds
MARGIN = 20  # seconds that must be left in a lease when a worker begins to send
MINUTE = 60
# Seconds to wait after each failure, one day in total.
PAUSES = tuple(MINUTE * m for m in (1, 2, 4, 8, 15, 30, 60, 120, 180, 180, 180, 180, 240, 240))


class QueuedMessage(NamedTuple):
    """`essais` and `prochain_essai` have the values that they had before the claim."""

    id: int
    genre: str
    destinataire: str
    message: str | None
    reservation_id: int | None
    entreprise_id: int | None
    debut: int
    fin: int
    sequence: int
    essais: int
    prochain_essai: int
    envoye_le: int | None
    cree_le: int


Exceeding = Callable[[Database, Sequence[QueuedMessage], int], dict[int, str]]


# Plain SQL instead of Peewee, for speed: each message needs several of these statements.
_EXPIRED = (
    "UPDATE eventemail SET statut = 'attente' WHERE statut = 'envoi' AND prochain_essai <= ?"
)
# Codes and links belong to no business. A person waits for each code or link, so these messages
# go first.
_URGENT = (
    f"SELECT {records.columns(QueuedMessage)} FROM eventemail {{}} WHERE entreprise_id IS NULL"
    " AND statut = 'attente' AND prochain_essai <= ? ORDER BY prochain_essai, id LIMIT ?"
)
_DUE = (
    f"SELECT {records.columns(QueuedMessage)} FROM eventemail"
    " WHERE statut = 'attente' AND prochain_essai <= ? ORDER BY prochain_essai, id LIMIT ?"
)
_CLAIM = (
    "UPDATE eventemail SET statut = 'envoi', prochain_essai = ?, essais = essais + 1"
    " WHERE statut = 'attente' AND id IN ({})"
)
_HOLD = "UPDATE eventemail SET statut = 'retenu', derniere_erreur = ? WHERE id IN ({})"
_MINE = " WHERE id = ? AND statut = 'envoi' AND prochain_essai = ?"


def take(
    db: Database, due: int, lease: int, exceeding: Exceeding = lambda _db, _rows, _now: {},
    most: int = MOST,
) -> list[QueuedMessage] | None:
    """Claims at most `most` messages with a due time of `due` or before, the earliest first. But
    if any codes or links are due by the current time, claims only these (see _URGENT).

    The claim lasts until `lease` (Unix seconds). `exceeding` returns {message id: reason} for the
    messages to hold; the reason "" leaves a message to the next call. Returns None if nothing is
    due, and an empty list if no due message was claimed. The next call may then claim some.
    """
    urgent = _URGENT.format(db.BY_INDEX.format("eventemail_entreprise_statut")) + db.FOR_UPDATE

    def claim() -> list[QueuedMessage] | None:
        db.write(_EXPIRED, due)
        found = db.rows(urgent, int(time.time()), most)
        found = found or db.rows(_DUE + db.FOR_UPDATE, due, most)
        rows = [QueuedMessage(*row) for row in found]
        if not rows:
            return None
        held = exceeding(db, rows, due)
        for reason in sorted(set(held.values()) - {""}):
            ids = [id for id in held if held[id] == reason]
            db.write(_HOLD.format(marks(ids)), reason, *ids)
        rows = [row for row in rows if row.id not in held]
        if rows:
            db.write(_CLAIM.format(marks(rows)), lease, *(row.id for row in rows))
        return rows

    return transaction(db, claim)


def begins(lease: int) -> bool:
    """Returns whether there is enough time left to send a message before the lease ends.

    Returns False if the clock was set back to a time before the claim.
    """
    return lease - LEASE - 1 <= time.time() <= lease - MARGIN


def renew(db: Database, row: QueuedMessage, lease: int) -> int:
    """Extends the lease of a message. Returns the new end, or the old end `lease` if another
    worker has taken over the message."""
    new = int(time.time()) + LEASE
    return new if _update(db, row, lease, prochain_essai=new) else lease


def give_back(
    db: Database, rows: list[QueuedMessage], lease: int,
    uncount: Callable[[Database, QueuedMessage], None],
) -> None:
    """Releases messages that this worker claimed but did not try to send. `uncount` removes a
    released message from the quotas."""

    def work(row: QueuedMessage) -> None:
        before = {"prochain_essai": row.prochain_essai, "essais": row.essais}
        if _changed(db, row, lease, statut="attente", **before):
            uncount(db, row)

    for row in rows:
        transaction(db, partial(work, row))


def mark_sent(
    db: Database, row: QueuedMessage, lease: int, content: SentContent, erased: bool = False
) -> None:
    """Marks a message as sent, and stores its content. Stores no texts if a person was erased
    since the rendering. For `erased`, see `RenderedMessage`.

    Deletes a notice of an address change instead: a later erasure would not find the notice.
    """
    sent = {"statut": "envoye", "envoye_le": int(time.time()), "derniere_erreur": None}
    sent["destinataire"] = row.destinataire  # may have been replaced meanwhile

    def work() -> None:
        changed = _changed(db, row, lease, **sent, **content._asdict())
        # Look after the UPDATE, which waits for an erasure that has locked the message.
        if changed and not erased and visits.is_erased(db, row.reservation_id):
            EventEmail.update(NO_TEXTS).where(EventEmail.id == row.id).execute(db)

    if row.genre == email_change.GENRE:
        _delete(db, row, lease)
    else:
        transaction(db, work)
    db.counters.count(ATTEMPTS, "sent")
    logger.info("message %d, %s: sent", row.id, row.genre)


def mark_failed(db: Database, row: QueuedMessage, lease: int, reason: str) -> None:
    """Schedules the next attempt, or abandons the message after the last attempt."""
    given_up = row.essais >= len(PAUSES)
    statut = "abandonne" if given_up else "attente"
    again = int(time.time()) + (0 if given_up else PAUSES[row.essais])
    _update(db, row, lease, statut=statut, prochain_essai=again, derniere_erreur=reason)
    db.counters.count(ATTEMPTS, "given_up" if given_up else "postponed")
    outcome = "given up" if given_up else "not sent"
    logger.warning("message %d, %s: %s: %s", row.id, row.genre, outcome, reason)


def mark_not_needed(db: Database, row: QueuedMessage, lease: int, reason: str) -> None:
    """Abandons an obsolete message. Call within a transaction.

    Deletes the message instead if it has a reset link or a code, because anyone could fill the
    outbox with such messages.
    """
    if row.genre in SECRETS:
        _delete(db, row, lease)
    else:
        now = int(time.time())
        _update(db, row, lease, statut="abandonne", prochain_essai=now, derniere_erreur=reason)


def _delete(db: Database, row: QueuedMessage, lease: int) -> None:
    transaction(db, lambda: db.write(f"DELETE FROM eventemail{_MINE}", row.id, lease))


def _update(db: Database, row: QueuedMessage, lease: int, **changes: object) -> int:
    return transaction(db, lambda: _changed(db, row, lease, **changes))


def _changed(db: Database, row: QueuedMessage, lease: int, **changes: object) -> int:
    sql = f"UPDATE eventemail SET {' = ?, '.join(changes)} = ?{_MINE}"
    return int(db.write(sql, *changes.values(), row.id, lease).rowcount)
