"""Finds the businesses that match a search, the best match first.

Matches are ordered by a key: the rank of the business, multiplied by RANK, plus the id of the
business. `ranking` determines the rank. If no words were typed, the rank is 0.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from reservation.domain.catalogue import places, ranking
from reservation.domain.catalogue.meaning import Meaning
from reservation.domain.catalogue.places import Place
from reservation.domain.catalogue.ranking import Condition, Tier
from reservation.lib import french
from reservation.lib.folding import search_key
from reservation.storage import words
from reservation.storage.database import Database, marks
from reservation.storage.paging import Conditions, Part, first_keys, together

RANK = 10**16  # greater than every id, so keys of different ranks never overlap
NEAR = 40  # added to the rank of nearby businesses to list them last; other ranks are at most 32
ENDLESS = 10**18 - 1  # above all keys; a number in a cursor has at most 18 digits
_OFFERS = (
    "e.id IN (SELECT p.entreprise_id FROM prestation p"
    " WHERE INSTR(p.nom_cle, ?) > 0 AND p.actif = 1)"
)
_HAS = (
    "e.id IN (SELECT n.entreprise_id FROM occurrence n WHERE n.mot IN ({}) AND n.rang IN ({})"
    " AND n.entreprise_id > ? AND n.entreprise_id <= ?)"
)
_ENTREPRISE, _OCCURRENCE = ("entreprise e", "e.id"), ("occurrence n", "n.entreprise_id")
# `_steps` reads `occurrence` with one SELECT for each of `Tier.pairs`. If these SELECTs need more
# than about _MOST_VALUES placeholders, `_steps` reads `entreprise` instead.
_MOST_VALUES = 1000
# If all typed words are frequent, `_steps` first checks a range of _MOST_BY_ID ids.
_MOST_BY_ID = 1000
Row = tuple[Any, ...]

_NEAR = {"autour", "pres", "proche"}  # "près de Lyon"


class Search(NamedTuple):
    """A search for businesses. A field with None or "" matches all businesses."""

    meaning: Meaning | None  # the index words that match the typed words
    place: Place | None
    service: str = ""  # a text that the search key of a service must contain

    @classmethod
    def of(cls, db: Database, q: str, ville: str, prestation: str) -> "Search":
        meaning, place = None, places.find(ville) if ville else None
        if q and not place:
            q, place = places.without_post_code(q)
            q = _meaningful(q) if place else q
        if search_key(q):
            meaning = Meaning.of(db, q)
            if not place and (parts := places.split(q, meaning.of_places)):
                rest, place = _meaningful(parts[0]), parts[1]
                meaning = Meaning.of(db, rest) if rest else None
        return cls(meaning, place, search_key(prestation))

    def wants(self, nom_cle: str) -> int:
        """Rates a service by its search key: 0 for no match, more for a better match."""
        if self.service or self.meaning is None:
            return int(self.service in nom_cle)
        return self.meaning.in_service(nom_cle)


def _meaningful(rest: str) -> str:
    """Returns what remains of a text without its place, or "" if only words such as "à" or "près
    de" remain."""
    return rest if set(french.required(words.words(rest))) - _NEAR else ""


def read(
    db: Database, search: Search, columns: str, after: int, until: int, most: int
) -> list[Row]:
    """Returns at most `most` rows (key, *columns) with after < key <= until, ordered by key.

    `columns` is SQL for columns of `entreprise`, such as `e.id, e.nom`.
    """
    tiers = [Tier(0)] if search.meaning is None else search.meaning.tiers()
    packed = f"JSON_ARRAY(e.id, {columns})"  # faster to fetch than many columns
    keys: dict[int, int] = {}
    texts: dict[int, str] = {}
    for further, place in _places(search):
        others = len(keys)
        if others == most:
            break
        # A Tier also selects the businesses with better ranks. If no earlier page has listed
        # businesses of this place, the better ones are already in `keys`, and the loop below skips
        # them. Otherwise, they may be on an earlier page, so `alone` excludes them.
        of_place = tiers if after <= further * RANK else [tier.alone() for tier in tiers]
        is_small = any(tier.is_frequent for tier in tiers) and _is_small(db, place)
        where: Conditions = {"e.actif = 1": [], **place}
        if search.service:
            where[_OFFERS] = search.service
        for tier in of_place:
            least = (tier.rank + further) * RANK
            low, high = (max(0, min(RANK, key - least)) for key in (after, until))
            for (table, id), joined, parts in _steps(db, tier, where, is_small, low, high):
                if len(keys) < most:
                    found = first_keys(
                        db, table, (id,), parts, most - others, joined=joined, further=[packed]
                    )
                    new = [row for row in found if row[0] not in keys][: most - len(keys)]
                    keys |= {id: least + id for id, _ in new}
                    texts |= dict(new)
    return [(keys[id], *row) for id, *row in json.loads(f"[{','.join(texts.values())}]")]


def _places(search: Search) -> Iterator[tuple[int, Conditions]]:
    """Yields (0, conditions for the typed place) and (NEAR, conditions for nearby places).

    The number is added to the ranks. If no place was typed, yields only (0, {}).
    """
    place = search.place
    if place is None:
        yield 0, {}
        return
    yield 0, {place.own: place.own_values}
    if place.near:
        near = f"{place.near} AND NOT ({place.own})"
        yield NEAR, {near: [*place.near_values, *place.own_values]}


def _is_small(db: Database, place: Conditions) -> bool:
    if not place:
        return False
    sql, values = together(place)
    found = f"SELECT 1 FROM entreprise e WHERE {sql} LIMIT {ranking.FREQUENT - 1}, 1"
    return not db.rows(found, *values)


def _steps(
    db: Database, tier: Tier, where: Conditions, is_small: bool, low: int, high: int
) -> Iterator[tuple[tuple[str, str], str, list[Part]]]:
    """Yields queries that together find the businesses of `tier` whose ids are in (low, high].

    A query is ((table, column of the business id), SQL of a JOIN or "", Parts). `is_small` is True
    if the typed place has few businesses.
    """
    if low >= high:
        return
    of_place, values = together(where)
    by_place = tier.is_frequent and is_small
    looked_up = len(tier.pairs) * (len(tier.of_pairs[1]) + 2)
    if not by_place and 0 < looked_up <= _MOST_VALUES:
        others = _within("n.entreprise_id", tier.of_pairs, low, high)
        joined = db.JOIN_BY_KEY.format("entreprise e", "PRIMARY") + " ON e.id = n.entreprise_id"
        yield _OCCURRENCE, joined, [
            Part("occurrence_mot_rang", {"n.mot = ?": mot, "n.rang = ?": rang} | others | where)
            for mot, rang in tier.pairs
        ]
        return
    # Up to the id `middle`, check all businesses of the place. After it, check the businesses with
    # the rarest typed word. If all typed words are frequent, the lowest ids come first,
    # because usually enough of these businesses match.
    if by_place or not tier.pairs:
        middle = high
    else:
        middle = min(high, low + _MOST_BY_ID) if tier.is_frequent else low
    if low < middle:
        yield _ENTREPRISE, "", [Part("", where | _within("e.id", tier.condition, low, middle))]
    if middle < high:
        mots, rangs = (sorted(set(some)) for some in zip(*tier.pairs, strict=True))
        has = _HAS.format(marks(mots), marks(rangs))
        # IS TRUE prevents SQLite from reading all businesses of the place. SQLite then reads only
        # the businesses with the rarest typed word.
        known = {f"({of_place}) IS TRUE": values}
        known |= _within("e.id", tier.condition, middle, high)
        yield _ENTREPRISE, "", [Part("", known | {has: [*mots, *rangs, middle, high]})]


def _within(id: str, condition: Condition, low: int, high: int) -> Conditions:
    sql, values = condition
    return {f"{id} > ?": low, f"{id} <= ?": high, sql.format(id=id): values}
