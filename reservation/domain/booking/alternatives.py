"""Free starts near a time that is unavailable."""

from typing import NamedTuple

from reservation.conflicts import SlotTaken
from reservation.domain.budget import Budget
from reservation.domain.calendar import finding, performers
from reservation.domain.calendar.terms import Visit, terms
from reservation.errors import NotFound
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Prestation


class Asked(NamedTuple):
    """What was asked for: a service for so many places at the instant `debut`."""

    prestation_id: int
    places: int
    debut: int


def add(
    db: Database, refusal: SlotTaken, asked: Asked, ressource_id: int | None, now: int
) -> None:
    """Adds the free starts of a service nearest to the wanted start, and their time zone.

    If a person was asked for, these are starts of this person, and the wanted start with somebody
    else. Raises NotFound if there is no such service.
    """
    prestation = records.find(db, Prestation, asked.prestation_id)
    if prestation is None:
        raise NotFound()
    # The refusal may come from a calendar that has just changed, so its terms are read again.
    entreprise, _ = terms(db, prestation.entreprise_id, asked.prestation_id)
    who = performers.of_service(db, entreprise.id, prestation)
    visit = Visit.of(prestation, asked.places, who)
    refusal.fuseau = entreprise.fuseau
    refusal.alternatives = finding.nearest(
        db, entreprise, visit, asked.debut, now, Budget(), ressource_id
    )
