"""Reads the calendars of many businesses for one day, with few SQL statements."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.budget import Budget
from reservation.domain.calendar import calendar, performers, stored_slots
from reservation.domain.calendar.availability import BookingWindow, Start
from reservation.domain.calendar.performers import Performers
from reservation.domain.calendar.plans import LONGEST_SLOT
from reservation.domain.calendar.stored_slots import COLUMNS, DEBUT, OVERLAPPING, SlotRows
from reservation.domain.calendar.terms import BusinessTerms, Visit
from reservation.domain.catalogue.free_slots import FreeSlot
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database, marks

Wants = Callable[[str], int]
# Seconds. For speed, `slots` reads all Days with one query. But if a Day has a longer time from
# `first` to `last`, `slots` reads this Day separately, so that the query covers a short period.
_TOGETHER = 3 * instants.DAY


class _Service(NamedTuple):
    """Columns of prestation. `duree_minutes` is first, so that `sorted` orders by length."""

    duree_minutes: int
    id: int
    entreprise_id: int
    nom_cle: str
    tampon_avant: int
    tampon_apres: int
    intervalle_minutes: int | None
    lieu_requis: int


_SERVICES = "FROM prestation WHERE actif = 1 AND entreprise_id IN ({})"


class Day(NamedTuple):
    """A local day of a business, and the services that a search looks for on this day.

    `offered` has each service with its persons and rooms, the shortest service first. The day
    begins at `start` and ends at `end`, in Unix seconds. All visits that start on the day lie
    between `first` and `last`, even with their buffers.
    """

    entreprise: BusinessTerms
    offered: Sequence[tuple[_Service, Performers]]
    start: int
    end: int
    first: int
    last: int

    @property
    def persons(self) -> set[int]:
        return {person for _, who in self.offered for person in who.persons}

    @property
    def calendars(self) -> set[int]:
        """Returns the ids of all persons and rooms of the services."""
        return self.persons | {room for _, who in self.offered for room in who.rooms or ()}

    @property
    def visits(self) -> Iterator[Visit]:
        """Yields a visit for each service, one at a time: most searches need only the first."""
        return (Visit.of(service, 1, who) for service, who in self.offered)

    def start_in(self, slot: FreeSlot, window: BookingWindow) -> Start | None:
        """Returns a Start for the shortest service, at the beginning of `slot`.

        `slot` must be the first free slot of the business. Returns None if this slot alone does
        not prove that the visit fits. The caller must then check all slots.
        """
        visit = next(self.visits)
        fin = slot.debut + visit.length
        if not (visit.is_plain and slot.prestation_id in (None, visit.prestation_id)):
            return None
        if slot.ressource_id not in visit.persons or visit.rooms is not None:
            return None
        if fin > slot.fin or not max(self.start, window.earliest) <= slot.debut:
            return None
        if slot.debut >= min(self.end, window.horizon) or slot.places_left < visit.places:
            return None
        return Start(slot.id, slot.debut, fin, slot.places_left)


def prepared(
    db: Database, rows: list[BusinessTerms], wants: Wants, day: date, now: int, budget: Budget,
    whole: bool,
) -> list[Day]:
    """Extends the calendars of the businesses `rows`, and returns their Days.

    Stops at the first business whose calendar is not ready in time, and returns the Days so far.
    But raises CalendarNotReady if there are no Days so far, or if `whole` is True. A Day has only
    the services that `wants` rates highest. The Day of a business with an unknown time zone has no
    services.
    """
    offered = _offered(db, [row.id for row in rows], wants)
    days: list[Day] = []
    for row in rows:
        try:
            zone = instants.zone_of(row.fuseau)
        except ValueError:
            days.append(Day(row, (), 0, 0, 0, 0))
            continue
        start, end = instants.midnight(day, zone), instants.end_of(day, zone)
        wanted = offered.get(row.id, ())
        before = 60 * max((service.tampon_avant for service, _ in wanted), default=0)
        beyond = 60 * max((one.duree_minutes + one.tampon_apres for one, _ in wanted), default=0)
        try:
            calendar.extend(db, row, end, now, budget, beyond)
        except CalendarNotReady:
            if whole or not days:
                raise
            break
        days.append(Day(row, wanted, start, end, start - before, end + beyond))
    return days


def _offered(
    db: Database, ids: list[int], wants: Wants
) -> dict[int, list[tuple[_Service, Performers]]]:
    services: dict[int, list[_Service]] = defaultdict(list)
    if ids:
        found = db.many_rows(records.columns(_Service), _SERVICES.format(marks(ids)), *ids)
        for row in map(_Service._make, sorted(found)):
            services[row.entreprise_id].append(row)
    if not services:
        return {}
    teams = performers.teams(db, list(services))
    chosen = {}
    for number, rows in services.items():
        matches = [wants(row.nom_cle) for row in rows]
        best = max(matches)
        chosen[number] = [row for row, match in zip(rows, matches) if match == best]
    of_teams = [number for number in chosen if len(teams[number]) > 1]
    listed = performers.listed(db, [row.id for number in of_teams for row in chosen[number]])
    who = cache(lambda number, *of_service: performers.of_members(teams[number], *of_service))
    return {
        number: [(row, who(number, tuple(listed[row.id]), row.lieu_requis)) for row in rows]
        for number, rows in chosen.items()
    }


def slots(db: Database, days: list[Day]) -> dict[int, SlotRows]:
    """Returns {id of a person or room: slots ordered by start}.

    Includes all slots that overlap the time from `first` to `last` of a Day, and possibly others.
    """
    slots: dict[int, Any] = defaultdict(list)
    near = [day for day in days if day.last - day.first <= _TOGETHER]
    if near:
        first, last = min(day.first for day in near), max(day.last for day in near)
        ids = [id for day in near for id in day.calendars]
        source = OVERLAPPING.format(marks(ids))
        rows = db.many_rows(
            f"{COLUMNS}, ressource_id", source, *ids, first - LONGEST_SLOT, last, first
        )
        for *slot, number in sorted(rows, key=itemgetter(DEBUT)):
            slots[number].append(slot)
    for day in days:
        if day.last - day.first > _TOGETHER:
            for id in day.calendars:
                slots[id] = stored_slots.between(db, id, day.first, day.last)
    return slots
