"""Finds the first free slot of each of many businesses, with few SQL statements."""

from collections.abc import Iterable
from typing import NamedTuple

import peewee

from reservation.storage.database import Database


class FreeSlot(NamedTuple):
    entreprise_id: int
    ressource_id: int
    id: int
    debut: int
    fin: int
    places_left: int
    prestation_id: int | None  # None if the slot is for all services


# Use one SELECT per person. In a single SELECT for all persons, MariaDB would read all past slots.
_FIRST_FREE = (
    "SELECT {} AS entreprise_id, ressource_id, id, debut, fin,"
    " capacite - places_prises AS places_left, prestation_id FROM creneau"
    " WHERE ressource_id = {} AND debut >= {} AND debut < {} AND ouvert = 1"
    " AND places_prises < capacite ORDER BY debut LIMIT 1"
)
_MOST_SELECTS = 250  # maximum number of SELECTs in one UNION; SQLite allows 500


def first(db: Database, wanted: Iterable[tuple[int, int, int, int]]) -> dict[int, FreeSlot]:
    """Returns {id of a business: first slot with a free place}. Of several slots that start first,
    returns the slot with the most free places.

    `wanted` has (business id, person id, start, end) for each person to check. The slot starts in
    [start, end), in Unix seconds.
    """
    selects = [db.IN_UNION.format(_FIRST_FREE.format(*one)) for one in wanted]
    columns, found = ", ".join(FreeSlot._fields), []
    for some in peewee.chunked(selects, _MOST_SELECTS):
        union = " UNION ALL ".join(some)
        found += [FreeSlot(*row) for row in db.many_rows(columns, f"FROM ({union}) AS found")]
    # Sort the first slot last, because the dict keeps the last slot of each business.
    found.sort(key=lambda slot: (-slot.debut, slot.places_left))
    return {slot.entreprise_id: slot for slot in found}
