"""Updates the stored slots of a person or room to match the plan."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from peewee import chunked

from reservation.domain import states
from reservation.domain.calendar import plans, stored_slots
from reservation.domain.calendar.plans import Plan, PlannedSlot, SlotTerms
from reservation.domain.calendar.timetable import Interval
from reservation.storage import records
from reservation.storage.database import Database, marks


class StoredSlot(NamedTuple):
    """Columns of creneau."""

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
    def interval(self) -> Interval:
        return self.debut, self.fin


# Plain SQL for speed: one transaction changes hundreds of slots.
_ROWS_A_STATEMENT = 500
_STORED = (
    f"SELECT {records.columns(StoredSlot)} FROM creneau"
    " WHERE ressource_id = ? AND debut >= ? AND debut < ? ORDER BY debut"
)
# With an inner MAX instead of ORDER BY, MariaDB would read all slots of the business. With fewer
# columns of the index in ORDER BY, MySQL would read them all and sort them.
_LAST = (
    "SELECT MAX((SELECT c.debut FROM creneau c WHERE c.ressource_id = r.id"
    " ORDER BY c.ressource_id DESC, c.debut DESC LIMIT 1))"
    " FROM ressource r WHERE r.entreprise_id = ?"
)
_INSERT = (
    "INSERT INTO creneau (ressource_id, debut, fin, ouverture, capacite, prestation_id, ouvert,"
    " capacite_prevue, places_prises) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
)
_BEFORE = (
    "SELECT debut, fin FROM creneau WHERE ressource_id = ? AND debut < ?"
    " ORDER BY debut DESC LIMIT 1"
)
_BOOKED = (
    "SELECT debut, fin FROM creneau WHERE ressource_id = ? AND debut >= ? AND debut < ?"
    " AND places_prises > 0 AND ouvert >= ? ORDER BY debut"
)
_FREEZE = (
    "UPDATE creneau SET capacite = CASE WHEN places_prises > ? THEN places_prises ELSE ? END,"
    " capacite_prevue = ?, ouvert = ?, prestation_id = ? WHERE id IN ({})"
)
_ADAPT = (
    "UPDATE creneau SET ouverture = ?, capacite = ?, capacite_prevue = ?, prestation_id = ?,"
    " ouvert = ? WHERE id IN ({})"
)
_HOLDING = (
    "debut > ? AND debut < ? AND occupe_fin > ? AND occupe_debut < ?"
    f" AND statut NOT IN {states.RELEASED}"
)
_CHARGE = (
    "UPDATE creneau SET capacite = CASE WHEN places_prises + ? > capacite"
    " THEN places_prises + ? ELSE capacite END, places_prises = places_prises + ?"
    " WHERE ressource_id = ? AND debut = ?"
)


class Difference(NamedTuple):
    new: list[PlannedSlot]
    surplus: list[StoredSlot]
    adapted: list[tuple[StoredSlot, PlannedSlot]]  # unbooked slots, each with its planned slot
    frozen: list[tuple[StoredSlot, SlotTerms]]  # booked slots, each with its planned terms

    @property
    def is_followed(self) -> bool:
        """Returns whether the unbooked slots match the plan. Ignores booked slots."""
        outdated = any(_is_outdated(row, slot) for row, slot in self.adapted)
        return not (self.new or self.surplus or outdated)

    @property
    def closed(self) -> list[Interval]:
        """Returns the times of booked slots that are stored as open, but closed in the plan."""
        return [row.interval for row, terms in self.frozen if row.ouvert and not terms.ouvert]


def difference(
    db: Database, ressource_id: int, plan: Plan, start: int, end: int, lock: str = ""
) -> Difference:
    """Compares the stored slots that start in [start, end) with the plan.

    Booked slots stay, and no new slot overlaps a booked slot. The slot before `start` stays too,
    and the next slots of its opening follow it without a gap. So saving the same hours again keeps
    all slots. `lock` is a clause for the end of the SELECT, such as FOR UPDATE.
    """
    found = db.rows(_STORED + lock, ressource_id, start, end)
    stored = [StoredSlot(*row) for row in found]
    booked = [row for row in stored if row.places_prises]
    free = {row.interval: row for row in stored if not row.places_prises}
    before = db.rows(_BEFORE, ressource_id, start)
    # The last new slot may end after `end`, but must not overlap a booked slot after `end`.
    after = booked_between(db, ressource_id, end, end + plans.LONGEST_SLOT)
    kept = [(debut, fin) for debut, fin in before] + [row.interval for row in booked] + after
    wanted = {(slot.debut, slot.fin): slot for slot in plan.slots(start, end, kept)}
    terms = plan.terms([row.interval for row in booked])
    return Difference(
        new=[slot for interval, slot in wanted.items() if interval not in free],
        surplus=[row for interval, row in free.items() if interval not in wanted],
        adapted=[(free[at], slot) for at, slot in wanted.items() if at in free],
        frozen=list(zip(booked, terms, strict=True)),
    )


def end_of_stored(db: Database, entreprise_id: int) -> int:
    """Returns a time just after the start of the last stored slot, or 0 if no slots are stored."""
    ((last,),) = db.rows(_LAST, entreprise_id)
    return 0 if last is None else int(last) + 1


def booked_between(
    db: Database, ressource_id: int, start: int, end: int, open_only: bool = False
) -> list[Interval]:
    """Returns the times of the booked slots that start in [start, end), ordered by start. With
    `open_only`, omits closed slots."""
    rows = db.rows(_BOOKED, ressource_id, start, end, int(open_only))
    return [(debut, fin) for debut, fin in rows]


def rebuild(db: Database, ressource_id: int, plan: Plan, start: int, end: int) -> Difference:
    """Updates the slots that start in [start, end) to match the plan. Returns the changes.

    Closes booked slots that the plan omits, and never sets a capacity below the places taken. Call
    within a transaction that has locked the business.
    """
    found = difference(db, ressource_id, plan, start, end, db.FOR_UPDATE)
    _freeze(db, found.frozen)
    _write(db, "DELETE FROM creneau WHERE id IN ({})", (), found.surplus)
    _adapt(db, found.adapted)
    db.write_many(_INSERT, [(ressource_id, *slot, slot.capacite) for slot in found.new])
    _charge(db, ressource_id, found.new)
    return found


def _freeze(db: Database, frozen: Iterable[tuple[StoredSlot, SlotTerms]]) -> None:
    alike = defaultdict(list)
    for row, terms in frozen:
        present = (row.capacite, row.capacite_prevue, row.prestation_id, bool(row.ouvert))
        if present != (max(terms.capacite, row.places_prises), *terms):
            alike[terms].append(row)
    for (capacity, service, ouvert), rows in alike.items():
        _write(db, _FREEZE, (capacity, capacity, capacity, ouvert, service), rows)


def _is_outdated(row: StoredSlot, slot: PlannedSlot) -> bool:
    return (*row[3:6], bool(row.ouvert)) != slot[2:]


def _adapt(db: Database, pairs: Iterable[tuple[StoredSlot, PlannedSlot]]) -> None:
    alike = defaultdict(list)
    for row, slot in pairs:
        if _is_outdated(row, slot):
            alike[slot[2:]].append(row)
    for (ouverture, capacite, prestation_id, ouvert), rows in alike.items():
        _write(db, _ADAPT, (ouverture, capacite, capacite, prestation_id, ouvert), rows)


def _write(
    db: Database, sql: str, values: tuple[object, ...], rows: Sequence[StoredSlot]
) -> None:
    for some in chunked(rows, _ROWS_A_STATEMENT):
        db.write(sql.format(marks(some)), *values, *(row.id for row in some))


def _charge(db: Database, ressource_id: int, new: Sequence[PlannedSlot]) -> None:
    """Takes places in new slots for existing bookings whose buffers overlap these slots."""
    if not new:
        return
    start, end, buffer = new[0].debut, new[-1].fin, plans.LONGEST_BUFFER
    low, high = start - plans.LONGEST_VISIT - buffer, end + buffer
    columns = "occupe_debut, occupe_fin, places"
    bounds = low, high, start, end
    holding = stored_slots.bookings(db, columns, [ressource_id], _HOLDING, *bounds)
    for debut, fin, places in holding:
        first = bisect_right(new, debut, key=attrgetter("fin"))
        last = bisect_left(new, fin, key=attrgetter("debut"))
        for slot in new[first:last]:
            db.write(_CHARGE, places, places, places, ressource_id, slot.debut)
