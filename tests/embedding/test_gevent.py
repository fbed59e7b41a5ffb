"""gunicorn's gevent workers: each client has its own greenlet and database connection."""

import psutil
import pytest

from tests import engines
from tests.embedding.starters import Site, gunicorn
from tests.races.clients import Asking, at_once, send, statuses
from tests.races.soundness import assert_sound, taken

CLIENTS = 8


@pytest.fixture
def gevent(environ, tmp_path, client):
    server = gunicorn("gevent")(Site(tmp_path, environ, "", engines.free_port()))
    yield server
    server.kill()


def test_of_8_bookings_at_once_of_one_place_one_succeeds(gevent, salon, chloe, db, tuesday):
    for time in ("09:00", "10:00", "11:00"):
        creneau = salon.at(tuesday, time)
        body = {"creneauId": creneau, "prestationId": salon.coupe}
        askings = [Asking("POST", "/api/reservations", chloe.token, body)] * CLIENTS
        assert statuses(at_once(gevent.port, askings)) == {201: 1, 409: CLIENTS - 1}
        assert taken(db, creneau) == 1
    assert_sound(db)


def test_a_greenlet_that_ended_leaves_no_connection_to_the_database(gevent, chloe):
    def open_files():
        asking = Asking("GET", "/api/reservations", chloe.token)
        assert statuses(send(gevent.port, asking) for _ in range(20)) == {200: 20}
        return sum(one.num_fds() for one in psutil.Process(gevent.process.pid).children())

    before = open_files()
    assert open_files() < before + 10
