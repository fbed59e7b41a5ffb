"""The stored calendar of a business: the slots of its persons and rooms.

The plan consists of the weekly hours and the events. The slots are computed from the plan.

The column `calendrier_jusqua` is the mark. The stored slots before the mark match the plan; later
slots may be missing or outdated. `extend` rebuilds slots in short transactions and moves the mark
forward, and a change of the plan moves the mark back.

To avoid deadlocks, each transaction locks the row of the business first, and then the slots.
`lock` writes the row, because a Galera cluster replicates writes, but not locks. A booking takes a
shared lock on the row (see `terms`).
"""

from collections.abc import Callable, Mapping
from typing import Any

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import reconciling, stored_plans
from reservation.domain.calendar.availability import horizon
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.reconciling import Difference
from reservation.domain.calendar.terms import Business, BusinessTerms, terms, touch
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database, Result, transaction
from reservation.storage.models import Entreprise

SLICE = 500  # one transaction changes up to about this many slots, in about 20 ms
_MOST_SLICES = 10_000
_ATTEMPTS = 4
_STARTS = (
    "SELECT debut FROM creneau WHERE ressource_id = ? AND debut >= ? AND debut < ?"
    " ORDER BY debut LIMIT 1 OFFSET ?"
)
_SET_MARK = "UPDATE entreprise SET calendrier_jusqua = ? WHERE id = ?"


class CalendarBehind(Exception):
    """The calendar must be extended for a visit at `debut` that ends `reach` seconds later."""

    def __init__(self, entreprise: Any, debut: int, reach: int) -> None:
        super().__init__()
        self.entreprise, self.debut, self.reach = entreprise, debut, reach


def lock(db: Database, entreprise_id: int) -> Entreprise:
    """Locks the calendar of a business until the transaction ends, and returns the business."""
    touch(db, entreprise_id)
    return records.get(db, Entreprise, entreprise_id)


def check(entreprise: Any, debut: int, reach: int, now: int) -> None:
    """Raises CalendarBehind if slots of a visit at `debut` may be missing or outdated. The visit
    ends `reach` seconds later.

    Call while the row of the business is locked.
    """
    if entreprise.calendrier_jusqua < _needed(entreprise, debut, reach, now):
        raise CalendarBehind(entreprise, debut, reach)


def run(db: Database, work: Callable[[], Result], now: int) -> Result:
    """Runs `work` in a transaction. After CalendarBehind, extends the calendar and runs `work`
    again.

    Raises CalendarNotReady if the extension takes too long or several attempts fail.
    """
    for _ in range(_ATTEMPTS):
        try:
            return transaction(db, work)
        except CalendarBehind as ex:
            extend(db, ex.entreprise, ex.debut, now, Budget(), ex.reach)
    raise CalendarNotReady()


def extend(
    db: Database, entreprise: Any, end: int, now: int, budget: Budget = UNLIMITED, reach: int = 0
) -> None:
    """Updates the stored slots for visits that start before `end` and before the horizon, and end
    at most `reach` seconds later. Updates whole days.

    Several processes may extend a calendar at the same time. Raises CalendarNotReady if the budget
    is spent; the next call continues the work.
    """
    until = _needed(entreprise, end, reach, now)
    for _ in range(_MOST_SLICES):
        if entreprise.calendrier_jusqua >= until:
            return
        if budget.is_spent():
            break
        mine = transaction(db, lambda: next_slice(db, entreprise.id, until, now))
        entreprise.calendrier_jusqua = mine.calendrier_jusqua
    raise CalendarNotReady()


def _needed(entreprise: Any, end: int, reach: int, now: int) -> int:
    """Returns the time up to which the calendar must be extended, or 0 for no extension."""
    if end + reach <= max(now, entreprise.calendrier_jusqua):
        return 0
    until = min(end, horizon(entreprise, now)) + reach
    return instants.midnight_after(until - 1, instants.zone_of(entreprise.fuseau), 1)


def next_slice(
    db: Database, entreprise_id: int, until: int | None, now: int
) -> BusinessTerms:
    """Rebuilds up to about SLICE slots after `calendrier_jusqua`, and moves `calendrier_jusqua`
    forward.

    Stops at `until`, or at the horizon if `until` is None. Returns the calendar. Call within a
    transaction.
    """
    touch(db, entreprise_id)
    mine, _ = terms(db, entreprise_id, None)
    today = instants.midnight_after(now, instants.zone_of(mine.fuseau), 0)
    end = horizon(mine, now) if until is None else until
    start = max(mine.calendrier_jusqua, today)
    if start < end:
        planned = stored_plans.read(db, mine, start, end)
        rebuild_slice(db, mine, planned, start, end, end)
    return mine


def rebuild_slice(
    db: Database, mine: Business, planned: Mapping[int, Plan], start: int, end: int, mark: int
) -> dict[int, Difference]:
    """Rebuilds the slots that start in [start, end), but stops after about SLICE slots. `planned`
    has the plan of each person or room whose slots to rebuild, by id.

    Returns the changes by `ressource_id`. Sets `calendrier_jusqua` to `mark` if all slots were
    rebuilt. Otherwise, sets `calendrier_jusqua` to the time at which the rebuilding stopped.
    """
    until = end_of_slice(db, planned, start, end, SLICE)
    done = {
        ressource_id: reconciling.rebuild(db, ressource_id, plan, start, until)
        for ressource_id, plan in planned.items()
    }
    mine.calendrier_jusqua = mark if until >= end else until
    db.write(_SET_MARK, mine.calendrier_jusqua, mine.id)
    return done


def end_of_slice(
    db: Database, planned: Mapping[int, Plan], start: int, end: int, most: int
) -> int:
    """Returns the end of the slice that begins at `start`: `end` or an earlier time. A slice
    contains at most about `most` planned slots and about `most` stored slots."""
    most = max(1, most // max(1, len(planned)))
    for ressource_id, plan in planned.items():
        end = plan.end_of_slice(start, end, most)
        stored = db.rows(_STARTS, ressource_id, start, end, most)
        end = stored[0][0] if stored else end
    return end
