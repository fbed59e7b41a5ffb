"""Checks the stored data.

The main rule: the taken places of a slot are the sum of the places of its active bookings.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reservation.domain import states
from reservation.domain.booking import counts
from reservation.domain.booking.counts import ActiveReservation, Breach
from reservation.domain.calendar import calendar, stored_plans
from reservation.domain.calendar.performers import PERSON, ROOM
from reservation.domain.calendar.reconciling import StoredSlot
from reservation.domain.customers import linking
from reservation.domain.outbox import outbox
from reservation.storage import definitions, integrity, records
from reservation.storage.database import Database, snapshot, transaction
from reservation.storage.models import Creneau, Entreprise

_STATES = {"reservation": states.STATES, "eventemail": outbox.STATES}
Progress = Callable[[str, Sequence[Any]], Iterator[Any]]
_MISPLACED = (
    "SELECT r.id, c.id, s.entreprise_id FROM reservation r"
    " LEFT JOIN creneau c ON c.id = r.creneau_id LEFT JOIN ressource s ON s.id = c.ressource_id"
    f" WHERE r.entreprise_id = ? AND r.statut NOT IN {states.RELEASED}"
    " AND (c.id IS NULL OR c.ressource_id <> r.ressource_id"
    " OR s.entreprise_id <> r.entreprise_id OR c.debut <> r.debut)"
    " ORDER BY r.id"
)
_PERFORMED = (
    "SELECT r.id, s.id, s.entreprise_id, s.genre, '{genre}' FROM reservation r"
    " JOIN ressource s ON s.id = r.{column} WHERE r.entreprise_id = ?"
    " AND (s.entreprise_id <> r.entreprise_id OR s.genre <> '{genre}')"
)
_STRAY = (
    _PERFORMED.format(column="ressource_id", genre=PERSON) + " UNION ALL "
    + _PERFORMED.format(column="lieu_id", genre=ROOM) + " ORDER BY 1, 2"
)
_STRAYS = {PERSON: "is performed by", ROOM: "is in"}
_KINDS = {PERSON: "person", ROOM: "room"}


def businesses(db: Database) -> list[int]:
    query = Entreprise.select(Entreprise.id).order_by(Entreprise.id)
    return [row.id for row in query.execute(db)]


def faults(db: Database, progress: Progress = lambda _what, items: iter(items)) -> Iterator[str]:
    """Yields a sentence for each fault in the database. Other processes may write meanwhile.

    `progress(what, items)` yields `items`, and may display the progress.
    """
    yield from integrity.damage(db)
    with snapshot(db):
        for table in progress("tables checked", list(definitions.wanted().values())):
            yield from integrity.duplicates(db, table)
            yield from integrity.dangling(db, table)
        yield from _unknown_states(db)
        for entreprise_id in progress("businesses checked", businesses(db)):
            for fault in _of_business(db, entreprise_id):
                yield f"business {entreprise_id}: {fault}"


def breaches(db: Database, entreprise_id: int) -> list[Breach]:
    """Returns the breaches (see `counts.Breach`) in the slots of a business."""
    return [
        breach
        for ressource_id in stored_plans.ressources(db, entreprise_id)
        for breach in counts.breaches(*counts.rows(db, ressource_id))
    ]


def repair(db: Database, entreprise_id: int) -> list[Breach]:
    """Corrects the slots with a breach, and returns the breaches found."""

    def work() -> list[Breach]:
        calendar.lock(db, entreprise_id)
        found = breaches(db, entreprise_id)
        for breach in found:
            changes = {"places_prises": breach.held, "capacite": breach.capacite}
            Creneau.update(changes).where(Creneau.id == breach.slot.id).execute(db)
        return found

    return transaction(db, work)


def _of_business(db: Database, entreprise_id: int) -> Iterator[str]:
    mark = records.get(db, Entreprise, entreprise_id).calendrier_jusqua
    for ressource_id in stored_plans.ressources(db, entreprise_id):
        yield from _of_ressource(*counts.rows(db, ressource_id), mark)
    yield from _misplaced(db, entreprise_id)
    for number, stray, owner, genre, role in db.rows(_STRAY, *[entreprise_id] * 2):
        said = f"booking {number} {_STRAYS[role]} ressource {stray}"
        if owner != entreprise_id:
            yield f"{said} of business {owner}"
        if genre != role:
            yield f"{said}, which is a {_KINDS[genre]}"
    yield from linking.faults(db, entreprise_id)


def _of_ressource(
    slots: list[StoredSlot], bookings: list[ActiveReservation], mark: int
) -> Iterator[str]:
    yield from map(str, counts.breaches(slots, bookings))
    # Free slots after `mark` may be outdated, so overlaps of such slots are not faults.
    yield from _overlapping([slot for slot in slots if slot.debut < mark or slot.places_prises])
    for slot in slots:
        if slot.places_prises > slot.capacite:
            places = f"{slot.places_prises} of {slot.capacite} places are taken"
            yield f"slot {slot.id} is oversold: {places}"
    yield from _uncovered(slots, bookings)


def _overlapping(slots: list[StoredSlot]) -> Iterator[str]:
    last: StoredSlot | None = None  # the slot with the latest end so far
    for slot in slots:
        if last and slot.debut < last.fin:
            yield f"slot {slot.id} overlaps slot {last.id}"
        if not last or slot.fin > last.fin:
            last = slot


def _misplaced(db: Database, entreprise_id: int) -> Iterator[str]:
    for number, slot, owner in db.rows(_MISPLACED, entreprise_id):
        if slot is None:
            yield f"booking {number} has lost the slot that it starts with"
        elif owner != entreprise_id:
            yield f"booking {number} starts with slot {slot} of business {owner}"
        else:
            yield f"booking {number} does not start with slot {slot}"


def _uncovered(slots: list[StoredSlot], bookings: list[ActiveReservation]) -> Iterator[str]:
    starts = [slot.debut for slot in slots]
    for one in bookings:
        at, reached = max(bisect_right(starts, one.debut) - 1, 0), one.debut
        while reached < one.fin and at < len(slots) and starts[at] <= reached:
            reached = max(reached, slots[at].fin)
            at += 1
        if reached < one.fin:
            yield f"booking {one.id} has no slot for a part of its time"


def _unknown_states(db: Database) -> Iterator[str]:
    for table, known in _STATES.items():
        sql = f"SELECT id, statut FROM {table} WHERE statut NOT IN {known} ORDER BY id"
        for number, statut in db.rows(sql):
            yield f"{table} {number} is in the unknown state {statut!r}"
