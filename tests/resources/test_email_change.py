"""The address of an account: proving the address and changing it. And becoming a company."""

import pytest

from reservation.domain.people import accounts, credentials, proving, resetting
from reservation.errors import TokenInvalid
from reservation.storage.database import transaction
from reservation.storage.models import Client, EventEmail, Utilisateur
from tests import outboxes
from tests.clock import now
from tests.codes import issued, other_than
from tests.conftest import PASSWORD
from tests.specification.bodies import PROTECTED
from tests.specification.handmade import claims_of

PATH, COMPTE = "/api/compte/email", "/api/compte"
NEW = "chloe@ailleurs.example"


def change(client, db, person, email=NEW, expect=200):
    body = {"email": email, "code": issued(db, email), "password": PASSWORD}
    return client.put(PATH, body, expect, token=person.token)


def queued(db):
    rows = EventEmail.select(EventEmail.genre, EventEmail.destinataire).order_by(EventEmail.id)
    return list(rows.tuples().execute(db))


def test_a_code_for_ones_own_address_proves_it_and_keeps_password_and_tokens(client, db, chloe):
    answer = change(client, db, chloe, chloe.email.upper())
    assert answer.headers["Cache-Control"] == "no-store"
    for token in (chloe.token, answer.json["token"]):
        assert client.get(COMPTE, token=token).json["emailProuve"] is True
    client.post("/auth/login", {"email": chloe.email, "password": PASSWORD})
    assert queued(db) == []


def test_a_code_for_another_address_changes_the_address_and_proves_it(client, db, chloe):
    token = change(client, db, chloe).json["token"]
    shown = client.get(COMPTE, token=token).json
    assert (shown["email"], shown["emailProuve"]) == (NEW, True)
    assert claims_of(token)["email"] == NEW
    client.post("/auth/login", {"email": NEW, "password": PASSWORD})
    client.post("/auth/login", {"email": chloe.email, "password": PASSWORD}, expect=401)


def test_a_change_ends_the_older_tokens_and_gives_a_new_one(client, db, chloe):
    body = {"email": chloe.email, "password": PASSWORD, "remember": True}
    chloe.token = client.post("/auth/login", body).json["token"]
    token = change(client, db, chloe).json["token"]
    client.get(PROTECTED, 401, token=chloe.token)
    client.get(PROTECTED, token=token)
    # The older token stays revoked even if the account gets its former address back.
    db.write("UPDATE utilisateur SET email = ? WHERE id = ?", chloe.email, chloe.id)
    client.get(PROTECTED, 401, token=chloe.token)
    claims = claims_of(token)
    assert claims["exp"] - claims["iat"] == 30 * 86400


def test_a_change_ends_a_link_to_reset_the_password(client, db, chloe):
    link = resetting.issue(db, chloe.email, now())
    change(client, db, chloe)
    client.post("/auth/password/reset", {"token": link, "password": PASSWORD}, expect=400)


def test_a_wrong_code_changes_nothing(client, db, chloe):
    code = issued(db, NEW)
    for email, given in ((NEW, other_than(code)), (chloe.email, code)):
        body = {"email": email, "code": given, "password": PASSWORD}
        answer = client.put(PATH, body, 401, token=chloe.token)
        assert answer.json["code"] == "code_invalid"
    shown = client.get(COMPTE, token=chloe.token).json
    assert (shown["email"], shown["emailProuve"]) == (chloe.email, False)


def test_five_wrong_codes_end_the_code_of_a_change_too(client, db, chloe):
    code = issued(db, NEW)
    for number in range(5):
        body = {"email": NEW, "code": other_than(code, number + 1), "password": PASSWORD}
        assert client.put(PATH, body, 401, token=chloe.token).json["code"] == "code_invalid"
    body["code"] = code
    assert client.put(PATH, body, 401, token=chloe.token).json["code"] == "code_invalid"


@pytest.mark.parametrize("given", [{}, {"password": "faux"}, {"password": ""}])
def test_who_does_not_know_the_password_cannot_change_the_address(client, db, chloe, given):
    body = {"email": NEW, "code": issued(db, NEW), **given}
    answer = client.put(PATH, body, 401, token=chloe.token)
    assert answer.headers["X-Error-Code"] == "invalid_credentials"
    assert client.get(COMPTE, token=chloe.token).json["email"] == chloe.email
    client.put(PATH, body | {"password": PASSWORD}, token=chloe.token)  # the code stays valid


def test_an_account_without_a_password_changes_its_address_by_the_code_alone(client, db):
    body = {"email": "zoe@example.fr", "code": issued(db, "zoe@example.fr"), "last_name": "Blanc"}
    token = client.post("/auth/code/login", body).json["token"]
    client.put(PATH, {"email": NEW, "code": issued(db, NEW)}, token=token)


def test_of_two_changes_at_once_the_second_is_refused(client, db, chloe, monkeypatch):
    check, own = credentials.check_own, "zoe@example.fr"

    def check_after_another_change(*args):
        monkeypatch.setattr(credentials, "check_own", check)
        change(client, db, chloe, own)
        check(*args)

    monkeypatch.setattr(credentials, "check_own", check_after_another_change)
    answer = change(client, db, chloe, expect=401)
    assert answer.headers["X-Error-Code"] == "token_invalid"
    assert queued(db) == [("adresse_changee", chloe.email)]


def test_the_address_of_another_account_is_taken(client, db, chloe, alice):
    answer = change(client, db, chloe, alice.email, expect=400)
    assert answer.json == {"error": "Email already exists"}
    assert client.get(COMPTE, token=chloe.token).json["email"] == chloe.email
    assert queued(db) == []


@pytest.mark.parametrize(
    "body, wrong",
    [({}, {"email", "code"}), ({"email": "x", "code": " "}, {"email", "code"}),
     ({"email": NEW, "code": 271828}, {"code"}),
     ({"email": NEW, "code": "1", "nom": "x"}, {"nom"})],
)
def test_every_wrong_field_is_named(client, chloe, body, wrong):
    assert set(client.put(PATH, body, 400, token=chloe.token).json["champs"]) == wrong


def test_the_old_address_is_notified_and_not_told_the_new_one(client, db, chloe, post):
    english = {"nom": "Martin", "prenom": "Chloé", "langue": "en"}
    client.put(COMPTE, english, token=chloe.token)
    change(client, db, chloe)
    assert queued(db) == [("adresse_changee", chloe.email)]
    outboxes.delivery(db, post.port).deliver()
    (received,) = post.received
    text = received.mail.get_body("plain").get_content()
    assert received.mail["Subject"] == (
        "Your reservation.example account has a new e-mail address"
    )
    assert f"{outboxes.PUBLIC}/nous-ecrire" in text and NEW not in text


def test_the_records_that_follow_the_account_have_the_new_address(
    client, db, salon, alice, chloe, visit, tuesday
):
    about = {"nom": "B", "email": "b@example.fr"}
    other = salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    change(client, db, chloe)
    shown = {
        row["id"]: row["client"]["email"] for row in client.get(PROTECTED, token=alice.token).json
    }
    assert shown == {visit: NEW, other["id"]: "b@example.fr"}


@pytest.mark.parametrize("books_too", [False, True])
def test_an_address_that_an_owner_wrote_is_left_and_only_told_where_the_person_books(
    client, db, salon, alice, chloe, tuesday, books_too
):
    change(client, db, chloe, chloe.email)
    about = {"nom": "Mme Martin", "email": chloe.email}
    called = salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    if books_too:
        salon.book(chloe, salon.at(tuesday, "10:00"))
    change(client, db, chloe)
    shown = client.get(f"{PROTECTED}/{called['id']}", token=alice.token).json["client"]
    assert (shown["nom"], shown["email"]) == ("Mme Martin", NEW if books_too else "")
    messages = EventEmail.select().where(EventEmail.reservation == called["id"])
    told = {row.destinataire for row in messages.execute(db)}
    assert told == {NEW if books_too else chloe.email}


def test_the_account_is_linked_to_what_was_booked_for_the_new_address(
    client, db, salon, alice, chloe, visit, tuesday
):
    called = salon.book(alice, salon.at(tuesday, "11:00"), client={"nom": "Petit", "email": NEW})
    token = change(client, db, chloe).json["token"]
    assert {row["id"] for row in client.get(PROTECTED, token=token).json} == {visit, called["id"]}
    assert Client.select().count(db) == 1


def test_queued_messages_of_a_merged_record_go_to_the_new_address(
    client, db, salon, alice, chloe, tuesday
):
    change(client, db, chloe, chloe.email)
    for time, email in (("10:00", chloe.email), ("11:00", NEW)):
        salon.book(alice, salon.at(tuesday, time), client={"nom": "Martin", "email": email})
    change(client, db, chloe)
    told = EventEmail.select(EventEmail.destinataire).where(EventEmail.genre == "rappel")
    assert [row.destinataire for row in told.execute(db)] == [NEW, NEW]


def test_queued_reminders_go_to_the_new_address(client, db, salon, alice, chloe, tuesday):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    about = {"nom": "B", "email": "b@example.fr"}
    salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    EventEmail.update(statut="envoye").where(EventEmail.genre == "confirmee").execute(db)
    before = queued(db)
    change(client, db, chloe)
    waiting = ("rappel", chloe.email)
    assert waiting in before and ("confirmee", chloe.email) in before
    moved = [("rappel", NEW) if row == waiting else row for row in before]
    assert queued(db) == [*moved, ("adresse_changee", chloe.email)]


@pytest.mark.parametrize("statut, left", [("abandonne", 0), ("attente", 1)])
def test_an_abandoned_message_to_the_old_address_is_deleted(client, db, chloe, statut, left):
    about = {"genre": "adresse_changee", "destinataire": chloe.email, "statut": statut}
    EventEmail.insert(**about, message="fr", prochain_essai=now(), cree_le=now()).execute(db)
    change(client, db, chloe)
    assert queued(db) == [("adresse_changee", chloe.email)] * (left + 1)


def test_an_account_that_was_erased_meanwhile_is_not_proven(db, chloe):
    Utilisateur.delete().where(Utilisateur.id == chloe.id).execute(db)
    with pytest.raises(TokenInvalid):
        transaction(db, lambda: proving.prove(db, chloe.id, now()))


def test_a_customer_becomes_a_company_and_opens_a_business(client, chloe):
    client.post("/api/entreprises", {"nom": "Salon", "ville": "Lyon"}, 403, token=chloe.token)
    token = client.post("/api/compte/entreprise", token=chloe.token).json["token"]
    client.get(PROTECTED, 401, token=chloe.token)
    assert client.get(COMPTE, token=token).json["role"] == "company"
    client.post("/api/entreprises", {"nom": "Salon", "ville": "Lyon"}, 201, token=token)
    client.post("/api/compte/entreprise", expect=403, token=token)


def test_a_role_that_changed_meanwhile_stays(db, alice, dora):
    for person in (alice, dora):
        with pytest.raises(accounts.NotPermitted):
            accounts.become_company(db, person.id, now())
    assert accounts.get(db, dora.id).type_id == 3
