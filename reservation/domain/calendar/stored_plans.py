"""Reads the plans of persons and rooms from the database."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from reservation.domain.calendar import timetable
from reservation.domain.calendar.plans import LONGEST_SLOT, REACH, Plan
from reservation.domain.calendar.timetable import HOURS, Event, Opening
from reservation.lib import instants
from reservation.storage.database import Database

_RESSOURCES = (
    "SELECT id, actif, semaine_propre FROM ressource WHERE entreprise_id = ?"
    " AND id = COALESCE(?, id) ORDER BY id"
)
# Rows of the business and of the person or room `?`. If `?` is NULL, of all persons and rooms.
_OF = "(ressource_id IS NULL OR ressource_id = COALESCE(?, ressource_id))"
_WEEK = (
    "SELECT ressource_id, jour, debut, fin, pas_minutes, capacite, prestation_id"
    f" FROM semainetype WHERE entreprise_id = ? AND {_OF} ORDER BY jour, debut"
)
_EVENTS = (
    "SELECT ressource_id, type, debut, fin, pas_minutes, capacite FROM evenement"
    " WHERE entreprise_id = ? AND type <> 'information' AND fin > ? AND debut < ? AND id <> ?"
    f" AND {_OF} ORDER BY debut, fin, id"
)
_LAST = (
    "SELECT MAX(fin) FROM evenement"
    " WHERE entreprise_id = ? AND type = 'ouverture' AND debut <= ? AND fin > ?"
)
Row = TypeVar("Row", Opening, Event)
# Each row comes with the id of its person or room. The id is None for a row of the business.
Rows = Sequence[tuple[int | None, Row]]


def read(
    db: Database, entreprise: Any, start: int, end: int, ressource_id: int | None = None
) -> dict[int, Plan]:
    """Returns the plan of each person and room, by id, for slots that start in [start, end). With
    `ressource_id`, reads only the plan of this person or room."""
    events = read_events(db, entreprise.id, start, end, ressource_id=ressource_id)
    week = read_week(db, entreprise.id, ressource_id)
    return of_ressources(db, entreprise, week, events, ressource_id)


def of_ressources(
    db: Database, entreprise: Any, week: Rows[Opening], events: Rows[Event],
    ressource_id: int | None = None,
) -> dict[int, Plan]:
    """Returns the plan of each person and room, by id. The plan of an inactive person or room is
    empty. With `ressource_id`, returns only the plan of this person or room."""
    zone = instants.zone_of(entreprise.fuseau)
    return {
        number: plan_of(number, actif, own_week, week, events, zone)
        for number, actif, own_week in db.rows(_RESSOURCES, entreprise.id, ressource_id)
    }


def plan_of(
    ressource_id: int, actif: int, has_own_week: int, week: Rows[Opening], events: Rows[Event],
    zone: ZoneInfo,
) -> Plan:
    """Returns the plan of a person or room. `week` and `events` may have the rows of others."""
    if not actif:
        return Plan([], [], zone)
    openings = [row for owner, row in week if owner == (ressource_id if has_own_week else None)]
    own_week = openings if has_own_week else None
    return Plan(openings, list(_events_of(ressource_id, own_week, events, zone)), zone)


def _events_of(
    ressource_id: int, own_week: Sequence[Opening] | None, events: Rows[Event], zone: ZoneInfo
) -> Iterator[Event]:
    """Yields the events of a person or room and of its business. `own_week` is None if the person
    or room has the weekly hours of the business.

    Special hours of the business concern a person or room with its own weekly hours as
    `timetable.within` says. Special hours of the person or room replace special hours of the
    business on the same day.
    """
    own = [event for owner, event in events if owner == ressource_id]
    days = {day for event in own if event.type == HOURS for day in timetable.days(event, zone)}
    for owner, event in events:
        if owner is None and event.type == HOURS:
            parts = [event] if own_week is None else timetable.within(event, own_week, zone)
            for part in parts:
                yield from timetable.outside(part, days, zone) if days else [part]
        elif owner in (None, ressource_id):
            yield event


def ressources(db: Database, entreprise_id: int) -> list[int]:
    """Returns the ids of all persons and rooms of a business, active or not."""
    return [number for number, _, _ in db.rows(_RESSOURCES, entreprise_id, None)]


def read_week(
    db: Database, entreprise_id: int, ressource_id: int | None = None
) -> Rows[Opening]:
    """Returns the weekly hours of a business and of its persons and rooms. With `ressource_id`,
    omits the hours of other persons and rooms."""
    rows = db.rows(_WEEK, entreprise_id, ressource_id)
    return [(owner, Opening(*row)) for owner, *row in rows]


def read_events(
    db: Database, entreprise_id: int, start: int, end: int, excluded: int = 0,
    ressource_id: int | None = None,
) -> Rows[Event]:
    """Returns the events that may affect slots that start in [start, end), except the event with
    the id `excluded`. With `ressource_id`, omits the events of other persons and rooms."""
    # Events after `end` may affect earlier slots: special hours replace all weekly openings of
    # their day, even openings that end before the special hours begin.
    until = end + LONGEST_SLOT + 2 * instants.DAY
    since = start - REACH
    while True:
        rows = db.rows(_EVENTS, entreprise_id, since, until, excluded, ressource_id)
        events = [(owner, Event(*row)) for owner, *row in rows]
        # The run of an extra opening may include an event that ends exactly when the opening
        # begins. `rows` lacks such an event if the opening begins at or before `since`. So read
        # again from one second before the opening.
        before = [event.debut - 1 for _, event in events if event.type == "ouverture"]
        if since <= min(before, default=since):
            return events
        since = min(before)


def end_of_openings(db: Database, entreprise_id: int, end: int) -> int:
    """Returns the first time at or after `end` that is outside all extra openings."""
    while (last := db.rows(_LAST, entreprise_id, end, end)[0][0]) is not None:
        end = last
    return end
