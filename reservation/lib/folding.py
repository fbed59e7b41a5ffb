"""How names are compared: without regard to case, accents, hyphens or apostrophes."""

import re
import unicodedata

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "Œ": "oe", "Æ": "ae"})
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """The text without case or accents, and with its ligatures spelled out."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def search_key(text: str) -> str:
    """`Saint-Étienne` and `saint  etienne` both give `saint etienne`."""
    return prefix_key(text).strip()


def prefix_key(typed: str) -> str:
    """The key of something half typed: a space or hyphen at its end counts."""
    return _BETWEEN_WORDS.sub(" ", folded(typed)).lstrip()
