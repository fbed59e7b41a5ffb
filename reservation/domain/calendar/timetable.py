"""Computes runs from weekly hours and events. A run is an interval that is divided into slots.

Closures do not shorten runs: during a closure, the slots exist, but are not open. Times are Unix
seconds, except in Opening and `Run.monday`.
"""

from bisect import bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from reservation.lib import instants
from reservation.lib.instants import DAY

WEEK = 7 * DAY


class Opening(NamedTuple):
    """A row of semainetype: the opening hours of one weekday."""

    jour: int  # 1 Monday to 7 Sunday
    debut: int  # minutes since local midnight, 0 to 1439
    fin: int  # minutes since local midnight, 0 to 1440; on the next day if `fin` <= `debut`
    pas_minutes: int  # length of a slot
    capacite: int
    prestation_id: int | None

    @property
    def minute(self) -> int:
        """Returns the start, in minutes since Monday 00:00."""
        return (self.jour - 1) * 1440 + self.debut

    @property
    def length(self) -> int:
        """Returns the length in minutes, 1 to 1440."""
        return (self.fin - self.debut - 1) % 1440 + 1


class Event(NamedTuple):
    """A row of evenement. Only events of the types `ouverture` and `horaires` have `pas_minutes`
    and `capacite`."""

    type: str  # fermeture, ouverture, horaires or information
    debut: int
    fin: int
    pas_minutes: int | None
    capacite: int | None


Interval = tuple[int, int]
HOURS = "horaires"
OPENINGS = (HOURS, "ouverture")  # highest precedence first


class Run(NamedTuple):
    """An interval in which all slots have the same length, capacity and service."""

    debut: int
    fin: int
    monday: int  # start of the week, in wall seconds (see `lib.instants`)
    pas_minutes: int
    capacite: int
    prestation_id: int | None
    own: bool = False  # True for special hours, which are never joined with another run

    def without(self, taken: "Sequence[Interval | Run]") -> "Iterator[Run]":
        """Yields the parts of the run outside `taken`, which must be sorted and disjoint."""
        if not taken or taken[-1][1] <= self.debut:
            yield self
            return
        debut = self.debut
        for at in range(bisect_right(taken, debut, key=itemgetter(1)), len(taken)):
            if taken[at][0] >= self.fin:
                break
            if debut < taken[at][0]:
                yield self._replace(debut=debut, fin=taken[at][0])
            debut = taken[at][1]
        if debut < self.fin:
            yield self._replace(debut=debut)


def runs(
    week: Sequence[Opening], events: Iterable[Event], zone: ZoneInfo, start: int, end: int
) -> list[Run]:
    """Returns all runs that touch [start, end), and perhaps other runs. The returned runs are
    disjoint and ordered by start.

    Special hours (`horaires`) replace the weekly openings that begin on the same day. If an
    opening of the previous day ends after midnight, special hours apply only after that opening.

    An extra opening (`ouverture`) applies only outside weekly openings and special hours. If two
    events of the same type overlap, the event that starts first takes precedence.
    """
    events = sorted(events, key=itemgetter(1, 2))
    replaced = {day for event in events if event.type == HOURS for day in days(event, zone)}
    found: list[Run] = []
    for run in sorted(_weekly_runs(week, zone, start, end, replaced), key=itemgetter(0, 1)):
        found += list(run.without(found))
    for type in OPENINGS:
        for event in events:
            if event.type == type:
                assert event.pas_minutes and event.capacite
                terms = event.pas_minutes, event.capacite, None, type == HOURS
                run = Run(event.debut, event.fin, 0, *terms)
                for part in list(run.without(found)):
                    insort(found, part._replace(monday=_monday(part.debut, zone)))
    return found


def days(event: Event, zone: ZoneInfo) -> Iterator[int]:
    """Yields the local days that the event touches, as days since 1970-01-01."""
    # If a clock is set back across midnight, the date goes back by a day and later forward again.
    # So the event may touch the day before its start date or the day after its end date.
    last = instants.wall(event.fin, zone) // DAY + 1
    for day in range(instants.wall(event.debut, zone) // DAY - 1, last + 1):
        parts = instants.of_wall(day * DAY, (day + 1) * DAY, zone)
        if any(debut < event.fin and event.debut < fin for debut, fin in parts):
            yield day


def outside(event: Event, excluded: Collection[int], zone: ZoneInfo) -> Iterator[Event]:
    """Yields the parts of an event outside the local days `excluded` (days since 1970-01-01)."""
    removed = [
        part
        for day in days(event, zone) if day in excluded
        for part in instants.of_wall(day * DAY, (day + 1) * DAY, zone)
    ]
    debut = event.debut
    for first, last in [*sorted(removed), (event.fin, event.fin)]:
        fin = min(first, event.fin)
        if debut < fin:
            yield event._replace(debut=debut, fin=fin)
        debut = max(debut, last)


def within(event: Event, week: Sequence[Opening], zone: ZoneInfo) -> Iterator[Event]:
    """Yields the parts of an event on the local days on which an opening of `week` begins.

    The parts have the lowest capacity of the openings of their day. Openings that are reserved for
    a service do not count. If all openings of the day are reserved, the capacity is unchanged.
    """
    touched, capacities = list(days(event, zone)), {}
    for day in touched:
        openings = [one for one in week if one.jour == (day + 3) % 7 + 1]  # day 0 was a Thursday
        if openings:
            shared = (one.capacite for one in openings if one.prestation_id is None)
            capacities[day] = min(shared, default=event.capacite)
    for capacity in set(capacities.values()):
        others = [day for day in touched if capacities.get(day) != capacity]
        yield from outside(event._replace(capacite=capacity), others, zone)


def _weekly_runs(
    week: Sequence[Opening], zone: ZoneInfo, start: int, end: int, replaced: Collection[int]
) -> Iterator[Run]:
    # The loop begins a week early, because an opening on Sunday may end on Monday. The comparisons
    # of wall seconds with Unix seconds have a margin of DAY, because of the UTC offset.
    openings = [(one.minute * 60, one.length * 60, one[3:]) for one in week]
    for monday in range(_monday(start, zone) - WEEK, end + DAY, WEEK):
        for after, length, terms in openings:
            debut, fin = monday + after, monday + after + length
            if debut // DAY in replaced:
                continue
            if start - DAY < fin and debut < end + DAY:
                for since, until in instants.of_wall(debut, fin, zone):
                    yield Run(since, until, monday, *terms)


def _monday(instant: int, zone: ZoneInfo) -> int:
    wall = instants.wall(instant, zone)
    return wall - (wall - 4 * DAY) % WEEK  # 5 January 1970 was a Monday


def joined(runs: Iterable[Run]) -> list[Run]:
    """Joins adjacent runs if their slots have the same length, capacity and service.

    Does not join runs of different weeks, to limit the length of a run. Does not join special
    hours, because their first slot must begin when the special hours begin.
    """
    joined: list[Run] = []
    for run in runs:
        alike = joined and joined[-1].fin == run.debut and joined[-1][2:] == run[2:]
        if alike and not run.own:
            joined[-1] = joined[-1]._replace(fin=run.fin)
        else:
            joined.append(run)
    return joined


def overlapping(week: Sequence[Opening]) -> list[tuple[int, int]]:
    """Returns the indexes of each pair of overlapping openings. A Sunday opening may overlap a
    Monday opening."""
    return [
        (one, other)
        for (one, a), (other, b) in combinations(enumerate(week), 2)
        if (b.minute - a.minute) % (7 * 1440) < a.length
        or (a.minute - b.minute) % (7 * 1440) < b.length
    ]
