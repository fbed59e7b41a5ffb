"""Persons and rooms in lists, in the occupancy, in feeds and in messages."""

from urllib.parse import urlencode, urlsplit

import icalendar
import pytest

from reservation.domain.messages import messages, visits
from reservation.domain.messages.messages import Templates
from reservation.storage.models import Prestation
from tests import teams


@pytest.fixture
def cabin(db, salon):
    number = teams.add(db, salon.id, "Cabine 1", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.couleur).execute(db)
    return number


@pytest.fixture
def day(salon, chloe, bob, lea, ines, cabin, tuesday):
    """Books Léa, Inès with the cabin, and Léa for Bob. Returns the ids of the bookings."""
    asked = [
        (chloe, "09:00", {"ressourceId": lea}),
        (chloe, "09:30", {"ressourceId": ines, "prestationId": salon.couleur}),
        (bob, "11:00", {"ressourceId": lea}),
    ]
    return [
        salon.book(person, salon.at(tuesday, time), **body)["id"] for person, time, body in asked
    ]


@pytest.fixture
def found(client):
    def found(person, **query):
        path = f"/api/reservations?{urlencode(query)}"
        return [one["id"] for one in client.get(path, token=person.token).json]

    return found


def test_the_owner_lists_the_bookings_of_a_person_and_of_a_room(
    salon, alice, dora, lea, ines, cabin, day, found
):
    first, second, third = day
    for person in (alice, dora):
        assert found(person, ressource=lea) == [first, third]
        assert found(person, ressource=ines) == [second]
        assert found(person, ressource=cabin) == [second]
        assert found(person, ressource=lea, statut="confirmee") == [first, third]
        assert found(person, ressource=lea, statut="annulee") == []
        assert found(person, ressource=lea, entreprise=salon.id, recentes=1) == [third, first]
        assert found(person, ressource=lea, entreprise=10**6) == []
        assert found(person, ressource=10**6) == []


def test_others_than_the_owner_list_only_their_own_bookings_of_a_person(
    chloe, bob, lea, ines, cabin, day, found
):
    first, second, third = day
    assert found(chloe, ressource=lea) == [first]
    assert found(bob, ressource=lea) == [third]
    assert found(chloe, ressource=cabin) == [second]
    assert found(bob, ressource=cabin) == []
    assert found(chloe, ressource=lea, miennes=1) == [first]


def test_the_occupancy_of_a_business_is_that_of_its_persons(
    client, salon, alice, lea, ines, cabin, day, tuesday
):
    def week(**query):
        asked = urlencode({"du": tuesday, "au": tuesday, **query})
        path = f"/api/entreprises/{salon.id}/occupation?{asked}"
        (only,) = client.get(path, token=alice.token).json
        return [only[key] for key in ("capaciteMinutes", "prisesMinutes", "reservations")]

    hours = 5 * 7 * 60
    assert week() == [2 * hours, 150, 3]
    assert week(ressource=lea) == [hours, 60, 2]
    assert week(ressource=ines) == [hours, 90, 1]
    assert week(ressource=cabin) == [hours, 90, 1]


def test_the_occupancy_of_a_stranger_is_not_found(client, db, salon, make_salon, alice, bob):
    stranger = teams.name(db, make_salon(bob).id, "Zoé")
    for number in (stranger, 10**6):
        path = f"/api/entreprises/{salon.id}/occupation?ressource={number}"
        client.get(path, 404, token=alice.token)


@pytest.fixture
def feed(client, alice):
    """Returns the path of the feed of a person or a room."""

    def feed(ressource, method="GET", expect=200, by=alice):
        path = f"/api/ressources/{ressource}/flux"
        answer = client.call(method, path, expect=expect, token=by.token).json
        return urlsplit(answer.get("url", "")).path

    return feed


def uids(client, path):
    calendar = icalendar.Calendar.from_ical(client.get(path).body)
    found = [int(one["UID"].split("@")[0].removeprefix("reservation-")) for one in calendar.events]
    return calendar["X-WR-CALNAME"], found, [str(one["SUMMARY"]) for one in calendar.events]


def test_the_feed_of_a_person_has_the_visits_of_the_person(
    client, lea, ines, cabin, day, feed, salon, alice
):
    first, second, third = day
    name, found, shown = uids(client, feed(lea))
    assert (name, found) == ("Rendez-vous – Léa", [first, third])
    assert shown[0] == "Coupe femme avec Léa – Chloé Martin"
    assert uids(client, feed(ines))[1] == [second]
    assert uids(client, feed(cabin))[1:] == (
        [second], ["Coloration avec Inès (Cabine 1) – Chloé Martin"]
    )
    for letter in "elu":
        path = feed(lea).replace("/flux/p", f"/flux/{letter}")
        client.get(path, 404)


def test_a_renewed_feed_of_a_person_revokes_the_old_address(client, lea, ines, feed, chloe):
    old, other = feed(lea), feed(ines)
    new = feed(lea, "POST")
    assert new != old
    client.get(old, 404)
    for path in (new, other):
        client.get(path)
    feed(lea, expect=403, by=chloe)


def test_the_feed_of_a_person_ends_with_the_account_of_the_owner(client, db, alice, lea, feed):
    path = feed(lea)
    client.get(path)
    db.write("UPDATE utilisateur SET actif = 0 WHERE id = ?", alice.id)
    client.get(path, 404)


def test_the_person_of_a_business_of_one_has_no_feed(client, db, salon, feed):
    (first,) = db.rows("SELECT id FROM ressource WHERE entreprise_id = ?", salon.id)
    feed(first[0], expect=404)


@pytest.mark.parametrize(("langue", "words"), [
    ("fr", "avec Inès (Cabine 1)"), ("en", "with Inès (Cabine 1)"),
])
def test_messages_and_files_name_the_person_and_the_room(client, db, chloe, day, langue, words):
    db.write("UPDATE utilisateur SET langue = ? WHERE id = ?", langue, chloe.id)
    visit = visits.get(db, day[1])
    values = messages.values_of(visit, visit.debut, visit.fin, langue, "https://x.example")
    text = Templates().render("confirmee", langue, values)
    assert words in text.subject and words in text.text and words in text.html
    told = client.get(f"/api/reservations/{day[1]}.ics", token=chloe.token).text
    assert f"SUMMARY:Coloration {words} – Salon" in told.replace("\r\n ", "")


def test_who_has_no_name_is_not_mentioned(client, salon, chloe, tuesday):
    number = salon.book(chloe, salon.at(tuesday, "09:00"))["id"]
    told = client.get(f"/api/reservations/{number}.ics", token=chloe.token).text
    assert "SUMMARY:Coupe femme – Salon alice" in told


def test_the_export_of_ones_data_names_persons_and_rooms(client, chloe, day, ines, cabin):
    shown = client.get("/api/compte/export", token=chloe.token).json["reservations"]
    assert shown[1]["ressource"] == {"id": ines, "nom": "Inès"}
    assert shown[1]["lieu"] == {"id": cabin, "nom": "Cabine 1"}
