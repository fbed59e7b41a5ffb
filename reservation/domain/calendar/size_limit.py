"""Limits the slots of all persons and rooms of a business up to its horizon, because stored slots
fill the disk. Counts the weekly hours, but no events."""

from collections.abc import Mapping

from reservation.domain.calendar.plans import Plan
from reservation.errors import CalendarTooLarge
from reservation.storage.database import Database

MOST = 3_000_000
# `s.ressource_id` is NULL for the hours of the business.
_WEEKS = (
    "SELECT r.id, e.horizon_jours"
    " * SUM((s.fin - s.debut + 1440 * (s.fin <= s.debut)) * 1.0 / s.pas_minutes)"
    " FROM entreprise e JOIN ressource r ON r.entreprise_id = e.id AND r.actif = 1"
    " JOIN semainetype s ON s.entreprise_id = e.id"
    " AND COALESCE(s.ressource_id, 0) = r.semaine_propre * r.id"
    " WHERE e.id = ? GROUP BY r.id, e.horizon_jours"
)
# {id of the person or room: slots of a week × days of the horizon}, so 7 times the number of slots
Sizes = Mapping[int, float]


def sizes(db: Database, entreprise_id: int) -> Sizes:
    return {id: float(size) for id, size in db.rows(_WEEKS, entreprise_id)}


def sizes_of(planned: Mapping[int, Plan], horizon: int) -> Sizes:
    """Returns the sizes of new plans for a horizon in days."""
    return {
        id: horizon * sum(opening.length / opening.pas_minutes for opening in plan.week)
        for id, plan in planned.items()
    }


def check(before: Sizes, after: Sizes) -> None:
    """Raises CalendarTooLarge if a change makes the calendar larger than MOST. Allows a change
    that does not enlarge a calendar from before this limit."""
    if sum(after.values()) / 7 > max(MOST, sum(before.values()) / 7 + 1):
        raise CalendarTooLarge(max=MOST)
