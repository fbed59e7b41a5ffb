"""500 clients that send a byte a second: nginx holds them, a naked gunicorn stops answering."""

import socket
import threading
import time
from contextlib import suppress

import pytest

from tests import engines
from tests.http.wire import JSON, request

pytestmark = engines.on_sqlite
MANY = 500
THREADS = 8
SOON = 1.0  # seconds


class SlowClients:
    """Each began a login of 60 bytes, and sends one of them a second."""

    def __init__(self, port: int, count: int) -> None:
        head = request("POST", "/auth/login", {**JSON, "Content-Length": "60"})
        # Each from an address of its own: nginx limits what comes from one.
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
        time.sleep(1.5)  # a byte of each arrived

    yield start
    for clients in started:
        clients.leave()


def seconds(server):
    """How long a GET takes; SOON where it takes longer."""
    began = time.monotonic()
    with suppress(TimeoutError):
        server.send(request("GET", "/health", {"Connection": "close"}), timeout=SOON)
    return min(time.monotonic() - began, SOON)


def test_behind_nginx_500_slow_clients_hold_nobody_up(serve, nginx, slow_clients):
    wire = nginx(serve("--workers", "1", "--threads", str(THREADS)))
    slow_clients(wire.server.port, MANY)
    assert max(seconds(wire.server) for _ in range(5)) < SOON


def test_negative_control_without_nginx_as_many_as_threads_hold_everybody_up(
    serve, slow_clients
):
    server = serve("--workers", "1", "--threads", str(THREADS))
    assert seconds(server) < SOON
    slow_clients(server.port, THREADS)
    assert seconds(server) == SOON
