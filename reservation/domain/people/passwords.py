"""Hashes passwords with bcrypt, and limits how many hashes run at the same time."""

import gzip
import os
from functools import cache

import bcrypt

from reservation.domain.lanes import Lane
from reservation.errors import PasswordTooCommon
from reservation.settings import DATA

LONGEST = 72  # bytes; bcrypt 5 refuses more
# A hash that matches no known password. Used if the account does not exist or has no password.
_NOBODY = "$2b$%02d$" + "." * 53
_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
# A hash with 12 rounds takes a core for 0.3 s. Without a limit, a few logins would occupy every
# thread. One lane per process, because all applications of a process share the cores.
lane = Lane(_cores or 1)


def fits(password: str) -> bool:
    return len(password.encode()) <= LONGEST


def is_common(password: str) -> bool:
    return password.casefold() in _common()


def refuse_common(password: str, production: bool) -> None:
    """In production, raises PasswordTooCommon for one of the most common passwords."""
    if production and is_common(password):
        raise PasswordTooCommon()


@cache
def _common() -> frozenset[str]:
    text = gzip.decompress((DATA / "common-passwords.txt.gz").read_bytes())
    return frozenset(text.decode().splitlines())


def hashed(password: str, rounds: int) -> str:
    """Returns the bcrypt hash. Raises Overloaded as `Lane.place` does."""
    with lane.place():
        return bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds)).decode()


def is_weaker(stored: str, rounds: int) -> bool:
    """Returns whether the hash `stored` (`$2b$<rounds>$…`) has fewer than `rounds` rounds."""
    return int(stored[4:6]) < rounds


def is_right(password: str, stored: str | None, rounds: int) -> bool:
    """Returns whether a password matches the stored hash. Raises Overloaded as `hashed` does.

    Checking a wrong password takes the time of `rounds` rounds, even without a stored hash. So the
    time does not reveal whether an account exists.
    """
    known = fits(password) and bool(stored)
    candidate = password.encode()[:LONGEST]
    try:
        with lane.place():
            same = bcrypt.checkpw(candidate, (stored or _NOBODY % rounds).encode())
            if not same and stored:
                # If the stored hash has fewer than `rounds` rounds, further hashes add the missing
                # time. Each round doubles the time of a hash. For example, a stored hash of 9
                # rounds and further hashes of 9, 10 and 11 rounds take 1 + 1 + 2 + 4 = 8 units of
                # time. One hash of 12 rounds also takes 8 units.
                for fewer in range(int(stored[4:6]), rounds):
                    bcrypt.checkpw(candidate, (_NOBODY % fewer).encode())
    except ValueError:  # the stored value is not a bcrypt hash
        return False
    return same and known
