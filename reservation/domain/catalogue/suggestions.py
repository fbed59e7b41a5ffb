"""Suggests trades, services and businesses for a text that is being typed."""

from typing import Any, NamedTuple

from reservation.domain.catalogue import search
from reservation.domain.catalogue.matching import RANK
from reservation.lib.folding import beginning_with
from reservation.storage import words
from reservation.storage.database import Database, marks

# Selects trades or services that begin with a text, the most frequent first. MIN returns the id
# of one business, from which `_names` reads the spelling of the trade or service.
_COUNTED = (
    "SELECT mot, MIN(entreprise_id) FROM occurrence WHERE mot >= ? AND mot < ?"
    " GROUP BY mot ORDER BY COUNT(*) DESC, mot LIMIT ?"
)
_TRADES = "SELECT metiers FROM entreprise WHERE id IN ({})"
_SERVICES = "SELECT nom FROM prestation WHERE actif = 1 AND entreprise_id IN ({})"


class Suggestions(NamedTuple):
    metiers: list[str]
    prestations: list[str]
    entreprises: list[Any]  # results of `search.businesses`


def suggest(db: Database, typed: str, most: int) -> Suggestions:
    """Suggests at most `most` trades, at most `most` services and at most `most` businesses.

    Trades and services begin with the typed text. The most frequent come first. Businesses have
    the typed words in their names or cities.
    """
    return Suggestions(
        _names(db, words.OF_TRADE, typed, _TRADES, most),
        _names(db, words.OF_SERVICE, typed, _SERVICES, most),
        search.businesses(db, q=typed, until=words.TRADE * RANK - 1, most=most),
    )


def _names(db: Database, sign: str, typed: str, select: str, most: int) -> list[str]:
    counted = db.rows(_COUNTED, *beginning_with(words.whole(sign, typed)), most)
    if not counted:
        return []
    ids = [id for _, id in counted]
    written = {
        words.whole(sign, name): name
        for (names,) in db.rows(select.format(marks(ids)), *ids)
        for name in (names.splitlines() if sign == words.OF_TRADE else [names])
    }
    return [written[mot] for mot, _ in counted if mot in written]
