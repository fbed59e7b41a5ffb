"""Finds the index words that match the typed words. Accepts one typing error in a typed word."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import NamedTuple

from reservation.domain.catalogue import ranking
from reservation.domain.catalogue.ranking import IndexWord, Tier, Words
from reservation.lib.folding import beginning_with, search_key
from reservation.lib.french import SHORTEST_WITH_ERROR, is_one_error, required, stem, synonyms
from reservation.storage import words
from reservation.storage.database import Database, marks
from reservation.storage.sqlite import Row

# PREFIX is added to a rank if only the beginning of a word was typed. ERROR is added if a word was
# misspelled.
PREFIX, ERROR = 1, 20
_LEAST_PREFIX = 3  # letters; shorter typed words do not match as a prefix
_MOST = 2000  # maximum number of words that one SELECT returns
# `_spelled` finds at most 2 * _MOST_MATCHING words and a few synonyms. With the words of
# `_misspelled`, `ranking` needs at most about 22,500 placeholders, 5 for each word. SQLite allows
# 32,766.
_MOST_MATCHING = 1500
_MOST_CORRECTED = 5  # if more typed words are misspelled, the search finds nothing
_MOST_NEAR = 300  # maximum number of words that `_misspelled` returns for a typed word
_ABOVE_IDS = 10**12
_WORDS = "SELECT {} AS part, m.texte, m.racine FROM mot m WHERE {} LIMIT {}"
_BEGINS = "m.{0} >= ? AND m.{0} < ?"
_RANGS = (words.CITY, words.NAME, words.TRADE, words.SERVICE, words.DESCRIPTION)
# Selects one of the businesses that have the word `w` with the `rang` of `r`. The placeholder is
# the position in the order of ids: 0 for the first business. With fewer columns of the index in
# ORDER BY, MySQL would read and sort all businesses that have the word.
_ID = (
    "(SELECT o.entreprise_id FROM occurrence o WHERE o.mot = w.texte AND o.rang = r.rang"
    " ORDER BY o.mot, o.rang, o.entreprise_id LIMIT {}, 1)"
)
# Selects one row for each `rang` of a word. If no business has the word, selects one row in which
# `rang` is NULL. The subqueries read few rows, even if many businesses have the word.
_OCCURRENCES = (
    f"SELECT w.*, r.rang, {_ID} FROM ({{}}) w"
    f" LEFT JOIN ({' UNION ALL '.join(f'SELECT {rang} AS rang' for rang in _RANGS)}) r"
    f" ON {_ID.format(0)} IS NOT NULL"
)
# Selects one row if the typed text is a whole name in the index. `part`, which is otherwise the
# position of a typed word, is -1.
_WHOLE = "SELECT -1, '', '', w.rang, 0 FROM (SELECT rang FROM occurrence WHERE mot = ? LIMIT 1) w"


class Meaning(NamedTuple):
    """The index words that match a search.

    `whole` has WHOLE_NAME if the typed text is the whole name of a business, and WHOLE_SERVICE if
    the typed text is the whole name of a service.
    """

    key: str  # search key of the typed text
    typed: list[str]  # the significant words of the text
    words: list[Words]  # for each word of `typed`: the index words that match
    of_services: list[set[str]]  # the same, without words that choose no service
    whole: set[int]

    @classmethod
    def of(cls, db: Database, q: str) -> "Meaning":
        typed = required(words.words(q))
        found, known, whole = _spelled(db, typed, q)
        if not typed:  # no significant word: find businesses with exactly this name
            found = [{words.whole(words.OF_NAME, q): IndexWord(0, {words.WHOLE_NAME: 1})}]
        unknown = (
            (at, word) for at, word in enumerate(typed)
            if not (found[at] or at in known or word.isdigit())
            and len(word) >= SHORTEST_WITH_ERROR
        )
        for at, some in _misspelled(db, dict(islice(unknown, _MOST_CORRECTED))).items():
            found[at] = some
        of_services = [_of_services(*both) for both in zip(typed, found, strict=False)]
        return cls(search_key(q), typed, found, of_services, whole)

    @property
    def of_places(self) -> set[str]:
        """Returns the typed words that match nothing in the names, trades, services and
        descriptions of businesses. Such a word may belong to the name of a place."""
        return {
            word for word, some in zip(self.typed, self.words, strict=False)
            if not any(rang != words.CITY for known in some.values() for rang in known.counts)
        }

    def tiers(self) -> list[Tier]:
        return ranking.tiers(self.key, self.whole, self.words) if all(self.words) else []

    def in_service(self, nom_cle: str) -> int:
        """Returns the number of typed words that the search key of a service contains.

        If the key contains the whole typed text, returns the number of all typed words plus 1.
        """
        if self.key in nom_cle:
            return len(self.words) + 1
        there = {word[: words.LONGEST] for word in nom_cle.split()}
        return sum(not there.isdisjoint(some) for some in self.of_services)


def _of_services(typed: str, found: Words) -> set[str]:
    """Returns the words of `found` that choose a service if its name has them.

    If the typed word is a trade, only keeps words that differ by at most one letter, such as the
    plural. So a search for "coiffeur" accepts any service of a hairdresser, and does not prefer
    "Coiffure de mariage".
    """
    if not any(words.TRADE in word.counts and word.added != PREFIX for word in found.values()):
        return set(found)
    return {texte for texte in found if texte == typed or is_one_error(texte, typed)}


def _spelled(db: Database, typed: list[str], q: str) -> tuple[list[Words], set[int], set[int]]:
    """Returns the index words that match each typed word by stem, synonym or prefix.

    Also returns the positions of the correctly spelled words, and `whole` (see Meaning). A word is
    spelled correctly if the index has its stem or synonym, even if only of inactive businesses.
    """
    parts, values = [], []
    most = _MOST_MATCHING // max(1, len(typed))
    for at, word in enumerate(typed):
        parts.append(_WORDS.format(at, "m.racine = ?", most))
        values.append(stem(word))
        if same := synonyms(word):
            parts.append(_WORDS.format(at, f"m.texte IN ({marks(same)})", most))
            values += same
        if len(word) >= _LEAST_PREFIX:
            parts.append(_WORDS.format(at, _BEGINS.format("texte"), most))
            values += beginning_with(word)
    found: list[Words] = [{} for _ in typed]
    known, whole = set(), set()
    names = [words.whole(sign, q) for sign in (words.OF_NAME, words.OF_SERVICE)]
    for at, texte, racine, *where in _occurrences(db, parts, values, names):
        if at < 0:
            whole.add(where[0])
            continue
        is_same = racine == stem(typed[at]) or texte in synonyms(typed[at])
        if is_same:
            known.add(at)
        _add(found[at], texte, 0 if is_same else PREFIX, *where)
    return found, known, whole


def _misspelled(db: Database, typed: dict[int, str]) -> dict[int, Words]:
    """Returns the index words that differ from a typed word by one typing error. Also returns
    words whose stem differs from the stem of a typed word by one typing error.

    First reads words with the same first half, the same second half or the same start of the stem,
    because one error leaves at least one half intact.
    """
    parts: list[str] = []
    values: list[str] = []
    for at, word in typed.items():
        middle = (len(word) - 1) // 2
        for column, start, length in (
            ("texte", word[:middle], len(word)),
            ("envers", word[: middle : -1], len(word)),  # `envers` is the reversed word
            ("racine", stem(word)[: max(2, middle)], len(stem(word))),
        ):
            letters = db.CHARACTERS.format(f"m.{column}")
            similar = f" AND {letters} BETWEEN {length - 1} AND {length + 1}"
            parts.append(_WORDS.format(at, _BEGINS.format(column) + similar, _MOST))
            values += beginning_with(start)
    found: dict[int, Words] = {at: {} for at in typed}
    near: defaultdict[int, list[str]] = defaultdict(list)
    candidates = " UNION ".join(map(db.IN_UNION.format, parts))
    for at, texte, racine in db.rows(candidates, *values) if parts else ():
        word, root = typed[at], stem(typed[at])
        of_root = len(root) >= SHORTEST_WITH_ERROR and is_one_error(root, racine)
        if (of_root or is_one_error(word, texte)) and len(near[at]) < _MOST_NEAR:
            near[at].append(texte)
    parts = [_WORDS.format(at, f"m.texte IN ({marks(some)})", _MOST) for at, some in near.items()]
    for at, texte, _, *where in _occurrences(db, parts, chain.from_iterable(near.values())):
        _add(found[at], texte, ERROR, *where)
    return found


def _occurrences(
    db: Database, parts: list[str], values: Iterable[str], names: Sequence[str] = ()
) -> Sequence[Row]:
    """Returns rows (part, texte, racine, rang, last): one for each `rang` of an index word.

    `parts` are SELECTs that find the index words. In a row, `part` is the position of the typed
    word. `rang` is None if no business has the word. `last` is None if fewer than FREQUENT
    businesses have the word with this `rang`. Otherwise, `last` is the FREQUENT-th lowest id.
    """
    selects = [_WHOLE] * len(names)
    if parts:
        found = " UNION ".join(map(db.IN_UNION.format, parts))
        selects.append(_OCCURRENCES.format(ranking.FREQUENT - 1, found))
    return db.rows(" UNION ALL ".join(selects), *names, *values) if selects else []


def _add(found: Words, texte: str, added: int, rang: int | None, last: int | None) -> None:
    if rang is not None:
        counts = found.setdefault(texte, IndexWord(added, {})).counts
        # `last` is the id of the FREQUENT-th business with the word. If this id is low, a large
        # share of all businesses has the word.
        counts[rang] = ranking.FREQUENT + _ABOVE_IDS // last if last else 1
