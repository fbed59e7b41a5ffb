"""A reset link used many times at once, and a reset requested many times at once."""

import itertools
import time
from collections import Counter

import pytest

from reservation.domain.lanes import Lane
from reservation.domain.people import attempts, credentials, passwords, resetting
from reservation.errors import InvalidCredentials, ResetTokenInvalid
from reservation.storage.database import transaction
from reservation.storage.models import EventEmail, Tentative, Utilisateur
from tests import engines
from tests.clock import now
from tests.conftest import PASSWORD, ROUNDS
from tests.races import guards
from tests.races.clients import Asking, at_once, send, statuses, storm

CROWD = 6
RESET = "/auth/password/reset"


@pytest.fixture
def link(db, chloe):
    return resetting.issue(db, chloe.email, int(time.time()))


def test_of_20_uses_of_a_link_at_once_one_succeeds(client, port, chloe, link):
    askings = [
        Asking("POST", RESET, "", {"token": link, "password": f"un mot de passe {number}"})
        for number in range(20)
    ]
    answers = at_once(port, askings)
    counted = statuses(answers)
    assert counted[200] == 1
    assert counted[400] + counted[503] == 19  # 503: the hashing lane is full
    logins = [
        Asking("POST", "/auth/login", "", {"email": chloe.email, **asking.body})
        for asking, answer in zip(askings, answers, strict=True) if answer.status == 200
    ]
    assert statuses(send(port, login) for login in logins) == {200: 1}


@pytest.fixture
def wide_lane(monkeypatch):
    """Lets all requests hash passwords at the same time."""
    monkeypatch.setattr(passwords, "lane", Lane(CROWD))


def redeem(url, link):
    def one(db):
        resetting.redeem(db, link, "un mot tout neuf", ROUNDS, "", now())

    return guards.together(url, CROWD, one)


@pytest.mark.usefixtures("wide_lane")
def test_one_use_succeeds_though_all_found_the_link_good(database_url, link, monkeypatch):
    guards.everyone_comes_to(monkeypatch, CROWD, passwords, "hashed")
    results = redeem(database_url, link)
    assert results.count(None) == 1
    assert sum(isinstance(one, ResetTokenInvalid) for one in results) == CROWD - 1


@pytest.mark.usefixtures("wide_lane")
def test_without_the_condition_of_the_update_every_use_would_succeed(
    database_url, link, monkeypatch
):
    replace = credentials.replace_password
    monkeypatch.setattr(
        credentials, "replace_password",
        lambda db, stored, at, mine, *_: replace(db, stored, at, mine),
    )
    guards.everyone_comes_to(monkeypatch, CROWD, passwords, "hashed")
    assert redeem(database_url, link).count(None) == CROWD


def change(url, chloe):
    return guards.together(
        url, CROWD,
        lambda db: credentials.change_own_password(
            db, chloe.id, PASSWORD, "un mot tout neuf", ROUNDS, "", now()
        ),
    )


@pytest.mark.usefixtures("wide_lane")
def test_one_change_succeeds_though_all_knew_the_current_password(
    database_url, chloe, monkeypatch
):
    guards.everyone_comes_to(monkeypatch, CROWD, passwords, "hashed")
    results = change(database_url, chloe)
    assert sum(isinstance(one, Utilisateur) for one in results) == 1
    assert sum(isinstance(one, InvalidCredentials) for one in results) == CROWD - 1


@pytest.mark.usefixtures("wide_lane")
def test_without_the_condition_of_the_update_every_change_would_succeed(
    database_url, chloe, monkeypatch
):
    replace = credentials.replace_password
    monkeypatch.setattr(
        credentials, "replace_password",
        lambda db, stored, at, mine, *_: replace(db, stored, at, mine),
    )
    guards.everyone_comes_to(monkeypatch, CROWD, passwords, "hashed")
    results = change(database_url, chloe)
    assert sum(isinstance(one, Utilisateur) for one in results) == CROWD


@pytest.mark.parametrize("email", ["chloe@example.fr", "personne@example.fr"])
def test_an_address_asked_for_many_times_at_once_is_written_to_once(port, db, chloe, email):
    asking = Asking("POST", "/auth/password/forgot", "", {"email": email})
    seen = statuses(storm(port, [asking] * 30))
    assert seen[202] == 20  # the limit for one network
    assert seen[429] + seen[503] == 10  # on a busy machine the hashing lane may be full
    assert EventEmail.select().count(db) == 1


def ask(db, url, monkeypatch=None):
    """Requests a reset of one address in parallel threads, each from its own network.

    With a monkeypatch, all threads find that no reset was requested before.
    """
    now, networks = int(time.time()), itertools.count()
    for number in range(CROWD):
        resetting.ask(db, f"a{number}@example.fr", f"10.0.{number}.1", now)
    EventEmail.delete().execute(db)
    if monkeypatch:
        guards.everyone_comes_to(monkeypatch, CROWD, attempts, "_inserted")
    return guards.together(
        url, CROWD,
        lambda db: resetting.ask(db, "personne@example.fr", f"10.0.{next(networks)}.1", now),
    )


def asked_before(db):
    resetting.ask(db, "personne@example.fr", "10.1.0.1", int(time.time()) - 1000)
    EventEmail.delete().execute(db)


@engines.on_mariadb
def test_one_message_is_queued_though_nobody_had_asked_before(database_url, db, monkeypatch):
    assert ask(db, database_url, monkeypatch) == [None] * CROWD
    assert EventEmail.select().count(db) == 1


@engines.on_mariadb
@pytest.mark.parametrize("database_url", [guards.ONE_ATTEMPT], indirect=True)
def test_without_the_unique_key_several_messages_would_be_queued(database_url, db, monkeypatch):
    ((_, isolates),) = db.rows("SHOW VARIABLES LIKE 'innodb_snapshot_isolation'") or [("", "OFF")]
    if isolates == "ON":
        pytest.skip("MariaDB 11.8 refuses a change of a row that has changed since it was read")
    ask(db, database_url, monkeypatch)
    assert EventEmail.select().count(db) > 1


def test_one_message_is_queued_though_all_may_ask_again(database_url, db):
    asked_before(db)
    assert ask(db, database_url) == [None] * CROWD
    assert EventEmail.select().count(db) == 1


def test_without_the_condition_of_the_count_every_message_would_be_queued(
    database_url, db, monkeypatch
):
    asked_before(db)
    monkeypatch.setattr(attempts, "_unlocked", lambda *_: Tentative.id > 0)
    ask(db, database_url)
    assert EventEmail.select().count(db) == CROWD


@pytest.mark.parametrize("seen", [True, False], ids=["again", "first"])
def test_failures_at_once_count_each_until_the_lock(database_url, db, seen):
    pair, now = attempts.pair("a@example.fr", "10.0.0.1"), int(time.time())
    fail = lambda db: transaction(  # noqa: E731
        db, lambda: attempts.count(db, credentials.FAILURES, pair, now)
    )
    if seen:
        assert fail(db) == 0
    results = guards.together(database_url, 16, fail)
    assert Counter(results) == {0: 9 if seen else 10, 30: 7 if seen else 6}
    assert Tentative.select(Tentative.nombre).scalar(db) == 10


def test_no_reset_token_or_new_password_is_logged(serve, db, chloe, link):
    server = serve()
    words = ("mot-de-passe-secret", "autre-mot-secret")
    for token in (link + "x", link, link):
        send(server.port, Asking("POST", RESET, "", {"token": token, "password": words[0]}))
        send(server.port, Asking("GET", "/api/reservations", token))
    login = {"email": chloe.email, "password": words[0]}
    token = send(server.port, Asking("POST", "/auth/login", "", login)).body["token"]
    body = {"current_password": words[0], "new_password": words[1]}
    answer = send(server.port, Asking("POST", "/auth/password", token, body))
    assert answer.status == 200
    server.stop()  # the last lines are written then
    assert RESET in server.output
    assert [w for w in (link, *words, answer.body["token"], "$2b$") if w in server.output] == []
