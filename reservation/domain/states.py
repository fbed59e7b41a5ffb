"""The states of a booking, and the rules for changing the state."""

from reservation.conflicts import CorrectionTooLate, ImpossibleTransition, VisitNotBegun
from reservation.errors import NotPermitted
from reservation.lib.instants import DAY

CUSTOMER, OWNER = "customer", "owner"
STAFF = "staff"  # the person who performs the service, if not the owner
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
OPEN = ("demandee", "confirmee")  # these bookings can be moved to another time
RELEASED = ("refusee", "annulee")  # these bookings hold no places
PAST = ("honoree", "absente")  # the business may correct one of these states to the other
CORRECTION_DAYS = 30  # a PAST state can be corrected for this many days after the visit


def check_move(before: str, after: str, side: str) -> None:
    """Raises ImpossibleTransition if nobody may change the state from `before` to `after`. Raises
    NotPermitted if `side` may not make this change. `side` is CUSTOMER, OWNER or STAFF."""
    if (before, after) not in MOVES:
        raise ImpossibleTransition(before, after)
    if side not in MOVES[before, after]:
        raise NotPermitted()


def check_times(before: str, after: str, debut: int, fin: int, now: int) -> None:
    """Raises VisitNotBegun if the new state `after` is one of PAST and the visit has not begun.
    Raises CorrectionTooLate if the old state `before` is one of PAST and the visit ended more than
    CORRECTION_DAYS days ago. The visit is [debut, fin)."""
    if after in PAST and now < debut:
        raise VisitNotBegun()
    if before in PAST and now > fin + CORRECTION_DAYS * DAY:
        raise CorrectionTooLate(max=CORRECTION_DAYS)
