"""The words of a business, while its services change, or while unused words are removed."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from reservation.domain.catalogue import search
from reservation.storage import words
from reservation.storage.database import connect, forget, transaction
from tests.races.clients import Asking, patient, statuses, storm

ROWS = "SELECT entreprise_id, mot, rang FROM occurrence ORDER BY mot"
LATER = 0.5  # seconds until another transaction waits for a lock
NAMES = ("Chignon", "Brushing", "Tresses africaines")


def assert_complete(db):
    indexed = db.rows(ROWS)
    transaction(db, lambda: words.index_all(db))
    assert db.rows(ROWS) == indexed


def test_a_service_that_is_added_while_another_changes_keeps_its_words(hall, db, monkeypatch):
    wanted, reading = words._wanted, threading.Event()

    def slowly(*args):
        found = wanted(*args)
        if not reading.is_set():
            reading.set()
            time.sleep(0.5)  # the other service comes between reading and writing
        return found

    monkeypatch.setattr(words, "_wanted", slowly)
    client, token = hall.client, hall.owner.token
    with ThreadPoolExecutor(1) as pool:
        path, body = f"/api/prestations/{hall.coupe}", {"nom": "Brushing", "dureeMinutes": 30}
        change = pool.submit(client.put, path, body, token=token)
        assert reading.wait(5)
        new = {"nom": "Chignon", "dureeMinutes": 30}
        client.post(f"/api/entreprises/{hall.id}/prestations", new, 201, token=token)
        change.result()
    assert_complete(db)


def test_the_words_are_those_of_the_services_after_changes_at_once(hall, port, db, monkeypatch):
    wanted = words._wanted

    def slowly(*args):
        found = wanted(*args)
        time.sleep(0.02)  # so that another change comes between reading and writing
        return found

    monkeypatch.setattr(words, "_wanted", slowly)
    changes = [
        Asking("PUT", f"/api/prestations/{service}", hall.owner.token,
               {"nom": name, "dureeMinutes": 30})
        for _ in range(5) for name in NAMES for service in (hall.coupe, hall.couleur)
    ]
    more = [
        Asking("POST", f"/api/entreprises/{hall.id}/prestations", hall.owner.token,
               {"nom": f"{name} {number}", "dureeMinutes": 30})
        for name in NAMES for number in ("court", "long")
    ]
    answers = storm(port, changes + more, ask=patient)
    assert statuses(answers) == {200: len(changes), 201: len(more)}
    assert_complete(db)
    assert [one.id for one in search.businesses(db, q="chignon court", most=9)] == [hall.id]


@pytest.fixture
def describe(hall):
    """Replaces the description of the salon."""

    def describe(description):
        body = {"nom": "Salon alice", "ville": "Lyon", "description": description}
        hall.client.put(f"/api/entreprises/{hall.id}", body, token=hall.owner.token)

    return describe


def finds(db, q):
    return [one.id for one in search.businesses(db, q=q, most=9)]


def test_a_word_that_a_business_begins_to_use_before_its_removal_is_kept(
    hall, db, database_url, describe, monkeypatch
):
    describe("Zornique")
    describe("")
    own, know = connect(database_url), words._know
    remove = partial(words._remove, own, ["zornique"])
    with ThreadPoolExecutor(1) as pool:
        removals = []

        def slowly(*args):
            know(*args)
            removals.append(pool.submit(transaction, own, remove))
            time.sleep(LATER)  # the removal comes between the two tables

        monkeypatch.setattr(words, "_know", slowly)
        describe("Zornique")
        removals[0].result()
        pool.submit(forget, own).result()
    assert finds(db, "zornique") == [hall.id]


def test_a_word_that_a_business_begins_to_use_during_its_removal_is_kept(hall, db, describe):
    describe("Zornique")
    describe("")
    with ThreadPoolExecutor(1) as pool:
        with db.transaction():
            words._remove(db, ["zornique"])
            change = pool.submit(describe, "Zornique")
            time.sleep(LATER)
            assert not change.done()
        change.result()
    assert finds(db, "zornique") == [hall.id]
