"""Search keys: texts in lower case, without accents or punctuation."""

import re
import unicodedata
from collections.abc import Iterable

_BETWEEN_WORDS = re.compile(r"[^\w\n]+")
_LAST = "\U0010ffff"


def folded(text: str) -> str:
    """Returns the text in lower case, without accents. Writes the ligature `œ` as `oe`."""
    spelled_out = text.casefold().replace("œ", "oe").replace("æ", "ae")
    letters = unicodedata.normalize("NFKD", spelled_out)
    for mark in filter(unicodedata.combining, set(letters)):
        letters = letters.replace(mark, "")
    return letters


def search_key(text: str) -> str:
    """Returns the text in lower case, without accents or punctuation: `saint etienne` for
    `Saint-Étienne`."""
    return prefix_key(text).strip()


def search_keys(names: Iterable[str]) -> list[str]:
    """Returns the search key of each name. Faster than a call of `search_key` for each name.

    Names must not contain line breaks.
    """
    return [key.strip() for key in _spaced("\n".join(names)).split("\n")]


def prefix_key(typed: str) -> str:
    """Returns the search key of a text that is still being typed.

    If the last word is complete, the key ends with a space: "saint " for "Saint-".
    """
    return _spaced(typed.replace("\n", " ")).lstrip()


def beginning_with(start: str) -> tuple[str, str]:
    """Returns (low, high): a text begins with `start` if low <= text < high."""
    return start, start + _LAST


def _spaced(text: str) -> str:
    return _BETWEEN_WORDS.sub(" ", folded(text).replace("_", " "))
