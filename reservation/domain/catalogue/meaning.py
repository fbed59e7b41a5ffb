"""Finds the words of the index that match the words of a search, even with a typing error."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from reservation.domain.catalogue.ranking import Tier, Words, tiers
from reservation.lib.folding import beginning_with, search_key
from reservation.lib.french import SHORTEST_WITH_ERROR, is_one_error, required, stem
from reservation.storage import words
from reservation.storage.database import Database

# Added to the rank of a matching word: PREFIX if only the beginning of this word was typed, ERROR
# if it was typed with an error.
PREFIX, ERROR = 1, 20
_LEAST_PREFIX = 3  # a typed word with at least 3 letters also finds the words that begin with it
_MOST = 2000  # upper bound of the words that one SELECT returns
# Upper bound of the words with the same stem or the same beginning, for all typed words together:
# `ranking` needs up to ten values for each, and a statement of SQLite has up to 32,766 values.
_MOST_MATCHING = 1500
_IN_USE = "EXISTS (SELECT 1 FROM occurrence o WHERE o.mot = m.texte{})"
_WORDS = (
    "SELECT * FROM (SELECT {} AS part, m.texte, m.racine,"
    f" {_IN_USE.format('')} AS used, {_IN_USE.format(f' AND o.rang > {words.CITY}')} AS said"
    " FROM mot m WHERE {}"
)
_BEGINS = "m.{0} >= ? AND m.{0} < ?"


class Meaning(NamedTuple):
    """The words of the index that match a search. `key` is the search key of the typed text.

    `words` has the matching words for each typed word that a result must have. `said` has the
    positions of the typed words that match the name, a trade, a service or the description of any
    business. A typed word that matches only cities is not in `said`.
    """

    key: str
    words: list[Words]
    said: set[int]

    @classmethod
    def of(cls, db: Database, q: str) -> "Meaning":
        typed = [word[: words.LONGEST] for word in required(words.words(q))]
        if not typed:  # only stop words: these can match only the whole name of a business
            return cls(search_key(q), [{words.whole(words.OF_NAME, q): 0}], {0})
        found, known, said = _spelled(db, typed)
        unknown = {
            at: word for at, word in enumerate(typed)
            if not (found[at] or at in known or word.isdigit())
            and len(word) >= SHORTEST_WITH_ERROR
        }
        for at, some in _misspelled(db, unknown).items():
            found[at] = some
            said |= {at} if some else set()
        return cls(search_key(q), found, said)

    @property
    def may_have_a_place(self) -> bool:
        return len(self.said) < len(self.words)

    def tiers(self, db: Database) -> list[Tier]:
        """Returns the ranks that businesses can have, see `ranking`."""
        return tiers(db, self.key, self.words) if all(self.words) else []

    def in_service(self, nom_cle: str) -> int:
        """Returns how many words of the search are in the name of a service. If the name contains
        the whole text of the search, returns the number of all words of the search + 1."""
        if self.key in nom_cle:
            return len(self.words) + 1
        there = {word[: words.LONGEST] for word in nom_cle.split()}
        return sum(not there.isdisjoint(some) for some in self.words)


def _spelled(db: Database, typed: list[str]) -> tuple[list[Words], set[int], set[int]]:
    """Returns the matching words of the index for each typed word: the words with the same stem,
    and the words that begin with the typed word.

    Also returns the positions of the typed words that are spelled correctly, and the positions
    `said` (see Meaning). A typed word is spelled correctly if the index has a word with the same
    stem. Words that only inactive businesses have are in the index too.
    """
    parts: list[str] = []
    values: list[str] = []
    for at, word in enumerate(typed):
        parts.append(_WORDS.format(at, "m.racine = ?"))
        values.append(stem(word))
        if len(word) >= _LEAST_PREFIX:
            parts.append(_WORDS.format(at, _BEGINS.format("texte")))
            values += beginning_with(word)
    found: list[Words] = [{} for _ in typed]
    known, said = set(), set()
    for at, texte, racine, is_used, is_said in _union(
        db, parts, values, _MOST_MATCHING // len(typed)
    ):
        if racine == stem(typed[at]):
            known.add(at)
        if is_said:
            said.add(at)
        if is_used:
            found[at][texte] = 0 if racine == stem(typed[at]) else PREFIX
    return found, known, said


def _misspelled(db: Database, typed: dict[int, str]) -> dict[int, Words]:
    """Returns the words of the index that differ from a typed word by one error, and the words
    whose stems differ from the stem of the typed word by one error.

    One error leaves the first or the second half of a word right. So a database index on the words
    finds candidates by the first half, and one on the reversed words by the second half.
    """
    parts: list[str] = []
    values: list[str] = []
    for at, word in typed.items():
        middle = (len(word) - 1) // 2
        for column, start, length in (
            ("texte", word[:middle], len(word)),
            ("envers", word[: middle : -1], len(word)),
            ("racine", stem(word)[: max(2, middle)], len(stem(word))),
        ):
            near = f" AND LENGTH(m.{column}) BETWEEN {length - 1} AND {length + 1}"
            parts.append(_WORDS.format(at, _BEGINS.format(column) + near))
            values += beginning_with(start)
    found: dict[int, Words] = {at: {} for at in typed}
    for at, texte, racine, is_used, _ in _union(db, parts, values, _MOST):
        word, root = typed[at], stem(typed[at])
        of_root = len(root) >= SHORTEST_WITH_ERROR and is_one_error(root, racine)
        if is_used and (of_root or is_one_error(word, texte)):
            found[at][texte] = ERROR
    return found


def _union(
    db: Database, parts: list[str], values: list[str], most: int
) -> Sequence[tuple[Any, ...]]:
    """Runs the SELECT statements `parts` as one statement. Returns at most `most` rows of each."""
    if not parts:
        return []
    return db.rows(" UNION ".join(f"{part} LIMIT {most}) AS w{at}"
                                  for at, part in enumerate(parts)), *values)
