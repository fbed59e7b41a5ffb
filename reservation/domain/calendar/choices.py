"""The starts of a visit for which several persons or rooms come into question."""

from collections.abc import Iterable, Mapping
from typing import Any

from reservation.domain.calendar import availability
from reservation.domain.calendar.availability import (
    COMPLET,
    BookingWindow,
    SlotRows,
    Start,
    nearness,
)
from reservation.domain.calendar.terms import Visit
from reservation.storage.database import Database

Starts = Mapping[int, list[Start]]  # by person


def with_rooms(db: Database, visit: Visit, found: Starts) -> Starts:
    """Returns the starts; those for which no room is free are `complet`."""
    if visit.rooms is None:
        return found
    debuts = {start.debut for starts in found.values() for start in starts}
    if not debuts:
        return found
    first, last = visit.occupied(min(debuts))[0], visit.occupied(max(debuts))[1]
    rooms = [availability.slots_between(db, room, first, last) for room in visit.rooms]
    free = {debut for debut in debuts if _any_room(rooms, visit, debut)}
    return {
        person: [
            start if start.debut in free else start._replace(motif=start.motif or COMPLET)
            for start in starts
        ]
        for person, starts in found.items()
    }


def first_free(
    slots: Mapping[int, SlotRows], visit: Visit, window: BookingWindow, start: int, end: int
) -> Start | None:
    """Returns the first free start of the visit in [start, end), given the slots by ressource."""
    best = None
    most = 1 if visit.rooms is None else None
    rooms = [slots[room] for room in visit.rooms or ()]
    for person in visit.persons:
        until = best.debut if best else end
        found = availability.free_starts(slots[person], visit, window, start, until, most)
        best = next(
            (one for one in found if most or _any_room(rooms, visit, one.debut)), best
        )
    return best


def _any_room(rooms: Iterable[SlotRows], visit: Visit, debut: int) -> bool:
    return any(availability.has_room(slots, visit, debut) for slots in rooms)


def merged(visit: Visit, found: Starts) -> list[Start]:
    """Returns one start for each time, by time; in a team, with those who are free then.

    A time at which nobody is free has the motif of the person who nearly is free.
    """
    if not visit.of_team and len(found) == 1:
        return next(iter(found.values()))
    at: dict[tuple[int, int], list[Any]] = {}  # the other columns of the start, by (debut, fin)
    for person, starts in found.items():
        for number, debut, fin, left, motif, _ in starts:
            known = at.get((debut, fin))
            if known is None or known[2] and (not motif or nearness(motif) > nearness(known[2])):
                at[debut, fin] = [number, left, motif, () if motif else (person,)]
            elif motif is None:
                known[1] = max(left, known[1])
                known[3] += (person,)
    return [
        Start(number, *place, left, motif, persons)
        for place, (number, left, motif, persons) in sorted(at.items())
    ]
