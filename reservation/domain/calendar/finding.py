"""Finds starts of a visit: all starts in a range, the next free starts, the nearest starts."""

from collections.abc import Iterator
from heapq import nsmallest

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import availability, calendar
from reservation.domain.calendar.availability import BookingWindow, SlotRows, Start
from reservation.domain.calendar.terms import Business, Visit
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage.database import Database

NEAREST = 3  # alternatives to a start that is not free
_NEXT_FREE = (
    "SELECT debut FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " AND places_prises < capacite AND ouvert = 1 ORDER BY debut LIMIT 1"
)


class UnfinishedSearch(Exception):
    """The budget is spent. No start before `at` is free."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


def all_starts(
    db: Database, entreprise: Business, visit: Visit, start: int, end: int,
    now: int, budget: Budget = UNLIMITED,
) -> list[Start]:
    """Returns the starts of the visit in [start, end), free or not."""
    slots = slots_under(db, entreprise, visit, start, end, now, budget)
    window = BookingWindow.of(entreprise, now)
    return list(availability.starts(slots, visit, window, start, end))


def free_starts(
    db: Database, entreprise: Business, visit: Visit, start: int, end: int,
    now: int, budget: Budget = UNLIMITED,
) -> list[Start]:
    """Returns the free starts of the visit in [start, end)."""
    if not entreprise.actif:
        return []
    slots = slots_under(db, entreprise, visit, start, end, now, budget)
    window = BookingWindow.of(entreprise, now)
    return availability.free_starts(slots, visit, window, start, end)


def slots_under(
    db: Database, entreprise: Business, visit: Visit, start: int, end: int,
    now: int, budget: Budget,
) -> SlotRows:
    """Returns the slots under visits that start in [start, end). Raises CalendarNotReady."""
    first, _ = visit.occupied(start)
    _, last = visit.occupied(end)
    calendar.extend(db, entreprise, last, now, budget)
    return availability.slots_between(db, entreprise.id, first, last)


def following(
    db: Database, entreprise: Business, visit: Visit, after: int, now: int,
    budget: Budget = UNLIMITED,
) -> Iterator[Start]:
    """Yields the free starts from `after` up to the horizon. Reads slots as they are needed.

    Raises UnfinishedSearch or CalendarNotReady if the budget is spent first.
    """
    horizon, reach = availability.horizon(entreprise, now), visit.length + visit.after
    at, step = max(after, now), max(instants.DAY, reach)
    while at < horizon:
        if budget.is_spent():
            raise UnfinishedSearch(at)
        end = min(at + step, horizon)
        calendar.extend(db, entreprise, end + reach, now, budget)
        known = min(entreprise.calendrier_jusqua, horizon)
        free = db.rows(_NEXT_FREE, entreprise.id, at, known)
        first = free[0][0] if free else known
        if first < end:
            yield from free_starts(db, entreprise, visit, first, end, now, budget)
            first = end
        at = first


def nearest(
    db: Database, entreprise: Business, visit: Visit, wanted: int, now: int,
    budget: Budget = UNLIMITED,
) -> list[Start]:
    """Returns the free starts nearest to `wanted`, by start; fewer if the budget is spent."""
    around: list[Start] = []
    for days in (1, 7, 31):
        low, high = max(wanted - days * instants.DAY, now), wanted + days * instants.DAY
        try:
            around = free_starts(db, entreprise, visit, low, high, now, budget)
        except CalendarNotReady:
            break
        if len(around) >= NEAREST:
            break
    near = nsmallest(NEAREST, around, key=lambda start: abs(start.debut - wanted))
    return sorted(near, key=lambda start: start.debut)
