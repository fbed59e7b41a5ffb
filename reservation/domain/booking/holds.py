"""Places held on slots: the only code that takes places and gives them back.

Three guards prevent double booking: the condition of the UPDATE, the number of rows that the
UPDATE changed, and the CHECK constraint of the table.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.calendar import availability, calendar
from reservation.domain.calendar.availability import DEBUT, FIN, ID, LEFT, OUVERT, SlotRows
from reservation.domain.calendar.terms import BusinessTerms, Visit
from reservation.errors import PlacesNotHeld, SlotTaken
from reservation.storage.database import Database
from reservation.storage.models import Creneau

# Plain SQL: one statement for all slots of a visit.
_TAKE = (
    "UPDATE creneau SET places_prises = places_prises + ? WHERE entreprise_id = ?"
    " AND debut BETWEEN ? AND ? AND ouvert = ? AND places_prises + ? <= capacite"
)
# A capacity above `capacite_prevue` shrinks with the places taken. MySQL assigns from left to
# right, so `capacite` is assigned before the places from which it is computed.
_GIVE_BACK = (
    "UPDATE creneau SET capacite = CASE WHEN capacite = capacite_prevue THEN capacite"
    " WHEN places_prises - ? > capacite_prevue THEN places_prises - ? ELSE capacite_prevue END,"
    " places_prises = places_prises - ? WHERE entreprise_id = ?"
    " AND debut BETWEEN ? AND ? AND places_prises >= ?"
)


class Hold(NamedTuple):
    """Places held on every slot that overlaps [debut, fin), in seconds."""

    debut: int
    fin: int
    places: int

    def on(self, slot: Sequence[Any]) -> int:
        return self.places if slot[DEBUT] < self.fin and slot[FIN] > self.debut else 0


NOTHING = Hold(0, 0, 0)


def take(
    db: Database, entreprise: BusinessTerms, visit: Visit, creneau_id: int | None, debut: int,
    old: Hold, now: int,
) -> Hold:
    """Replaces the hold `old` by a hold for a visit that starts at `debut` with this slot.

    Raises SlotTaken; PlacesNotHeld if the slots count fewer places than `old`; CalendarBehind
    if the calendar must be extended first.
    """
    new = Hold(debut - visit.before, debut + visit.length + visit.after, visit.places)
    calendar.check(entreprise, new.fin, now)
    under = {
        slot[ID]: slot
        for hold in (old, new)
        if hold.places
        for slot in availability.slots_between(db, entreprise.id, hold.debut, hold.fin)
    }
    slots = sorted(under.values(), key=itemgetter(DEBUT))
    given_back = [
        (*row[:LEFT], row[LEFT] + old.on(row), *row[LEFT + 1 :])
        for row in slots
    ]
    motif = availability.refusal_of(given_back, visit, debut, entreprise, now)
    if motif:
        raise SlotTaken(motif)
    if all(slot[ID] != creneau_id for slot in slots):
        raise SlotTaken()  # new weekly hours replaced the slot
    _shift(db, entreprise.id, slots, old, new)
    return new


def give_back(db: Database, entreprise_id: int, held: Hold) -> None:
    """Releases a hold. Raises PlacesNotHeld if a slot counts fewer places than the hold: another
    request released the hold first, or the count is wrong."""
    slots = availability.slots_between(db, entreprise_id, held.debut, held.fin)
    _shift(db, entreprise_id, slots, held, NOTHING)


def lacking(db: Database, entreprise_id: int, held: Hold) -> list[int]:
    """Returns the ids of the slots that count fewer places than `held`, ordered by start."""
    touched = (Creneau.debut < held.fin) & (Creneau.fin > held.debut)
    slots = Creneau.select(Creneau.id).where(
        (Creneau.entreprise == entreprise_id) & touched & (Creneau.places_prises < held.places)
    )
    return [slot.id for slot in slots.order_by(Creneau.debut).execute(db)]


def _shift(db: Database, entreprise_id: int, slots: SlotRows, old: Hold, new: Hold) -> None:
    """Changes the places of each slot from the old to the new hold, ordered by start."""

    def change(slot: Sequence[Any]) -> tuple[int, int]:
        return new.on(slot) - old.on(slot), slot[OUVERT]

    for (places, ouvert), alike in groupby(slots, change):
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
            raise SlotTaken(availability.COMPLET) if places > 0 else PlacesNotHeld()
