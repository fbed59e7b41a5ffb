"""Searches the businesses that have a free start on a day, block by block.

A block holds the businesses whose id is in (after, until]. Its offers are ordered by start, and
a page is a part of one block. A cursor has four numbers: `after` and `until` of a block, then the
start and the business of the last offer shown.
"""

from collections import defaultdict
from datetime import date
from typing import Any, NamedTuple

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import availability
from reservation.domain.calendar.availability import BookingWindow, Start
from reservation.domain.calendar.finding import slots_under
from reservation.domain.calendar.terms import Visit
from reservation.domain.catalogue import search
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.lib.folding import search_key
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

MOST_SEARCHED = 200  # businesses of a block
# Slots that are judged, once for each service: of a business, and of a block.
_MOST_OF_ONE, _MOST_OF_BLOCK = 50_000, 200_000
_ENDLESS = 10**17  # above every id


class Offer(NamedTuple):
    """The first free start of a business on some day, and its service."""

    entreprise: Entreprise
    start: Start
    prestation: Prestation

    @property
    def place(self) -> tuple[int, int]:
        return self.start.debut, self.entreprise.id


class _Search(NamedTuple):
    """The terms of a search. `words` selects the services whose name contains the words; a
    business without such a service offers all its services."""

    found: Any  # a query of businesses
    words: str
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
    found = search.matching(q, ville, prestation)
    asked = _Search(found, search_key(prestation or q), day, now, budget)
    low, high, *shown = after or (0, 0, 0, 0)
    while True:
        until, block = _block(db, asked, low, high)
        offers = [offer for offer in block if offer.place > tuple(shown)]
        if offers or until == _ENDLESS or budget.is_spent():
            break
        low, high, shown = until, 0, [0, 0]
    if len(offers) > most:
        return offers[:most], (low, until, *offers[most - 1].place)
    return offers, None if until == _ENDLESS else (until, 0, 0, 0)


def _block(
    db: Database, asked: _Search, after: int, until: int
) -> tuple[int, list[Offer]]:
    """Returns the end and the offers of the block after the id `after`.

    The block ends at the id `until` if given, else where it is full.
    """
    rest = asked.found.where(Entreprise.id > after)
    rest = rest.where(Entreprise.id <= until) if until else rest
    rows = list(rest.order_by(Entreprise.id).limit(MOST_SEARCHED).execute(db))
    services = _services(db, [row.id for row in rows], asked.words)
    offers, work, reached = [], 0, after
    for row in rows:
        if work > _MOST_OF_BLOCK and not until:
            break
        try:
            offer, cost = _first_of_day(db, row, services[row.id], asked)
        except CalendarNotReady:
            if until or reached == after:
                raise
            break
        work, reached = work + cost, row.id
        if offer:
            offers.append(offer)
    is_last = len(rows) < MOST_SEARCHED and (not rows or reached == rows[-1].id)
    offers.sort(key=lambda offer: offer.place)
    return until or (_ENDLESS if is_last else reached), offers


def _services(db: Database, ids: list[int], words: str) -> dict[int, list[Prestation]]:
    """Returns the selected services of each business, the shortest first."""
    query = search.bookable_services().where(Prestation.entreprise.in_(ids))
    offered = defaultdict(list)
    for row in query.order_by(Prestation.duree_minutes, Prestation.id).execute(db):
        offered[row.entreprise_id].append(row)
    for number, rows in offered.items():
        offered[number] = [row for row in rows if words in row.nom_cle] or rows
    return offered


def _first_of_day(
    db: Database, entreprise: Entreprise, services: list[Prestation], asked: _Search
) -> tuple[Offer | None, int]:
    """Returns the first free start on the day, and how many slots were judged."""
    if not services:
        return None, 1
    zone = instants.zone_of(entreprise.fuseau)
    start, end = instants.midnight(asked.day, zone), instants.end_of(asked.day, zone)
    visits = [Visit.of(service) for service in services]
    widest = Visit(
        max(visit.length + visit.after for visit in visits),
        before=max(visit.before for visit in visits),
    )
    slots = slots_under(db, entreprise, widest, start, end, asked.now, asked.budget)
    window = BookingWindow.of(entreprise, asked.now)
    best, cost = None, 0
    for service, visit in zip(services, visits, strict=True):
        if cost > _MOST_OF_ONE:
            break  # leaves time for other businesses
        until = best.start.debut if best else end
        free = availability.free_starts(slots, visit, window, start, until, most=1)
        cost += len(slots)
        if free:
            best = Offer(entreprise, free[0], service)
    return best, cost
