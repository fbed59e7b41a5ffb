"""What happens to a message that a worker is sending while its recipient or its customer changes.

The relay may take minutes to answer.
"""

import pytest

from reservation.domain.people.codes import Codes
from tests import outboxes
from tests.clock import now
from tests.conftest import PASSWORD, ROSE
from tests.outboxes import SECRET, let_pauses_pass, posts

NEW = "rose.petit@example.fr"


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


@pytest.fixture
def correct(client, alice, called):
    """Corrects the address of Rose."""
    path = f"/api/clients/{called['client']['id']}"

    def correct():
        body = {**ROSE, "email": NEW, "version": 1}
        client.put(path, body, token=alice.token)

    return correct


def test_a_message_that_fails_while_the_address_is_corrected_is_repeated_to_the_new_address(
    db, called, correct, deliver, during, post
):
    during(ROSE["email"], correct, "451 later")
    deliver()
    let_pauses_pass(db)
    deliver()
    assert post.told.count(ROSE["email"]) == 0
    assert post.told.count(NEW) == 1


def test_a_message_that_fails_while_an_account_changes_its_address_is_repeated_to_the_new_one(
    client, db, salon, chloe, tuesday, deliver, during, post
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    code = Codes(SECRET).issue(db, NEW, now())
    body = {"email": NEW, "code": code, "password": PASSWORD}
    during(
        chloe.email, lambda: client.put("/api/compte/email", body, token=chloe.token), "451 later"
    )
    deliver()
    let_pauses_pass(db)
    deliver()
    about_visit = [one.destinataire for one in posts(db) if one.genre == "confirmee"]
    assert about_visit == [NEW]


def test_a_message_that_was_sent_while_the_address_was_corrected_names_its_recipient(
    db, called, correct, deliver, during, post
):
    during(ROSE["email"], correct)
    deliver()
    sent = [one.destinataire for one in posts(db) if one.genre == "confirmee"]
    assert sent == [ROSE["email"]]
    assert (post.told.count(ROSE["email"]), post.told.count(NEW)) == (1, 0)
