"""A slot is never oversold: the race, and each guard against overselling."""

import pytest

from reservation.conflicts import SlotTaken
from tests import engines
from tests.races import guards
from tests.races.clients import Asking, patient, statuses, storm
from tests.races.conftest import CAPACITY
from tests.races.guards import CROWD, rush, sold
from tests.races.soundness import active, assert_sound, faults, taken


def test_of_200_bookings_at_once_as_many_succeed_as_there_are_places(
    hall, customers, port, db, tuesday
):
    creneau = hall.at(tuesday, "10:00")
    body = {"creneauId": creneau, "prestationId": hall.coupe}
    askings = [
        Asking("POST", "/api/reservations", customers[number % 4].token, body)
        for number in range(200)
    ]
    assert statuses(storm(port, askings, ask=patient)) == {201: CAPACITY, 409: 200 - CAPACITY}
    assert active(db, creneau) == taken(db, creneau) == CAPACITY
    assert_sound(db)


def test_long_visits_that_overlap_in_part_never_meet_on_a_slot(
    hall, customers, port, db, tuesday
):
    """90 minutes from each half hour of a morning: three starts want each slot."""
    creneaux = [hall.at(tuesday, time) for time in ("09:00", "09:30", "10:00", "10:30")]
    askings = [
        Asking("POST", "/api/reservations", customers[number % 4].token,
               {"creneauId": creneaux[number // 4 % 4], "prestationId": hall.couleur})
        for number in range(80)
    ]
    answers = statuses(storm(port, askings, ask=patient))
    assert set(answers) == {201, 409}
    # Six slots of 7 places; a visit takes three slots: from 7 to 14 visits fit.
    assert CAPACITY <= answers[201] <= 2 * CAPACITY
    assert_sound(db)


@pytest.mark.parametrize("database_url", [guards.CHECK], indirect=True)
def test_the_condition_of_the_update_alone_holds(
    database_url, hall, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    guards.everyone_looks_first(monkeypatch, CROWD, "_shift")
    results = rush(database_url, account, hall, creneau, hall.coupe)
    assert len(sold(results)) == CAPACITY
    assert sum(isinstance(one, SlotTaken) for one in results) == CROWD - CAPACITY
    assert_sound(db)


def test_the_check_of_the_table_alone_holds(
    database_url, hall, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    guards.everyone_looks_first(monkeypatch, CROWD, "_shift")
    guards.without_condition(monkeypatch)
    assert len(sold(rush(database_url, account, hall, creneau, hall.coupe))) == CAPACITY
    assert_sound(db)


@pytest.mark.parametrize("database_url", [guards.CHECK], indirect=True)
def test_negative_control_without_both_walls_the_race_oversells(
    database_url, hall, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    guards.everyone_looks_first(monkeypatch, CROWD, "_shift")
    guards.without_condition(monkeypatch)
    assert len(sold(rush(database_url, account, hall, creneau, hall.coupe))) == CROWD
    assert active(db, creneau) == CROWD > CAPACITY
    assert faults(db, " is oversold")


@engines.on_sqlite
@pytest.mark.parametrize("database_url", [guards.CHECK], indirect=True)
def test_on_sqlite_the_transaction_alone_holds(
    database_url, hall, account, db, tuesday, monkeypatch
):
    """BEGIN IMMEDIATE excludes other transactions between the check and the update."""
    creneau = hall.at(tuesday, "10:00")
    guards.without_condition(monkeypatch)
    assert len(sold(rush(database_url, account, hall, creneau, hall.coupe))) == CAPACITY
    assert_sound(db)
