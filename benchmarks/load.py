"""The load generator: a few keep-alive connections and pre-encoded requests."""

import re
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.servers import CannotMeasure, Server

PATIENCE = 30.0  # seconds for one response
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)


class Answer(NamedTuple):
    head: bytes
    body: bytes


@dataclass(frozen=True)
class Sample:
    """The result of one round."""

    cpu: float  # CPU seconds of the server's processes per request
    rate: float  # requests per second
    waits: Sequence[float] = ()  # response time of each request in seconds
    sizes: Sequence[int] = ()  # bytes of each body


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Encodes a request; `Idempotency_Key="…"` adds the header Idempotency-Key."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


ANY = request("GET", "/health")


def measure(server: Server, requests: Sequence[bytes], clients: int) -> Sample:
    """Sends each request once, over one connection for each client."""
    with Client(server.address, clients) as client:
        client.send([ANY] * clients)  # opens the connections before the measurement starts
        cpu, started = server.cpu(), time.perf_counter()
        answers = client.send(requests)
        seconds = time.perf_counter() - started
        cpu = server.cpu() - cpu
        sizes = [len(answer.body) for answer in answers]
        return Sample(cpu / len(requests), len(requests) / seconds, client.waits, sizes)


def fetch(server: Server, sent: bytes) -> Answer:
    with Client(server.address, 1) as client:
        return client.send([sent])[0]


class Client:
    """Sends requests from one thread, one request at a time on each connection.

    Raises CannotMeasure if a response is not a success.
    """

    def __init__(self, address: tuple[str, int], connections: int) -> None:
        self.waits: list[float] = []
        self._selector = selectors.DefaultSelector()
        self._sockets = [socket.create_connection(address, PATIENCE) for _ in range(connections)]
        for connection in self._sockets:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self._selector.close()
        for connection in self._sockets:
            connection.close()

    def send(self, requests: Sequence[bytes]) -> list[Answer]:
        """Sends all requests, waits for all responses, and returns them in order of arrival."""
        waiting: Iterator[bytes] = iter(requests)
        parts: dict[socket.socket, bytes] = {}
        since: dict[socket.socket, float] = {}
        self.waits = []
        answers: list[Answer] = []
        for connection, sent in zip(self._sockets, waiting, strict=False):
            self._selector.register(connection, selectors.EVENT_READ)
            since[connection] = time.perf_counter()
            connection.sendall(sent)
        while len(answers) < len(requests):
            for connection in self._readable():
                received = parts.pop(connection, b"") + _read(connection)
                answer = answer_in(received)
                if answer is None:
                    parts[connection] = received
                    continue
                answers.append(answer)
                now = time.perf_counter()
                self.waits.append(now - since[connection])
                if sent := next(waiting, b""):
                    since[connection] = now
                    connection.sendall(sent)
                else:  # from here on the server may close the connection
                    self._selector.unregister(connection)
        return answers

    def _readable(self) -> list[Any]:
        ready = self._selector.select(PATIENCE)
        if not ready:
            raise CannotMeasure(f"no answer within {PATIENCE:.0f} s")
        return [key.fileobj for key, _ in ready]


def _read(connection: socket.socket) -> bytes:
    part = connection.recv(65536)
    if not part:
        raise CannotMeasure("the server closed a connection")
    return part


def answer_in(received: bytes) -> Answer | None:
    """Returns the response, or None if the response is incomplete.

    Raises CannotMeasure if the response is not a success.
    """
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return None
    if not head.startswith(b"HTTP/1.1 20"):
        raise CannotMeasure(f"not a success: {received[:300]!r}")
    length = _LENGTH.search(head + b"\r\n")
    if length is None:
        raise CannotMeasure(f"no Content-Length: {head!r}")
    return Answer(head, body) if len(body) >= int(length[1]) else None
