"""Ranks the businesses that have all words of a search.

The rank of a business for a typed word is the lowest `rang` of a matching word (see
`storage.words`), plus what this word adds (see `meaning`). Its rank for the whole search is the
highest of these ranks. A word that is only in the name of the city has the rank 0. A business
with the rank 0 for the whole search is not found.

A search reads the businesses rank by rank, until it has enough. For each rank, it checks only the
businesses that have the rarest of the words, in the order of their ids. So the time of a search
hardly grows with the number of businesses.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from reservation.storage import words
from reservation.storage.database import Database, marks
from reservation.storage.paging import Conditions

FREQUENT = 300  # a word is frequent if at least this number of businesses have it
_RANGS = (words.CITY, words.NAME, words.TRADE, words.SERVICE, words.DESCRIPTION)
_FOUND = "(SELECT 1 FROM occurrence WHERE {} LIMIT {}, 1) IS NOT NULL"
_WITHOUT = "(SELECT 1 FROM occurrence o WHERE o.entreprise_id = {id} AND o.mot = ?) IS NULL"
# Not EXISTS, because MariaDB would turn EXISTS into a join and read all businesses that have the
# word. NULLIF skips the words of the city: if a business has no other row, the first MIN is NULL.
_RANK = (
    "(SELECT COALESCE(MIN(NULLIF(o.rang, {}) + {}), MIN(o.rang)) FROM occurrence o"
    " WHERE o.entreprise_id = {{id}} AND {} IN ({}))"
)
_MOST_SOUGHT = 10  # for more words than this, SQLite reads all words of a business
Words = dict[str, int]  # maps a word of the index to the number that it adds to the rank
Condition = tuple[str, list[Any]]  # SQL and the values of its placeholders


class Tier(NamedTuple):
    """A rank, and the condition that selects the businesses with this rank.

    In the condition, `{id}` stands for the column with the id of a business. `words` are the words
    of the index that match the rarest typed word: each of the businesses has at least one of them,
    with a `rang` in `rangs`. `is_frequent` says that all typed words are frequent.
    """

    rank: int
    condition: Condition = "1 = 1", []
    words: Sequence[str] = ()
    rangs: Sequence[int] = ()
    is_frequent: bool = False

    def of(self, id: str, low: int, high: int) -> Conditions:
        """Returns the SQL conditions that select the businesses of this tier with
        low < id <= high. `id` is the column with the ids."""
        sql, values = self.condition
        return {f"{id} > ?": low, f"{id} <= ?": high, sql.format(id=id): values}


class _Typed:
    """A typed word. `counts` says roughly how many businesses have this word, by rank: 1 stands
    for any number below FREQUENT, and FREQUENT for any other number.

    `rank` is SQL for the rank of a business: NULL if the business does not have the word, and 0 if
    only the name of its city has the word.
    """

    def __init__(self, matching: Words) -> None:
        self.words, self.counts = list(matching), dict[int, int]()
        self.least, self.most = min(matching.values()), max(matching.values())
        # The words that add `most` to the rank. The other words add `least`.
        self.worse = [word for word in matching if matching[word] > self.least]
        added = str(self.least)
        if self.worse:
            added = f"CASE WHEN o.mot IN ({marks(self.worse)}) THEN {self.most} ELSE {added} END"
        column = "o.mot" if len(self.words) <= _MOST_SOUGHT else "COALESCE(o.mot, '')"
        self.rank = _RANK.format(words.CITY, added, column, marks(self.words))
        self.values = [*self.worse, *self.words]

    def by_added(self) -> list[tuple[int, list[str]]]:
        better = [word for word in self.words if word not in self.worse]
        return [(self.least, better), *([(self.most, self.worse)] if self.worse else [])]

    def rangs(self, above: int, rank: int) -> list[int]:
        """Returns each value of `rang` at which this word can give a business a rank r with
        above < r <= rank."""
        ranks = [known for known in self.counts if above < known <= rank]
        return [
            rang for rang in _RANGS
            if not {rang and rang + self.least, rang and rang + self.most}.isdisjoint(ranks)
        ]

    def count(self, rank: int) -> int:
        return sum(count for known, count in self.counts.items() if known <= rank)


def tiers(db: Database, key: str, matching: list[Words]) -> list[Tier]:
    """Returns the ranks that businesses can have, the best rank first.

    `key` is the search key of the whole search. `matching` has the words of the index that match
    each typed word.
    """
    typed = [_Typed(some) for some in matching]
    name, service = (words.whole(sign, key) for sign in (words.OF_NAME, words.OF_SERVICE))
    is_name, is_service = _count(db, typed, name, service)
    found: list[Tier] = []
    if is_name:
        found.append(Tier(words.WHOLE_NAME, words=[name], rangs=[words.WHOLE_NAME]))
    ranks = sorted({words.CITY, *(rank for word in typed for rank in word.counts)})
    for better, rank in zip(ranks, ranks[1:], strict=False):
        if not all(word.count(rank) for word in typed):
            continue
        # The condition checks the rarest word last: usually, a search reads only businesses that
        # have this word, so the other words exclude more businesses.
        typed.sort(key=lambda word: -word.count(rank))
        rarest = typed[-1]
        sql, values = _exactly(typed, better, rank)
        if is_name:
            sql, values = f"{sql} AND {_WITHOUT}", [*values, name]
        if rank == words.SERVICE and is_service:
            whole = [words.WHOLE_SERVICE]
            found.append(Tier(words.WHOLE_SERVICE, (sql, values), [service], whole))
            sql, values = f"{sql} AND {_WITHOUT}", [*values, service]
        rangs = rarest.rangs(better if len(typed) == 1 else -1, rank)
        is_frequent = rarest.count(rank) >= FREQUENT
        found.append(Tier(rank, (sql, values), rarest.words, rangs, is_frequent))
    return found


def _count(db: Database, typed: list[_Typed], name: str, service: str) -> tuple[int, int]:
    """Sets `counts` of each typed word.

    Returns two numbers, each 0 or 1: whether a business has exactly the name `name`, and whether a
    business has a service with exactly the name `service`.
    """
    found: list[str] = []
    values: list[str] = []
    places: list[tuple[_Typed, int, int]] = []
    for word in typed:
        for added, some in word.by_added():
            for rang, least in product(_RANGS, (1, FREQUENT)):
                places.append((word, rang and rang + added, least))
                found.append(_FOUND.format(f"mot IN ({marks(some)}) AND rang = {rang}", least - 1))
                values += some
    found += [_FOUND.format("mot = ?", 0)] * 2
    *are_there, is_name, is_service = db.rows(
        f"SELECT {', '.join(found)}", *values, name, service
    )[0]
    for (word, rank, least), is_there in zip(places, are_there, strict=True):
        if is_there:
            word.counts[rank] = max(word.counts.get(rank, 0), least)
    return is_name, is_service


def _exactly(typed: list[_Typed], better: int, rank: int) -> Condition:
    """Returns the condition that the rank of a business for the whole search is `rank`. `better`
    is the next lower rank: a business with this rank or a lower rank is excluded."""
    sql = " AND ".join(f"{word.rank} <= {rank}" for word in typed)
    values = [value for word in typed for value in word.values]
    if all(word.count(better) for word in typed):
        sql += f" AND ({' OR '.join(f'{word.rank} > {better}' for word in typed)})"
        values += values
    return sql, values
