"""Free times and places held, computed minute by minute from the rows.

Slow and simple: written from the design alone, to check `reservation.domain` against. Instants are
in seconds and are multiples of 60.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import pairwise, takewhile
from typing import NamedTuple
from zoneinfo import ZoneInfo

MINUTE = 60
NO_START = "ferme"  # the motif for a start between the intervals of a service


class Creneau(NamedTuple):
    """A row of the table creneau."""

    id: int
    debut: int
    fin: int
    ouverture: int
    capacite: int
    places_prises: int
    ouvert: bool
    prestation_id: int | None


class Asked(NamedTuple):
    """A service, in minutes, and a number of places; `duree` 0 means one slot of any length."""

    prestation_id: int | None
    duree: int
    avant: int = 0
    apres: int = 0
    intervalle: int | None = None
    places: int = 1


class Rules(NamedTuple):
    """The rules of a business: notice in minutes, horizon in days."""

    fuseau: str = "Europe/Paris"
    delai: int = 0
    horizon: int = 90
    actif: bool = True


class Held(NamedTuple):
    """What an active booking holds: its visit [debut, fin), and the visit with its buffers."""

    debut: int
    fin: int
    occupe_debut: int
    occupe_fin: int
    places: int

    @classmethod
    def of(cls, asked: Asked, debut: int) -> "Held":
        fin = debut + asked.duree * MINUTE
        low, high = debut - asked.avant * MINUTE, fin + asked.apres * MINUTE
        return cls(debut, fin, low, high, asked.places)


def minutes(debut: int, fin: int) -> range:
    return range(debut, fin, MINUTE)


def by_minute(creneaux: Iterable[Creneau]) -> dict[int, Creneau]:
    return {minute: one for one in creneaux for minute in minutes(one.debut, one.fin)}


def near(creneaux: Iterable[Creneau], debut: int, fin: int) -> list[Creneau]:
    """Returns the slots that share a minute with this interval."""
    return [one for one in creneaux if one.debut < fin and one.fin > debut]


def is_start(creneau: Creneau, asked: Asked) -> bool:
    """Returns whether the service can start here: a multiple of its interval after the opening."""
    since_opening = (creneau.debut - creneau.ouverture) // MINUTE
    return not asked.intervalle or since_opening % asked.intervalle == 0


def motif(
    there: Mapping[int, Creneau], asked: Asked, rules: Rules, now: int, first: Creneau
) -> str | None:
    """Returns why a visit cannot start with a slot, None if it can. `there` is by_minute."""
    return _of_time(rules, now, first.debut) or _of_calendar(there, asked, rules, first)


def _of_time(rules: Rules, now: int, debut: int) -> str | None:
    if debut < now:
        return "passe"
    if debut - now < rules.delai * MINUTE:
        return "delai"
    days = day(rules, debut) - day(rules, now)
    return "horizon" if days.days > rules.horizon else None


def day(rules: Rules, instant: int) -> date:
    """Returns the local date."""
    return datetime.fromtimestamp(instant, ZoneInfo(rules.fuseau)).date()


def _of_calendar(
    there: Mapping[int, Creneau], asked: Asked, rules: Rules, first: Creneau
) -> str | None:
    fin = first.debut + asked.duree * MINUTE if asked.duree else first.fin
    visit = minutes(first.debut, fin)
    before_any_gap = list(takewhile(there.__contains__, visit))
    if not rules.actif or any(_is_shut(there[minute], asked) for minute in before_any_gap):
        return "ferme"
    if len(before_any_gap) < len(visit):
        return "trop_court"
    return "complet" if places_left(there, asked, first.debut, fin) < asked.places else None


def places_left(there: Mapping[int, Creneau], asked: Asked, debut: int, fin: int) -> int:
    """Returns the lowest number of free places during a visit and its buffers."""
    busy = minutes(debut - asked.avant * MINUTE, fin + asked.apres * MINUTE)
    under = {there[minute] for minute in busy if minute in there}
    return min(one.capacite - one.places_prises for one in under)


def _is_shut(creneau: Creneau, asked: Asked) -> bool:
    own = asked.prestation_id
    kept_for_another = own is not None and creneau.prestation_id not in (None, own)
    return not creneau.ouvert or kept_for_another


def places_held(creneaux: Iterable[Creneau], held: Mapping[int, Held]) -> dict[int, int]:
    """Returns the places that the bookings hold on each slot, by its id."""
    holding = defaultdict(set)
    for number, one in held.items():
        for minute in minutes(one.occupe_debut, one.occupe_fin):
            holding[minute].add(number)
    return {
        one.id: sum(held[number].places for number in _over(one, holding)) for one in creneaux
    }


def _over(creneau: Creneau, holding: Mapping[int, set[int]]) -> set[int]:
    under = minutes(creneau.debut, creneau.fin)
    return set().union(*(holding[minute] for minute in under if minute in holding))


def is_covered(creneaux: Iterable[Creneau], held: Held) -> bool:
    """Returns whether slots without a gap cover the visit, and the first starts with the visit."""
    there = by_minute(near(creneaux, held.debut, held.fin))
    whole = all(minute in there for minute in minutes(held.debut, held.fin))
    return whole and there[held.debut].debut == held.debut


def overlaps(creneaux: Iterable[Creneau]) -> Iterator[tuple[Creneau, Creneau]]:
    """Returns pairs of slots that share a minute: some of them, if there are any."""
    ordered = sorted(creneaux, key=lambda one: one.debut)
    return ((one, after) for one, after in pairwise(ordered) if after.debut < one.fin)


def given_back(creneaux: Iterable[Creneau], held: Held | None) -> list[Creneau]:
    """Returns the slots as they would be without this booking."""
    if held is None:
        return list(creneaux)
    return [
        one._replace(places_prises=one.places_prises - held.places)
        if one.debut < held.occupe_fin and one.fin > held.occupe_debut
        else one
        for one in creneaux
    ]
