"""Replaces the address of a customer in queued messages."""

from reservation.domain.outbox import reminders
from reservation.domain.outbox.outbox import HELD, NO_ADDRESS, QUEUED, TO_CUSTOMER
from reservation.lib.instants import DAY
from reservation.storage.database import Database, marks

# Seconds after the start of a visit. After that, a message about the visit keeps its address, and
# is not sent for the first time.
LATEST = DAY
_QUEUED = (
    "SELECT m.id FROM reservation r JOIN eventemail m ON m.reservation_id = r.id"
    f" WHERE r.client_id = ? AND r.debut > ? AND m.destinataire = ? AND m.genre IN {TO_CUSTOMER}"
    f" AND m.statut IN {(*QUEUED, HELD)}"
)
_READDRESS = "UPDATE eventemail SET destinataire = ? WHERE id IN ({})"
_FORGET = "DELETE FROM eventemail WHERE genre = 'rappel' AND id IN ({})"
_ABANDON = (
    "UPDATE eventemail SET destinataire = '', statut = 'abandonne',"
    f" derniere_erreur = '{NO_ADDRESS}' WHERE id IN ({{}})"
)


def readdress(db: Database, now: int, client_id: int, before: str, after: str) -> None:
    """Replaces the address `before` with `after` in the queued messages to a customer.

    If `after` is empty, deletes the queued reminders, and marks the other messages as abandoned.
    If `before` is empty, queues the reminders that are missing because the customer had no
    address. Call within a transaction, after the customer record has been changed.

    Includes messages that are being sent: if sending fails, the next attempt is to `after`.
    """
    if before == after:
        return
    if not before:
        reminders.add_for_customer(db, client_id, now)
        return
    ids = [id for (id,) in db.rows(_QUEUED, client_id, now - LATEST, before)]
    if ids and after:
        db.write(_READDRESS.format(marks(ids)), after, *ids)
    elif ids:
        db.write(_FORGET.format(marks(ids)), *ids)
        db.write(_ABANDON.format(marks(ids)), *ids)
