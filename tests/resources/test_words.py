"""The owner's personal message to the customer, sent with a change of a booking."""

import pytest

from tests import outboxes

WORDS = "Je suis malade.\n\nEncore pardon, à bientôt !"
SIGNED = f"{WORDS}\n— Salon alice\n"


@pytest.fixture
def change(client):
    def put(by, number, expect=200, version=1, **body):
        path = f"/api/reservations/{number}"
        return client.put(path, {"version": version, **body}, expect, token=by.token).json

    return put


@pytest.fixture
def written(db, post):
    """Delivers the outbox. Returns the text of each delivered message by recipient."""

    def read():
        post.received.clear()
        outboxes.delivery(db, post.port).deliver()
        came = [one.mail for one in post.received]
        texts = {one["To"]: one.get_body(["plain"]).get_content() for one in came}
        return {who: text.replace("\r\n", "\n") for who, text in texts.items()}

    return read


@pytest.fixture
def asked(client, salon, alice, chloe, tuesday, db):
    """Returns the id of Chloé's booking, which waits for Alice's approval."""
    rules = {"nom": "Salon alice", "ville": "Lyon", "validationManuelle": True}
    client.put(f"/api/entreprises/{salon.id}", rules, token=alice.token)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    outboxes.empty(db)
    return number


def queued(db):
    return db.rows("SELECT genre, message FROM eventemail ORDER BY id")


def test_a_cancellation_carries_them(change, written, visit, alice, chloe):
    change(alice, visit, statut="annulee", message=f"  {WORDS} ")
    assert SIGNED in written()[chloe.email]


@pytest.mark.parametrize("statut", ["refusee", "confirmee", "annulee"])
def test_the_answer_to_a_request_carries_them(change, written, asked, alice, chloe, statut):
    change(alice, asked, statut=statut, message=WORDS)
    assert SIGNED in written()[chloe.email]


def test_a_move_carries_them_and_the_new_reminder_does_not(
    change, written, salon, visit, alice, chloe, tuesday, db
):
    change(alice, visit, creneauId=salon.at(tuesday, "11:00"), message=WORDS)
    assert queued(db) == [("deplacee", WORDS), ("rappel", None)]
    assert SIGNED in written()[chloe.email]


def test_they_come_again_when_the_message_does(client, change, written, visit, alice, db):
    change(alice, visit, statut="annulee", message=WORDS)
    first = written()
    ((number,),) = db.rows("SELECT id FROM eventemail")
    client.post(f"/api/emails/{number}/renvoi", expect=202, token=alice.token)
    assert written() == first


def test_an_admin_speaks_for_the_business(change, visit, dora, db):
    change(dora, visit, statut="annulee", message=WORDS)
    assert queued(db) == [("annulee_entreprise", WORDS)]


@pytest.mark.parametrize("message", [{}, {"message": ""}, {"message": " \n "}])
def test_without_them_the_message_is_as_ever(change, visit, alice, db, message):
    change(alice, visit, statut="annulee", **message)
    assert queued(db) == [("annulee_entreprise", None)]


def test_they_have_a_thousand_characters_at_most(change, visit, alice, db):
    champs = change(alice, visit, 400, statut="annulee", message="é" * 1001)["champs"]
    assert set(champs) == {"message"}
    change(alice, visit, statut="annulee", message="€" * 1000)
    assert queued(db) == [("annulee_entreprise", "€" * 1000)]


@pytest.mark.parametrize(
    "changes",
    [{}, {"commentaire": "x"}, {"statut": "honoree"}, {"statut": "confirmee"}],
)
def test_they_are_refused_where_the_customer_is_told_nothing(
    client, salon, change, alice, chloe, tuesday, db, changes
):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 2}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    outboxes.empty(db)
    if changes.get("statut") == "honoree":
        db.write("UPDATE reservation SET debut = 1, occupe_debut = 1")
    booked = client.get(f"/api/reservations/{booked['id']}", token=chloe.token).json
    champs = change(alice, booked["id"], 400, message=WORDS, **changes)["champs"]
    assert set(champs) == {"message"}
    assert client.get(f"/api/reservations/{booked['id']}", token=chloe.token).json == booked
    assert queued(db) == []


def test_they_are_refused_if_the_visit_is_over(change, visit, alice, db):
    db.write("UPDATE reservation SET debut = 1, fin = 2, occupe_debut = 1, occupe_fin = 2")
    outboxes.empty(db)
    champs = change(alice, visit, 400, statut="annulee", message=WORDS)["champs"]
    assert set(champs) == {"message"}
    change(alice, visit, statut="annulee")
    assert queued(db) == []


def test_a_customer_has_none(client, change, salon, visit, chloe, tuesday, db):
    before = client.get(f"/api/reservations/{visit}", token=chloe.token).json
    path, creneau = f"/api/reservations/{visit}", salon.at(tuesday, "11:00")
    for body in ({"creneauId": creneau}, {"statut": "annulee"}, {"commentaire": "x"}):
        change(chloe, visit, 403, message=WORDS, **body)
    champs = client.call("DELETE", path, {"message": WORDS}, expect=400, token=chloe.token).json
    assert set(champs["champs"]) == {"message"}
    assert client.get(path, token=chloe.token).json == before
    assert queued(db) == []
