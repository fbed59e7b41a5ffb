"""The place of a search: a commune (French municipality) or a post code, and the nearby communes.

Nearby communes belong to the same intercommunality, an association of communes.
"""

import gzip
import re
from collections import defaultdict
from collections.abc import Sequence, Set
from functools import cache, lru_cache
from typing import Any, NamedTuple

from reservation.lib.folding import search_key, search_keys
from reservation.lib.french import SHORTEST_WITH_ERROR, is_one_error, without_district
from reservation.settings import DATA
from reservation.storage.database import marks

# The first digits of the post codes in Corsica. All other post codes begin with the number of the
# département.
_CORSICA = {"2a": ("200", "201"), "2b": ("202", "206")}
_WITH_DEPARTMENT = re.compile(r"(.+) (\d[\dab]\d?)")
_UNKNOWN = "NOT EXISTS (SELECT 1 FROM entreprise x WHERE x.ville_cle = ?)"
_POST_CODE = re.compile(r"\b\d{5}\b")
_ABBREVIATED = re.compile(r"\bst(e?)\b")
_SAINT = re.compile(r"\bsaint(e?)\b")
# The column `code_postal` has no index, so the subquery finds the few businesses that have the
# post code among their words.
_OF_POST_CODE = (
    "(e.code_postal = ? AND e.id IN (SELECT c.entreprise_id FROM occurrence c WHERE c.mot = ?))"
)


class Place(NamedTuple):
    """SQL conditions for businesses, with the values of their placeholders.

    `own` selects the businesses in the place. `near` selects the businesses near the place, and is
    "" if no nearby commune is known.
    """

    own: str
    own_values: list[Any]
    near: str
    near_values: list[Any]


class _Communes(NamedTuple):
    """All communes, the largest population first. The number of a commune is its position in this
    order."""

    keys: list[str]  # without the text in brackets, which distinguishes communes of the same name
    shown: list[str]  # the keys with this text
    # For each commune: the id of its intercommunality or "", then its post codes.
    areas: list[list[str]]
    by_key: dict[str, list[int]]  # of `keys` and of `shown`
    by_group: dict[str, list[int]]
    by_post_code: dict[str, list[int]]

    def around(self, communes: list[int]) -> set[int]:
        """Returns the numbers of `communes` and of all communes in their intercommunalities."""
        groups = {self.areas[at][0] for at in communes} - {""}
        return {*communes, *(at for group in groups for at in self.by_group[group])}


@cache
def _communes() -> _Communes:
    """Reads the two files that scripts/make_cities.py writes.

    Each line of `cities.txt` is the name of a commune. The line with the same number in
    `communes.gz` has the intercommunality and the post codes of this commune.
    """
    lines = gzip.decompress((DATA / "communes.gz").read_bytes()).decode().splitlines()
    names = (DATA / "cities.txt").read_text(encoding="utf-8").splitlines()
    shown = search_keys(names)
    short = iter(search_keys(name.partition(" (")[0] for name in names if "(" in name))
    found = _Communes(
        [next(short) if "(" in name else key for name, key in zip(names, shown, strict=True)],
        shown,
        [line.split(" ") for line in lines],
        defaultdict(list), defaultdict(list), defaultdict(list),
    )
    for at, (key, (group, *post_codes)) in enumerate(zip(found.keys, found.areas, strict=True)):
        found.by_key[key].append(at)
        if shown[at] != key:
            found.by_key[shown[at]].append(at)
        found.by_group[group].append(at)
        for post_code in post_codes:
            found.by_post_code[post_code].append(at)
    return found


@lru_cache(maxsize=1024)
def find(ville: str) -> Place:
    """Returns the place for a typed post code or city, such as `69001 Lyon`, `Saint-Denis (974)`
    or `st denis 974`. If the text has the post code of a commune, ignores the city in it."""
    post_code = _POST_CODE.search(ville)
    communes = _communes().by_post_code.get(post_code[0], []) if post_code else []
    if post_code and (communes or post_code[0] == ville):
        return Place(_OF_POST_CODE, [post_code[0]] * 2, *_near(communes, around_only=False))
    return _city(_POST_CODE.sub("", ville))


def _city(ville: str) -> Place:
    """If several communes have the name, `Place.own` selects the businesses in all these communes,
    and `Place.near` the businesses near the largest. If neither a commune nor the city of a
    business has the name, the place is the largest commune whose name differs by one typing error.
    """
    known = _communes()
    typed = _ABBREVIATED.sub(r"saint\1", search_key(ville))
    found = [at for at in known.by_key.get(typed, ()) if known.keys[at] != typed]
    department = _WITH_DEPARTMENT.fullmatch(typed) if found or ville.endswith(")") else None
    starts: tuple[str, ...] = ()
    if department:
        starts = _CORSICA.get(department[2], (department[2],))
    if found:  # A few communes, such as Claret (04), have a post code of another département.
        key, codes = known.keys[found[0]], known.areas[found[0]][1:]
        starts += tuple(code for code in codes if not code.startswith(starts))
    else:
        key = without_district(department[1] if department else typed)[:100]
        found = [
            at for at in known.by_key.get(key, ())
            if not starts or known.areas[at][1].startswith(starts)
        ]
    names = [key, *{_SAINT.sub(r"st\1", key)} - {key}]  # owners may abbreviate the city too
    values = [*names, *(known.shown[at] for at in found if known.shown[at] != key)]
    own = f"e.ville_cle IN ({marks(values)})"
    if starts:
        own += f" AND (e.ville_cle NOT IN ({marks(names)}) OR {_starting(starts)})"
        values += [*names, *(start + "%" for start in starts)]
    if starts or found or (at := _misspelled(key)) is None:
        return Place(own, values, *_near(found[:1], around_only=True))
    near, near_values = _near([at], around_only=True)
    return Place(
        f"({own} OR e.ville_cle = ? AND {_UNKNOWN})", [*values, known.keys[at], key],
        near and f"({near} AND {_UNKNOWN})", [*near_values, *([key] if near else [])],
    )


def _misspelled(key: str) -> int | None:
    if len(key) < SHORTEST_WITH_ERROR:
        return None
    # For speed, compare only names with the same first or the same last letter. One typing error
    # changes at most one of these letters.
    first, last = key[0], key[-1]
    likely = (
        at for at, known in enumerate(_communes().keys)
        if (known[0] == first or known[-1] == last) and is_one_error(key, known)
    )
    return next(likely, None)


def _near(communes: list[int], around_only: bool) -> tuple[str, list[Any]]:
    """Returns an SQL condition for the businesses near `communes`, and its values.

    Includes the businesses in `communes`, unless `around_only` is True. Compares the name of the
    commune and the first two digits of the post code, because a distant commune may have the same
    name.
    """
    known = _communes()
    around = known.around(communes)
    others = around - set(communes) if around_only else around
    keys = sorted({key for at in others for key in (known.keys[at], known.shown[at])})
    if not keys:
        return "", []
    starts = sorted({code[:2] for at in around for code in known.areas[at][1:]})
    return (
        f"(e.ville_cle IN ({marks(keys)}) AND (e.code_postal = '' OR {_starting(starts)}))",
        [*keys, *(start + "%" for start in starts)],
    )


def _starting(starts: Sequence[str]) -> str:
    return " OR ".join(["e.code_postal LIKE ?"] * len(starts))


def without_post_code(q: str) -> tuple[str, Place | None]:
    """Removes the last post code from a text. Returns the rest of the text and the place.

    Returns (q, None) if the text has no post code of a commune.
    """
    words = q.split()
    for at, word in reversed(list(enumerate(words))):
        if _POST_CODE.fullmatch(word) and word in _communes().by_post_code:
            return " ".join(words[:at] + words[at + 1 :]), find(word)
    return q, None


def split(q: str, of_places: Set[str]) -> tuple[str, Place] | None:
    """Removes a commune from the end or the beginning of a text. Returns the rest of the text and
    the place.

    Returns None if the text does not begin or end with a commune whose name has one of the words
    `of_places`.
    """
    words = search_key(q).split()
    for length in range(min(8, len(words)), 0, -1):  # the longest name has 8 words
        for name, rest in ((words[-length:], words[:-length]), (words[:length], words[length:])):
            is_known = without_district(" ".join(name)) in _communes().by_key
            if is_known and not of_places.isdisjoint(name):
                return " ".join(rest), find(" ".join(name))
    return None
