"""Answers of a real gunicorn to unusual, malformed and hostile requests (design, 6)."""

import json
import random
import re
import time
from importlib.metadata import version

import pytest

from reservation import Settings
from reservation.application import operations
from tests.http.conftest import SECRET
from tests.http.wire import (
    CHUNKED,
    CLOSE,
    FORM,
    JSON,
    LAST_CHUNK,
    answers,
    chunk,
    declared,
    is_error,
    request,
)

TABLE = {
    path.replace("{id:id}", "1"): {
        method for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if hasattr(resource, f"on_{method.lower()}")
    }
    for path, resource in operations(Settings(secret=SECRET))
}
ACCEPTS = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
    "application/xml", "text/html", "*/*;q=0", "nonsense", "",
)


@pytest.mark.parametrize("path", [path for path, methods in TABLE.items() if "GET" in methods])
def test_head_has_the_headers_of_get_and_no_body(wire, token, path):
    bearer = {"Authorization": f"Bearer {token}", **CLOSE}
    raw = wire.server.send(request("HEAD", path, bearer))
    assert raw.endswith(b"\r\n\r\n") and raw.count(b"\r\n\r\n") == 1
    (head,) = answers(raw, "HEAD")
    get = wire.call("GET", path, headers=bearer)
    assert (head.status, same(head)) == (get.status, same(get))
    assert int(head.headers["Content-Length"]) == len(get.body) > 0


def same(answer):
    """Returns the headers except those that differ in every answer."""
    return [h for h in answer.headers.items() if h[0].lower() not in ("date", "x-request-id")]


@pytest.mark.parametrize("path, methods", TABLE.items(), ids=TABLE)
def test_405_names_what_is_allowed(wire, path, methods):
    allowed = methods | ({"HEAD"} if "GET" in methods else set()) | {"OPTIONS"}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"} - allowed:
        answer = wire.call(method, path)
        assert is_error(answer, 405)
        assert set(re.split(", *", answer.headers["Allow"])) | {"OPTIONS"} == allowed


@pytest.mark.parametrize("method", ["BREW", "FOO-BAR", "M" * 20, "WEBSOCKET"])
def test_an_unheard_of_method_is_an_error_like_the_others(wire, method):
    answer = wire.call(method, "/api/villes")
    assert answer.status in (400, 405, 501)
    assert is_error(answer, answer.status)


@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize(
    "method, path, status",
    [("GET", "/api/villes", 200), ("GET", "/api/nothing", 404), ("GET", "/teste", 405),
     ("POST", "/auth/login", 400), ("GET", "/api/reservations", 401)],
)
def test_answers_are_json_for_browsers_too(wire, method, path, status, accept):
    answer = wire.call(method, path, headers={"Accept": accept})
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert json.loads(answer.body)


@pytest.mark.parametrize("given", ["a", "0f-A_z.9", "x" * 64])
def test_a_well_formed_request_id_is_sent_back(wire, given):
    answer = wire.call("GET", "/nothing", headers={"X-Request-Id": given})
    assert answer.headers.get_all("X-Request-Id") == [given]


@pytest.mark.parametrize(
    "given",
    ["", "x" * 65, "a b", "a, b", "é", "a\tb", "%0d%0aSet-Cookie:a", '"a"', "<script>", "a\x85b"],
)
def test_another_request_id_is_replaced(wire, given):
    answer = wire.call("GET", "/nothing", headers={"X-Request-Id": given})
    (made,) = answer.headers.get_all("X-Request-Id")
    assert made != given and re.fullmatch("[0-9a-f]{16}", made)
    assert answer.headers["Set-Cookie"] is None


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\r", "\r\n "])
def test_a_line_break_in_a_request_id_injects_no_header(wire, break_):
    raw = request("GET", "/nothing", {"X-Request-Id": f"a{break_}Set-Cookie: b", **CLOSE})
    for answer in answers(wire.server.send(raw, half_close=True)):
        assert answer.headers["Set-Cookie"] is None
        assert answer.status < 500


def test_each_request_gets_an_id_of_its_own(wire):
    raw = request("GET", "/health", {}) * 20 + request("GET", "/health", CLOSE)
    assert len({one.headers["X-Request-Id"] for one in answers(wire.server.send(raw))}) == 21


@pytest.mark.parametrize(
    "raw",
    [
        request("GET", "/health", CLOSE),
        request("GET", "/nothing", CLOSE),
        request("POST", "/auth/login", {**JSON, **CLOSE, "Content-Length": "1"}, b"{"),
        b"GET / HTTP/9.9\r\n\r\n",
        request("GET", "/health", {"Bad Name": "a", **CLOSE}),
        request("GET", "/" + "a" * 9000, CLOSE),
    ],
    ids=["200", "404", "400", "bad version", "bad header", "long line"],
)
def test_no_answer_names_a_version(wire, raw):
    sent = wire.server.send(raw, half_close=True).decode("latin-1")
    for package in ("gunicorn", "falcon", "peewee", "pyjwt", "reservation"):
        assert version(package) not in sent
    assert not re.search("(?im)python|^x-powered-by|^server: .*[0-9/]", sent)


def test_http_1_1_without_a_host_is_400(wire):
    assert is_error(wire.send(b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n", "GET"), 400)
    assert wire.send(b"GET /health HTTP/1.0\r\n\r\n", "GET").status == 200


SMUGGLED = request("GET", "/smuggled", CLOSE)


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Length": "4", **CHUNKED},
        {**CHUNKED, "Content-Length": "4"},
        {"Content-Length": "4", "Transfer-Encoding": "identity"},
        {"Content-Length": "4", "Transfer-Encoding": "xchunked"},
        {"Content-Length": "4", "Transfer-Encoding": "chunked, identity"},
        {"Content-Length": "+4"},
        {"Content-Length": "4, 4"},
        {"Content-Length": "4\r\nContent-Length: 5"},
        {"Content-Length": "4", "Transfer-Encoding": "\x0bchunked"},
        {"Content-Length": "4", "Transfer-Encoding ": "chunked"},
    ],
    ids=str,
)
def test_no_second_request_is_smuggled_behind_two_lengths(wire, headers):
    """The Content-Length of 4 ends before the hidden request. 501 is for an unknown encoding."""
    hidden = chunk(SMUGGLED) + LAST_CHUNK
    raw = request("POST", "/auth/login", {**JSON, **headers}, hidden + SMUGGLED)
    (only,) = answers(wire.server.send(raw, half_close=True))
    assert 400 <= only.status < 500 or only.status == 501


PIECES = (
    "%00", "%0d%0a", "%2e%2e", "%2f", "%5c", "%c0%af", "%ed%a0%80", "%ff", "%", "%zz", "%u0041",
    "..", ".", "//", "+", ";a=b", "{id}", "{id:id}", "*", "~", "'", '"', "<x>", "\\", "|", "^",
    "%F0%9F%A6%8A", "-1", "0", "1.0", "1e3", "%D9%A1", "9" * 19, "9" * 1500, "01", "+1", "0x1",
)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece[:12])
def test_no_path_is_too_weird(wire, piece):
    for path in ("/{}", "/api/{}", "/api/entreprises/{}", "/api/villes{}", "/{}/auth/login",
                 "/api/reservations/{}", "/api/entreprises/{}/creneaux", "/auth/login/{}"):
        for method in ("GET", "DELETE"):
            answer = wire.call(method, path.format(piece))
            assert answer.status in (400, 401, 403, 404, 405), (method, path)
            assert is_error(answer, answer.status)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece[:12])
def test_no_query_is_too_weird(wire, piece):
    for path in (path for path, methods in TABLE.items() if "GET" in methods):
        for query in ("q={}", "{}=a", "du={}", "limite={}&apres={}", "{}&{}a&=&"):
            answer = wire.call("GET", f"{path}?{query.replace('{}', piece)}")
            assert answer.status in (200, 400, 401, 404), (path, query)


SEEDS = [
    request("POST", "/auth/register", {**JSON, **CLOSE, **declared(b)}, b)
    for b in [
        b'{"email": "f@example.fr", "password": "12345678", "first_name": "F",'
        b' "last_name": "G", "role": "student"}',
        rb'{"email": "\u00e9\ud83e\udd8a@b.fr", "password": [1.5e3, {"a": null}]}',
    ]
] + [
    request("POST", "/contact", {**JSON, **CLOSE, **CHUNKED},
            chunk(b'{"name": "a", "email": "a@b.fr",') + chunk(b'"message": "c"}') + LAST_CHUNK),
    request("POST", "/teste", {**FORM, **CLOSE, "Content-Length": "17"}, b"username=%C3%A9+a"),
    request("GET", "/api/villes?q=%C3%89v&limite=3", {**CLOSE, "X-Request-Id": "a-b"}),
    request("GET", "/api/entreprises/1/creneaux?du=2026-01-31&au=2026-02-01&places=2", CLOSE),
    request("GET", "/api/entreprises?q=a&ville=b&disponible=2026-01-31&apres=MQ", CLOSE),
    request("GET", "/api/reservations?du=2026-01-31", {"Authorization": "Bearer e.y.J", **CLOSE}),
    request("OPTIONS", "/api/villes", {"Access-Control-Request-Headers": "a, b", **CLOSE}),
]
TOKENS = (
    b"\0", b"\xff", b"\r\n", b"\n", b"%", b"%00", b'"', b"{", b"[", b"\\u0000", b"\\ud800", b"-",
    b"9" * 30, b":", b";", b" ", b"&", b"=", b"\xc3", b"1e999", b"../", b"\xed\xa0\x80",
)


def mutated(rng):
    raw = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(raw))
        match rng.randrange(4):
            case 0:
                raw[at] = rng.randrange(256)
            case 1:
                raw[at:at] = rng.choice(TOKENS)
            case 2:
                del raw[at:at + rng.randint(1, 8)]
            case 3:
                raw[at:at] = raw[rng.randrange(len(raw)):][:rng.randint(1, 40)]
    return bytes(raw)


def test_no_mutated_request_makes_the_server_fail(wire):
    """501 is a valid answer: an unknown Transfer-Encoding."""
    rng = random.Random(20260131)
    for _ in range(600):
        raw = mutated(rng)
        received = wire.server.send(raw, half_close=True)
        statuses = [int(s) for s in re.findall(rb"HTTP/1\.1 (\d+) ", received)]
        assert all(status < 500 or status == 501 for status in statuses), raw
    assert "Traceback" not in wire.server.output
    assert wire.call("GET", "/ready").status == 200


@pytest.fixture(scope="module")
def slow_wire(open_wire, wire):
    """Returns a server with password hashes that are slow enough to measure."""
    return open_wire(BCRYPT_ROUNDS="10")


def test_an_unknown_email_takes_as_long_as_a_wrong_password(slow_wire):
    person = {"email": "lent@example.fr", "password": "un bon mot de passe"}
    others = {"first_name": "A", "last_name": "B", "role": "student"}
    slow_wire.post_json("/auth/register", {**person, **others})
    emails = {"known": person["email"], "nobody": "personne@example.fr"}
    times = {kind: [] for kind in emails}
    for _ in range(7):  # ten failures would lock the account
        for kind, email in emails.items():
            began = time.monotonic()
            body = {"email": email, "password": "faux"}
            assert is_error(slow_wire.post_json("/auth/login", body), 401)
            times[kind].append(time.monotonic() - began)
    known, nobody = map(min, times.values())  # other processes only make a request slower
    assert 0.5 < nobody / known < 2


def test_asking_for_a_reset_takes_as_long_for_an_unknown_email_as_for_a_known_one(wire):
    others = {"password": "un bon mot de passe", "first_name": "A", "last_name": "B"}
    times = {"known": [], "nobody": []}
    # New addresses, because the limit is one email per address in five minutes
    for number in range(25):
        emails = {"known": f"su{number}@example.fr", "nobody": f"inconnu{number}@example.fr"}
        person = {"email": emails["known"], "role": "student", **others}
        wire.post_json("/auth/register", person)
        for kind, email in emails.items():
            body = json.dumps({"email": email}).encode()
            headers = {**JSON, **CLOSE, **declared(body)}
            raw = request("POST", "/auth/password/forgot", headers, body)
            began = time.monotonic()
            # New networks, because the limit is 20 requests per network
            answer = wire.send(raw, source=f"127.0.{number}.1")
            times[kind].append(time.monotonic() - began)
            assert answer.status == 202
    known, nobody = map(min, times.values())  # other processes only make a request slower
    assert 0.5 < nobody / known < 2
