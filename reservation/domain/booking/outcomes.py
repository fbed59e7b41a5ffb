"""What becomes of each wish to book, move, change or cancel a reservation, counted."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from reservation.errors import DatabaseUnavailable, PlacesNotHeld, Refusal, SlotTaken
from reservation.metrics import BOOKINGS
from reservation.storage.database import Database

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Act = Callable[Concatenate[Database, Arguments], Result]


def count(db: Database, outcome: str) -> None:
    """booked, repeated, moved, changed or cancelled; taken, refused or failed."""
    db.counters.count(BOOKINGS, outcome)


def failures_counted(act: Act[Arguments, Result]) -> Act[Arguments, Result]:
    """The same function; what it raises is counted on its way."""

    @wraps(act)
    def counting(db: Database, *args: Arguments.args, **named: Arguments.kwargs) -> Result:
        try:
            return act(db, *args, **named)
        except Exception as ex:
            count(db, _of(ex))
            raise

    return counting


def _of(ex: Exception) -> str:
    if isinstance(ex, SlotTaken):
        return "taken"
    ours = isinstance(ex, (DatabaseUnavailable, PlacesNotHeld)) or not isinstance(ex, Refusal)
    return "failed" if ours else "refused"
