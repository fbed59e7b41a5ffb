"""Customers that book, move and cancel, and owners that close days, until stdin is closed.

    python -m tests.cluster.storm.client < job

The first line of stdin is a job as JSON. Prints the results as JSON. A program of its own, so that
the clients of a storm use several cores and have no part in the measured processes.
"""

import http.client
import json
import random
import sys
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

TIMEOUT = 30.0  # seconds for one answer
PAUSE = 1.0  # seconds after a refusal
MANY = 20  # bookings of a customer, above which the customer only cancels
LOST = (OSError, http.client.HTTPException)
# The service or the connection failed, so the outcome is unknown.
LOST_STATUS, UNAVAILABLE = 0, 503


class Person:
    """A thread with an account and a connection that is kept open."""

    def __init__(
        self, job: dict[str, Any], number: int, token: str, over: threading.Event
    ) -> None:
        self.over, self.chance = over, random.Random(f"{job['seed']}.{number}")
        self.address = ("127.0.0.1", job["ports"][number % len(job["ports"])])
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.halls = job["halls"]
        self.connection: http.client.HTTPConnection | None = None
        self.answers: list[tuple[str, float, float, int]] = []  # name, start, duration, status
        # State, slot, version and business by id.
        self.booked: dict[int, tuple[str, int, int, dict[str, Any]]] = {}
        self.cancelled: list[int] = []
        self.faults: list[str] = []

    def send(self, name: str, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Returns the status and the body. Status 0 means that the connection was lost."""
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {})}
        began, status, answer = time.time(), LOST_STATUS, None
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(*self.address, timeout=TIMEOUT)
            content = None if body is None else json.dumps(body)
            self.connection.request(method, path, content, headers)
            response = self.connection.getresponse()
            text = response.read()
            status, answer = response.status, json.loads(text) if text else None
        except LOST:
            if self.connection:
                self.connection.close()
            self.connection = None
        self.answers.append((name, began, time.time() - began, status))
        return status, answer

    def ask(self, *request: Any, **key: str) -> Any:
        """Repeats the request until the answer tells the outcome.

        Returns the status, the body, and whether an earlier attempt may have succeeded.
        """
        repeated = False
        while True:
            status, answer = self.send(*request, **key)
            if status not in (LOST_STATUS, UNAVAILABLE):
                if status >= 500:
                    self.faults.append(f"{status} {request}")
                return status, answer, repeated
            repeated = True
            time.sleep(PAUSE)

    def live(self, acts: Callable[["Person"], None]) -> None:
        try:
            while not self.over.is_set():
                acts(self)
        except Exception as ex:
            self.faults.append(repr(ex))

    def free(self, hall: dict[str, Any]) -> tuple[int, int] | None:
        """Returns the service of a business and one of its first free slots."""
        path = f"/api/entreprises/{hall['id']}/creneaux?prestation={hall['prestation']}"
        status, found, _ = self.ask("week", "GET", f"{path}&du={hall['du']}&au={hall['au']}")
        starts = [one["id"] for one in found] if status == 200 else []
        return (hall["prestation"], self.chance.choice(starts[:20])) if starts else None


def customer(one: Person) -> None:
    act = one.chance.random()
    if len(one.booked) > MANY and act < 0.8:
        return cancel(one)
    if act < 0.45:
        return book(one)
    if act < 0.65:
        return move(one)
    if act < 0.8:
        return cancel(one)
    one.ask("list", "GET", "/api/reservations?limite=20")


def book(one: Person) -> None:
    hall = one.chance.choice(one.halls)
    if not (found := one.free(hall)):
        return
    body = {"prestationId": found[0], "creneauId": found[1]}
    key = uuid.UUID(int=one.chance.getrandbits(128)).hex
    status, made, _ = one.ask("book", "POST", "/api/reservations", body, key=key)
    if status == 201:
        note(one, made, hall)


def move(one: Person) -> None:
    if not one.booked:
        return
    number = one.chance.choice(sorted(one.booked))
    version, hall = one.booked[number][2:]
    if not (found := one.free(hall)):
        return
    path, body = f"/api/reservations/{number}", {"version": version, "creneauId": found[1]}
    status, moved, repeated = one.ask("move", "PUT", path, body)
    if status != 200 and repeated:
        status, moved, _ = one.ask("look", "GET", path)
    if status == 200:
        note(one, moved, hall)


def cancel(one: Person) -> None:
    if not one.booked:
        return
    number = one.chance.choice(sorted(one.booked))
    status, _, _ = one.ask("cancel", "DELETE", f"/api/reservations/{number}")
    if status == 204:
        one.cancelled.append(number)
        del one.booked[number]


def note(one: Person, seen: dict[str, Any], hall: dict[str, Any]) -> None:
    one.booked[seen["id"]] = (seen["statut"], seen["creneauId"], seen["version"], hall)


def owner(one: Person) -> None:
    """Closes a random half day, and opens it again."""
    hall = one.chance.choice(one.halls)
    day = one.chance.choice(hall["days"])
    body = {
        "type": "fermeture", "titre": "Storm", "debut": f"{day}T09:00:00+02:00",
        "fin": f"{day}T11:00:00+02:00",
    }
    path = f"/api/entreprises/{hall['id']}/evenements"
    status, made, _ = one.ask("close", "POST", path, body)
    one.over.wait(1)
    if status == 201:
        one.ask("open", "DELETE", f"/api/evenements/{made['id']}")
    one.over.wait(1)


def main() -> None:
    job, over = json.loads(sys.stdin.readline()), threading.Event()
    people, threads = [], []
    for number, (role, token) in enumerate(job["people"]):
        one = Person(job, number, token, over)
        acts = customer if role == "customer" else owner
        people.append(one)
        threads.append(threading.Thread(target=one.live, args=[acts]))
        threads[-1].start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
    print(json.dumps({
        "answers": [answer for one in people for answer in one.answers],
        "booked": {
            number: booked[:2] for one in people for number, booked in one.booked.items()
        },
        "cancelled": [number for one in people for number in one.cancelled],
        "faults": [fault for one in people for fault in one.faults],
    }))


if __name__ == "__main__":
    main()
