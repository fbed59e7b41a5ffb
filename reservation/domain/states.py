"""The states of a reservation: who may move it from which to which, in one table."""

from reservation.errors import Conflict, NotPermitted

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
    """Raises Conflict for a move that nobody can make, NotPermitted for one that others can."""
    if (before, after) not in MOVES:
        raise Conflict(f"A reservation cannot go from {before} to {after}")
    if side not in MOVES[before, after]:
        raise NotPermitted()
