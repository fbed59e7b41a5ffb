"""Brings stored creneaux into line with the plan of their business."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from peewee import chunked

from reservation.domain import states
from reservation.domain.calendar.plans import (
    LONGEST_BUFFER,
    LONGEST_GRAIN,
    LONGEST_VISIT,
    New,
    Plan,
)
from reservation.domain.calendar.timetable import WEEK
from reservation.storage.database import Database

_ROWS_A_STATEMENT = 500
_COLUMNS = (
    "id, debut, fin, ouverture, capacite, prestation_id, ouvert, capacite_prevue, places_prises"
)
_STORED = (
    f"SELECT {_COLUMNS} FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " ORDER BY debut"
)
_INSERT = (
    "INSERT INTO creneau (entreprise_id, debut, fin, ouverture, capacite, prestation_id, ouvert,"
    " capacite_prevue, places_prises) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
)
_KEPT = (
    "SELECT debut, fin FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " AND (places_prises > 0 OR fin > ?) ORDER BY debut"
)
_BOOKED = (
    "SELECT debut, fin FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " AND places_prises > 0 AND ouvert >= ? ORDER BY debut"
)
_FREEZE = (
    "UPDATE creneau SET capacite = CASE WHEN places_prises > ? THEN places_prises ELSE ? END,"
    " capacite_prevue = ?, ouvert = ? WHERE id IN ({})"
)
_ADAPT = (
    "UPDATE creneau SET ouverture = ?, capacite = ?, capacite_prevue = ?, prestation_id = ?,"
    " ouvert = ? WHERE id IN ({})"
)
_HOLDING = (
    "SELECT occupe_debut, occupe_fin, places FROM reservation WHERE entreprise_id = ?"
    " AND debut > ? AND debut < ? AND occupe_fin > ? AND occupe_debut < ?"
    f" AND statut NOT IN {states.RELEASED}"
)
_CHARGE = (
    "UPDATE creneau SET capacite = CASE WHEN places_prises + ? > capacite"
    " THEN places_prises + ? ELSE capacite END, places_prises = places_prises + ?"
    " WHERE entreprise_id = ? AND debut = ?"
)


class Stored(NamedTuple):
    """A creneau as it stands in the table."""

    id: int
    debut: int
    fin: int
    ouverture: int
    capacite: int
    prestation_id: int | None
    ouvert: int
    capacite_prevue: int
    places_prises: int

    @property
    def interval(self) -> tuple[int, int]:
        return self.debut, self.fin


class Difference(NamedTuple):
    """What separates the stored creneaux of some time from the plan."""

    new: list[New]
    surplus: list[Stored]
    adapted: list[tuple[Stored, New]]  # free and at the right time, with the wrong attributes
    frozen: list[tuple[Stored, int]]  # booked, each with the capacity that the plan has there

    @property
    def closed(self) -> list[tuple[int, int]]:
        """The booked creneaux that were open and that the plan closes, by start."""
        return [row.interval for row, capacity in self.frozen if row.ouvert and not capacity]


def difference(
    db: Database, entreprise_id: int, plan: Plan, start: int, end: int, lock: str = ""
) -> Difference:
    """Compares the creneaux that start in [start, end). A creneau with places taken stays."""
    found = db.rows(_STORED + lock, entreprise_id, start, end)
    stored = [Stored(*row) for row in found]
    booked = [row for row in stored if row.places_prises]
    free = {row.interval: row for row in stored if not row.places_prises}
    kept = db.rows(_KEPT, entreprise_id, start - WEEK, start, start)
    # The last new creneau may reach over the end, onto one that is booked there.
    ahead = booked_between(db, entreprise_id, end, end + LONGEST_GRAIN)
    around = [(debut, fin) for debut, fin in kept] + [row.interval for row in booked] + ahead
    wanted = {(one.debut, one.fin): one for one in plan.creneaux(start, end, around)}
    capacities = plan.capacities([row.interval for row in booked])
    return Difference(
        new=[one for interval, one in wanted.items() if interval not in free],
        surplus=[row for interval, row in free.items() if interval not in wanted],
        adapted=[(free[at], one) for at, one in wanted.items() if at in free],
        frozen=list(zip(booked, capacities, strict=True)),
    )


def end_of_stored(db: Database, entreprise_id: int) -> int:
    """Returns the instant before which all stored creneaux start; 0 where there are none."""
    ((last,),) = db.rows("SELECT MAX(debut) FROM creneau WHERE entreprise_id = ?", entreprise_id)
    return 0 if last is None else int(last) + 1


def booked_between(
    db: Database, entreprise_id: int, start: int, end: int, open_only: bool = False
) -> list[tuple[int, int]]:
    """Returns the creneaux with places taken that start in [start, end), by start."""
    rows = db.rows(_BOOKED, entreprise_id, start, end, int(open_only))
    return [(debut, fin) for debut, fin in rows]


def rebuild(db: Database, entreprise_id: int, plan: Plan, start: int, end: int) -> Difference:
    """Brings the creneaux that start in [start, end) into line; returns what it changed.

    To be called in a transaction that holds the business. The capacity of a creneau falls no
    lower than its places taken, and it closes where the plan does not open.
    """
    found = difference(db, entreprise_id, plan, start, end, db.FOR_UPDATE)
    _freeze(db, found.frozen)
    _in_statements(db, "DELETE FROM creneau WHERE id IN ({})", (), found.surplus)
    _adapt(db, found.adapted)
    db.write_many(_INSERT, [(entreprise_id, *one, one.capacite) for one in found.new])
    _charge(db, entreprise_id, found.new)
    return found


def _freeze(db: Database, frozen: Iterable[tuple[Stored, int]]) -> None:
    alike = defaultdict(list)
    for row, capacity in frozen:
        present = (row.capacite, row.capacite_prevue, bool(row.ouvert))
        if present != (max(capacity, row.places_prises), capacity, capacity > 0):
            alike[capacity].append(row)
    for capacity, rows in alike.items():
        values = (capacity, capacity, capacity, capacity > 0)
        _in_statements(db, _FREEZE, values, rows)


def _adapt(db: Database, pairs: Iterable[tuple[Stored, New]]) -> None:
    """Gives free creneaux the attributes that the plan has for their time."""
    alike = defaultdict(list)
    for row, one in pairs:
        if (*row[3:6], bool(row.ouvert)) != one[2:]:
            alike[one[2:]].append(row)
    for (ouverture, capacite, prestation_id, ouvert), rows in alike.items():
        values = (ouverture, capacite, capacite, prestation_id, ouvert)
        _in_statements(db, _ADAPT, values, rows)


def _in_statements(
    db: Database, sql: str, values: tuple[object, ...], rows: Sequence[Stored]
) -> None:
    for some in chunked(rows, _ROWS_A_STATEMENT):
        marks = ", ".join("?" * len(some))
        db.write(sql.format(marks), *values, *(row.id for row in some))


def _charge(db: Database, entreprise_id: int, new: Sequence[New]) -> None:
    """Takes on new creneaux the places of the bookings whose buffers reach into them."""
    if not new:
        return
    start, end = new[0].debut, new[-1].fin
    low, high = start - LONGEST_VISIT - LONGEST_BUFFER, end + LONGEST_BUFFER
    holding = db.rows(_HOLDING, entreprise_id, low, high, start, end)
    for debut, fin, places in list(holding):
        first = bisect_right(new, debut, key=attrgetter("fin"))
        last = bisect_left(new, fin, key=attrgetter("debut"))
        for one in new[first:last]:
            db.write(_CHARGE, places, places, places, entreprise_id, one.debut)
