"""Queues the notifications about a change of a booking."""

from typing import Any

from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar.terms import BusinessTerms
from reservation.domain.outbox import outbox, reminders
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER
from reservation.errors import Fault, InvalidInput
from reservation.storage.database import Database

# Columns of `reservation`. Only a change of one of these columns is notified.
_NOTIFIED = ("statut", "debut", "fin", "ressource_id", "places")
NO_NOTIFICATION = Fault("no_notification", "is only allowed if the change notifies the customer")


def of_change(
    db: Database, asking: Account, before: ReservationRecord, changes: dict[str, Any],
    entreprise: BusinessTerms, side: str, now: int, message: str,
) -> None:
    """Queues the notifications about a change of a booking, and replaces the booking's reminder.

    `side` is the side of the caller `asking`: CUSTOMER, OWNER or STAFF. `message` is a text for
    the customer, or "". Raises InvalidInput if there is a text, but the change does not notify the
    customer.
    """
    after = before._replace(**{name: changes[name] for name in _NOTIFIED if name in changes})
    notifies = after != before
    if asking.id == before.titulaire_id:
        side = CUSTOMER  # even if the caller also acts for the business
    customer, business = _kinds(before.statut, after.statut, side) if notifies else ("", "")
    if asking.id == entreprise.proprietaire_id:
        business = ""
    if message and not (customer and after.fin > now):
        raise InvalidInput({"message": NO_NOTIFICATION})
    if not notifies:
        return
    reminders.drop(db, before.id)
    after = after._replace(version=before.version + 1)
    reminder = entreprise.rappel_heures if after.statut == "confirmee" else 0
    outbox.tell(
        db, after, now, customer=customer, business=business, reminder=reminder,
        message=message,
    )


def _kinds(before: str, after: str, side: str) -> tuple[str, str]:
    """Returns the kinds of the messages to the customer and to the business, or "" for no message.

    Call only if the state, the time, the person or the places have changed. The business is
    notified only of changes by the customer.
    """
    if after == before:
        return "deplacee", "deplacement" if side == CUSTOMER else ""
    if after == "demandee":
        return "demandee", "a_valider"
    if after == "annulee":
        return ("annulee", "annulation") if side == CUSTOMER else ("annulee_entreprise", "")
    return {"confirmee": "approuvee", "refusee": "refusee"}.get(after, ""), ""
