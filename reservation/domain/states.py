"""The states of a booking, and who may change a booking from one state to another."""

from reservation.conflicts import CorrectionTooLate, ImpossibleTransition
from reservation.errors import NotPermitted
from reservation.lib.instants import DAY

CUSTOMER, OWNER = "customer", "owner"
STAFF = "staff"  # the person who performs the booked service, if that is not the owner
_BUSINESS = frozenset({OWNER, STAFF})
MOVES: dict[tuple[str, str], frozenset[str]] = {
    ("demandee", "confirmee"): _BUSINESS,
    ("demandee", "refusee"): _BUSINESS,
    ("demandee", "annulee"): _BUSINESS | {CUSTOMER},
    ("confirmee", "annulee"): _BUSINESS | {CUSTOMER},
    ("confirmee", "honoree"): _BUSINESS,
    ("confirmee", "absente"): _BUSINESS,
    ("honoree", "absente"): _BUSINESS,
    ("absente", "honoree"): _BUSINESS,
}
STATES = ("demandee", "confirmee", "refusee", "annulee", "honoree", "absente")
OPEN = ("demandee", "confirmee")  # bookings in these states can be moved to another time
RELEASED = ("refusee", "annulee")  # bookings in these states hold no places
PAST = ("honoree", "absente")  # the business may correct either of these states to the other
CORRECTION_DAYS = 30  # a PAST state is final when this many days have passed since the visit


def check_move(before: str, after: str, side: str) -> None:
    """Raises ImpossibleTransition if nobody may change the state from `before` to `after`. Raises
    NotPermitted if somebody may do so, but not `side` (CUSTOMER, OWNER or STAFF)."""
    if (before, after) not in MOVES:
        raise ImpossibleTransition(before, after)
    if side not in MOVES[before, after]:
        raise NotPermitted()


def check_correction(before: str, fin: int, now: int) -> None:
    """Raises CorrectionTooLate if the state `before` is "honoree" or "absente" and the visit ended
    (`fin`) more than CORRECTION_DAYS days ago."""
    if before in PAST and now > fin + CORRECTION_DAYS * DAY:
        raise CorrectionTooLate(max=CORRECTION_DAYS)
