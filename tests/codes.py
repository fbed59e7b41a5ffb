"""Codes as the worker issues them."""

from reservation.domain.people.codes import Codes
from reservation.storage.database import Database
from tests.clock import now
from tests.outboxes import SECRET


def issued(db: Database, email: str) -> str:
    return Codes(SECRET).issue(db, email, now())


def other_than(code: str, number: int = 1) -> str:
    """Returns a wrong code."""
    return f"{(int(code) + number) % 10**6:06}"
