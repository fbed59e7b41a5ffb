"""Several persons and rooms: the races for one time, and each guard against meeting twice."""

import pytest

from reservation.conflicts import SlotTaken
from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import availability, calendar, stored_slots
from reservation.domain.planning import businesses, events
from reservation.errors import StaleVersion
from tests import engines
from tests.clock import now
from tests.conftest import WEEK
from tests.races import guards, teams
from tests.races.clients import Asking, patient, statuses, storm
from tests.races.guards import CROWD, rush, sold
from tests.races.soundness import assert_sound, faults, meeting


@pytest.fixture
def start(team, tuesday):
    """The id of a slot of the first person, at 10:00."""
    return team.salon.at(tuesday, "10:00")


def performed_by(db, *numbers):
    sql = "SELECT ressource_id, lieu_id FROM reservation WHERE id = ?"
    return [db.rows(sql, number)[0] for number in numbers]


def test_of_40_bookings_at_once_each_person_gets_one(team, start, customers, port, db):
    body = {"creneauId": start, "prestationId": team.salon.coupe}
    askings = [
        Asking("POST", "/api/reservations", customers[number % 4].token, body)
        for number in range(40)
    ]
    sold = statuses(storm(port, askings, ask=patient))
    assert sold == {201: teams.PERSONS, 409: 40 - teams.PERSONS}
    assert meeting(db) == []
    assert_sound(db)


def test_of_40_massages_at_once_each_room_gets_one(team, start, customers, port, db):
    body = {"creneauId": start, "prestationId": team.massage}
    askings = [
        Asking("POST", "/api/reservations", customers[number % 4].token, body)
        for number in range(40)
    ]
    assert statuses(storm(port, askings, ask=patient)) == {201: teams.ROOMS, 409: 40 - teams.ROOMS}
    assert meeting(db) == []
    assert_sound(db)


# On SQLite a transaction excludes all other writers, so nobody can be faster.


@engines.on_mariadb
@pytest.mark.parametrize("database_url", [guards.CHECK], indirect=True)
def test_the_condition_alone_gives_each_person_one_of_those_who_all_saw_them_free(
    database_url, team, start, account, db, monkeypatch
):
    guards.everyone_looks_first(monkeypatch, CROWD, "_shift")
    results = rush(database_url, account, team.salon, start, team.salon.coupe)
    persons = [person for person, _ in performed_by(db, *sold(results))]
    assert sorted(persons) == team.persons
    assert sum(isinstance(one, SlotTaken) for one in results) == CROWD - teams.PERSONS
    assert meeting(db) == []
    assert_sound(db)


@engines.on_mariadb
def test_the_check_alone_gives_each_person_one_visit(
    database_url, team, start, account, db, monkeypatch
):
    guards.everyone_looks_first(monkeypatch, CROWD, "_shift")
    guards.without_condition(monkeypatch)
    rush(database_url, account, team.salon, start, team.salon.coupe)
    assert meeting(db) == []
    assert_sound(db)


@engines.on_mariadb
@pytest.mark.parametrize("database_url", [guards.CHECK], indirect=True)
def test_negative_control_without_both_a_person_is_in_two_places(
    database_url, team, start, account, db, monkeypatch
):
    guards.everyone_looks_first(monkeypatch, CROWD, "_shift")
    guards.without_condition(monkeypatch)
    rush(database_url, account, team.salon, start, team.salon.coupe)
    assert meeting(db)
    assert faults(db, " is oversold")


@engines.on_mariadb
def test_those_who_all_saw_the_rooms_free_get_one_room_each(
    database_url, team, start, account, db, monkeypatch
):
    guards.everyone_looks_first(monkeypatch, 4, "_shift")
    results = rush(database_url, account, team.salon, start, team.massage, people=4)
    rooms = [room for _, room in performed_by(db, *sold(results))]
    assert sorted(rooms) == team.rooms
    assert meeting(db) == []
    assert_sound(db)


@pytest.fixture
def first_room_seems_free(team, start, account, db, monkeypatch):
    """A massage in the first room, which the next booking does not see."""
    number = booking.book(db, account, Request(start, team.massage), now())
    assert performed_by(db, number) == [(team.persons[0], team.rooms[0])]
    monkeypatch.setattr(availability, "has_room", lambda *_: True)


def test_a_visit_whose_room_was_just_taken_gets_the_other_room(
    team, start, account, db, first_room_seems_free
):
    number = booking.book(db, account, Request(start, team.massage), now())
    assert performed_by(db, number) == [(team.persons[1], team.rooms[1])]
    assert_sound(db)


def test_negative_control_without_the_savepoint_the_person_is_taken_twice(
    team, start, account, db, first_room_seems_free, monkeypatch
):
    write, execute = db.write, db.execute_sql
    monkeypatch.setattr(db, "write", lambda sql, *values: write(_kept(sql), *values))
    monkeypatch.setattr(db, "execute_sql", lambda sql, *rest: execute(_kept(sql), *rest))
    request = Request(start, team.massage, ressource_id=team.persons[3])
    with pytest.raises(SlotTaken):
        booking.book(db, account, request, now())


def _kept(sql):
    return "SELECT 1" if sql.startswith("ROLLBACK TO") else sql


def test_slots_are_locked_by_ressource_and_start(team, start, account, db, monkeypatch):
    """A person made after the rooms has a higher id than the rooms."""
    locked, shift = [], stored_slots._shift

    def seen(db, ressource_id, *rest):
        locked.append(ressource_id)
        shift(db, ressource_id, *rest)

    monkeypatch.setattr(stored_slots, "_shift", seen)
    late = db.write(
        teams._RESSOURCE, team.salon.id, "personne", "Tard", 9
    ).lastrowid
    teams.retire(db, team, late, active=True)  # makes the slots
    request = Request(start, team.massage, ressource_id=late)
    number = booking.book(db, account, request, now())
    assert locked == [team.rooms[0], late]
    locked.clear()
    change = Change(1, ressource_id=team.persons[1])
    changing.change(db, account, number, change, now())
    assert locked == [team.persons[1], team.rooms[0], late]
    assert_sound(db)


def test_a_visit_needs_a_room_that_is_open_for_all_of_it(team, start, account, db):
    """Both rooms close half an hour after the start."""
    ((debut,),) = db.rows("SELECT debut FROM creneau WHERE id = ?", start)
    for room in team.rooms:
        values = {
            "type": "fermeture", "titre": "", "description": "", "pas_minutes": None,
            "capacite": None, "debut": debut + 1800, "fin": debut + 3600, "ressource_id": room,
        }
        events.add(db, businesses.get(db, team.salon.id), values, now())
    with pytest.raises(SlotTaken) as refused:
        booking.book(db, account, Request(start, team.massage), now())
    assert refused.value.motif == "complet"
    booking.book(db, account, Request(start, team.salon.couleur), now())


def test_a_booking_extends_the_calendars_of_all_who_may_perform(team, start, account, db):
    db.write("UPDATE entreprise SET calendrier_jusqua = 0")
    for ressource_id in (team.persons[1], *team.rooms):
        db.write("DELETE FROM creneau WHERE ressource_id = ?", ressource_id)
    request = Request(start, team.massage, ressource_id=team.persons[1])
    number = booking.book(db, account, request, now())
    assert performed_by(db, number) == [(team.persons[1], team.rooms[0])]
    assert_sound(db)


def test_negative_control_without_the_check_of_the_mark_nobody_has_slots(
    team, start, account, db, monkeypatch
):
    monkeypatch.setattr(calendar, "check", lambda *_: None)
    db.write("UPDATE entreprise SET calendrier_jusqua = 0")
    db.write("DELETE FROM creneau WHERE ressource_id = ?", team.persons[1])
    request = Request(start, team.salon.coupe, ressource_id=team.persons[1])
    with pytest.raises(SlotTaken):
        booking.book(db, account, request, now())


@pytest.fixture
def two_movers(make_salon, alice, account, db, tuesday, monkeypatch, database_url):
    """Moves one of two visits of the first person to two other persons at once.

    The other visit keeps the count of the slot above zero.
    """
    hall = make_salon(alice, [{**row, "capacite": 2} for row in WEEK])
    team = teams.make(db, hall)
    creneau = hall.at(tuesday, "10:00")
    request = Request(creneau, hall.coupe, ressource_id=team.persons[0])
    number = booking.book(db, account, request, now())
    booking.book(db, account, request, now())
    targets = [team.persons[1], team.persons[2]]

    def moves():
        guards.everyone_looks_first(monkeypatch, 2, "_shift")

        def move(own):
            changing.change(own, account, number, Change(1, ressource_id=targets.pop()), now())

        return guards.together(database_url, 2, move)

    return moves


@engines.on_mariadb
def test_of_two_moves_to_two_persons_at_once_one_is_told_that_it_was_late(two_movers, db):
    assert {type(one) for one in two_movers()} == {type(None), StaleVersion}
    assert meeting(db) == []
    assert_sound(db)


@engines.on_mariadb
def test_negative_control_without_the_version_a_visit_is_held_with_two_persons(
    two_movers, db, monkeypatch
):
    guards.without_version(monkeypatch)
    assert two_movers() == [None, None]
    assert faults(db, " places, its bookings hold ")


def test_a_moved_visit_stays_in_its_room(team, start, account, db, tuesday):
    first = booking.book(db, account, Request(start, team.massage), now())
    second = booking.book(db, account, Request(start, team.massage), now())
    changing.cancel(db, account, first, now())
    later = Change(1, creneau_id=team.salon.at(tuesday, "16:00"))
    changing.change(db, account, second, later, now())
    assert performed_by(db, second) == [(team.persons[1], team.rooms[1])]


def test_the_reason_of_who_nearly_is_free_is_listed_and_reported(
    team, start, account, db, tuesday
):
    """The first and the last person are closed, the others are booked."""
    ((debut,),) = db.rows("SELECT debut FROM creneau WHERE id = ?", start)
    for person in team.persons[1:-1]:
        request = Request(start, team.salon.coupe, ressource_id=person)
        booking.book(db, account, request, now())
    for person in (team.persons[0], team.persons[-1]):
        values = {
            "type": "fermeture", "titre": "", "description": "", "pas_minutes": None,
            "capacite": None, "debut": debut, "fin": debut + 1800, "ressource_id": person,
        }
        events.add(db, businesses.get(db, team.salon.id), values, now())
    with pytest.raises(SlotTaken) as refused:
        booking.book(db, account, Request(start, team.salon.coupe), now())
    assert refused.value.motif == "complet"
    (listed,) = [
        one for one in team.salon.free(tuesday, tous=1) if one["debut"][11:16] == "10:00"
    ]
    assert (listed["motif"], listed["ressources"]) == ("complet", [])


def test_visits_over_several_slots_are_listed_with_who_is_free(team, start, account, db, tuesday):
    first, second, third = team.persons[:3]  # who colour
    booking.book(db, account, Request(start, team.salon.coupe, ressource_id=first), now())
    listed = {
        one["debut"][11:16]: one["ressources"]
        for one in team.salon.free(tuesday, team.salon.couleur)
    }
    assert listed["09:00"] == listed["10:00"] == [second, third]
    assert listed["10:30"] == [first, second, third]
    assert "11:00" not in listed
