"""The stored calendar of a business: the slots of all its persons and rooms.

The plan of a business consists of its weekly hours and its events. The slots follow the plan up to
the time `calendrier_jusqua`, called the mark. After the mark, slots may be missing or follow an
older plan, so `extend` rebuilds these slots before they are read or booked. A change of the plan
only moves the mark back to the start of the change, and rebuilds one slice of the slots. Further
slices are rebuilt later, each in a short transaction that moves the mark forward.

To avoid deadlocks, all transactions take locks in this order: the row of the business, then slots
by start. A change of the calendar locks the row by a write (`lock`), because a Galera cluster
replicates writes, but not locks. A booking takes a shared lock on the row (`terms`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import reconciling, stored_plans
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.reconciling import Difference
from reservation.domain.calendar.terms import touch
from reservation.domain.calendar.window import horizon
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise

Result = TypeVar("Result")

SLICE = 500  # slots changed in one transaction, which takes about 20 ms
_MOST_SLICES = 10_000
_ATTEMPTS = 4  # `run` gives up if this many attempts raise CalendarBehind
_STARTS = (
    "SELECT debut FROM creneau WHERE ressource_id = ? AND debut >= ? AND debut < ?"
    " ORDER BY debut LIMIT 1 OFFSET ?"
)
_SET_MARK = "UPDATE entreprise SET calendrier_jusqua = ? WHERE id = ?"


@dataclass(slots=True)
class CalendarRecord:
    """The columns of entreprise that are needed to extend a calendar."""

    id: int
    fuseau: str
    horizon_jours: int
    calendrier_jusqua: int


# Plain SQL for speed, because every night extends the calendars of all active businesses.
SELECT = f"SELECT {records.columns(CalendarRecord)} FROM entreprise"


class CalendarBehind(Exception):
    """The calendar of `entreprise` must be extended up to `until` before its slots are used."""

    def __init__(self, entreprise: Any, until: int) -> None:
        super().__init__()
        self.entreprise, self.until = entreprise, until


def lock(db: Database, entreprise_id: int) -> Entreprise:
    """Locks the calendar of a business until the transaction ends. Returns the business."""
    touch(db, entreprise_id)
    return read(db, entreprise_id)


def read(db: Database, entreprise_id: int) -> Entreprise:
    found: Entreprise = records.find(db, Entreprise, entreprise_id)
    return found


def check(entreprise: Any, until: int, now: int) -> None:
    """Raises CalendarBehind if the calendar is not correct up to `until`.

    Call while the row of the business is locked.
    """
    if entreprise.calendrier_jusqua < _needed(entreprise, until, now):
        raise CalendarBehind(entreprise, until)


def run(db: Database, work: Callable[[], Result], now: int) -> Result:
    """Runs `work` in a transaction. If `work` raises CalendarBehind, extends the calendar and
    runs `work` again.

    Raises CalendarNotReady if the extension takes too long or the plan keeps changing.
    """
    for _ in range(_ATTEMPTS):
        try:
            return transaction(db, work)
        except CalendarBehind as ex:
            extend(db, ex.entreprise, ex.until, now, Budget())
    raise CalendarNotReady()


def extend(
    db: Database, entreprise: Any, until: int, now: int, budget: Budget = UNLIMITED
) -> None:
    """Makes the calendar correct up to `until`, but not beyond the horizon.

    Rounds `until` up to midnight. Several processes may extend a calendar at the same time. Raises
    CalendarNotReady if the budget is spent before the calendar is correct. The next call continues
    where this call stopped.
    """
    until = _needed(entreprise, until, now)
    for _ in range(_MOST_SLICES):
        if entreprise.calendrier_jusqua >= until:
            return
        if budget.is_spent():
            break
        mine = transaction(db, lambda: next_slice(db, entreprise.id, until, now))
        entreprise.calendrier_jusqua = mine.calendrier_jusqua
    raise CalendarNotReady()


def _needed(entreprise: Any, until: int, now: int) -> int:
    """Returns the value that `calendrier_jusqua` must reach: `until` rounded up to midnight, but
    at most the horizon. Returns 0 if the calendar is already correct up to `until`, or if `until`
    is in the past, where slots are never created.
    """
    if until <= now or until <= entreprise.calendrier_jusqua:
        return 0
    day = instants.midnight_after(until - 1, instants.zone_of(entreprise.fuseau), 1)
    return min(day, horizon(entreprise, now))


def next_slice(
    db: Database, entreprise_id: int, until: int | None, now: int
) -> CalendarRecord:
    """Rebuilds the next slice of a calendar, and sets `calendrier_jusqua` to the end of this
    slice. The slice ends at `until` at the latest, or at the horizon if `until` is None. Returns
    the calendar. Call within a transaction."""
    touch(db, entreprise_id)
    mine = CalendarRecord(*db.rows(f"{SELECT} WHERE id = ?", entreprise_id)[0])
    today = instants.midnight_after(now, instants.zone_of(mine.fuseau), 0)
    end = horizon(mine, now) if until is None else until
    start = max(mine.calendrier_jusqua, today)
    if start < end:
        rebuild_slice(db, mine, start, end, end)
    return mine


def rebuild_slice(
    db: Database, mine: Entreprise | CalendarRecord, start: int, end: int, mark: int
) -> dict[int, Difference]:
    """Rebuilds the slots of the business `mine` that start in [start, end). If these slots are too
    many for one slice, rebuilds only the first slice. Returns the changes by `ressource_id`.

    Sets `calendrier_jusqua` to `mark` if all slots were rebuilt, else to the end of the slice.
    """
    planned = stored_plans.read(db, mine, start, end)
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
    """Returns the end of the slice that begins at `start`: `end`, or an earlier time.

    The persons and rooms in `planned` have, in total, at most about `most` planned slots and
    `most` stored slots in the slice.
    """
    most = max(1, most // max(1, len(planned)))
    for ressource_id, plan in planned.items():
        end = plan.end_of_slice(start, end, most)
        stored = db.rows(_STARTS, ressource_id, start, end, most)
        end = stored[0][0] if stored else end
    return end
