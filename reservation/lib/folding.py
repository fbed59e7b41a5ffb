"""Keys for comparing names: without case, accents, hyphens and apostrophes."""

import re
import unicodedata

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "Œ": "oe", "Æ": "ae"})
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """Returns the text without case and accents, and with ligatures spelled out."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def search_key(text: str) -> str:
    """Returns `saint etienne` for both `Saint-Étienne` and `saint  etienne`."""
    return prefix_key(text).strip()


def prefix_key(typed: str) -> str:
    """Returns the key of unfinished input, in which a final space or hyphen counts."""
    return _BETWEEN_WORDS.sub(" ", folded(typed)).lstrip()
