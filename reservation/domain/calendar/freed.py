"""Makes the slots that a booking releases follow the plan again.

A booked slot stays as it is when the plan changes. When its last booking is cancelled or moved
away, the slot may lie outside the hours, or the slots of the plan may begin at other times.
"""

from collections.abc import Callable, Sequence
from functools import partial

from reservation.domain.calendar import calendar, reconciling, stored_plans
from reservation.domain.calendar.plans import LONGEST_SLOT
from reservation.domain.calendar.stored_slots import Hold, Holds
from reservation.domain.calendar.terms import BusinessTerms
from reservation.domain.calendar.timetable import WEEK
from reservation.storage.database import Database, Result
from reservation.storage.sqlite import Row

# Plain SQL and tuples for speed: every cancellation runs this query.
_NEAR = (
    "SELECT debut, fin, ouverture, ouvert, places_prises FROM creneau"
    " WHERE ressource_id = ? AND debut > ? AND debut < ? AND fin >= ? ORDER BY debut"
)
DEBUT, FIN, TAKEN = 0, 1, 4  # positions in a row of _NEAR


class PlanNotFollowed(Exception):
    """Slots must be rebuilt to follow the plan, but the calendar is not locked exclusively."""


def run(db: Database, work: Callable[..., Result], now: int) -> Result:
    """Runs `work` as `calendar.run` does. After PlanNotFollowed, runs `work` again with
    `alone=True`. Then `work` must lock the calendar exclusively before it locks slots.

    The first run only shares the lock of the calendar, so that bookings need not wait. The first
    run cannot make this lock exclusive, because two runs that try to do so would deadlock.
    """
    try:
        return calendar.run(db, work, now)
    except PlanNotFollowed:
        return calendar.run(db, partial(work, alone=True), now)


def follow_plan(
    db: Database, entreprise: BusinessTerms, released: Holds, now: int, alone: bool
) -> None:
    """Rebuilds the slots near the holds in `released` if these slots do not follow the plan. If
    `alone` is False, raises PlanNotFollowed instead of rebuilding slots (see `run`).

    Call in the transaction that has changed the booking, after a call of `terms` with the same
    `alone`.
    """
    for hold in sorted(released):
        _follow_plan(db, entreprise, hold, now, alone)


def _follow_plan(
    db: Database, entreprise: BusinessTerms, hold: Hold, now: int, alone: bool
) -> None:
    number, mark = hold.ressource_id, entreprise.calendrier_jusqua
    near = _near(db, hold, mark)
    freed = [
        slot for slot in near
        if slot[DEBUT] < hold.fin and slot[FIN] > hold.debut
        and slot[DEBUT] >= now and not slot[TAKEN]
    ]
    if not freed or _fit(near, freed, hold.fin):
        return
    first, last = freed[0][DEBUT], freed[-1][FIN]
    # Rebuild from the end of the slot before the first freed slot. The earlier slots stay.
    ends = [slot[FIN] for slot in near if slot[FIN] <= first]
    start = max(now, max(ends, default=first - LONGEST_SLOT))
    plan = stored_plans.read(db, entreprise, start, last + WEEK, number)[number]
    runs = [run for run in plan.runs(start, last) if run.debut < last]
    end = min(max([last, *(run.fin for run in runs)]), mark)
    if alone:
        # Rebuild only this calendar. In another calendar, `end` may be in the middle of an
        # opening, and the rest of that opening would keep its old slots.
        planned = stored_plans.read(db, entreprise, start, end, number)
        calendar.rebuild_slice(db, entreprise, planned, start, end, mark)
        return
    until = min(last + LONGEST_SLOT, end)
    if not reconciling.difference(db, number, plan, start, until).is_followed:
        raise PlanNotFollowed()


def _near(db: Database, hold: Hold, mark: int) -> Sequence[Row]:
    """Returns the slots near a hold, up to the mark. Looks back by the length of the hold, and
    ahead by four times its length, because `_fit` needs later slots."""
    length = hold.fin - hold.debut
    since, until = hold.debut - length, min(hold.fin + 4 * length, mark)
    return db.rows(_NEAR, hold.ressource_id, since - LONGEST_SLOT, until, since)


def _fit(near: Sequence[Row], freed: Sequence[Row], fin: int) -> bool:
    """Returns True if the freed slots certainly follow the plan. Does not read the plan.

    Unbooked slots after the released hold, which ends at `fin`, follow the plan. All planned slots
    of an opening have the same length. So each freed slot must have the opening and the length of
    one of these unbooked slots.
    """
    grids = {
        (ouverture, end - debut)
        for debut, end, ouverture, _, taken in near if debut >= fin and not taken
    }
    ends = {slot[FIN] for slot in near}
    return all(
        ouvert and (ouverture, end - debut) in grids and (debut == ouverture or debut in ends)
        for debut, end, ouverture, ouvert, _ in freed
    )
