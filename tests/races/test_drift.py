"""Slots that count too few taken places: reported as a fault, not as a lost race."""

import logging

import pytest

from reservation.conflicts import PlacesNotHeld
from reservation.domain.booking import changing, invariant
from reservation.domain.booking.requests import Change
from reservation.errors import DatabaseUnavailable, StaleVersion
from reservation.metrics import BOOKINGS, Counters
from tests import engines
from tests.clock import now
from tests.races import guards
from tests.races.clients import Asking, at_once, patient, statuses
from tests.races.soundness import assert_sound, taken

DRIFTED = {"error": PlacesNotHeld.message, "code": "places_not_held"}


@pytest.fixture
def lose(db):
    """Returns a function that sets the places taken of slots to 0, like a manual edit."""

    def edit(*creneaux):
        for number in creneaux:
            db.write("UPDATE creneau SET places_prises = 0 WHERE id = ?", number)

    return edit


@pytest.fixture
def visit(salon, chloe, tuesday):
    """The id of a booking of three slots, and the ids of the slots."""
    slots = [salon.at(tuesday, time) for time in ("10:00", "10:30", "11:00")]
    booked = salon.book(chloe, slots[0], prestationId=salon.couleur)
    return booked["id"], slots


def errors(caplog):
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]


def test_a_cancellation_of_a_drifted_visit_is_refused_and_logged_once(
    client, db, salon, chloe, visit, lose, caplog
):
    number, slots = visit
    lose(*slots[1:])
    path = f"/api/reservations/{number}"
    assert client.delete(path, 409, token=chloe.token).json == DRIFTED
    (said,) = errors(caplog)
    assert said.startswith(f"business {salon.id}, booking {number}: slots ")
    assert f" {slots[1]}, {slots[2]} " in said
    assert taken(db, slots[0]) == 1  # nothing has changed
    invariant.repair(db, salon.id)
    client.delete(path, token=chloe.token)
    assert_sound(db)


@pytest.mark.parametrize("statut", ["annulee", "refusee"])
def test_an_owner_who_ends_a_drifted_visit_is_not_told_that_it_changed(
    client, db, salon, alice, visit, lose, caplog, statut
):
    number, slots = visit
    db.write("UPDATE reservation SET statut = 'demandee' WHERE id = ?", number)
    lose(slots[0])
    body = {"version": 1, "statut": statut}
    refused = client.put(f"/api/reservations/{number}", body, 409, token=alice.token)
    assert refused.json == DRIFTED
    assert len(errors(caplog)) == 1


@pytest.mark.parametrize("to", ["09:00", "10:30", "14:00"])
def test_a_move_of_a_drifted_visit_is_refused_and_logged_once(
    client, db, salon, chloe, visit, lose, tuesday, caplog, to
):
    number, slots = visit
    lose(*slots)
    target = salon.at(tuesday, to)
    body = {"version": 1, "creneauId": target}
    path = f"/api/reservations/{number}"
    assert client.put(path, body, 409, token=chloe.token).json == DRIFTED
    assert len(errors(caplog)) == 1
    assert [taken(db, one) for one in (*slots, target)] == [0] * 4


def test_fewer_places_of_a_drifted_visit_are_refused(
    client, db, hall, chloe, tuesday, lose, caplog
):
    creneau = hall.at(tuesday, "10:00")
    number = hall.book(chloe, creneau, places=5)["id"]
    lose(creneau)
    body = {"version": 1, "places": 2}
    path = f"/api/reservations/{number}"
    assert client.put(path, body, 409, token=chloe.token).json == DRIFTED
    assert len(errors(caplog)) == 1


def test_many_cancellations_of_a_drifted_visit_do_not_stop_the_service(
    salon, chloe, visit, lose, serve
):
    number, slots = visit
    lose(*slots)
    port = serve("--threads", "2").port
    path = f"/api/reservations/{number}"
    answers = at_once(port, [Asking("DELETE", path, chloe.token)] * 4, patient)
    assert statuses(answers) == {409: 4}
    assert at_once(port, [Asking("GET", path, chloe.token)])[0].status == 200


@engines.on_mariadb
def test_two_cancellations_that_both_saw_the_places_held_are_no_drift(
    database_url, hall, chloe, account, db, tuesday, monkeypatch, caplog
):
    creneau = hall.at(tuesday, "10:00")
    number = hall.book(chloe, creneau)["id"]
    guards.everyone_looks_first(monkeypatch, 2, "replace")
    done = guards.together(
        database_url, 2, lambda own: changing.cancel(own, account, number, now())
    )
    assert done == [None, None] and errors(caplog) == []
    assert taken(db, creneau) == 0
    assert_sound(db)


@engines.on_mariadb
def test_a_change_that_lost_its_places_to_a_cancellation_is_told_that_it_changed(
    database_url, hall, chloe, account, db, tuesday, monkeypatch, caplog
):
    creneau, target = hall.at(tuesday, "10:00"), hall.at(tuesday, "15:00")
    number = hall.book(chloe, creneau)["id"]
    guards.everyone_looks_first(monkeypatch, 2, "_shift")
    works = [
        lambda own: changing.change(own, account, number, Change(1, creneau_id=target), now()),
        lambda own: changing.cancel(own, account, number, now()),
    ]
    done = guards.together(database_url, 2, lambda own: works.pop()(own))
    assert {type(one) for one in done} <= {type(None), StaleVersion}
    assert errors(caplog) == []
    assert_sound(db)


def test_a_cancellation_that_is_always_too_late_is_given_up(
    db, salon, visit, account, monkeypatch
):
    tries = []

    def beaten(*_):
        tries.append(1)
        raise StaleVersion()

    monkeypatch.setattr(changing, "_change", beaten)
    with pytest.raises(DatabaseUnavailable):
        changing.cancel(db, account, visit[0], now())
    assert len(tries) == changing._ATTEMPTS


def test_what_is_refused_because_of_a_drift_counts_as_failed(
    db, visit, account, lose, monkeypatch
):
    class Recorder(Counters):
        def count(self, *what):
            counted.append(what)

    counted = []
    number, slots = visit
    lose(*slots)
    monkeypatch.setattr(db, "counters", Recorder())
    with pytest.raises(PlacesNotHeld):
        changing.cancel(db, account, number, now())
    assert counted == [(BOOKINGS, "failed")]
