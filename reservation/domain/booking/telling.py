"""Queues the notifications about a change of a booking."""

from typing import Any

from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar.terms import BusinessTerms
from reservation.domain.outbox import outbox
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER
from reservation.errors import Fault, InvalidInput
from reservation.storage.database import Database

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
    debut, fin = changes.get("debut", before.debut), changes.get("fin", before.fin)
    person = changes.get("ressource_id", before.ressource_id)
    places = changes.get("places", before.places)
    statut = changes["statut"]
    was = before.debut, before.fin, before.ressource_id, before.places
    moved = (debut, fin, person, places) != was
    notifies = statut != before.statut or moved
    tells = notifies and fin > now  # nobody needs a message about a visit that is over
    if asking.id == before.titulaire_id:
        side = CUSTOMER  # even if the caller also acts for the business
    customer, business = _kinds(before.statut, statut, side) if tells else ("", "")
    if asking.id == entreprise.proprietaire_id:
        business = ""
    if message and not customer:
        raise InvalidInput({"message": NO_NOTIFICATION})
    if not notifies:
        return
    outbox.drop_reminder(db, before.id)
    after = before._replace(debut=debut, fin=fin, ressource_id=person, version=before.version + 1)
    reminder = entreprise.rappel_heures if statut == "confirmee" else 0
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
