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
    """The unavailable visit: its service, its number of places and its start."""

    prestation_id: int
    places: int
    debut: int


def add(
    db: Database, refusal: SlotTaken, asked: Asked, ressource_id: int | None, now: int
) -> None:
    """Adds to the refusal the free starts nearest to the wanted start, and their time zone.

    `ressource_id` is the preferred person, or None. Raises NotFound if the service does
    not exist.
    """
    prestation = records.find(db, Prestation, asked.prestation_id)
    if prestation is None:
        raise NotFound()
    # Reads the current terms, because another request may have changed `calendrier_jusqua`, the
    # time up to which the stored calendar is correct.
    entreprise, _ = terms(db, prestation.entreprise_id, asked.prestation_id)
    who = performers.of_service(db, entreprise.id, prestation)
    visit = Visit.of(prestation, asked.places, who)
    refusal.fuseau = entreprise.fuseau
    refusal.alternatives = finding.nearest(
        db, entreprise, visit, asked.debut, now, Budget(), ressource_id
    )
