"""Oversized and malformed request bodies, sent to a real gunicorn (design, 6)."""

import gzip
import json
import socket
import time
from contextlib import suppress

import pytest

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

LIMIT = 64 * 1024
HEALTH = request("GET", "/health", CLOSE)


def padded(size, media=JSON):
    """Returns a login body of exactly `size` bytes, as JSON or as a form."""
    if media is FORM:
        return b"email=a@example.fr&password=" + b"x" * (size - 28)
    start = b'{"email": "nobody@example.fr", "password": "wrong", "more": "'
    return start + b"x" * (size - len(start) - 2) + b'"}'


def still_works(wire):
    return wire.call("GET", "/health").json == {"status": "ok"}


@pytest.mark.parametrize("size, status", [(LIMIT, 401), (LIMIT + 1, 413), (10 * LIMIT, 413)])
@pytest.mark.parametrize("chunks", [0, 1, 7, 1000])
def test_64_kb_of_json_pass_and_one_byte_more_is_413(wire, size, status, chunks):
    body = padded(size)
    if chunks:
        step = -(-size // chunks)
        parts = [chunk(body[at:at + step]) for at in range(0, size, step)]
        raw = request("POST", "/auth/login", {**JSON, **CHUNKED, **CLOSE})
        answer = wire.send(raw + b"".join(parts) + LAST_CHUNK)
    else:
        answer = wire.call("POST", "/auth/login", body, JSON)
    assert is_error(answer, status)
    assert still_works(wire)


@pytest.mark.parametrize("size, status", [(LIMIT, 200), (LIMIT + 1, 413)])
def test_64_kb_of_a_form_pass_and_one_byte_more_is_413(wire, size, status):
    answer = wire.call("POST", "/login_form", padded(size, FORM), FORM)
    assert answer.status == status
    assert status == 200 or is_error(answer, 413)


@pytest.mark.parametrize(
    "path, media", [("/auth/login", JSON), ("/auth/register", JSON), ("/teste", FORM)]
)
@pytest.mark.parametrize("connection", [CLOSE, {}], ids=["close", "keep-alive"])
def test_413_comes_before_a_declared_body_does(wire, path, media, connection):
    headers = {**media, **connection, "Content-Length": "200000000"}
    assert is_error(first_answer(wire, request("POST", path, headers, b"x" * 100)), 413)


@pytest.mark.parametrize("connection", [CLOSE, {}], ids=["close", "keep-alive"])
def test_413_comes_before_the_chunks_end(wire, connection):
    raw = request("POST", "/auth/login", {**JSON, **CHUNKED, **connection})
    assert is_error(first_answer(wire, raw + chunk(padded(LIMIT + 1))), 413)


def test_413_comes_before_a_chunk_of_many_gigabytes_does(wire):
    raw = request("POST", "/auth/login", {**JSON, **CHUNKED, **CLOSE})
    assert is_error(first_answer(wire, raw + b"ffffffffff\r\n" + padded(2 * LIMIT)), 413)


def first_answer(wire, raw):
    """Returns the answer to an unfinished request. Fails if the answer takes 3 seconds."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", wire.server.port), timeout=5) as connection:
        connection.sendall(raw)
        received = b""
        while b"}" not in received:
            part = connection.recv(65536)
            assert part, received
            received += part
    assert time.monotonic() - began < 3
    return answers(received)[0]


@pytest.mark.parametrize("connection", [CLOSE, {}], ids=["close", "keep-alive"])
def test_a_client_that_goes_on_sending_is_cut_off(wire, connection):
    """The server must not read the body: only a part of 200 MB fits into the socket buffers."""
    size, sent = 200_000_000, 0
    raw = request("POST", "/auth/login", {**JSON, **connection, "Content-Length": str(size)})
    block = b"x" * 65536
    with socket.create_connection(("127.0.0.1", wire.server.port), timeout=10) as client:
        client.sendall(raw)
        with suppress(ConnectionError):
            while sent < size:
                sent += client.send(block)
    assert sent < size / 4
    assert still_works(wire)


@pytest.mark.parametrize("missing", [1, 20])
@pytest.mark.parametrize("path, media", [("/auth/login", JSON), ("/login_form", FORM)])
def test_a_body_that_ends_too_early_is_400(wire, path, media, missing):
    body = padded(100, media)
    raw = request("POST", path, {**media, **declared(body), **CLOSE}, body[:-missing])
    assert is_error(wire.send(raw, half_close=True), 400)
    assert still_works(wire)


@pytest.mark.parametrize(
    "chunks",
    [
        b"zz\r\n{}\r\n0\r\n\r\n",
        b"-2\r\n{}\r\n0\r\n\r\n",
        b"0x2\r\n{}\r\n0\r\n\r\n",
        b"2\r\n{}",
        b"2\r\n{}\r\n",
        b"2\r\n{}0\r\n\r\n",
        b"1\r\n{}\r\n0\r\n\r\n",
        b"9\r\n{}\r\n",
        b"\r\n",
        b"",
        b"1" * 10000 + b"\r\n{}\r\n0\r\n\r\n",
    ],
)
def test_a_malformed_chunk_is_400(wire, chunks):
    raw = request("POST", "/auth/login", {**JSON, **CHUNKED, **CLOSE}, chunks)
    assert is_error(wire.send(raw, half_close=True), 400)
    assert still_works(wire)


@pytest.mark.parametrize(
    "media",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        "application/json; charset=iso-8859-1",
        "application/json; charset=utf-16",
        'application/json; charset="utf-7"',
        "application/json, text/plain",
        "; charset=utf-8",
        "=?/;;;\t\"",
    ],
)
@pytest.mark.parametrize("path", ["/auth/login", "/auth/register"])
def test_json_is_taken_as_utf_8_and_under_its_own_name_only(wire, path, media):
    headers = {} if media is None else {"Content-Type": media}
    assert is_error(wire.call("POST", path, b'{"email": "a"}', headers), 415)


@pytest.mark.parametrize(
    "media", [None, "application/json", f"{FORM['Content-Type']}; charset=latin-1", "multipart/x"]
)
@pytest.mark.parametrize("path", ["/register_form", "/login_form", "/teste"])
def test_a_form_is_taken_as_utf_8_and_under_its_own_name_only(wire, path, media):
    headers = {} if media is None else {"Content-Type": media}
    assert is_error(wire.call("POST", path, b"username=a", headers), 415)


@pytest.mark.parametrize("coding", ["gzip", "Deflate", "br", "identity, gzip"])
@pytest.mark.parametrize("path, media", [("/auth/login", JSON), ("/teste", FORM)])
def test_a_compressed_body_is_refused_as_compressed(wire, path, media, coding):
    answer = wire.call(
        "POST", path, gzip.compress(b"username=a"), {**media, "Content-Encoding": coding}
    )
    assert is_error(answer, 415) and "not compressed" in answer.json["error"]


def test_a_body_may_say_that_it_is_not_compressed(wire):
    headers = {**JSON, "Content-Encoding": "Identity"}
    assert is_error(wire.call("POST", "/auth/login", padded(100), headers), 401)


def in_login(value):
    return b'{"email": "nobody@example.fr", "password": ' + value + b"}"


BAD_JSON = {
    "no JSON": b"{",
    "two values": b"{} {}",
    "a trailing comma": b'{"a": 1,}',
    "single quotes": b"{'a': 1}",
    "a comment": b"{} // c",
    "60,000 lists in one another": b"[" * 60_000,
    "30,000 closed lists": in_login(b"[" * 30_000 + b"]" * 30_000),
    "9,000 objects in one another": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "NaN": in_login(b"NaN"),
    "Infinity": in_login(b"Infinity"),
    "-Infinity": in_login(b"-Infinity"),
    "1e999": in_login(b"1e999"),
    "-1e999": in_login(b"-1e999"),
    "the first half of a surrogate pair": in_login(rb'"\ud800"'),
    "the second half of a surrogate pair": in_login(rb'"\udc00"'),
    "half of a surrogate pair as a key": rb'{"\udfff": 1, "email": "a", "password": "b"}',
    "half of a surrogate pair deep inside": in_login(rb'[[{"a": ["\ud83d"]}]]'),
    "a surrogate pair turned round": in_login(rb'"\udc00\ud800"'),
    "an escaped NUL": in_login(rb'"a\u0000b"'),
    "an escaped NUL as a key": rb'{"a\u0000": 1, "email": "a", "password": "b"}',
    "a raw NUL": in_login(b'"a\0b"'),
    "a raw NUL behind": b"{}\0",
    "a raw line break in a string": in_login(b'"a\nb"'),
    "a list": b'["email", "password"]',
    "a number": b"7",
    "a string": b'"email"',
    "null": b"null",
    "true": b"true",
    "2 ** 63": in_login(b"9223372036854775808"),
    "- 2 ** 63 - 1": in_login(b"-9223372036854775809"),
    "5000 digits": in_login(b"9" * 5000),
    "60,000 digits": in_login(b"9" * 60_000),
    "one key twice": b'{"email": "a@b.fr", "email": "c@d.fr", "password": "x"}',
    "one key twice, once escaped": rb'{"email": "a@b.fr", "\u0065mail": "c@d.fr"}',
    "one key twice deep inside": in_login(b'[{"a": 1, "a": 2}]'),
    "no UTF-8": in_login(b'"\xff"'),
    "latin-1": in_login('"é"'.encode("latin-1")),
    "a surrogate in UTF-8": in_login(b'"\xed\xa0\x80"'),
    "an overlong slash": in_login(b'"\xc0\xaf"'),
    "a cut character": in_login(b'"\xe2\x82'),
    "UTF-16": json.dumps({"email": "a", "password": "b"}).encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + in_login(b'"b"'),
}


@pytest.mark.parametrize(
    "kind",
    ["NaN", "1e999", "2 ** 63", "the first half of a surrogate pair", "an escaped NUL",
     "one key twice"],
)
def test_what_json_cannot_hold_is_refused_before_its_fields_are_looked_at(wire, kind):
    answer = wire.call("POST", "/auth/login", BAD_JSON[kind], JSON)
    assert answer.json["code"] == "malformed_json"


@pytest.mark.parametrize(
    "path, media, body",
    [("/auth/login", JSON, b'{"a": "\0"}'), ("/login_form", FORM, b"email=a\0")],
)
def test_a_nul_in_a_body_is_named(wire, path, media, body):
    answer = wire.call("POST", path, body, media)
    assert is_error(answer, 400)
    assert answer.json["code"] == "nul_character"


@pytest.mark.parametrize("path", ["/auth/login", "/auth/register"])
@pytest.mark.parametrize("body", BAD_JSON.values(), ids=BAD_JSON)
def test_what_is_no_json_object_of_ours_is_400(wire, path, body):
    assert is_error(wire.call("POST", path, body, JSON), 400)


@pytest.mark.parametrize("body", BAD_JSON.values(), ids=BAD_JSON)
def test_contact_says_so_in_its_own_shape(wire, body):
    answer = wire.call("POST", "/contact", body, JSON)
    assert (answer.status, set(answer.json)) == (400, {"success", "error"})
    assert answer.json["success"] is False


@pytest.mark.parametrize(
    "value", [b"9223372036854775807", b"-9223372036854775808", b"1e308", rb'"\ud83e\udd8a"']
)
def test_what_just_fits_is_read(wire, value):
    """The control of the tests above: the login is refused for its values only."""
    answer = wire.call("POST", "/auth/login", in_login(value), JSON)
    expected = {401: "Invalid credentials", 400: "Email and password must be strings"}
    assert is_error(answer, answer.status)
    assert answer.json["error"] == expected[401 if value.startswith(b'"') else 400]


@pytest.mark.parametrize("depth", [100, 300, 500, 700, 900, 970, 990, 1010, 3000])
@pytest.mark.parametrize("left, right", [(b"[", b"]"), (b'{"a":', b"}")])
@pytest.mark.parametrize("inner", [b"1", rb'"\u00e9"'])
def test_no_depth_of_nesting_is_too_much_for_the_server(wire, depth, left, right, inner):
    answer = wire.call("POST", "/auth/login", in_login(left * depth + inner + right * depth), JSON)
    assert is_error(answer, 400)


@pytest.mark.parametrize("body", BAD_JSON.values(), ids=BAD_JSON)
def test_a_connection_goes_on_after_a_bad_body(wire, body):
    raw = request("POST", "/auth/login", {**JSON, **declared(body)}, body) + HEALTH
    first, second = answers(wire.server.send(raw))
    assert is_error(first, 400)
    assert second.json == {"status": "ok"}


BAD_FORMS = {
    "a field twice": b"username=a&username=b",
    "a field twice, once escaped": b"username=a&user%6eame=b",
    "an empty field twice": b"username=&username=",
    "percent no UTF-8": b"username=%ff",
    "percent latin-1": b"username=%E9",
    "percent of a surrogate": b"username=%ED%A0%80",
    "a name that is no UTF-8": b"%ff=a&username=b",
    "raw bytes that are no UTF-8": b"username=\xff",
    "101 fields": b"username=a&" + b"&".join(b"f%d=" % n for n in range(100)),
    "20,000 fields": b"&".join(b"%d=" % n for n in range(9_000)),
    "a NUL": b"username=a%00b",
    "a NUL in a name": b"a%00=1&username=b",
    "a raw NUL": b"username=a\0b",
}


@pytest.mark.parametrize("body", BAD_FORMS.values(), ids=BAD_FORMS)
def test_a_form_that_cannot_be_meant_is_400(wire, body):
    assert is_error(wire.call("POST", "/teste", body, FORM), 400)
    answer = wire.call("POST", "/register_form", body, FORM)
    assert answer.status == 400
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    "body",
    [
        b"username=a&" + b"&".join(b"f%d=" % n for n in range(99)),
        b"username=a;b%3Bc",
        b"username=%zz%",
        b"username=a&=b",
        b"username=a+b&",
    ],
)
def test_a_strange_form_is_read(wire, body):
    assert is_error(wire.call("POST", "/teste", body, FORM), 404)
