"""Counts failed attempts to make or change a booking, as a metric."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from reservation.conflicts import PlacesNotHeld, SlotTaken
from reservation.errors import DatabaseUnavailable, Refusal
from reservation.metrics import BOOKINGS
from reservation.storage.database import Database

Act = TypeVar("Act", bound=Callable[..., Any])


def failures_counted(act: Act) -> Act:
    """Decorator that counts the exceptions of a function as a metric. The first argument of the
    function must be the database."""

    @wraps(act)
    def counting(db: Database, *args: Any, **named: Any) -> Any:
        try:
            return act(db, *args, **named)
        except Exception as ex:
            db.counters.count(BOOKINGS, _outcome_of(ex))
            raise

    return counting  # type: ignore[return-value]


def _outcome_of(ex: Exception) -> str:
    if isinstance(ex, SlotTaken):
        return "taken"
    failed = isinstance(ex, (DatabaseUnavailable, PlacesNotHeld)) or not isinstance(ex, Refusal)
    return "failed" if failed else "refused"
