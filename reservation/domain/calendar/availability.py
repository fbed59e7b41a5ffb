"""Decides when a visit can start, by the same rules for bookings and for lists of free times."""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.calendar.reasons import COMPLET, DELAI, FERME, HORIZON, PASSE, TROP_COURT
from reservation.domain.calendar.stored_slots import DEBUT, FIN, LEFT, OUVERT, PRESTATION, SlotRows
from reservation.domain.calendar.terms import Business, Visit
from reservation.lib import instants


class Start(NamedTuple):
    """A possible start of a visit, free or not.

    `id` is the id of the first slot of the visit. `places_left` is the number of places that are
    free during the whole visit and its buffers, both with the person and in the room. `motif` is
    the reason why the visit cannot start then, or None if the start is free. For a team, `persons`
    has the ids of the free persons.
    """

    id: int
    debut: int
    fin: int
    places_left: int
    motif: str | None = None
    persons: tuple[int, ...] = ()


def horizon(entreprise: Any, now: int) -> int:
    """Returns the end of the last bookable day, in Unix seconds."""
    zone = instants.zone_of(entreprise.fuseau)
    return instants.midnight_after(now, zone, entreprise.horizon_jours + 1)


class BookingWindow(NamedTuple):
    """A visit that is booked at `now` may start in [earliest, horizon). The minimum notice ends at
    `earliest`."""

    now: int
    earliest: int
    horizon: int
    actif: bool

    @classmethod
    def of(cls, entreprise: Business, now: int) -> "BookingWindow":
        notice = entreprise.delai_reservation * 60
        return cls(now, now + notice, horizon(entreprise, now), bool(entreprise.actif))

    def obstacle(self, debut: int) -> str | None:
        if debut < min(self.now, self.earliest):
            return PASSE
        if debut < self.earliest:
            return DELAI
        if debut >= self.horizon:
            return HORIZON
        return None if self.actif else FERME


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
    """Returns whether a room with these slots has enough places for the visit and its buffers."""
    return room_left(slots, visit, debut, visit.places) == visit.places


def room_left(slots: SlotRows, visit: Visit, debut: int, most: int) -> int:
    """Returns how many places of a room are free during the visit and its buffers, at most `most`.
    Returns 0 if the room is not open during the whole visit.

    `slots` has the slots of the room. The visit may start in the middle of a slot.
    """
    (start, end), reached, lowest = visit.occupied(debut), debut, most
    earliest = max(0, bisect_right(slots, start, key=itemgetter(DEBUT)) - 1)
    for _, first, last, _, left, reserved, ouvert in islice(slots, earliest, None):
        if first >= end:
            break
        if last > start and left < lowest:
            lowest = left
        if ouvert and reserved in (None, visit.prestation_id) and first <= reached:
            reached = max(reached, last)
    return lowest if reached >= debut + visit.length else 0


def judged(slots: SlotRows, visit: Visit, first: int, last: int) -> Iterator[Start]:
    """Yields a Start, free or not, for each slot in slots[first:last] that suits `visit.interval`.

    A start is free if the slots of the visit are adjacent and open, have enough places and are not
    limited to another service. The slots during the buffers must also have enough places, but may
    be closed or limited to another service. A visit without a service may use any limited slot.
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
        if not ouvert or reserved is not None and mine not in (None, reserved):
            motif = FERME
        elif left < wanted:
            motif = COMPLET
        yield Start(number, debut, fin, left, motif)


def _judged_over_slots(slots: SlotRows, visit: Visit, first: int, last: int) -> Iterator[Start]:
    """Like `judged`, but for visits over several slots or with buffers. Takes linear time."""
    mine, length, interval = visit.prestation_id, visit.length, visit.interval
    before, after, wanted, count = visit.before, visit.after, visit.places, len(slots)
    end, reached = first, 0  # slots[at:end] are suitable and adjacent, up to the time `reached`
    # A sliding-window minimum over the slots that overlap the visit or its buffers: lowest[0] has
    # the fewest free places. The window ends before slots[ahead].
    lowest: deque[Sequence[Any]] = deque()
    ahead, since = first, slots[first][DEBUT] - before
    while ahead and slots[ahead - 1][FIN] > since:
        ahead -= 1
    for at in range(first, last):
        number, debut, fin, ouverture, _, _, _ = slots[at]
        if interval and (debut - ouverture) % interval:
            continue
        fin, motif = debut + length if length else fin, None
        # Extend slots[at:end] to the end of the visit, if possible.
        if end <= at:
            end, reached = at, debut
        while reached < fin:
            if end == count or (slot := slots[end])[DEBUT] != reached:
                motif = TROP_COURT
                break
            reserved = slot[PRESTATION]
            if not slot[OUVERT] or reserved is not None and mine not in (None, reserved):
                motif = FERME
                break
            reached = slot[FIN]
            end += 1
        # Move the window to the slots of this visit and its buffers.
        since, until = debut - before, fin + after
        while ahead < count and (slot := slots[ahead])[DEBUT] < until:
            while lowest and lowest[-1][LEFT] >= slot[LEFT]:
                lowest.pop()
            lowest.append(slot)
            ahead += 1
        while lowest[0][FIN] <= since:
            lowest.popleft()
        left = lowest[0][LEFT]
        yield Start(number, debut, fin, left, motif or (COMPLET if left < wanted else None))


def starts(
    slots: SlotRows, visit: Visit, window: BookingWindow, start: int, end: int
) -> Iterator[Start]:
    """Yields all starts of the visit in [start, end), free or not."""
    for one in judged(slots, visit, *_between(slots, start, end)):
        yield one._replace(motif=window.obstacle(one.debut) or one.motif)


def free_starts(
    slots: SlotRows, visit: Visit, window: BookingWindow, start: int, end: int
) -> Iterator[Start]:
    if window.actif:
        between = _between(slots, max(start, window.earliest), min(end, window.horizon))
        yield from (one for one in judged(slots, visit, *between) if not one.motif)


def _between(slots: SlotRows, start: int, end: int) -> tuple[int, int]:
    first, last = (bisect_left(slots, limit, key=itemgetter(DEBUT)) for limit in (start, end))
    return first, last
