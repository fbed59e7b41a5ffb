"""Password hashes by bcrypt, and the lane that keeps them from taking every thread."""

import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import bcrypt

from reservation.errors import Overloaded
from reservation.settings import DATA

LONGEST = 72  # bytes; bcrypt looks at no more, and version 5 refuses them
# A hash of no password that anyone knows, for accounts that do not exist.
_NOBODY = "$2b$%02d$" + "." * 53


class Lane:
    """Hashes at most `places` passwords at once; at most `waiting` more callers wait.

    A hash takes a core for 0.3 s at 12 rounds. Without a limit, a handful of logins would
    occupy every thread of the server.
    """

    def __init__(self, places: int, waiting: int = 2, patience: float = 2.0) -> None:
        self._admitted = threading.Semaphore(places + waiting)
        self._places = threading.Semaphore(places)
        self._patience = patience

    @contextmanager
    def place(self) -> Iterator[None]:
        """Raises Overloaded at once if the lane is full, or after `patience` seconds."""
        if not self._admitted.acquire(blocking=False):
            raise Overloaded()
        try:
            if not self._places.acquire(timeout=self._patience):
                raise Overloaded()
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._admitted.release()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# One for the process, whatever the number of applications in it. A command hashes one password
# at a time, so it always finds a place.
lane = Lane(_cores())


def fits(password: str) -> bool:
    return len(password.encode()) <= LONGEST


def is_common(password: str) -> bool:
    """Whether it is among those that are tried first, in any case."""
    return password.casefold() in _common()


@cache
def _common() -> frozenset[str]:
    """Those of 8 characters or more: accounts.check_password refuses shorter ones."""
    text = gzip.decompress((DATA / "common-passwords.txt.gz").read_bytes())
    return frozenset(text.decode().splitlines())


def hashed(password: str, rounds: int) -> str:
    """Returns the bcrypt hash. Raises Overloaded if the lane is full.

    Takes 0.3 s at 12 rounds, with the GIL released.
    """
    with lane.place():
        return bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds)).decode()


def is_weaker(stored: str, rounds: int) -> bool:
    """Whether the hash, `$2b$<rounds>$…`, took fewer rounds than are wanted now."""
    return _rounds_of(stored) < rounds


def _rounds_of(stored: str) -> int:
    return int(stored[4:6])


def is_right(password: str, stored: str | None, rounds: int) -> bool:
    """Compares with the stored hash, or with nobody's. A wrong password takes as long as
    `rounds` do, even if the stored hash took fewer.

    Raises Overloaded if the lane is full.
    """
    known = fits(password) and bool(stored)
    candidate = password.encode()[:LONGEST]
    try:
        with lane.place():
            same = bcrypt.checkpw(candidate, (stored or _NOBODY % rounds).encode())
            if not same and stored:
                # Each round doubles the time: own + own + (own + 1) + ... comes to `rounds`.
                for fewer in range(_rounds_of(stored), rounds):
                    bcrypt.checkpw(candidate, (_NOBODY % fewer).encode())
    except ValueError:  # what is stored is no bcrypt hash
        return False
    return same and known
