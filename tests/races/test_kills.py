"""SIGKILL of random workers, of the whole server, and of a process at each statement."""

import random
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from datetime import timedelta

import psutil
import pytest

from reservation.domain.booking import invariant
from tests.races.clients import Asking, from_processes, persist
from tests.races.dying import STEPS
from tests.races.soundness import assert_sound

EVERY = 0.25  # seconds between two kills
LASTING = 4.0
FEW, MOST = 5, 60  # bookings per client
PROCESSES, CLIENTS = 4, 3  # PROCESSES client processes with CLIENTS clients each


def book_and_cancel(port, first, token, creneaux, prestation, until):
    """Runs the clients of one process; each client retries until the outcome is known.

    Returns (key, id, cancelled) for each booking answered with 201, and the other statuses.
    """
    known, refused = [], []

    def client(number):
        chance = random.Random(f"{first}.{number}")
        for turn in range(MOST):
            if time.monotonic() > until and len(known) >= FEW * CLIENTS:
                break
            key = f"{first}.{number}.{turn}"
            body = {"creneauId": chance.choice(creneaux), "prestationId": prestation}
            answer = persist(port, Asking("POST", "/api/reservations", token, body, key))
            if answer.status != 201:
                refused.append(answer.status)
                continue
            path = f"/api/reservations/{answer.body['id']}"
            cancelled = chance.random() < 0.5
            if cancelled:
                refused.append(persist(port, Asking("DELETE", path, token)).status)
            known.append((key, answer.body["id"], cancelled))
            time.sleep(0.02)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return known, refused


def workers_of(server):
    return psutil.Process(server.process.pid).children()


def kill_workers(server, until, every=EVERY, least=0.0):
    """Kills a random worker every `every` seconds until `until`, and more than `least` workers.
    Returns the killed pids."""
    killed = []
    while time.monotonic() < until or len(killed) <= least:
        time.sleep(every)
        if workers := workers_of(server):
            worker = random.choice(workers)
            with suppress(psutil.NoSuchProcess):  # ended since the listing
                worker.kill()
                killed.append(worker.pid)
    return killed


def start_clients(server, customers, hall, creneaux, until):
    """Starts the client processes from a thread; returns the thread and its list of results."""
    heard = []
    jobs = [
        (server.port, first, customers[first].token, creneaux, hall.coupe, until)
        for first in range(PROCESSES)
    ]
    thread = threading.Thread(
        target=lambda: heard.extend(from_processes(book_and_cancel, jobs))
    )
    thread.start()
    return thread, heard


def times_of(hall, tuesday):
    days = (tuesday, tuesday + timedelta(days=1))
    return [one["id"] for day in days for one in hall.free(day)]


def assert_nothing_was_lost(db, heard):
    """Asserts that exactly the bookings that were answered are stored, in the answered state."""
    answered = {key: (number, gone) for known, _ in heard for key, number, gone in known}
    stored = {
        key: (number, statut == "annulee")
        for key, number, statut in db.rows("SELECT cle_idempotence, id, statut FROM reservation")
    }
    assert stored == answered
    assert_sound(db)


def test_workers_killed_while_they_book_lose_nothing_and_double_nothing(
    hall, customers, serve, db, tuesday
):
    creneaux = times_of(hall, tuesday)
    server = serve("--workers", "2", fresh=True)
    until = time.monotonic() + LASTING
    clients, heard = start_clients(server, customers, hall, creneaux, until)
    killed = kill_workers(server, until, EVERY, LASTING / EVERY / 2)
    clients.join(timeout=60)
    assert len(killed) > LASTING / EVERY / 2
    assert sum(len(known) for known, _ in heard) > 50
    assert set(Counter(sum((refused for _, refused in heard), []))) <= {204, 409}
    assert_nothing_was_lost(db, heard)


def test_after_the_death_of_every_process_a_new_start_is_ready_and_the_data_sound(
    hall, customers, serve, db, tuesday
):
    creneaux = times_of(hall, tuesday)
    server = serve("--workers", "2")
    until = time.monotonic() + 1.5
    clients, heard = start_clients(server, customers, hall, creneaux, until)
    time.sleep(0.7)
    for process in [psutil.Process(server.process.pid), *workers_of(server)]:
        process.kill()
    server.process.wait(timeout=5)
    began = time.monotonic()
    again = serve("--workers", "2", "--port", str(server.port))
    with urllib.request.urlopen(again.url + "/ready", timeout=5) as answer:
        assert answer.status == 200
    assert time.monotonic() - began < 5
    clients.join(timeout=60)
    assert sum(len(known) for known, _ in heard) > 10
    assert_nothing_was_lost(db, heard)


def die_and_do(url, step, reservation, account, creneau, hall, *options):
    """Runs tests.races.dying; returns its output."""
    numbers = (reservation, account.id, creneau, hall.coupe)
    done = subprocess.run(
        [sys.executable, "-m", "tests.races.dying", url, step, *map(str, numbers), *options],
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def state(db):
    return db.rows("SELECT creneau_id, statut, version FROM reservation ORDER BY id")


@pytest.mark.parametrize("step", STEPS)
def test_after_a_death_at_each_of_its_statements_a_step_is_done_just_once(
    step, database_url, hall, chloe, account, db, tuesday
):
    first, second = hall.at(tuesday, "10:00"), hall.at(tuesday, "15:00")
    booked = hall.book(chloe, first)
    deaths = int(die_and_do(database_url, step, booked["id"], account, second, hall))
    assert deaths >= 7  # BEGIN, the reads, three writes, COMMIT
    assert state(db) == {
        "book": [(first, "confirmee", 1), (second, "confirmee", 1)],
        "move": [(second, "confirmee", 2)],
        "cancel": [(first, "annulee", 2)],
    }[step]
    assert [genre for (genre,) in db.rows("SELECT genre FROM eventemail ORDER BY id")] == {
        "book": ["confirmee", "rappel", "nouvelle"] * 2,
        "move": ["confirmee", "nouvelle", "deplacee", "rappel", "deplacement"],
        "cancel": ["confirmee", "nouvelle", "annulee", "annulation"],
    }[step]
    assert_sound(db)


@pytest.mark.parametrize("step", STEPS)
def test_negative_control_without_a_transaction_a_death_leaves_half(
    step, database_url, hall, chloe, account, db, tuesday
):
    booked = hall.book(chloe, hall.at(tuesday, "10:00"))
    before, second = state(db), hall.at(tuesday, "15:00")
    die_and_do(
        database_url, step, booked["id"], account, second, hall, "without-transactions"
    )
    assert state(db) == before
    assert invariant.breaches(db, hall.id)
