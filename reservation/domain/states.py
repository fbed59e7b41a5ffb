"""The states of a reservation: who may move it from which to which, in one table."""

from reservation.errors import ImpossibleTransition, NotPermitted

CUSTOMER, OWNER = "customer", "owner"
MOVES: dict[tuple[str, str], frozenset[str]] = {
    ("demandee", "confirmee"): frozenset({OWNER}),
    ("demandee", "refusee"): frozenset({OWNER}),
    ("demandee", "annulee"): frozenset({OWNER, CUSTOMER}),
    ("confirmee", "annulee"): frozenset({OWNER, CUSTOMER}),
    ("confirmee", "honoree"): frozenset({OWNER}),
    ("confirmee", "absente"): frozenset({OWNER}),
}
STATES = ("demandee", "confirmee", "refusee", "annulee", "honoree", "absente")
OPEN = ("demandee", "confirmee")  # can still be moved in time
RELEASED = ("refusee", "annulee")  # have given their places back; all others hold them


def check_move(before: str, after: str, side: str) -> None:
    """Raises ImpossibleTransition if nobody can make the move, NotPermitted if others can."""
    if (before, after) not in MOVES:
        raise ImpossibleTransition(before, after)
    if side not in MOVES[before, after]:
        raise NotPermitted()
