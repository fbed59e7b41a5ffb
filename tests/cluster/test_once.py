"""The same request at two nodes at the same time has its effect once."""

import time
from collections import Counter
from functools import partial

from reservation.domain.people import resetting
from tests import outboxes
from tests.cluster.nodes import PAIRS, at_once, is_aligned, on_cluster, wait_until_alike
from tests.outboxes import people, queue

pytestmark = on_cluster


def test_an_address_asked_for_at_two_nodes_is_written_to_once(nodes):
    now = int(time.time())
    for number, email in enumerate(people(PAIRS)):
        networks = (f"10.{half}.{number}.1" for half in range(2))
        asks = [partial(resetting.ask, email=email, client=one, now=now) for one in networks]
        assert at_once(nodes, asks, is_aligned(number)) == [None, None]
    wait_until_alike(nodes)
    for node in nodes:
        told = Counter(post.destinataire for post in outboxes.posts(node.db))
        assert Counter(told.values()) == {1: PAIRS}


def test_workers_at_two_nodes_send_a_message_once(nodes, visit, post):
    def deliver(db):
        return outboxes.delivery(db, post.port).deliver()

    for number, email in enumerate(people(PAIRS)):
        queue(nodes[0].db, visit, [email])
        tried = at_once(nodes, [deliver, deliver], is_aligned(number))
        assert sorted(tried) == [0, 1]
    assert post.told == people(PAIRS)
