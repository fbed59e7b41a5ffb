"""Completing what somebody types from a list: the services, the cities of France.

The keys are prepared once for each process; an answer is found by bisection.
"""

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from reservation.lib.folding import prefix_key, search_key

_LAST = "\U0010ffff"


class Completion:
    """A list of names that answers what starts with, or what contains, a text.

    With `inside`, a name also answers to a text in its middle; one that has a word which
    starts with the text comes first. Otherwise the order is that of the list.
    """

    def __init__(self, names: Iterable[str], inside: bool = False) -> None:
        self.names = list(names)
        places = self._inside() if inside else self._starts()
        # A key ends in a space, so that a typed `saint ` leaves out Sainte-Foy.
        entries = sorted((key + " ", rank) for key, rank in places)
        self._keys = [key for key, _ in entries]
        self._ranks = [rank for _, rank in entries]

    def _starts(self) -> Iterator[tuple[str, int]]:
        return ((search_key(name), rank) for rank, name in enumerate(self.names))

    def _inside(self) -> Iterator[tuple[str, int]]:
        """Each suffix of each key; those from within a word rank behind all others."""
        for rank, name in enumerate(self.names):
            key = search_key(name)
            for at in range(len(key)):
                starts_a_word = at == 0 or key[at - 1] == " "
                yield key[at:], rank if starts_a_word else rank + len(self.names)

    def starting(self, text: str, most: int) -> list[str]:
        """At most `most` names for a typed text; none where it holds no letter or digit."""
        key = prefix_key(text)
        if not key:
            return []
        low, high = bisect_left(self._keys, key), bisect_left(self._keys, key + _LAST)
        # A name has two ranks at most: of a word that starts so, and of a word's inside.
        ranks = heapq.nsmallest(2 * most, set(self._ranks[low:high]))
        best = dict.fromkeys(rank % len(self.names) for rank in ranks)
        return [self.names[rank] for rank in list(best)[:most]]


@cache
def of_file(path: str, inside: bool = False) -> Completion:
    """The completion of a list file, one name a line; made once for each process."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return Completion((line.strip() for line in lines if line.strip()), inside)
