"""The weekly hours of a business, and the effects of new hours on its calendar."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import day_limit, stored_plans, timetable
from reservation.domain.calendar.terms import NOT_OFFERED
from reservation.domain.calendar.timetable import Opening
from reservation.domain.planning import replanning
from reservation.domain.planning.replanning import PlanOutcome
from reservation.errors import Fault, InvalidInput
from reservation.storage.database import Database, check_version, update_row
from reservation.storage.models import Entreprise, Prestation, SemaineType

LONGER_THAN_OPENING = Fault("longer_than_opening", "must not be longer than the opening")
Rows = Sequence[dict[str, Any]]


def read(db: Database, entreprise_id: int) -> list[SemaineType]:
    rows = SemaineType.select().where(_of_business(entreprise_id))
    return list(rows.order_by(SemaineType.jour, SemaineType.debut).execute(db))


def _of_business(entreprise_id: int) -> Any:
    return (SemaineType.entreprise == entreprise_id) & SemaineType.ressource.is_null()


def replace(
    db: Database, entreprise: Entreprise, rows: Rows, now: int, version: int | None = None,
    budget: Budget = UNLIMITED,
) -> PlanOutcome:
    """Replaces the weekly hours, and updates the calendar within the time limit `budget`. The
    outcome has the new openings as `written`.

    Raises StaleVersion if `version` is given and is not the version of the business. Raises
    InvalidInput if an opening overlaps another opening, is shorter than a slot, or is for a
    service that the business does not offer. A retired service is refused only if no stored
    opening is for it. Raises TooManySlots as `day_limit.check` does.
    """
    check(db, entreprise, rows)

    def write(mine: Entreprise) -> list[SemaineType]:
        update_row(db, Entreprise, mine.id, version, {})
        SemaineType.delete().where(_of_business(mine.id)).execute(db)
        if rows:
            SemaineType.insert_many([{**row, "entreprise": mine.id} for row in rows]).execute(db)
        return read(db, mine.id)

    return replanning.change(db, entreprise.id, write, now, budget=budget)


def rehearse(
    db: Database, entreprise: Entreprise, rows: Rows, now: int, version: int | None = None
) -> PlanOutcome:
    """Returns what `replace` would do, without writing. Raises the same exceptions."""
    check(db, entreprise, rows)
    check_version(entreprise, version)
    rows = sort(rows)
    until = max(entreprise.calendrier_jusqua, now + day_limit.AHEAD)
    events = stored_plans.read_events(db, entreprise.id, now, until)
    others = [row for row in stored_plans.read_week(db, entreprise.id) if row[0] is not None]
    week = [*others, *((None, opening) for opening in openings_of(rows))]
    planned = stored_plans.of_ressources(db, entreprise, week, events)
    change, stranded = replanning.rehearse(db, entreprise, planned, now)
    return PlanOutcome([SemaineType(**row) for row in rows], change, stranded)


def sort(rows: Rows) -> Rows:
    return sorted(rows, key=itemgetter("jour", "debut"))


def openings_of(rows: Rows) -> list[Opening]:
    return [Opening(*(row[column] for column in Opening._fields)) for row in rows]


def check(db: Database, entreprise: Entreprise, rows: Rows, field: str = "") -> None:
    """Raises InvalidInput as `replace` does. `field` is the path of the list in the input."""
    openings = openings_of(rows)
    faults = {}
    for one, other in timetable.overlapping(openings):
        message = f"overlaps entry {one} of the list"
        faults[f"{field}{other}.debut"] = Fault("overlap", message, opening=one)
    # A retired service is allowed if a stored opening is for this service, because the site sends
    # all stored openings again.
    stored = SemaineType.select(SemaineType.prestation).where(
        (SemaineType.entreprise == entreprise.id) & SemaineType.prestation.is_null(False)
    )
    offered = (Prestation.actif == True) | Prestation.id.in_(stored)  # noqa: E712
    mine = Prestation.select(Prestation.id).where(Prestation.entreprise == entreprise.id, offered)
    known = {row.id for row in mine.execute(db)}
    for number, opening in enumerate(openings):
        if opening.prestation_id not in known | {None}:
            faults[f"{field}{number}.prestation_id"] = NOT_OFFERED
        if opening.length < opening.pas_minutes:
            faults[f"{field}{number}.pas_minutes"] = LONGER_THAN_OPENING
    if faults:
        raise InvalidInput(faults)
