"""Adds, replans and deletes the reminders of existing bookings."""

from reservation.domain.outbox import outbox
from reservation.storage.database import Database

_UNSENT = f"genre = 'rappel' AND statut IN ('attente', '{outbox.HELD}')"
_DELETE = f"DELETE FROM eventemail WHERE {{}} = ? AND {_UNSENT}"
_REPLAN = (
    "UPDATE eventemail SET prochain_essai = debut - ?"
    f" WHERE entreprise_id = ? AND {_UNSENT} AND essais = 0 AND debut - ? >= ?"
)
# A reminder that is queued again goes to the customer's present address.
_PRESENT = outbox.PRESENT_ADDRESS.format("eventemail")
_QUEUE_AGAIN = (
    "UPDATE eventemail SET statut = 'attente', prochain_essai = ?, derniere_erreur = NULL,"
    f" destinataire = {_PRESENT} WHERE entreprise_id = ? AND statut = 'abandonne'"
    f" AND derniere_erreur = '{outbox.CLOSED}' AND genre = 'rappel' AND debut > ?"
    f" AND {_PRESENT} <> ''"
)
_DUE = f"r.debut - e.rappel_heures * {outbox.HOUR}"
_ADD = outbox.INTO + outbox.select_from(
    "reservation r JOIN client c ON c.id = r.client_id"
    " JOIN entreprise e ON e.id = r.entreprise_id"
    " WHERE {} = ? AND r.statut = 'confirmee' AND r.debut > ? AND c.email <> ''"
    f" AND e.rappel_heures > 0 AND {_DUE} >= ? AND NOT EXISTS"
    " (SELECT m.id FROM eventemail m WHERE m.reservation_id = r.id AND m.genre = 'rappel'"
    " AND m.debut = r.debut)",  # the visit may have been moved after its reminder was sent
    **outbox.OF_BOOKING,
    genre="'rappel'",
    prochain_essai=_DUE,
    destinataire="c.email",
)


def drop(db: Database, reservation_id: int) -> None:
    db.write(_DELETE.format("reservation_id"), reservation_id)


def add_for_customer(db: Database, client_id: int, now: int) -> None:
    """Queues the reminders that are missing, for example because the customer had no address."""
    db.write(_ADD.format("r.client_id"), now, client_id, now, now)


def queue_again(db: Database, entreprise_id: int, hours: int, now: int) -> None:
    """Queues the reminders that were abandoned because of a closure. Does nothing if `hours` is 0,
    because the business then sends no reminders. Call after a closure is changed or removed. The
    worker abandons a reminder again if a closure still covers the visit.
    """
    if hours:
        db.write(_QUEUE_AGAIN, now, entreprise_id, now)


def replan(db: Database, entreprise_id: int, hours: int, now: int) -> None:
    """Changes the reminders of a business after a change of `rappel_heures` to `hours`. Call
    within the transaction of this change.

    A reminder keeps its old time if its new time would be in the past.
    """
    if hours == 0:
        db.write(_DELETE.format("entreprise_id"), entreprise_id)
        return
    db.write(_REPLAN, hours * outbox.HOUR, entreprise_id, hours * outbox.HOUR, now)
    db.write(_ADD.format("r.entreprise_id"), now, entreprise_id, now, now)
