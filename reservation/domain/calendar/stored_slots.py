"""The stored slots of a person or room, the places that bookings take there, and the bookings.

Only two other modules write `places_prises`: `reconciling` for new slots, `invariant` for repairs.
Three guards prevent double booking: the condition of the UPDATE, the number of updated rows, and
the CHECK constraint of the table.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from reservation.conflicts import PlacesNotHeld, SlotTaken
from reservation.domain.calendar.plans import LONGEST_SLOT
from reservation.domain.calendar.reasons import COMPLET
from reservation.storage.database import Database, marks
from reservation.storage.models import Creneau
from reservation.storage.sqlite import Row

COLUMNS = "id, debut, fin, ouverture, capacite - places_prises, prestation_id, ouvert"
OVERLAPPING = "FROM creneau WHERE ressource_id IN ({}) AND debut > ? AND debut < ? AND fin > ?"
_OF_ONE = OVERLAPPING.format("?")
# Positions of the COLUMNS in a row. Rows are plain tuples, because creating named tuples takes as
# long as the query.
ID, DEBUT, FIN, OUVERTURE, LEFT, PRESTATION, OUVERT = range(7)
SlotRows = Sequence[Sequence[Any]]
# A UNION instead of an OR, because MariaDB would use no index for the OR.
_BOOKINGS = (
    "SELECT {0} FROM reservation WHERE ressource_id IN ({1}) AND {2} UNION ALL"
    " SELECT {0} FROM reservation WHERE lieu_id IN ({1}) AND {2} ORDER BY 1, 2"
)
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


class Hold(NamedTuple):
    """Places that a booking takes in the calendar of one person or room.

    The booking takes `places` places in each slot that overlaps [debut, fin).
    """

    ressource_id: int
    debut: int
    fin: int
    places: int

    def on(self, slot: Sequence[Any]) -> int:
        """Returns how many places this hold takes in a slot of the same person or room."""
        return self.places if slot[DEBUT] < self.fin and slot[FIN] > self.debut else 0


Holds = Sequence[Hold]


def of_ressource(ressource_id: int, holds: Holds) -> Holds:
    """Returns the holds on one person or room."""
    return [hold for hold in holds if hold.ressource_id == ressource_id]


def between(
    db: Database, ressource_id: int, start: int, end: int, old: Holds = ()
) -> SlotRows:
    """Returns the slots of a person or room that overlap [start, end), ordered by start. The
    places of the holds `old` count as free."""
    earliest = start - LONGEST_SLOT
    rows = db.many_rows(COLUMNS, _OF_ONE, ressource_id, earliest, end, start)
    return given_back(sorted(rows, key=itemgetter(DEBUT)), ressource_id, old)


def given_back(slots: SlotRows, ressource_id: int, old: Holds) -> SlotRows:
    """Returns the slots with the places of the holds `old` counted as free."""
    mine = of_ressource(ressource_id, old)
    if not mine:
        return slots
    return [
        (*row[:LEFT], row[LEFT] + sum(hold.on(row) for hold in mine), *row[LEFT + 1 :])
        for row in slots
    ]


def bookings(
    db: Database, columns: str, ressource_ids: Collection[int], condition: str, *values: object
) -> list[Row]:
    """Returns `columns` of the bookings of some persons and rooms that meet the SQL `condition`,
    ordered by the first two columns. If a booking is for one of these persons in one of these
    rooms, returns it twice."""
    asked = (*ressource_ids, *values)
    sql = _BOOKINGS.format(columns, marks(ressource_ids), condition)
    return db.rows(sql, *asked, *asked)


def under(db: Database, ressource_id: int, holds: Holds) -> SlotRows:
    """Returns a person's or room's slots that overlap `holds`, ordered by start."""
    rows = {
        slot[ID]: slot
        for hold in of_ressource(ressource_id, holds)
        for slot in between(db, ressource_id, hold.debut, hold.fin)
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
            raise SlotTaken(COMPLET) if places > 0 else PlacesNotHeld()
