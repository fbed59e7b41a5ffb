"""Finds the customers of a business by name, e-mail address or telephone."""

import re
from collections.abc import Iterator
from itertools import islice

from reservation.domain.budget import Budget
from reservation.errors import Fault, InvalidInput, Overloaded
from reservation.lib.folding import search_key
from reservation.lib.telephones import national
from reservation.storage.database import Database
from reservation.storage.models import Client
from reservation.storage.paging import Key, Part, first_keys

SHORTEST = 4  # letters; shorter words must be typed without errors
_MOST_WORDS = 8  # further typed words are ignored
_SECONDS = 1.0  # of CPU time for one search
_STEP = 100  # records
_BY = "client_entreprise_nom_cle"
_NUMBER = re.compile(r"[+\d][\d\s./()-]*")
_IN_ADDRESS = re.compile("[a-z0-9]+")
_CANDIDATES = (
    "SELECT id, nom_cle, email, telephone_cle FROM client {} WHERE entreprise_id = ?"
    " AND nom_cle >= ? AND (nom_cle > ? OR id > ?) AND bloque >= ? AND {} ORDER BY nom_cle, id"
)


def page(
    db: Database, entreprise_id: int, q: str, blocked: bool, after: Key | None, most: int
) -> list[int]:
    """Returns the ids of at most `most` customers that match `q`, ordered by name.

    Each word of `q` must match the beginning of the telephone number, or the beginning of a word
    in the name or e-mail address (see `begins` for typing errors). Starts after the
    record with the id in `after`. Raises InvalidInput if this record no longer exists, and
    Overloaded if the comparison of very many similar names takes too long.
    """
    nom_cle, id = _place(db, entreprise_id, *after) if after else ("", 0)
    if q:
        return list(islice(_matching(db, entreprise_id, q, blocked, nom_cle, id), most))
    of = {"entreprise_id = ?": entreprise_id} | ({"bloque = ?": 1} if blocked else {})
    parts = [Part(_BY, of | {"nom_cle = ?": nom_cle, "id > ?": id})] if after else []
    parts.append(Part(_BY, of | {"nom_cle > ?" if after else "nom_cle >= ?": nom_cle}))
    return [number for _, number in first_keys(db, "client", ("nom_cle", "id"), parts, most)]


def _place(db: Database, entreprise_id: int, id: int) -> tuple[str, int]:
    same = (Client.id == id) & (Client.entreprise == entreprise_id)
    record = Client.select(Client.nom_cle).where(same).first(db)
    if record is None:
        raise InvalidInput({"apres": Fault("invalid_cursor", "must be a cursor of this list")})
    return record.nom_cle, id


def _matching(
    db: Database, entreprise_id: int, q: str, blocked: bool, nom_cle: str, id: int
) -> Iterator[int]:
    """Yields the ids of the matching customers after the position (`nom_cle`, `id`).

    SQL selects the records that contain one of the `_parts` of each word. Python then compares
    these records in detail.
    """
    words = list(dict.fromkeys(search_key(q).split()))[:_MOST_WORDS]
    number = national(q) if _NUMBER.fullmatch(q.strip()) else ""
    conditions, values = [], []
    for word in words:
        parts = _parts(word)
        columns = [(name, part) for part in parts for name in ("nom_cle", "email")]
        if word.isdecimal():
            columns.append(("telephone_cle", number or national(word)))
        conditions.append(" OR ".join(f"INSTR({name}, ?) > 0" for name, _ in columns))
        values += [part for _, part in columns]
    if not conditions:
        return
    sql = _CANDIDATES.format(
        db.BY_INDEX.format(_BY), " AND ".join(f"({one})" for one in conditions)
    )
    rows = db.rows(sql, entreprise_id, nom_cle, nom_cle, id, int(blocked), *values)
    budget = Budget(_SECONDS)
    for at, (found, key, email, telephone) in enumerate(rows):
        if at % _STEP == 0 and budget.is_spent():
            raise Overloaded()
        if number and telephone.startswith(number):
            yield found
            continue
        left = _missing(key.split(), words)
        if left:
            left = _missing([*_IN_ADDRESS.findall(email), telephone], left)
        if not left:
            yield found


def _missing(known: list[str], words: list[str]) -> list[str]:
    return [word for word in words if not any(begins(one, word) for one in known)]


def _parts(word: str) -> list[str]:
    """Returns parts of a typed word. Every text that contains the intended word contains at least
    one of the parts, even if `word` has a typing error."""
    if len(word) < SHORTEST:
        return [word]
    half = len(word) // 2
    swapped = word[: half - 1] + word[half] + word[half - 1] + word[half + 1 :]
    return [word[:half], word[half:], swapped]


def begins(known: str, word: str) -> bool:
    """Returns whether `known` begins with `word`.

    If `word` has at least SHORTEST letters, one letter of `word` may be wrong, missing or added,
    or two adjacent letters may be swapped.
    """
    if known.startswith(word):
        return True
    if len(word) < SHORTEST:
        return False
    at = next((at for at, (a, b) in enumerate(zip(known, word, strict=False)) if a != b),
              len(known))
    rest, typed = known[at:], word[at:]
    return (
        rest[1:].startswith(typed[1:])
        or rest.startswith(typed[1:])
        or rest[1:].startswith(typed)
        or (rest[:2] == typed[1::-1] and rest[2:].startswith(typed[2:]))
    )
