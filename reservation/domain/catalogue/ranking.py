"""Ranks the businesses that have all words of a search. The best match has the lowest rank.

A business has a word rank for each typed word: the lowest `rang` (see `storage.words`) of its
words that match. An inexact match adds PREFIX or ERROR (see `meaning`). If the typed word is only
in the city of the business, the word rank is 0.

The rank of the business is the highest of its word ranks. Searches omit a business with the rank
0, because only its city matches.

A search finds the businesses rank by rank, and stops when enough businesses are found. For each
rank, the search checks only the businesses that have the rarest typed word. The time therefore
hardly grows with the number of businesses.
"""

from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from reservation.storage import words
from reservation.storage.database import marks

FREQUENT = 300  # a word is frequent if at least this many businesses have the word
# No EXISTS, because MariaDB would turn EXISTS into a join that reads all businesses with the word.
_WITHOUT = "(SELECT 1 FROM occurrence o WHERE o.entreprise_id = {id} AND o.mot = ?) IS NULL"
_RANK = "(SELECT {} FROM occurrence o WHERE o.entreprise_id = {{id}} AND {} IN ({}))"
# NULLIF skips the words of the city (`rang` 0). If the business has no other word, COALESCE
# returns 0.
_LEAST, _LEAST_WITH_CITY = "MIN(o.rang + {})", "COALESCE(MIN(NULLIF(o.rang, 0) + {}), MIN(o.rang))"
# If more than this many index words match a typed word, `_Typed` wraps `o.mot` in COALESCE. SQLite
# then reads all words of a business once. This is faster than a look-up for each index word.
_MOST_SOUGHT = 10
Condition = tuple[str, list[Any]]  # SQL and the values of its placeholders


class IndexWord(NamedTuple):
    """An index word that matches a typed word.

    `counts` is {rang: score} (see `storage.words`). The score shows how frequent the word is: 1
    for a rare word, and FREQUENT or more for a frequent word.
    """

    added: int  # 0, PREFIX or ERROR (see `meaning`)
    counts: dict[int, int]


Words = dict[str, IndexWord]


class Tier(NamedTuple):
    """A rank, and SQL conditions for the businesses with this rank.

    In a condition, `{id}` stands for the column of the business id.
    """

    rank: int
    condition: Condition = "1 = 1", []  # selects this rank and all better ranks
    of_pairs: Condition = "1 = 1", []  # used instead of `condition` if a query selects by `pairs`
    no_better: Condition = "1 = 1", []  # excludes all better ranks; "1 = 1" if there are none
    # Pairs (index word, `rang`). Each business in this tier has one of these index words with the
    # `rang` of the pair.
    pairs: Sequence[tuple[str, int]] = ()
    is_frequent: bool = False  # True if all typed words are frequent

    def alone(self) -> "Tier":
        """Returns a Tier that selects only the businesses with exactly this rank."""
        return self._replace(
            condition=_together([self.condition, self.no_better]),
            of_pairs=_together([self.of_pairs, self.no_better]),
        )


class _Typed:
    """A typed word. For word ranks, see the start of this file.

    `counts` is {word rank: sum of the scores of the index words that give this rank}. For scores,
    see IndexWord. `rank` is an SQL expression for the word rank of a business. Its value is NULL
    if the business lacks the word.
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
        if worse:
            added = f"CASE WHEN o.mot IN ({marks(worse)}) THEN {most} ELSE {added} END"
        column = "o.mot" if len(self.words) <= _MOST_SOUGHT else "COALESCE(o.mot, '')"
        lowest = (_LEAST_WITH_CITY if words.CITY in self.counts else _LEAST).format(added)
        self.rank = _RANK.format(lowest, column, marks(self.words))
        self.values = [*worse, *self.words]

    def pairs(self, above: int, rank: int) -> list[tuple[str, int]]:
        """Returns the pairs (index word, `rang`) with a word rank from `above` + 1 to `rank`."""
        return [
            (text, rang) for text, word in self.matching.items() for rang in word.counts
            if above < (rang and rang + word.added) <= rank
        ]

    def count(self, rank: int) -> int:
        return sum(count for known, count in self.counts.items() if known <= rank)


def tiers(key: str, whole: Container[int], matching: list[Words]) -> list[Tier]:
    """Returns a Tier for each possible rank, the best rank first.

    `key` and `whole` are the fields of a Meaning, and `matching` is its field `words`.
    """
    typed = [_Typed(some) for some in matching]
    name, service = (words.whole(sign, key) for sign in (words.OF_NAME, words.OF_SERVICE))
    found: list[Tier] = []
    other_name: list[Condition] = []
    if words.WHOLE_NAME in whole:
        found.append(Tier(words.WHOLE_NAME, pairs=[(name, words.WHOLE_NAME)]))
        other_name = [(_WITHOUT, [name])]
    ranks = sorted({words.CITY, *(rank for word in typed for rank in word.counts)})
    for better, rank in pairwise(ranks):
        if not all(word.count(rank) for word in typed):
            continue
        typed.sort(key=lambda word: word.count(rank))
        tier = _of_words(typed, better, rank)
        no_better = (_above(typed, better) if better != words.CITY else []) + other_name
        if rank == words.SERVICE and words.WHOLE_SERVICE in whole:
            found.append(Tier(
                words.WHOLE_SERVICE, tier.condition, tier.condition, _together(no_better),
                [(service, words.WHOLE_SERVICE)],
            ))
            no_better.append((_WITHOUT, [service]))
        found.append(tier._replace(no_better=_together(no_better)))
    return found


def _of_words(typed: list[_Typed], better: int, rank: int) -> Tier:
    """Returns the Tier of a rank, without `no_better`. `better` is the next better rank. The first
    word of `typed` must be the rarest."""
    rarest = typed[0]
    pairs = rarest.pairs(better if len(typed) == 1 else -1, rank)
    required = [(f"{word.rank} <= {rank}", word.values) for word in typed]
    required += _above(typed, words.CITY)
    # required[0] tests the word rank of the rarest word. `of_pairs` omits this test if each of
    # `pairs` proves the rank. A CITY pair is no proof if several index words match: the
    # business may have another of these words, and then that word determines the rank.
    is_bounded = len(rarest.words) == 1 or all(rang != words.CITY for _, rang in pairs)
    return Tier(
        rank, _together(required), _together(required[is_bounded:]), pairs=pairs,
        is_frequent=rarest.count(rank) >= FREQUENT,
    )


def _above(typed: list[_Typed], better: int) -> list[Condition]:
    """Returns a list with the condition that excludes all ranks up to `better`. The list is empty
    if no business can have such a rank."""
    if not all(word.count(better) for word in typed):
        return []
    sql = " OR ".join(f"{word.rank} > {better}" for word in typed)
    return [(f"({sql})", [value for word in typed for value in word.values])]


def _together(conditions: list[Condition]) -> Condition:
    sql = " AND ".join(sql for sql, _ in conditions)
    return sql or "1 = 1", [value for _, values in conditions for value in values]
