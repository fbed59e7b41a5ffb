"""Slow and idle clients do not occupy worker threads.

500 clients send a byte per second; 2,000 clients send nothing. Some send a part of a request that
the poller cannot wait for: such requests occupy at most a third of the threads.
"""

import resource
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
from functools import partial

import pytest

from reservation.commands.serve import SPARE
from tests import engines
from tests.http.wire import CHUNKED, JSON, LAST_CHUNK, answers, chunk, request
from tests.servers import Server

pytestmark = engines.on_sqlite
MANY, IDLE = 500, 2000
THREADS = 8
SOON = 1.0  # seconds
LOGIN = ("POST", "/auth/login")
# Requests of which a part never arrives. If a thread had them, it would wait for that part.
BEGUN = {
    "chunks": request(*LOGIN, {**JSON, **CHUNKED}),
    "chunks with their end inside": request(
        *LOGIN, {**JSON, **CHUNKED}, b"fff\r\n" + LAST_CHUNK
    ),
    "100 Continue": request(*LOGIN, {**JSON, "Expect": "100-continue", "Content-Length": "60"}),
    "a long body": request("POST", "/api/entreprises/1/photos", {"Content-Length": "200000"}),
    "a long body of a GET": request("GET", "/health", {"Content-Length": "200000"}),
    "a length of ten digits": request("GET", "/health", {"Content-Length": "9999999999"}),
    "a length with zeros": request(*LOGIN, {**JSON, "Content-Length": "000000000060"}),
    "a long head": request("GET", "/health", {f"X-{n}": "x" * 8000 for n in range(20)})[:-2],
    "behind another request": request("GET", "/health", {}) + b"GET /heal",
}
_GTHREAD = """
import sys
from gunicorn.workers.gthread import ThreadWorker
from reservation.commands import connections, main
connections.Worker = ThreadWorker
sys.exit(main(sys.argv[1:]))
"""


class SlowClients:
    """Clients that each send a login of 60 bytes, one byte per second."""

    def __init__(self, port: int, count: int) -> None:
        head = request("POST", "/auth/login", {**JSON, "Content-Length": "60"})
        # Each client has its own address, because nginx limits connections per address.
        sources = [(f"127.0.{n // 200 + 1}.{n % 200 + 1}", 0) for n in range(count)]
        self._clients = [
            socket.create_connection(("127.0.0.1", port), source_address=one) for one in sources
        ]
        for client in self._clients:
            client.sendall(head)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._send)
        self._thread.start()

    def _send(self) -> None:
        while not self._ended.wait(1):
            for client in self._clients:
                client.sendall(b" ")

    def leave(self) -> None:
        self._ended.set()
        self._thread.join()
        for client in self._clients:
            client.close()


@pytest.fixture
def slow_clients():
    started = []

    def start(port, count):
        started.append(SlowClients(port, count))
        time.sleep(1.5)  # each client has sent a byte by then

    yield start
    for clients in started:
        clients.leave()


@pytest.fixture
def idle_connections():
    """Returns a function that opens `count` connections until the end of the test."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, IDLE + 500)), hard))
    held = []

    def connect(port, count):
        held.extend(socket.create_connection(("127.0.0.1", port)) for _ in range(count))
        return held

    yield connect
    for connection in held:
        connection.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def few_files(monkeypatch):
    """Limits fresh processes to 1024 open files, the default of a shell, or to another number:
    few_files(200)."""
    popen = subprocess.Popen

    def allow(number):
        limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (number, number))
        monkeypatch.setattr(subprocess, "Popen", partial(popen, preexec_fn=limit))

    allow(1024)
    return allow


@pytest.fixture
def scarce(few_files, serve):
    """`reservation serve` with one web process, which may open 200 files."""
    few_files(200)
    return serve(fresh=True)


@pytest.fixture
def gthread(environ, tmp_path, client):
    """`reservation serve` with gunicorn's own gthread worker."""
    port = engines.free_port()
    command = [sys.executable, "-c", _GTHREAD, "serve", "--no-worker", f"--port={port}"]
    command += ["--workers=1", f"--threads={THREADS - SPARE}"]
    server = Server(command, tmp_path, environ, port)
    with urllib.request.urlopen(server.url + "/health", timeout=20):
        pass
    yield server
    server.kill()


def seconds(server):
    """Returns the duration of a GET request, at most SOON."""
    began = time.monotonic()
    with suppress(TimeoutError):
        server.send(request("GET", "/health", {"Connection": "close"}), timeout=SOON)
    return min(time.monotonic() - began, SOON)


def test_behind_nginx_500_slow_clients_hold_nobody_up(serve, nginx, slow_clients):
    wire = nginx(serve("--threads", str(THREADS)))
    slow_clients(wire.server.port, MANY)
    assert max(seconds(wire.server) for _ in range(5)) < SOON


def test_without_nginx_500_slow_clients_hold_nobody_up(serve, slow_clients):
    server = serve("--threads", str(THREADS))
    slow_clients(server.port, MANY)
    assert max(seconds(server) for _ in range(5)) < SOON


@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN)
def test_begun_requests_hold_nobody_up(serve, idle_connections, begun):
    server = serve("--threads", str(THREADS))
    for client in idle_connections(server.port, 2 * THREADS):
        client.sendall(begun)
    time.sleep(0.5)
    assert max(seconds(server) for _ in range(5)) < SOON


def test_begun_requests_are_answered_one_after_the_other(serve, idle_connections):
    """There are more of them than threads."""
    server = serve("--threads", str(THREADS))
    clients = idle_connections(server.port, 2 * THREADS)
    for client in clients:
        client.sendall(BEGUN["chunks"])
    time.sleep(0.5)
    for client in clients:
        client.sendall(chunk(b"{}") + LAST_CHUNK)
        client.settimeout(5)
        assert client.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_negative_control_with_gunicorns_own_worker_they_hold_everybody_up(
    gthread, slow_clients
):
    assert seconds(gthread) < SOON
    slow_clients(gthread.port, THREADS)
    assert seconds(gthread) == SOON


def test_2000_idle_connections_hold_nobody_up(serve, idle_connections):
    """The server has two processes with few threads each."""
    server = serve("--workers", "2")
    idle_connections(server.port, IDLE)
    assert max(seconds(server) for _ in range(5)) < SOON


def test_where_files_are_scarce_the_oldest_idle_connections_are_closed(
    few_files, serve, idle_connections
):
    server = serve(fresh=True)
    held = idle_connections(server.port, IDLE)
    assert max(seconds(server) for _ in range(5)) < SOON
    held[0].settimeout(5)
    assert held[0].recv(1) == b""
    assert "Traceback" not in server.output


def assert_runs(server):
    assert max(seconds(server) for _ in range(5)) < SOON
    assert "Traceback" not in server.output


def test_with_very_few_files_requests_are_answered(scarce, idle_connections):
    assert seconds(scarce) < SOON
    idle_connections(scarce.port, 200)
    assert_runs(scarce)


def test_where_files_are_scarce_a_new_connection_is_preferred_to_idle_ones(
    scarce, idle_connections
):
    for _ in range(120):
        client = idle_connections(scarce.port, 1)[-1]
        client.sendall(request("GET", "/health", {}))
        assert client.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_where_files_are_scarce_connections_are_closed_while_others_send(
    scarce, idle_connections
):
    for _ in range(5):
        for client in idle_connections(scarce.port, 200)[-200:]:
            with suppress(ConnectionError):  # the server has closed the oldest
                client.sendall(b"GET /")
    assert_runs(scarce)


def test_where_files_are_scarce_the_oldest_begun_requests_are_closed(scarce, idle_connections):
    for client in idle_connections(scarce.port, 200):
        client.sendall(BEGUN["chunks"])
    assert_runs(scarce)


def test_negative_control_with_gunicorns_own_worker_idle_connections_hold_everybody_up(
    gthread, idle_connections
):
    assert seconds(gthread) < SOON
    idle_connections(gthread.port, IDLE)
    assert seconds(gthread) == SOON


def ask_and_stay(port, count):
    """Sends requests that end their connections. Returns the connections, still open."""
    held = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(count)]
    for client in held:
        client.sendall(request("GET", "/health", {"Connection": "close"}))
    return held


def test_clients_that_do_not_hang_up_after_the_answer_hold_nobody_up(serve):
    server = serve()
    held = ask_and_stay(server.port, 20)
    assert max(seconds(server) for _ in range(5)) < SOON
    for client in held:
        while client.recv(65536):  # the answer, and then its end
            pass


def test_negative_control_with_gunicorns_own_worker_three_hold_everybody_up(gthread):
    held = ask_and_stay(gthread.port, 3)
    while held[0].recv(65536):  # until its end: before, the worker still accepts connections
        pass
    assert seconds(gthread) == SOON
    for client in held:
        client.close()


def test_a_large_body_that_nobody_reads_can_be_sent_and_is_answered(serve):
    """The answer comes before the body has arrived. nginx answers 502 if sending fails."""
    body = b"x" * (5 * 2**20)
    sent = {"Connection": "close", "Content-Length": str(len(body))}
    server = serve()
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
            client.sendall(request("POST", "/api/entreprises/1/photos", sent) + body)
            assert client.recv(65536).startswith(b"HTTP/1.1 401 ")


def test_a_request_that_comes_in_pieces_is_answered_whole(serve):
    """The head, the body, and the next request on the connection arrive separately."""
    body = b'{"email": "a@example.fr", "password": "x"}'
    first = request("POST", "/auth/login", {**JSON, "Content-Length": str(len(body))}) + body
    second = request("GET", "/health", {"Connection": "close"})
    server = serve()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        for piece in (first[:20], first[20:100], first[100:-10], first[-10:]):
            client.sendall(piece)
            time.sleep(0.1)
        came = b""
        while b"}" not in came:  # the head and the body may arrive separately
            came += client.recv(65536)
        assert came.startswith(b"HTTP/1.1 401 ")
        client.sendall(second[:10])
        time.sleep(0.1)
        client.sendall(second[10:])
        assert client.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_a_request_that_begins_behind_another_is_answered_whole(serve):
    second = request("GET", "/health", {"Connection": "close"})
    server = serve()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        client.sendall(request("GET", "/health", {}) + second[:10])
        for piece in (second[10:20], second[20:]):
            time.sleep(0.1)
            client.sendall(piece)
        received = b""
        while part := client.recv(65536):
            received += part
    assert [answer.status for answer in answers(received)] == [200, 200]


def test_a_request_that_breaks_off_ends_its_connection(serve):
    server = serve()
    assert server.send(b"GET /health HTT", half_close=True) == b""
    assert seconds(server) < SOON


def test_a_client_that_awaits_permission_for_its_body_gets_it(serve):
    head = request(
        "POST", "/auth/login", {**JSON, "Content-Length": "2", "Expect": "100-continue"}
    )
    server = serve()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        client.sendall(head)
        assert client.recv(65536).startswith(b"HTTP/1.1 100 ")
        client.sendall(b"{}")
        assert client.recv(65536).startswith(b"HTTP/1.1 400 ")
