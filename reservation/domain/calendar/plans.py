"""The plan of a person or room, from which the slots are computed."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from reservation.domain.calendar import timetable
from reservation.domain.calendar.timetable import WEEK, Event, Interval, Opening, Run
from reservation.lib import instants

LONGEST_SLOT = 1440 * 60  # seconds
LONGEST_VISIT, LONGEST_BUFFER = 14 * instants.DAY, instants.DAY  # seconds
LONGEST_EVENT = 366 * instants.DAY  # seconds
# Seconds. The maximum length of special hours (`horaires`). Must be less than _REACH_OF_WEEK.
LONGEST_HOURS = 8 * instants.DAY
# Days. The column `portee_jours` has the length of an event, rounded up to one of these numbers.
# A search in all businesses reads the events of each length separately. For length 8, the search
# skips all events that begin more than 8 days before the searched period.
RANGES = tuple(2**power for power in range(10))
# Seconds. A run (see `timetable`) may start before the searched period, so the computation begins
# REACH before the period. Only extra openings (`ouverture`) can make a run longer than REACH.
# `stored_plans.read_events` reads all events of such a run.
REACH = 5 * WEEK
# Seconds. Plans without extra openings use these values instead of REACH: the maximum length of a
# run, and a margin of one day.
_REACH_OF_WEEK = 9 * instants.DAY  # if special hours or adjacent weekly openings form runs
_REACH_OF_OPENING = 3 * instants.DAY  # if each run is one weekly opening, of less than two days


class PlannedSlot(NamedTuple):
    """A slot of a plan. `ouverture` is the start of the run that contains the slot. For runs, see
    `timetable`."""

    debut: int
    fin: int
    ouverture: int
    capacite: int
    prestation_id: int | None
    ouvert: bool


class SlotTerms(NamedTuple):
    """`prestation_id` is None if the slot is not limited to one service."""

    capacite: int
    prestation_id: int | None
    ouvert: bool


class Plan(NamedTuple):
    week: Sequence[Opening]
    events: Sequence[Event]
    zone: ZoneInfo

    def slots(self, start: int, end: int, kept: Sequence[Interval] = ()) -> list[PlannedSlot]:
        """Returns the slots that start in [start, end), ordered by start.

        No slot overlaps the intervals of `kept`, which must be disjoint. The times of slots depend
        on the start of their run, which may be before `start`. So `events` must include all events
        since the start of the first run.
        """
        kept, closures = sorted(kept), self._closures()
        return [
            slot
            for run in self.runs(start, end)
            for part in run.without(kept)
            for slot in _cut(part, run.debut, start, end, closures)
        ]

    def runs(self, start: int, end: int) -> list[Run]:
        """Returns all runs with slots that start in [start, end). May return more runs."""
        reach = self._reach()
        until = end + min(reach, WEEK)
        return timetable.joined(timetable.runs(*self, start - reach, until))

    def terms(self, intervals: Sequence[Interval]) -> list[SlotTerms]:
        """Returns the terms of each interval. If a part of the interval is in a closure, `ouvert`
        is False, but `capacite` is unchanged. If a part is outside the hours, `capacite` is 0, and
        `ouvert` is False. `intervals` must be sorted and disjoint."""
        if not intervals:
            return []
        runs = timetable.runs(*self, intervals[0][0], intervals[-1][1])
        closures = self._closures()
        lowest = [_lowest_terms(runs, *interval) for interval in intervals]
        return [
            SlotTerms(capacity, service, capacity > 0 and not _meets(interval, closures))
            for interval, (capacity, service) in zip(intervals, lowest)
        ]

    def end_of_slice(self, start: int, end: int, most: int) -> int:
        """Returns the end of a slice that begins at `start`. An estimated `most` slots, or fewer,
        start in the slice.

        The slice ends at `end` or at an earlier local midnight. The slice always includes the
        first day, even if more slots start on this day.
        """
        weekly = [0.0] * 8
        for opening in self.week:
            weekly[opening.jour] += opening.length / opening.pas_minutes
        dated = [event for event in self.events if event.pas_minutes]
        slots, until = 0.0, start
        while until < end:
            debut, jour = until, instants.local_date(until, self.zone).isoweekday()
            until = instants.midnight_after(debut, self.zone, 1)
            slots += weekly[jour] + sum(_slots_between(event, debut, until) for event in dated)
            if slots > most and debut > start:
                return debut
        return end

    def _reach(self) -> int:
        types = {event.type for event in self.events}
        if "ouverture" in types:
            return REACH
        if timetable.HOURS in types:
            return _REACH_OF_WEEK
        ends = {(opening.minute + opening.length) % (WEEK // 60) for opening in self.week}
        touch = any(opening.minute in ends for opening in self.week)
        return _REACH_OF_WEEK if touch else _REACH_OF_OPENING

    def _closures(self) -> list[Interval]:
        return [(event.debut, event.fin) for event in self.events if event.type == "fermeture"]


def _cut(
    run: Run, ouverture: int, start: int, end: int, closures: Sequence[Interval]
) -> Iterator[PlannedSlot]:
    near = [closure for closure in closures if closure[0] < run.fin and run.debut < closure[1]]
    step = run.pas_minutes * 60
    first = run.debut + max(0, -((run.debut - start) // step)) * step
    for debut in range(first, min(run.fin - step + 1, end), step):
        ouvert = not (near and _meets((debut, debut + step), near))
        yield PlannedSlot(
            debut, debut + step, ouverture, run.capacite, run.prestation_id, ouvert
        )


def _slots_between(event: Event, start: int, end: int) -> float:
    assert event.pas_minutes
    return max(0, min(event.fin, end) - max(event.debut, start)) / (event.pas_minutes * 60)


def _meets(interval: Interval, others: Sequence[Interval]) -> bool:
    debut, fin = interval
    return any(debut < end and start < fin for start, end in others)


def _lowest_terms(runs: Sequence[Run], debut: int, fin: int) -> tuple[int, int | None]:
    first = bisect_right(runs, debut, key=itemgetter(1))
    last = bisect_right(runs, fin - 1, key=itemgetter(0))
    under = runs[first:last]
    covered = sum(min(run.fin, fin) - max(run.debut, debut) for run in under)
    if covered < fin - debut:
        return 0, None
    reserved = (run.prestation_id for run in under if run.prestation_id is not None)
    return min(run.capacite for run in under), next(reserved, None)


def range_of(debut: int, fin: int) -> int:
    """Returns the length of [debut, fin) in days, rounded up to a number in RANGES."""
    return next(days for days in RANGES if fin - debut <= days * instants.DAY)
