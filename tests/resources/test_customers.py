"""A business's records of its customers, and the accounts that they belong to."""

import pytest

from reservation.domain.people import resetting
from tests.clock import now
from tests.conftest import ROSE, prove
from tests.outboxes import delivery, empty

LIST = "/api/reservations"


@pytest.fixture
def register(client, db):
    """Registers an account with the name Vautour, and returns its token: register(email)."""

    def register(email, proven=False):
        who = {"email": email, "password": "un bon mot de passe", "role": "student",
               "first_name": "Victor", "last_name": "Vautour", "phone": "06 66"}
        number = client.post("/auth/register", who, 201).json["user_id"]
        if proven:
            prove(db, number)
        return client.post("/auth/login", who).json["token"]

    return register


@pytest.fixture
def call(client, salon, alice, tuesday):
    """Books for a caller, as the owner: call("10:00", nom="Petit", …)."""

    def call(time, expect=201, **about):
        return salon.book(alice, salon.at(tuesday, time), expect, client=about)

    return call


def test_a_stranger_with_a_customers_address_sees_nothing_and_changes_nothing(
    client, alice, call, register
):
    stranger = register(ROSE["email"])
    booked = call("10:00", **ROSE)
    path = f"{LIST}/{booked['id']}"
    assert client.get(LIST, token=stranger).json == []
    client.get(path, 404, token=stranger)
    client.delete(path, 404, token=stranger)
    assert client.get(path, token=alice.token).json["client"] == {
        "id": booked["client"]["id"], **ROSE
    }


def test_a_booking_for_an_address_shows_nothing_of_its_account(call, register):
    register("victor@example.fr", proven=True)
    booked = call("10:00", nom="X", email="victor@example.fr")
    assert booked["utilisateurId"] is not None
    about = {name: booked["client"][name] for name in ROSE}
    assert about == {"nom": "X", "prenom": "", "email": "victor@example.fr", "telephone": ""}


def test_a_proof_gives_the_account_its_bookings_and_keeps_the_owners_words(
    client, db, alice, call, register
):
    booked = call("10:00", **ROSE)
    holder = register(ROSE["email"], proven=True)
    (mine,) = client.get(LIST, token=holder).json
    assert mine["id"] == booked["id"]
    shown = client.get(f"{LIST}/{booked['id']}", token=alice.token).json["client"]
    assert shown == booked["client"]
    (row,) = db.rows("SELECT utilisateur_id FROM client WHERE id = ?", shown["id"])
    assert row == (mine["utilisateurId"],)


def test_a_proof_merges_two_records_of_one_business(
    client, db, salon, call, register, tuesday
):
    called = call("10:00", **ROSE)
    holder = register(ROSE["email"])
    body = {"creneauId": salon.at(tuesday, "11:00"), "prestationId": salon.coupe}
    own = client.post(LIST, body, 201, token=holder).json
    numbers = {row["id"] for row in client.get(LIST, token=holder).json}
    assert numbers == {own["id"]}
    prove(db, own["utilisateurId"])
    numbers = {row["id"] for row in client.get(LIST, token=holder).json}
    assert numbers == {own["id"], called["id"]}
    rows = db.rows("SELECT id, nom, telephone FROM client")
    assert rows == [(called["client"]["id"], "Petit", "06 11")]


def test_a_merged_record_with_a_text_as_its_telephone_has_no_key_of_the_other(
    client, db, salon, call, register, tuesday
):
    call("10:00", **{**ROSE, "telephone": "demander"})
    holder = register(ROSE["email"])
    body = {"creneauId": salon.at(tuesday, "11:00"), "prestationId": salon.coupe}
    own = client.post(LIST, body, 201, token=holder).json
    db.write("UPDATE client SET telephone = '06', telephone_cle = '6' WHERE utilisateur_id > 0")
    prove(db, own["utilisateurId"])
    assert db.rows("SELECT telephone, telephone_cle FROM client") == [("demander", "")]


def test_a_reset_password_is_a_proof(client, db, call):
    booked = call("10:00", **ROSE)
    who = {"email": ROSE["email"], "password": "un bon mot de passe", "role": "student",
           "first_name": "R", "last_name": "P"}
    client.post("/auth/register", who, 201)
    token = resetting.issue(db, ROSE["email"], now())
    changed = {"token": token, "password": "un autre mot de passe"}
    client.post("/auth/password/reset", changed)
    session = client.post("/auth/login", {**who, **changed}).json["token"]
    assert [row["id"] for row in client.get(LIST, token=session).json] == [booked["id"]]


@pytest.mark.parametrize("telephone", ["0611223344", "+33 6 11 22 33 44", "0033 (0)611223344"])
def test_a_caller_without_an_address_is_known_by_telephone_and_name(call, telephone):
    about = {"nom": "Petit", "prenom": "Rose", "telephone": "06 11 22 33 44"}
    first, again = call("10:00", **about), call("10:30", **{**about, "telephone": telephone})
    mother = call("11:00", **{**about, "prenom": "Anne"})
    assert first["client"]["email"] == ""
    assert first["client"]["id"] == again["client"]["id"] != mother["client"]["id"]


def test_a_caller_who_gives_a_first_address_keeps_the_record(client, db, salon, alice, call):
    about = {"nom": "Petit", "prenom": "Rose", "telephone": "06 11 22 33 44"}
    booked = call("10:00", **about)
    mother = call("10:30", **{**about, "prenom": "Anne"})
    known = {**about, "telephone": "0611223344", "email": ROSE["email"]}
    path = f"/api/entreprises/{salon.id}/clients"
    assert client.post(path, known, 409, token=alice.token).json["code"] == "customer_known"
    again = call("11:00", **known)
    assert again["client"] == {"id": booked["client"]["id"], **known}
    reminded = "SELECT reservation_id FROM eventemail WHERE genre = 'rappel' ORDER BY 1"
    assert db.rows(reminded) == [(booked["id"],), (again["id"],)]
    assert call("11:30", **{**known, "email": "rose@example.net"})["client"]["id"] not in (
        booked["client"]["id"], mother["client"]["id"]
    )


def test_a_first_address_gives_the_bookings_to_the_account_that_has_proven_it(
    client, call, register
):
    holder = register(ROSE["email"], proven=True)
    called = call("10:00", **{**ROSE, "email": ""})
    again = call("11:00", **ROSE)
    assert again["utilisateurId"] is not None
    mine = {row["id"] for row in client.get(LIST, token=holder).json}
    assert mine == {called["id"], again["id"]}


def test_a_caller_without_an_address_is_the_only_customer_with_telephone_and_name(call):
    known = call("10:00", **ROSE)["client"]
    about = {**ROSE, "email": ""}
    assert call("10:30", **about)["client"] == known
    assert call("11:00", **{**about, "prenom": "Anne"})["client"]["id"] != known["id"]
    assert call("11:30", **{**about, "telephone": "07"})["client"]["id"] != known["id"]
    call("14:00", **{**ROSE, "email": "rose@example.net"})
    assert call("14:30", **about)["client"]["email"] == ""


@pytest.mark.parametrize("proven", [False, True])
@pytest.mark.parametrize("cleared", [False, True])
def test_a_stranger_with_the_name_and_telephone_of_a_caller_gets_no_booking(
    client, db, salon, tuesday, call, register, proven, cleared
):
    """Anybody may register any name and telephone."""
    stranger = register("victor@example.fr", proven)
    body = {"creneauId": salon.at(tuesday, "10:00"), "prestationId": salon.coupe}
    own = client.post(LIST, body, 201, token=stranger).json["id"]
    about = {"nom": "Vautour", "prenom": "Victor", "telephone": "06 66"}
    if cleared:  # by the owner
        db.write("UPDATE client SET email = '', suit_compte = 0")
        call("11:00", **about, email="vautour@example.fr")
    else:
        call("11:00", **about)
    assert [row["id"] for row in client.get(LIST, token=stranger).json] == [own]


def test_customers_without_a_telephone_are_not_known_by_the_name_alone(call):
    rose = call("10:00", **{**ROSE, "telephone": ""})["client"]
    nobody = {"nom": "Petit", "prenom": "Rose"}
    assert call("10:30", **nobody, telephone="demander")["client"]["id"] != rose["id"]
    assert call("11:00", **nobody, email="rose@example.net")["client"]["telephone"] == ""


def test_a_caller_is_known_by_the_full_name_in_either_order(call):
    about = {"nom": "Petit", "prenom": "Rose", "telephone": "06 11 22 33 44"}
    known = call("10:00", **about)["client"]
    for time, nom in (("10:30", "Rose Petit"), ("11:00", "petit rose")):
        assert call(time, nom=nom, telephone=about["telephone"])["client"] == known
    assert call("11:30", nom="Petite Rose", telephone="06 11 22 33 44")["client"] != known


def test_a_caller_needs_a_telephone_or_an_address(call):
    refused = call("10:00", expect=400, nom="Petit")
    assert refused["champs"]["client"]["code"] == "unreachable"


def test_a_message_without_an_address_is_shown_as_given_up(client, db, salon, alice, call):
    call("10:00", nom="Petit", telephone="06 11 22 33 44")
    path = f"/api/entreprises/{salon.id}/emails"
    (message,) = client.get(path, token=alice.token).json
    assert (message["statut"], message["destinataire"]) == ("abandonne", "")
    assert message["derniereErreur"] == "no_address"


def test_a_message_without_an_address_is_sent_again_to_the_present_address(
    client, db, salon, alice, call, post
):
    call("10:00", nom="Petit", telephone="06 11 22 33 44")
    path = f"/api/entreprises/{salon.id}/emails"
    (before,) = client.get(path, token=alice.token).json
    again = f"/api/emails/{before['id']}/renvoi"
    assert client.post(again, None, 409, token=alice.token).json["code"] == "no_address"
    assert client.get(path, token=alice.token).json == [before]
    assert before["adresseRenvoi"] == ""
    db.write("UPDATE client SET email = 'rose@example.fr' WHERE email = ''")
    (present,) = client.get(path, token=alice.token).json
    assert (present["destinataire"], present["adresseRenvoi"]) == ("", "rose@example.fr")
    queued = client.post(again, None, 202, token=alice.token).json
    assert (queued["destinataire"], queued["derniereErreur"]) == ("rose@example.fr", None)
    assert delivery(db, post.port).deliver() == 1
    assert post.told == ["rose@example.fr"]


def test_the_owner_corrects_the_words_of_a_record_and_the_account_does_not(
    client, alice, call, register
):
    call("10:00", **ROSE)
    corrected = call("10:30", **{**ROSE, "nom": "Petit-Roux", "telephone": ""})["client"]
    assert (corrected["nom"], corrected["telephone"]) == ("Petit-Roux", "06 11")
    holder = register(ROSE["email"], proven=True)
    client.put("/api/compte", {"nom": "Autre", "telephone": "0"}, token=holder)
    (one, _) = client.get(LIST, token=alice.token).json
    assert one["client"] == corrected


def test_a_customer_books_at_most_as_often_as_the_business_allows(
    client, db, salon, alice, chloe, bob, tuesday
):
    about = client.get(f"/api/entreprises/{salon.id}").json
    rules = {name: value for name, value in about.items() if name not in ("id", "proprietaireId")}
    client.put(f"/api/entreprises/{salon.id}", {**rules, "maxAVenir": 2}, token=alice.token)
    first, _ = (salon.book(chloe, salon.at(tuesday, time)) for time in ("09:00", "09:30"))
    refused = salon.book(chloe, salon.at(tuesday, "10:00"), expect=409)
    assert (refused["code"], refused["max"]) == ("too_many_upcoming", 2)
    salon.book(bob, salon.at(tuesday, "10:00"))
    client.delete(f"{LIST}/{first['id']}", token=chloe.token)
    salon.book(chloe, salon.at(tuesday, "09:00"))


def test_a_blocked_customer_is_told_to_call_and_the_owner_still_books(
    db, salon, alice, chloe, visit, tuesday
):
    empty(db)
    db.write("UPDATE client SET bloque = 1")
    refused = salon.book(chloe, salon.at(tuesday, "11:00"), expect=403)
    assert refused["code"] == "customer_blocked"
    about = {"nom": "Martin", "email": chloe.email}
    prove(db, chloe.id)
    booked = salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    assert booked["utilisateurId"] == chloe.id
