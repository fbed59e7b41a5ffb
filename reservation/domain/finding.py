"""Free times: of a service in a week, the next one, the nearest ones, of many businesses."""

import time
from collections.abc import Iterator
from datetime import date
from heapq import nsmallest
from typing import Any, NamedTuple

from reservation.domain import availability, businesses, calendar, instants
from reservation.domain.availability import (
    Start,
    Terms,
    Visit,
    Window,
    grains_between,
    starts,
)
from reservation.domain.searching import search_key
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

_NEXT_FREE = (
    "SELECT debut FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " AND places_prises < capacite AND ouvert = 1 ORDER BY debut LIMIT 1"
)


MOST_SEARCHED = 200  # businesses whose calendars one search looks at


class Offer(NamedTuple):
    """The first free time of a business on some day, and the service that it is a time of."""

    entreprise: Entreprise
    start: Start
    prestation: Prestation


def all_starts(
    db: Database,
    entreprise: Terms | Entreprise,
    visit: Visit,
    start: int,
    end: int,
    now: int | None = None,
) -> list[Start]:
    """Every start of the visit in [start, end), free or with its motif, by time."""
    now = int(time.time()) if now is None else now
    calendar.extend(db, entreprise, end + visit.duree + visit.apres, now)
    grains = grains_between(
        db, entreprise.id, start - visit.avant, end + visit.duree + visit.apres
    )
    return list(starts(grains, visit, Window.of(entreprise, now), start, end))


def free_starts(
    db: Database,
    entreprise: Terms | Entreprise,
    visit: Visit,
    start: int,
    end: int,
    now: int | None = None,
) -> list[Start]:
    """The starts of the visit in [start, end) that can be had."""
    now = int(time.time()) if now is None else now
    if not entreprise.actif:
        return []
    calendar.extend(db, entreprise, end + visit.duree + visit.apres, now)
    high = end + visit.duree + visit.apres
    grains = grains_between(db, entreprise.id, start - visit.avant, high)
    return availability.free_starts(grains, visit, Window.of(entreprise, now), start, end)


def following(
    db: Database, entreprise: Terms | Entreprise, visit: Visit, after: int, now: int | None = None
) -> Iterator[Start]:
    """The free starts from `after` to the horizon, looked up a day at a time as they are used."""
    now = int(time.time()) if now is None else now
    horizon = calendar.horizon(entreprise, now)
    calendar.extend(db, entreprise, horizon, now)
    after = max(after, now)
    while rows := db.rows(_NEXT_FREE, entreprise.id, after, horizon):
        first = rows[0][0]
        after = first + instants.DAY
        yield from free_starts(db, entreprise, visit, first, min(after, horizon), now)


def start_of(db: Database, creneau_id: int | None) -> int:
    """When a creneau starts; now, for one that is not there any more."""
    rows = db.rows("SELECT debut FROM creneau WHERE id = ?", creneau_id)
    return int(rows[0][0]) if rows else int(time.time())


def nearest(
    db: Database, entreprise: Terms | Entreprise, visit: Visit, wanted: int, now: int | None = None
) -> list[Start]:
    """The three free starts nearest to a time that cannot be had, by time."""
    now = int(time.time()) if now is None else now
    for days in (1, 7, 31):
        around = free_starts(
            db, entreprise, visit, max(wanted - days * instants.DAY, now),
            wanted + days * instants.DAY, now,
        )
        if len(around) >= 3:
            break
    near = nsmallest(3, around, key=lambda one: abs(one.debut - wanted))
    return sorted(near, key=lambda one: one.debut)


def offers(
    db: Database, found: Any, prestation: str, day: date, now: int | None = None
) -> list[Offer]:
    """The businesses of a query that have a free time on a local date, earliest first.

    Of the services, those whose name holds `prestation` count; all where none does. No more
    than MOST_SEARCHED businesses are looked at.
    """
    rows = found.order_by(Entreprise.id).limit(MOST_SEARCHED).execute(db)
    earliest = (_first_of_day(db, row, prestation, day, now) for row in list(rows))
    return sorted((one for one in earliest if one), key=lambda one: (one.start.debut, one[0].id))


def _first_of_day(
    db: Database, entreprise: Entreprise, prestation: str, day: date, now: int | None
) -> Offer | None:
    zone = instants.zone_of(entreprise.fuseau)
    start, end = instants.midnight(day, zone), instants.end_of(day, zone)
    offered = businesses.services(entreprise_id=entreprise.id).order_by(Prestation.id)
    services = list(offered.execute(db))
    key = search_key(prestation)
    free = [
        Offer(entreprise, starts[0], service)
        for service in [one for one in services if key in one.nom_cle] or services
        if (starts := free_starts(db, entreprise, Visit.of(service), start, end, now))
    ]
    return min(free, key=lambda one: one.start.debut, default=None)
