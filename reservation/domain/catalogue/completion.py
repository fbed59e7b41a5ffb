"""Autocompletes names from a list, such as services or the cities of France."""

import heapq
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path

from reservation.lib.environment import TEXT, BadSetting
from reservation.lib.folding import beginning_with, prefix_key, search_keys


class Completion:
    """Finds names that start with a text, in the order of `names`.

    With `inside`, finds all names that contain the text. Names with a word that starts with the
    text come first.
    """

    def __init__(self, names: Iterable[str], inside: bool) -> None:
        self.names, self._inside = list(names), inside

    @cached_property
    def index(self) -> tuple[list[str], list[int]]:
        """Returns the sorted search keys, and the rank of each key.

        Without `inside`, the rank of a key is the position of its name in `names`. With `inside`,
        the keys are suffixes, ranked by `_suffixes`.
        """
        # Each key ends in a space, so that the typed text `paris ` finds Paris.
        keys = [key + " " for key in search_keys(self.names)]
        ranks: Sequence[int] = range(len(keys))
        if self._inside:
            keys, ranks = self._suffixes(keys)
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return [keys[at] for at in order], [ranks[at] for at in order]

    def _suffixes(self, keys: list[str]) -> tuple[list[str], list[int]]:
        """Returns all suffixes of the keys, and the rank of each suffix.

        A suffix that begins inside a word ranks after all suffixes that begin with a whole word.
        """
        found, ranks = [], []
        for rank, key in enumerate(keys):
            for at in range(len(key) - 1):
                starts_a_word = at == 0 or key[at - 1] == " "
                found.append(key[at:])
                ranks.append(rank if starts_a_word else rank + len(keys))
        return found, ranks

    def starting(self, text: str, most: int) -> list[str]:
        """Returns at most `most` names that match `text`, ordered by rank. Returns no names if
        `text` has no letters or digits."""
        key = prefix_key(text)
        if not key:
            return []
        keys, ranks = self.index
        low, high = (bisect_left(keys, bound) for bound in beginning_with(key))
        found: Collection[int] = ranks[low:high]
        if self._inside:
            found = set(found)
        # With `inside`, a name can have two ranks (see `_suffixes`). To find `most` names, twice
        # as many ranks are enough.
        first = heapq.nsmallest(2 * most, found)
        best = dict.fromkeys(rank % len(self.names) for rank in first)
        return [self.names[rank] for rank in list(best)[:most]]


@cache
def of_file(path: str, inside: bool = False) -> Completion:
    """Reads a file with one name on each line. A process reads each file once.

    Raises BadSetting if the file is not in UTF-8.
    """
    try:
        lines = Path(path).read_text(encoding=TEXT).splitlines()
    except UnicodeDecodeError as ex:
        raise BadSetting(f"the list {path} cannot be read: {ex}") from None
    return Completion((line.strip() for line in lines if line.strip()), inside)
