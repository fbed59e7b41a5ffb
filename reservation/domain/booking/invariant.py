"""What must hold of the stored rows, whatever was done to them.

The heart of it: the places taken of a slot are those of the active reservations that cover it.
Each fault is a sentence that says what is wrong, and where.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from reservation.domain import states
from reservation.domain.calendar import calendar
from reservation.domain.messages import outbox
from reservation.storage import integrity
from reservation.storage.database import Database, snapshot, transaction
from reservation.storage.models import MODELS, Creneau

_STATES = {"reservation": states.STATES, "eventemail": outbox.STATES}
_SLOTS = (
    "SELECT id, debut, fin, capacite, capacite_prevue, places_prises FROM creneau"
    " WHERE entreprise_id = ? ORDER BY debut, id"
)
_ACTIVE = (
    "SELECT id, debut, fin, occupe_debut, occupe_fin, places FROM reservation"
    " WHERE entreprise_id = ? AND statut NOT IN ('refusee', 'annulee')"
    " ORDER BY occupe_debut, id"
)
_MISPLACED = (
    "SELECT r.id, c.id, c.entreprise_id FROM reservation r"
    " LEFT JOIN creneau c ON c.id = r.creneau_id"
    " WHERE r.entreprise_id = ? AND r.statut NOT IN ('refusee', 'annulee')"
    " AND (c.id IS NULL OR c.entreprise_id <> r.entreprise_id OR c.debut <> r.debut)"
    " ORDER BY r.id"
)
_MARK = "SELECT calendrier_jusqua FROM entreprise WHERE id = ?"
Progress = Callable[[str, Sequence[Any]], Iterator[Any]]


class Slot(NamedTuple):
    id: int
    debut: int
    fin: int
    capacite: int
    prevue: int  # the capacity that the week gives
    prises: int


class Booking(NamedTuple):
    """An active reservation."""

    id: int
    debut: int
    fin: int
    occupe_debut: int
    occupe_fin: int
    places: int


class Breach(NamedTuple):
    """A slot whose count of places, or capacity, is not what its reservations need."""

    slot: Slot
    tenues: int  # what the reservations hold

    @property
    def capacite(self) -> int:
        """What the capacity should be: more than planned only as long as more are taken."""
        return max(self.slot.prevue, self.tenues)

    def __str__(self) -> str:
        one = self.slot
        if one.prises == self.tenues:
            return f"slot {one.id} has room for {one.capacite} places, planned are {one.prevue}"
        return f"slot {one.id} counts {one.prises} places, its reservations hold {self.tenues}"


def businesses(db: Database) -> list[int]:
    return [number for (number,) in db.rows("SELECT id FROM entreprise ORDER BY id")]


def faults(
    db: Database, progress: Progress = lambda _what, items: iter(items)
) -> Iterator[str]:
    """Every fault of the database as it is at one moment, while others may go on writing.

    In memory are the rows of one business at a time.
    """
    yield from integrity.damage(db)
    with snapshot(db):
        for model in progress("tables checked", MODELS):
            yield from integrity.duplicates(db, model)
            yield from integrity.dangling(db, model)
            yield from _unknown_states(db, model._meta.table_name)
        for entreprise_id in progress("businesses checked", businesses(db)):
            for fault in _of_business(db, entreprise_id):
                yield f"business {entreprise_id}: {fault}"


def breaches(db: Database, entreprise_id: int) -> list[Breach]:
    """The slots of one business with a wrong count or capacity, by start."""
    return list(_breaches(*_rows(db, entreprise_id)))


def repair(db: Database, entreprise_id: int) -> list[Breach]:
    """Set the places taken to what the reservations hold; returns what was mended."""

    def work() -> list[Breach]:
        calendar.lock(db, entreprise_id)
        found = breaches(db, entreprise_id)
        for breach in found:
            changes = {"places_prises": breach.tenues, "capacite": breach.capacite}
            Creneau.update(changes).where(Creneau.id == breach.slot.id).execute(db)
        return found

    return transaction(db, work)


def _rows(db: Database, entreprise_id: int) -> tuple[list[Slot], list[Booking]]:
    slots = [Slot(*row) for row in db.rows(_SLOTS, entreprise_id)]
    return slots, [Booking(*row) for row in db.rows(_ACTIVE, entreprise_id)]


def _of_business(db: Database, entreprise_id: int) -> Iterator[str]:
    slots, bookings = _rows(db, entreprise_id)
    ((mark,),) = db.rows(_MARK, entreprise_id)
    yield from map(str, _breaches(slots, bookings))
    # Free slots beyond the mark are of an older week and are never booked as they are.
    yield from _overlapping([one for one in slots if one.debut < mark or one.prises])
    yield from _oversold(slots)
    yield from _misplaced(db, entreprise_id)
    yield from _uncovered(slots, bookings)


def _breaches(slots: list[Slot], bookings: list[Booking]) -> Iterator[Breach]:
    """In one pass by start over both."""
    open_: list[Booking] = []
    coming = 0
    for slot in slots:
        while coming < len(bookings) and bookings[coming].occupe_debut < slot.fin:
            open_.append(bookings[coming])
            coming += 1
        open_ = [one for one in open_ if one.occupe_fin > slot.debut]
        # A slot that overlaps the one before may end before it does.
        breach = Breach(slot, sum(one.places for one in open_ if one.occupe_debut < slot.fin))
        if breach.tenues != slot.prises or slot.capacite > breach.capacite:
            yield breach


def _overlapping(slots: list[Slot]) -> Iterator[str]:
    last: Slot | None = None  # of those before, the one that ends last
    for slot in slots:
        if last and slot.debut < last.fin:
            yield f"slot {slot.id} overlaps slot {last.id}"
        if not last or slot.fin > last.fin:
            last = slot


def _oversold(slots: list[Slot]) -> Iterator[str]:
    for slot in slots:
        if slot.prises > slot.capacite:
            yield f"slot {slot.id} is oversold: {slot.prises} of {slot.capacite} places are taken"


def _misplaced(db: Database, entreprise_id: int) -> Iterator[str]:
    for number, slot, owner in db.rows(_MISPLACED, entreprise_id):
        if slot is None:
            yield f"reservation {number} has lost the slot that it starts with"
        elif owner != entreprise_id:
            yield f"reservation {number} starts with slot {slot} of business {owner}"
        else:
            yield f"reservation {number} does not start with slot {slot}"


def _uncovered(slots: list[Slot], bookings: list[Booking]) -> Iterator[str]:
    starts = [slot.debut for slot in slots]
    for one in bookings:
        at, reached = max(bisect_right(starts, one.debut) - 1, 0), one.debut
        while reached < one.fin and at < len(slots) and starts[at] <= reached:
            reached = max(reached, slots[at].fin)
            at += 1
        if reached < one.fin:
            yield f"reservation {one.id} is not covered by slots without a gap"


def _unknown_states(db: Database, table: str) -> Iterator[str]:
    known = _STATES.get(table)
    if known is not None:
        marks = ", ".join("?" * len(known))
        sql = f"SELECT id, statut FROM {table} WHERE statut NOT IN ({marks}) ORDER BY id"
        for number, statut in db.rows(sql, *known):
            yield f"{table} {number} is in the unknown state {statut!r}"
