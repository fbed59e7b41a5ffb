"""How names are compared: without regard to case, accents, hyphens or apostrophes."""

import re
import unicodedata

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "Œ": "oe", "Æ": "ae"})
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def search_key(text: str) -> str:
    """`Saint-Étienne` and `saint  etienne` both give `saint etienne`."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _BETWEEN_WORDS.sub(" ", plain).strip()
