"""Free times: of a service in a week, the next one, the nearest ones, of many businesses."""

import time
from collections.abc import Iterator
from heapq import nsmallest

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import availability, calendar
from reservation.domain.calendar.availability import (
    Grains,
    Start,
    Window,
    grains_between,
    starts,
)
from reservation.domain.calendar.terms import Terms, Visit
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

_NEXT_FREE = (
    "SELECT debut FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " AND places_prises < capacite AND ouvert = 1 ORDER BY debut LIMIT 1"
)


class Unfinished(Exception):
    """The budget is spent. There is no free start before `at`; what follows is not known."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


def all_starts(
    db: Database,
    entreprise: Terms | Entreprise,
    visit: Visit,
    start: int,
    end: int,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> list[Start]:
    """Every start of the visit in [start, end), free or with its motif, by time."""
    now = int(time.time()) if now is None else now
    grains = grains_under(db, entreprise, visit, start, end, now, budget)
    return list(starts(grains, visit, Window.of(entreprise, now), start, end))


def free_starts(
    db: Database,
    entreprise: Terms | Entreprise,
    visit: Visit,
    start: int,
    end: int,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> list[Start]:
    """The starts of the visit in [start, end) that can be booked."""
    now = int(time.time()) if now is None else now
    if not entreprise.actif:
        return []
    grains = grains_under(db, entreprise, visit, start, end, now, budget)
    return availability.free_starts(grains, visit, Window.of(entreprise, now), start, end)


def grains_under(
    db: Database,
    entreprise: Terms | Entreprise,
    visit: Visit,
    start: int,
    end: int,
    now: int,
    budget: Budget,
) -> Grains:
    """The grains under visits that start in [start, end). Raises CalendarNotReady."""
    high = end + visit.duree + visit.apres
    calendar.extend(db, entreprise, high, now, budget)
    return grains_between(db, entreprise.id, start - visit.avant, high)


def following(
    db: Database,
    entreprise: Terms | Entreprise,
    visit: Visit,
    after: int,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> Iterator[Start]:
    """Yields the free starts from `after` to the horizon, looked up as they are used.

    Raises Unfinished or CalendarNotReady if the budget is spent before.
    """
    now = int(time.time()) if now is None else now
    horizon, reach = calendar.horizon(entreprise, now), visit.duree + visit.apres
    at, window = max(after, now), max(instants.DAY, reach)
    while at < horizon:
        if budget.is_spent():
            raise Unfinished(at)
        end = min(at + window, horizon)
        calendar.extend(db, entreprise, end + reach, now, budget)
        known = min(entreprise.calendrier_jusqua, horizon)
        free = db.rows(_NEXT_FREE, entreprise.id, at, known)
        first = free[0][0] if free else known
        if first < end:
            yield from free_starts(db, entreprise, visit, first, end, now, budget)
            first = end
        at = first


def start_of(db: Database, creneau_id: int | None) -> int:
    """When a creneau starts; now, for one that is not there any more."""
    rows = db.rows("SELECT debut FROM creneau WHERE id = ?", creneau_id)
    return int(rows[0][0]) if rows else int(time.time())


def nearest(
    db: Database,
    entreprise: Terms | Entreprise,
    visit: Visit,
    wanted: int,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> list[Start]:
    """The three free starts nearest to a time that cannot be had, by time; fewer if the budget
    is spent."""
    now = int(time.time()) if now is None else now
    around: list[Start] = []
    for days in (1, 7, 31):
        low, high = max(wanted - days * instants.DAY, now), wanted + days * instants.DAY
        try:
            around = free_starts(db, entreprise, visit, low, high, now, budget)
        except CalendarNotReady:
            break
        if len(around) >= 3:
            break
    near = nsmallest(3, around, key=lambda one: abs(one.debut - wanted))
    return sorted(near, key=lambda one: one.debut)
