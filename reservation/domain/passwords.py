"""Password hashes by bcrypt."""

import bcrypt

LONGEST = 72  # bytes; bcrypt looks at no more, and version 5 refuses them
# A hash of no password that anyone knows, for accounts that do not exist.
_NOBODY = "$2b$%02d$" + "." * 53


def fits(password: str) -> bool:
    return len(password.encode()) <= LONGEST


def hashed(password: str, rounds: int) -> str:
    """The bcrypt hash; takes some 0.3 s at 12 rounds, with the GIL released."""
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds)).decode()


def is_right(password: str, stored: str | None, rounds: int) -> bool:
    """Compare with the stored hash, or with nobody's: as long in either case."""
    known = fits(password) and bool(stored)
    candidate = password.encode()[:LONGEST]
    try:
        same = bcrypt.checkpw(candidate, (stored or _NOBODY % rounds).encode())
    except ValueError:  # what is stored is no bcrypt hash
        return False
    return same and known
