"""The service behind nginx, with the shipped site."""

import gzip
import re
import socket
import ssl
import subprocess
from contextlib import ExitStack

import pytest

from reservation.lib.short_addresses import RESERVED, is_valid
from reservation.resources.site_files import shipped
from tests import engines, outboxes
from tests.deployment.nginx import SHIPPED
from tests.http.wire import (
    CHUNKED,
    CLOSE,
    JSON,
    LAST_CHUNK,
    answers,
    chunk,
    is_error,
    request,
)

pytestmark = engines.on_sqlite
LIMIT = 64 * 1024
UPGRADING = SHIPPED.parent.parent / "docs" / "upgrading.md"
HIDDEN = "u1-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"  # as in the URL of a feed
PREFIXED = {"location / {": "location /agenda/ {", 'SCRIPT_NAME "";': 'SCRIPT_NAME "/agenda";'}
DISGUISES = [
    f"/flux/{HIDDEN}.ics", f"/flux//{HIDDEN}", f"//flux/{HIDDEN}", f"/%66lux/{HIDDEN}",
    f"/flux%2F{HIDDEN}", f"/x/../flux/{HIDDEN}", f"/agenda/flux/{HIDDEN}.ics",
    f"/api/villes?q={HIDDEN}", f"/flux/{HIDDEN}.ics?{HIDDEN}",
]


def login(size, **headers):
    """Returns a login request with a body of `size` bytes, and an id to find in a log."""
    start = b'{"email": "nobody@example.fr", "password": "wrong", "more": "'
    body = start + b"x" * (size - len(start) - 2) + b'"}'
    sent = {**JSON, **CLOSE, "Content-Length": str(size), **headers}
    return request("POST", "/auth/login", sent), body


def test_the_service_answers_through_it_as_it_does_itself(serve, nginx):
    server = serve()
    wire = nginx(server)
    answer = wire.call("GET", "/api/villes?q=lyon", headers={"X-Request-Id": "one-and-only"})
    assert (answer.status, answer.json[0]) == (200, "Lyon")
    assert answer.headers.get_all("X-Request-Id") == ["one-and-only"]
    assert answer.headers.get_all("Access-Control-Allow-Origin") == ["*"]
    assert answer.headers["Server"] == "nginx"
    for log in (lambda: server.output, lambda: wire.server.logs):
        outboxes.wait_for(lambda: "one-and-only" in log())  # noqa: B023
    assert is_error(wire.call("GET", "/nothing"), 404)
    assert len(wire.call("GET", "/health").headers["X-Request-Id"]) == 32


@pytest.mark.parametrize("chunked", [False, True], ids=["declared", "chunked"])
def test_a_body_over_64_kb_ends_at_nginx(serve, nginx, chunked):
    server = serve()
    wire = nginx(server)
    for size, status in ((LIMIT, 401), (LIMIT + 1, 413)):
        head, body = login(size, **{"X-Request-Id": f"of-{size}-bytes"})
        if chunked:
            length = b"Content-Length: %d" % size
            head = head.replace(length, b"Transfer-Encoding: chunked")
            body = chunk(body) + LAST_CHUNK
        answer = wire.send(head + body)
        assert is_error(answer, status)
        assert answer.headers["X-Request-Id"] == f"of-{size}-bytes"
    naked = type(wire)(server).send(b"".join(login(LIMIT + 1, **{"X-Request-Id": "naked"})))
    assert naked.json == answer.json
    outboxes.wait_for(lambda: "naked" in server.output)  # earlier lines are there too
    assert "of-65536-bytes" in server.output
    assert "of-65537-bytes" not in server.output


def test_a_large_body_is_refused_in_the_words_of_the_service_when_that_is_down(nginx):
    wire = nginx(engines.free_port())
    picture = {"Content-Type": "application/octet-stream"}
    answer = wire.call("POST", "/api/entreprises/1/photos", b"x" * 3_000_000, picture)
    assert is_error(answer, 502)


@pytest.mark.parametrize("prefix", ["", "/agenda"])
@pytest.mark.parametrize("path, limit", [("clients/import", 2**20), ("photos", 5 * 2**20)])
def test_a_file_may_be_larger_than_other_bodies(serve, nginx, prefix, path, limit):
    """An import of customers may have a megabyte, a photo five. nginx names the limit of each."""
    wire = nginx(serve(), PREFIXED if prefix else None)
    line = f"POST {prefix}/api/entreprises/1/{path} HTTP".encode()
    for size, status in ((limit, 401), (limit + 1, 413)):
        head, body = login(size)
        answer = wire.send(head.replace(b"POST /auth/login HTTP", line) + body)
        assert is_error(answer, status)
    assert answer.json["error"] == f"The body is larger than {limit} bytes"
    assert (answer.json["code"], answer.json["max"]) == ("body_too_large", limit)


def test_while_the_service_is_down_502_looks_like_its_own_errors(nginx):
    wire = nginx(engines.free_port())
    for method, path in (("GET", "/api/villes"), ("POST", "/auth/login"), ("PUT", "/nothing")):
        answer = wire.call(method, path, headers={"X-Request-Id": "down"})
        assert is_error(answer, 502)
        assert (answer.headers["Retry-After"], answer.headers["X-Request-Id"]) == ("5", "down")
    outboxes.wait_for(lambda: '502 "PUT /nothing"' in wire.server.logs)
    assert "nginx answers 502" in UPGRADING.read_text()


def test_nginx_takes_no_path_that_a_business_may_have(nginx):
    wire = nginx(engines.free_port())
    taken = re.findall(r"(?m)^ +location (?:= |~ |)/([\w.]+)", SHIPPED.read_text())
    business = [path for path in taken if is_valid(path) and path not in RESERVED]
    assert (len(taken) > 2, business) == (True, [])
    assert is_error(wire.call("GET", "/refused"), 502)


def test_a_page_on_another_origin_reads_the_headers_of_nginx_s_own_errors(serve, nginx):
    wire = nginx(serve())
    from_nginx, from_service = (
        wire.call("GET", path, headers={"Origin": "https://elsewhere.example"})
        for path in ("/metrics", "/nothing")
    )
    assert is_error(from_nginx, 403) and is_error(from_service, 404)
    exposed = from_nginx.headers.get_all("Access-Control-Expose-Headers")
    assert exposed == from_service.headers.get_all("Access-Control-Expose-Headers")
    assert exposed == ["*, Authorization"]


def test_while_the_service_is_stuck_504_looks_like_its_own_errors(nginx):
    with socket.create_server(("127.0.0.1", 0)) as stuck:
        wire = nginx(stuck.getsockname()[1], {"proxy_read_timeout 30s": "proxy_read_timeout 1s"})
        assert is_error(wire.call("GET", "/api/villes"), 504)


def test_while_the_database_is_down_503_is_the_service_s_own(serve, nginx):
    wire = nginx(serve(DATABASE_URL="mysql://root@127.0.0.1:1/reservation"))
    answer = wire.call("POST", "/auth/login", login(200)[1], JSON)
    assert is_error(answer, 503)
    assert answer.json["code"] == "database_unavailable"


@pytest.mark.parametrize(
    "raw, status",
    [
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nCookie: " + b"x" * 40_000 + b"\r\n\r\n", 400),
        (b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        (request("POST", "/auth/login", {**JSON, **CHUNKED, **CLOSE}, b"zz\r\n"), 400),
        (request("TRACE", "/", CLOSE), 405),
        (request("GET", "/", {**CLOSE, "Transfer-Encoding": "gzip"}), 501),
    ],
    ids=["no host", "bad path", "large header", "long line", "bad chunk", "TRACE", "gzip"],
)
def test_what_nginx_refuses_looks_like_the_service_s_own_errors(nginx, raw, status):
    assert is_error(nginx(engines.free_port()).send(raw), status)


FORM = 21  # the first request and a burst of 20
SEARCH = 101
NO_BODY = {**JSON, "Content-Length": "0"}


def statuses(wire, method, path, times, source="127.0.0.1"):
    raw = request(method, path, {**CLOSE, **(NO_BODY if method == "POST" else {})})
    return [wire.send(raw, method, source=source).status for _ in range(times)]


@pytest.mark.parametrize(
    "path",
    ["/auth/login", "/api/auth/login", "/auth/register", "/api/auth/register", "/register_form",
     "/auth/password/forgot", "/api/auth/password/forgot", "/contact", "/agenda/auth/login",
     "/%61uth/login?a=b"],
)
def test_a_client_sends_20_forms_at_once_and_is_429_then(nginx, path):
    """The status is 502 below the limit, because no service runs behind nginx."""
    wire = nginx(engines.free_port())
    assert statuses(wire, "POST", path, FORM) == [502] * FORM
    answer = wire.send(request("POST", path, {**NO_BODY, **CLOSE}))
    assert is_error(answer, 429)
    assert answer.json == {
        "error": "Too many requests, try again later", "code": "too_many_attempts"
    }
    assert answer.headers["Retry-After"] == "5"
    assert statuses(wire, "POST", path, 1, source="127.0.0.2") == [502]
    assert statuses(wire, "GET", path, 1) == [502]


def test_forms_are_counted_apart_and_both_prefixes_together(nginx):
    wire = nginx(engines.free_port())
    statuses(wire, "POST", "/auth/login", FORM - 10)
    assert statuses(wire, "POST", "/api/auth/login", 15)[-1] == 429
    for path in ("/auth/register", "/auth/password/forgot", "/contact", "/auth/refresh"):
        assert statuses(wire, "POST", path, 1) == [502]


@pytest.mark.parametrize(
    "path",
    ["/api/villes?q=ly", "/api/services", "/api/suggestions?q=co", "/api/entreprises?q=a",
     "/api/prestations", "/api/entreprises/7/creneaux?du=2030-01-01",
     "/api/entreprises/7/prestations"],
)
def test_a_client_searches_100_times_at_once_and_is_429_then(nginx, path):
    """Lowers the limit from 20 per second to 1 per second, for a slow machine."""
    wire = nginx(engines.free_port(), {"rate=20r/s": "rate=1r/s"})
    found = statuses(wire, "GET", path, SEARCH + 30)
    assert found[:SEARCH] == [502] * SEARCH and found[-1] == 429
    assert is_error(wire.call("GET", path), 429)
    assert statuses(wire, "GET", path, 1, source="127.0.0.2") == [502]
    assert statuses(wire, "GET", "/health", 1) == [502]


def test_a_client_has_so_many_requests_at_the_same_time(nginx):
    with socket.create_server(("127.0.0.1", 0)) as stuck, ExitStack() as stack:
        connections = "limit_conn reservation_connections"
        wire = nginx(stuck.getsockname()[1], {f"{connections} 100": f"{connections} 2"})
        for _ in range(2):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", wire.server.port)))
            one.sendall(request("GET", "/health", CLOSE))
            stack.enter_context(stuck.accept()[0])  # nginx has forwarded the request
        assert is_error(wire.call("GET", "/health"), 429)


def test_the_files_of_a_page_may_be_loaded_at_the_same_time(nginx):
    with socket.create_server(("127.0.0.1", 0)) as stuck, ExitStack() as stack:
        stuck.settimeout(10)
        connections = "limit_conn reservation_connections"
        wire = nginx(stuck.getsockname()[1], {f"{connections} 100": f"{connections} 2"})
        for _ in range(3):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", wire.server.port)))
            one.sendall(request("GET", f"/agenda/site/{shipped().digest}/app.js", CLOSE))
            stack.enter_context(stuck.accept()[0])  # nginx has forwarded the request


def test_the_service_s_own_429_passes_as_it_is(serve, nginx):
    wire = nginx(serve(), {"burst=20": "burst=40"})
    body = b'{"email": "a@example.fr", "password": "faux"}'
    found = [wire.call("POST", "/auth/login", body, JSON) for _ in range(11)]
    assert [one.status for one in found] == [401] * 10 + [429]
    assert found[-1].json["code"] == "too_many_failures"


def test_metrics_are_not_for_the_outside(serve, nginx):
    wire = nginx(serve())
    for path in ("/metrics", "/%6detrics", "//metrics", "/x/../metrics", "/./metrics?a=b"):
        assert is_error(wire.call("GET", path), 403)


def test_below_a_prefix_the_service_answers_and_its_metrics_are_hidden(serve, nginx):
    wire = nginx(serve(), PREFIXED)
    assert wire.call("GET", "/agenda/api/villes?q=lyon").json[0] == "Lyon"
    for path in ("/agenda/metrics", "/agenda//metrics", "//agenda/%6detrics?a=b"):
        assert is_error(wire.call("GET", path), 403)


@pytest.mark.parametrize("up", [True, False], ids=["up", "down"])
def test_nginx_logs_no_address_of_a_feed_and_no_query(serve, nginx, up):
    wire = nginx(serve() if up else engines.free_port())
    for path in DISGUISES:
        wire.call("GET", path)
        wire.call("POST", path, b"x" * (LIMIT + 1), JSON)
        wire.call("GET", path, headers={"Cookie": "x" * 40_000})
        wire.call("GET", path, headers={"Host": "a b"})
        wire.server.send(f"GET {path} {HIDDEN}".encode() + b"\r\n\r\n")
    wire.call("GET", "/health", headers={"X-Request-Id": "the-last"})
    outboxes.wait_for(lambda: "the-last" in wire.server.logs)
    assert '"POST /flux/..."' in wire.server.logs
    assert HIDDEN not in wire.server.logs


def test_json_and_text_are_compressed_for_who_asks(serve, nginx):
    wire = nginx(serve())
    plain = wire.call("GET", "/api/villes")
    packed = wire.call("GET", "/api/villes", headers={"Accept-Encoding": "gzip"})
    assert plain.headers["Content-Encoding"] is None
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) * 0.7


def test_certbot_can_prove_the_name(nginx, tmp_path):
    folder = tmp_path / ".well-known" / "acme-challenge"
    folder.mkdir(parents=True)
    (folder / "proof").write_text("it is")
    wire = nginx(engines.free_port(), {"/var/www/html": str(tmp_path)})
    assert wire.call("GET", "/.well-known/acme-challenge/proof").body == b"it is"
    assert is_error(wire.call("GET", "/.well-known/acme-challenge/other"), 404)


def test_with_a_certificate_it_speaks_tls_and_sends_everybody_there(serve, nginx, tmp_path):
    engines.require("openssl", "openssl")
    key, certificate, port = tmp_path / "key", tmp_path / "certificate", engines.free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=agenda.example",
         "-addext", "subjectAltName=DNS:agenda.example", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    wire = nginx(serve(), {
        "#tls ": "",
        "    listen [::]:443 ssl http2;\n": "",
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/letsencrypt/live/agenda.example/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/agenda.example/privkey.pem": str(key),
    })
    answer = wire.call("POST", "/auth/login?a=b")
    assert (answer.status, answer.headers["Location"]) == (
        308, "https://agenda.example/auth/login?a=b"
    )
    assert answer.headers["Strict-Transport-Security"] is None  # HSTS is sent over TLS only
    context = ssl.create_default_context(cafile=certificate)
    for path, status in (("/health", 200), ("/metrics", 403)):
        with (
            socket.create_connection(("127.0.0.1", port), timeout=10) as connection,
            context.wrap_socket(connection, server_hostname="agenda.example") as secure,
        ):
            secure.sendall(request("GET", path, CLOSE))
            (answer,) = answers(b"".join(iter(lambda: secure.recv(65536), b"")))  # noqa: B023
        assert answer.status == status
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
