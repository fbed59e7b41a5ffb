"""Sessions: how long they last, and how their tokens are revoked."""

import time

import pytest

from reservation.domain.people import accounts, credentials, resetting
from tests.clock import now
from tests.codes import issued
from tests.conftest import PASSWORD, log_in
from tests.specification.bodies import PREFIXES, PROTECTED
from tests.specification.handmade import claims_of

MONTH = 30 * 86400
INVALID = {"error": "Invalid token"}


def lasts(token):
    claims = claims_of(token)
    return claims["exp"] - claims["iat"]


@pytest.mark.parametrize("remember, seconds", [(True, MONTH), (False, 86400), (None, 86400)])
def test_a_remembered_session_lasts_thirty_days(client, db, chloe, remember, seconds):
    by_code = {"email": chloe.email, "code": issued(db, chloe.email), "remember": remember}
    by_password = {"email": chloe.email, "password": chloe.password, "remember": remember}
    for path, body in (("/auth/login", by_password), ("/auth/code/login", by_code)):
        token = client.post(path, body).json["token"]
        assert lasts(token) == seconds
        renewed = client.post("/auth/refresh", token=token).json["token"]
        assert lasts(renewed) == seconds


@pytest.mark.parametrize("remember", [1, "true", [], {}])
@pytest.mark.parametrize("path", ["/auth/login", "/auth/code/login"])
def test_remember_is_a_boolean(client, db, chloe, path, remember):
    body = {"email": chloe.email, "password": "x", "code": "1", "remember": remember}
    champs = client.post(path, body, expect=400).json["champs"]
    assert champs["remember"]["code"] == "wrong_type"


def test_a_changed_password_keeps_the_length_of_the_session(client, chloe):
    body = {"email": chloe.email, "password": PASSWORD, "remember": True}
    token = client.post("/auth/login", body).json["token"]
    change = {"current_password": PASSWORD, "new_password": PASSWORD}
    assert lasts(client.post("/auth/password", change, token=token).json["token"]) == MONTH


@pytest.mark.parametrize("prefix", PREFIXES)
def test_logging_out_ends_every_token_and_no_other_account(client, chloe, alice, prefix):
    other = log_in(client, chloe).json["token"]
    client.post(f"{prefix}/logout", expect=204, token=chloe.token)
    for token in (chloe.token, other):
        assert client.get(PROTECTED, 401, token=token).json == INVALID
    client.get(PROTECTED, token=alice.token)
    client.get(PROTECTED, token=log_in(client, chloe).json["token"])


NEW = "zoe@example.fr"


def log_out(client, db, chloe):
    client.post("/auth/logout", expect=204, token=chloe.token)


def change_password(client, db, chloe):
    change = {"current_password": PASSWORD, "new_password": PASSWORD}
    client.post("/auth/password", change, token=chloe.token)


def change_address(client, db, chloe):
    change = {"email": NEW, "password": PASSWORD, "code": issued(db, NEW)}
    client.put("/api/compte/email", change, token=chloe.token)


def become_company(client, db, chloe):
    client.post("/api/compte/entreprise", token=chloe.token)


def reset(client, db, chloe):
    link = resetting.issue(db, chloe.email, now())
    client.post("/auth/password/reset", {"token": link, "password": PASSWORD})


def disable(client, db, chloe):
    accounts.disable(db, chloe.email, now())
    accounts.enable(db, chloe.email)


@pytest.mark.parametrize(
    "end", [log_out, change_password, change_address, become_company, reset, disable]
)
def test_a_token_issued_while_the_clock_was_ahead_ends_too(client, db, chloe, monkeypatch, end):
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() + 7200)
    ahead = log_in(client, chloe).json["token"]
    monkeypatch.undo()
    client.get(PROTECTED, token=ahead)
    end(client, db, chloe)
    assert client.get(PROTECTED, 401, token=ahead).json == INVALID


def test_a_session_opened_while_the_tokens_are_revoked_is_revoked(
    client, db, chloe, monkeypatch
):
    accounts.log_out(db, chloe.id, now() - 120)
    verified = credentials._verified

    def revoked_after(*args):
        account = verified(*args)
        accounts.log_out(db, account.id, now() - 60)
        return account

    monkeypatch.setattr(credentials, "_verified", revoked_after)
    token = log_in(client, chloe).json["token"]
    assert client.get(PROTECTED, 401, token=token).json == INVALID


def test_a_revoked_token_is_not_renewed(client, db, chloe, monkeypatch):
    get = accounts.get

    def revoked_before(db, account_id):
        accounts.log_out(db, account_id, now())
        return get(db, account_id)

    monkeypatch.setattr(accounts, "get", revoked_before)
    assert client.post("/auth/refresh", expect=401, token=chloe.token).json == INVALID
