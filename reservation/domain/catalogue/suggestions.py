"""Suggests trades, services and businesses of the installation for a text that is being typed."""

from typing import Any, NamedTuple

from reservation.domain.catalogue import matching
from reservation.domain.catalogue.matching import RANK, Search
from reservation.lib.folding import prefix_key
from reservation.storage import words
from reservation.storage.database import Database, marks

_COUNTED = (  # the names that begin with a text, the most frequent first, and a business with each
    "SELECT mot, MIN(entreprise_id) FROM occurrence WHERE mot >= ? AND mot < ?"
    " GROUP BY mot ORDER BY COUNT(*) DESC, mot LIMIT ?"
)
_TRADES = "SELECT metiers FROM entreprise WHERE id IN ({})"
_SERVICES = "SELECT nom FROM prestation WHERE actif = 1 AND entreprise_id IN ({})"
_LAST = "\U0010ffff"


class Business(NamedTuple):
    id: int
    nom: str
    ville: str


class Suggestions(NamedTuple):
    metiers: list[str]
    prestations: list[str]
    entreprises: list[Business]


def suggest(db: Database, typed: str, most: int) -> Suggestions:
    """Returns at most `most` of each kind; without a text, the most frequent trades and services,
    and no business."""
    key = prefix_key(typed)
    return Suggestions(
        _names(db, words.OF_TRADE, key, _TRADES, most),
        _names(db, words.OF_SERVICE, key, _SERVICES, most),
        _businesses(db, typed, most) if key else [],
    )


def _names(db: Database, sign: str, key: str, select: str, most: int) -> list[str]:
    start = (sign + key)[: words.LONGEST_WHOLE]
    counted = db.rows(_COUNTED, start, start + _LAST, most)
    if not counted:
        return []
    ids = [id for _, id in counted]
    written = {
        words.whole(sign, name): name
        for (names,) in db.rows(select.format(marks(ids)), *ids) for name in names.splitlines()
    }
    return [written[mot] for mot, _ in counted if mot in written]


def _businesses(db: Database, typed: str, most: int) -> list[Business]:
    """Returns the businesses whose names have the words."""
    search = Search.of(db, typed, "", "")
    if search.meaning is None:
        return []
    until = words.TRADE * RANK - 1
    rows: list[Any] = matching.read(db, search, "e.id, e.nom, e.ville", 0, until, most)
    return [Business(*row) for _, *row in rows]
