"""Changes the hours or events of a business, updates its calendar, and finds stranded bookings.

A plan has the hours and events of a person or a room. A booking is stranded if a change closes
its slots. Before the time `calendrier_jusqua`, the stored slots match the plans. After this time,
slots may be missing or outdated. In this module, `mark` is `calendrier_jusqua` before the change,
and `far` is the end of the stored slots that the change concerns.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from reservation.domain.booking import reservations
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import calendar, day_limit, reconciling, size_limit, stored_plans
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.reconciling import Difference
from reservation.domain.calendar.timetable import Interval
from reservation.storage.database import NO_ANSWER, Database, transaction
from reservation.storage.models import Entreprise

# Keys are ids of persons and rooms.
Intervals = Mapping[int, Sequence[Interval]]
Plans = Mapping[int, Plan]
Differences = Mapping[int, Difference]

FOREVER = 2**62  # later than any `calendrier_jusqua`
REHEARSED = 20_000  # after about this many slots, `rehearse` stops comparing


@dataclass(slots=True)
class CalendarChange:
    """The numbers of slots that a change adds, removes and keeps. `kept` counts only booked slots.

    If `of` is the id of a person or room, counts only the slots of this person or room. If all
    slots match the new plan, `until` is None. Otherwise, the slots from `until` on do not match
    the new plan yet.
    """

    added: int = 0
    removed: int = 0
    kept: int = 0
    until: int | None = None
    of: int | None = None

    def add(self, differences: Differences) -> Intervals:
        """Counts the slots in `differences`. Returns the times of booked open slots that are
        closed in the new plan."""
        counted = differences if self.of is None else {self.of: differences[self.of]}
        for done in counted.values():
            self.added += len(done.new)
            self.removed += len(done.surplus)
            self.kept += len(done.frozen)
        return {id: done.closed for id, done in differences.items()}


class PlanOutcome(NamedTuple):
    """`written` is the return value of the function `write` (see `change`): for example, the new
    event. `stranded` has the bookings that are outside the opening hours now."""

    written: Any
    change: CalendarChange
    stranded: list[ReservationRecord]


def change(
    db: Database, entreprise_id: int, write: Callable[[Entreprise], Any], start: int,
    end: int = FOREVER, shut: Intervals | None = None, budget: Budget = UNLIMITED,
    of: int | None = None, weekly: bool = True,
) -> PlanOutcome:
    """Calls `write` to change the plans of a business, and updates the slots in [start, end).

    `write` gets the locked business as a model object. If `write` changes the time zone in the
    database, `write` must also set `fuseau` of this object.

    The first transaction calls `write` and updates the first slots. Further transactions update
    more slots until the time limit `budget`. The other slots are updated before they are next read
    or booked.

    If `shut` is given, only the bookings in these intervals are stranded. If `shut` is None, the
    bookings in slots that the new plans close are stranded. For `of`, see CalendarChange. Raises
    TooManySlots as `day_limit.check` does, and CalendarTooLarge as `size_limit.check` does.
    `weekly` is False if `write` changes only events, which `size_limit` does not count.
    """
    begin = partial(_begin, db, entreprise_id, write, start, end, shut, of, weekly)
    mine, mark, outcome = transaction(db, begin)
    # If the database fails here, the new plan is already stored. Later requests update the slots.
    with suppress(*NO_ANSWER):
        followed = max(start, mine.calendrier_jusqua)
        far = min(end, max(mark, reconciling.end_of_stored(db, entreprise_id)))
        if followed < far:
            outcome.change.until = mine.calendrier_jusqua
            if shut is None:
                planned = stored_plans.read(db, mine, followed, far)
                _add_stranded(db, outcome, _closed(db, planned, followed, far), start)
            _finish(db, mine, min(end, mark), mark, far, outcome.change, budget)
    return outcome


def _begin(
    db: Database, entreprise_id: int, write: Callable[[Entreprise], Any], start: int, end: int,
    shut: Intervals | None, of: int | None, weekly: bool,
) -> tuple[Entreprise, int, PlanOutcome]:
    mine = calendar.lock(db, entreprise_id)
    sizes = size_limit.sizes(db, entreprise_id) if weekly else {}
    mark, written, done = mine.calendrier_jusqua, write(mine), CalendarChange(of=of)
    if weekly:
        size_limit.check(sizes, size_limit.sizes(db, entreprise_id))
    closed: Intervals = {}
    last = min(end, mark)
    until = max(last, min(end, start + day_limit.AHEAD))
    planned = stored_plans.read(db, mine, start, until) if start < until else {}
    day_limit.check(planned.values(), start, until)
    if start < last:
        closed = done.add(calendar.rebuild_slice(db, mine, planned, start, last, mark))
    strands = closed if shut is None else shut
    stranded = reservations.touching(db, strands, start)
    return mine, mark, PlanOutcome(written, done, stranded)


def _add_stranded(db: Database, outcome: PlanOutcome, closed: Intervals, start: int) -> None:
    known = {row.id for row in outcome.stranded}
    touched = reservations.touching(db, closed, start)
    outcome.stranded.extend(row for row in touched if row.id not in known)


def _finish(
    db: Database, mine: Entreprise, end: int, mark: int, far: int, done: CalendarChange,
    budget: Budget,
) -> None:
    """Updates the remaining slots up to `end`. Stops early if the time limit `budget` is reached,
    or if another transaction has locked the calendar."""

    def next_slice() -> tuple[Entreprise, Differences] | None:
        present = calendar.lock(db, mine.id)
        if present.calendrier_version != mine.calendrier_version + 1:
            return None
        start = present.calendrier_jusqua
        planned = stored_plans.read(db, present, start, end)
        return present, calendar.rebuild_slice(db, present, planned, start, end, mark)

    while mine.calendrier_jusqua < mark:
        found = None if budget.is_spent() else transaction(db, next_slice)
        if found is None:
            return
        mine = found[0]
        done.add(found[1])
        done.until = mine.calendrier_jusqua if mine.calendrier_jusqua < max(mark, far) else None


def rehearse(
    db: Database, mine: Entreprise, planned: Plans, start: int, end: int = FOREVER,
    shut: Intervals | None = None,
) -> tuple[CalendarChange, list[ReservationRecord]]:
    """Returns the CalendarChange and the stranded bookings that the new plans `planned` would
    cause. Writes nothing. Raises TooManySlots and CalendarTooLarge as `change` does."""
    day_limit.check(planned.values(), start, end)
    sizes = size_limit.sizes(db, mine.id)
    size_limit.check(sizes, {**sizes, **size_limit.sizes_of(planned, mine.horizon_jours)})
    mark, done = mine.calendrier_jusqua, CalendarChange()
    last, far = min(end, mark), min(end, max(mark, reconciling.end_of_stored(db, mine.id)))
    closed: Intervals = {}
    compared = start
    if start < last:
        compared = calendar.end_of_slice(db, planned, start, last, REHEARSED)
        closed = done.add({
            id: reconciling.difference(db, id, plan, start, compared)
            for id, plan in planned.items()
        })
    if compared < far:
        done.until = compared if compared < last else mark
        later = _closed(db, planned, compared, far)
        closed = {id: [*closed.get(id, ()), *later[id]] for id in planned}
    return done, reservations.touching(db, closed if shut is None else shut, start)


def _closed(db: Database, planned: Plans, start: int, end: int) -> Intervals:
    """Returns the times of the booked slots in [start, end) that the new plans close. Omits slots
    that are closed already. `change` needs no lock here: slots from `start` on take no new
    bookings until they follow the new plans."""
    closed = {}
    for id, plan in planned.items():
        booked = reconciling.booked_between(db, id, start, end, open_only=True)
        planned_terms = zip(booked, plan.terms(booked), strict=True)
        closed[id] = [interval for interval, terms in planned_terms if not terms.ouvert]
    return closed
