"""Finds another person, room or time for the visits that an absent person would miss.

The search takes no locks, so another request may book the time that was found.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from reservation.domain.booking import choosing
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.budget import Budget
from reservation.domain.calendar import availability, calendar, performers, stored_slots
from reservation.domain.calendar.availability import BookingWindow
from reservation.domain.calendar.performers import Performers
from reservation.domain.calendar.stored_slots import DEBUT, FIN, ID, OUVERT, Hold, SlotRows
from reservation.domain.calendar.terms import Visit, terms
from reservation.lib import instants
from reservation.storage.database import Database

RANGES = (1, 7, 31)  # days before and after a visit; the search widens in these steps


class Substitute(NamedTuple):
    """A free time for a visit, and the person who would perform the visit."""

    creneau_id: int
    debut: int
    fin: int
    ressource_id: int
    ressource_nom: str
    fuseau: str


class _VisitHolds(NamedTuple):
    creneau_id: int
    debut: int
    fin: int
    holds: Sequence[Hold]


class SubstituteSearch:
    """A search for substitutes for several visits. No two substitutes take the same free place.

    A substitute may reuse places of its own visit. The places of the other visits count as taken,
    because the owner may decide to move only some of the visits.
    """

    def __init__(
        self, db: Database, entreprise_id: int, absent: int, interval: tuple[int, int], now: int,
        budget: Budget,
    ) -> None:
        self.db, self.absent, self.interval = db, absent, interval
        self.now, self.budget = now, budget
        self.entreprise = terms(db, entreprise_id, None)[0].for_business()
        # The horizon does not apply to a visit that keeps its time.
        self.kept = self.entreprise.without_horizon()
        self.zone = instants.zone_of(self.entreprise.fuseau)
        # The holds of the substitutes found so far. Their numbers of places are negative, because
        # `stored_slots.between` adds these numbers to the free places.
        self._claims: list[Hold] = []
        # {(person id, start of the day): minutes of the visits that this person takes over}
        self._minutes: Counter[tuple[int, int]] = Counter()
        self._visits: dict[tuple[int, int], tuple[Visit, Performers]] = {}

    def all_of(self, bookings: Sequence[ReservationRecord]) -> dict[int, Substitute]:
        """Returns the substitutes found, by the id of the booking.

        First, for all bookings, looks for another person at the unchanged time. Then, for the
        other bookings, looks for the nearest free time. So no moved booking takes the place of a
        booking that can keep its time. Stops at the time limit `budget`. Raises CalendarNotReady
        if the calendar cannot be extended within this limit.
        """
        found: dict[int, Substitute] = {}
        for way in (self._same_time, self._nearest):
            for booking in bookings:
                if booking.id not in found and not self.budget.is_spent():
                    visit, who = self._visit(booking)
                    if place := way(booking, visit):
                        self._claim(booking, place)
                        found[booking.id] = self._substitute(place, who)
        return found

    def takes_over(self, booking: ReservationRecord, to: int) -> bool:
        """Returns whether the person or room `to` can take over the booking at its time. If so,
        takes places there, so that no other booking of this search gets them."""
        visit, _ = self._visit(booking)
        if to in (visit.rooms or ()):
            visit = visit._replace(persons=(booking.ressource_id,), rooms=(to,))
        else:
            visit = visit._replace(persons=tuple(one for one in visit.persons if one == to))
        if place := self._same_time(booking, visit):
            self._claim(booking, place)
        return place is not None

    def _claim(self, booking: ReservationRecord, place: _VisitHolds) -> None:
        new = [hold for hold in place.holds if hold not in booking.holds]
        self._claims += [hold._replace(places=-hold.places) for hold in new]

    def _substitute(self, place: _VisitHolds, who: Performers) -> Substitute:
        number, debut, fin, _ = place
        person = place.holds[0].ressource_id
        self._minutes[person, self._day(debut)] += (fin - debut) // 60
        return Substitute(number, debut, fin, person, who.name(person), self.entreprise.fuseau)

    def _visit(self, booking: ReservationRecord) -> tuple[Visit, Performers]:
        key = booking.prestation_id, booking.places
        if key not in self._visits:
            _, service = terms(self.db, self.entreprise.id, booking.prestation_id)
            who = performers.of_service(self.db, self.entreprise.id, service)
            self._visits[key] = Visit.of(service, booking.places, who), who
        visit, who = self._visits[key]
        return visit.with_room_first(booking.lieu_id), who  # keeps the room if possible

    def _day(self, debut: int) -> int:
        return instants.midnight_after(debut, self.zone, 0)

    def _ranked(self, visit: Visit, debut: int) -> list[int]:
        """Returns `visit.persons`, ordered by booked minutes on the day of `debut`. The minutes
        include the visits that the persons take over as substitutes."""
        if len(visit.persons) < 2:
            return list(visit.persons)
        booked = choosing.booked_minutes(self.db, self.entreprise, visit.persons, debut)
        day = self._day(debut)
        return sorted(visit.persons, key=lambda one: booked.get(one, 0) + self._minutes[one, day])

    def _same_time(self, booking: ReservationRecord, visit: Visit) -> _VisitHolds | None:
        debut, visit = booking.debut, visit.as_booked(booking)
        interval = visit.occupied(debut)
        calendar.extend(self.db, self.kept, debut, self.now, self.budget, visit.reach)
        rooms = self._slots(booking, visit.rooms or (), *interval)
        for person in self._ranked(visit, debut):
            if person == self.absent:
                continue
            slots = self._slots(booking, [person], *interval)[person]
            if availability.refusal_of(slots, visit, debut, self.kept, self.now) is None:
                first = next(slot[ID] for slot in slots if slot[DEBUT] == debut)
                if place := _placed(visit, first, person, debut, rooms):
                    return place
        return None

    def _nearest(self, booking: ReservationRecord, visit: Visit) -> _VisitHolds | None:
        window = BookingWindow.of(self.entreprise, self.now)
        persons = self._ranked(visit, booking.debut)
        for days in RANGES:
            if days > RANGES[0] and self.budget.is_spent():
                break
            low = max(booking.debut - days * instants.DAY, self.now)
            high = booking.debut + days * instants.DAY
            interval = visit.occupied(low)[0], visit.occupied(high)[1]
            calendar.extend(self.db, self.entreprise, high, self.now, self.budget, visit.reach)
            slots = self._slots(booking, [*persons, *(visit.rooms or ())], *interval)
            found = [
                (abs(start.debut - booking.debut), person, start)
                for person in persons
                for start in availability.free_starts(slots[person], visit, window, low, high)
                if start.debut != booking.debut  # `_same_time` has tried the booked time
            ]
            for _, person, start in sorted(found, key=itemgetter(0)):
                if place := _placed(visit, start.id, person, start.debut, slots):
                    return place
        return None

    def _slots(
        self, booking: ReservationRecord, ids: Sequence[int], start: int, end: int
    ) -> dict[int, SlotRows]:
        """Returns the slots as if `booking` were cancelled, the substitutes found so far were
        booked, and the absent person's slots were closed during the absence."""
        changes = [*booking.holds, *self._claims]
        return {
            id: self._without_absence(
                id, stored_slots.between(self.db, id, start, end, old=changes)
            )
            for id in ids
        }

    def _without_absence(self, ressource_id: int, slots: SlotRows) -> SlotRows:
        if ressource_id != self.absent:
            return slots
        start, end = self.interval
        return [
            (*slot[:OUVERT], False) if slot[DEBUT] < end and slot[FIN] > start else slot
            for slot in slots
        ]


def _placed(
    visit: Visit, creneau_id: int, person: int, debut: int, rooms: Mapping[int, SlotRows]
) -> _VisitHolds | None:
    """Returns the holds on `person` and, if the visit needs a room, on a free room. Returns None
    if the visit needs a room, but no room is free."""
    hold, fin = visit.hold(person, debut), debut + visit.length
    if visit.rooms is None:
        return _VisitHolds(creneau_id, debut, fin, [hold])
    for room in visit.rooms:
        if availability.has_room(rooms[room], visit, debut):
            return _VisitHolds(creneau_id, debut, fin, [hold, visit.hold(room, debut)])
    return None
