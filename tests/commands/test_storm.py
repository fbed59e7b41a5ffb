"""A backup made during many bookings shows the database at a single moment."""

import random
import threading
import time

import pytest

from reservation.commands import backup
from reservation.storage.backups import transfer
from reservation.storage.database import connect, forget
from tests.conftest import WEEK
from tests.outboxes import wait_for
from tests.races.clients import Asking, persist
from tests.races.soundness import assert_sound

CLIENTS = 6
PARTS = 2  # consecutive backups


class Storm:
    """Clients that book and cancel until the end of the `with` block."""

    def __init__(self, port, token, prestation, creneaux):
        self.port, self.token = port, token
        self.prestation, self.creneaux = prestation, creneaux
        self.booked = []  # ids in the order of the responses
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._book, args=(random.Random(number),))
            for number in range(CLIENTS)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _book(self, chance):
        kept = []
        while not self._over.is_set():
            body = {"creneauId": chance.choice(self.creneaux), "prestationId": self.prestation}
            asking = Asking("POST", "/api/reservations", self.token, body)
            answer = persist(self.port, asking)
            if answer.status == 201:
                self.booked.append(answer.body["id"])
                kept.append(answer.body["id"])
            # After a refusal too: a fast machine sells all places in half a second.
            if kept and (answer.status != 201 or chance.random() < 0.7):
                path = f"/api/reservations/{kept.pop()}"
                persist(self.port, Asking("DELETE", path, self.token))


@pytest.fixture
def storm(serve, make_salon, alice, chloe, tuesday):
    """Clients of a real gunicorn, and a salon with seven places in each slot."""
    hall = make_salon(alice, [{**row, "capacite": 7} for row in WEEK])
    creneaux = [one["id"] for one in hall.free(tuesday)]
    return Storm(serve("--workers", "2").port, chloe.token, hall.coupe, creneaux)


def test_a_backup_during_a_storm_is_sound_and_holds_what_was_booked_before(
    storm, run, file, make_database, monkeypatch
):
    monkeypatch.setattr(transfer, "BATCH", 5)  # many reads, with bookings in between
    acknowledged = []

    def slowly(_part, batches):
        for rows in batches:
            time.sleep(0.002)
            wait_for(lambda: acknowledged[-1] < set(storm.booked))
            yield rows

    monkeypatch.setattr(backup, "_progress", slowly)
    with storm:
        for part in range(PARTS):
            time.sleep(0.3)
            acknowledged.append(set(storm.booked))
            run("backup", f"{file}{part}")
            assert acknowledged[-1] < set(storm.booked), "no booking during the backup"
    for part, booked in enumerate(acknowledged):
        url = make_database(f"part{part}")
        run("restore", f"{file}{part}", url=url)
        db = connect(url)
        assert_sound(db)
        assert booked <= {number for (number,) in db.rows("SELECT id FROM reservation")}
        forget(db)
