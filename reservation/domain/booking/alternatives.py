"""Finds free start times near an unavailable time."""

from typing import NamedTuple

from reservation.conflicts import SlotTaken
from reservation.domain.budget import Budget
from reservation.domain.calendar import finding, performers
from reservation.domain.calendar.stored_slots import Holds
from reservation.domain.calendar.terms import Visit, terms
from reservation.domain.people.sessions import Account
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Prestation


class Asked(NamedTuple):
    """A request for a visit at an unavailable time. `old` has the holds of a booking to move. `by`
    is the account that asks for the business, or None if the customer asks."""

    prestation_id: int
    places: int
    debut: int
    by: Account | None = None
    old: Holds = ()


def add(
    db: Database, refusal: SlotTaken, asked: Asked, ressource_id: int | None, now: int
) -> None:
    """Adds to `refusal` the free start times nearest to the requested start.

    The minimum notice does not apply to a business. An account that runs the calendar of a person
    gets only times of this person. `ressource_id` is the preferred person, if any. Raises NotFound
    if the service does not exist.
    """
    prestation = records.get(db, Prestation, asked.prestation_id)
    entreprise, _ = terms(db, prestation.entreprise_id, asked.prestation_id)
    who = performers.of_service(db, entreprise.id, prestation)
    visit = Visit.of(prestation, asked.places, who, asked.old)
    if asked.by is not None:
        entreprise = entreprise.without_notice()
        if not asked.by.acts_for(entreprise.proprietaire_id):
            own = who.of_account(asked.by.id)
            visit = visit._replace(persons=tuple(one for one in visit.persons if one == own))
    refusal.fuseau = entreprise.fuseau
    refusal.alternatives = finding.nearest(
        db, entreprise, visit, asked.debut, now, Budget(), ressource_id
    )
