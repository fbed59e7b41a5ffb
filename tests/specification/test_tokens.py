"""Tokens: sections 2.3, 3 and 5 of the specification."""

import time

import jwt
import pytest

from reservation.domain.people import accounts
from tests.clock import now
from tests.specification.bodies import PREFIXES, PROTECTED
from tests.specification.handmade import (
    claims_of,
    coded,
    decoded,
    signature_of,
    signed_by_hand,
)

DAY = 86400


@pytest.fixture
def secret(environ):
    return environ["RESERVATION_SECRET"]


@pytest.fixture
def good(alice):
    """Returns the claims of a valid token of Alice."""
    now = int(time.time())
    return {
        "user_id": alice.id,
        "email": alice.email,
        "role": "company",
        "exp": now + 600,
        "iat": now,
    }


@pytest.fixture
def refuse(client):
    """Asserts that each endpoint with authentication answers a token with 401 `Invalid token`."""

    def refuse(token):
        for method, path in (("GET", PROTECTED), ("POST", "/api/auth/refresh")):
            answer = client.call(method, path, expect=401, token=token)
            assert answer.json == {"error": "Invalid token"}
            assert answer.headers["WWW-Authenticate"].split()[0] == "Bearer"

    return refuse


def test_no_cache_may_store_an_answer_that_holds_a_token(client, alice):
    body = {"current_password": alice.password, "new_password": alice.password}
    for answer in (
        client.post("/auth/login", {"email": alice.email, "password": alice.password}),
        client.post("/auth/refresh", token=alice.token),
        client.post("/auth/password", body, token=alice.token),
    ):
        assert answer.json["token"]
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_header_names_hs256_and_jwt_and_nothing_else(alice):
    assert decoded(alice.token.split(".")[0]) == {"alg": "HS256", "typ": "JWT"}


def test_the_claims_are_the_five_of_the_specification_and_no_more(alice):
    claims = claims_of(alice.token)
    assert set(claims) == {"user_id", "email", "role", "exp", "iat"}
    assert (claims["user_id"], claims["email"]) == (alice.id, alice.email)
    assert claims["role"] == "company"
    assert {type(claims[name]) for name in ("user_id", "exp", "iat")} == {int}


@pytest.mark.parametrize("role", ["student", "company", "admin"])
def test_the_role_claim_is_the_role_of_the_account(person, role):
    assert claims_of(person("Eva", role).token)["role"] == role


def test_the_signature_is_hmac_sha256_over_the_two_coded_parts(alice, secret):
    parts, _, signature = alice.token.rpartition(".")
    assert signature == signature_of(parts, secret)


def test_iat_is_the_time_of_issue_in_seconds(person):
    before = int(time.time())
    token = person("Eva", "student").token
    assert before <= claims_of(token)["iat"] <= int(time.time())


def test_a_token_lives_24_hours_by_default(alice):
    claims = claims_of(alice.token)
    assert claims["exp"] - claims["iat"] == DAY


def test_the_lifetime_of_tokens_is_a_setting(make_client, alice):
    client = make_client(TOKEN_LIFETIME="60")
    body = {"email": alice.email, "password": alice.password}
    claims = claims_of(client.post("/auth/login", body).json["token"])
    assert claims["exp"] - claims["iat"] == 60


@pytest.mark.parametrize("role", ["student", "company", "admin"])
def test_the_token_of_any_role_opens_the_reservations(client, person, role):
    answer = client.get(PROTECTED, expect=200, token=person("Eva", role).token)
    assert answer.content_type == "application/json"
    assert answer.json == []


def test_a_token_made_elsewhere_with_the_same_secret_and_claims_is_accepted(client, good, secret):
    client.get(PROTECTED, expect=200, token=jwt.encode(good, secret, "HS256"))


@pytest.mark.parametrize(
    "method, path",
    [("GET", PROTECTED), ("POST", "/auth/refresh"), ("POST", "/api/auth/refresh")],
)
def test_a_request_without_the_header_is_401_token_is_missing(client, method, path):
    answer = client.call(method, path, expect=401)
    assert answer.json == {"error": "Token is missing"}
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer ", "Token a.b.c"])
def test_a_header_without_a_bearer_token_is_401(client, header):
    answer = client.get(PROTECTED, expect=401, headers={"Authorization": header})
    assert answer.json["error"] in ("Token is missing", "Invalid token")


@pytest.mark.parametrize("scheme", ["Basic", "Token", "Bearer:", "JWT"])
def test_a_good_token_under_another_scheme_is_invalid(client, alice, scheme):
    headers = {"Authorization": f"{scheme} {alice.token}"}
    answer = client.get(PROTECTED, expect=401, headers=headers)
    assert answer.json == {"error": "Invalid token"}


@pytest.mark.parametrize("age", [0, 1, DAY])
def test_an_expired_token_is_401_token_has_expired(client, good, secret, age):
    token = jwt.encode({**good, "exp": int(time.time()) - age}, secret, "HS256")
    for method, path in (("GET", PROTECTED), ("POST", "/api/auth/refresh")):
        answer = client.call(method, path, expect=401, token=token)
        assert answer.json == {"error": "Token has expired"}
        assert answer.headers["WWW-Authenticate"].split()[0] == "Bearer"


@pytest.mark.parametrize("path", ["/auth/refresh", "/api/auth/refresh"])
def test_an_expired_token_is_419_with_the_same_body_where_so_set(make_client, good, secret, path):
    client = make_client(EXPIRED_STATUS="419")
    token = jwt.encode({**good, "exp": int(time.time()) - 1}, secret, "HS256")
    answer = client.get(PROTECTED, expect=419, token=token)
    assert answer.json == {"error": "Token has expired"}
    assert client.post(path, expect=419, token=token).json == {"error": "Token has expired"}


def test_where_419_is_set_missing_and_invalid_tokens_stay_401(make_client, good):
    client = make_client(EXPIRED_STATUS="419")
    forged = jwt.encode({**good, "exp": int(time.time()) - 1}, "k" * 40, "HS256")
    assert client.get(PROTECTED, expect=401).json == {"error": "Token is missing"}
    answer = client.get(PROTECTED, expect=401, token=forged)
    assert answer.json == {"error": "Invalid token"}


def test_a_token_that_was_accepted_expires_all_the_same(client, good, secret):
    ends = int(time.time()) + 2
    token = jwt.encode({**good, "exp": ends}, secret, "HS256")
    client.get(PROTECTED, expect=200, token=token)
    time.sleep(max(0, ends - time.time()) + 0.01)
    answer = client.get(PROTECTED, expect=401, token=token)
    assert answer.json == {"error": "Token has expired"}


@pytest.mark.parametrize(
    "token", ["abc", "a.b.c", "..", "a.b", "a.b.c.d", "null", "é.é.é", "e30.e30.e30", "x" * 4000]
)
def test_a_token_that_is_no_token_is_invalid(refuse, token):
    refuse(token)


def test_a_token_with_another_payload_than_the_signed_one_is_invalid(refuse, alice, dora):
    header, payload, signature = alice.token.split(".")
    other = {**decoded(payload), "user_id": dora.id, "email": dora.email, "role": "admin"}
    refuse(f"{header}.{coded(other)}.{signature}")


@pytest.mark.parametrize("kept", [0, 1, 20, 42])
def test_a_token_with_a_shortened_signature_is_invalid(refuse, alice, kept):
    parts, _, signature = alice.token.rpartition(".")
    refuse(f"{parts}.{signature[:kept]}")


def test_a_token_with_another_signature_is_invalid(refuse, alice):
    parts, _, signature = alice.token.rpartition(".")
    refuse(f"{parts}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}")


def test_a_token_of_another_key_is_invalid(refuse, good):
    refuse(jwt.encode(good, "another secret, as long as the right one", "HS256"))


@pytest.mark.parametrize("alg", ["none", "None", "NONE", ""])
def test_a_token_without_a_signature_is_invalid(refuse, good, alg):
    refuse(f"{coded({'alg': alg, 'typ': 'JWT'})}.{coded(good)}.")


@pytest.mark.parametrize("alg", ["RS256", "ES256", "HS384", "HS512", "none", "hs256", None, 1])
def test_a_token_whose_header_names_another_algorithm_is_invalid(refuse, good, secret, alg):
    refuse(signed_by_hand({"alg": alg, "typ": "JWT"}, good, secret))


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
@pytest.mark.parametrize("alg", ["HS384", "HS512"])
def test_a_token_rightly_signed_by_another_algorithm_is_invalid(refuse, good, secret, alg):
    refuse(jwt.encode(good, secret, alg))


@pytest.mark.parametrize("claim", ["user_id", "email", "role", "exp", "iat"])
def test_a_token_that_lacks_one_of_the_five_claims_is_invalid(refuse, good, secret, claim):
    del good[claim]
    refuse(jwt.encode(good, secret, "HS256"))


@pytest.mark.parametrize(
    "extra", [{"purpose": "password-reset"}, {"aud": "agenda"}, {"scope": "x"}, {"nbf": 1}]
)
def test_a_token_made_for_something_else_is_no_access_token(refuse, good, secret, extra):
    refuse(jwt.encode({**good, **extra}, secret, "HS256"))


@pytest.mark.parametrize("convert", [float, str, lambda number: [number], lambda _: None])
@pytest.mark.parametrize("claim", ["user_id", "exp", "iat"])
def test_a_claim_that_is_no_integer_makes_the_token_invalid(refuse, good, secret, claim, convert):
    good[claim] = convert(good[claim])
    refuse(signed_by_hand({"alg": "HS256", "typ": "JWT"}, good, secret))


@pytest.mark.parametrize(
    "changes",
    [
        {"role": "admin"},
        {"role": "teacher"},
        {"role": 2},
        {"email": 7},
        {"email": None},
        {"user_id": 0},
        {"user_id": -1},
        {"user_id": True},
        {"user_id": 2**40},
        {"user_id": 2**70},
    ],
)
def test_a_token_whose_claims_fit_no_account_is_invalid(refuse, good, secret, changes):
    refuse(jwt.encode({**good, **changes}, secret, "HS256"))


@pytest.mark.parametrize("prefix", PREFIXES)
def test_refresh_answers_a_token_of_the_same_person_that_works(client, alice, prefix):
    answer = client.post(f"{prefix}/refresh", expect=200, token=alice.token)
    token = answer.json["token"]
    old, new = claims_of(alice.token), claims_of(token)
    for name in ("user_id", "email", "role"):
        assert new[name] == old[name]
    assert set(new) == set(old)
    assert new["exp"] - new["iat"] == DAY
    client.get(PROTECTED, expect=200, token=token)


def test_refresh_lengthens_the_life_of_a_session(client, good, secret):
    token = jwt.encode(good, secret, "HS256")
    answer = client.post("/api/auth/refresh", expect=200, token=token)
    assert claims_of(answer.json["token"])["exp"] > good["exp"]


def test_refresh_does_not_take_a_token_of_a_disabled_account(client, db, alice):
    accounts.disable(db, alice.email, now())
    client.post("/api/auth/refresh", expect=401, token=alice.token)
