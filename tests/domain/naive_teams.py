"""Who is free and who is chosen, computed minute by minute from the rows, as in `naive`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from tests.domain import naive
from tests.domain.naive import MINUTE, Asked, Creneau, Held, Rules, minutes

# Of the motifs of several persons, the last in this order is reported.
NEARNESS = ("ferme", "passe", "delai", "horizon", "trop_court", "complet")


class Member(NamedTuple):
    """Columns of ressource."""

    ordre: int
    id: int
    genre: str
    actif: bool


class Booking(NamedTuple):
    """An active booking."""

    held: Held
    ressource_id: int
    lieu_id: int | None

    def holds(self, ressource_id: int) -> bool:
        return ressource_id in (self.ressource_id, self.lieu_id)


class World(NamedTuple):
    """All that a choice depends on. `slots` are by ressource."""

    members: Sequence[Member]
    slots: Mapping[int, Sequence[Creneau]]
    bookings: Mapping[int, Booking]
    rules: Rules
    now: int

    def without(self, number: int | None) -> "World":
        """Returns the world as it would be if this booking had not been made."""
        gone = self.bookings.get(number) if number is not None else None
        if gone is None:
            return self
        slots = {
            id: naive.given_back(rows, gone.held) if gone.holds(id) else rows
            for id, rows in self.slots.items()
        }
        rest = {one: held for one, held in self.bookings.items() if one != number}
        return self._replace(slots=slots, bookings=rest)


class Service(NamedTuple):
    asked: Asked
    listed: Collection[int]  # of prestation_ressource
    needs_room: bool


def able(members: Iterable[Member], listed: Collection[int], genre: str) -> list[int]:
    """Returns the ids of those who can perform; of all of this kind if none of it is listed."""
    alike = [one for one in sorted(members) if one.genre == genre]
    chosen = [one for one in alike if one.id in listed] or alike
    return [one.id for one in chosen if one.actif]


def room(world: World, service: Service, debut: int, first: int | None = None) -> int | None:
    """Returns the room of a visit: `first` if it is free, else the first free room."""
    free = [
        id
        for id in able(world.members, service.listed, "lieu")
        if _has_room(world.slots[id], service.asked, debut)
    ]
    return first if first in free else next(iter(free), None)


def _has_room(slots: Iterable[Creneau], asked: Asked, debut: int) -> bool:
    return _room_left(slots, asked, debut) >= asked.places


def _during(slots: Iterable[Creneau], asked: Asked, debut: int) -> dict[int, Creneau]:
    """Returns the slots of a visit and its buffers, by minute."""
    held = Held.of(asked, debut)
    return naive.by_minute(naive.near(slots, held.occupe_debut, held.occupe_fin))


def _room_left(slots: Iterable[Creneau], asked: Asked, debut: int) -> int:
    there, fin = _during(slots, asked, debut), debut + asked.duree * MINUTE
    if any(
        minute not in there or naive._is_shut(there[minute], asked)
        for minute in minutes(debut, fin)
    ):
        return 0
    return naive.places_left(there, asked, debut, fin)


def places_left(world: World, service: Service, debut: int) -> int:
    """Returns the most places that a booking can take then, with a free person and a room."""
    asked, free = service.asked, free_persons(world, service, debut)
    fin = debut + asked.duree * MINUTE
    persons = (_during(world.slots[one], asked, debut) for one in free)
    left = max(naive.places_left(there, asked, debut, fin) for there in persons)
    if not service.needs_room:
        return left
    rooms = able(world.members, service.listed, "lieu")
    return min(left, max(_room_left(world.slots[one], asked, debut) for one in rooms))


def motif(world: World, service: Service, person: int, debut: int) -> str | None:
    """Returns why a person cannot begin the visit, None if she can."""
    slots = world.slots.get(person, ())
    first = next((one for one in slots if one.debut == debut), None)
    if first is None or not naive.is_start(first, service.asked):
        return naive.NO_START
    there = _during(slots, service.asked, debut)
    found = naive.motif(there, service.asked, world.rules, world.now, first)
    if found is None and service.needs_room and room(world, service, debut) is None:
        return "complet"
    return found


def free_persons(world: World, service: Service, debut: int) -> list[int]:
    """Returns the persons who can begin the visit, by `ordre` and id."""
    persons = able(world.members, service.listed, "personne")
    return [one for one in persons if motif(world, service, one, debut) is None]


def why_nobody(world: World, service: Service, debut: int, persons: Iterable[int]) -> str:
    found = [motif(world, service, one, debut) or "" for one in persons]
    return max(found, key=NEARNESS.index, default="ferme")


def chosen(world: World, service: Service, debut: int) -> int | None:
    """Returns the free person with the fewest booked minutes on that local day, then the lowest
    `ordre`, then the lowest id."""
    free = free_persons(world, service, debut)
    return min(free, key=lambda one: booked_minutes(world, one, debut), default=None)


def booked_minutes(world: World, person: int, instant: int) -> int:
    day = naive.day(world.rules, instant)
    return sum(
        len(minutes(one.held.debut, one.held.fin))
        for one in world.bookings.values()
        if one.ressource_id == person and naive.day(world.rules, one.held.debut) == day
    )
