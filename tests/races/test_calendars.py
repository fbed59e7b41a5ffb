"""Changes and extensions of a calendar that is booked at the same time."""

import random
import threading
import time
from collections import Counter
from datetime import date, timedelta
from urllib.parse import urlencode

import peewee
import pytest

from reservation.conflicts import SlotTaken
from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import calendar, reconciling
from reservation.domain.calendar.terms import terms
from reservation.domain.planning import businesses, hours
from reservation.lib import instants
from reservation.storage.database import connect, forget
from tests import engines
from tests.calendars import calendar_of
from tests.clock import now
from tests.conftest import WEEK
from tests.races import guards
from tests.races.clients import Answer, Asking, from_processes, patient, send, statuses, storm
from tests.races.conftest import CAPACITY
from tests.races.soundness import assert_sound, faults, taken

LASTING = 3.0
MOST = 150  # bookings of one client process
LENGTHS = (30, 60, 45, 20)


def week(capacity, minutes=30):
    return [{**row, "capacite": capacity, "pasMinutes": minutes} for row in WEEK]


def free_times(salon_id, prestation, days):
    query = urlencode({"prestation": prestation, "du": days[0], "au": days[-1]})
    return Asking("GET", f"/api/entreprises/{salon_id}/creneaux?{query}", "")


def book_what_is_free(port, name, token, listing, prestation, until):
    """Lists free times and books one, repeatedly, in a process. Returns the answers."""
    chance, answers = random.Random(name), []
    while time.monotonic() < until and len(answers) < MOST:
        free = send(port, listing)
        if free.status == 200 and free.body:
            body = {"creneauId": chance.choice(free.body)["id"], "prestationId": prestation}
            asking = Asking("POST", "/api/reservations", token, body)
        else:
            asking = listing
        answer = send(port, asking)
        answers.append(Answer(answer.status, answer.body if answer.status >= 500 else None))
    return answers


def replace_weeks(port, salon, weeks, until):
    """Replaces the week repeatedly, by each of the weeks at least once. Returns the answers."""
    answers = []
    path = f"/api/entreprises/{salon.id}/semainetype"
    while time.monotonic() < until or len(answers) < len(weeks):
        body = weeks[len(answers) % len(weeks)]
        answers.append(send(port, Asking("PUT", path, salon.owner.token, body)))
    return answers


def while_booked(port, salon, customers, days, weeks):
    """Replaces the week while four client processes book. Returns all answers."""
    until = time.monotonic() + LASTING
    listing, changes = free_times(salon.id, salon.coupe, days), []
    owner = threading.Thread(
        target=lambda: changes.extend(replace_weeks(port, salon, weeks, until))
    )
    owner.start()
    jobs = [
        (port, one.email, one.token, listing, salon.coupe, until) for one in customers
    ]
    answers = sum(from_processes(book_what_is_free, jobs), [])
    owner.join(timeout=30)
    return answers, changes


def test_a_week_of_other_slots_while_it_is_booked_overlaps_nothing(
    hall, customers, port, db, tuesday
):
    days = [tuesday, tuesday + timedelta(days=1)]
    weeks = [week(CAPACITY, minutes) for minutes in LENGTHS]
    answers, changes = while_booked(port, hall, customers, days, weeks)
    assert statuses(changes) == {200: len(changes)} and len(changes) > 3
    seen = statuses(answers)
    assert set(seen) <= {200, 201, 409}, [one for one in answers if one.status > 499][:3]
    assert db.rows("SELECT COUNT(*) FROM reservation") == [(seen[201],)]
    assert_sound(db)


def test_a_capacity_lowered_below_what_is_taken_loses_no_booking_and_sells_no_more(
    hall, customers, port, db, tuesday
):
    weeks = [week(capacity) for capacity in (2, 5, 1, CAPACITY)]
    answers, changes = while_booked(port, hall, customers, [tuesday], weeks)
    assert statuses(changes) == {200: len(changes)} and len(changes) > 3
    seen = statuses(answers)
    assert set(seen) <= {200, 201, 409}, [one for one in answers if one.status > 499][:3]
    assert db.rows("SELECT COUNT(*) FROM reservation") == [(seen[201],)]
    assert_sound(db)


def the_week_changes_before_the_transaction(monkeypatch, url, hall, rows):
    """Replaces the week just before the transaction of a booking."""
    inner = calendar.run

    def change_and_run(*args, **how):
        own = connect(url)
        hours.replace(own, businesses.get(own, hall.id), rows, int(time.time()))
        forget(own)
        return inner(*args, **how)

    monkeypatch.setattr(calendar, "run", change_and_run)


def stored_week(minutes):
    return [
        {"jour": jour, "debut": 540, "fin": 1080, "pas_minutes": minutes, "capacite": 7,
         "prestation_id": None}
        for jour in range(2, 7)
    ]


def test_a_booking_of_a_creneau_that_a_new_week_just_replaced_is_refused_or_good(
    database_url, hall, account, db, tuesday, monkeypatch
):
    """A slot of an hour now starts where a slot of half an hour did."""
    request = Request(hall.at(tuesday, "10:00"), hall.coupe)
    the_week_changes_before_the_transaction(monkeypatch, database_url, hall, stored_week(60))
    try:
        booking.book(db, account, request, now())
    except SlotTaken:
        pass
    assert_sound(db)


def test_a_move_to_a_creneau_that_a_new_week_just_replaced_is_refused_or_good(
    database_url, hall, chloe, account, db, tuesday, monkeypatch
):
    number = hall.book(chloe, hall.at(tuesday, "15:00"))["id"]
    target = Change(1, creneau_id=hall.at(tuesday, "10:00"))
    the_week_changes_before_the_transaction(monkeypatch, database_url, hall, stored_week(60))
    try:
        changing.change(db, account, number, target, now())
    except SlotTaken:
        pass
    assert_sound(db)


def book_while_the_week_changes(monkeypatch, url, hall, account, creneau):
    """Books after the change has read the booked slots and before it writes."""
    def book():
        own = connect(url)
        try:
            booking.book(own, account, Request(creneau, hall.coupe), now())
        except Exception:
            pass  # other tests check the answer
        forget(own)

    started = guards.amid_a_change(monkeypatch, book)
    own = connect(url)
    hours.replace(own, businesses.get(own, hall.id), stored_week(45), int(time.time()))
    forget(own)
    started[0].join(timeout=30)


def test_who_books_while_the_week_changes_waits_for_it(
    database_url, hall, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    book_while_the_week_changes(monkeypatch, database_url, hall, account, creneau)
    assert_sound(db)


def test_negative_control_without_the_lock_the_change_takes_a_booked_time_away(
    database_url, hall, account, db, tuesday, monkeypatch
):
    creneau = hall.at(tuesday, "10:00")
    guards.without_locks(monkeypatch)
    book_while_the_week_changes(monkeypatch, database_url, hall, account, creneau)
    assert faults(db, " has lost the slot ")


@engines.on_mariadb
@pytest.mark.parametrize(
    "step",
    [
        lambda db, hall: calendar.lock(db, hall.id),
        lambda db, hall: calendar.next_slice(db, hall.id, until=0, now=0),
        lambda db, hall: terms(db, hall.id, hall.coupe, shared=True),
    ],
    ids=["changes", "extends", "books"],
)
def test_who_changes_a_calendar_waits_for_who_changes_or_books_it(database_url, hall, db, step):
    other = connect(database_url)
    other.execute_sql("SET SESSION innodb_lock_wait_timeout = 1")
    with db.transaction():
        step(db, hall)
        with pytest.raises(peewee.OperationalError, match="1205"):
            calendar.lock(other, hall.id)
    calendar.lock(other, hall.id)
    forget(other)


@pytest.fixture
def twin(make_salon, bob):
    """Returns a salon with the same week, whose calendar one client creates alone."""
    return make_salon(bob, week(CAPACITY))


def slots_of(db, salon):
    return db.rows(
        "SELECT debut, fin, ouverture, capacite, ouvert, places_prises FROM creneau"
        " WHERE ressource_id = ? ORDER BY debut", calendar_of(db, salon.id),
    )


def test_a_calendar_extended_by_many_at_once_is_that_which_one_makes(
    hall, twin, client, port, db
):
    for far in (10, 20, 45, 80):
        day = date.today() + timedelta(days=far)
        askings = [
            free_times(hall.id, hall.coupe, [day + timedelta(days=number % 3)])
            for number in range(8)
        ]
        assert statuses(storm(port, askings, ask=patient)) == {200: 8}
    twin.free(date.today() + timedelta(days=82))
    made = slots_of(db, hall)
    assert len(made) > 500
    assert made == slots_of(db, twin)
    assert_sound(db)


def extend_together(url, salon, people=8):
    """Extends the calendar in several threads at once. Counts the types of the results."""
    until = instants.midnight(date.today() + timedelta(days=30), instants.zone_of("UTC"))

    def work(db):
        calendar.extend(db, businesses.get(db, salon.id), until, int(time.time()))

    return Counter(type(one).__name__ for one in guards.together(url, people, work))


def test_those_who_all_found_a_calendar_too_short_make_it_once(
    database_url, hall, db, monkeypatch
):
    guards.everyone_comes_to(monkeypatch, 8, calendar, "transaction")
    assert extend_together(database_url, hall) == {"NoneType": 8}
    assert len(slots_of(db, hall)) > 100
    assert_sound(db)


@pytest.mark.parametrize("database_url", [guards.ONE_START], indirect=True)
def test_negative_control_without_lock_and_unique_start_each_makes_it_again(
    database_url, hall, db, monkeypatch
):
    guards.without_locks(monkeypatch)
    guards.everyone_comes_to(monkeypatch, 2, reconciling, "_freeze")  # after reading
    assert extend_together(database_url, hall, 2) == {"NoneType": 2}
    made = slots_of(db, hall)
    assert len(made) > len(set(made)) > 200
    assert faults(db, " overlaps slot ")


def test_places_taken_are_never_above_the_capacity_that_a_change_leaves(
    hall, chloe, client, db, tuesday
):
    """Sequential: the expected result of the race above."""
    creneau = hall.at(tuesday, "10:00")
    for _ in range(4):
        hall.book(chloe, creneau)
    path = f"/api/entreprises/{hall.id}/semainetype"
    client.put(path, week(2), token=hall.owner.token)
    hall.book(chloe, creneau, expect=409)
    assert taken(db, creneau) == 4
    assert_sound(db)
