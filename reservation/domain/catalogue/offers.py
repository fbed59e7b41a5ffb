"""Searches the businesses that have a free start on a day, block by block.

A block holds the businesses whose key is in (after, until]: see `matching`. Its offers are ordered
by rank, then by start, and a page is a part of one block. A cursor has four numbers: `after` and
`until` of a block, then the rank with the start, and the business, of the last offer shown.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import choices
from reservation.domain.calendar.availability import SlotRows, Start
from reservation.domain.calendar.terms import BusinessTerms
from reservation.domain.calendar.window import BookingWindow
from reservation.domain.catalogue import days, matching
from reservation.domain.catalogue.days import Day
from reservation.domain.catalogue.matching import ENDLESS, RANK, Search
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

MOST_SEARCHED = 100  # businesses of a block
# Slots that are judged, once for each service: of a business, and of a block.
_MOST_OF_ONE, _MOST_OF_BLOCK = 50_000, 200_000
_COLUMNS = records.columns(BusinessTerms, "e")


class Offer(NamedTuple):
    """The first free start of a business on some day, and its service."""

    entreprise: Any
    start: Start
    prestation: Any


class _Found(NamedTuple):
    """An offer, by ids."""

    place: tuple[int, int]  # the rank with the start, and the business
    start: Start
    prestation_id: int

    def after_rank(self, rank: int) -> "_Found":
        debut, id = self.place
        return self._replace(place=(rank * RANK + debut, id))


class _Search(NamedTuple):
    """The terms of a search. If no service of a business matches, the search considers all its
    services."""

    search: Search
    day: date
    now: int
    budget: Budget


def page(
    db: Database, *, q: str, ville: str, prestation: str, day: date,
    after: tuple[int, ...] | None, most: int, now: int, budget: Budget = UNLIMITED,
) -> tuple[list[Offer], tuple[int, ...] | None]:
    """Returns at most `most` offers on a local date, and the cursor of the next page or None.

    An empty page may have a next page, if the budget is spent. Raises CalendarNotReady.
    """
    asked = _Search(Search.of(db, q, ville, prestation), day, now, budget)
    low, high, *shown = after or (0, 0, 0, 0)
    while True:
        until, block = _block(db, asked, low, high)
        found = [one for one in block if one.place > tuple(shown)]
        if found or until == ENDLESS or budget.is_spent():
            break
        low, high, shown = until, 0, [0, 0]
    cursor = None if until == ENDLESS else (until, 0, 0, 0)
    if len(found) > most:
        found, cursor = found[:most], (low, until, *found[most - 1].place)
    return _offers(db, found), cursor


def _offers(db: Database, found: list[_Found]) -> list[Offer]:
    services = [one.prestation_id for one in found]
    read = records.pairs_by_ids(db, Prestation, Entreprise, "entreprise_id", services)
    return [
        Offer(entreprise, one.start, prestation)
        for one in found for prestation, entreprise in [read[one.prestation_id]]
    ]


def _block(db: Database, asked: _Search, after: int, until: int) -> tuple[int, list[_Found]]:
    """Returns the end and the offers of the block after the key `after`, in order.

    The block ends at the key `until` if given, else where it is full.
    """
    rows = matching.read(
        db, asked.search, _COLUMNS, after, until or ENDLESS, MOST_SEARCHED
    )
    keys = {id: key for key, id, *_ in rows}
    ready = days.prepared(
        db, [BusinessTerms(*row) for _, *row in rows], asked.search.wants, asked.day, asked.now,
        asked.budget, whole=bool(until),
    )
    found, last = _found(db, ready, asked.now, whole=bool(until))
    reached = keys.get(last, after)
    is_last = len(rows) < MOST_SEARCHED and (not rows or reached == rows[-1][0])
    ranked = (one.after_rank(keys[one.place[1]] // RANK) for one in found)
    return until or (ENDLESS if is_last else reached), sorted(ranked)


def _found(
    db: Database, ready: list[Day], now: int, whole: bool
) -> tuple[list[_Found], int]:
    """Returns the first free start of each business, and the last business that was judged.

    Judges all businesses if the `whole` block is wanted.
    """
    free = days.first_free(db, [day for day in ready if day.visits], now)
    windows = {day.entreprise.id: BookingWindow.of(day.entreprise, now) for day in ready}
    starts: dict[int, Start | None] = {
        id: day.start_in(free[id], windows[id])
        for day in ready if (id := day.entreprise.id) in free
    }
    slots = days.slots(db, [day for day in ready if starts.get(day.entreprise.id, 0) is None])
    found, work, reached = [], 0, 0
    for day in ready:
        if work > _MOST_OF_BLOCK and not whole:
            break
        reached = day.entreprise.id
        if start := starts.get(reached):
            found.append(_Found((start.debut, reached), start, day.visits[0].prestation_id or 0))
        elif reached in starts:
            first, cost = _first(slots, day, windows[reached])
            work += cost
            found += first
    return found, reached


def _first(
    slots: Mapping[int, SlotRows], day: Day, window: BookingWindow
) -> tuple[list[_Found], int]:
    """Returns the first free start on the day, if any, and how many slots were judged."""
    best: list[_Found] = []
    cost = 1
    for visit in day.visits:
        if cost > _MOST_OF_ONE:
            break  # leaves time for other businesses
        until = best[0].start.debut if best else day.end
        cost += sum(len(slots[person]) for person in visit.persons)
        if start := choices.first_free(slots, visit, window, day.start, until):
            place = start.debut, day.entreprise.id
            best = [_Found(place, start, visit.prestation_id or 0)]
    return best, cost
