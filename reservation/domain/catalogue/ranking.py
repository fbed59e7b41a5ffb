"""Ranks the businesses that have all words of a search.

A low rank is a good match. The rank of a business for a typed word is the `rang` of the best
matching word, plus PREFIX or ERROR of `meaning` if the match is inexact. The `rang` says where the
business has the word (see `storage.words`). If the business has the word only in the name of its
city, the rank is 0. The rank for the whole search is the highest rank for a typed word. Searches
omit businesses with the rank 0, because these match only by their city.

A search reads the businesses rank by rank until enough are found. For each rank, the search checks
only the businesses that have the rarest typed word, in the order of their ids. The time therefore
hardly grows with the number of businesses.
"""

from collections import Counter
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from reservation.storage import words
from reservation.storage.database import marks

FREQUENT = 300  # a word is frequent if at least this number of businesses have it
# _WITHOUT and _RANK do not use EXISTS, because MariaDB would turn EXISTS into a join, and read all
# businesses that have the word.
_WITHOUT = "(SELECT 1 FROM occurrence o WHERE o.entreprise_id = {id} AND o.mot = ?) IS NULL"
_RANK = "(SELECT {} FROM occurrence o WHERE o.entreprise_id = {{id}} AND {} IN ({}))"
# NULLIF skips the words of the city, which have the `rang` 0. If the business has no further word,
# the first MIN is NULL, and the rank is the second MIN: 0.
_LEAST, _LEAST_WITH_CITY = "MIN(o.rang + {})", "COALESCE(MIN(NULLIF(o.rang, 0) + {}), MIN(o.rang))"
# A typed word can match many index words. SQLite looks up each of them in a business; if they are
# more than this number, `_Typed` makes SQLite read all words of the business once, with COALESCE.
_MOST_SOUGHT = 10
Condition = tuple[str, list[Any]]  # SQL and the values of its placeholders


class IndexWord(NamedTuple):
    """A word of the index that matches a typed word.

    `added` is the number that this word adds to the rank of a business: 0, PREFIX or ERROR. The
    keys of `counts` are the values of `rang` with which the word is stored (see `storage.words`).
    Each value says roughly how many businesses have the word with this `rang`: 1 means fewer than
    FREQUENT, and a value from FREQUENT on grows with the number of businesses.
    """

    added: int
    counts: dict[int, int]


Words = dict[str, IndexWord]


class Tier(NamedTuple):
    """A rank. `condition` selects the businesses with this rank or a better rank.

    `pairs` has words of the index, each with a `rang` (see `storage.words`). Each business with
    this rank has at least one of `pairs`. `of_pairs` is shorter than `condition`, and replaces
    `condition` in a query that selects businesses by `pairs`. `no_better` excludes the businesses
    with a better rank. In all conditions, `{id}` stands for the column with the id of a business.
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
    """A typed word. `counts` has, by rank, the sum of the scores of the matching IndexWords.

    `rank` is SQL for the rank of a business for this word: NULL if the business does not have the
    word, and 0 if only the name of its city has the word.
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
        if worse:  # the words in `worse` add `most` to the rank, all others `least`
            added = f"CASE WHEN o.mot IN ({marks(worse)}) THEN {most} ELSE {added} END"
        column = "o.mot" if len(self.words) <= _MOST_SOUGHT else "COALESCE(o.mot, '')"
        lowest = (_LEAST_WITH_CITY if words.CITY in self.counts else _LEAST).format(added)
        self.rank = _RANK.format(lowest, column, marks(self.words))
        self.values = [*worse, *self.words]

    def pairs(self, above: int, rank: int) -> list[tuple[str, int]]:
        """Returns the pairs (word, `rang`) with a rank above `above`, up to `rank`. The rank of a
        pair is `rang` + `added`, or 0 if `rang` is 0."""
        return [
            (text, rang) for text, word in self.matching.items() for rang in word.counts
            if above < (rang and rang + word.added) <= rank
        ]

    def count(self, rank: int) -> int:
        return sum(count for known, count in self.counts.items() if known <= rank)


def tiers(key: str, whole: Container[int], matching: list[Words]) -> list[Tier]:
    """Returns a Tier for each rank that a business can have, the best rank first.

    `key` is the search key of the typed text. `whole` contains WHOLE_NAME if this text is exactly
    the name of a business, and WHOLE_SERVICE if this text is exactly the name of a service.
    `matching` has the matching words of the index for each typed word.
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
        # `of_pairs` omits required[0], the condition for the rarest word, because each business
        # with one of `pairs` meets this condition. Exception: a business with a pair of the `rang`
        # CITY may have another index word that matches the rarest word with a higher rank.
        is_bounded = len(rarest.words) == 1 or all(rang != words.CITY for _, rang in pairs)
        found.append(Tier(
            rank, _together(required), _together(required[is_bounded:]), _together(no_better),
            pairs, rarest.count(rank) >= FREQUENT,
        ))
    return found


def _until(typed: list[_Typed], rank: int) -> list[Condition]:
    """Returns, for each typed word, the condition that the rank for this word is at most
    `rank`."""
    return [(f"{word.rank} <= {rank}", word.values) for word in typed]


def _above(typed: list[_Typed], better: int) -> list[Condition]:
    """Returns a list with the condition that the rank of a business for the whole search is above
    `better`. Returns an empty list if all businesses meet this condition."""
    if not all(word.count(better) for word in typed):
        return []
    sql = " OR ".join(f"{word.rank} > {better}" for word in typed)
    return [(f"({sql})", [value for word in typed for value in word.values])]


def _together(conditions: list[Condition]) -> Condition:
    sql = " AND ".join(sql for sql, _ in conditions)
    return sql or "1 = 1", [value for _, values in conditions for value in values]
