"""Limits the slots of a person or room per day, because many slots slow down bookings and
searches."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date

from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.terms import LONGEST_HORIZON
from reservation.domain.calendar.timetable import Run
from reservation.errors import TooManySlots
from reservation.lib import instants

MOST = 500
AHEAD = (LONGEST_HORIZON + 1) * instants.DAY  # seconds
# Minutes. If all slots are at least this long, no day can have more than MOST slots.
_SAFE = 4


def check(plans: Iterable[Plan], start: int, end: int) -> None:
    """Raises TooManySlots if a plan has more than MOST slots on a local day in [start, end).

    Checks only the first AHEAD seconds after `start`. Also counts closed slots.
    """
    end = min(end, start + AHEAD)
    for plan in plans:
        steps = [opening.pas_minutes for opening in plan.week]
        steps += [event.pas_minutes for event in plan.events if event.pas_minutes]
        if start < end and min(steps, default=_SAFE) < _SAFE:
            _check(plan, start, end)


def _check(plan: Plan, start: int, end: int) -> None:
    first = instants.midnight_after(start, plan.zone, 0)
    until = instants.midnight_after(end - 1, plan.zone, 1)
    counts: Counter[date] = Counter()
    for run in plan.runs(first, until):
        for day, slots in _by_day(run, plan, first, until):
            counts[day] += slots
    for day in sorted(counts):
        if counts[day] > MOST:
            raise TooManySlots(max=MOST, date=day.isoformat())


def _by_day(run: Run, plan: Plan, start: int, end: int) -> Iterator[tuple[date, int]]:
    """Yields (local day, number of slots of the run that start on this day).

    `start` and `end` are local midnights.
    """
    step = run.pas_minutes * 60
    debut = run.debut + max(0, -((run.debut - start) // step)) * step
    last = run.fin - step
    while debut <= last and debut < end:
        midnight = instants.midnight_after(debut, plan.zone, 1)
        slots = max(1, -((debut - min(midnight, last + 1)) // step))
        yield instants.local_date(debut, plan.zone), slots
        debut += slots * step
