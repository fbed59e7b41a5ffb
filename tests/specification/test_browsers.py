"""Cross-origin requests and server failures, on every endpoint."""

import pytest

from reservation.domain.people import credentials
from tests import engines
from tests.specification.bodies import (
    CREDENTIALS,
    GETS,
    LINE,
    MESSAGE,
    NO_DATABASE,
    POSTS,
    PROTECTED,
    is_error,
)

PAGE = {"Origin": "https://ailleurs.example"}


def preflight(client, path, method, asked):
    headers = {
        **PAGE,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": asked,
    }
    return client.call("OPTIONS", path, expect="2*", headers=headers)


def listed(answer, name):
    return {item.strip().lower() for item in answer.headers[name].split(",")}


@pytest.mark.parametrize(
    "method, path", [*(("POST", path) for path in POSTS), *(("GET", path) for path in GETS)]
)
def test_a_preflight_is_allowed_on_every_endpoint_without_a_token(client, method, path):
    answer = preflight(client, path, method, "authorization,content-type")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert method.lower() in listed(answer, "Access-Control-Allow-Methods")
    # "*" does not cover Authorization: the Fetch standard requires the name.
    named = listed(answer, "Access-Control-Allow-Headers")
    assert {"authorization", "content-type"} <= named


def test_a_preflight_lets_a_booking_carry_its_idempotency_key(client):
    answer = preflight(client, PROTECTED, "GET", "authorization,idempotency-key")
    assert "idempotency-key" in listed(answer, "Access-Control-Allow-Headers")


@pytest.mark.parametrize("path", [POSTS[0], GETS[0], PROTECTED])
def test_plain_options_is_no_error_and_nosniff(client, path):
    answer = client.call("OPTIONS", path, expect="2*")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_500_of_teste_allows_every_origin(make_client):
    client = make_client(DATABASE_URL=NO_DATABASE)
    answer = client.form("/teste", {"username": "a"}, expect=500)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_the_500_of_contact_allows_every_origin(make_client):
    client = make_client(SMTP_URL=f"smtp://127.0.0.1:{engines.free_port()}")
    answer = client.post("/contact", MESSAGE, expect=500, headers=PAGE)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path, body", [("/auth/login", CREDENTIALS), ("/auth/register", LINE)])
def test_an_unreachable_database_is_503_of_the_one_shape(make_client, path, body):
    answer = make_client(DATABASE_URL=NO_DATABASE).post(path, body, expect=503, headers=PAGE)
    assert is_error(answer)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("accept", ["application/json", "text/html", "application/xml"])
def test_a_500_tells_nothing_of_the_exception_and_has_the_one_shape(
    client, monkeypatch, accept
):
    def fail(*_, **_named):
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(credentials, "log_in", fail)
    headers = {**PAGE, "Accept": accept}
    answer = client.post("/auth/login", CREDENTIALS, expect=500, headers=headers)
    assert is_error(answer)
    assert not [word for word in ("secret cause", "RuntimeError", "Traceback") if word in answer]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Type"].lower().endswith("charset=utf-8")
