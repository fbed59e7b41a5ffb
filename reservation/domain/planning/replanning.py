"""What a change of the plan does to the calendar that was made, and to its bookings."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from reservation.domain.booking import reservations
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import calendar, plans, reconciling
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.reconciling import Difference
from reservation.errors import DatabaseUnavailable
from reservation.storage.database import UNAVAILABLE, Database, transaction
from reservation.storage.models import Entreprise

Intervals = list[tuple[int, int]]

REHEARSED = 20_000  # creneaux that a rehearsal compares: it holds no locks


@dataclass(slots=True)
class Change:
    """What became of a calendar, in creneaux; the kept ones are booked.

    `jusqua` is None once all of it is done, else the instant up to which it is.
    """

    ajoutes: int = 0
    supprimes: int = 0
    conserves: int = 0
    jusqua: int | None = None

    def add(self, done: Difference) -> None:
        self.ajoutes += len(done.new)
        self.supprimes += len(done.surplus)
        self.conserves += len(done.frozen)


@dataclass(frozen=True, slots=True)
class Changed:
    """A plan that was changed: what `write` returned, what became of the calendar, and the
    bookings to come that the change strands."""

    written: Any
    calendrier: Change
    touchees: list[ReservationRecord]


def change(
    db: Database,
    entreprise_id: int,
    write: Callable[[Entreprise], Any],
    start: int,
    end: int | None = None,
    shut: Intervals | None = None,
    budget: Budget = UNLIMITED,
) -> Changed:
    """Changes the plan of a business for [start, end), or from `start` on, by `write`.

    The change takes effect with the first transaction. The creneaux follow in slices, as far
    as the calendar was made, while the budget lasts; the rest follows when it is needed.
    Stranded are the bookings of `shut`, by default of what the new plan closes.
    """

    def begin() -> tuple[Entreprise, int, Changed]:
        mine = calendar.lock(db, entreprise_id)
        mark, done = mine.calendrier_jusqua, Changed(write(mine), Change(), [])
        closed: Intervals = []
        if start < (last := _last(end, mark)):
            mine = calendar.read(db, entreprise_id)  # as `write` left it
            found = calendar.rebuild_slice(db, mine, start, last, mark)
            done.calendrier.add(found)
            closed = found.closed
        strands = closed if shut is None else shut
        done.touchees.extend(reservations.touching(db, entreprise_id, strands, start))
        return mine, mark, done

    mine, mark, done = transaction(db, begin)
    with suppress(DatabaseUnavailable, *UNAVAILABLE):  # the change itself stands
        followed = max(start, mine.calendrier_jusqua)
        far = _last(end, max(mark, reconciling.end_of_stored(db, entreprise_id)))
        if followed < far:
            done.calendrier.jusqua = mine.calendrier_jusqua
            if shut is None:
                plan = plans.read(db, mine, followed, far)
                _add_stranded(db, mine, done, _closed(db, mine, plan, followed, far), start)
        if mine.calendrier_jusqua < mark:
            done.calendrier.jusqua = mine.calendrier_jusqua
            _finish(db, mine, _last(end, mark), mark, far, done.calendrier, budget)
    return done


def _add_stranded(
    db: Database, mine: Entreprise, done: Changed, closed: Intervals, start: int
) -> None:
    known = {one.id for one in done.touchees}
    touched = reservations.touching(db, mine.id, closed, start)
    done.touchees.extend(one for one in touched if one.id not in known)


def _last(end: int | None, mark: int) -> int:
    return mark if end is None else min(end, mark)


def _finish(
    db: Database,
    mine: Entreprise,
    end: int,
    mark: int,
    far: int,
    done: Change,
    budget: Budget,
) -> None:
    """Brings the rest up to `end` into line, unless somebody else moves the mark meanwhile."""

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
        done.jusqua = mine.calendrier_jusqua if mine.calendrier_jusqua < max(mark, far) else None


def rehearse(
    db: Database,
    mine: Entreprise,
    plan: Plan,
    start: int,
    end: int | None = None,
    shut: Intervals | None = None,
) -> Changed:
    """Returns what `change` to this plan would do, and writes nothing."""
    mark, done = mine.calendrier_jusqua, Changed(None, Change(), [])
    last = _last(end, mark)
    far = _last(end, max(mark, reconciling.end_of_stored(db, mine.id)))
    closed: Intervals = []
    compared = start
    if start < last:
        compared = calendar.end_of_slice(db, mine, plan, start, last, REHEARSED)
        found = reconciling.difference(db, mine.id, plan, start, compared)
        done.calendrier.add(found)
        closed = found.closed
    if compared < far:
        done.calendrier.jusqua = min(compared, mark) if compared < last else mark
        closed = closed + _closed(db, mine, plan, max(compared, start), far)
    strands = closed if shut is None else shut
    done.touchees.extend(reservations.touching(db, mine.id, strands, start))
    return done


def _closed(db: Database, mine: Entreprise, plan: Plan, start: int, end: int) -> Intervals:
    """Returns the booked creneaux of [start, end) that are open and that the plan closes.

    Nothing beyond the mark can be booked, so this needs no lock.
    """
    booked = reconciling.booked_between(db, mine.id, start, end, open_only=True)
    closing = zip(booked, plan.capacities(booked), strict=True)
    return [interval for interval, capacity in closing if not capacity]
