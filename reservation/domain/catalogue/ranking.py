"""Ranks the businesses that have all words of a search.

The rank of a business for a typed word is the `rang` of the best matching word (`rang` says where
the business has a word: see `storage.words`), plus PREFIX or ERROR of `meaning` if the match is
inexact. If the business has the word only in the name of its city, the rank is 0. The rank of a
business for the whole search is the highest of its ranks for the typed words. A business with the
rank 0 for the whole search is not found.

A search reads the businesses rank by rank, until it has enough. For each rank, it checks only the
businesses that have the rarest of the words, in the order of their ids. So the time of a search
hardly grows with the number of businesses.
"""

from collections import Counter
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from reservation.storage import words
from reservation.storage.database import marks

FREQUENT = 300  # a word is frequent if at least this number of businesses have it
_WITHOUT = "(SELECT 1 FROM occurrence o WHERE o.entreprise_id = {id} AND o.mot = ?) IS NULL"
# Without EXISTS, which MariaDB would turn into a join, and then read all businesses that have the
# word.
_RANK = "(SELECT {} FROM occurrence o WHERE o.entreprise_id = {{id}} AND {} IN ({}))"
# NULLIF skips the words of the city. If a business has only these, the first MIN is NULL, and the
# second MIN is the rank.
_LEAST, _LEAST_WITH_CITY = "MIN(o.rang + {})", "COALESCE(MIN(NULLIF(o.rang, 0) + {}), MIN(o.rang))"
# SQLite looks up each word of a list of at most this length. For a longer list, COALESCE makes
# SQLite read all words of the business once.
_MOST_SOUGHT = 10
Condition = tuple[str, list[Any]]  # SQL and the values of its placeholders


class IndexWord(NamedTuple):
    """A word of the index that matches a typed word.

    `added` is the number that this word adds to the rank. `counts` says roughly how many
    businesses have this word, by `rang` (where they have it: see `storage.words`). 1 stands for
    any number from 1 to FREQUENT - 1. Numbers from FREQUENT on only allow comparisons: of two
    words, the more frequent word has the higher number.
    """

    added: int
    counts: dict[int, int]


Words = dict[str, IndexWord]


class Tier(NamedTuple):
    """A rank, and the condition that selects the businesses with this rank or a better one.

    Each business with this rank has one of `pairs`: a word of the index, and its `rang`, which
    says where the business has the word (see `storage.words`). `of_pairs` is a shorter condition
    for businesses that are known to have one of `pairs`. `no_better` excludes the businesses with
    a better rank. In these conditions, `{id}` stands for the column with the id of a business.
    `is_frequent` says that all typed words are frequent.
    """

    rank: int
    condition: Condition = "1 = 1", []
    of_pairs: Condition = "1 = 1", []
    no_better: Condition = "1 = 1", []
    pairs: Sequence[tuple[str, int]] = ()
    is_frequent: bool = False

    def alone(self) -> "Tier":
        """Returns a Tier whose conditions select only the businesses with exactly this rank."""
        return self._replace(
            condition=_together([self.condition, self.no_better]),
            of_pairs=_together([self.of_pairs, self.no_better]),
        )


class _Typed:
    """A typed word. `counts` says roughly how many businesses have this word, by rank.

    `rank` is SQL for the rank of a business: NULL if the business does not have the word, and 0 if
    only the name of its city has the word.
    """

    def __init__(self, matching: Words) -> None:
        self.matching, self.counts = matching, Counter[int]()
        for word in matching.values():
            for rang, count in word.counts.items():
                self.counts[rang and rang + word.added] += count
        self.words = list(matching)
        least, most = (end(word.added for word in matching.values()) for end in (min, max))
        worse = [text for text in matching if matching[text].added > least]
        added = str(least)
        if worse:  # only the words in `worse` add `most` to the rank
            added = f"CASE WHEN o.mot IN ({marks(worse)}) THEN {most} ELSE {added} END"
        column = "o.mot" if len(self.words) <= _MOST_SOUGHT else "COALESCE(o.mot, '')"
        lowest = (_LEAST_WITH_CITY if words.CITY in self.counts else _LEAST).format(added)
        self.rank = _RANK.format(lowest, column, marks(self.words))
        self.values = [*worse, *self.words]

    def pairs(self, above: int, rank: int) -> list[tuple[str, int]]:
        """Returns the pairs (word, `rang`), as in `Tier.pairs`, that can give a business a rank r
        with above < r <= rank."""
        return [
            (text, rang) for text, word in self.matching.items() for rang in word.counts
            if above < (rang and rang + word.added) <= rank
        ]

    def count(self, rank: int) -> int:
        return sum(count for known, count in self.counts.items() if known <= rank)


def tiers(key: str, whole: Container[int], matching: list[Words]) -> list[Tier]:
    """Returns a Tier for each rank that a business can have, the best rank first.

    `key` is the search key of the whole search. `whole` contains WHOLE_NAME if a business has
    exactly this name, and WHOLE_SERVICE if a business has a service with exactly this name.
    `matching` has the words of the index that match each typed word.
    """
    typed = [_Typed(some) for some in matching]
    name, service = (words.whole(sign, key) for sign in (words.OF_NAME, words.OF_SERVICE))
    found: list[Tier] = []
    if words.WHOLE_NAME in whole:
        found.append(Tier(words.WHOLE_NAME, pairs=[(name, words.WHOLE_NAME)]))
    ranks = sorted({words.CITY, *(rank for word in typed for rank in word.counts)})
    for better, rank in zip(ranks, ranks[1:], strict=False):
        if not all(word.count(rank) for word in typed):
            continue
        typed.sort(key=lambda word: word.count(rank))
        rarest = typed[0]
        pairs = rarest.pairs(better if len(typed) == 1 else -1, rank)
        required = _until(typed, rank) + _above(typed, words.CITY)
        no_better = _above(typed, better) if better != words.CITY else []
        if words.WHOLE_NAME in whole:
            no_better.append((_WITHOUT, [name]))
        if rank == words.SERVICE and words.WHOLE_SERVICE in whole:
            full = _together(required)
            found.append(Tier(
                words.WHOLE_SERVICE, full, full, _together(no_better),
                [(service, words.WHOLE_SERVICE)],
            ))
            no_better.append((_WITHOUT, [service]))
        # A business with one of the pairs has at most this rank for the rarest word, unless the
        # pair has the `rang` CITY: a second matching word may then give a higher rank.
        is_bounded = len(rarest.words) == 1 or all(rang != words.CITY for _, rang in pairs)
        found.append(Tier(
            rank, _together(required), _together(required[is_bounded:]), _together(no_better),
            pairs, rarest.count(rank) >= FREQUENT,
        ))
    return found


def _until(typed: list[_Typed], rank: int) -> list[Condition]:
    """Returns a condition for each typed word: that the rank for this word is at most `rank`."""
    return [(f"{word.rank} <= {rank}", word.values) for word in typed]


def _above(typed: list[_Typed], better: int) -> list[Condition]:
    """Returns the condition that the rank of a business for the whole search is above `better`.
    Returns no condition if no business can have the rank `better` or a lower rank."""
    if not all(word.count(better) for word in typed):
        return []
    sql = " OR ".join(f"{word.rank} > {better}" for word in typed)
    return [(f"({sql})", [value for word in typed for value in word.values])]


def _together(conditions: list[Condition]) -> Condition:
    sql = " AND ".join(sql for sql, _ in conditions)
    return sql or "1 = 1", [value for _, values in conditions for value in values]
