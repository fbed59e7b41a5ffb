"""Takes holds (places in slots) for bookings, and gives holds back.

Only two other modules write `places_prises`: `reconciling` for new slots, `invariant` for repairs.
Three guards prevent double booking: the condition of the UPDATE, the number of updated rows, and
the CHECK constraint of the table.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from reservation.conflicts import PlacesNotHeld, SlotTaken
from reservation.domain import states
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar import reasons, stored_slots
from reservation.domain.calendar.stored_slots import (
    DEBUT,
    ID,
    OUVERT,
    Hold,
    Holds,
    SlotRows,
    of_ressource,
)
from reservation.storage.database import Database
from reservation.storage.models import Creneau

_TAKE = (
    "UPDATE creneau SET places_prises = places_prises + ? WHERE ressource_id = ?"
    " AND debut BETWEEN ? AND ? AND ouvert = ? AND places_prises + ? <= capacite"
)
# If more places are taken than planned, `capacite` equals the taken places. Giving places back
# then reduces `capacite`, but not below the planned capacity. MySQL assigns columns from left to
# right: assign `capacite` first, because its new value needs the old `places_prises`.
_GIVE_BACK = (
    "UPDATE creneau SET capacite = CASE WHEN capacite = capacite_prevue THEN capacite"
    " WHEN places_prises - ? > capacite_prevue THEN places_prises - ? ELSE capacite_prevue END,"
    " places_prises = places_prises - ? WHERE ressource_id = ?"
    " AND debut BETWEEN ? AND ? AND places_prises >= ?"
)


def of_booking(reservation: ReservationRecord) -> list[Hold]:
    """Returns the holds of a booking on its person and, if it has a room, on its room. Returns []
    for a cancelled or refused booking."""
    if reservation.statut in states.RELEASED:
        return []
    rest = reservation.occupe_debut, reservation.occupe_fin, reservation.places
    calendars = reservation.ressource_id, reservation.lieu_id
    return [Hold(id, *rest) for id in calendars if id is not None]


def under(db: Database, ressource_id: int, holds: Holds) -> SlotRows:
    """Returns a person's or room's slots that overlap `holds`, ordered by start."""
    rows = {
        slot[ID]: slot
        for hold in of_ressource(ressource_id, holds)
        for slot in stored_slots.between(db, ressource_id, hold.debut, hold.fin)
    }
    return sorted(rows.values(), key=itemgetter(DEBUT))


def replace(
    db: Database, old: Holds, new: Holds, known: Mapping[int, SlotRows] = MappingProxyType({})
) -> None:
    """Replaces the holds `old` by the holds `new`.

    `known` maps a `ressource_id` to the slots that `old` and `new` overlap, if the caller has
    already read these slots. Raises SlotTaken if a slot has too few free places. Raises
    PlacesNotHeld if the number of taken places of a slot would become negative.
    """
    # Always locks slots in the order of `ressource_id` and start, to avoid deadlocks.
    for ressource_id in sorted({hold.ressource_id for hold in (*old, *new)}):
        slots = known.get(ressource_id) or under(db, ressource_id, (*old, *new))
        _shift(db, ressource_id, slots, *(of_ressource(ressource_id, some) for some in (old, new)))


def lacking(db: Database, holds: Holds) -> list[int]:
    """Returns the ids of slots whose `places_prises` is less than the places of a hold."""
    found = []
    for hold in holds:
        touched = (Creneau.debut < hold.fin) & (Creneau.fin > hold.debut)
        slots = Creneau.select(Creneau.id).where(
            (Creneau.ressource == hold.ressource_id) & touched
            & (Creneau.places_prises < hold.places)
        )
        found += [slot.id for slot in slots.order_by(Creneau.debut).execute(db)]
    return found


def _shift(db: Database, ressource_id: int, slots: SlotRows, old: Holds, new: Holds) -> None:
    """Adds the places of `new` to the taken places of the slots, and subtracts the places of
    `old`. `slots` must be ordered by start."""

    def change(slot: Sequence[Any]) -> tuple[int, int]:
        places = sum(hold.on(slot) for hold in new) - sum(hold.on(slot) for hold in old)
        return places, slot[OUVERT]

    for (places, ouvert), alike in groupby(slots, change):
        some = list(alike)
        if not places:
            continue
        first, last = some[0][DEBUT], some[-1][DEBUT]
        if places > 0:
            done = db.write(_TAKE, places, ressource_id, first, last, ouvert, places)
        else:
            n = -places
            done = db.write(_GIVE_BACK, n, n, n, ressource_id, first, last, n)
        if done.rowcount != len(some):
            raise SlotTaken(reasons.COMPLET) if places > 0 else PlacesNotHeld()
