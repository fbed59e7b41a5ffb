"""What happens to a message that a worker is sending while its recipient or its customer changes.

The relay may take minutes to answer.
"""

import pytest

from tests import outboxes
from tests.conftest import PASSWORD
from tests.outboxes import posts


@pytest.fixture
def deliver(db, post):
    return outboxes.delivery(db, post.port).deliver


@pytest.fixture
def during(post):
    """Does something once, while a message to an address is with the relay."""

    def meanwhile(address, act, reply=""):
        answer = post.keeps_and_answers_after(0)

        def mood(server):
            del post.moods[address]
            act()
            return reply or answer(server)

        post.moods[address] = mood

    return meanwhile


def test_an_erased_customer_is_in_no_message_that_was_being_sent(
    client, db, salon, alice, chloe, tuesday, deliver, during
):
    salon.book(chloe, salon.at(tuesday, "10:00"), commentaire="Cheveux longs")
    account = {"password": PASSWORD}
    during(
        alice.email, lambda: client.delete("/api/compte", token=chloe.token, body=account)
    )
    deliver()
    deliver()
    kept = [one for one in posts(db) if one.destinataire == alice.email]
    assert [one.statut for one in kept] == ["envoye", "envoye"]
    assert not [one for one in kept if "Chloé" in one.sujet + one.corps]


def test_an_erased_owner_is_in_no_message_that_was_being_sent(
    client, db, make_salon, alice, chloe, tuesday, deliver, during
):
    salon = make_salon(alice, telephone="04 78 11 22 33")
    path = f"/api/entreprises/{salon.id}"
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver()
    client.delete(f"/api/reservations/{booked['id']}", token=alice.token)
    closed = {"nom": "Salon", "ville": "Lyon", "actif": False, "telephone": "04 78 11 22 33"}
    version = client.get(path, token=alice.token).json["version"]
    client.put(path, {**closed, "version": version}, token=alice.token)
    account = {"password": PASSWORD}
    during(
        chloe.email, lambda: client.delete("/api/compte", token=alice.token, body=account)
    )
    deliver()
    kept = [one for one in posts(db) if one.statut == "envoye"]
    assert kept and not [one for one in kept if "04 78" in one.corps]
