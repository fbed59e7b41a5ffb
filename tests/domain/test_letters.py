"""Complete messages: sent to a real SMTP server and parsed with the email package."""

import re
import time
import unicodedata
from datetime import UTC, datetime, timedelta
from itertools import product
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import icalendar
import pytest

from reservation.domain.messages.delivery import Delivery
from reservation.domain.messages.messages import (
    KINDS,
    LANGUAGES,
    TO_ACCOUNT,
    Templates,
)
from reservation.domain.outbox.outbox import TO_BUSINESS
from reservation.domain.people import resetting
from reservation.lib.smtp import Relay
from reservation.storage.models import (
    MODELS,
    Entreprise,
    EventEmail,
    Reservation,
    Utilisateur,
)
from tests.clock import now
from tests.codes import issued
from tests.conftest import PASSWORD, WEEK
from tests.domain.relays import Handler, started
from tests.outboxes import SECRET

PUBLIC, SENDER = "https://agenda.example/prefixe", "robot@agenda.example"
DATED = {"confirmee", "approuvee", "deplacee", "annulee", "annulee_entreprise"}
ACCOUNT = {"email": "zoe@example.fr", "password": "un bon mot de passe", "role": "student"}
REQUIRED = {
    "From", "To", "Subject", "Message-ID", "Date", "Auto-Submitted", "MIME-Version",
    "Content-Type",
}
NAMES = [
    "Zoé\r\nBcc: eve@example.fr", "Zoé\n\nhttp://eve.example", "=?utf-8?q?=0ABcc:_e@x.fr?=",
    "Zoé\u2028Bcc: eve@example.fr", "é" * 100, '"<eve@example.fr>,', "\x1b[31m\u202e",
    "service＠example.fr",
]
TIMES = [
    ("Europe/Paris", (2026, 3, 29, 1, 30), "dimanche 29 mars 2026, 01:30–03:15"),
    ("Europe/Paris", (2026, 10, 25, 2, 30), "25 octobre 2026, 02:30 CEST–02:15 CET"),
    ("Indian/Reunion", (2026, 7, 1, 9), "mercredi 1er juillet 2026, 09:00–09:45"),
    ("America/New_York", (2026, 11, 1, 23, 30),
     "dimanche 1er novembre 2026, 23:30 – lundi 2 novembre 2026, 00:15"),
    ("Asia/Kolkata", (2026, 7, 1, 0), "mercredi 1er juillet 2026, 00:00–00:45"),
    ("Australia/Lord_Howe", (2026, 10, 4, 1, 45), "4 octobre 2026, 01:45–03:00"),
]
URL = re.compile(r"""(?:https?|ftp|javascript|data):[^\s"'<>]+""")


@pytest.fixture
def client(make_client):
    return make_client(PUBLIC_URL=PUBLIC)


@pytest.fixture
def handler():
    return Handler()


@pytest.fixture
def letters(db, handler):
    """Delivers all queued messages, including reminders. Returns each (kind, message), in order.
    letters(again=True) delivers the sent messages again."""
    relay = started(handler)
    mailer = Relay(f"smtp://127.0.0.1:{relay.port}")
    delivery = Delivery(db, mailer, Templates(), SENDER, PUBLIC, SECRET)

    def send(again=False):
        statut = "envoye" if again else "attente"
        EventEmail.update(prochain_essai=0, essais=0, statut="attente").where(
            EventEmail.statut == statut
        ).execute(db)
        kinds = dict(db.rows("SELECT id, genre FROM eventemail"))
        handler.received.clear()
        delivery.deliver()
        return [(kinds[number_of(one.mail)], one.mail) for one in handler.received]

    yield send
    relay.stop()


@pytest.fixture
def every(client, db, make_salon, alice, bob, chloe, change, letters, tuesday):
    """Returns one received message of each kind, by kind."""
    salon, strict = make_salon(alice), make_salon(bob, validationManuelle=True)
    came = {}

    def send():
        came.update(letters())

    first, second, third = (
        salon.book(chloe, salon.at(tuesday, time)) for time in ("09:00", "10:00", "11:00")
    )
    asked = [
        strict.book(chloe, strict.at(tuesday, time), prestationId=strict.coupe)
        for time in ("15:00", "16:00")
    ]
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    send()
    change(chloe, first, 1, creneauId=salon.at(tuesday, "17:00"))
    change(bob, asked[0], 1, statut="confirmee")
    change(bob, asked[1], 1, statut="refusee")
    closure = {
        "type": "fermeture", "titre": "Travaux", "debut": third["debut"], "fin": third["fin"]
    }
    closed = client.post(
        f"/api/entreprises/{salon.id}/evenements", closure, 201, token=alice.token
    ).json["id"]
    send()
    client.delete(f"/api/evenements/{closed}", token=alice.token)
    client.delete(f"/api/reservations/{first['id']}", token=chloe.token)
    client.delete(f"/api/reservations/{second['id']}", token=alice.token)
    client.post("/auth/code", {"email": chloe.email}, 202)
    new = {"email": "bob@ailleurs.example", "code": issued(db, "bob@ailleurs.example")}
    client.put("/api/compte/email", new | {"password": PASSWORD}, token=bob.token)
    send()
    return came


def number_of(mail):
    return int(mail["Message-ID"].removeprefix("<").partition(".")[0])


def parts(mail):
    """Returns the text, the HTML, and the calendar part or None."""
    calendars = list(mail.iter_attachments())
    bodies = [mail.get_body([kind]) for kind in ("plain", "html")]
    text, page = (body.get_content().replace("\r\n", "\n") for body in bodies)
    return text, page, calendars[0] if calendars else None


def event_of(mail):
    """Returns the METHOD and the only event."""
    part = parts(mail)[2]
    calendar = icalendar.Calendar.from_ical(part.get_content())
    assert [one.errors for one in calendar.walk()] == [[] for _ in calendar.walk()]
    (event,) = calendar.events
    return str(calendar["METHOD"]), event


def instants_of(event):
    return [event.decoded(name).timestamp() for name in ("DTSTART", "DTEND")]


def everything(db):
    return {model.__name__: sorted(model.select().tuples().execute(db)) for model in MODELS}


def test_every_kind_of_message_arrives_as_text_and_html_in_ascii(every, handler):
    assert set(every) == set(KINDS)
    for kind, mail in every.items():
        shape = [part.get_content_type() for part in mail.walk() if not part.is_multipart()]
        dated = ["text/calendar"] if kind in DATED else []
        assert shape == ["text/plain", "text/html", *dated], kind
        assert mail.get_content_type() == ("multipart/mixed" if dated else "multipart/alternative")
        assert REQUIRED <= set(mail.keys()) <= REQUIRED | {"Reply-To"}
        (sender,) = mail["From"].addresses
        assert [mail.defects, sender.addr_spec, len(mail["To"].addresses)] == [[], SENDER, 1]
        raw = mail.as_bytes()
        assert raw.isascii() and max(map(len, raw.splitlines())) < 998
        text, page, _ = parts(mail)
        assert text.strip() and page.startswith("<!DOCTYPE html>") and "$" not in text + page


def test_a_message_about_an_account_names_the_site_that_sends_it(every):
    for kind in TO_ACCOUNT:
        assert "agenda.example" in every[kind]["Subject"]
        text = URL.sub("", parts(every[kind])[0])
        assert "agenda.example" in text


def test_every_message_is_marked_so_that_no_absence_is_answered_to_it(every):
    assert {mail["Auto-Submitted"] for mail in every.values()} == {"auto-generated"}


def test_a_calendar_says_in_its_header_what_it_is_for(every):
    for kind in DATED:
        part = parts(every[kind])[2]
        method, event = event_of(every[kind])
        assert method == ("CANCEL" if kind.startswith("annulee") else "REQUEST")
        assert event["STATUS"] == {"CANCEL": "CANCELLED", "REQUEST": "CONFIRMED"}[method]
        assert part["Content-Type"].params == {"method": method, "charset": "utf-8"}
        assert part.get_filename() == "reservation.ics"


def test_no_link_of_any_message_changes_anything(every, client, db):
    before, followed = everything(db), set()
    for mail in every.values():
        text, page, _ = parts(mail)
        addresses = set(URL.findall(text + page))
        assert len(addresses) <= 1, addresses
        followed |= addresses
    assert all(address.startswith(PUBLIC) for address in followed)
    assert {urlsplit(address).path.split("/")[2] for address in followed} == {
        "reservations", "rendez-vous", "mot-de-passe", "nous-ecrire"
    }
    for address in followed:
        path, _, token = address.removeprefix(PUBLIC).partition("#")
        for asked in {path, f"{path}?token={token}", f"{path}/{token}"}:
            for method in ("GET", "HEAD"):
                client.app.request(asked, method=method, status="*")
    assert everything(db) == before
    token = token_of(every[resetting.GENRE])
    client.post("/auth/password/reset", {"token": token, "password": "x" * 8})
    assert everything(db) != before


def token_of(mail):
    return re.search(r"/mot-de-passe#(\S+)", parts(mail)[0])[1]


def test_a_booking_its_move_and_its_end_are_one_event_of_a_calendar(
    salon, client, chloe, change, letters, tuesday
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    invitation = event_of(dict(letters())["confirmee"])
    change(chloe, booked, 1, commentaire="Cheveux longs")
    moved = change(chloe, booked, 2, creneauId=salon.at(tuesday, "17:00"))
    move = event_of(dict(letters())["deplacee"])
    client.delete(f"/api/reservations/{booked['id']}", token=chloe.token)
    end = event_of(dict(letters())["annulee"])
    assert [method for method, _ in (invitation, move, end)] == ["REQUEST", "REQUEST", "CANCEL"]
    events = [event for _, event in (invitation, move, end)]
    sequences = [event["SEQUENCE"] for event in events]
    assert sequences[0] == 0 and sequences == sorted(set(sequences))
    assert {str(event["UID"]) for event in events} == {
        f"reservation-{booked['id']}@agenda.example"
    }
    times = [
        [datetime.fromisoformat(one[name]).timestamp() for name in ("debut", "fin")]
        for one in (booked, moved, moved)
    ]
    assert [instants_of(event) for event in events] == times
    for event in events:
        assert event["ATTENDEE"] == f"mailto:{chloe.email}"
        assert abs(event.decoded("DTSTAMP") - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_request_is_in_no_calendar_before_it_is_approved(
    make_salon, client, alice, chloe, change, letters, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    came = letters()
    change(chloe, booked, 1, creneauId=salon.at(tuesday, "17:00"))
    came += letters()
    assert [kind for kind, _ in came] == ["demandee", "a_valider", "deplacee", "deplacement"]
    assert [parts(mail)[2] for _, mail in came] == [None] * 4
    change(alice, booked, 2, statut="confirmee")
    method, event = event_of(dict(letters())["approuvee"])
    assert (method, event["STATUS"], event["SEQUENCE"]) == ("REQUEST", "CONFIRMED", 2)


@pytest.mark.parametrize(
    "langue, moved, to_customer, to_business",
    [
        ("fr", "L’horaire précédent, {}, ", "Vous avez demandé à {} ce rendez-vous",
         "Ce rendez-vous était confirmé"),
        ("en", "The previous time, {}, ", "You have asked to {} this appointment",
         "This appointment was confirmed"),
    ],
)
def test_a_move_that_needs_an_approval_gives_up_the_confirmed_time_in_words_and_calendar(
    make_salon, alice, chloe, db, change, letters, tuesday, langue, moved, to_customer,
    to_business,
):
    """So does a second move before the answer of the business."""
    Utilisateur.update(langue=langue).execute(db)
    salon = make_salon(alice, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    change(alice, booked, 1, statut="confirmee")
    earlier = quand(dict(letters())["approuvee"])
    first = change(chloe, booked, 2, creneauId=salon.at(tuesday, "15:00"))
    came = dict(letters())
    second = change(chloe, booked, 3, creneauId=salon.at(tuesday, "16:00"))
    again = dict(letters())["deplacee"]
    for mail, opening in ((came["demandee"], to_customer), (came["a_valider"], to_business)):
        text, page, _ = parts(mail)
        for one in (text, page):
            assert moved.format(earlier) in one
            assert opening.format({"fr": "déplacer", "en": "reschedule"}[langue]) in one
    for mail, sequence, asked in ((came["demandee"], 2, first), (again, 3, second)):
        method, event = event_of(mail)
        assert (method, event["STATUS"], event["SEQUENCE"]) == ("REQUEST", "TENTATIVE", sequence)
        assert event["UID"] == f"reservation-{booked['id']}@agenda.example"
        assert event.decoded("DTSTART") == datetime.fromisoformat(asked["debut"])
    assert parts(came["a_valider"])[2] is None


def test_a_change_that_needs_an_approval_at_the_same_time_gives_up_no_time(
    make_salon, alice, chloe, change, letters, tuesday
):
    chairs = [{**one, "capacite": 2} for one in WEEK]
    salon = make_salon(alice, chairs, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    change(alice, booked, 1, statut="confirmee")
    letters()
    change(chloe, booked, 2, places=2)
    came = dict(letters())
    asked = "demandé à modifier ce rendez-vous\u00a0: il n’est donc plus confirmé."
    assert asked in parts(came["demandee"])[0]
    assert "était confirmé avant cette modification." in parts(came["a_valider"])[0]
    assert "horaire précédent" not in str([parts(mail)[:2] for mail in came.values()])


@pytest.mark.parametrize(
    ("langue", "to_customer", "to_business"),
    [("fr", "n’est pas encore confirmé", "attend toujours votre réponse"),
     ("en", "is not confirmed yet", "is still waiting for your reply")],
)
def test_a_move_of_a_visit_says_so_as_long_as_the_visit_is_not_confirmed(
    make_salon, alice, chloe, db, change, letters, tuesday, langue, to_customer, to_business
):
    Utilisateur.update(langue=langue).execute(db)
    salon = make_salon(alice, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    letters()
    change(chloe, booked, 1, creneauId=salon.at(tuesday, "15:00"))
    asked = dict(letters())
    change(alice, booked, 2, statut="confirmee")
    change(alice, booked, 3, creneauId=salon.at(tuesday, "16:00"))
    confirmed = dict(letters())
    for kind, said in (("deplacee", to_customer), ("deplacement", to_business)):
        assert all(said in part for part in parts(asked[kind])[:2])
    assert to_customer not in parts(confirmed["deplacee"])[0]


@pytest.mark.parametrize(
    "langue, label", [("fr", "Horaire précédent\u00a0: "), ("en", "Previous time: ")]
)
def test_a_move_names_the_earlier_time_that_its_reader_knows(
    salon, chloe, db, change, letters, tuesday, langue, label
):
    Utilisateur.update(langue=langue).execute(db)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    first = quand(dict(letters())["confirmee"])
    change(chloe, booked, 1, creneauId=salon.at(tuesday, "15:00"))
    change(chloe, booked, 2, creneauId=salon.at(tuesday, "16:00"))
    came = letters()
    to_business = [mail for kind, mail in came if kind == "deplacement"]
    (to_customer,) = [mail for kind, mail in came if kind == "deplacee"]
    second = quand(to_business[0]).partition(", ")[2]
    for mail, earlier in zip([to_customer, *to_business], (first, first, second), strict=True):
        assert all(f"{label}{earlier}" in part for part in parts(mail)[:2])


@pytest.mark.parametrize("statut, kind", [
    ("annulee", "annulee_entreprise"), ("refusee", "refusee"),
])
@pytest.mark.parametrize(
    "langue, label", [("fr", "Horaire précédent\u00a0: "), ("en", "Previous time: ")]
)
def test_the_end_of_a_visit_that_was_moved_names_the_time_that_the_customer_knows(
    make_salon, alice, chloe, db, change, letters, tuesday, langue, label, statut, kind
):
    """Even if only the customer's request has named that time."""
    Utilisateur.update(langue=langue).execute(db)
    salon = make_salon(alice, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    change(alice, booked, 1, creneauId=salon.at(tuesday, "15:00"))
    change(alice, booked, 2, statut=statut)
    mail = dict(letters())[kind]
    known = quand(mail).replace("15:", "10:")
    assert all(f"{label}{known}" in part for part in parts(mail)[:2])


def test_a_cancellation_names_the_time_of_the_last_message_that_was_sent(
    db, salon, alice, change, called, letters, tuesday
):
    letters()
    change(alice, called, 1, creneauId=salon.at(tuesday, "15:00"))
    EventEmail.update(statut="abandonne").where(EventEmail.genre == "deplacee").execute(db)
    change(alice, called, 2, creneauId=salon.at(tuesday, "16:00"))
    change(alice, called, 3, statut="annulee")
    mail = dict(letters())["annulee_entreprise"]
    assert f"Horaire précédent\u00a0: {quand(mail).replace('16:', '10:')}" in parts(mail)[0]


@pytest.mark.parametrize("by", ["owner", "customer"])
def test_a_cancellation_names_no_other_time_if_the_customer_knows_of_the_move(
    salon, alice, chloe, change, letters, tuesday, by
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    letters()
    change(alice if by == "owner" else chloe, booked, 1, creneauId=salon.at(tuesday, "15:00"))
    if by == "owner":
        letters()
    change(alice, booked, 2, statut="annulee")
    mail = dict(letters())["annulee_entreprise"]
    assert "Horaire" not in parts(mail)[0] and "15:00" in parts(mail)[0]


@pytest.mark.parametrize("is_received", [True, False])
@pytest.mark.parametrize(
    "langue, label",
    [("fr", "Attention, l’horaire a changé. Horaire précédent\u00a0: "),
     ("en", "Please note that the time has changed. Previous time: ")],
)
def test_an_approval_at_another_time_names_the_time_that_the_customer_asked_for(
    make_salon, alice, chloe, db, change, letters, tuesday, langue, label, is_received
):
    """Even if the receipt of the request was not sent."""
    Utilisateur.update(langue=langue).execute(db)
    salon = make_salon(alice, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    if is_received:
        letters()
    change(alice, booked, 1, statut="confirmee", creneauId=salon.at(tuesday, "15:00"))
    mail = dict(letters())["approuvee"]
    asked = quand(mail).replace("15:", "10:")
    assert all(f"{label}{asked}" in part for part in parts(mail)[:2])


def test_an_approval_at_the_time_that_the_customer_asked_for_names_no_earlier_time(
    make_salon, alice, chloe, change, letters, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    letters()
    change(chloe, booked, 1, creneauId=salon.at(tuesday, "15:00"))
    letters()
    change(alice, booked, 2, statut="confirmee")
    assert "horaire" not in parts(dict(letters())["approuvee"])[0]


def test_a_change_at_the_same_time_names_no_earlier_time(
    make_salon, alice, chloe, change, letters, tuesday
):
    salon = make_salon(alice, [{**one, "capacite": 2} for one in WEEK])
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    letters()
    change(chloe, booked, 1, places=2)
    assert "Horaire précédent" not in parts(dict(letters())["deplacee"])[0]


def quand(mail):
    return mail["Subject"].partition(", ")[2]


def test_what_was_in_no_calendar_is_not_taken_out_of_it(
    make_salon, client, alice, chloe, letters, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    came = letters()
    client.delete(f"/api/reservations/{booked['id']}", token=chloe.token)
    assert [(kind, parts(mail)[2]) for kind, mail in came + letters()] == [
        ("demandee", None), ("a_valider", None), ("annulee", None), ("annulation", None)
    ]


def test_a_message_that_is_sent_again_is_the_same_one(
    salon, client, alice, chloe, db, letters, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    first = dict(letters())["confirmee"]
    path = f"/api/emails/{number_of(first)}/renvoi"
    client.post(path, expect=202, token=alice.token)
    ((_, again),) = letters()
    assert again["Message-ID"] == first["Message-ID"]
    assert parts(again)[2].get_content() == parts(first)[2].get_content()
    assert parts(again)[:2] == parts(first)[:2]


def test_a_message_to_a_former_address_does_not_name_the_present_one(
    salon, chloe, db, letters, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    letters()
    db.write("UPDATE client SET email = 'secret@example.net'")
    mail = dict(letters(again=True))["confirmee"]
    _, event = event_of(mail)
    assert (mail["To"], event["ATTENDEE"]) == (chloe.email, f"mailto:{chloe.email}")


def test_each_message_of_a_visit_has_an_id_of_its_own(every):
    assert len({mail["Message-ID"] for mail in every.values()}) == len(KINDS)
    for mail in every.values():
        assert re.fullmatch(r"<\d+\.\d+@agenda\.example>", mail["Message-ID"])


@pytest.mark.parametrize("own", ["", "salon@example.fr"])
def test_an_answer_goes_to_the_other_side(make_salon, alice, chloe, letters, tuesday, own):
    salon = make_salon(alice, email=own)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    came = dict(letters())
    assert came["confirmee"]["Reply-To"] == came["rappel"]["Reply-To"] == (own or None)
    assert came["nouvelle"]["Reply-To"] == chloe.email
    assert came["nouvelle"]["To"] == (own or alice.email)


def test_a_customer_gets_messages_under_the_name_of_the_business(
    make_salon, alice, chloe, letters, db, tuesday
):
    salon = make_salon(alice)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    came = dict(letters())
    assert came["nouvelle"]["From"] == SENDER
    ((nom,),) = Entreprise.select(Entreprise.nom).tuples().execute(db)
    for kind in ("confirmee", "rappel"):
        (sender,) = came[kind]["From"].addresses
        assert (sender.display_name, sender.addr_spec) == (nom, SENDER)


def test_everybody_is_written_to_in_the_language_of_the_account(
    salon, client, alice, chloe, db, letters, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    for who in (alice, chloe):
        client.post("/auth/password/forgot", {"email": who.email}, 202)
    letters()
    subjects = {"fr": "Nouveau rendez-vous ", "en": "New appointment:"}
    spoken = {"fr": "Bonjour", "en": "Hello"}
    for languages in product(LANGUAGES, repeat=2):
        of = dict(zip((alice.email, chloe.email), languages, strict=True))
        for email, langue in of.items():
            Utilisateur.update(langue=langue).where(Utilisateur.email == email).execute(db)
        for kind, mail in letters(again=True):
            text, page, _ = parts(mail)
            langue = of[mail["To"]]
            assert f'<html lang="{langue}">' in page
            if kind in TO_BUSINESS:
                assert mail["Subject"].startswith(subjects[langue])
            else:
                assert text.startswith(spoken[langue])


def test_no_name_gets_out_of_the_subject(salon, client, alice, db, letters, handler, tuesday):
    account = {**ACCOUNT, "first_name": NAMES[0], "last_name": NAMES[0]}
    client.post("/auth/register", account, 201)
    token = client.post("/auth/login", account).json["token"]
    body = {"creneauId": salon.at(tuesday, "10:00"), "prestationId": salon.coupe}
    client.post("/api/reservations", body, 201, token=token)
    letters()
    for name in NAMES:
        mine = Utilisateur.email == ACCOUNT["email"]
        Utilisateur.update(prenom=name, nom=name).where(mine).execute(db)
        Entreprise.update(nom=name).execute(db)
        came = dict(letters(again=True))
        assert {tuple(one.recipients) for one in handler.received} == {
            (alice.email,), (ACCOUNT["email"],)
        }
        for mail in came.values():
            assert set(mail.keys()) <= REQUIRED | {"Reply-To"}
            (sender,) = mail["From"].addresses
            shown = unicodedata.normalize("NFKC", sender.display_name)
            assert sender.addr_spec == SENDER and "@" not in shown
            assert mail["Subject"].isprintable() and str(tuesday.year) in mail["Subject"]
            assert "\n" not in parts(mail)[0].strip().partition("\n\n")[0]
        assert set(event_of(came["confirmee"])[1]["ATTENDEE"].params) <= {
            "CN", "PARTSTAT", "RSVP"
        }


def test_the_words_and_the_calendar_tell_the_same_time(salon, chloe, db, letters, tuesday):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    letters()
    for zone, wall, wanted in TIMES:
        debut = int(datetime(*wall, tzinfo=ZoneInfo(zone)).timestamp())
        then = {"debut": debut, "fin": debut + 2700}
        Entreprise.update(fuseau=zone).execute(db)
        Reservation.update(occupe_debut=debut, occupe_fin=debut + 2700, **then).execute(db)
        EventEmail.update(**then).execute(db)
        came = dict(letters(again=True))
        assert {"confirmee", "nouvelle"} <= set(came)  # a booking in the past has no reminder
        for mail in came.values():
            assert f"{wanted} ({zone})" in mail["Subject"]
            assert f"{wanted} ({zone})" in parts(mail)[0]
        assert instants_of(event_of(came["confirmee"])[1]) == [debut, debut + 2700]


def test_the_link_to_a_new_password_is_sent_and_kept_nowhere(client, db, chloe, letters):
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    ((_, mail),) = letters()
    token = token_of(mail)
    assert token not in str(everything(db))
    assert parts(mail)[2] is None and mail["Reply-To"] is None
    resetting.redeem(db, token, "un mot tout neuf", 4, "", now())


def test_the_link_works_for_an_hour_from_when_it_is_sent(client, db, chloe, letters):
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    EventEmail.update(cree_le=EventEmail.cree_le - 7200).execute(db)
    letters()
    (left,) = db.rows(
        "SELECT reinit_jusqua FROM utilisateur WHERE email = ?", chloe.email
    )[0]
    assert 3590 <= left - time.time() <= 3600
