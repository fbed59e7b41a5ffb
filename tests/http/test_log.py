"""The log of a real gunicorn: one line for each request, without secrets (design, 6)."""

import base64
import json
import logging
import time
from urllib.parse import quote, urlencode

import pytest

from reservation import logs
from tests.http.wire import CLOSE, FORM, JSON, chunk, request

SECRET_WORDS = ("mot-de-passe-secret", "question-secrète", "recherche-secrète")
PASSWORD, QUESTION, SEARCH = SECRET_WORDS
DISGUISED = "eyJhbGciOiJIUzI1NiJ9.jeton-secret.c2lnbmF0dXJl"
FEEDS = ("/flux/", "//flux/", "/%66lux/", "/flux//", "/agenda/flux/", "/flux/x/", "/flux/?q=")


@pytest.fixture(scope="module", params=["text", "json"])
def form(request):
    return request.param


@pytest.fixture(scope="module")
def wire(open_wire, form):
    return open_wire(LOG=form)


def lines_with(wire, word):
    """Waits for a line with the word. Returns all lines with the word."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        found = [line for line in wire.server.lines if word in line]
        if found:
            time.sleep(0.02)  # time for a duplicate line
            return [line for line in wire.server.lines if word in line]
        time.sleep(0.01)
    raise AssertionError(f"no line with {word}")


def settled(wire):
    """Returns the complete log up to now."""
    last = f"the-last-{time.monotonic_ns()}"
    wire.call("GET", "/health", headers={"X-Request-Id": last})
    lines_with(wire, last)
    return wire.server.output


@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", "/api/villes", 200), ("HEAD", "/health", 200), ("OPTIONS", "/teste", 200),
        ("GET", "/nothing", 404), ("DELETE", "/auth/login", 405), ("POST", "/auth/login", 400),
        ("GET", "/api/reservations", 401), ("GET", "/api/villes?q=a&q=b", 400),
    ],
)
def test_each_request_is_one_line_with_its_id(wire, form, method, path, status):
    number = f"id-{method}-{status}-{time.monotonic_ns()}"
    assert wire.call(method, path, headers={"X-Request-Id": number}).status == status
    (line,) = lines_with(wire, number)
    path = path.partition("?")[0]
    if form == "json":
        seen = json.loads(line)
        wanted = {"id": number, "method": method, "path": path, "status": status}
        assert {name: seen[name] for name in wanted} == wanted
        assert {"time", "level", "ms"} <= set(seen)
    else:
        assert f" {status} {method} '{path}' " in line


def test_a_refused_body_is_one_line_too(wire):
    headers = {**JSON, **CLOSE, "Content-Length": "200000000", "X-Request-Id": "too-large"}
    assert wire.send(request("POST", "/auth/login", headers, b"x")).status == 413
    assert len(lines_with(wire, "too-large")) == 1


def test_the_id_that_is_made_is_the_one_that_is_sent_back(wire):
    made = wire.call("GET", "/nothing").headers["X-Request-Id"]
    assert len(lines_with(wire, made)) == 1


@pytest.mark.parametrize(
    "path", ["/a%0a2026-01-31T00:00:00Z 200 GET", "/a%0d%0ab", "/%1b[31m", "/%c2%9b31m",
             "/%e2%80%a8", "/%c2%85", "/%ff", "/%00", "/%22%27", "/%ed%a0%80"],
)
def test_a_path_makes_no_second_line_and_colours_no_terminal(wire, form, path):
    number = f"path-{time.monotonic_ns()}"
    path = path.replace(" ", "%20")
    assert wire.call("GET", path, headers={"X-Request-Id": number}).status == 404
    before = len(settled(wire).split("\n"))
    (line,) = lines_with(wire, number)
    assert line.isprintable()
    assert line.startswith("{" if form == "json" else "20")
    assert len(settled(wire).split("\n")) == before + 1


def register(wire, **changes):
    body = {"email": f"log{time.monotonic_ns()}@example.fr", "password": PASSWORD}
    others = {"first_name": "A", "last_name": "Journal", "role": "student"}
    return body, wire.post_json("/auth/register", {**body, **others, **changes})


def forms(wire, body):
    fields = [{**body, "nom": "Journal"}, body, {"username": "Journal"}]
    for path, values in zip(("/register_form", "/login_form", "/teste"), fields, strict=True):
        yield wire.call("POST", path, urlencode(values).encode(), FORM)


def test_no_password_token_or_hash_is_logged(wire):
    body, registered = register(wire)
    assert registered.status == 201
    token = wire.post_json("/auth/login", body).json["token"]
    wire.post_json("/auth/login", {**body, "password": PASSWORD + "!"})
    register(wire, role="admin", email=body["email"])
    register(wire, email=f"{PASSWORD}")
    *_, record = forms(wire, {**body, "email": "journal@example.fr"})
    bearers = [token, DISGUISED, token + "x", token.upper(), f"{token} {DISGUISED}"]
    for bearer in bearers:
        wire.call("GET", "/api/reservations", headers={"Authorization": f"Bearer {bearer}"})
        wire.call("GET", "/api/reservations", headers={"Authorization": bearer})
    renewed = wire.call(
        "POST", "/auth/refresh", headers={"Authorization": f"Bearer {token}"}
    ).json["token"]
    output = settled(wire)
    hidden = [PASSWORD, token, renewed, DISGUISED, record.json["motDePasseHash"], "$2b$"]
    hidden += [part for part in (*token.split(".")[1:], renewed.split(".")[2])]
    hidden += [base64.b64encode(PASSWORD.encode()).decode()]
    assert [word for word in hidden if word in output] == []


def test_no_message_of_the_contact_form_is_logged(wire):
    body = {"name": QUESTION, "email": "zoe@example.fr", "message": QUESTION}
    assert wire.post_json("/contact", body).status == 200
    assert wire.post_json("/contact", {**body, "email": QUESTION}).status == 400
    assert QUESTION not in settled(wire)


def test_the_reason_why_a_message_of_the_contact_form_was_not_sent_is_logged(open_wire):
    wire = open_wire(SMTP_URL="smtp://127.0.0.1:1")
    body = {"name": QUESTION, "email": "zoe@example.fr", "message": QUESTION}
    assert wire.post_json("/contact", body).status == 500
    output = settled(wire)
    assert "contact message: not sent: ConnectionRefusedError: " in output
    assert QUESTION not in output and "zoe@" not in output


def test_an_address_in_a_traceback_is_hidden_and_a_database_account_is_not(capsys):
    lines = logs.Lines(logs._as_text)
    log = logging.Logger("apart")
    log.addHandler(lines)
    try:
        raise ValueError("Duplicate entry 'zoe@example.fr'; denied for 'agenda'@'localhost'")
    except ValueError:
        log.exception("request failed")
    printed = capsys.readouterr().err
    assert "request failed" in printed and "Traceback" in printed
    assert "Duplicate entry '…'; denied for 'agenda'@'localhost'" in printed.splitlines()[-1]


@pytest.mark.parametrize(
    "path", ["/api/villes", "/nothing", "/auth/login", "/api/reservations", "/api/entreprises"]
)
@pytest.mark.parametrize("query", ["q={}", "q={}&q=b", "token={}", "{}"])
def test_no_query_string_is_logged(wire, path, query):
    wire.call("GET", f"{path}?{query.format(quote(SEARCH))}")
    output = settled(wire)
    assert SEARCH not in output and quote(SEARCH) not in output
    assert "?" not in output.replace("?starttls", "")


def test_no_token_of_a_calendar_feed_is_logged(wire, form):
    body, _ = register(wire)
    token = wire.post_json("/auth/login", body).json["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    old, new = (
        wire.call(method, "/api/flux", headers=bearer).json["url"].rpartition("/")[2]
        for method in ("GET", "POST")
    )
    number, statuses = f"flux-{time.monotonic_ns()}", set()
    for jeton in (old, new):
        for path in FEEDS:
            for method in ("GET", "HEAD", "POST"):
                headers = {"X-Request-Id": number}
                statuses.add(wire.call(method, f"{path}{jeton}", headers=headers).status)
    assert statuses == {200, 404, 405}
    output = settled(wire)
    hidden = [jeton.removesuffix(".ics").partition("-")[2] for jeton in (old, new)]
    assert [word for word in hidden if word in output] == []
    shown = "/flux/\\u2026\"" if form == "json" else "/flux/…' "
    assert all(shown in line for line in lines_with(wire, number))


@pytest.mark.parametrize(
    "raw",
    {
        "without a version": b"GET /api/villes?token=%s\r\n\r\n",
        "of another version": b"GET /api/villes?token=%s HTTP/9.9\r\n\r\n",
        "in small letters": b"get /api/villes?token=%s HTTP/1.1\r\n\r\n",
        "with UTF-8 in its line": "GET /api/é?token=%s HTTP/1.1\r\n\r\n".encode(),
        "with a space in its line": b"GET /api/villes?a=b c&token=%s HTTP/1.1\r\n\r\n",
        "with a header that lost its name": b"GET / HTTP/1.1\r\nBearer %s\r\n\r\n",
        "with a space before the colon": b"GET / HTTP/1.1\r\nAuthorization : %s\r\n\r\n",
        "with a NUL in a header": b"GET / HTTP/1.1\r\nAuthorization: %s\0\r\n\r\n",
        "folded": b"GET / HTTP/1.1\r\nAuthorization: Bearer\r\n %s\r\n\r\n",
    }.items(),
    ids=lambda row: row[0],
)
def test_a_malformed_request_leaves_no_secret_in_the_log(wire, raw):
    word = f"jeton-secret-{time.monotonic_ns()}"
    wire.server.send(raw[1].replace(b"%s", word.encode()), half_close=True)
    assert word not in settled(wire)


def test_a_malformed_chunk_leaves_no_secret_in_the_log(wire):
    headers = {**JSON, "Transfer-Encoding": "chunked"}
    for path in ("/auth/login", "/nothing"):  # gunicorn itself reads the body of /nothing
        raw = request("POST", path, headers, chunk(b"{") + PASSWORD.encode() + b"\r\n")
        wire.server.send(raw, half_close=True)
    assert PASSWORD not in settled(wire)


def test_a_database_that_is_not_there_leaves_no_password_in_the_log(open_wire):
    wire = open_wire(DATABASE_URL=f"mysql://root:{PASSWORD}@127.0.0.1:1/reservation")
    assert wire.call("GET", "/ready").status == 503
    assert wire.post_json("/auth/login", {"email": "a@b.fr", "password": PASSWORD}).status == 503
    assert PASSWORD not in settled(wire)


def test_the_lines_of_the_last_moment_are_written_when_the_server_ends(open_wire):
    wire = open_wire()
    wire.call("GET", "/health", headers={"X-Request-Id": "the-very-last"})
    wire.server.stop()
    assert "the-very-last" in wire.server.output
