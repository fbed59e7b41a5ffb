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
from typing import Any, TypeVar

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import plans, reconciling
from reservation.domain.calendar.plans import Plan, zone_of
from reservation.domain.calendar.reconciling import Difference
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise

Result = TypeVar("Result")

SLICE = 500  # creneaux that one transaction brings into line: it holds its locks some 20 ms
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


def horizon(entreprise: Any, now: int) -> int:
    """The first instant that cannot be booked yet: the end of the last day that can."""
    return instants.midnight_after(now, zone_of(entreprise), entreprise.horizon_jours + 1)


def lock(db: Database, entreprise_id: int) -> Entreprise:
    """Returns the business, whose calendar nobody else changes until the transaction ends."""
    db.write(_LOCK, entreprise_id)
    return read(db, entreprise_id)


def read(db: Database, entreprise_id: int) -> Entreprise:
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
    horizon. The past needs none: it stays as it is."""
    if until <= now:
        return 0
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
        if budget.is_spent():
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
        rebuild_slice(db, mine, start, until, until)
    return int(mine.calendrier_jusqua)


def rebuild_slice(
    db: Database, mine: Entreprise, start: int, end: int, mark: int
) -> Difference:
    """Brings the slice from `start` into line, and moves the mark to its end.

    Once that is `end`, all is in line up to `mark`.
    """
    plan = plans.read(db, mine, start, end)
    until = end_of_slice(db, mine, plan, start, end, SLICE)
    done = reconciling.rebuild(db, mine.id, plan, start, until)
    _set_mark(db, mine, mark if until >= end else until)
    return done


def end_of_slice(
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
            entreprise = read(db, entreprise.id)
    raise CalendarNotReady()
