"""The chores of the worker: short steps, and mail in between."""

import time
from argparse import Namespace
from unittest.mock import Mock

import pytest

from reservation import logs
from reservation.commands import chores, worker
from reservation.commands.chores import Chore, Chores
from reservation.errors import WrongSchema
from reservation.settings import Settings
from reservation.storage.database import transaction
from tests import outboxes
from tests.calendars import lagging

SALONS = 60


def never() -> bool:
    return False


class Steps:
    """A chore of so many steps, which fails at the step `fails`."""

    def __init__(self, number, fails=None):
        self.number, self.fails = number, fails
        self.done = []

    def __call__(self, _now):
        for step in range(self.number):
            if step == self.fails:
                self.fails = None
                raise OSError
            self.done.append(step)
            yield


@pytest.fixture
def impatient(monkeypatch):
    """Makes each turn one step long."""
    monkeypatch.setattr(chores, "TURN", -1.0)


def test_a_turn_does_some_steps_and_the_next_turn_goes_on(impatient):
    first, second = Steps(2), Steps(1)
    all_ = Chores(Chore(600, first), Chore(600, second))
    assert [all_.work(never) for _ in range(4)] == [True, True, True, False]
    assert (first.done, second.done) == ([0, 1], [0])


def test_a_chore_is_due_again_after_its_interval():
    often, rarely = Steps(1), Steps(1)
    both = Chores(Chore(0, often), Chore(600, rarely))
    assert [both.work(never) for _ in range(3)] == [False] * 3
    assert (often.done, rarely.done) == ([0] * 3, [0])


def test_no_step_begins_after_a_signal():
    steps = Steps(5)
    all_ = Chores(Chore(600, steps))
    assert all_.work(lambda: len(steps.done) == 2)
    assert steps.done == [0, 1]


def test_a_chore_that_failed_starts_again_and_those_before_it_do_not():
    before, failing = Steps(1), Steps(2, fails=1)
    all_ = Chores(Chore(600, before), Chore(600, failing))
    with pytest.raises(OSError):
        all_.work(never)
    while all_.work(never):
        pass
    assert not all_.work(never)
    assert (before.done, failing.done) == ([0], [0, 0, 1])


def test_a_running_worker_begins_no_chore_in_a_database_that_is_being_restored(
    db, make_salon, alice, environ, monkeypatch
):
    make_salon(alice)
    now, found = int(time.time()), []
    monkeypatch.setattr(worker, "WorkerLoop", lambda *parts: found.append(parts[4]) or Mock())
    monkeypatch.setattr(logs, "set_up", Mock())  # or the log would stay for later tests
    worker.run(Namespace(once=False, beside=None, public_url=""), Settings.from_environ(environ))
    db.write("UPDATE schema_version SET nom = 'restore 1234', termine_le = NULL")
    try:
        with pytest.raises(WrongSchema):
            found[0].work(never)
        assert lagging(db, now)
    finally:
        db.write("UPDATE schema_version SET nom = '', termine_le = 1")
    outboxes.wait_for(lambda: not found[0].work(never) and not lagging(db, now))


@pytest.fixture
def long_calendars(db, make_salon, alice):
    """Returns the number of businesses, each with a year of slots still to be made."""
    salon = make_salon(alice, horizonJours=365)
    names = [field.name for field in db.get_columns("entreprise")]
    columns = ", ".join(name for name in names if name not in ("id", "adresse_courte"))
    hours = "jour, debut, fin, pas_minutes, capacite"

    def copy() -> None:
        for number in range(1, SALONS):
            db.write(
                f"INSERT INTO entreprise (id, adresse_courte, {columns})"
                f" SELECT id + ?, ?, {columns} FROM entreprise WHERE id = ?",
                number, f"salon-{number}", salon.id,
            )
            db.write(
                "INSERT INTO ressource (entreprise_id, genre, nom, description, ordre,"
                " semaine_propre, actif, flux_version, version, cree_le)"
                " SELECT entreprise_id + ?, genre, nom, description, ordre, semaine_propre,"
                " actif, flux_version, version, cree_le FROM ressource WHERE entreprise_id = ?",
                number, salon.id,
            )
            db.write(
                f"INSERT INTO semainetype (entreprise_id, {hours})"
                f" SELECT entreprise_id + ?, {hours} FROM semainetype WHERE entreprise_id = ?",
                number, salon.id,
            )

    transaction(db, copy)
    return SALONS


def test_mail_does_not_wait_until_all_calendars_are_extended(
    db, visit, post, work, long_calendars
):
    now = int(time.time())
    work(SMTP_URL=post.url)
    outboxes.wait_for(lambda: len(lagging(db, now)) < long_calendars)
    outboxes.queue(db, visit, outboxes.people(1))
    outboxes.wait_for(lambda: outboxes.is_over(db))
    assert lagging(db, now)
    outboxes.wait_for(lambda: not lagging(db, now), seconds=60)
