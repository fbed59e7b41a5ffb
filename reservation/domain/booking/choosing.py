"""Chooses the person and the room for a visit, and takes places in their slots.

Chooses the free person with the fewest booked minutes on the day of the visit, and the first
free room.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from reservation.conflicts import SlotTaken
from reservation.domain import states
from reservation.domain.calendar import availability, calendar, reasons, stored_slots
from reservation.domain.calendar.stored_slots import DEBUT, ID, SlotRows, given_back
from reservation.domain.calendar.terms import CANNOT_PERFORM, BusinessTerms, Visit
from reservation.errors import InvalidInput
from reservation.lib import instants
from reservation.storage.database import Database, marks, undone_by

# Plain SQL for speed: every booking without a preferred person runs this query.
_MINUTES = (
    "SELECT ressource_id, SUM(fin - debut) / 60 FROM reservation WHERE ressource_id IN ({})"
    f" AND debut >= ? AND debut < ? AND statut NOT IN {states.RELEASED} GROUP BY ressource_id"
)


def narrowed(visit: Visit, ressource_id: int | None, lieu_id: int | None) -> Visit:
    """Returns the visit with only this person and only this room. None does not limit the choice.
    Raises InvalidInput if this person cannot perform the service, or if the room is unsuitable."""
    if ressource_id is not None:
        if ressource_id not in visit.persons:
            raise InvalidInput({"ressource_id": CANNOT_PERFORM})
        visit = visit._replace(persons=(ressource_id,))
    if lieu_id is not None:
        if lieu_id not in (visit.rooms or ()):
            raise InvalidInput({"lieu_id": CANNOT_PERFORM})
        visit = visit._replace(rooms=(lieu_id,))
    return visit


def take(
    db: Database, entreprise: BusinessTerms, visit: Visit, debut: int, now: int,
    first: int | None = None,
) -> dict[str, Any]:
    """Replaces the holds `visit.old` with the holds of a visit that starts at `debut`. Returns the
    values for the columns of the table `reservation`.

    Chooses the first free person in the order of `ranked`. Raises SlotTaken if nobody is free.
    Raises CalendarBehind if the calendar must be extended first. Raises PlacesNotHeld if a slot
    has fewer taken places than `visit.old` holds.
    """
    calendar.check(entreprise, debut, visit.reach, now)
    motifs = []
    # Locks slots in the order of the persons, which differs between requests. This can cause a
    # deadlock. After a deadlock, `transaction` retries the work.
    for person in ranked(db, entreprise, visit, debut, first).persons:
        try:
            return _take_with(db, entreprise, visit, person, debut, now)
        except SlotTaken as ex:
            motifs.append(ex.motif)
    raise SlotTaken(max(motifs, key=reasons.nearness, default=reasons.FERME))


def _take_with(
    db: Database, entreprise: BusinessTerms, visit: Visit, person: int, debut: int, now: int
) -> dict[str, Any]:
    hold, old = visit.hold(person, debut), visit.old
    slots = stored_slots.under(db, person, (*old, hold))
    judged = given_back(slots, person, old)
    motif = availability.refusal_of(judged, visit, debut, entreprise, now)
    if motif:
        raise SlotTaken(motif)
    columns = {
        "ressource_id": person,
        "lieu_id": None,
        "creneau_id": next(slot[ID] for slot in slots if slot[DEBUT] == debut),
        "occupe_debut": hold.debut,
        "occupe_fin": hold.fin,
    }
    if visit.rooms is None:
        with _all_or_nothing(db, visit):
            stored_slots.replace(db, old, [hold], {person: slots})
        return columns
    for room, known in _free_rooms(db, visit, debut):
        both = [hold, visit.hold(room, debut)]
        try:
            with _all_or_nothing(db, visit):
                stored_slots.replace(db, old, both, {person: slots, room: known})
            return columns | {"lieu_id": room}
        except SlotTaken:  # another request has taken the places meanwhile
            continue
    raise SlotTaken(reasons.COMPLET)


def _all_or_nothing(db: Database, visit: Visit) -> AbstractContextManager[Any]:
    """Returns a context manager that undoes the writes of its block if the block raises SlotTaken.

    If `take` cannot try another person or room, the context manager does nothing. In this case,
    SlotTaken rolls back the whole transaction anyway.
    """
    has_choice = len(visit.persons) > 1 or visit.rooms is not None
    return undone_by(db, SlotTaken) if has_choice else nullcontext()


def _free_rooms(db: Database, visit: Visit, debut: int) -> Iterator[tuple[int, SlotRows]]:
    for room in visit.rooms or ():
        slots = stored_slots.under(db, room, (*visit.old, visit.hold(room, debut)))
        if availability.has_room(given_back(slots, room, visit.old), visit, debut):
            yield room, slots


def ranked(
    db: Database, entreprise: BusinessTerms, visit: Visit, debut: int, first: int | None = None
) -> Visit:
    """Returns the visit with its persons in ascending order of booked minutes on the day of
    `debut`. However, the person `first` precedes all other persons."""
    if len(visit.persons) < 2:
        return visit
    minutes = booked_minutes(db, entreprise, visit.persons, debut)
    order = sorted(visit.persons, key=lambda one: (one != first, minutes.get(one, 0)))
    return visit._replace(persons=tuple(order))


def booked_minutes(
    db: Database, entreprise: BusinessTerms, persons: Sequence[int], debut: int
) -> dict[int, int]:
    """Returns the booked minutes of each person on the day of `debut`. Omits persons without
    bookings."""
    zone = instants.zone_of(entreprise.fuseau)
    day = instants.midnight_after(debut, zone, 0), instants.midnight_after(debut, zone, 1)
    rows = db.rows(_MINUTES.format(marks(persons)), *persons, *day)
    return {person: int(sum_) for person, sum_ in rows}
