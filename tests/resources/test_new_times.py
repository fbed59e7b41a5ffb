"""The times to which a booking can be moved."""

import random
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from reservation.domain.booking import reservations
from reservation.domain.calendar import finding, performers, stored_slots
from reservation.domain.calendar.terms import Visit, terms
from reservation.lib.instants import from_iso, midnight, zone_of
from reservation.storage.database import transaction
from reservation.storage.models import Entreprise, Prestation, Reservation
from tests import teams
from tests.clock import now

PARIS = zone_of("Europe/Paris")


@pytest.fixture
def listed(client, tuesday):
    """Returns {time: start} for the times on Tuesday to which a booking can be moved."""

    def listed(by, booking, expect=200, **query):
        asked = urlencode({"du": tuesday, "au": query.get("du", tuesday), **query})
        path = f"/api/reservations/{booking['id']}/creneaux?{asked}"
        found = client.get(path, expect, token=by.token).json
        return {one["debut"][11:16]: one for one in found} if expect == 200 else found

    return listed


@pytest.fixture
def long(salon, chloe, tuesday):
    """A booking of Chloé from 10:00 to 11:30."""
    return salon.book(chloe, salon.at(tuesday, "10:00"), prestationId=salon.couleur)


@pytest.fixture
def move(client):
    def move(by, booking, creneau, expect=200, **body):
        asked = {"version": booking["version"], "creneauId": creneau, **body}
        return client.put(f"/api/reservations/{booking['id']}", asked, expect, token=by.token).json

    return move


@pytest.fixture
def last(client, salon, alice):
    """Changes the duration of the service, in minutes."""

    def last(minutes):
        body = {"nom": "Coupe", "dureeMinutes": minutes}
        client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)

    return last


def test_a_visit_of_90_minutes_moves_by_half_an_hour(salon, chloe, long, listed, move, tuesday):
    shown = listed(chloe, long)
    assert [*shown][:3] == ["09:00", "09:30", "10:30"]
    assert "10:30" not in [one["debut"][11:16] for one in salon.free(tuesday, salon.couleur)]
    moved = move(chloe, long, shown["10:30"]["id"])
    assert moved["debut"] == shown["10:30"]["debut"]
    assert [*listed(chloe, moved)][:3] == ["09:00", "09:30", "10:00"]


def test_the_alternatives_of_a_move_count_its_own_places_as_free(
    salon, chloe, bob, long, move, tuesday
):
    salon.book(bob, salon.at(tuesday, "11:30"))
    refused = move(chloe, long, salon.at(tuesday, "10:30"), expect=409)
    near = [one["debut"][11:16] for one in refused["alternatives"]]
    assert near == ["09:00", "09:30", "14:00"]


def test_the_next_time_may_begin_within_the_visit(salon, chloe, bob, long, listed, tuesday):
    for time in ("09:00", "09:30"):
        salon.book(bob, salon.at(tuesday, time))
    assert [*listed(chloe, long, prochain=1)] == ["10:30"]
    assert [*listed(chloe, long, prochain=1, du=tuesday + timedelta(days=1))] == ["09:00"]


def test_the_present_time_is_listed_only_with_others_or_for_more_places(
    client, salon, alice, chloe, lea, ines, listed, tuesday
):
    creneau = salon.at(tuesday, "10:00")
    long = salon.book(chloe, creneau, prestationId=salon.couleur, ressourceId=lea)
    assert listed(chloe, long)["10:00"]["ressources"] == [ines]
    assert len(listed(chloe, long)["10:30"]["ressources"]) == 2
    assert "10:00" in listed(chloe, long, ressource=ines)
    assert "10:00" not in listed(chloe, long, ressource=lea)
    week = client.get(f"/api/entreprises/{salon.id}/semainetype").json
    client.put(
        f"/api/entreprises/{salon.id}/semainetype",
        [{**opening, "capacite": 2} for opening in week], token=alice.token,
    )
    assert [*listed(chloe, long, places=2)][:3] == ["09:00", "09:30", "10:00"]
    assert listed(chloe, long, places=3) == {}


def test_the_present_time_is_not_listed_although_the_service_is_longer_now(
    salon, chloe, listed, last, tuesday
):
    booking = salon.book(chloe, salon.at(tuesday, "10:00"))
    last(60)
    assert [*listed(chloe, booking)][:3] == ["09:00", "09:30", "10:30"]


@pytest.mark.parametrize(("before", "after"), [(30, 60), (60, 30)])
def test_at_its_present_time_a_visit_of_a_changed_service_needs_the_booked_length(
    salon, alice, chloe, lea, ines, listed, move, last, tuesday, before, after
):
    rose = {"nom": "Rose", "telephone": "06"}
    last(before)
    booking = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)
    last(after)
    salon.book(alice, salon.at(tuesday, "10:30"), ressourceId=ines, client=rose)
    shown, same = listed(chloe, booking), booking["creneauId"]
    if before == 30:
        assert shown["10:00"]["ressources"] == [ines]
        moved = move(chloe, booking, same, ressourceId=ines)
        assert (moved["ressource"]["id"], moved["fin"]) == (ines, shown["10:00"]["fin"])
    else:
        assert "10:00" not in shown
        refused = move(chloe, booking, same, expect=409, ressourceId=ines)
        assert "10:00" not in [one["debut"][11:16] for one in refused["alternatives"]]


@pytest.mark.parametrize("rule", [{"delai_reservation": 60 * 24 * 40}, {"horizon_jours": 1}])
def test_neither_notice_nor_horizon_binds_a_visit_at_its_present_time(
    db, salon, chloe, lea, ines, listed, move, tuesday, rule
):
    booking = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)
    Entreprise.update(**rule).execute(db)
    shown = listed(chloe, booking)
    assert {time: one["ressources"] for time, one in shown.items()} == {"10:00": [ines]}
    move(chloe, booking, booking["creneauId"], ressourceId=ines)


def test_the_room_of_the_visit_counts_as_free(db, salon, chloe, lea, listed, move, tuesday):
    teams.add(db, salon.id, "Cabine", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.couleur).execute(db)
    booking = salon.book(chloe, salon.at(tuesday, "10:00"), prestationId=salon.couleur)
    shown = listed(chloe, booking)
    assert [*shown][:3] == ["09:00", "09:30", "10:30"]
    assert move(chloe, booking, shown["10:30"]["id"])["lieu"]["nom"] == "Cabine"


def test_the_minimum_notice_does_not_bind_the_business(db, alice, chloe, long, listed):
    Entreprise.update(delai_reservation=60 * 24 * 40).execute(db)
    assert listed(chloe, long) == {}
    assert "10:30" in listed(alice, long)


def test_a_cancelled_booking_has_no_places_of_its_own(client, chloe, bob, salon, long, listed):
    client.delete(f"/api/reservations/{long['id']}", token=chloe.token)
    salon.book(bob, long["creneauId"])
    assert [*listed(chloe, long)][:2] == ["10:30", "14:00"]


def test_each_caller_sees_the_times_of_the_bookings_that_it_may_move(
    client, db, salon, chloe, bob, lina, staff, listed, tuesday
):
    mine = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=staff)
    for by in (chloe, lina):
        assert "10:30" in listed(by, mine)
    assert {tuple(one["ressources"]) for one in listed(lina, mine).values()} == {(staff,)}
    assert listed(bob, mine, expect=404)["code"] == "not_found"
    (other,) = {id for one in listed(chloe, mine).values() for id in one["ressources"]} - {staff}
    refused = listed(lina, mine, expect=400, ressource=other)
    assert refused["champs"]["ressource"]["code"] == "cannot_perform"
    client.get(f"/api/reservations/{mine['id']}/creneaux", 401)


def test_the_times_are_those_that_are_free_without_the_booking(
    db, salon, alice, bob, lea, ines, listed, tuesday
):
    """Releases the booking in a transaction that is rolled back, as an independent check."""
    teams.add(db, salon.id, "Cabine", "lieu")
    chance = random.Random(7)
    for service in (salon.coupe, salon.couleur):
        Prestation.update(
            tampon_avant=chance.choice((0, 10)), tampon_apres=chance.choice((0, 15)),
            lieu_requis=service == salon.couleur, intervalle_minutes=chance.choice((None, 60)),
        ).where(Prestation.id == service).execute(db)
    for service in (salon.coupe, salon.couleur) * 4:
        free = salon.free(tuesday, service)
        if free:
            salon.book(bob, chance.choice(free)["id"], prestationId=service)

    class Undone(Exception):
        pass

    def without(row):
        found = {}

        def work():
            nonlocal found
            stored_slots.replace(db, row.holds, ())
            entreprise, service = terms(db, salon.id, row.prestation_id)
            visit = Visit.of(service, 1, performers.of_service(db, salon.id, service))
            day = midnight(tuesday, PARIS), midnight(tuesday + timedelta(days=1), PARIS)
            for start in finding.free_starts(db, entreprise, visit, *day, now=now()):
                present = row.ressource_id if start.debut == row.debut else None
                persons = [id for id in start.persons if id != present]
                found |= {start.debut: persons} if persons else {}
            raise Undone

        with pytest.raises(Undone):
            transaction(db, work)
        return found

    numbers = [one.id for one in Reservation.select().execute(db)]
    assert len(numbers) > 4
    for row in reservations.by_ids(db, numbers):
        shown = listed(alice, {"id": row.id}).values()
        assert {from_iso(one["debut"]): one["ressources"] for one in shown} == without(row)
