"""Links in messages: a customer shows, moves and cancels one booking without signing in."""

import re

import pytest

from reservation.domain.people import accounts
from reservation.operations.operation import Operation
from reservation.routes import ROUTES
from tests import outboxes
from tests.conftest import ROSE
from tests.outboxes import PUBLIC

PATH = "/api/reservations"


@pytest.fixture
def sent(db, post):
    """Sends the queued messages, and returns the token in the one to this address."""

    def sent(email):
        outboxes.delivery(db, post.port).deliver()
        (mail,) = [one.mail for one in post.received if one.recipients == [email]]
        text = mail.get_body(["plain"]).get_content()
        return re.search(rf"{PUBLIC}/rendez-vous#(\S+)", text)[1]

    return sent


@pytest.fixture
def token(called, sent):
    """Returns the token in the message to the caller."""
    return sent(ROSE["email"])


def test_a_link_shows_moves_and_cancels_a_booking(client, salon, called, token, tuesday):
    path = f"{PATH}/{called['id']}"
    shown = client.get(path, token=token).json
    assert shown == {name: value for name, value in called.items() if name != "client"}
    times = client.get(f"{path}/creneaux?du={tuesday}&au={tuesday}", token=token).json
    (creneau,) = [one["id"] for one in times if "T11:00" in one["debut"]]
    change = {"creneauId": creneau, "version": 1}
    moved = client.put(path, change, token=token).json
    assert moved["debut"][11:16] == "11:00" and "client" not in moved
    assert "BEGIN:VEVENT" in client.get(f"{path}.ics", token=token).text
    client.delete(path, 204, token=token)
    assert client.get(path, token=token).json["statut"] == "annulee"


def test_the_link_of_a_customer_with_an_account_works_too(client, salon, chloe, sent, tuesday):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    token = sent(chloe.email)
    assert client.get(f"{PATH}/{booked['id']}", token=token).json == booked


def test_a_link_is_good_for_one_booking_and_nothing_else(
    client, salon, alice, called, token, tuesday
):
    other = salon.book(alice, salon.at(tuesday, "11:00"), client=ROSE)
    for method in ("GET", "DELETE"):
        client.call(method, f"{PATH}/{other['id']}", expect=404, token=token)
    client.get(f"{PATH}/{other['id']}/creneaux", 404, token=token)
    client.put(f"{PATH}/{called['id']}", {"statut": "honoree", "version": 1}, 403, token=token)
    for path in (PATH, "/api/compte", f"/api/entreprises/{salon.id}/emails"):
        client.get(path, 401, token=token)
    client.post("/auth/refresh", None, 401, token=token)


def test_only_the_operations_of_one_booking_accept_links():
    accept = {
        (path, name)
        for path, cls in ROUTES
        for name, responder in vars(cls).items()
        if isinstance(getattr(responder, "operation", None), Operation)
        and responder.operation.links
    }
    one = "/api/reservations/{id:id}"
    assert {(path, name) for path, name in accept if name != "on_head"} == {
        (one, "on_get"), (one, "on_put"), (one, "on_delete"),
        (f"{one}.ics", "on_get"), (f"{one}/creneaux", "on_get"),
    }


def test_a_changed_token_is_invalid(client, called, token):
    number, signature = token.split("-", 1)
    other = "B" if signature[5] == "A" else "A"
    for wrong in (
        f"{number}-{signature[:5]}{other}{signature[6:]}", f"{int(number) + 1}-{signature}",
        f"999999-{signature}", f"0{token}", token[:-1], signature,
    ):
        client.get(f"{PATH}/{called['id']}", 401, token=wrong)


def test_a_new_address_or_password_revokes_the_link(client, db, salon, chloe, called, token):
    path = f"{PATH}/{called['id']}"
    db.write("UPDATE client SET email = 'rose@example.net' WHERE email = ?", ROSE["email"])
    client.get(path, 401, token=token)
    db.write("UPDATE client SET email = ?", ROSE["email"])
    client.get(path, token=token)
    number = accounts.add_proven(db, 0, email=ROSE["email"], nom="Petit")
    db.write("UPDATE utilisateur SET jetons_depuis = 7 WHERE id = ?", number)
    db.write("UPDATE reservation SET titulaire_id = ?", number)
    client.get(path, 401, token=token)


def test_a_link_ends_with_the_visit(client, db, called, token):
    path = f"{PATH}/{called['id']}"
    db.write("UPDATE reservation SET debut = 60, fin = 120, occupe_debut = 60, occupe_fin = 120")
    refused = client.get(path, 401, token=token).json
    assert refused == {"error": "Token has expired"}


def test_a_message_to_a_former_address_has_no_valid_link(client, db, called, sent):
    db.write("UPDATE client SET email = 'rose@example.net'")
    client.get(f"{PATH}/{called['id']}", 401, token=sent(ROSE["email"]))


def test_the_outbox_and_the_message_to_the_owner_have_no_token(
    client, db, salon, alice, token
):
    assert token not in str(db.rows("SELECT * FROM eventemail"))
    listed = client.get(f"/api/entreprises/{salon.id}/emails", token=alice.token).json
    assert f"{PUBLIC}/rendez-vous" in str(listed) and "rendez-vous#" not in str(listed)
