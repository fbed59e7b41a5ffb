"""Finds the words of the index that the typed words of a search mean, despite a typing error."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from reservation.lib.folding import beginning_with, search_key
from reservation.lib.french import SHORTEST_WITH_ERROR, is_one_error, required, stem
from reservation.storage import words
from reservation.storage.database import Database, marks

# Added to the rank of a word if only its beginning was typed, or if it was typed with an error.
PREFIX, ERROR = 1, 20
_LEAST_PREFIX = 3  # letters
_MOST = 2000  # words of the index that one SELECT returns
_IN_USE = "EXISTS (SELECT 1 FROM occurrence o WHERE o.mot = m.texte{})"
_WORDS = (
    "SELECT * FROM (SELECT {} AS part, m.texte, m.racine,"
    f" {_IN_USE.format('')} AS used, {_IN_USE.format(f' AND o.rang > {words.CITY}')} AS said"
    " FROM mot m WHERE {}"
)
_BEGINS = "m.{0} >= ? AND m.{0} < ?"
_WHOLE = "SELECT o.entreprise_id FROM occurrence o WHERE o.mot = ?"
Words = dict[str, int]  # words of the index, and what each adds to the rank


class Meaning(NamedTuple):
    """The meaning of a search with the search key `key`.

    `words` has the matching words of the index for each required word of the search. `said` has
    the positions of the required words that some business has elsewhere than in its city.
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
    def is_known(self) -> bool:
        return all(self.words)

    @property
    def may_have_a_place(self) -> bool:
        return len(self.said) < len(self.words)

    def matches(self, within: str, chosen: list[Any]) -> tuple[str, list[Any]]:
        """Returns a SELECT of (entreprise_id, rang) for the businesses that have all words, and
        the values of its placeholders.

        `rang` is NULL if a business has all words in its city only. `within` is a further SQL
        condition on the businesses, and `chosen` has the values of its placeholders.
        """
        parts: list[str] = []
        values: list[Any] = []
        for some in self.words:
            worse, added = [word for word in some if some[word]], max(some.values())
            rang = f"NULLIF(rang, {words.CITY})"
            if worse:
                rang += f" + CASE WHEN mot IN ({marks(worse)}) THEN {added} ELSE 0 END"
            # A business has a word once: grouping would double the time of a single word.
            lowest, group = (rang, "") if len(some) == 1 else (f"MIN({rang})", "GROUP BY 1")
            parts.append(
                f"SELECT entreprise_id, {lowest} AS rang FROM occurrence"
                f" WHERE mot IN ({marks(some)}) {within} {group}"
            )
            values += [*worse, *some, *chosen]
        source = parts[0]
        if len(parts) > 1:
            source = (
                f"SELECT entreprise_id, MAX(rang) AS rang FROM ({' UNION ALL '.join(parts)}) AS a"
                f" GROUP BY entreprise_id HAVING COUNT(*) = {len(parts)}"
            )
        return (
            f"SELECT entreprise_id, CASE WHEN entreprise_id IN ({_WHOLE}) THEN {words.WHOLE_NAME}"
            f" WHEN rang = {words.SERVICE} AND entreprise_id IN ({_WHOLE})"
            f" THEN {words.WHOLE_SERVICE} ELSE rang END AS rang FROM ({source}) AS b"
        ), [*(words.whole(sign, self.key) for sign in (words.OF_NAME, words.OF_SERVICE)), *values]

    def in_service(self, nom_cle: str) -> int:
        """Returns how many of the words the name of a service has; one more if it has the text."""
        if self.key in nom_cle:
            return len(self.words) + 1
        there = {word[: words.LONGEST] for word in nom_cle.split()}
        return sum(not there.isdisjoint(some) for some in self.words)


def _spelled(db: Database, typed: list[str]) -> tuple[list[Words], set[int], set[int]]:
    """Returns the words of the index for each typed word: the words with the same stem, and the
    words that begin with the typed word.

    Also returns the positions of the typed words that are spelled correctly, and the positions
    `said` (see Meaning). A spelling is correct even if only an inactive business has the word.
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
    for at, texte, racine, is_used, is_said in _union(db, parts, values):
        if racine == stem(typed[at]):
            known.add(at)
        if is_said:
            said.add(at)
        if is_used:
            found[at][texte] = 0 if racine == stem(typed[at]) else PREFIX
    return found, known, said


def _misspelled(db: Database, typed: dict[int, str]) -> dict[int, Words]:
    """Returns the words that differ from a typed word by one error, in the word or in its stem.

    One half of the typed word is right. So an index on the words finds all candidates with the
    same first half, and an index on the reversed words finds all with the same second half.
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
    for at, texte, racine, is_used, _ in _union(db, parts, values):
        word, root = typed[at], stem(typed[at])
        of_root = len(root) >= SHORTEST_WITH_ERROR and is_one_error(root, racine)
        if is_used and (of_root or is_one_error(word, texte)):
            found[at][texte] = ERROR
    return found


def _union(db: Database, parts: list[str], values: list[str]) -> Sequence[tuple[Any, ...]]:
    if not parts:
        return []
    return db.rows(" UNION ".join(f"{part} LIMIT {_MOST}) AS w{at}"
                                  for at, part in enumerate(parts)), *values)
