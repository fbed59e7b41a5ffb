"""Search keys: texts in lower case, without accents or punctuation."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_BETWEEN_WORDS = re.compile(r"[^\w\n]+")
_LAST = "\U0010ffff"


def folded(text: str) -> str:
    """Returns the text in lower case, without accents. Writes the ligature `œ` as `oe`."""
    text = text.casefold()
    if text.isascii():
        return text
    spelled_out = text.replace("œ", "oe").replace("æ", "ae")
    return "".join([one if one.isascii() else _unaccented(one) for one in spelled_out])


@lru_cache(1024)
def _unaccented(letter: str) -> str:
    # For a whole text, `normalize` takes quadratic time: it sorts the accents of each letter, and
    # a malicious text has thousands of accents on one letter.
    letters = unicodedata.normalize("NFKD", letter)
    return "".join(one for one in letters if not unicodedata.combining(one))


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
