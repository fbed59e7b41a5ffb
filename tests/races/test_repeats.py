"""The same booking, cancellation or registration sent many times at once."""

from collections import Counter

import pytest

from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Request
from reservation.domain.calendar import calendar
from reservation.domain.lanes import Lane
from reservation.domain.people import accounts, passwords
from reservation.errors import EmailTaken
from tests import engines
from tests.clock import now
from tests.conftest import ROUNDS
from tests.races import guards
from tests.races.clients import Asking, patient, statuses, storm
from tests.races.conftest import CAPACITY
from tests.races.soundness import active, assert_sound, mails, taken, unannounced

MANY = 50
CROWD = 6  # less than CAPACITY


def test_one_key_sent_50_times_at_once_books_once(hall, chloe, port, db, tuesday):
    creneau = hall.at(tuesday, "10:00")
    body = {"creneauId": creneau, "prestationId": hall.coupe}
    asking = Asking("POST", "/api/reservations", chloe.token, body, "the-only-key")
    answers = storm(port, [asking] * MANY, ask=patient)
    assert statuses(answers) == {201: MANY}
    (number,) = {answer.body["id"] for answer in answers}
    assert active(db, creneau) == taken(db, creneau) == 1
    assert mails(db, number) == ["confirmee"]
    assert_sound(db)


def test_one_key_for_the_last_place_answers_everybody_the_same(salon, chloe, port, db, tuesday):
    """The repeats find the slot taken by the booking of the first request."""
    creneau = salon.at(tuesday, "10:00")
    body = {"creneauId": creneau, "prestationId": salon.coupe}
    asking = Asking("POST", "/api/reservations", chloe.token, body, "the-only-key")
    answers = storm(port, [asking] * MANY, ask=patient)
    assert statuses(answers) == {201: MANY}
    assert len({answer.body["id"] for answer in answers}) == 1
    assert_sound(db)


def book_with_one_key(url, account, hall, creneau):
    request = Request(creneau, hall.coupe, cle="the-only-key")
    return guards.together(url, CROWD, lambda db: booking.book(db, account, request, now()))


def test_one_key_books_once_though_nobody_knew_of_the_others(
    database_url, hall, account, db, tuesday, monkeypatch
):
    """All threads look the key up before any of them books."""
    creneau = hall.at(tuesday, "10:00")
    guards.everyone_comes_to(monkeypatch, CROWD, calendar, "run")
    results = book_with_one_key(database_url, account, hall, creneau)
    assert len(set(results)) == 1 and isinstance(results[0], int)
    assert taken(db, creneau) == 1
    assert_sound(db)


@pytest.mark.parametrize("database_url", [guards.ONE_KEY], indirect=True)
def test_negative_control_without_the_unique_key_it_books_several_times(
    database_url, hall, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    guards.everyone_comes_to(monkeypatch, CROWD, calendar, "run")
    results = book_with_one_key(database_url, account, hall, creneau)
    assert len(set(results)) == CROWD == active(db, creneau)


def test_50_cancellations_at_once_give_the_places_back_once(hall, chloe, bob, port, db, tuesday):
    creneau = hall.at(tuesday, "10:00")
    booked = [hall.book(who, creneau)["id"] for who in (chloe, bob, bob)]
    path = f"/api/reservations/{booked[0]}"
    answers = storm(port, [Asking("DELETE", path, chloe.token)] * MANY, ask=patient)
    assert statuses(answers) == {204: MANY}
    assert active(db, creneau) == taken(db, creneau) == 2
    assert mails(db, booked[0]) == ["confirmee", "annulee"]
    assert_sound(db)


def cancel_together(url, account, number):
    return guards.together(url, CROWD, lambda db: changing.cancel(db, account, number, now()))


@engines.on_mariadb
def test_those_who_all_saw_it_standing_cancel_it_once(
    database_url, hall, chloe, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    booked = [hall.book(chloe, creneau)["id"] for _ in range(CAPACITY)]
    guards.everyone_looks_first(monkeypatch, CROWD, "_check_change")
    assert cancel_together(database_url, account, booked[0]) == [None] * CROWD
    assert taken(db, creneau) == CAPACITY - 1
    assert_sound(db)


def test_negative_control_without_the_version_in_the_condition_each_gives_them_back(
    database_url, hall, chloe, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    booked = [hall.book(chloe, creneau)["id"] for _ in range(CAPACITY)]
    guards.without_version(monkeypatch)
    guards.everyone_looks_first(monkeypatch, CROWD, "_check_change")
    assert cancel_together(database_url, account, booked[0]) == [None] * CROWD
    assert taken(db, creneau) == CAPACITY - CROWD < active(db, creneau)
    assert unannounced(db)  # and each cancellation has queued a message


def test_an_e_mail_that_registers_20_times_at_once_has_one_account(port, db):
    body = {
        "email": "nora@example.fr", "password": "un bon mot de passe", "first_name": "Nora",
        "last_name": "Petit", "role": "student",
    }
    bodies = [{**body, "email": email} for email in ("nora@example.fr", "NORA@example.fr")] * 10
    answers = storm(port, [Asking("POST", "/auth/register", "", one) for one in bodies])
    seen = statuses(answers)
    assert seen[201] == 1
    assert seen[400] + seen[503] == 19  # the number of passwords hashed at once is limited
    refusals = Counter(one.body.get("error") for one in answers if one.status == 400)
    assert refusals == {"Email already exists": seen[400]}
    sql = "SELECT COUNT(*) FROM utilisateur WHERE LOWER(email) = ?"
    assert db.rows(sql, "nora@example.fr") == [(1,)]


def register_together(url, monkeypatch):
    """Registers in parallel; each thread sees the address free before any account exists."""
    monkeypatch.setattr(passwords, "lane", Lane(CROWD))
    guards.everyone_comes_to(monkeypatch, CROWD, passwords, "hashed")

    def work(db):
        return accounts.add(
            db, ROUNDS, email="nora@example.fr", password="x", role="student", nom="Petit",
            now=now(),
        )

    return guards.together(url, CROWD, work)


def test_those_who_all_found_the_e_mail_free_make_one_account(database_url, db, monkeypatch):
    results = register_together(database_url, monkeypatch)
    assert sum(isinstance(one, int) for one in results) == 1
    assert sum(isinstance(one, EmailTaken) for one in results) == CROWD - 1


@pytest.mark.parametrize("database_url", [guards.ONE_EMAIL], indirect=True)
def test_negative_control_without_the_unique_e_mail_each_makes_an_account(
    database_url, db, monkeypatch
):
    results = register_together(database_url, monkeypatch)
    assert all(isinstance(one, int) for one in results)
