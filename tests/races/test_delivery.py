"""Each message is delivered exactly once, with several workers and with workers that die."""

import re
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta

import pytest

from reservation.domain.messages import claims
from reservation.storage.database import MySQL, connect, forget
from tests import engines, outboxes
from tests.domain import relays
from tests.domain.relays import BrokenRelay
from tests.outboxes import is_over, let_pauses_pass, people, posts, queue, wait_for
from tests.races import guards
from tests.races.clients import Asking, patient, statuses, storm
from tests.races.soundness import assert_sound

# SIGKILL.


def die_and_deliver(url, post, visit, *options):
    """Runs tests.races.dying_worker; returns for each death whether the message was sent."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.races.dying_worker", url, str(post.port), str(visit),
         *options],
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [line == "1" for line in done.stdout.split()]


def test_a_death_before_any_statement_loses_no_message_and_repeats_only_what_was_sent(
    database_url, db, visit, post
):
    sent = die_and_deliver(database_url, post, visit)
    assert sent.count(False) >= 6  # BEGIN, claim, COMMIT, and the reads of the booking
    assert sent.count(True) >= 4  # BEGIN, the mark, the look at the visit, COMMIT
    copies = Counter(post.told)
    assert [copies[f"{n}@example.fr"] for n in range(len(sent) + 1)] == [
        *(1 + before for before in sent[:sent.index(True) + 4]),
        *[1] * (len(sent) + 1 - sent.index(True) - 4),  # already marked as sent
    ]
    assert is_over(db)
    for who in copies:
        same = [one.mail["Message-ID"] for one in post.received if one.recipients == [who]]
        assert len(set(same)) == 1
    assert len({one.mail["Message-ID"] for one in post.received}) == len(copies)


def test_negative_control_without_leases_a_death_loses_messages(
    database_url, db, visit, post
):
    deaths = len(die_and_deliver(database_url, post, visit, "without-lease"))
    assert set(people(deaths + 1)) - set(post.told)
    assert "envoi" in {one.statut for one in posts(db)}


def test_a_worker_killed_when_the_relay_accepts_repeats_one_message_alone(
    db, visit, post, work
):
    queue(db, visit, people(5))
    first = work(SMTP_URL=post.url)
    post.then = lambda: first.kill() if len(post.received) == 3 else None
    assert first.status() == -9
    assert [one.statut for one in posts(db)] == ["envoye"] * 2 + ["envoi"] * 3
    post.then = None
    let_pauses_pass(db)
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert post.told == [f"{n}@example.fr" for n in (0, 1, 2, 2, 3, 4)]
    assert post.received[2].mail["Message-ID"] == post.received[3].mail["Message-ID"]
    assert is_over(db)


def test_what_a_dead_worker_had_claimed_is_due_when_its_lease_ends(
    db, visit, post, monkeypatch
):
    monkeypatch.setattr(claims, "LEASE", 2)
    monkeypatch.setattr(claims, "MARGIN", 0)
    queue(db, visit, people(2))
    mine = outboxes.delivery(db, post.port)
    now = int(time.time())
    assert len(claims.take(db, now, now + 2)) == 2  # a worker claims the messages and dies
    assert mine.deliver() == 0
    wait_for(lambda: mine.deliver() == 2)
    assert time.time() >= now + 2
    assert post.told == people(2)


# Two workers.


def test_two_workers_send_500_messages_once_each(db, visit, post, work):
    workers = [work(SMTP_URL=post.url) for _ in range(2)]
    queue(db, visit, ["a@example.fr", "b@example.fr"])
    wait_for(lambda: is_over(db))
    queue(db, visit, people(500))
    wait_for(lambda: is_over(db), seconds=60)
    for worker in workers:
        worker.tell()
        assert worker.status() == 0
    shares = [set(re.findall(r"message (\d+), confirmee: sent", one.output)) for one in workers]
    assert all(len(share) >= 50 for share in shares)
    assert not shares[0] & shares[1]
    assert Counter(post.told[2:]) == Counter(people(500))
    assert {one.essais for one in posts(db)} == {1}


@engines.on_mariadb
def test_two_workers_that_look_at_once_claim_each_message_once(
    database_url, db, visit, monkeypatch
):
    """The second worker waits until the first worker's claim is committed."""
    queue(db, visit, people(6))
    now, inner, claimed = int(time.time()), claims.QueuedMessage, []

    def slow(*row):
        if not claimed:
            claimed.append(None)
            time.sleep(0.5)
        return inner(*row)

    monkeypatch.setattr(claims, "QueuedMessage", slow)
    found = guards.together(database_url, 2, lambda own: claims.take(own, now, now + 120))
    assert sorted(len(rows or []) for rows in found) == [0, 6]


def test_negative_control_without_the_lock_two_workers_send_everything_twice(
    database_url, db, visit, post, monkeypatch
):
    """Both workers read the queue before either claims a message."""
    queue(db, visit, people(6))
    if engines.ENGINE == "sqlite":
        guards.without_transactions(monkeypatch, claims)
    else:
        monkeypatch.setattr(MySQL, "FOR_UPDATE", "")
    guards.everyone_comes_to(monkeypatch, 2, claims, "QueuedMessage")
    tried = guards.together(
        database_url, 2, lambda own: outboxes.delivery(own, post.port).deliver()
    )
    assert tried == [6, 6]
    assert Counter(post.told) == dict.fromkeys(people(6), 2)


def outlast(database_url, db, visit, post, monkeypatch):
    """Lets a worker send for longer than its lease while a second worker takes over.

    The second worker's relay refuses the message. Returns the row of the outbox.
    """
    monkeypatch.setattr(claims, "LEASE", 1)
    monkeypatch.setattr(claims, "MARGIN", 0)
    full = relays.Handler(replies={"RCPT": "452 full"})
    relay = relays.started(full)

    def be_slow():
        own = connect(database_url)
        wait_for(lambda: outboxes.delivery(own, relay.port).deliver() == 1)
        forget(own)

    post.then = be_slow
    queue(db, visit, ["x@example.fr"])
    outboxes.delivery(db, post.port).deliver()
    relay.stop()
    (row,) = posts(db)
    return row


def test_a_worker_that_outlasts_its_lease_changes_nothing_that_another_took_over(
    database_url, db, visit, post, monkeypatch
):
    row = outlast(database_url, db, visit, post, monkeypatch)
    assert (row.statut, row.essais, row.envoye_le) == ("attente", 2, None)
    assert "452" in row.derniere_erreur


def test_negative_control_without_the_condition_of_the_mark_it_changes_it(
    database_url, db, visit, post, monkeypatch
):
    monkeypatch.setattr(claims, "_MINE", " WHERE id = ? AND ? > 0")
    row = outlast(database_url, db, visit, post, monkeypatch)
    assert (row.statut, row.derniere_erreur) == ("envoye", None)


# An unreachable relay.


class Counting(BrokenRelay):
    """A silent relay that counts its callers."""

    def __init__(self):
        self.callers = 0
        super().__init__("greeting", relays.hang)
        self.url = f"smtp://127.0.0.1:{self.port}"

    def _talk(self, connection):
        self.callers += 1
        super()._talk(connection)


@pytest.mark.parametrize("hangs", [False, True], ids=["nothing listens", "it hangs"])
def test_no_booking_waits_for_a_relay_that_is_away_and_all_messages_come_afterwards(
    hangs, hall, customers, serve, work, db, post, tuesday
):
    outboxes.empty(db)
    away = Counting()
    if not hangs:
        away.stop()
    port = serve("--workers", "2", SMTP_URL=away.url).port
    creneaux = [one["id"] for day in (0, 1) for one in hall.free(tuesday + timedelta(days=day))]
    callers = away.callers
    askings = [
        Asking("POST", "/api/reservations", customers[n % 4].token,
               {"creneauId": creneaux[n // 4], "prestationId": hall.coupe})
        for n in range(100)
    ]
    assert statuses(storm(port, askings, ask=patient)) == {201: 100}
    assert away.callers == callers
    if hangs:  # a worker does connect to such a relay
        worker = work(SMTP_URL=away.url)
        wait_for(lambda: away.callers > callers)
        worker.kill()
        assert worker.status() == -9
        let_pauses_pass(db)
    away.stop()
    assert work("--once", SMTP_URL=post.url).status() == 0
    told = Counter(post.told)
    assert told.pop(hall.owner.email) == 100
    assert told == {customer.email: 25 for customer in customers}
    assert_sound(db)
