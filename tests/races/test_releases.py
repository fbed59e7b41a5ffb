"""Cancellations and moves at the same time as changes of the weekly hours, or as each other."""

import threading
import time

import pytest

from reservation.domain.booking import changing
from reservation.domain.booking.requests import Change
from reservation.domain.calendar import calendar, freed, reconciling, stored_plans
from reservation.domain.planning import businesses, hours
from reservation.lib import instants
from reservation.storage.database import connect, forget
from reservation.storage.mysql import MySQL
from tests import engines
from tests.calendars import calendar_of
from tests.clock import now
from tests.races import guards
from tests.races.clients import Asking, from_processes, send, statuses
from tests.races.soundness import assert_sound
from tests.races.test_calendars import (
    LASTING,
    LENGTHS,
    free_times,
    replace_weeks,
    stored_week,
    week,
)


@pytest.fixture
def visits(hall, chloe, tuesday):
    """Three adjacent visits in slots of half an hour."""
    times = ("10:00", "10:30", "11:00")
    return [hall.book(chloe, hall.at(tuesday, time))["id"] for time in times]


def replace_week(db, hall, minutes):
    hours.replace(db, businesses.get(db, hall.id), stored_week(minutes), now())


@pytest.fixture
def follows_plan(db, hall, tuesday):
    """Returns a function that checks whether the unbooked slots from Tuesday on follow the
    plan."""

    def check():
        entreprise, number = businesses.get(db, hall.id), calendar_of(db, hall.id)
        start = instants.midnight(tuesday, instants.zone_of("Europe/Paris"))
        end = entreprise.calendrier_jusqua
        assert start < end
        plan = stored_plans.read(db, entreprise, start, end)[number]
        return reconciling.difference(db, number, plan, start, end).is_followed

    return check


@pytest.fixture(params=["cancelled", "moved"])
def release(request, account, hall, tuesday):
    """Returns a function that cancels a visit, or moves it to another time."""
    asked = Change(1, creneau_id=hall.at(tuesday, "16:00"))
    if request.param == "moved":
        return lambda db, number: changing.change(db, account, number, asked, now())
    return lambda db, number: changing.cancel(db, account, number, now())


def test_a_visit_released_while_the_week_changes_leaves_slots_of_the_new_week(
    database_url, hall, db, visits, release, follows_plan, monkeypatch
):
    """The release begins after the change has read the booked slots and before it writes."""
    results = []

    def give_back():
        own = connect(database_url)
        results.append(release(own, visits[0]))
        forget(own)

    started = guards.amid_a_change(monkeypatch, give_back)
    own = connect(database_url)
    replace_week(own, hall, 45)
    forget(own)
    started[0].join(timeout=30)
    assert results == [None]
    assert follows_plan()
    assert_sound(db)


@pytest.fixture
def retried(monkeypatch):
    """Lists the errors after which MariaDB repeats a transaction."""
    errors, is_passing = [], MySQL.is_passing
    monkeypatch.setattr(
        MySQL, "is_passing", lambda self, ex: errors.append(ex) or is_passing(self, ex)
    )
    return errors


def cancel_together(url, account, visits):
    numbers = iter(visits)
    return guards.together(
        url, len(visits), lambda db: changing.cancel(db, account, next(numbers), now())
    )


def test_adjacent_visits_that_are_cancelled_at_once_leave_slots_of_the_plan(
    database_url, hall, account, db, visits, follows_plan, retried, monkeypatch
):
    """Each cancellation waits until the others want to change the slots, or for half a second."""
    replace_week(db, hall, 45)
    inner, waiting = calendar.rebuild_slice, threading.Semaphore(0)

    def rebuild_slice(*args):
        waiting.release()
        for _ in visits:  # with the lock, one cancellation at a time comes here
            waiting.acquire(timeout=0.5 / len(visits))
        return inner(*args)

    monkeypatch.setattr(calendar, "rebuild_slice", rebuild_slice)
    assert cancel_together(database_url, account, visits) == [None] * len(visits)
    assert retried == []
    assert follows_plan()
    assert_sound(db)


@engines.on_mariadb
def test_cancellations_that_all_share_the_lock_of_the_calendar_do_not_deadlock(
    database_url, hall, account, db, visits, follows_plan, retried, monkeypatch
):
    replace_week(db, hall, 45)
    guards.everyone_comes_to(monkeypatch, len(visits), freed, "follow_plan")
    assert cancel_together(database_url, account, visits) == [None] * len(visits)
    assert retried == []
    assert follows_plan()
    assert_sound(db)


def book_and_cancel(port, name, token, listing, prestation, until):
    """Books free times and cancels each booking, in a process. Returns the answers."""
    answers, number = [], sum(map(ord, name))
    while time.monotonic() < until or statuses(answers)[201] < 2:
        free = send(port, listing).body or [{"id": 0}]
        number += 7
        body = {"creneauId": free[number % len(free)]["id"], "prestationId": prestation}
        answers.append(send(port, Asking("POST", "/api/reservations", token, body)))
        if answers[-1].status == 201:
            path = f"/api/reservations/{answers[-1].body['id']}"
            answers.append(send(port, Asking("DELETE", path, token)))
    return answers


def test_when_all_visits_are_cancelled_the_slots_follow_the_last_week(
    hall, customers, port, db, tuesday, follows_plan
):
    until, changes = time.monotonic() + LASTING, []
    weeks = [week(capacity, minutes) for capacity, minutes in zip((1, 7, 2, 3), LENGTHS)]
    owner = threading.Thread(
        target=lambda: changes.extend(replace_weeks(port, hall, weeks, until))
    )
    owner.start()
    listing = free_times(hall.id, hall.coupe, [tuesday])
    jobs = [(port, one.email, one.token, listing, hall.coupe, until) for one in customers]
    seen = statuses(sum(from_processes(book_and_cancel, jobs), []))
    owner.join(timeout=30)
    assert statuses(changes) == {200: len(changes)} and len(changes) > 3
    assert set(seen) <= {201, 204, 409} and seen[201] == seen[204] > 3
    assert follows_plan()
    assert_sound(db)
