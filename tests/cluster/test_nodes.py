"""A node that is killed and restarted."""

from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.people.sessions import Account
from reservation.storage.database import forget
from tests.clock import now
from tests.cluster.nodes import on_cluster, wait_until_alike
from tests.races.soundness import assert_sound

pytestmark = on_cluster


def test_a_booking_outlives_its_node_which_gets_what_it_missed(
    cluster, nodes, salon, chloe, tuesday
):
    """Slow, because the other nodes wait before they expel the dead node."""
    account = Account(chloe.id, "student")

    def book(node, slot):
        return booking.book(node.db, account, Request(slot["id"], salon.coupe), now())

    first, second = salon.free(tuesday)[:2]
    numbers = [book(nodes[2], first)]
    cluster.kill(2)
    numbers.append(book(nodes[0], second))
    cluster.restart(2)
    forget(nodes[2].db)
    wait_until_alike(nodes)
    for node in nodes:
        assert node.db.rows("SELECT id FROM reservation ORDER BY id") == [(n,) for n in numbers]
        assert_sound(node.db)
