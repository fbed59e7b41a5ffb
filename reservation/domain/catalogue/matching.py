"""Finds the businesses that match a search, the best match first.

The key of a match is rank * RANK + the id of the business, so the lowest rank comes first. The
rank says where the business has the typed words (see `storage.words`); it is 0 without words. A
business that is not in the typed place, but near this place, has its rank increased by NEAR. All
keys are below 10^18, because a number in a cursor has at most 18 digits.
"""

from typing import Any, NamedTuple

from reservation.domain.catalogue import places
from reservation.domain.catalogue.meaning import Meaning
from reservation.domain.catalogue.places import Place
from reservation.lib.folding import search_key
from reservation.storage.database import Database

RANK = 10**16  # above every id
NEAR = 40  # added to the rank of a business in a nearby commune; above all ranks of words
ENDLESS = 10**18 - 1
_OFFERS = (
    "e.id IN (SELECT p.entreprise_id FROM prestation p"
    " WHERE INSTR(p.nom_cle, ?) > 0 AND p.actif = 1)"
)
_SOME = "SELECT e.id FROM entreprise e WHERE {}"
Row = tuple[Any, ...]


class Search(NamedTuple):
    """A search. `meaning` is None without words, and `place` is None without a place. If `service`
    is not "", the search key of a service's name must contain this text."""

    meaning: Meaning | None
    place: Place | None
    service: str = ""

    @classmethod
    def of(cls, db: Database, q: str, ville: str, prestation: str) -> "Search":
        meaning, place = None, places.find(ville) if ville else None
        if q and not place:
            q, place = places.without_post_code(q)
        if search_key(q):
            meaning = Meaning.of(db, q)
            if not place and meaning.may_have_a_place and (parts := places.split(q)):
                rest, place = parts
                meaning = Meaning.of(db, rest) if rest else None
        return cls(meaning, place, search_key(prestation))

    def wants(self, nom_cle: str) -> int:
        """Returns how well a service with this search key matches the search; 0 if it does not."""
        if self.service or self.meaning is None:
            return int(self.service in nom_cle)
        return self.meaning.in_service(nom_cle)


def read(
    db: Database, search: Search, columns: str, after: int, until: int, most: int
) -> list[Row]:
    """Returns rows (key, *columns) of at most `most` businesses with after < key <= until.

    The rows are ordered by key. `columns` is SQL: columns of `entreprise`, with the alias `e`.
    """
    if search.meaning is not None:
        return _by_words(db, search, search.meaning, columns, after, until, most)
    rows: list[Row] = []
    for rank, condition, values in _tiers(search.place):
        low, high = (max(0, min(RANK, key - rank * RANK)) for key in (after, until))
        if len(rows) < most and low < high:
            rows += _by_id(
                db, search, columns, condition, values, rank, low, high, most - len(rows)
            )
    return rows


def _tiers(place: Place | None) -> list[tuple[int, str, list[Any]]]:
    if place is None:
        return [(0, "", [])]
    near = [(NEAR, f" AND {place.near}", place.near_values)] if place.near else []
    return [(0, f" AND {place.own}", place.own_values), *near]


def _by_id(
    db: Database, search: Search, columns: str, condition: str, values: list[Any], rank: int,
    after: int, until: int, most: int,
) -> list[Row]:
    if search.service:
        condition, values = f"{condition} AND {_OFFERS}", [*values, search.service]
    return db.rows(
        f"SELECT e.id + {rank * RANK}, {columns} FROM entreprise e WHERE e.actif = 1"
        f" AND e.id > ? AND e.id <= ?{condition} ORDER BY e.id LIMIT ?",
        after, until, *values, most,
    )


def _by_words(
    db: Database, search: Search, meaning: Meaning, columns: str, after: int, until: int,
    most: int,
) -> list[Row]:
    if not meaning.is_known:
        return []
    place, rank, values = search.place, "w.rang", []
    conditions: list[str] = []
    chosen: list[Any] = []
    if place is not None:
        own = _SOME.format(place.own)
        rank += f" + CASE WHEN w.entreprise_id IN ({own}) THEN 0 ELSE {NEAR} END"
        values = place.own_values
        conditions.append(f"({place.own} OR {place.near})" if place.near else place.own)
        chosen += [*place.own_values, *place.near_values]
    if search.service:
        conditions.append(_OFFERS)
        chosen.append(search.service)
    some = _SOME.format(" AND ".join(conditions))
    within = f"AND entreprise_id IN ({some})" if conditions else ""
    source, others = meaning.matches(within, chosen)
    return db.rows(
        f"SELECT k.cle, {columns} FROM (SELECT m.id, m.cle FROM (SELECT w.entreprise_id AS id,"
        f" ({rank}) * {RANK} + w.entreprise_id AS cle FROM ({source}) AS w) AS m"
        " WHERE m.cle > ? AND m.cle <= ? ORDER BY m.cle LIMIT ?) AS k"
        " JOIN entreprise e ON e.id = k.id ORDER BY k.cle",
        *values, *others, after, until, most,
    )
