"""Writes the index of words for searches: the tables `mot` and `occurrence`.

The full-text indexes of SQLite and MySQL do not find words with typing errors, and differ from
each other.
"""

from collections.abc import Iterator
from functools import partial

from peewee import chunked

from reservation.lib.folding import search_key
from reservation.lib.french import STOP, stem
from reservation.storage.database import Database, highest_id, marks, transaction
from reservation.storage.models import Mot
from reservation.storage.sqlite import Row

# `rang` tells which text of a business contains a word. A lower `rang` is a better match. A search
# adds 1 to the `rang` if only the start of the word was typed, or 20 for a typing error. CITY is
# always 0, so a word of the city does not worsen a match. But if only words of the city match, a
# search omits the business.
CITY, WHOLE_NAME, NAME, TRADE, WHOLE_SERVICE, SERVICE, DESCRIPTION = 0, 2, 4, 6, 8, 10, 12
OF_NAME, OF_TRADE, OF_SERVICE = "e:", "m:", "s:"  # whole names in `occurrence` begin with these
LONGEST, LONGEST_WHOLE = 30, 60  # maximum length of a word, and of a whole name with its prefix
_MOST = 1000  # the index has at most this many words of a business
_MOST_SERVICES = 500  # the index has only words of this many services of a business
_BUSINESS = (
    "SELECT actif, nom, metiers, description, ville, code_postal FROM entreprise WHERE id = ?"
)
_SERVICES = (
    "SELECT nom, description FROM prestation WHERE entreprise_id = ? AND actif = 1 ORDER BY id"
    f" LIMIT {_MOST_SERVICES}"
)
_KNOWN = "SELECT mot, rang FROM occurrence WHERE entreprise_id = ?"
_ADD = "INSERT INTO occurrence (entreprise_id, mot, rang) VALUES (?, ?, ?)"
_REMOVE = "DELETE FROM occurrence WHERE entreprise_id = ? AND mot IN ({})"
_AT_ONCE = 300  # at most this many words are in one statement
_UNUSED = (
    "SELECT m.texte FROM mot m WHERE m.id > ? AND m.id <= ?"
    " AND (SELECT o.id FROM occurrence o WHERE o.mot = m.texte LIMIT 1) IS NULL"
)
_SPAN = 500  # size of the range of ids that one query searches
REMOVED = 100  # maximum number of words that one transaction removes


def index(db: Database, entreprise_id: int) -> None:
    """Updates the words of a business. Call within a transaction that has locked the business."""
    actif, wanted = _wanted(db, entreprise_id)
    _know(db, sorted(wanted))
    if not actif:
        # An inactive business has no rows in `occurrence`. But its words are in `mot`, because a
        # search treats words that are not in `mot` as typing errors.
        wanted = {}
    known = {mot: rang for mot, rang in db.rows(_KNOWN, entreprise_id)}
    gone = [mot for mot, rang in known.items() if wanted.get(mot) != rang]
    new = sorted((mot, rang) for mot, rang in wanted.items() if known.get(mot) != rang)
    for some in chunked(gone, _AT_ONCE):
        db.write(_REMOVE.format(marks(some)), entreprise_id, *some)
    if new:
        db.write_many(_ADD, [(entreprise_id, mot, rang) for mot, rang in new])


def index_all(db: Database) -> None:
    last = 0
    while rows := db.rows("SELECT id FROM entreprise WHERE id > ? ORDER BY id LIMIT 1000", last):
        for (last,) in rows:
            index(db, last)


def remove_unused(db: Database) -> Iterator[None]:
    """Removes the words that no business has any more, for example because a description was
    changed or erased. Keeps the words of inactive businesses (see `index`).

    Yields after each short step.
    """
    unused: set[str] = set()
    for low in range(0, highest_id(db, "mot"), _SPAN):
        unused.update(texte for (texte,) in db.rows(_UNUSED, low, low + _SPAN))
        yield
    # Read after `_UNUSED`, because a business may have become inactive meanwhile.
    for (inactive,) in db.rows("SELECT id FROM entreprise WHERE actif = 0 ORDER BY id"):
        unused.difference_update(_wanted(db, inactive)[1])
        yield
    for some in chunked(sorted(unused), REMOVED):
        transaction(db, partial(_remove, db, some))
        yield


def _remove(db: Database, unused: list[str]) -> None:
    """Removes words from `mot`. Keeps words that a business has used meanwhile."""
    among = f"IN ({marks(unused)})"
    # Waits for the transactions that have locked the words in `_know`, and then finds their rows
    # in `occurrence`. Later transactions wait for this one, and add the words again.
    db.rows(f"SELECT id FROM mot WHERE texte {among}{db.FOR_UPDATE}", *unused)
    used = db.rows(f"SELECT DISTINCT mot FROM occurrence WHERE mot {among}", *unused)
    if gone := sorted({*unused} - {mot for (mot,) in used}):
        db.write(f"DELETE FROM mot WHERE texte IN ({marks(gone)})", *gone)


def words(text: str) -> list[str]:
    return [word[:LONGEST] for word in search_key(text).split()]


def whole(sign: str, name: str) -> str:
    # MySQL and MariaDB ignore spaces at the end of a unique key.
    return (sign + search_key(name))[:LONGEST_WHOLE].rstrip()


def _wanted(db: Database, entreprise_id: int) -> tuple[bool, dict[str, int]]:
    """Returns whether a business is active, and the `rang` of each of its words."""
    actif, *about = db.rows(_BUSINESS, entreprise_id)[0]
    services = db.rows(_SERVICES, entreprise_id)
    found: dict[str, int] = {}
    for rang, word in _places(about, services):
        if word not in STOP:
            found.setdefault(word, rang)
        if len(found) == _MOST:
            break
    return actif, found


def _places(about: list[str], services: list[Row]) -> Iterator[tuple[int, str]]:
    """Yields (rang, word) for each occurrence of a word. The most important texts come first,
    because `_wanted` keeps only the first `rang` of each word."""
    nom, metiers, description, ville, code_postal = about
    trades, names = metiers.split("\n") if metiers else [], [name for name, _ in services]
    yield WHOLE_NAME, whole(OF_NAME, nom)
    yield from ((TRADE, whole(OF_TRADE, trade)) for trade in trades)
    yield from ((WHOLE_SERVICE, whole(OF_SERVICE, name)) for name in names)
    for rang, texts in (
        (NAME, [nom]),
        (TRADE, trades),
        (SERVICE, names),
        (CITY, [ville, code_postal]),
        (DESCRIPTION, [description, *(text for _, text in services)]),
    ):
        yield from ((rang, word) for text in texts for word in words(text))


def _know(db: Database, new: list[str]) -> None:
    """Adds words that `mot` does not have yet, and locks the others, so that `remove_unused` keeps
    them. Skips whole names, such as "e:salon julie"."""
    for some in chunked([word for word in new if ":" not in word], _AT_ONCE):
        known = {
            texte for (texte,) in db.rows(
                f"SELECT texte FROM mot WHERE texte IN ({marks(some)}){db.FOR_SHARE}", *some
            )
        }
        rows = [
            {"texte": word, "envers": word[::-1], "racine": stem(word)[:LONGEST]}
            for word in some if word not in known
        ]
        if rows:
            Mot.insert_many(rows).on_conflict_ignore().execute(db)
