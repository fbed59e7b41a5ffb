"""The stored calendar of a business, true up to its mark, `calendrier_jusqua`.

Before the mark the creneaux are those of the plan. Beyond it there may be none, or those of
an older plan: `extend` brings them into line before anybody reads or books them. A change of
the plan lowers the mark to where the change begins, so it takes effect at once however much
calendar it concerns; the mark rises again in slices, each a short transaction.

Whoever changes a calendar first writes its business (`lock`), and whoever books reads the
business with a shared lock (`booking`). Both then take the creneaux by start. One order of
locks avoids deadlocks. The write is needed beside the lock: Galera replicates writes only.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from reservation.domain import instants, plans, reconciling, reservations
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.plans import Plan, zone_of
from reservation.domain.reconciling import Difference
from reservation.domain.reservations import Listed
from reservation.errors import CalendarNotReady, DatabaseUnavailable
from reservation.storage.database import UNAVAILABLE, Database, transaction
from reservation.storage.models import Entreprise

Result = TypeVar("Result")
Intervals = list[tuple[int, int]]

SLICE = 500  # creneaux that one transaction brings into line: it holds its locks some 20 ms
REHEARSED = 20_000  # creneaux that a rehearsal compares: it holds no locks
_MOST_SLICES = 10_000
_ATTEMPTS = 3  # to book while somebody keeps changing the plan
_LOCK = "UPDATE entreprise SET calendrier_version = calendrier_version + 1 WHERE id = ?"
_STARTS = (
    "SELECT debut FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " ORDER BY debut LIMIT 1 OFFSET ?"
)
_MARK = "UPDATE entreprise SET calendrier_jusqua = ? WHERE id = ?"


class Behind(Exception):
    """The calendar is not true up to the end of a visit: its plan has just been changed."""


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
    touchees: list[Listed]


def horizon(entreprise: Any, now: int) -> int:
    """The first instant that cannot be booked yet: the end of the last day that can."""
    return instants.midnight_after(now, zone_of(entreprise), entreprise.horizon_jours + 1)


def lock(db: Database, entreprise_id: int) -> Entreprise:
    """Returns the business, whose calendar nobody else changes until the transaction ends."""
    db.write(_LOCK, entreprise_id)
    return _read(db, entreprise_id)


def _read(db: Database, entreprise_id: int) -> Entreprise:
    return Entreprise.select().where(Entreprise.id == entreprise_id).get(db)


def share(db: Database, entreprise_id: int) -> None:
    """Makes a booking on one node of a cluster meet a change of the calendar on another.

    There the shared lock of the business is not enough, nor is the foreign key of a new
    reservation: both are checked on one node alone. So a booking writes what a change writes.
    """
    if db.clustered:
        db.write(_LOCK, entreprise_id)


def lagging(db: Database, now: int) -> list[Entreprise]:
    """Returns the active businesses whose calendar is not made up to its horizon."""
    columns = (
        Entreprise.id, Entreprise.fuseau, Entreprise.horizon_jours,
        Entreprise.calendrier_jusqua,
    )
    rows = Entreprise.select(*columns).where(Entreprise.actif).order_by(Entreprise.id)
    return [row for row in rows.execute(db) if row.calendrier_jusqua < horizon(row, now)]


def needed(entreprise: Any, until: int, now: int) -> int:
    """The mark that a calendar needs for what lies before `until`: whole days, within the
    horizon."""
    day = instants.midnight_after(until - 1, zone_of(entreprise), 1)
    return min(day, horizon(entreprise, now))


def check(entreprise: Any, until: int, now: int) -> None:
    """Raises Behind unless the calendar is true up to `until`. Call it under the lock."""
    if entreprise.calendrier_jusqua < needed(entreprise, until, now):
        raise Behind()


def extend(
    db: Database,
    entreprise: Any,
    until: int,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> None:
    """Makes the calendar true up to `until`, by whole days, within the horizon.

    Any number of processes may do this at once: one moves the mark, the others see it moved.
    Raises CalendarNotReady if the budget is spent before; another call goes on from there.
    """
    now = int(time.time()) if now is None else now
    until = needed(entreprise, until, now)
    for _ in range(_MOST_SLICES):
        if entreprise.calendrier_jusqua >= until:
            return
        if budget.spent:
            break
        mark = transaction(db, lambda: _next_slice(db, entreprise.id, until, now))
        entreprise.calendrier_jusqua = mark
    raise CalendarNotReady()


def _next_slice(db: Database, entreprise_id: int, until: int, now: int) -> int:
    """Raises the mark by one slice, at most to `until`; returns the new mark."""
    mine = lock(db, entreprise_id)
    today = instants.midnight(instants.local_date(now, zone_of(mine)), zone_of(mine))
    start = max(mine.calendrier_jusqua, today)
    if start < until:
        _rebuild_slice(db, mine, start, until, until)
    return int(mine.calendrier_jusqua)


def _rebuild_slice(
    db: Database, mine: Entreprise, start: int, end: int, mark: int
) -> Difference:
    """Brings the slice from `start` into line, and moves the mark to its end.

    Once that is `end`, all is in line up to `mark`.
    """
    plan = plans.read(db, mine, start, end)
    until = _end_of_slice(db, mine, plan, start, end, SLICE)
    done = reconciling.rebuild(db, mine.id, plan, start, until)
    _set_mark(db, mine, mark if until >= end else until)
    return done


def _end_of_slice(
    db: Database, mine: Entreprise, plan: Plan, start: int, end: int, most: int
) -> int:
    """Returns how far from `start` about `most` creneaux reach: planned ones, or stored ones."""
    stored = db.rows(_STARTS, mine.id, start, end, most)
    return min(plan.end_of_slice(start, end, most), stored[0][0] if stored else end)


def _set_mark(db: Database, mine: Entreprise, mark: int) -> None:
    mine.calendrier_jusqua = mark
    db.write(_MARK, mark, mine.id)


def upon(
    db: Database, entreprise: Any, until: int, now: int, work: Callable[[], Result]
) -> Result:
    """Runs `work` in a transaction, on a calendar that is true up to `until`.

    `work` calls `check`. Raises CalendarNotReady.
    """
    for _ in range(_ATTEMPTS):
        extend(db, entreprise, until, now, Budget())
        try:
            return transaction(db, work)
        except Behind:
            entreprise = _read(db, entreprise.id)
    raise CalendarNotReady()


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
        mine = lock(db, entreprise_id)
        mark, done = mine.calendrier_jusqua, Changed(write(mine), Change(), [])
        closed: Intervals = []
        if start < (last := _last(end, mark)):
            mine = _read(db, entreprise_id)  # as `write` left it
            found = _rebuild_slice(db, mine, start, last, mark)
            done.calendrier.add(found)
            closed = found.closed
        strands = closed if shut is None else shut
        done.touchees.extend(reservations.touching(db, entreprise_id, strands, start))
        return mine, mark, done

    mine, mark, done = transaction(db, begin)
    if mine.calendrier_jusqua < mark:
        done.calendrier.jusqua = mine.calendrier_jusqua
        with suppress(DatabaseUnavailable, *UNAVAILABLE):  # the change itself stands
            last = _last(end, mark)
            if shut is None:
                plan = plans.read(db, mine, mine.calendrier_jusqua, last)
                rest = _closed(db, mine, plan, mine.calendrier_jusqua, last)
                known = {one.id for one in done.touchees}
                touched = reservations.touching(db, entreprise_id, rest, start)
                done.touchees.extend(one for one in touched if one.id not in known)
            _finish(db, mine, last, mark, done.calendrier, budget)
    return done


def _last(end: int | None, mark: int) -> int:
    return mark if end is None else min(end, mark)


def _finish(
    db: Database, mine: Entreprise, end: int, mark: int, done: Change, budget: Budget
) -> None:
    """Brings the rest up to `end` into line, unless somebody else moves the mark meanwhile."""

    def next_slice() -> tuple[Entreprise, Difference] | None:
        present = lock(db, mine.id)
        if present.calendrier_version != mine.calendrier_version + 1:
            return None
        start = present.calendrier_jusqua
        return present, _rebuild_slice(db, present, start, end, mark)

    while mine.calendrier_jusqua < mark:
        found = None if budget.spent else transaction(db, next_slice)
        if found is None:
            return
        mine = found[0]
        done.add(found[1])
        done.jusqua = mine.calendrier_jusqua if mine.calendrier_jusqua < mark else None


def rehearse(
    db: Database,
    mine: Entreprise,
    plan: Plan,
    start: int,
    end: int | None = None,
    shut: Intervals | None = None,
) -> Changed:
    """Returns what `change` to this plan would do, and writes nothing."""
    done, last = Changed(None, Change(), []), _last(end, mine.calendrier_jusqua)
    closed: Intervals = []
    if start < last:
        until = _end_of_slice(db, mine, plan, start, last, REHEARSED)
        found = reconciling.difference(db, mine.id, plan, start, until)
        done.calendrier.add(found)
        done.calendrier.jusqua = until if until < last else None
        closed = found.closed + _closed(db, mine, plan, until, last)
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
