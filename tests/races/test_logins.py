"""Many logins at once are queued, and other requests are answered meanwhile."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from reservation.domain.lanes import Lane
from reservation.domain.people import credentials, passwords
from reservation.errors import InvalidCredentials, TooManyFailures
from tests import engines
from tests.clock import now
from tests.conftest import PASSWORD, ROUNDS
from tests.races import guards
from tests.races.clients import Asking, at_once, send, statuses

WRONG = {"email": "personne@example.fr", "password": "faux"}
NEW = {"first_name": "A", "last_name": "B", "role": "student", "password": "un bon mot de passe"}


def crowd(of):
    """Returns 48 requests that take 0.3 s of CPU time each."""
    if of == "logins":
        return [Asking("POST", "/auth/login", "", WRONG)] * 48
    return [
        Asking("POST", "/auth/register", "", {**NEW, "email": f"a{number}@example.fr"})
        for number in range(48)
    ]


@engines.on_sqlite  # password hashing does not use the database
@pytest.mark.parametrize("of, done", [("logins", 401), ("registrations", 201)])
def test_while_48_passwords_are_hashed_others_are_not_kept_waiting(serve, of, done):
    """/health took at most 0.3 s on two cores; without the limit on hashes, 6 s."""
    port = serve("--workers", "2", BCRYPT_ROUNDS="12").port
    with ThreadPoolExecutor(1) as thread:
        flood = thread.submit(at_once, port, crowd(of))
        waits = []
        while not flood.done():
            began = time.monotonic()
            assert send(port, Asking("GET", "/health", "")).status == 200
            waits.append(time.monotonic() - began)
            time.sleep(0.02)
    counted = statuses(flood.result())
    assert max(waits) < 2
    assert set(counted) == {done, 503} and counted[done] >= 2
    assert send(port, Asking("POST", "/auth/login", "", WRONG)).status == 401


@engines.on_sqlite
@pytest.mark.parametrize(
    "path, body",
    [("/auth/login", WRONG), ("/auth/register", {**NEW, "email": "a@example.fr"})],
)
def test_a_full_lane_is_503_with_the_time_to_wait(client, monkeypatch, path, body):
    monkeypatch.setattr(passwords, "lane", Lane(0, waiting=0))
    answer = client.post(path, body, expect=503)
    assert answer.json["code"] == "overloaded"
    assert int(answer.headers["Retry-After"]) > 0


def log_in(db, person, password="faux"):
    return credentials.log_in(db, person.email, password, ROUNDS, "192.0.2.7", now())


def test_of_passwords_that_are_sent_at_once_ten_are_called_wrong(
    database_url, db, alice, monkeypatch
):
    monkeypatch.setattr(passwords, "lane", Lane(guards.CROWD))
    guards.everyone_comes_to(monkeypatch, guards.CROWD, passwords, "is_right")
    results = guards.together(database_url, guards.CROWD, lambda own: log_in(own, alice))
    kinds = [type(one) for one in results]
    assert kinds.count(InvalidCredentials) == 10 and kinds.count(TooManyFailures) == 2


def test_a_login_that_is_locked_out_computes_no_hash(db, alice, monkeypatch):
    for _ in range(10):
        with pytest.raises(InvalidCredentials):
            log_in(db, alice)
    monkeypatch.delattr(passwords, "is_right")
    with pytest.raises(TooManyFailures):
        log_in(db, alice)


def test_the_right_password_is_refused_if_it_comes_at_once_with_ten_wrong_ones(
    db, alice, monkeypatch
):
    is_right = passwords.is_right

    def after_ten_failures(password, *others):
        if password == PASSWORD:
            for _ in range(10):
                with pytest.raises(InvalidCredentials):
                    log_in(db, alice)
        return is_right(password, *others)

    monkeypatch.setattr(passwords, "is_right", after_ten_failures)
    with pytest.raises(TooManyFailures):
        log_in(db, alice, PASSWORD)
