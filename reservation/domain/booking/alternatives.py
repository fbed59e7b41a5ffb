"""Free starts near a time that is unavailable."""

from reservation.domain.budget import Budget
from reservation.domain.calendar import finding, performers
from reservation.domain.calendar.terms import Visit, terms
from reservation.errors import NotFound, SlotTaken
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Prestation


def add(
    db: Database, refusal: SlotTaken, prestation_id: int, places: int, wanted: int, now: int
) -> None:
    """Adds the free starts of a service nearest to `wanted`, and their time zone.

    Raises NotFound if there is no such service.
    """
    prestation = records.find(db, Prestation, prestation_id)
    if prestation is None:
        raise NotFound()
    # The refusal may come from a calendar that has just changed, so its terms are read again.
    entreprise, _ = terms(db, prestation.entreprise_id, prestation_id)
    who = performers.of_service(db, entreprise.id, prestation)
    visit = Visit.of(prestation, places, who)
    refusal.alternatives = finding.nearest(db, entreprise, visit, wanted, now, Budget())
    refusal.fuseau = entreprise.fuseau
