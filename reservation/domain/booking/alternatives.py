"""Finds free start times near an unavailable time."""

from heapq import nsmallest

from reservation.conflicts import SlotTaken
from reservation.domain.booking import choosing
from reservation.domain.booking.requests import Request
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import finding, performers
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.performers import Performers
from reservation.domain.calendar.terms import Business, BusinessTerms, Visit, terms
from reservation.domain.people.sessions import Account
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Prestation

NEAREST = 3  # maximum number of alternatives to an unavailable time


def terms_of_request(
    db: Database, asking: Account, request: Request, now: int
) -> tuple[BusinessTerms, Visit]:
    """Returns the terms that apply to a request for a booking, and the visit.

    Raises NotFound if the service does not exist.
    """
    prestation = records.get(db, Prestation, request.prestation_id)
    entreprise, _ = terms(db, prestation.entreprise_id, request.prestation_id)
    who = performers.of_service(db, entreprise.id, prestation)
    visit = choosing.narrowed(
        Visit.of(prestation, request.places, who), None, request.lieu_id
    )
    if request.client is not None:
        return terms_of_business(asking, entreprise, visit, who, now)
    return entreprise, visit


def terms_of_business(
    asking: Account, entreprise: BusinessTerms, visit: Visit, who: Performers, now: int
) -> tuple[BusinessTerms, Visit]:
    """Returns the terms and the visit if the business books for a customer.

    An account that runs the calendar of a person gets only times of this person. Raises
    NotPermitted for other accounts.
    """
    if not asking.acts_for(entreprise.proprietaire_id):
        own = who.of_account(asking.id)
        visit = visit._replace(persons=tuple(one for one in visit.persons if one == own))
    return entreprise.for_business().since_midnight(now), visit


def add(
    db: Database, refusal: SlotTaken, entreprise: BusinessTerms, visit: Visit, wanted: int,
    ressource_id: int | None, now: int,
) -> None:
    """Adds to `refusal` the free start times nearest to `wanted`, the requested start.
    `ressource_id` is the preferred person, if any."""
    refusal.fuseau = entreprise.fuseau
    refusal.alternatives = nearest(db, entreprise, visit, wanted, now, Budget(), ressource_id)


def nearest(
    db: Database, entreprise: Business, visit: Visit, wanted: int, now: int,
    budget: Budget = UNLIMITED, person: int | None = None,
) -> list[Start]:
    """Returns at most NEAREST free starts, the closest to `wanted`, ordered by time.

    With `person`, omits the starts at which only others are free, except the start at `wanted`. If
    no start would be left, omits none. If the budget is spent, may return fewer.
    """
    around: list[Start] = []
    mine: list[Start] = []
    for days in (1, 7, 31):
        low, high = max(wanted - days * instants.DAY, now), wanted + days * instants.DAY
        try:
            around = mine = finding.free_starts(db, entreprise, visit, low, high, now, budget)
        except CalendarNotReady:
            break
        if person in visit.persons and visit.of_team:
            # The start at `wanted` stays, even if `person` is not free then.
            mine = [one for one in around if one.debut == wanted or person in one.persons]
        if len(mine) >= NEAREST:
            break
    near = nsmallest(NEAREST, mine or around, key=lambda start: abs(start.debut - wanted))
    return sorted(near, key=lambda start: start.debut)
