"""A database that goes away: told clearly, at once, and over by itself when it is back."""

import time

import peewee
import pytest

from reservation.resources import health
from reservation.storage import schema
from reservation.storage.database import connect, forget
from tests import engines
from tests.conftest import PASSWORD
from tests.http.wire import FORM, Wire, is_error

try_to_write = schema.try_to_write
ROSE = {"email": "rose@example.fr", "password": PASSWORD}
SERVER_ERROR = {"error": "Server error"}


@pytest.fixture
def wire(serve, client):
    others = {"first_name": "Rose", "last_name": "Petit", "role": "student"}
    client.post("/auth/register", {**ROSE, **others}, expect=201)
    return Wire(serve("--workers", "2"))


@pytest.fixture
def token(wire):
    return wire.post_json("/auth/login", ROSE).json["token"]


def calls(wire, token):
    """One of each kind that needs the database: reads, writes, with a token and without."""
    bearer = {"Authorization": f"Bearer {token}"}
    return {
        "login": lambda: wire.post_json("/auth/login", ROSE),
        "reservations": lambda: wire.call("GET", "/api/reservations", headers=bearer),
        "businesses": lambda: wire.call("GET", "/api/entreprises"),
        "ready": lambda: wire.call("GET", "/ready"),
    }


def register(wire, email):
    body = {"email": email, "password": PASSWORD, "role": "student"}
    return wire.post_json("/auth/register", {**body, "first_name": "A", "last_name": "B"})


def ask_by_form(wire):
    return wire.call("POST", "/teste", b"username=Petit", FORM)


def assert_down(wire, token):
    for name, call in calls(wire, token).items():
        began = time.monotonic()
        answer = call()
        assert is_error(answer, 503), name
        assert int(answer.headers["Retry-After"]) > 0
        assert time.monotonic() - began < 7, name
    assert is_error(register(wire, "late@example.fr"), 503)
    answer = ask_by_form(wire)
    assert (answer.status, answer.json) == (500, SERVER_ERROR)
    assert wire.call("GET", "/health").status == 200  # the process itself is well
    assert wire.call("GET", "/api/villes?q=lyon").status == 200  # and needs no database here


def assert_up(wire, token):
    for name, call in calls(wire, token).items():
        assert call().status == 200, name
    assert ask_by_form(wire).status == 200
    assert register(wire, f"now{time.monotonic_ns()}@example.fr").status == 201


@engines.on_mariadb
def test_a_stopped_server_is_503_and_a_started_one_is_used_again_by_itself(
    mariadb, wire, token
):
    assert_up(wire, token)
    for _ in range(2):
        mariadb.stop()
        try:
            assert_down(wire, token)
        finally:
            mariadb.start()
        assert_up(wire, token)  # at once: no call is lost to a connection that is dead


@engines.on_mariadb
def test_connections_that_the_server_closed_are_replaced_unseen(mariadb, wire, token):
    """As after a restart between two requests, or its limit for idle connections."""
    for _ in range(3):
        assert_up(wire, token)
        mariadb.stop()
        mariadb.start()


@engines.on_sqlite
def test_a_locked_file_is_503_for_writers_and_nothing_for_readers(database_url, wire, token):
    holder = connect(database_url)
    holder.begin()
    holder.execute_sql("UPDATE typeutilisateur SET nom = nom")
    try:
        answer = register(wire, "late@example.fr")
        assert is_error(answer, 503) and int(answer.headers["Retry-After"]) > 0
        bearer = {"Authorization": f"Bearer {token}"}
        assert wire.call("GET", "/api/reservations", headers=bearer).status == 200
        assert ask_by_form(wire).status == 200
        assert is_error(wire.call("GET", "/ready"), 503)
    finally:
        holder.rollback()
        forget(holder)
    assert register(wire, "late@example.fr").status == 201


def test_ready_writes_once_a_second_and_leaves_nothing_behind(client, db, monkeypatch):
    before = db.rows("SELECT id, nom FROM typeutilisateur")
    writes = []
    monkeypatch.setattr(
        schema, "try_to_write", lambda there: writes.append(try_to_write(there))
    )
    monkeypatch.setattr(health.Ready, "FRESH", 60.0)
    for _ in range(3):
        client.get("/ready")
    assert len(writes) == 1
    assert db.rows("SELECT id, nom FROM typeutilisateur") == before


def test_ready_tells_of_the_same_failure_for_a_second(make_client, monkeypatch):
    client, looks = make_client(), []

    def fail(_db):
        looks.append(1)
        raise peewee.OperationalError("database or disk is full")

    monkeypatch.setattr(schema, "try_to_write", fail)
    for _ in range(3):
        client.get("/ready", expect=503)
    assert len(looks) == 1
    monkeypatch.undo()
    time.sleep(health.Ready.FRESH)
    client.get("/ready")
