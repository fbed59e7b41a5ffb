"""The businesses that have a free time on some day, found block by block."""

import time
from collections import defaultdict
from datetime import date
from typing import Any, NamedTuple

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import availability
from reservation.domain.calendar.availability import Start, Window
from reservation.domain.calendar.finding import grains_under
from reservation.domain.calendar.terms import Visit
from reservation.domain.planning import businesses
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.lib.folding import search_key
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

MOST_SEARCHED = 200  # businesses of one block of a search
# Grains that a search looks at, counted once for each service: of a business, and of a block.
_MOST_OF_ONE, _MOST_OF_BLOCK = 50_000, 200_000
ENDLESS = 10**17  # above every id


class Offer(NamedTuple):
    """The first free time of a business on some day, and the service that it is a time of."""

    entreprise: Entreprise
    start: Start
    prestation: Prestation


class Block(NamedTuple):
    """The offers of the businesses whose id is in (after, until], earliest first."""

    after: int
    until: int  # ENDLESS for the last block
    offers: list[Offer]


def search(
    db: Database,
    found: Any,
    prestation: str,
    day: date,
    after: int = 0,
    until: int = 0,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> Block:
    """Returns the next block, after the id `after`, of the businesses of a query, with those
    that have a free time on a local date. With `until`, the block that ended there.

    Of the services, those whose name holds `prestation` count; all where none does. A block
    ends where the work for it does. Raises CalendarNotReady.
    """
    now = int(time.time()) if now is None else now
    rest = found.where(Entreprise.id > after)
    rest = rest.where(Entreprise.id <= until) if until else rest
    rows = list(rest.order_by(Entreprise.id).limit(MOST_SEARCHED).execute(db))
    services = _services(db, [row.id for row in rows], search_key(prestation))
    free, work, reached = [], 0, after
    for row in rows:
        if work > _MOST_OF_BLOCK and not until:
            break
        try:
            offer, cost = _first_of_day(db, row, services[row.id], day, now, budget)
        except CalendarNotReady:
            if until or reached == after:
                raise
            break
        work, reached = work + cost, row.id
        if offer:
            free.append(offer)
    is_last = len(rows) < MOST_SEARCHED and (not rows or reached == rows[-1].id)
    free.sort(key=lambda one: (one.start.debut, one.entreprise.id))
    return Block(after, until or (ENDLESS if is_last else reached), free)


def _services(db: Database, ids: list[int], key: str) -> dict[int, list[Prestation]]:
    """Of each business, the services that count, the shortest first."""
    rows = businesses.services().where(Prestation.entreprise.in_(ids))
    offered = defaultdict(list)
    for row in rows.order_by(Prestation.duree_minutes, Prestation.id).execute(db):
        offered[row.entreprise_id].append(row)
    for number, all_of_them in offered.items():
        offered[number] = [one for one in all_of_them if key in one.nom_cle] or all_of_them
    return offered


def _first_of_day(
    db: Database,
    entreprise: Entreprise,
    services: list[Prestation],
    day: date,
    now: int,
    budget: Budget,
) -> tuple[Offer | None, int]:
    """The first free time on the day, and the grains looked at for it."""
    if not services:
        return None, 1
    zone = instants.zone_of(entreprise.fuseau)
    start, end = instants.midnight(day, zone), instants.end_of(day, zone)
    visits = [Visit.of(one) for one in services]
    widest = Visit(
        max(one.duree + one.apres for one in visits), avant=max(one.avant for one in visits)
    )
    grains = grains_under(db, entreprise, widest, start, end, now, budget)
    window = Window.of(entreprise, now)
    best, cost = None, 0
    for service, visit in zip(services, visits, strict=True):
        if cost > _MOST_OF_ONE:
            break  # nobody has so many long services: it is not worth the others' time
        until = best.start.debut if best else end
        found = availability.free_starts(grains, visit, window, start, until, most=1)
        cost += len(grains)
        if found:
            best = Offer(entreprise, found[0], service)
    return best, cost
