"""Any two steps at the same time, each at its own node, leave a sound calendar.

CLUSTER_PAIRS is the number of races per pair of steps; a full run uses 250.
"""

from functools import partial
from itertools import combinations_with_replacement, product

import pytest

from reservation.conflicts import Conflict
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.errors import NotFound, StaleVersion
from tests.clock import now
from tests.cluster.bars import BOOKING, CALENDAR, is_as_planned, open_bar
from tests.cluster.nodes import PAIRS, at_once, is_aligned, on_cluster, wait_until_alike
from tests.conftest import PASSWORD, ROUNDS
from tests.races.soundness import assert_sound

pytestmark = on_cluster
REFUSED = (Conflict, NotFound, StaleVersion)  # allowed outcomes of the losing step
CHANGES = list(combinations_with_replacement(CALENDAR, 2))
STEPS = [*product(CALENDAR, BOOKING), *combinations_with_replacement(BOOKING, 2)]


@pytest.fixture
def people(nodes):
    """An owner and a customer."""

    def account(role):
        values = {"email": f"{role}@example.fr", "nom": "Martin", "prenom": "Alix"}
        number = accounts.add(
            nodes[0].db, ROUNDS, password=PASSWORD, role=role, now=now(), **values
        )
        return Account(number, role)

    return account("company"), account("student")


def race(nodes, people, steps):
    """Runs the steps at the same time in PAIRS new bars; returns the bars."""
    db, bars = nodes[0].db, []
    for number in range(PAIRS):
        bars.append(open_bar(db, *people, steps))
        works = [partial(step, bar=bars[-1]) for step in steps]
        for result in at_once(nodes, works, is_aligned(number)):
            if isinstance(result, Exception) and not isinstance(result, REFUSED):
                raise result
    wait_until_alike(nodes)
    return bars


def names(steps):
    return "-".join(step.__name__ for step in steps)


@pytest.mark.parametrize("steps", STEPS, ids=names)
def test_two_steps_at_two_nodes_leave_every_node_sound(steps, nodes, people):
    race(nodes, people, steps)
    for node in nodes:
        assert_sound(node.db)


@pytest.mark.parametrize("steps", CHANGES, ids=names)
def test_two_changes_at_two_nodes_leave_the_calendar_that_is_planned(steps, nodes, people):
    bars = race(nodes, people, steps)
    for node in nodes:
        assert [bar.id for bar in bars if not is_as_planned(node.db, bar)] == []
        assert_sound(node.db)
