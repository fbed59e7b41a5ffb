"""Decides when a visit can start, by the same rules for bookings and for lists of free times."""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.calendar.plans import LONGEST_SLOT
from reservation.domain.calendar.reasons import COMPLET, FERME, TROP_COURT
from reservation.domain.calendar.terms import Business, Visit
from reservation.domain.calendar.window import BookingWindow
from reservation.storage.database import Database

COLUMNS = "id, debut, fin, ouverture, capacite - places_prises, prestation_id, ouvert"
OVERLAPPING = "FROM creneau WHERE ressource_id = ? AND debut > ? AND debut < ? AND fin > ?"
# Positions of the COLUMNS in a row. Rows are plain tuples, because creating named tuples takes as
# long as the query.
ID, DEBUT, FIN, OUVERTURE, LEFT, PRESTATION, OUVERT = range(7)
SlotRows = Sequence[Sequence[Any]]


class Start(NamedTuple):
    """A possible start of a visit, free or not.

    `id` is the id of the first slot of the visit. `motif` is the reason why the visit cannot start
    then, or None if the start is free. For a team, `persons` has the ids of the free persons.
    """

    id: int
    debut: int
    fin: int
    places_left: int
    motif: str | None = None
    persons: tuple[int, ...] = ()


def slots_between(db: Database, ressource_id: int, start: int, end: int) -> SlotRows:
    """Returns the stored slots of a person or room that overlap [start, end), ordered by start."""
    earliest = start - LONGEST_SLOT
    rows = db.many_rows(COLUMNS, OVERLAPPING, ressource_id, earliest, end, start)
    return sorted(rows, key=itemgetter(DEBUT))


def refusal_of(
    slots: SlotRows, visit: Visit, debut: int, entreprise: Business, now: int
) -> str | None:
    """Returns the reason why the visit cannot start at `debut`, or None if the visit can start."""
    at = next((i for i, slot in enumerate(slots) if slot[DEBUT] == debut), None)
    start = None if at is None else next(judged(slots, visit, at, at + 1), None)
    if start is None:
        return FERME
    return BookingWindow.of(entreprise, now).obstacle(debut) or start.motif


def has_room(slots: SlotRows, visit: Visit, debut: int) -> bool:
    """Returns whether a room with these slots has enough places for the visit and its buffers.

    The start of the visit does not have to be the start of a slot of the room.
    """
    (start, end), reached = visit.occupied(debut), debut
    earliest = max(0, bisect_right(slots, start, key=itemgetter(DEBUT)) - 1)
    for _, first, last, _, left, reserved, ouvert in islice(slots, earliest, None):
        if first >= end:
            break
        if last > start and left < visit.places:
            return False
        if ouvert and reserved in (None, visit.prestation_id) and first <= reached:
            reached = max(reached, last)
    return reached >= debut + visit.length


def judged(slots: SlotRows, visit: Visit, first: int, last: int) -> Iterator[Start]:
    """Yields a Start, free or not, for each slot in slots[first:last] that suits `visit.interval`.

    A start is free if the slots of the visit are adjacent and open, have enough places and are not
    reserved for another service. The slots during the buffers must also have enough places, but
    may be closed or reserved.
    """
    mine, wanted, buffered = visit.prestation_id, visit.places, visit.before or visit.after
    length, interval = visit.length, visit.interval
    for at in range(first, last):
        number, debut, reached, ouverture, left, reserved, ouvert = slots[at]
        # With an interval of 30 minutes, visits start only every half hour from the opening.
        if interval and (debut - ouverture) % interval:
            continue
        fin = debut + length if length else reached
        if fin > reached or buffered:
            yield from _judged_over_slots(slots, visit, at, last)
            return
        motif = None
        if not ouvert or reserved is not None and reserved != mine:
            motif = FERME
        elif left < wanted:
            motif = COMPLET
        yield Start(number, debut, fin, left, motif)


def _judged_over_slots(slots: SlotRows, visit: Visit, first: int, last: int) -> Iterator[Start]:
    """Like `judged`, but for visits over several slots or with buffers. Linear in the number of
    slots."""
    own, length, interval = (None, visit.prestation_id), visit.length, visit.interval
    buffers = _Buffers(slots, visit) if visit.before or visit.after else None
    # Indexes of slots, for a sliding-window minimum: slot lowest[0] has the fewest free places.
    lowest: deque[int] = deque()
    # Indexes of slots: `end` is the first slot after the visit. Of the slots during the visit,
    # `closed` is the first slot that is closed or reserved for another service. Without such a
    # slot, `closed` is `end`.
    end = closed = first
    for at in range(first, last):
        number, debut, reached, ouverture, left, _, _ = slots[at]
        if interval and (debut - ouverture) % interval:
            continue
        fin = debut + length if length else reached
        if end <= at:
            end, reached = at, debut
            lowest.clear()
        else:
            reached = slots[end - 1][FIN]
        while reached < fin and end < len(slots) and slots[end][DEBUT] == reached:
            left, reached = slots[end][LEFT], slots[end][FIN]
            while lowest and slots[lowest[-1]][LEFT] >= left:
                lowest.pop()
            lowest.append(end)
            end += 1
        while lowest[0] < at:
            lowest.popleft()
        left, motif = slots[lowest[0]][LEFT], None
        closed = at if closed < at else closed
        while closed < end and slots[closed][OUVERT] and slots[closed][PRESTATION] in own:
            closed += 1
        if closed < end:
            motif = FERME
        elif reached < fin:
            motif = TROP_COURT
        elif left < visit.places or buffers and buffers.lack_places(debut, fin):
            motif = COMPLET
        yield Start(number, debut, fin, left, motif)


class _Buffers:
    """Checks the free places during a visit and its buffers. Call `lack_places` with ascending
    values of `debut`."""

    def __init__(self, slots: SlotRows, visit: Visit) -> None:
        self.slots, self.visit = slots, visit
        # Indexes of slots: `first` is the first slot of the visit with its buffers. The slots
        # from `first` to `full` (excluded) have enough free places.
        self.first = self.full = 0

    def lack_places(self, debut: int, fin: int) -> bool:
        slots, visit = self.slots, self.visit
        while slots[self.first][FIN] <= debut - visit.before:
            self.first += 1
        full, end = max(self.full, self.first), fin + visit.after
        while full < len(slots) and slots[full][DEBUT] < end:
            if slots[full][LEFT] < visit.places:
                break
            full += 1
        self.full = full
        return full < len(slots) and slots[full][DEBUT] < end


def starts(
    slots: SlotRows, visit: Visit, window: BookingWindow, start: int, end: int
) -> Iterator[Start]:
    """Yields all starts of the visit in [start, end), free or not."""
    for one in judged(slots, visit, *_between(slots, start, end)):
        yield one._replace(motif=window.obstacle(one.debut) or one.motif)


def free_starts(
    slots: SlotRows, visit: Visit, window: BookingWindow, start: int, end: int,
    most: int | None = None,
) -> list[Start]:
    """Returns the free starts of the visit in [start, end). With `most`, returns only the first
    `most` free starts."""
    if not window.actif:
        return []
    between = _between(slots, max(start, window.earliest), min(end, window.horizon))
    free = (one for one in judged(slots, visit, *between) if not one.motif)
    return list(islice(free, most))


def _between(slots: SlotRows, start: int, end: int) -> tuple[int, int]:
    first, last = (bisect_left(slots, limit, key=itemgetter(DEBUT)) for limit in (start, end))
    return first, last
