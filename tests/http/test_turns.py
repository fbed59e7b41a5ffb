"""On SQLite, the GET requests of a process run one after another."""

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from falcon import testing

from reservation import Settings, create_app
from reservation.http.middleware import Admission
from tests import engines
from tests.outboxes import wait_for

LONG = 30.0  # seconds; nothing waits for so long unless it has to


class Probe:
    """An endpoint that needs the database. `most` is the highest number of requests at once."""

    def __init__(self) -> None:
        self.running, self.most, self.fails = 0, 0, False
        self.go_on = threading.Event()
        self.entered = threading.Semaphore(0)
        self._state = threading.Lock()

    def on_get(self, _req, _resp):
        with self._state:
            self.running += 1
            self.most = max(self.most, self.running)
        self.entered.release()
        self.go_on.wait(LONG)
        with self._state:
            self.running -= 1
        if self.fails:
            raise RuntimeError

    on_post = on_get
    on_get.operation = SimpleNamespace(database=True)


@pytest.fixture
def probe():
    return Probe()


@pytest.fixture
def app(client, environ, probe):
    made = create_app(Settings.from_environ(environ))
    made.add_route("/probe", probe)
    return testing.TestClient(made)


@pytest.fixture
def threads(probe):
    with ThreadPoolExecutor(4) as made:
        yield made
        probe.go_on.set()


def test_gets_run_at_once_only_on_a_server(app, probe, threads, monkeypatch):
    asked = []
    patience = property(lambda _admission: asked.append(1) or LONG)
    monkeypatch.setattr(Admission, "PATIENCE", patience)
    answers = [threads.submit(app.simulate_get, "/probe") for _ in range(3)]
    wait_for(lambda: probe.running == 3 or probe.running and len(asked) == 3)
    probe.go_on.set()
    assert [answer.result().status_code for answer in answers] == [200] * 3
    assert (probe.most == 1) == (engines.ENGINE == "sqlite")


def test_a_post_does_not_wait_for_a_get(app, probe, threads, monkeypatch):
    monkeypatch.setattr(Admission, "PATIENCE", LONG)
    threads.submit(app.simulate_get, "/probe")
    threads.submit(app.simulate_post, "/probe")
    assert probe.entered.acquire(timeout=LONG / 3) and probe.entered.acquire(timeout=LONG / 3)
    assert app.simulate_get("/api/villes").status_code == 200  # needs no database


def test_a_get_does_not_wait_for_a_slow_get(app, probe, threads):
    threads.submit(app.simulate_get, "/probe")
    assert probe.entered.acquire(timeout=LONG)
    assert app.simulate_get("/api/entreprises").status_code == 200
    assert probe.running == 1


def test_a_get_that_fails_lets_the_next_one_run(app, probe, threads, monkeypatch):
    monkeypatch.setattr(Admission, "PATIENCE", LONG)
    probe.fails = True
    probe.go_on.set()
    assert app.simulate_get("/probe").status_code == 500
    assert app.simulate_get("/api/reservations").status_code == 401
    following = threads.submit(app.simulate_get, "/api/entreprises")
    assert following.result(LONG / 3).status_code == 200
