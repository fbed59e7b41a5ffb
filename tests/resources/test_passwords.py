"""Changing a password with a token and the current password."""

import time

import pytest

from reservation.domain.people import accounts, credentials, passwords, resetting
from reservation.errors import Overloaded
from tests.clock import now
from tests.conftest import PASSWORD, ROUNDS, log_in
from tests.specification.bodies import PREFIXES, PROTECTED

CHANGE, RESET = "/auth/password", "/auth/password/reset"
NEW = "un mot tout neuf"
LONGEST = "é" * 36  # 72 bytes


def change(client, person, current=PASSWORD, new=NEW, expect=200, path=CHANGE):
    body = {"current_password": current, "new_password": new}
    return client.post(path, body, expect=expect, token=person.token)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_change_is_200_with_a_message_and_a_token_that_works_at_once(client, chloe, prefix):
    answer = change(client, chloe, path=f"{prefix}/password").json
    assert set(answer) == {"message", "token"}
    assert answer["message"] == "Password changed"
    client.get(PROTECTED, token=answer["token"])
    log_in(client, chloe, PASSWORD, expect=401)
    log_in(client, chloe, NEW, expect=200)


def test_a_change_ends_the_older_tokens(client, chloe):
    other = log_in(client, chloe, PASSWORD).json["token"]
    change(client, chloe)
    for token in (chloe.token, other):
        answer = client.get(PROTECTED, expect=401, token=token)
        assert answer.json == {"error": "Invalid token"}


def test_a_second_change_within_the_second_ends_the_token_of_the_first(client, chloe):
    first = chloe.token = change(client, chloe).json["token"]
    second = change(client, chloe, NEW, PASSWORD).json["token"]
    client.get(PROTECTED, expect=401, token=first)
    client.get(PROTECTED, token=second)


def test_a_change_leaves_the_others_alone(client, alice, chloe):
    change(client, chloe)
    client.get(PROTECTED, token=alice.token)
    log_in(client, alice, PASSWORD, expect=200)


def test_a_change_ends_a_link_that_was_sent(client, db, chloe):
    link = resetting.issue(db, chloe.email, int(time.time()))
    change(client, chloe)
    client.post(RESET, {"token": link, "password": "un autre mot"}, expect=400)


def test_a_wrong_current_password_is_401_like_a_failed_login(client, chloe):
    answer = change(client, chloe, "faux", expect=401)
    assert answer.json == {"error": "Invalid credentials"}
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    client.get(PROTECTED, token=chloe.token)
    log_in(client, chloe, PASSWORD, expect=200)


@pytest.mark.parametrize("current", [LONGEST + "a", "a" * 1000])
def test_a_current_password_over_72_bytes_is_merely_wrong(client, chloe, current):
    change(client, chloe, new=LONGEST)
    chloe.token = log_in(client, chloe, LONGEST).json["token"]
    change(client, chloe, current, expect=401)


def test_failed_logins_do_not_keep_who_has_a_token_from_changing_the_password(client, chloe):
    for _ in range(10):
        log_in(client, chloe, "faux", expect=401)
    log_in(client, chloe, PASSWORD, expect=429)
    change(client, chloe)


def test_who_has_a_token_does_not_guess_the_password(client, db, chloe, alice):
    for _ in range(10):
        change(client, chloe, "faux", expect=401)
    answer = change(client, chloe, expect=429)
    assert answer.headers["X-Error-Code"] == "too_many_failures"
    assert 0 < int(answer.headers["Retry-After"]) <= 30
    client.delete("/api/compte", 429, token=chloe.token, body={"password": PASSWORD})
    body = {"email": "zoe@example.fr", "code": "123456", "password": PASSWORD}
    client.put("/api/compte/email", body, 429, token=chloe.token)
    change(client, alice)
    log_in(client, chloe, PASSWORD, expect=200)
    db.write("UPDATE tentative SET bloque_jusqua = 0")
    change(client, chloe)
    assert db.rows("SELECT cle FROM tentative") == []


def test_a_change_starts_the_count_of_failed_logins_anew(client, chloe):
    for _ in range(10):
        log_in(client, chloe, "faux", expect=401)
    change(client, chloe)
    for _ in range(9):
        log_in(client, chloe, "faux", expect=401)
    log_in(client, chloe, NEW, expect=200)


def test_a_change_without_a_token_is_401(client):
    body = {"current_password": PASSWORD, "new_password": NEW}
    assert client.post(CHANGE, body, expect=401).json == {"error": "Token is missing"}


@pytest.mark.parametrize("new", ["1234567", "éàüéàüé", LONGEST + "a", "a" * 1000])
@pytest.mark.parametrize("profile", ["development", "production"])
def test_a_new_password_that_registration_refuses_is_400(make_client, chloe, new, profile):
    client = make_client(ENV=profile)
    answer = change(client, chloe, new=new, expect=400)
    assert answer.json["error"].startswith("Password must be at ")
    log_in(client, chloe, PASSWORD, expect=200)


@pytest.mark.parametrize("new", ["12345678", "éàüéàüéà", LONGEST])
def test_a_new_password_of_8_characters_up_to_72_bytes_is_taken(client, chloe, new):
    change(client, chloe, new=new)
    log_in(client, chloe, new, expect=200)


@pytest.mark.parametrize(
    "body",
    [{}, {"current_password": PASSWORD}, {"new_password": NEW},
     {"current_password": None, "new_password": NEW},
     {"current_password": PASSWORD, "new_password": ""}],
)
def test_a_change_without_one_of_the_passwords_is_400(client, chloe, body):
    answer = client.post(CHANGE, body, expect=400, token=chloe.token)
    field = "new_password" if body.get("current_password") else "current_password"
    assert answer.json == {"error": f"Missing required field: {field}"}


@pytest.mark.parametrize("wrong", [7, True, 1.5, ["x"], {"a": 1}, False, 0, []])
@pytest.mark.parametrize("field", ["current_password", "new_password"])
def test_a_field_of_a_change_that_is_no_string_is_400(client, chloe, field, wrong):
    body = {"current_password": PASSWORD, "new_password": NEW, field: wrong}
    answer = client.post(CHANGE, body, expect=400, token=chloe.token)
    assert (answer.json["code"], answer.json["field"]) == ("field_not_text", field)


def test_a_login_that_is_under_way_when_the_password_changes_opens_nothing(
    client, db, chloe, monkeypatch
):
    """Otherwise the token would be issued after the change and stay valid."""
    is_right = passwords.is_right

    def slowly(*given):
        right = is_right(*given)
        monkeypatch.setattr(passwords, "is_right", is_right)
        credentials.change_password(db, chloe.email, "un autre mot de passe", ROUNDS, now())
        return right

    monkeypatch.setattr(passwords, "is_right", slowly)
    client.post("/auth/login", {"email": chloe.email, "password": PASSWORD}, expect=401)


# Hashes with more rounds


def hash_of(db, person):
    return accounts.get(db, person.id).mot_de_passe_hash


def test_a_login_hashes_a_password_anew_that_was_hashed_by_fewer_rounds(make_client, db, chloe):
    stronger = make_client(BCRYPT_ROUNDS="5")
    token = log_in(stronger, chloe, PASSWORD).json["token"]
    stored = hash_of(db, chloe)
    assert stored.startswith("$2b$05$")
    for one in (token, chloe.token):
        stronger.get(PROTECTED, token=one)
    log_in(stronger, chloe, PASSWORD)
    log_in(stronger, chloe, "faux", expect=401)
    assert hash_of(db, chloe) == stored


@pytest.mark.parametrize("rounds, word", [("4", PASSWORD), ("5", "faux")])
def test_another_login_leaves_the_hash_as_it_is(make_client, db, chloe, rounds, word):
    before = hash_of(db, chloe)
    log_in(make_client(BCRYPT_ROUNDS=rounds), chloe, word, expect=200 if word == PASSWORD else 401)
    assert hash_of(db, chloe) == before


def test_a_hash_of_more_rounds_than_are_wanted_stays(client, make_client, db, chloe):
    log_in(make_client(BCRYPT_ROUNDS="5"), chloe, PASSWORD)
    log_in(client, chloe, PASSWORD)
    assert hash_of(db, chloe).startswith("$2b$05$")


def test_a_password_that_changes_meanwhile_is_not_hashed_back(
    make_client, db, chloe, monkeypatch
):
    hashed = passwords.hashed

    def slowly(*given):
        monkeypatch.setattr(passwords, "hashed", hashed)
        credentials.change_password(db, chloe.email, NEW, ROUNDS, now())
        return hashed(*given)

    monkeypatch.setattr(passwords, "hashed", slowly)
    stronger = make_client(BCRYPT_ROUNDS="5")
    log_in(stronger, chloe, PASSWORD)
    log_in(stronger, chloe, PASSWORD, expect=401)
    log_in(stronger, chloe, NEW, expect=200)


def test_a_login_succeeds_while_another_one_hashes_the_password_anew(
    make_client, db, chloe, monkeypatch
):
    stronger, is_right = make_client(BCRYPT_ROUNDS="5"), passwords.is_right

    def slowly(*given):
        monkeypatch.setattr(passwords, "is_right", is_right)
        log_in(stronger, chloe, PASSWORD)
        return is_right(*given)

    monkeypatch.setattr(passwords, "is_right", slowly)
    log_in(stronger, chloe, PASSWORD, expect=200)


def test_a_login_that_finds_no_place_to_hash_anew_succeeds(make_client, db, chloe, monkeypatch):
    def hashed(*_given):
        raise Overloaded()

    before = hash_of(db, chloe)
    monkeypatch.setattr(passwords, "hashed", hashed)
    log_in(make_client(BCRYPT_ROUNDS="5"), chloe, PASSWORD, expect=200)
    assert hash_of(db, chloe) == before
