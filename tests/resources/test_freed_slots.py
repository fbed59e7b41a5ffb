"""Slots that were booked while the plan changed follow the plan when they are released."""

import pytest

from reservation.domain.booking import changing
from reservation.domain.calendar import calendar, reconciling, stored_plans
from reservation.domain.calendar.timetable import Opening
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, hours
from reservation.storage.database import transaction
from reservation.storage.models import Creneau, Prestation
from tests import teams
from tests.clock import now
from tests.conftest import MORNING, Person

DAY = 86400


@pytest.fixture
def put(client, salon, alice):
    def put(*week):
        path = f"/api/entreprises/{salon.id}/semainetype"
        client.put(path, [{**MORNING, **one} for one in week], token=alice.token)

    return put


@pytest.fixture
def times(salon, tuesday):
    """Returns a function that lists the starts of all slots of a Tuesday."""
    return lambda **query: [one["debut"][11:16] for one in salon.free(tuesday, tous=1, **query)]


@pytest.fixture
def release(client, salon, alice):
    """Returns a function that releases the slots of a booking: release[how](booked)."""

    def change(booked, **body):
        path = f"/api/reservations/{booked['id']}"
        client.put(path, {"version": booked["version"], **body}, token=alice.token)

    def delete(by: Person, booked):
        client.delete(f"/api/reservations/{booked['id']}", token=by.token)

    return {
        "cancelled": lambda booked: delete(alice, booked),
        "refused": lambda booked: change(booked, statut="refusee"),
        "moved": lambda booked: change(booked, creneauId=salon_last(salon, booked)),
    }


def salon_last(salon, booked):
    """Returns the id of the last free slot of the day of a booking."""
    return salon.free(booked["debut"][:10])[-1]["id"]


@pytest.mark.parametrize("how", ["cancelled", "refused", "moved"])
@pytest.mark.parametrize(
    ("week", "expected"),
    [
        ({"debut": "14:00", "fin": "16:00"}, "14:00 14:30 15:00 15:30"),
        ({"pasMinutes": 60}, "09:00 10:00 11:00"),
        ({"debut": "09:15"}, "09:15 09:45 10:15 10:45 11:15"),
        ({"fin": "10:15"}, "09:00 09:30"),
    ],
)
def test_a_released_slot_follows_the_new_hours(
    make_salon, client, alice, chloe, put, release, times, salon, db, tuesday, how, week, expected
):
    if how == "refused":
        db.write("UPDATE entreprise SET validation_manuelle = 1")
    put({})
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put(week, {"debut": "18:00", "fin": "18:30"})
    assert "10:00" in times()
    release[how](booked)
    assert times() == [*expected.split(), "18:00"]


def test_the_slots_before_and_after_a_released_visit_are_joined(
    chloe, bob, put, release, times, salon, tuesday
):
    """The slots follow the plan between the visits that stay."""
    put({})
    early = salon.book(chloe, salon.at(tuesday, "09:30"))
    long = salon.book(bob, salon.at(tuesday, "10:00"), prestationId=salon.couleur)
    put({"pasMinutes": 45})
    assert times() == ["09:30", "10:00", "10:30", "11:00"]
    release["cancelled"](long)
    assert times() == ["09:30", "10:00", "10:45"]
    release["cancelled"](early)
    assert times() == ["09:00", "09:45", "10:30", "11:15"]


def test_a_released_slot_has_the_present_capacity_and_opening(
    chloe, put, release, salon, db, tuesday
):
    put({"capacite": 3})
    booked = salon.book(chloe, salon.at(tuesday, "11:00"))
    put({"debut": "10:30", "capacite": 1})
    release["cancelled"](booked)
    slots = list(Creneau.select().where(Creneau.id == booked["creneauId"]).execute(db))
    first = Creneau.select().where(Creneau.id == salon.at(tuesday, "10:30")).first(db)
    assert [(one.ouverture, one.capacite, one.ouvert) for one in slots] == [(first.debut, 1, 1)]


def test_a_slot_released_in_a_closure_has_the_capacity_of_the_hours(
    client, chloe, alice, put, release, salon, db, tuesday
):
    """A buffer may run over a closed slot, as far as places are left there."""
    put({"capacite": 3})
    booked = salon.book(chloe, salon.at(tuesday, "11:00"))
    closure = {"type": "fermeture", "titre": "Fermé", "debut": booked["debut"],
               "fin": booked["fin"]}
    path = f"/api/entreprises/{salon.id}/evenements"
    client.post(path, closure, 201, token=alice.token)
    release["cancelled"](booked)
    ((capacite, ouvert),) = db.rows(
        "SELECT capacite, ouvert FROM creneau WHERE id = ?", booked["creneauId"]
    )
    assert (capacite, ouvert) == (3, 0)


def test_a_closed_slot_under_a_buffer_has_the_capacity_of_the_hours(
    client, chloe, alice, put, salon, db, tuesday
):
    Prestation.update(tampon_apres=30).where(Prestation.id == salon.coupe).execute(db)
    put({"capacite": 2})
    booked = salon.book(chloe, salon.at(tuesday, "11:00"))
    closure = {"type": "fermeture", "titre": "Fermé", "debut": booked["fin"],
               "fin": booked["fin"].replace("11:30", "12:00")}
    path = f"/api/entreprises/{salon.id}/evenements"
    assert client.post(path, closure, 201, token=alice.token).json["reservationsTouchees"] == []
    left = {one["debut"][11:16]: one["placesRestantes"] for one in salon.free(tuesday)}
    assert left == {"09:00": 2, "09:30": 2, "10:00": 2, "10:30": 1, "11:00": 1}


def test_the_slot_of_a_room_follows_the_new_hours_too(
    chloe, put, release, salon, db, lea, tuesday
):
    room = teams.add(db, salon.id, "Cabine", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    put({})
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put({"debut": "14:00", "fin": "15:00"})
    release["cancelled"](booked)
    entreprise = businesses.get(db, salon.id)
    start, end = now(), entreprise.calendrier_jusqua
    plan = stored_plans.read(db, entreprise, start, end)[room]
    assert reconciling.difference(db, room, plan, start, end).is_followed


def test_the_slots_of_a_released_room_do_not_overlap_if_its_opening_ends_later(
    client, alice, chloe, put, release, salon, db, lea, tuesday
):
    room = teams.add(db, salon.id, "Cabine", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    put({})
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put({"debut": "09:30", "fin": "10:30", "pasMinutes": 60})
    path = f"/api/ressources/{room}/semainetype"
    client.put(path, {"semaine": [{**MORNING, "pasMinutes": 40}]}, token=alice.token)
    release["cancelled"](booked)
    starts = db.rows("SELECT debut FROM creneau WHERE ressource_id = ? ORDER BY debut", room)
    ((visit,),) = db.rows("SELECT debut FROM reservation")
    minutes = [(debut - visit) // 60 for (debut,) in starts]
    assert [one for one in minutes if abs(one) < 180] == [-60, -20, 20, 60]


def test_outdated_slots_do_not_show_that_a_slot_follows_the_plan(
    chloe, put, release, salon, db, tuesday
):
    """A change of the hours has followed until midnight, in the middle of an opening."""
    put({"debut": "22:00", "fin": "02:00"})
    booked = salon.book(chloe, salon.at(tuesday, "23:30"))
    db.write("UPDATE semainetype SET pas_minutes = 45")
    ((debut, midnight),) = db.rows("SELECT debut, debut + 1800 FROM reservation")
    mine = businesses.get(db, salon.id)
    assert mine.calendrier_jusqua >= midnight
    planned = stored_plans.read(db, mine, now(), midnight)
    transaction(db, lambda: calendar.rebuild_slice(db, mine, planned, now(), midnight, midnight))
    release["cancelled"](booked)
    assert db.rows("SELECT fin - debut FROM creneau WHERE debut = ?", debut) == [(45 * 60,)]


def test_a_visit_that_has_begun_leaves_its_slot(chloe, put, salon, alice, db, tuesday):
    put({})
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put({"debut": "14:00", "fin": "16:00"})
    ((debut,),) = db.rows("SELECT debut FROM reservation")
    changing.cancel(db, Account(alice.id, "company"), booked["id"], debut + 60)
    assert db.rows("SELECT places_prises FROM creneau WHERE debut = ?", debut) == [(0,)]


def test_the_slots_after_a_visit_that_has_begun_follow_its_first_slot(
    chloe, put, salon, alice, db, tuesday
):
    """The hours change during the visit, whose first slot runs into the new opening."""
    put({"debut": "09:30", "pasMinutes": 60})
    booked = salon.book(chloe, salon.at(tuesday, "09:30"), prestationId=salon.couleur)
    ((begin,),) = db.rows("SELECT debut FROM reservation")
    later = begin + 15 * 60
    opening = Opening(2, 10 * 60, 12 * 60, 60, 1, None)
    hours.replace(db, businesses.get(db, salon.id), [opening._asdict()], later)
    changing.cancel(db, Account(alice.id, "company"), booked["id"], later)
    sql = "SELECT debut FROM creneau WHERE debut >= ? AND debut < ? ORDER BY debut"
    starts = db.rows(sql, begin, begin + DAY)
    assert [(debut - begin) // 60 for (debut,) in starts] == [0, 60]


def test_a_release_among_free_slots_of_the_same_hours_does_not_read_the_plan(
    chloe, release, salon, monkeypatch, tuesday
):
    booked = [
        salon.book(chloe, salon.at(tuesday, time), prestationId=service)
        for time, service in (
            ("09:00", salon.coupe), ("10:00", salon.couleur), ("14:30", salon.coupe),
            ("15:00", salon.coupe),
        )
    ]
    monkeypatch.delattr(stored_plans, "read")
    for one in booked:
        release["cancelled"](one)
