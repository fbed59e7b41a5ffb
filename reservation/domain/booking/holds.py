"""Places held on creneaux: the one path by which they are taken and given back.

Three walls keep a time from being sold twice: the conditional UPDATE, the count of its rows,
and the CHECK of the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from reservation.domain.calendar import calendar
from reservation.domain.calendar.availability import (
    COMPLET,
    DEBUT,
    FIN,
    ID,
    PLACES_LEFT,
    OUVERT,
    SlotRows,
    slots_between,
    refusal_of,
)
from reservation.domain.calendar.terms import BusinessTerms, Visit
from reservation.errors import PlacesNotHeld, SlotTaken
from reservation.storage.database import Database

_TAKE = (
    "UPDATE creneau SET places_prises = places_prises + ? WHERE entreprise_id = ?"
    " AND debut BETWEEN ? AND ? AND ouvert = ? AND places_prises + ? <= capacite"
)
# Places above what the week gives by now are not sold again. MySQL assigns from left to
# right, so the capacity stands before the places that it is reckoned from.
_GIVE_BACK = (
    "UPDATE creneau SET capacite = CASE WHEN capacite = capacite_prevue THEN capacite"
    " WHEN places_prises - ? > capacite_prevue THEN places_prises - ? ELSE capacite_prevue END,"
    " places_prises = places_prises - ? WHERE entreprise_id = ?"
    " AND debut BETWEEN ? AND ? AND places_prises >= ?"
)
_LACKING = (
    "SELECT id FROM creneau WHERE entreprise_id = ? AND debut < ? AND fin > ?"
    " AND places_prises < ? ORDER BY debut"
)


@dataclass(frozen=True, slots=True)
class Hold:
    """Places held on every creneau that overlaps [debut, fin), in seconds."""

    debut: int
    fin: int
    places: int

    def on(self, grain: Sequence[Any]) -> int:
        return self.places if grain[DEBUT] < self.fin and grain[FIN] > self.debut else 0


NOTHING = Hold(0, 0, 0)


def take(
    db: Database,
    entreprise: BusinessTerms,
    visit: Visit,
    creneau_id: int | None,
    debut: int,
    old: Hold,
    now: int,
) -> Hold:
    """Hold the visit that starts with a creneau, at `debut`, instead of `old`.

    Raises SlotTaken; PlacesNotHeld if the slots count fewer places than `old` holds; CalendarBehind if
    the calendar must be extended first.
    """
    calendar.check(entreprise, debut + visit.length + visit.after, now)
    new = Hold(debut - visit.before, debut + visit.length + visit.after, visit.places)
    under = {
        grain[ID]: grain
        for hold in (old, new)
        if hold.places
        for grain in slots_between(db, entreprise.id, hold.debut, hold.fin)
    }
    grains = sorted(under.values(), key=itemgetter(DEBUT))
    given_back = [(*g[:PLACES_LEFT], g[PLACES_LEFT] + old.on(g), *g[PLACES_LEFT + 1 :]) for g in grains]
    motif = refusal_of(given_back, visit, debut, entreprise, now)
    if motif:
        raise SlotTaken(motif)
    if all(grain[ID] != creneau_id for grain in grains):
        raise SlotTaken()  # a new week put another creneau in its place
    _shift(db, entreprise.id, grains, old, new)
    return new


def give_back(db: Database, entreprise_id: int, held: Hold) -> None:
    """Raises PlacesNotHeld if a slot counts fewer places than `held` does: somebody else was
    quicker, or the count of the slot is wrong."""
    grains = slots_between(db, entreprise_id, held.debut, held.fin)
    _shift(db, entreprise_id, grains, held, NOTHING)


def lacking(db: Database, entreprise_id: int, held: Hold) -> list[int]:
    """Returns the ids of the slots that count fewer places than `held` does, by start."""
    found = db.rows(_LACKING, entreprise_id, held.fin, held.debut, held.places)
    return [number for (number,) in found]


def _shift(db: Database, entreprise_id: int, grains: SlotRows, old: Hold, new: Hold) -> None:
    """Change the places of each creneau by the difference, by start, under condition."""

    def change(grain: Sequence[Any]) -> tuple[int, int]:
        return new.on(grain) - old.on(grain), grain[OUVERT]

    for (places, ouvert), alike in groupby(grains, change):
        some = list(alike)
        if not places:
            continue
        first, last = some[0][DEBUT], some[-1][DEBUT]
        if places > 0:
            done = db.write(_TAKE, places, entreprise_id, first, last, ouvert, places)
        else:
            n = -places
            done = db.write(_GIVE_BACK, n, n, n, entreprise_id, first, last, n)
        if done.rowcount != len(some):
            raise SlotTaken(COMPLET) if places > 0 else PlacesNotHeld()
