"""Combines the free times of several persons and rooms."""

from collections.abc import Iterable, Mapping
from typing import Any

from reservation.domain.calendar import availability, stored_slots
from reservation.domain.calendar.availability import BookingWindow, Start
from reservation.domain.calendar.reasons import COMPLET, nearness
from reservation.domain.calendar.stored_slots import SlotRows
from reservation.domain.calendar.terms import Visit
from reservation.storage.database import Database

Starts = Mapping[int, list[Start]]  # by the id of the person


def with_rooms(db: Database, visit: Visit, found: Starts) -> Starts:
    """Limits the starts `found` to the free places of the rooms. If the visit needs no room,
    returns `found` unchanged.

    Lowers `places_left` to the number of free places in the room with the most free places. If no
    room has enough free places, sets `motif` to COMPLET, unless the start already has a `motif`.
    """
    if visit.rooms is None:
        return found
    most: dict[int, int] = {}  # {start: highest `places_left` among the persons}
    for starts in found.values():
        for start in starts:
            most[start.debut] = max(most.get(start.debut, 0), start.places_left)
    if not most:
        return found
    first, last = visit.occupied(min(most))[0], visit.occupied(max(most))[1]
    rooms = [stored_slots.between(db, room, first, last, visit.old) for room in visit.rooms]
    left = {debut: _rooms_left(rooms, visit, debut, places) for debut, places in most.items()}
    return {
        person: [_limited(start, left[start.debut], visit.places) for start in starts]
        for person, starts in found.items()
    }


def _rooms_left(rooms: Iterable[SlotRows], visit: Visit, debut: int, most: int) -> int:
    """Returns the highest number of free places in any of the rooms, capped at `most`."""
    best = 0
    for slots in rooms:
        if best == most:
            break
        best = max(best, availability.room_left(slots, visit, debut, most))
    return best


def _limited(start: Start, left: int, wanted: int) -> Start:
    if start.places_left <= left:
        return start
    motif = start.motif or (COMPLET if left < wanted else None)
    return start._replace(places_left=left, motif=motif)


def first_free(
    slots: Mapping[int, SlotRows], visit: Visit, window: BookingWindow, start: int, end: int
) -> Start | None:
    """Returns the first free start of the visit in [start, end). If several persons are free then,
    returns the start of the person with the most free places.

    `slots` maps the ids of persons and rooms to their slots.
    """
    best = None
    for person in visit.persons:
        until = best.debut + 1 if best else end
        found = availability.free_starts(slots[person], visit, window, start, until)
        one = next((one for one in found if _fits_a_room(slots, visit, one.debut)), None)
        if one and (best is None or one.debut < best.debut or one.places_left > best.places_left):
            best = one
    if best is None or visit.rooms is None:
        return best
    rooms = [slots[room] for room in visit.rooms]
    return _limited(best, _rooms_left(rooms, visit, best.debut, best.places_left), visit.places)


def _fits_a_room(slots: Mapping[int, SlotRows], visit: Visit, debut: int) -> bool:
    return visit.rooms is None or any(
        availability.has_room(slots[room], visit, debut) for room in visit.rooms
    )


def merged(visit: Visit, found: Starts) -> list[Start]:
    """Merges the starts of all persons into one Start for each time, ordered by time.

    For a team, `persons` has the ids of the free persons. `id` is the lowest id of their slots,
    and `places_left` is the highest number of places that one of them has left. If nobody is free,
    `id`, `motif` and `places_left` come from the person who is closest to being free (see
    `reasons.nearness`).
    """
    if not visit.of_team and len(found) == 1:
        return next(iter(found.values()))
    at: dict[tuple[int, int], list[Any]] = {}  # the values of a Start, by (debut, fin)
    for person, starts in found.items():
        for number, debut, fin, left, motif, _ in starts:
            known = at.get((debut, fin))
            if motif is None and known and known[4] is None:
                known[0], known[3] = min(known[0], number), max(known[3], left)
                known[5] += (person,)
            elif motif is None:
                at[debut, fin] = [number, debut, fin, left, None, (person,)]
            elif known is None or known[4] and (
                (nearness(motif), left) > (nearness(known[4]), known[3])
            ):
                at[debut, fin] = [number, debut, fin, left, motif, ()]
    return [Start(*at[place]) for place in sorted(at)]
