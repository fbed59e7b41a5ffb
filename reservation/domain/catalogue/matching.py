"""Finds the businesses that match a search, the best match first.

The key of a match is rank * RANK + the id of the business, so the lowest rank comes first. The
rank says where the business has the typed words (see `storage.words`); it is 0 without words. A
business that is not in the typed place, but near this place, has its rank increased by NEAR. All
keys are below 10^18, because a number in a cursor has at most 18 digits.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from reservation.domain.catalogue import places
from reservation.domain.catalogue.meaning import Meaning
from reservation.domain.catalogue.places import Place
from reservation.domain.catalogue.ranking import Tier
from reservation.lib.folding import search_key
from reservation.storage.database import Database

RANK = 10**16  # above every id
NEAR = 40  # added to the rank of a business in a nearby commune; above all ranks of words
ENDLESS = 10**18 - 1
_OFFERS = (
    " AND e.id IN (SELECT p.entreprise_id FROM prestation p"
    " WHERE INSTR(p.nom_cle, ?) > 0 AND p.actif = 1)"
)
_MOST_BY_ID = 1000  # businesses that are checked by id if all words are frequent
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
    tiers = [Tier(0)] if search.meaning is None else search.meaning.tiers(db)
    rows: list[Row] = []
    for further, where, values in _wheres(search):
        for tier in tiers:
            rank = tier.rank + further
            low, high = (max(0, min(RANK, key - rank * RANK)) for key in (after, until))
            middle = min(low + _MOST_BY_ID, high) if tier.is_frequent else low
            # Without IS TRUE, SQLite may begin with all businesses of the place.
            first = f"({where}) IS TRUE" if tier.is_few else where
            for start, end, (sql, others) in (
                (low, middle, tier.condition), (middle, high, tier.among(middle, high))
            ):
                if start < end and len(rows) < most:
                    rows += db.rows(
                        f"SELECT e.id + {rank * RANK}, {columns} FROM entreprise e"
                        f" WHERE {first} AND e.id > ? AND e.id <= ?{sql} ORDER BY e.id LIMIT ?",
                        *values, start, end, *others, most - len(rows),
                    )
    return rows


def _wheres(search: Search) -> Iterator[tuple[int, str, list[Any]]]:
    """Yields what a place adds to the rank, and the condition of the businesses there: first the
    typed place, then the places near it."""
    where, values = "e.actif = 1", list[Any]()
    if search.service:
        where, values = where + _OFFERS, [search.service]
    place = search.place
    if place is None:
        yield 0, where, values
        return
    yield 0, f"{where} AND {place.own}", [*values, *place.own_values]
    if place.near:
        near = f"{where} AND {place.near} AND NOT ({place.own})"
        yield NEAR, near, [*values, *place.near_values, *place.own_values]
