"""Free times: of a service in a week, the next one, the nearest ones, of many businesses."""

import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from heapq import nsmallest
from typing import Any, NamedTuple

from reservation.domain import availability, businesses, calendar, instants
from reservation.domain.availability import (
    Grains,
    Start,
    Terms,
    Visit,
    Window,
    grains_between,
    starts,
)
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.searching import search_key
from reservation.errors import CalendarNotReady
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

_NEXT_FREE = (
    "SELECT debut FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " AND places_prises < capacite AND ouvert = 1 ORDER BY debut LIMIT 1"
)

MOST_SEARCHED = 200  # businesses of one block of a search
# Grains that a search looks at, counted once for each service: of a business, and of a block.
_MOST_OF_ONE, _MOST_OF_BLOCK = 50_000, 200_000
ENDLESS = 10**17  # above every id


class Unfinished(Exception):
    """The budget is spent. There is no free start before `at`; what follows is not known."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


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
    grains = _grains_under(db, entreprise, visit, start, end, now, budget)
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
    grains = _grains_under(db, entreprise, visit, start, end, now, budget)
    return availability.free_starts(grains, visit, Window.of(entreprise, now), start, end)


def _grains_under(
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
        if budget.spent:
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


def offers(
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
    grains = _grains_under(db, entreprise, widest, start, end, now, budget)
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
