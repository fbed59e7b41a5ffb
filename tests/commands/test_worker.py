"""`reservation worker`: shutdown, tolerated failures, and calendars."""

import signal
import sqlite3
import threading
import time

import pytest

from reservation.domain.messages import claims, delivery, senders
from reservation.domain.outbox import holding
from reservation.domain.people import attempts, credentials, resetting
from reservation.domain.planning import businesses
from reservation.storage import database
from reservation.storage.database import connect, forget, transaction
from reservation.storage.turn import Turn
from tests import engines, outboxes
from tests.calendars import lagging
from tests.outboxes import is_over, people, posts, queue, wait_for
from tests.races.soundness import assert_sound

# Shutdown of the worker.


@pytest.mark.parametrize("options", [[], ["--once"]])
def test_sigterm_ends_it_between_two_messages_and_what_is_left_goes_back_at_once(
    db, visit, post, work, options
):
    queue(db, visit, people(5), due=1000)
    worker = work(*options, SMTP_URL=post.url)
    post.then = lambda: worker.tell() if len(post.received) == 2 else None
    assert worker.status() == 0
    assert post.told == people(2)
    assert [(one.statut, one.essais) for one in posts(db)[:2]] == [("envoye", 1)] * 2
    left = [(one.statut, one.essais, one.prochain_essai) for one in posts(db)[2:]]
    assert left == [("attente", 0, 1000)] * 3


def test_sigterm_ends_it_although_the_relay_has_not_answered_yet(db, visit, post, work):
    """The message stays claimed and is retried when its lease expires."""
    post.moods["0@example.fr"] = post.keeps_and_answers_after(60)
    queue(db, visit, people(3))
    worker = work(SMTP_URL=post.url)
    wait_for(lambda: [one.statut for one in posts(db)] == ["envoi", "envoye", "envoye"])
    began = time.monotonic()
    worker.tell()
    assert worker.status() == 0
    assert time.monotonic() - began < 6
    assert "Traceback" not in worker.output
    left = posts(db)[0]
    assert left.statut == "envoi"
    assert time.time() < left.prochain_essai <= time.time() + claims.LEASE
    outboxes.let_pauses_pass(db)
    post.moods.clear()
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert post.told == [*people(3), "0@example.fr"]


def test_once_waits_for_the_answer_of_the_relay(db, visit, post, work):
    post.moods["0@example.fr"] = post.keeps_and_answers_after(4)
    queue(db, visit, people(2))
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert post.told == people(2)
    assert is_over(db)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_one_that_has_nothing_to_do(db, visit, post, work, number):
    queue(db, visit, people(1))
    worker = work(SMTP_URL=post.url)
    wait_for(lambda: is_over(db))
    time.sleep(0.15)
    worker.tell(number)
    assert worker.status() == 0
    assert "Traceback" not in worker.output


def test_once_does_what_is_due_and_ends_without_a_terminal(db, visit, post, work):
    queue(db, visit, people(3))
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert post.told == people(3)
    assert is_over(db)


def test_once_ends_although_the_relay_is_not_there_and_loses_nothing(db, visit, work):
    queue(db, visit, people(3))
    worker = work("--once", SMTP_URL=f"smtp://127.0.0.1:{engines.free_port()}")
    assert worker.status() == 0
    assert [(one.statut, one.essais) for one in posts(db)] == [("attente", 1)] * 3
    assert worker.output.count("not sent: ConnectionRefusedError") == 3


def test_one_beside_a_process_ends_when_that_is_gone(db, visit, post, work):
    """`--beside 1` names a process that is not the parent, as after the parent's death."""
    assert work("--beside", "1", SMTP_URL=post.url).status() == 0


def test_once_sends_everything_through_a_slow_relay(db, visit, post, work):
    """Sending takes longer than the turn of a delivery."""
    post.then = lambda: time.sleep(0.5)
    number = int(delivery.TURN / 0.5) + 5
    queue(db, visit, people(number))
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert post.told == people(number)


def test_chores_do_not_wait_until_all_messages_are_sent(db, visit, post, work):
    code = "INSERT INTO code (cle, empreinte, essais, jusqua) VALUES ('a', 'b', 0, 1)"
    transaction(db, lambda: db.write(code))
    post.then = lambda: time.sleep(0.5)
    queue(db, visit, people(60))
    work(SMTP_URL=post.url)
    wait_for(lambda: db.rows("SELECT COUNT(*) FROM code") == [(0,)])
    assert 0 < len(post.told) < 60


# Failures that the worker survives.


def test_a_relay_that_is_down_is_tried_again(db, visit, post, work):
    queue(db, visit, people(2))
    post.replies["MAIL"] = "450 later"
    work(SMTP_URL=post.url)
    wait_for(lambda: all(one.derniere_erreur for one in posts(db)))
    post.replies.clear()
    outboxes.let_pauses_pass(db)
    wait_for(lambda: is_over(db))
    assert sorted(post.told) == people(2)


@engines.on_mariadb
def test_it_goes_on_when_a_server_that_was_stopped_is_back(
    mariadb, db, visit, post, work
):
    worker = work(SMTP_URL=post.url)
    for number in range(2):
        mariadb.stop()
        wait_for(lambda: worker.output.count("does not answer") > number)  # noqa: B023
        mariadb.start()
        queue(db, visit, [f"{number}@example.fr"])
        wait_for(lambda: is_over(db))
    assert post.told == people(2)
    assert worker.process.poll() is None


@engines.on_sqlite
def test_it_goes_on_when_a_file_that_was_locked_is_free(
    database_url, db, visit, post, work
):
    queue(db, visit, people(1))
    holder = connect(database_url)
    holder.begin()
    worker = work(SMTP_URL=post.url)
    wait_for(lambda: "does not answer" in worker.output)
    holder.rollback()
    forget(holder)
    wait_for(lambda: is_over(db))
    assert post.told == people(1)
    assert worker.process.poll() is None


@engines.on_sqlite
def test_its_log_says_who_keeps_the_database_locked(database_url, db, work):
    with Turn(str(db.database)).by(time.monotonic() + 1):
        worker = work()
        wait_for(lambda: "other processes have locked the database" in worker.output)
    holder = connect(database_url)
    holder.begin()
    wait_for(lambda: "database is locked" in worker.output)
    holder.rollback()
    forget(holder)
    assert "temporarily unavailable" not in worker.output


class Away:
    """A database that is unavailable for a while after the relay accepts a message."""

    def __init__(self, request, url):
        self._once, self._gone = threading.Lock(), threading.Event()
        if engines.ENGINE == "mariadb":
            self.server = request.getfixturevalue("mariadb")
        else:
            self.server, path = None, database.sqlite_path(url)
            self.holder = sqlite3.connect(path, check_same_thread=False)

    def go(self):
        if not self._once.acquire(blocking=False):
            return
        if self.server:
            self.server.stop()
        else:
            self.holder.execute("BEGIN IMMEDIATE")
        self._gone.set()

    def come_back(self):
        self._gone.wait()  # MySQL takes seconds to stop
        if self.server:
            self.server.start()
        else:
            self.holder.rollback()


def test_a_message_is_marked_although_the_database_went_away_when_it_was_sent(
    request, database_url, db, visit, post, monkeypatch
):
    monkeypatch.setattr(database, "PATIENCE", 0.1)
    monkeypatch.setattr(delivery, "ROUND", 30)
    failures, away = [], Away(request, database_url)

    def note(own):
        forget(own)
        failures.append(own)
        if len(failures) == 1:
            away.come_back()

    monkeypatch.setattr(senders, "forget", note)
    post.then = away.go
    queue(db, visit, people(3))
    assert outboxes.delivery(connect(database_url), post.port).deliver() == 3
    # The failure itself, and a sender thread that ends. MySQL takes seconds to start, and other
    # senders fail meanwhile.
    assert len(failures) == 2 or engines.MYSQLD and len(failures) > 2
    assert post.told == people(3)
    assert is_over(db)


def test_a_log_has_no_address_that_a_relay_quotes(db, visit, post, work):
    queue(db, visit, ["zoe.o'brien+1@elsewhere.example"])
    post.replies["RCPT"] = "550 <zoe.o'brien+1@elsewhere.example>: Recipient address rejected"
    worker = work("--once", SMTP_URL=post.url)
    assert worker.status() == 0
    assert ": not sent: 550 <" in worker.output and "Recipient address rejected" in worker.output
    assert "elsewhere" not in worker.output
    (reason,) = db.rows("SELECT derniere_erreur FROM eventemail")[0]
    assert "elsewhere.example" in reason


# Attempts.


def test_it_deletes_counts_of_attempts_that_are_older_than_a_day(db, work):
    now = int(time.time())
    for limit, age in ((credentials.FAILURES, 90_000), (resetting.PER_NETWORK, 80_000)):
        transaction(db, lambda: attempts.count(db, limit, "a", now - age))  # noqa: B023
    assert work("--once").status() == 0
    assert db.rows("SELECT cle FROM tentative") == [(resetting.PER_NETWORK.key("a"),)]


# Calendars.


def test_it_queues_what_a_quota_held_and_has_room_for(db, visit, work, post):
    queue(db, visit, people(2))
    db.write("UPDATE eventemail SET statut = 'retenu', derniere_erreur = ?", holding.TO_ADDRESS)
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert [(one.statut, one.derniere_erreur) for one in posts(db)] == [("attente", None)] * 2
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert post.told == people(2)


def test_two_at_once_make_the_calendars_up_to_their_horizon(db, make_salon, alice, bob, work):
    for owner in (alice, bob):
        make_salon(owner, horizonJours=60)
    now = int(time.time())
    assert len(lagging(db, now)) == 2
    workers = [work("--once") for _ in range(2)]
    assert [worker.status() for worker in workers] == [0, 0]
    assert [worker.output for worker in workers] == ["", ""]
    assert lagging(db, now) == []
    made = db.rows("SELECT COUNT(*), MAX(debut) FROM creneau GROUP BY ressource_id")
    assert made[0] == made[1]
    assert made[0][0] > 500 and made[0][1] > now + 55 * 86400
    assert_sound(db)


def test_a_business_whose_calendar_cannot_be_made_stops_no_other_business(
    db, make_salon, alice, bob, work
):
    broken, salon = make_salon(alice), make_salon(bob, horizonJours=60)
    db.write("UPDATE entreprise SET fuseau = 'Mars/Olympus' WHERE id = ?", broken.id)
    db.write("INSERT INTO code (cle, empreinte, essais, jusqua) VALUES ('a', 'b', 0, 1)")
    worker = work("--once")
    assert worker.status() == 0
    (line,) = worker.output.splitlines()
    assert line.endswith(
        f" ERROR calendar of business {broken.id} not extended:"
        " ValueError: must be an IANA time zone"
    )
    assert businesses.get(db, salon.id).calendrier_jusqua > time.time() + 55 * 86400
    assert db.rows("SELECT COUNT(*) FROM code") == [(0,)]
