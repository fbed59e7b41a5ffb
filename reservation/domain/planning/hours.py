"""The weekly hours of a business, and what a new week does to its calendar."""

import time
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.booking.reservations import Listed
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import plans, timetable
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.terms import NOT_OFFERED
from reservation.domain.calendar.timetable import Opening
from reservation.domain.planning import replanning
from reservation.domain.planning.replanning import Change
from reservation.errors import Fault, InvalidInput, StaleVersion
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation, SemaineType

TOO_LONG_STEP = Fault("longer_than_opening", "must not be longer than the opening")
Rows = Sequence[dict[str, Any]]


class Replaced(NamedTuple):
    """A new week, what it did, and the bookings that it leaves outside the opening hours."""

    semaine: list[SemaineType]
    calendrier: Change
    touchees: list[Listed]


def read(db: Database, entreprise_id: int) -> list[SemaineType]:
    rows = SemaineType.select().where(SemaineType.entreprise == entreprise_id)
    return list(rows.order_by(SemaineType.jour, SemaineType.debut).execute(db))


def replace(
    db: Database,
    entreprise: Entreprise,
    rows: Rows,
    now: int | None = None,
    version: int | None = None,
    budget: Budget = UNLIMITED,
) -> Replaced:
    """Replaces the week; the calendar follows, as far as it was made.

    Raises StaleVersion unless `version`, if given, is the business's; InvalidInput if two
    openings overlap, if one is shorter than its creneaux, or if one is reserved for a service
    that the business does not offer.
    """
    now = int(time.time()) if now is None else now
    _check(db, entreprise, rows)

    def write(mine: Entreprise) -> list[SemaineType]:
        _check_version(version, mine)
        changed = Entreprise.update(version=Entreprise.version + 1)
        changed.where(Entreprise.id == mine.id).execute(db)
        SemaineType.delete().where(SemaineType.entreprise == mine.id).execute(db)
        if rows:
            SemaineType.insert_many([{**row, "entreprise": mine.id} for row in rows]).execute(db)
        return read(db, mine.id)

    done = replanning.change(db, entreprise.id, write, now, budget=budget)
    return Replaced(done.written, done.calendrier, done.touchees)


def rehearse(
    db: Database,
    entreprise: Entreprise,
    rows: Rows,
    now: int | None = None,
    version: int | None = None,
) -> Replaced:
    """Returns what `replace` would do, and writes nothing. Raises the same."""
    now = int(time.time()) if now is None else now
    _check(db, entreprise, rows)
    _check_version(version, entreprise)
    exceptions = plans.exceptions(db, entreprise.id, now, entreprise.calendrier_jusqua)
    rows = sorted(rows, key=itemgetter("jour", "debut"))
    plan = Plan(_openings(rows), exceptions, plans.zone_of(entreprise))
    done = replanning.rehearse(db, entreprise, plan, now)
    return Replaced([SemaineType(**row) for row in rows], done.calendrier, done.touchees)


def _check_version(version: int | None, present: Entreprise) -> None:
    if version not in (None, present.version):
        raise StaleVersion()


def _openings(rows: Rows) -> list[Opening]:
    columns = ("jour", "debut", "fin", "pas_minutes", "capacite", "prestation_id")
    return [Opening(*(row[column] for column in columns)) for row in rows]


def _check(db: Database, entreprise: Entreprise, rows: Rows) -> None:
    openings = _openings(rows)
    faults = {}
    for one, other in timetable.overlapping(openings):
        faults[f"{other}.debut"] = Fault("overlap", f"overlaps opening {one}", opening=one)
    offered = Prestation.select(Prestation.id).where(
        (Prestation.entreprise == entreprise.id) & (Prestation.actif == True)  # noqa: E712
    )
    known = {row.id for row in offered.execute(db)}
    for number, opening in enumerate(openings):
        if opening.prestation_id not in known | {None}:
            faults[f"{number}.prestation_id"] = NOT_OFFERED
        if (opening.fin - opening.debut - 1) % 1440 + 1 < opening.pas:
            faults[f"{number}.pas_minutes"] = TOO_LONG_STEP
    if faults:
        raise InvalidInput(faults)
