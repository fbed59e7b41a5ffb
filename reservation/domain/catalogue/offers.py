"""Searches for businesses that have a free start time on a day.

The businesses are searched in blocks. A block has the businesses with after < key <= until (see
`matching`). Each page shows offers of only one block, ordered by rank and start.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import choices
from reservation.domain.calendar.availability import BookingWindow, Start
from reservation.domain.calendar.stored_slots import SlotRows
from reservation.domain.calendar.terms import BusinessTerms
from reservation.domain.catalogue import days, free_slots, matching
from reservation.domain.catalogue.days import Day
from reservation.domain.catalogue.matching import ENDLESS, RANK, Search
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

MOST_SEARCHED = 100  # maximum number of businesses in a block
# Approximate maximum numbers of slots that are checked in one business, and in one block of
# businesses. A slot that is checked for two services counts twice.
_MOST_OF_ONE, _MOST_OF_BLOCK = 50_000, 200_000
_COLUMNS = records.columns(BusinessTerms, "e")


class Offer(NamedTuple):
    """The first free start time of a business on a day, and the service to book at this time."""

    entreprise: Any
    start: Start
    prestation: Any


class _Found(NamedTuple):
    """An offer, with ids instead of rows."""

    place: tuple[int, int]  # the sort key: rank * RANK + start, id of the business
    start: Start
    prestation_id: int


def page(
    db: Database, *, q: str, ville: str, prestation: str, day: date,
    after: tuple[int, ...] | None, most: int, now: int, budget: Budget = UNLIMITED,
) -> tuple[list[Offer], tuple[int, ...] | None]:
    """Returns at most `most` offers on a local date, and the cursor of the next page (None on the
    last page).

    If the budget is spent, a page may be empty although more pages follow. Raises CalendarNotReady
    if the calendars for the page are not ready in time.
    """
    # A cursor has the bounds of the block, then `_Found.place` of the last offer shown.
    search = Search.of(db, q, ville, prestation)
    low, high, *shown = after or (0, 0, 0, 0)
    while True:
        until, block = _block(db, search, day, low, high, now, budget)
        found = [one for one in block if one.place > tuple(shown)]
        if found or until == ENDLESS or budget.is_spent():
            break
        low, high, shown = until, 0, [0, 0]
    cursor = None if until == ENDLESS else (until, 0, 0, 0)
    if len(found) > most:
        found, cursor = found[:most], (low, until, *found[most - 1].place)
    return _offers(db, found), cursor


def _offers(db: Database, found: list[_Found]) -> list[Offer]:
    businesses = records.rows_by_id(db, Entreprise, [one.place[1] for one in found])
    services = records.rows_by_id(db, Prestation, [one.prestation_id for one in found])
    return [
        Offer(businesses[one.place[1]], one.start, services[one.prestation_id]) for one in found
    ]


def _block(
    db: Database, search: Search, day: date, after: int, until: int, now: int, budget: Budget
) -> tuple[int, list[_Found]]:
    """Returns the last key and the sorted offers of the block that begins after the key `after`.

    The block ends at the key `until`. If `until` is 0, the block ends at the first limit reached,
    such as MOST_SEARCHED businesses.
    """
    rows = matching.read(db, search, _COLUMNS, after, until or ENDLESS, MOST_SEARCHED)
    keys = {id: key for key, id, *_ in rows}
    ready = days.prepared(
        db, [BusinessTerms(*row) for _, *row in rows], search.wants, day, now, budget,
        whole=bool(until),
    )
    found, last = _found(db, ready, keys, now, whole=bool(until))
    reached = keys.get(last, after)
    is_last = len(rows) < MOST_SEARCHED and (not rows or reached == rows[-1][0])
    return until or (ENDLESS if is_last else reached), sorted(found)


def _found(
    db: Database, ready: list[Day], keys: dict[int, int], now: int, whole: bool
) -> tuple[list[_Found], int]:
    """Returns the first free start time of each business, and the id of the last business checked.
    `keys` is {id of a business: key} (see `matching`).

    Stops after about _MOST_OF_BLOCK slots, unless `whole` is True.
    """
    free = free_slots.first(db, [
        (day.entreprise.id, person, max(day.start, now), day.end)
        for day in ready for person in day.persons
    ])
    open_days = [day for day in ready if day.entreprise.id in free]
    windows = {day.entreprise.id: BookingWindow.of(day.entreprise, now) for day in open_days}
    starts = {
        (id := day.entreprise.id): day.start_in(free[id], windows[id]) for day in open_days
    }
    slots = days.slots(db, [day for day in open_days if starts[day.entreprise.id] is None])
    found, work, reached = [], 0, 0
    for day in ready:
        if work > _MOST_OF_BLOCK and not whole:
            break
        reached = day.entreprise.id
        if reached not in starts:
            continue
        start, service = starts[reached], day.offered[0][0].id
        if start is None:
            start, service, cost = _first(slots, day, windows[reached])
            work += cost
        if start is not None:
            place = keys[reached] // RANK * RANK + start.debut, reached
            found.append(_Found(place, start, service))
    return found, reached


def _first(
    slots: Mapping[int, SlotRows], day: Day, window: BookingWindow
) -> tuple[Start | None, int, int]:
    """Returns the first free start time, its service, and the number of slots checked."""
    best, of, cost = None, 0, 1
    for visit in day.visits:
        if cost > _MOST_OF_ONE:
            break  # to leave time for other businesses
        until = best.debut if best else day.end
        cost += sum(len(slots[person]) for person in visit.persons)
        if start := choices.first_free(slots, visit, window, day.start, until):
            best, of = start, visit.prestation_id or 0
    return best, of, cost
