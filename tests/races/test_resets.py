"""A link used many times at once, an address asked for many times at once."""

import time

import pytest

from reservation.domain import credentials, passwords, resetting
from reservation.errors import InvalidCredentials, ResetTokenInvalid
from reservation.storage.database import MySQL
from reservation.storage.models import EventEmail, Utilisateur
from tests import engines
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
    assert counted[400] + counted[503] == 19  # 503: no place left to hash a password
    logins = [
        Asking("POST", "/auth/login", "", {"email": chloe.email, **asking.body})
        for asking, answer in zip(askings, answers, strict=True) if answer.status == 200
    ]
    assert statuses(send(port, login) for login in logins) == {200: 1}


@pytest.fixture
def wide_lane(monkeypatch):
    """Everybody hashes at once."""
    monkeypatch.setattr(passwords, "lane", passwords.Lane(CROWD))


def redeem(url, link):
    return guards.together(
        url, CROWD, lambda db: resetting.redeem(db, link, "un mot tout neuf", ROUNDS)
    )


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
        credentials, "replace_password", lambda db, stored, mine, *_: replace(db, stored, mine)
    )
    guards.everyone_comes_to(monkeypatch, CROWD, passwords, "hashed")
    assert redeem(database_url, link).count(None) == CROWD


def change(url, chloe):
    return guards.together(
        url, CROWD,
        lambda db: credentials.change_own_password(
            db, chloe.id, PASSWORD, "un mot tout neuf", ROUNDS
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
        credentials, "replace_password", lambda db, stored, mine, *_: replace(db, stored, mine)
    )
    guards.everyone_comes_to(monkeypatch, CROWD, passwords, "hashed")
    results = change(database_url, chloe)
    assert sum(isinstance(one, Utilisateur) for one in results) == CROWD


@pytest.mark.parametrize("email", ["chloe@example.fr", "personne@example.fr"])
def test_an_address_asked_for_40_times_at_once_is_written_to_once(port, db, chloe, email):
    asking = Asking("POST", "/auth/password/forgot", "", {"email": email})
    assert statuses(storm(port, [asking] * 40)) == {202: 40}
    assert EventEmail.select().count(db) == 1


@engines.on_mariadb
def test_without_the_turn_several_would_find_no_message(database_url, db, monkeypatch):
    monkeypatch.setattr(resetting, "_TURN", "SELECT 1 FROM typeutilisateur WHERE id = 0")
    guards.everyone_comes_to(monkeypatch, CROWD, MySQL, "write", after=True)
    now = int(time.time())
    guards.together(
        database_url, CROWD, lambda db: resetting.ask(db, "personne@example.fr", now)
    )
    assert EventEmail.select().count(db) == CROWD


def test_no_reset_token_or_new_password_is_logged(serve, db, chloe, link):
    server = serve("--workers", "1")
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
