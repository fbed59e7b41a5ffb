"""The outbox over the API: the state of each message, and sending a message again."""

import re
import time
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import pytest

import reservation
from reservation.domain.messages.delivery import Delivery
from reservation.domain.messages.messages import Templates
from reservation.domain.outbox import outbox
from reservation.lib.smtp import Relay
from reservation.storage.models import EventEmail, Tentative
from tests import teams
from tests.calendars import calendar_of
from tests.conftest import ROSE
from tests.domain.relays import Handler, started
from tests.outboxes import SECRET, without_tokens
from tests.resources.test_listing import walk

FIELDS = [
    "id", "reservationId", "entrepriseId", "genre", "destinataire", "statut", "sujet", "corps",
    "adresseRenvoi", "essais", "prochainEssai", "derniereErreur", "envoyeLe", "creeLe",
]
BOOKED = ["nouvelle", "rappel", "confirmee"]  # latest first
PUBLIC = "https://agenda.example"


class Echo(Handler):
    """Rejects each message, and quotes the message's link in the rejection."""

    async def handle_DATA(self, server, session, envelope):
        await super().handle_DATA(server, session, envelope)
        text = self.received[-1].mail.get_body(["plain"]).get_content()
        return f"550 blocked address: {re.search(r'https://agenda[^ ]+', text)[0].strip()}"


@pytest.fixture
def handler():
    return Handler()


@pytest.fixture
def deliver(db):
    """Delivers the due messages to a local SMTP server that uses the given handler."""
    running = []

    def run(handler):
        running.append(started(handler))
        mailer = Relay(f"smtp://127.0.0.1:{running[-1].port}")
        return Delivery(db, mailer, Templates(), "robot@agenda.example", PUBLIC, SECRET).deliver()

    yield run
    for relay in running:
        relay.stop()


@pytest.fixture
def emails(client, salon, alice):
    """Returns the messages of the salon as its owner sees them: emails(statut="attente")."""

    def look(expect=200, **query):
        parameters = "&".join(f"{name}={value}" for name, value in query.items())
        path = f"/api/entreprises/{salon.id}/emails?{parameters}"
        return client.get(path, expect, token=alice.token).json

    return look


def again(client, by, number, expect=202):
    return client.post(f"/api/emails/{number}/renvoi", expect=expect, token=by.token).json


def test_the_owner_sees_every_message_of_the_business_the_latest_first(
    salon, make_salon, alice, bob, chloe, client, emails, tuesday
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    for other in (make_salon(alice), make_salon(bob)):
        other.book(chloe, other.at(tuesday, "11:00"), prestationId=other.coupe)
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    found = emails()
    assert [one["genre"] for one in found] == BOOKED
    assert [one["id"] for one in found] == sorted((one["id"] for one in found), reverse=True)
    for one in found:
        assert list(one) == FIELDS
        assert (one["reservationId"], one["entrepriseId"]) == (booked["id"], salon.id)
        assert (one["statut"], one["essais"]) == ("attente", 0)
        assert one["sujet"] == one["corps"] == ""
        assert one["derniereErreur"] is one["envoyeLe"] is None
        recipient = alice.email if one["genre"] == "nouvelle" else chloe.email
        assert one["destinataire"] == recipient


def test_the_times_are_those_of_the_business(make_salon, alice, chloe, client, tuesday):
    salon = make_salon(alice, fuseau="Asia/Kolkata")
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    path = f"/api/entreprises/{salon.id}/emails"
    _, reminder, _ = client.get(path, token=alice.token).json
    due, start = (
        datetime.fromisoformat(text) for text in (reminder["prochainEssai"], booked["debut"])
    )
    assert (start - due).total_seconds() == 24 * 3600
    assert {reminder[name][-6:] for name in ("creeLe", "prochainEssai")} == {"+05:30"}


def test_the_messages_of_one_state_are_found(
    salon, chloe, emails, deliver, handler, tuesday, db
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver(handler)
    EventEmail.update(statut="abandonne").where(EventEmail.genre == "nouvelle").execute(db)
    for statut, wanted in {
        "attente": ["rappel"], "envoi": [], "envoye": ["confirmee"], "abandonne": ["nouvelle"],
    }.items():
        assert [one["genre"] for one in emails(statut=statut)] == wanted
    assert set(emails(400, statut="perdu", limite=0)["champs"]) == {"statut", "limite"}


def test_the_messages_about_the_visits_of_one_person_are_found(
    salon, lea, ines, make_salon, bob, chloe, client, alice, emails, tuesday, db
):
    room = teams.add(db, salon.id, "Cabine 1", "lieu")
    with_lea, with_ines = (
        salon.book(chloe, salon.at(tuesday, wall), ressourceId=person)["id"]
        for wall, person in (("10:00", lea), ("11:00", ines))
    )
    other = make_salon(bob)
    other.book(chloe, other.at(tuesday, "15:00"), prestationId=other.coupe)
    theirs = client.get(f"/api/entreprises/{other.id}/emails", token=bob.token).json
    assert len(theirs) == len(emails(ressource=ines)) == 3
    assert {one["reservationId"] for one in emails(ressource=ines)} == {with_ines}
    assert [one["genre"] for one in emails(ressource=lea, statut="attente")] == BOOKED
    assert emails(ressource=room) == emails(ressource=calendar_of(db, other.id)) == []
    # What was queued about a visit stays with the person who was to perform it.
    client.put(
        f"/api/reservations/{with_lea}", {"ressourceId": ines, "version": 1}, token=alice.token
    )
    assert [one["genre"] for one in emails(ressource=lea)] == ["nouvelle", "confirmee"]
    assert [one["genre"] for one in emails(ressource=ines)][:2] == ["rappel", "deplacee"]
    assert set(emails(400, ressource="x")["champs"]) == {"ressource"}


def test_the_messages_to_a_customer_are_found_by_name_or_address(
    salon, make_salon, bob, person, chloe, client, alice, emails, tuesday, db
):
    luc = person("Luc", "student")
    called = {"nom": "Le Goff", "telephone": "06 11 22 33 44"}
    salon.book(chloe, salon.at(tuesday, "10:00"))
    salon.book(luc, salon.at(tuesday, "11:00"))
    salon.book(alice, salon.at(tuesday, "14:00"), client=called)
    other = make_salon(bob)
    other.book(chloe, other.at(tuesday, "15:00"), prestationId=other.coupe)
    for q in ("chloe@example.fr", "CHLOE@example", "chloé", "martin chlo", "chlooe"):
        found = emails(q=quote(q))
        assert [one["genre"] for one in found] == ["rappel", "confirmee"], q
        assert {one["destinataire"] for one in found} == {chloe.email}
        assert {one["entrepriseId"] for one in found} == {salon.id}
    assert len(emails(q="chloe", statut="attente")) == 2
    assert emails(q="chloe", statut="envoye") == emails(q="zoe") == emails(q="goff") == []
    assert [one["genre"] for one in emails(q=alice.email)] == ["nouvelle", "nouvelle"]
    assert [one["genre"] for one in emails(q="example", limite=3)] == [
        "rappel", "confirmee", "rappel",
    ]
    assert emails(q="chloe", ressource=teams.add(db, salon.id, "Inès")) == []
    path = f"/api/entreprises/{salon.id}/emails"
    whole, _ = walk(client, path, alice.token, q="example")
    assert len(whole) == 4
    assert walk(client, path, alice.token, q="example", limite=1) == (whole, [1, 1, 1, 1])


def test_only_the_business_sees_whom_to_call_about_a_message_without_an_address(
    salon, alice, chloe, dora, client, emails, tuesday
):
    rose = {"nom": "Petit", "prenom": "Rose", "telephone": "06 11 22 33 44"}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=rose)
    salon.book(chloe, salon.at(tuesday, "11:00"))
    *told, untold = emails()
    assert untold["client"] == booked["client"]
    assert rose.items() <= untold["client"].items()
    assert [list(one) for one in told] == [FIELDS] * 3
    everything = client.get("/api/emails", token=dora.token).json
    assert [list(one) for one in everything] == [FIELDS] * 4
    cancelled = {"statut": "annulee", "version": 1}
    client.put(f"/api/reservations/{booked['id']}", cancelled, token=alice.token)
    client.delete(f"/api/clients/{booked['client']['id']}", token=alice.token)
    assert "client" not in str(emails())


@pytest.mark.parametrize("limit", [1, 2, 4, 200])
def test_every_message_stands_on_one_page(
    salon, alice, chloe, dora, client, tuesday, limit
):
    for wall in ("09:00", "10:00"):
        salon.book(chloe, salon.at(tuesday, wall))
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    pages = -(-6 // limit)
    path = f"/api/entreprises/{salon.id}/emails"
    ids, sizes = walk(client, path, alice.token, limite=limit, statut="attente")
    assert ids == sorted(set(ids), reverse=True) and len(ids) == 6 and len(sizes) == pages
    ids, sizes = walk(client, "/api/emails", dora.token, limite=limit)
    assert ids == sorted(set(ids), reverse=True) and len(ids) == 7


def test_an_admin_sees_the_messages_of_all_and_of_one(
    salon, make_salon, bob, chloe, dora, client, emails, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    other = make_salon(bob)
    other.book(chloe, other.at(tuesday, "11:00"), prestationId=other.coupe)
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    everything = client.get("/api/emails", token=dora.token).json
    assert [one["genre"] for one in everything] == ["mot_de_passe", *BOOKED, *BOOKED]
    assert [one["entrepriseId"] for one in everything] == [None, *[other.id] * 3, *[salon.id] * 3]
    path = f"/api/entreprises/{salon.id}/emails"
    assert client.get(path, token=dora.token).json == emails() == everything[4:]


def test_strangers_see_nothing(salon, chloe, bob, client, emails, tuesday):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    for who in (bob, chloe):
        client.get(f"/api/entreprises/{salon.id}/emails", 403, token=who.token)
        client.get("/api/emails", 403, token=who.token)
    client.get("/api/entreprises/999/emails", 404, token=bob.token)
    client.get(f"/api/entreprises/{salon.id}/emails", 401)


def test_a_message_that_was_sent_shows_its_words(
    salon, chloe, emails, deliver, handler, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver(handler)
    news, reminder, confirmation = emails()
    assert (reminder["statut"], reminder["sujet"]) == ("attente", "")
    for one, received in zip((confirmation, news), handler.received, strict=True):
        assert (one["statut"], one["essais"], one["prochainEssai"]) == ("envoye", 1, None)
        assert one["sujet"] == received.mail["Subject"]
        text = received.mail.get_body(["plain"]).get_content()
        assert one["corps"] == without_tokens(text)
        assert one["envoyeLe"] >= one["creeLe"]


def test_a_message_that_failed_shows_its_attempts_and_the_last_reason(
    salon, chloe, emails, deliver, handler, tuesday, db
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    for attempt, reason in enumerate(("450 later", "550 unknown"), start=1):
        handler.replies["RCPT"] = reason
        EventEmail.update(prochain_essai=0).where(EventEmail.genre == "confirmee").execute(db)
        deliver(handler)
        confirmation = emails()[-1]
        assert (confirmation["statut"], confirmation["essais"]) == ("attente", attempt)
        assert reason.split()[0] in confirmation["derniereErreur"]
        assert reason.split()[1] in confirmation["derniereErreur"]
        wait = datetime.fromisoformat(confirmation["prochainEssai"]).timestamp() - time.time()
        assert 0 < wait <= 60 * attempt
    assert confirmation["sujet"] == "" and confirmation["envoyeLe"] is None


@pytest.mark.parametrize("statut", ["attente", "envoye", "abandonne", "retenu"])
def test_a_message_that_is_sent_again_is_due_at_once_with_no_attempts(
    salon, alice, dora, chloe, client, emails, db, deliver, handler, tuesday, statut
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver(handler)
    mine = EventEmail.genre == "confirmee"
    later = {"prochain_essai": 2**31, "essais": 7, "derniere_erreur": "550 unknown"}
    EventEmail.update(statut=statut, **later).where(mine).execute(db)
    number = emails()[-1]["id"]
    for by in (alice, dora, alice):  # a repeated request changes nothing
        answer = again(client, by, number)
        assert list(answer) == FIELDS
        assert (answer["id"], answer["statut"], answer["essais"]) == (number, "attente", 0)
        assert answer["derniereErreur"] is None
        due = datetime.fromisoformat(answer["prochainEssai"]).timestamp()
        assert abs(due - time.time()) < 5
    handler.received.clear()
    assert deliver(handler) == 1
    assert [one.recipients for one in handler.received] == [[chloe.email]]
    sent = emails()[-1]
    assert (sent["statut"], sent["essais"], sent["derniereErreur"]) == ("envoye", 1, None)


def test_a_message_that_is_being_sent_is_not_sent_again(
    salon, alice, chloe, client, emails, db, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    EventEmail.update(statut="envoi", essais=1, prochain_essai=2**31).execute(db)
    before = emails()
    answer = again(client, alice, before[0]["id"], 409)
    assert answer == {
        "error": "A message that is being sent cannot be sent again", "code": "message_being_sent"
    }
    assert emails() == before


@pytest.mark.parametrize("statut", ["envoye", "abandonne"])
def test_a_message_is_sent_again_to_the_corrected_address_of_the_customer(
    client, salon, alice, called, emails, db, deliver, handler, statut
):
    deliver(handler)
    EventEmail.update(statut=statut).where(EventEmail.genre == "confirmee").execute(db)
    path = f"/api/clients/{called['client']['id']}"
    client.put(path, {**ROSE, "email": "rose@exact.fr", "version": 1}, token=alice.token)
    before = emails()[-1]
    assert (before["destinataire"], before["adresseRenvoi"]) == (ROSE["email"], "rose@exact.fr")
    assert again(client, alice, before["id"])["destinataire"] == "rose@exact.fr"
    handler.received.clear()
    deliver(handler)
    assert [one.recipients for one in handler.received] == [["rose@exact.fr"]]


def test_a_message_to_a_customer_who_has_no_address_any_more_keeps_its_address(
    client, alice, called, emails, deliver, handler
):
    deliver(handler)
    path = f"/api/clients/{called['client']['id']}"
    client.put(path, {**ROSE, "email": "", "telephone": "06", "version": 1}, token=alice.token)
    before = emails()[-1]
    assert before["destinataire"] == before["adresseRenvoi"] == ROSE["email"]
    assert again(client, alice, before["id"])["destinataire"] == ROSE["email"]


@pytest.mark.parametrize("email", ["salon@exact.fr", ""])
def test_a_message_is_sent_again_to_the_present_address_of_the_business(
    make_salon, alice, chloe, client, db, deliver, handler, tuesday, email
):
    salon = make_salon(alice, email="salon@exmaple.fr")
    salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver(handler)
    db.write("UPDATE entreprise SET email = ?", email)
    path, wanted = f"/api/entreprises/{salon.id}/emails", email or alice.email
    (notice, *_) = client.get(path, token=alice.token).json
    assert (notice["destinataire"], notice["adresseRenvoi"]) == ("salon@exmaple.fr", wanted)
    again(client, alice, notice["id"])
    handler.received.clear()
    deliver(handler)
    assert [one.recipients for one in handler.received] == [[wanted]]


def test_a_message_that_is_unknown_or_of_others_is_not_sent_again(
    salon, alice, bob, chloe, dora, client, emails, deliver, handler, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    deliver(handler)
    before = emails()
    for who in (bob, chloe):
        again(client, who, before[-1]["id"], 403)
    (reset, *_) = client.get("/api/emails", token=dora.token).json
    for number in (reset["id"], 999):
        again(client, alice, number, 404)  # a 404 hides whether the message exists
    again(client, dora, 999, 404)
    client.post(f"/api/emails/{before[0]['id']}/renvoi", expect=401)
    assert emails() == before
    again(client, dora, reset["id"])


def test_the_link_to_a_new_password_is_shown_to_nobody(
    client, chloe, dora, deliver, handler, db, caplog
):
    """Checks after a successful delivery, and after a rejection that quotes the link."""
    for server in (handler, Echo()):
        Tentative.delete().execute(db)  # lifts the limit on requests for a link
        client.post("/auth/password/forgot", {"email": chloe.email}, 202)
        assert deliver(server) == 1
        text = server.received[-1].mail.get_body(["plain"]).get_content()
        token = re.search(r"mot-de-passe#(\S+)", text)[1]
        answer = client.get("/api/emails", token=dora.token)
        assert token not in answer.text + caplog.text
        assert answer.json[0]["corps"] == ""
    assert "550" in answer.json[0]["derniereErreur"]
    assert f"{PUBLIC}/mot-de-passe#" in answer.json[0]["derniereErreur"]
    assert [one["statut"] for one in answer.json] == ["attente", "envoye"]


def test_each_state_has_its_words_on_the_site():
    site = Path(reservation.__file__).parent / "site"
    words = (site / "texts" / "messages.js").read_text()
    badges = (site / "gestion" / "messages.js").read_text()
    for statut in outbox.STATES:
        assert f"  mail_{statut}: [" in words and f" {statut}: '" in badges
