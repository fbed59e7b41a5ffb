"""The client address of a request: the peer's, or the address that a trusted proxy names."""

import itertools
import json

import pytest

from reservation.lib.proxies import THIS_MACHINE, Forwarded
from tests.http.wire import CLOSE, JSON, Wire, declared, request
from tests.specification.bodies import LINE, MESSAGE


def seen(peer, said, trusted=THIS_MACHINE):
    """Returns the client address that the application receives."""
    environ = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": said}
    told = []
    Forwarded(lambda given, _: told.append(given["REMOTE_ADDR"]) or [], trusted)(environ, None)
    return told[0]


@pytest.mark.parametrize(
    "said, client",
    [
        ("192.0.2.7", "192.0.2.7"),
        ("203.0.113.1, 192.0.2.7", "192.0.2.7"),
        ("203.0.113.1,192.0.2.7 ", "192.0.2.7"),
        ("192.0.2.7:4711", "192.0.2.7"),
        ("2001:db8::7", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("x, [2001:DB8::0:7]:4711", "2001:db8::7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ],
)
def test_the_last_address_of_a_trusted_proxy_is_the_clients(said, client):
    assert seen("127.0.0.1", said) == client


@pytest.mark.parametrize(
    "said",
    ["", " ", ",", "unknown", "192.0.2.7, unknown", "192.0.2.7,", "192.0.2.256", "192.0.2",
     "3221225991", "[192.0.2.7", "2001:db8::7]:80", "192.0.2.7:x", "192.0.2.7\0", "é", "_hidden",
     "٣.0.2.7", "1" * 5000, "[]", "[]:80", "192.0.2.7;192.0.2.8", "192.0.2.0/24"],
)
def test_what_is_no_address_leaves_the_peers(said):
    assert seen("127.0.0.1", said) == "127.0.0.1"


@pytest.mark.parametrize(
    "trusted, peer, counts",
    [
        (THIS_MACHINE, "127.0.0.1", True),
        (THIS_MACHINE, "::1", True),
        (THIS_MACHINE, "::ffff:127.0.0.1", True),
        (THIS_MACHINE, "", True),  # a Unix socket
        (THIS_MACHINE, "127.0.0.2", False),
        (THIS_MACHINE, "198.51.100.7", False),
        (THIS_MACHINE, "2001:db8::1", False),
        ("198.51.100.0/24, 2001:db8::/32", "198.51.100.7", True),
        ("198.51.100.0/24, 2001:db8::/32", "2001:db8::1", True),
        ("198.51.100.0/24, 2001:db8::/32", "127.0.0.1", False),
        ("*", "203.0.113.9", True),
        ("*", "2001:db8::1", True),
        ("", "127.0.0.1", False),
        ("198.51.100.7", "nonsense", False),
    ],
)
def test_only_a_trusted_peer_says_whose_address_it_is(trusted, peer, counts):
    assert seen(peer, "192.0.2.7", trusted) == ("192.0.2.7" if counts else peer)


@pytest.mark.parametrize(
    "path, body, good, most",
    [
        ("/auth/code", {"email": "{}@example.fr"}, 202, 50),
        ("/auth/code/login", {"email": "{}@example.fr", "code": "1"}, 401, 30),
        ("/auth/register", {**LINE, "email": "{}@example.fr"}, 201, 20),
        ("/contact", {**MESSAGE, "email": "{}@example.fr"}, 200, 10),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_forged_header_of_an_untrusted_peer_does_not_change_the_counted_network(
    serve, path, body, good, most
):
    wire, port = Wire(serve("--workers", "2", LIMITS="on")), itertools.count(1)

    def send(source, said):
        text = json.dumps({**body, "email": body["email"].format(f"a{next(port)}")}).encode()
        forged = {"X-Forwarded-For": said, "X-Real-IP": said, "Forwarded": f"for={said}"}
        headers = {**JSON, **CLOSE, **declared(text), **forged}
        return wire.send(request("POST", path, headers, text), source=source).status

    statuses = [send("127.0.7.1", f"10.0.{number}.1") for number in range(most + 1)]
    assert statuses == [good] * most + [429]
    assert send("127.0.7.2", "10.9.9.9") == 429  # the same network
    assert send("127.0.8.1", "127.0.7.1") == good  # another network that names the first


def test_an_embedded_application_counts_by_the_address_that_its_server_gives(make_client):
    client = make_client(LIMITS="on")

    def ask(number, source):
        forged = {"X-Forwarded-For": f"10.0.{number}.1", "X-Real-IP": f"10.0.{number}.1"}
        body = {"email": f"a{number}@example.fr"}
        how = {"source": source, "headers": forged, "expect": "*"}
        return client.post("/auth/code", body, **how).status_int

    assert [ask(number, "192.0.2.7") for number in range(51)] == [202] * 50 + [429]
    assert ask(51, "198.51.100.7") == 202


def ask(wire, number, said):
    """Returns the status of a request for a reset link. The limit is 20 for each network."""
    body = b'{"email": "proxy%d@example.fr"}' % number
    headers = {**JSON, **CLOSE, **declared(body), "X-Forwarded-For": said}
    raw = request("POST", "/auth/password/forgot", headers, body)
    return wire.send(raw, source="127.0.7.1").status


@pytest.mark.parametrize(
    "options, last",
    [([], 429), (["--trusted-proxies", "127.0.7.0/24"], 202), (["--trusted-proxies", "*"], 202)],
    ids=["untrusted", "trusted", "everybody"],
)
def test_gunicorn_counts_by_the_network_that_a_trusted_proxy_names(serve, options, last):
    wire = Wire(serve(*options))
    statuses = [ask(wire, number, f"10.0.{number}.1") for number in range(21)]
    assert statuses == [202] * 20 + [last]
