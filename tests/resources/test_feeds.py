"""iCalendar over the API: the file of one booking, and the private feeds."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from threading import Barrier
from urllib.parse import urlsplit

import icalendar
import jwt
import pytest

from reservation.domain.booking import feeds
from reservation.domain.booking.feeds import ACCOUNT, BUSINESS, Feeds
from reservation.domain.people import accounts
from reservation.lib import signatures
from reservation.storage.database import connect, forget
from reservation.storage.models import (
    Entreprise,
    Occurrence,
    Reservation,
    Ressource,
    Utilisateur,
)
from tests.clock import now

PUBLIC = "https://agenda.example/prefixe"
DAY = 86400
ZONES = (
    "Europe/Paris", "Indian/Reunion", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"
)
CLIENT = {
    "email": "zoe@example.fr", "nom": "Durand", "prenom": "Zoé", "telephone": "06 11 22 33 44"
}


@pytest.fixture
def client(make_client):
    return make_client(PUBLIC_URL=PUBLIC)


@pytest.fixture
def url(client):
    """Returns the path of an account's feed, or of a business's: url(chloe), url(alice, salon)."""

    def ask(who, salon=None, method="GET", expect=200):
        path = f"/api/entreprises/{salon.id}/flux" if salon else "/api/flux"
        answer = client.call(method, path, expect=expect, token=who.token).json
        return answer.get("url", "").removeprefix(PUBLIC)

    return ask


@pytest.fixture
def feed(client):
    """Returns the parsed calendar at a path."""
    return lambda path: icalendar.Calendar.from_ical(client.get(path).body)


@pytest.fixture
def change(db):
    """Sets columns of a booking without any check: change(booked, statut="annulee")."""

    def change(booked, **columns):
        Reservation.update(**columns).where(Reservation.id == booked["id"]).execute(db)

    return change


def feeds_of(environ):
    return Feeds(environ["RESERVATION_SECRET"], PUBLIC, "reservation@localhost")


def token_of(address):
    return address.rpartition("/")[2].removesuffix(".ics")


def event_of(answer):
    (event,) = icalendar.Calendar.from_ical(answer.body).events
    return event


def ids(calendar):
    return [int(one["UID"].split("@")[0].removeprefix("reservation-")) for one in calendar.events]


def file_of(client, by, booked):
    return client.get(f"/api/reservations/{booked['id']}.ics", token=by.token)


def test_a_reservation_is_a_file_to_download(client, salon, chloe, tuesday):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    answer = file_of(client, chloe, booked)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    named = f'attachment; filename="reservation-{booked["id"]}.ics"'
    assert answer.headers["Content-Disposition"] == named
    assert icalendar.Calendar.from_ical(answer.body)["METHOD"] == "PUBLISH"
    event = event_of(answer)
    assert event["UID"] == f"reservation-{booked['id']}@agenda.example"
    assert (event["SEQUENCE"], event["STATUS"]) == (0, "CONFIRMED")
    assert event.decoded("DTSTART") == datetime.fromisoformat(booked["debut"])
    assert event.decoded("DTEND") == datetime.fromisoformat(booked["fin"])


def test_a_file_that_is_not_found_is_not_announced_as_a_download(client, chloe):
    answer = client.get("/api/reservations/999.ics", 404, token=chloe.token)
    assert "Content-Disposition" not in answer.headers


def test_a_change_keeps_the_uid_and_counts_the_sequence_up(client, salon, chloe, tuesday):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    before = event_of(file_of(client, chloe, booked))
    path = f"/api/reservations/{booked['id']}"
    body = {"creneauId": salon.at(tuesday, "11:00"), "version": 1}
    moved = client.put(path, body, token=chloe.token).json
    event = event_of(file_of(client, chloe, booked))
    assert (event["UID"], event["SEQUENCE"]) == (before["UID"], 1)
    assert event.decoded("DTSTART") == datetime.fromisoformat(moved["debut"])
    client.delete(path, token=chloe.token)
    event = event_of(file_of(client, chloe, booked))
    assert (event["UID"], event["SEQUENCE"], event["STATUS"]) == (before["UID"], 2, "CANCELLED")


def test_each_side_sees_the_other(client, salon, alice, dora, chloe, tuesday):
    about = {
        "nom": "Salon, Alice", "adresse": "3 rue de la Paix", "codePostal": "69002",
        "ville": "Lyon", "telephone": "04 78 00 00 00", "email": "salon@example.fr",
    }
    client.put(f"/api/entreprises/{salon.id}", about, token=alice.token)
    booked = salon.book(
        alice, salon.at(tuesday, "10:00"), client=CLIENT, commentaire="Cheveux longs;\nmerci"
    )
    for owner in (alice, dora):
        event = event_of(file_of(client, owner, booked))
        assert event["SUMMARY"] == "Coupe femme – Zoé Durand"
        assert event["DESCRIPTION"] == "Zoé Durand\n06 11 22 33 44\nCheveux longs;\nmerci"
    file_of_chloe = event_of(file_of(client, chloe, salon.book(chloe, salon.at(tuesday, "11:00"))))
    assert file_of_chloe["SUMMARY"] == "Coupe femme – Salon, Alice"
    assert file_of_chloe["LOCATION"] == "3 rue de la Paix, 69002 Lyon"
    assert file_of_chloe["DESCRIPTION"] == "Salon, Alice\n04 78 00 00 00"
    assert file_of_chloe["ORGANIZER"] == "mailto:salon@example.fr"


def test_a_business_without_an_address_writes_under_that_of_the_service(
    client, salon, chloe, tuesday
):
    event = event_of(file_of(client, chloe, salon.book(chloe, salon.at(tuesday, "10:00"))))
    assert event["ORGANIZER"] == "mailto:reservation@localhost"
    assert event["ORGANIZER"].params["CN"] == "Salon alice"


def test_what_people_type_adds_no_property(client, make_salon, alice, url, tuesday):
    attack = 'Zoé"\r\nATTENDEE:mailto:mallory@example.fr\u2028END:VEVENT\u0085X:\x0bY:'
    salon = make_salon(alice, nom=attack, adresse=attack, telephone=attack[:40])
    who = {**CLIENT, "nom": attack, "prenom": attack, "telephone": attack[:40]}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=who, commentaire=attack)
    for answer in (file_of(client, alice, booked), client.get(url(alice, salon))):
        starts = [line.partition(":")[0] for line in answer.body.decode().splitlines()]
        assert {"ATTENDEE", "X", "Y"} & set(starts) == set()
        assert starts.count("END") == 2
        event_of(answer)


@pytest.mark.parametrize("zone", ZONES)
def test_the_times_of_a_file_are_those_that_were_booked(
    client, make_salon, alice, chloe, tuesday, zone
):
    salon = make_salon(alice, fuseau=zone)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    event = event_of(file_of(client, chloe, booked))
    assert event.decoded("DTSTART") == datetime.fromisoformat(booked["debut"])
    assert event.decoded("DTEND") == datetime.fromisoformat(booked["fin"])
    assert booked["debut"][:16] == f"{tuesday}T10:00"


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
def test_the_file_and_the_api_agree_through_a_clock_change(
    client, make_salon, change, alice, chloe, tuesday, zone, day
):
    salon = make_salon(alice, fuseau=zone)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    midnight = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
    for debut in range(midnight - DAY // 2, midnight + DAY, 1800):
        change(booked, debut=debut, fin=debut + 1800, occupe_debut=debut, occupe_fin=debut + 1800)
        shown = client.get(f"/api/reservations/{booked['id']}", token=chloe.token).json
        event = event_of(file_of(client, chloe, booked))
        assert event.decoded("DTSTART") == datetime.fromisoformat(shown["debut"])
        assert event.decoded("DTEND") == datetime.fromisoformat(shown["fin"])
        assert event.decoded("DTSTART").timestamp() == debut


def test_each_feed_holds_what_its_reader_may_see(
    salon, make_salon, feed, url, alice, bob, chloe, tuesday
):
    other = make_salon(bob)
    one = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    two = other.book(chloe, other.at(tuesday, "11:00"))["id"]
    three = other.book(alice, other.at(tuesday, "14:00"))["id"]
    assert ids(feed(url(chloe))) == [one, two]
    assert ids(feed(url(alice))) == [three]
    assert ids(feed(url(bob))) == []
    assert ids(feed(url(alice, salon))) == [one]
    assert ids(feed(url(bob, other))) == [two, three]
    seen = feed(url(chloe)).events[0], feed(url(alice, salon)).events[0]
    assert [one["SUMMARY"] for one in seen] == [
        "Coupe femme – Salon alice", "Coupe femme – Chloé Martin"
    ]
    assert feed(url(bob, other))["X-WR-CALNAME"] == "Rendez-vous – Salon bob@e"
    assert feed(url(chloe))["METHOD"] == "PUBLISH"


@pytest.mark.parametrize("langue, word", [("fr", "Rendez-vous"), ("en", "Bookings")])
def test_a_calendar_has_a_name_in_the_language_of_its_account(
    db, salon, feed, url, alice, chloe, langue, word
):
    Utilisateur.update(langue=langue).execute(db)
    assert feed(url(chloe))["X-WR-CALNAME"] == f"{word} – Chloé Martin"
    assert feed(url(alice, salon))["X-WR-CALNAME"] == f"{word} – Salon alice"


def test_a_feed_goes_60_days_back(environ, db, client, salon, change, chloe, tuesday):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    private = feeds_of(environ)
    token = token_of(private.url(db, ACCOUNT, chloe.id))
    debut = int(datetime.fromisoformat(booked["debut"]).timestamp())
    for at, seen in ((debut + 60 * DAY, 1), (debut + 60 * DAY + 1, 0)):
        assert private.read(db, token, at).count("BEGIN:VEVENT") == seen


@pytest.mark.parametrize("statut", ["annulee", "refusee"])
def test_a_feed_tells_of_what_was_cancelled_for_30_days(
    environ, db, client, salon, change, chloe, tuesday, statut
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    changed = int(time.time()) - DAY
    change(booked, statut=statut, modifie_le=changed)
    private = feeds_of(environ)
    token = token_of(private.url(db, BUSINESS, salon.id))
    for at, seen in ((changed, 1), (changed + 30 * DAY, 1), (changed + 30 * DAY + 1, 0)):
        text = private.read(db, token, at)
        assert text.count("STATUS:CANCELLED") == text.count("BEGIN:VEVENT") == seen
    change(booked, statut="confirmee")
    assert private.read(db, token, changed + 30 * DAY + 1).count("STATUS:CONFIRMED") == 1


def test_a_feed_is_private_and_answers_304_while_it_stays_the_same(
    client, salon, change, url, chloe, tuesday
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    path = url(chloe)
    first = client.get(path)
    etag = first.headers["ETag"]
    assert etag.startswith('"')  # a strong validator
    assert first.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert first.headers["Cache-Control"] == "private, no-cache"
    for known in (etag, f'"x", W/{etag}', "*"):
        again = client.get(path, 304, headers={"If-None-Match": known})
        assert again.body == b""
        assert again.headers["ETag"] == etag
        assert again.headers["Cache-Control"] == "private, no-cache"
    for known in ('"x"', "nonsense", ""):
        assert client.get(path, headers={"If-None-Match": known}).body == first.body
    change(booked, version=2)
    changed = client.get(path, headers={"If-None-Match": etag})
    assert changed.headers["ETag"] != etag


def test_the_stamps_are_those_of_the_last_change(db, salon, change, feed, url, chloe, tuesday):
    change(salon.book(chloe, salon.at(tuesday, "10:00")), modifie_le=1_770_000_000)
    (event,) = feed(url(chloe)).events
    assert event.decoded("DTSTAMP").timestamp() == 1_770_000_000


def test_a_renewed_feed_ends_the_old_address_and_no_other(client, salon, url, alice, chloe):
    asked = ((chloe, None), (alice, None), (alice, salon))
    before = [url(*one) for one in asked]
    assert [url(*one) for one in asked] == before
    for number, one in enumerate(asked):
        renewed = url(*one, method="POST")
        assert renewed != before[number]
        client.get(before[number], 404)
        client.get(renewed)
        before[number] = renewed
        for path in before:
            client.get(path)
        assert [url(*one) for one in asked] == before


def test_renewals_at_once_give_an_address_each_and_the_last_one_holds(
    monkeypatch, client, database_url, environ, url, chloe
):
    barrier, read = Barrier(4), feeds._row

    def slow(*which):
        time.sleep(0.05)
        seen = read(*which)
        time.sleep(0.05)
        return seen

    def renew(_):
        db = connect(database_url)
        barrier.wait()
        try:
            return feeds_of(environ).renew(db, ACCOUNT, chloe.id)
        finally:
            forget(db)

    with monkeypatch.context() as patch, ThreadPoolExecutor(4) as pool:
        patch.setattr(feeds, "_row", slow)
        renewed = [one.removeprefix(PUBLIC) for one in pool.map(renew, range(4))]
    assert len(set(renewed)) == 4
    good = [path for path in renewed if client.get(path, "*").status_int == 200]
    assert good == [url(chloe)]


def test_the_feed_of_a_disabled_account_is_not_found(client, db, chloe, alice, salon, url):
    assert salon.id != alice.id
    paths = [url(chloe), url(alice), url(alice, salon)]
    accounts.disable(db, alice.email, now())
    for path, expect in zip(paths, (200, 404, 404), strict=True):
        client.get(path, expect)
    accounts.enable(db, alice.email)
    for path in paths:
        client.get(path)


def test_a_business_that_takes_no_more_bookings_still_has_its_feed(
    client, db, salon, url, alice
):
    Entreprise.update(actif=False).where(Entreprise.id == salon.id).execute(db)
    client.get(url(alice, salon))


def test_a_signature_is_good_for_one_kind_and_one_id(environ, client, db, alice, chloe):
    about = {"nom": "Salon", "ville": "Lyon"}
    made = client.post("/api/entreprises", about, 201, token=alice.token).json["id"]
    for model in (Ressource, Occurrence):  # their rows reference the business
        model.delete().where(model.entreprise == made).execute(db)
    Entreprise.update(id=alice.id).where(Entreprise.id == made).execute(db)
    private = feeds_of(environ)
    which = ((ACCOUNT, alice.id), (BUSINESS, alice.id), (ACCOUNT, chloe.id))
    parts = [token_of(private.url(db, *one)).split("-", 1) for one in which]
    for number, (row, _) in enumerate(parts):
        for other, (_, signature) in enumerate(parts):
            client.get(f"/flux/{row}-{signature}.ics", 200 if other == number else 404)


def test_an_odd_token_is_not_found(client, url, chloe):
    token = token_of(url(chloe))
    row, signature = token.split("-", 1)
    wrong = [
        f"u{10**17}-{signature}", f"u{10**18}-{signature}", f"u{2**64}-{signature}",
        f"u0{row[1:]}-{signature}", f"u-{signature}", f"u-1-{signature}",
        f"U{row[1:]}-{signature}", f"{row}-", row,
        f"{row}-{signature[:-1]}", f"{row}-{signature}A", f"{row}-{signature}%3D",
        f"{row}-{signature[:-1]}{'A' if signature[-1] != 'A' else 'B'}", f"{row}-{'A' * 43}",
        f"{token}.ics", f"{token}%00", f"{token}%0A", f"{row}%2D{signature}%20",
        f"%D9%A1{row}-{signature}", "%C3%A9", "%ff", "x" * 5000, chloe.token,
    ]
    for one in wrong:
        assert client.get(f"/flux/{one}.ics", 404).json["code"] == "not_found"
    for path in (f"/flux/{token}", f"/flux/{token}.ICS", f"/flux/{token}/.ics", "/flux/", "/flux"):
        client.get(path, 404)
    assert client.get(f"/flux/{token}.ics").status_int == 200


def test_a_feed_token_is_no_access_token_nor_the_other_way_round(
    environ, client, db, url, chloe
):
    token = token_of(url(chloe))
    for bearer in (token, token.split("-", 1)[1], f"{token}.ics"):
        client.get("/api/flux", 401, token=bearer)
    client.get(f"/flux/{chloe.token}.ics", 404)
    client.get(f"/flux/u{chloe.id}-{chloe.token.rpartition('.')[2]}.ics", 404)
    # A token signed with the key of the feeds is refused as an access token.
    key = feeds_of(environ)._signer._key
    claims = jwt.decode(chloe.token, options={"verify_signature": False})
    client.get("/api/flux", 401, token=jwt.encode(claims, key, algorithm="HS256"))


def test_another_secret_opens_no_feed(make_client, client, url, chloe):
    path = url(chloe)
    other = make_client(SECRET="another secret of the tests, over 32 bytes long")
    other.get(path, 404)
    client.get(path)


def test_a_signature_is_compared_in_constant_time(monkeypatch, client, url, chloe):
    path, seen = url(chloe), []
    monkeypatch.setattr(
        signatures.hmac, "compare_digest", lambda *both: seen.append(both) or both[0] == both[1]
    )
    client.get(path)
    assert [one for one in seen if one[0] in path] == seen != []


def test_looking_at_a_feed_changes_nothing(client, db, salon, url, alice, chloe, tuesday):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    before = list(Reservation.select().dicts().execute(db))
    path = url(chloe)
    for _ in range(2):
        text = client.get(path).text
    client.post(path, expect=405)
    assert list(Reservation.select().dicts().execute(db)) == before
    assert "http" not in text  # no link that a crawler could follow


def test_the_address_is_the_public_one(client, chloe, salon, alice):
    shown = client.get("/api/flux", token=chloe.token).json["url"]
    assert urlsplit(shown).netloc == "agenda.example"
    assert shown.startswith(f"{PUBLIC}/flux/u{chloe.id}-")
    shown = client.get(f"/api/entreprises/{salon.id}/flux", token=alice.token).json["url"]
    assert shown.startswith(f"{PUBLIC}/flux/e{salon.id}-")
