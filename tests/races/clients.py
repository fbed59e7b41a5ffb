"""Concurrent HTTP clients: threads, or processes full of threads, over real sockets.

This module imports nothing from the application, because its functions run in forked processes.
"""

import http.client
import json
import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

TIMEOUT = 20.0  # seconds for one response
LOST = (OSError, http.client.HTTPException)
UNAVAILABLE = 503
_FORK = multiprocessing.get_context("fork")


class Asking(NamedTuple):
    """A request; `key` is the Idempotency-Key."""

    method: str
    path: str
    token: str
    body: Any = None
    key: str = ""


class Answer(NamedTuple):
    status: int
    body: Any


Ask = Callable[[int, Asking], Answer]


def send(port: int, asking: Asking) -> Answer:
    """Sends the request on a new connection. Raises an exception in LOST if no
    complete response arrives."""
    headers = {"Authorization": f"Bearer {asking.token}", "Content-Type": "application/json"}
    if asking.key:
        headers["Idempotency-Key"] = asking.key
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        body = None if asking.body is None else json.dumps(asking.body)
        connection.request(asking.method, asking.path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        return Answer(answer.status, json.loads(text) if text else None)
    finally:
        connection.close()


def persist(
    port: int, asking: Asking, seconds: float = 20, lost: tuple[type[Exception], ...] = LOST
) -> Answer:
    """Repeats the request with the same key until the response tells the outcome. Also repeats
    after an exception in `lost`."""
    until = time.monotonic() + seconds
    while True:
        try:
            answer = send(port, asking)
            if answer.status != UNAVAILABLE or time.monotonic() > until:
                return answer
        except lost:
            if time.monotonic() > until:
                raise
        time.sleep(0.02)


patient = partial(persist, lost=())  # repeats a request that a busy machine answers with 503


def at_once(port: int, askings: Sequence[Asking], ask: Ask = send) -> list[Answer]:
    """Sends each request from its own thread; a barrier starts all threads together."""
    barrier = threading.Barrier(len(askings))

    def wait(asking: Asking) -> Answer:
        barrier.wait(timeout=TIMEOUT)
        return ask(port, asking)

    with ThreadPoolExecutor(len(askings)) as threads:
        return list(threads.map(wait, askings))


def from_processes(work: Callable[..., Any], jobs: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Runs work(*job) for each job at the same time, each in its own client process."""
    jobs = list(jobs)
    with _FORK.Pool(len(jobs)) as processes:
        return processes.starmap(work, jobs, chunksize=1)


def storm(
    port: int, askings: Sequence[Asking], processes: int = 4, ask: Ask = send
) -> list[Answer]:
    """Sends all requests at once from several processes; returns the answers in any order."""
    hands = [(port, askings[first::processes], ask) for first in range(processes)]
    return sum(from_processes(at_once, hands), [])


def statuses(answers: Iterable[Answer]) -> Counter[int]:
    return Counter(answer.status for answer in answers)
