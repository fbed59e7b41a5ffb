"""The weekly hours of a person or a room: its own hours, or the hours of its business."""

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import day_limit, stored_plans
from reservation.domain.calendar.timetable import Opening
from reservation.domain.planning import businesses, hours, replanning, ressources
from reservation.domain.planning.hours import Rows
from reservation.domain.planning.replanning import PlanOutcome
from reservation.domain.planning.ressources import RessourceRecord
from reservation.lib import instants
from reservation.storage.database import Database, check_version, update_row
from reservation.storage.models import Entreprise, Ressource, SemaineType


def read(db: Database, ressource: RessourceRecord) -> list[SemaineType] | None:
    """Returns a ressource's own hours, or None if the hours of the business apply."""
    if not ressource.semaine_propre:
        return None
    rows = SemaineType.select().where(SemaineType.ressource == ressource.id)
    return list(rows.order_by(SemaineType.jour, SemaineType.debut).execute(db))


def replace(
    db: Database, ressource: RessourceRecord, rows: Rows | None, now: int, version: int,
    budget: Budget = UNLIMITED,
) -> PlanOutcome:
    """Replaces the hours of a ressource. If `rows` is None, the hours of the business apply. The
    outcome has the result of `read` as `written`.

    Raises StaleVersion unless `version` is current. Raises InvalidInput and TooManySlots as
    `hours.replace` does.
    """
    entreprise = businesses.get(db, ressource.entreprise_id)
    hours.check(db, entreprise, rows or (), "semaine.")

    def write(mine: Entreprise) -> list[SemaineType] | None:
        own = {"semaine_propre": rows is not None}
        update_row(db, Ressource, ressource.id, version, own)
        SemaineType.delete().where(SemaineType.ressource == ressource.id).execute(db)
        if rows:
            owner = {"entreprise": mine.id, "ressource": ressource.id}
            SemaineType.insert_many([{**row, **owner} for row in rows]).execute(db)
        return read(db, ressources.get(db, ressource.id))

    return replanning.change(db, entreprise.id, write, now, budget=budget, of=ressource.id)


def rehearse(
    db: Database, ressource: RessourceRecord, rows: Rows | None, now: int, version: int
) -> PlanOutcome:
    """Returns what `replace` would do, without writing. Raises the same exceptions."""
    entreprise = businesses.get(db, ressource.entreprise_id)
    hours.check(db, entreprise, rows or (), "semaine.")
    check_version(ressource, version)
    week: stored_plans.Rows[Opening] = stored_plans.read_week(db, entreprise.id)
    if rows is not None:
        week = [(ressource.id, opening) for opening in hours.openings_of(rows)]
    until = max(entreprise.calendrier_jusqua, now + day_limit.AHEAD)
    events = stored_plans.read_events(db, entreprise.id, now, until, ressource_id=ressource.id)
    whose = ressource.id, ressource.actif, rows is not None
    zone = instants.zone_of(entreprise.fuseau)
    planned = {ressource.id: stored_plans.plan_of(*whose, week, events, zone)}
    change, stranded = replanning.rehearse(db, entreprise, planned, now)
    shown = None if rows is None else [SemaineType(**row) for row in hours.sort(rows)]
    return PlanOutcome(shown, change, stranded)
