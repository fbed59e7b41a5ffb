"""Autocompletion from a list: the services, the cities of France.

The keys are sorted once per process, so that an answer takes a bisection.
"""

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from reservation.lib.folding import prefix_key, search_key

_LAST = "\U0010ffff"


class Completion:
    """Finds the names of a list that start with a text, in the order of the list.

    With `inside`, also finds the names that contain the text, after those in which a word starts
    with the text.
    """

    def __init__(self, names: Iterable[str], inside: bool = False) -> None:
        self.names = list(names)
        places = self._inside() if inside else self._starts()
        # A key ends in a space, so that a typed `saint ` does not find Sainte-Foy.
        entries = sorted((key + " ", rank) for key, rank in places)
        self._keys = [key for key, _ in entries]
        self._ranks = [rank for _, rank in entries]

    def _starts(self) -> Iterator[tuple[str, int]]:
        return ((search_key(name), rank) for rank, name in enumerate(self.names))

    def _inside(self) -> Iterator[tuple[str, int]]:
        """Yields each suffix of each key. Suffixes that begin within a word rank last."""
        for rank, name in enumerate(self.names):
            key = search_key(name)
            for at in range(len(key)):
                starts_a_word = at == 0 or key[at - 1] == " "
                yield key[at:], rank if starts_a_word else rank + len(self.names)

    def starting(self, text: str, most: int) -> list[str]:
        """Returns at most `most` names, none for a text without letters or digits."""
        key = prefix_key(text)
        if not key:
            return []
        low, high = bisect_left(self._keys, key), bisect_left(self._keys, key + _LAST)
        # A name has at most two ranks: for starts of words, and for other suffixes.
        ranks = heapq.nsmallest(2 * most, set(self._ranks[low:high]))
        best = dict.fromkeys(rank % len(self.names) for rank in ranks)
        return [self.names[rank] for rank in list(best)[:most]]


@cache
def of_file(path: str, inside: bool = False) -> Completion:
    """Reads a file with one name per line, once per process."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return Completion((line.strip() for line in lines if line.strip()), inside)
