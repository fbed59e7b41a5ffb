"""The words of a business, while its services change at once."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from reservation.domain.catalogue import search
from reservation.storage import words
from reservation.storage.database import transaction
from tests.races.clients import Asking, statuses, storm

ROWS = "SELECT entreprise_id, mot, rang FROM occurrence ORDER BY mot"
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
    assert statuses(storm(port, changes + more)) == {200: len(changes), 201: len(more)}
    assert_complete(db)
    assert [one.id for one in search.businesses(db, q="chignon court", most=9)] == [hall.id]
