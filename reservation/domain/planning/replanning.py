"""Changes the plan of a business, and applies the change to its calendar and its bookings."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from reservation.domain.booking import reservations
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import calendar, plans, reconciling
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.reconciling import Difference
from reservation.domain.calendar.timetable import Interval
from reservation.errors import DatabaseUnavailable
from reservation.storage.database import UNAVAILABLE, Database, transaction
from reservation.storage.models import Entreprise

FOREVER = 2**62  # after every mark
REHEARSED = 20_000  # slots that a rehearsal compares, without locks


@dataclass(slots=True)
class CalendarChange:
    """The numbers of changed slots. Booked slots are kept.

    `until` is the instant up to which the calendar follows the plan, None for all of it.
    """

    added: int = 0
    removed: int = 0
    kept: int = 0
    until: int | None = None

    def add(self, done: Difference) -> None:
        self.added += len(done.new)
        self.removed += len(done.surplus)
        self.kept += len(done.frozen)


class PlanOutcome(NamedTuple):
    """The result of `write`, the change of the calendar, and the stranded bookings."""

    written: Any
    change: CalendarChange
    stranded: list[ReservationRecord]


def change(
    db: Database, entreprise_id: int, write: Callable[[Entreprise], Any], start: int,
    end: int = FOREVER, shut: list[Interval] | None = None, budget: Budget = UNLIMITED,
) -> PlanOutcome:
    """Changes the plan of a business for [start, end) by calling `write`.

    The change takes effect with the first transaction. The existing calendar follows in slices
    while the budget lasts; the rest follows when it is needed. The bookings in `shut` are
    stranded, by default the bookings in the slots that the new plan closes.
    """
    begin = partial(_begin, db, entreprise_id, write, start, end, shut)
    mine, mark, outcome = transaction(db, begin)
    with suppress(DatabaseUnavailable, *UNAVAILABLE):  # the plan has been changed
        followed = max(start, mine.calendrier_jusqua)
        far = min(end, max(mark, reconciling.end_of_stored(db, entreprise_id)))
        if followed < far:
            outcome.change.until = mine.calendrier_jusqua
            if shut is None:
                plan = plans.read(db, mine, followed, far)
                _add_stranded(db, mine, outcome, _closed(db, mine, plan, followed, far), start)
            _finish(db, mine, min(end, mark), mark, far, outcome.change, budget)
    return outcome


def _begin(
    db: Database, entreprise_id: int, write: Callable[[Entreprise], Any], start: int, end: int,
    shut: list[Interval] | None,
) -> tuple[Entreprise, int, PlanOutcome]:
    """Changes the plan and the first slice. Returns the business, its old mark, the outcome."""
    mine = calendar.lock(db, entreprise_id)
    mark, written, done = mine.calendrier_jusqua, write(mine), CalendarChange()
    closed: list[Interval] = []
    if start < min(end, mark):
        mine = calendar.read(db, entreprise_id)  # as `write` left it
        found = calendar.rebuild_slice(db, mine, start, min(end, mark), mark)
        done.add(found)
        closed = found.closed
    strands = closed if shut is None else shut
    stranded = reservations.touching(db, entreprise_id, strands, start)
    return mine, mark, PlanOutcome(written, done, stranded)


def _add_stranded(
    db: Database, mine: Entreprise, outcome: PlanOutcome, closed: list[Interval], start: int
) -> None:
    known = {row.id for row in outcome.stranded}
    touched = reservations.touching(db, mine.id, closed, start)
    outcome.stranded.extend(row for row in touched if row.id not in known)


def _finish(
    db: Database, mine: Entreprise, end: int, mark: int, far: int, done: CalendarChange,
    budget: Budget,
) -> None:
    """Brings the rest up to `end` into line, unless another change begins meanwhile."""

    def next_slice() -> tuple[Entreprise, Difference] | None:
        present = calendar.lock(db, mine.id)
        if present.calendrier_version != mine.calendrier_version + 1:
            return None
        start = present.calendrier_jusqua
        return present, calendar.rebuild_slice(db, present, start, end, mark)

    while mine.calendrier_jusqua < mark:
        found = None if budget.is_spent() else transaction(db, next_slice)
        if found is None:
            return
        mine = found[0]
        done.add(found[1])
        done.until = mine.calendrier_jusqua if mine.calendrier_jusqua < max(mark, far) else None


def rehearse(
    db: Database, mine: Entreprise, plan: Plan, start: int, end: int = FOREVER,
    shut: list[Interval] | None = None,
) -> tuple[CalendarChange, list[ReservationRecord]]:
    """Returns what `change` to this plan would do, without writing."""
    mark, done = mine.calendrier_jusqua, CalendarChange()
    last, far = min(end, mark), min(end, max(mark, reconciling.end_of_stored(db, mine.id)))
    closed: list[Interval] = []
    compared = start
    if start < last:
        compared = calendar.end_of_slice(db, mine, plan, start, last, REHEARSED)
        found = reconciling.difference(db, mine.id, plan, start, compared)
        done.add(found)
        closed = found.closed
    if compared < far:
        done.until = compared if compared < last else mark
        closed = closed + _closed(db, mine, plan, compared, far)
    strands = closed if shut is None else shut
    return done, reservations.touching(db, mine.id, strands, start)


def _closed(
    db: Database, mine: Entreprise, plan: Plan, start: int, end: int
) -> list[Interval]:
    """Returns the open slots of [start, end) that are booked and that the plan closes.

    Needs no lock, because no slot beyond the mark can be booked.
    """
    booked = reconciling.booked_between(db, mine.id, start, end, open_only=True)
    closing = zip(booked, plan.capacities(booked), strict=True)
    return [interval for interval, capacity in closing if not capacity]
