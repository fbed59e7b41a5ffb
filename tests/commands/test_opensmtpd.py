"""The worker with a real mail server: OpenSMTPD, which delivers to a maildir."""

import icalendar
import pytest

from tests.opensmtpd import OpenSMTPD

PUBLIC = "https://agenda.example"


@pytest.fixture(scope="module")
def opensmtpd():
    server = OpenSMTPD()
    yield server
    server.remove()


@pytest.fixture
def send(opensmtpd, reservation):
    """Returns a function that runs `worker --once`, as a cron job does."""
    url = f"smtp://127.0.0.1:{opensmtpd.port}"
    return lambda: reservation("worker", "--once", SMTP_URL=url, PUBLIC_URL=PUBLIC)


def test_the_messages_of_a_booking_arrive_readable_in_the_maildir(
    opensmtpd, send, salon, alice, chloe, tuesday
):
    comment = "Cheveux très longs.\n.\nFrom là : 日本 🦊"
    booked = salon.book(chloe, salon.at(tuesday, "10:00"), commentaire=comment)
    send()
    mails = opensmtpd.received(2)
    assert [mail["Delivered-To"] for mail in mails] == [alice.email, chloe.email]
    news, confirmation = mails
    assert news["Subject"].startswith("Nouveau rendez-vous : Chloé Martin, Coupe femme, mardi")
    assert confirmation["Subject"].startswith("Rendez-vous confirmé : Coupe femme, mardi")
    for mail in mails:
        text, page = (mail.get_body([kind]).get_content() for kind in ("plain", "html"))
        path = "rendez-vous#" if mail is confirmation else "reservations/"
        assert f"{PUBLIC}/{path}{booked['id']}" in text and "10:00–10:30" in page
    assert comment in news.get_body(["plain"]).get_content().replace("\r\n", "\n")
    (attached,) = confirmation.iter_attachments()
    calendar = icalendar.Calendar.from_ical(attached.get_content())
    (event,) = calendar.events
    assert (calendar["METHOD"], event["SUMMARY"]) == ("REQUEST", "Coupe femme – Salon alice")
    assert event.decoded("DTSTART").isoformat()[:10] == tuesday.isoformat()


def test_what_the_server_refuses_waits_with_its_reason(client, send, salon, alice, tuesday, db):
    client_elsewhere = {"email": "zoe@elsewhere.example", "nom": "Blanc"}
    salon.book(alice, salon.at(tuesday, "11:00"), client=client_elsewhere)
    send()
    emails = client.get(f"/api/entreprises/{salon.id}/emails", token=alice.token).json
    refused = next(one for one in emails if one["genre"] == "confirmee")
    assert (refused["statut"], refused["essais"]) == ("attente", 1)
    assert "550" in refused["derniereErreur"] and "recipient" in refused["derniereErreur"]
