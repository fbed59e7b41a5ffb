"""The stored slots of a person or room, the places that bookings take there, and the bookings."""

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.calendar.plans import LONGEST_SLOT
from reservation.storage.database import Database, marks
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
