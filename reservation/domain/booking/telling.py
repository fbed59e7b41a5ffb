"""Who is told of the change of a reservation, and what."""

from typing import Any

from reservation.domain.booking.reservations import Listed
from reservation.domain.calendar.terms import Terms
from reservation.domain.messages import outbox
from reservation.domain.states import CUSTOMER
from reservation.errors import Fault, InvalidInput
from reservation.storage.database import Database

NO_NOTIFICATION = Fault("no_notification", "requires a change that notifies the customer")


def of_change(
    db: Database,
    before: Listed,
    changes: dict[str, Any],
    entreprise: Terms,
    side: str,
    now: int,
    message: str,
) -> None:
    """Queues what a change means to both sides; a reminder goes with its visit.

    Raises InvalidInput for a message of the owner if the customer is not written to.
    """
    debut, fin = changes.get("debut", before.debut), changes.get("fin", before.fin)
    statut, moved = changes["statut"], (debut, fin) != (before.debut, before.fin)
    told = statut != before.statut or moved
    customer, business = _kinds(before.statut, statut, side) if told else ("", "")
    if message and not customer:
        raise InvalidInput({"message": NO_NOTIFICATION})
    if not told:
        return
    outbox.drop_reminder(db, before.id)
    outbox.tell(
        db,
        outbox.Visit(
            before.id, before.utilisateur_id, entreprise.id, debut, fin, before.version
        ),
        now,
        customer=customer,
        business=business,
        reminder=entreprise.rappel_heures if statut == "confirmee" else 0,
        message=message,
    )


def _kinds(before: str, after: str, side: str) -> tuple[str, str]:
    """Returns the kinds of the messages to the customer and to the business.

    Actors are not notified of their own actions, except customers, who get a written
    confirmation.
    """
    if after == before:
        return "deplacee", "deplacement" if side == CUSTOMER else ""
    if after == "annulee":
        return ("annulee", "annulation") if side == CUSTOMER else ("annulee_entreprise", "")
    return {"confirmee": "approuvee", "refusee": "refusee"}.get(after, ""), ""
