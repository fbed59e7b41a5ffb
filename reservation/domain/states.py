"""The states of a booking, and the rules for changing the state."""

from reservation.conflicts import CorrectionTooLate, ImpossibleTransition
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
PAST = ("honoree", "absente")  # the business may correct one to the other
CORRECTION_DAYS = 30  # days after the visit in which a PAST state can be corrected


def check_move(before: str, after: str, side: str) -> None:
    """Raises ImpossibleTransition if nobody may make this change of state, and NotPermitted if
    `side` (CUSTOMER, OWNER or STAFF) may not."""
    if (before, after) not in MOVES:
        raise ImpossibleTransition(before, after)
    if side not in MOVES[before, after]:
        raise NotPermitted()


def check_correction(before: str, fin: int, now: int) -> None:
    """Raises CorrectionTooLate if `before` is in PAST and the visit ended (`fin`) more than
    CORRECTION_DAYS days ago."""
    if before in PAST and now > fin + CORRECTION_DAYS * DAY:
        raise CorrectionTooLate(max=CORRECTION_DAYS)
