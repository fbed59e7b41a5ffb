"""/metrics of real servers: any process reports the counts of all processes."""

import psutil
import pytest

from tests import engines, outboxes, scrapes
from tests.races.clients import Asking, patient, statuses, storm
from tests.races.conftest import CAPACITY
from tests.scrapes import ATTEMPTS, BOOKINGS, REQUESTS


@pytest.fixture
def serve_counting(serve, tmp_path):
    """Starts servers that share a metrics folder: serve_counting("--workers", "3")."""
    folder = tmp_path / "counts"
    folder.mkdir()
    return lambda *options, **how: serve(*options, METRICS=str(folder), **how)


def seen(port, **labels):
    """Returns the distinct values of 12 scrapes, which different processes answer."""
    return {scrapes.of_server(port).of(REQUESTS, **labels) for _ in range(12)}


@engines.on_sqlite
def test_each_process_tells_of_all_requests_also_of_those_that_a_killed_one_answered(
    client, serve_counting
):
    server = serve_counting("--workers", "3", "--threads", "4")
    asking = Asking("GET", "/api/villes?q=lyon", "")
    for round_ in (1, 2, 3):
        assert statuses(storm(server.port, [asking] * 150)) == {200: 150}
        assert seen(server.port, route="/api/villes", status="200") == {150 * round_}
        before = psutil.Process(server.process.pid).children()
        before[0].kill()
        outboxes.wait_for(lambda: len(after(server, before)) == 3)  # noqa: B023


def after(server, before):
    """Returns the current worker processes without the killed one."""
    return set(psutil.Process(server.process.pid).children()) - {before[0]}


@engines.on_sqlite
def test_a_server_that_starts_anew_beside_another_counts_on(client, serve_counting):
    one, other = (serve_counting("--workers", "2") for _ in range(2))
    asking = Asking("GET", "/api/services", "")
    for server in (one, other):
        storm(server.port, [asking] * 40)
    one.stop()
    one = serve_counting("--workers", "2")
    storm(one.port, [asking] * 40)
    for server in (one, other):
        assert seen(server.port, route="/api/services") == {120}


def test_a_race_is_counted_as_it_was_answered(hall, customers, serve_counting, tuesday):
    port = serve_counting("--workers", "3").port
    one, other = hall.at(tuesday, "10:00"), hall.at(tuesday, "11:00")
    crowd = [
        Asking("POST", "/api/reservations", customers[number % 4].token,
               {"creneauId": one, "prestationId": hall.coupe})
        for number in range(60)
    ]
    chloe, body = customers[0], {"creneauId": other, "prestationId": hall.coupe}
    same = [Asking("POST", "/api/reservations", chloe.token, body, "the-only-key")] * 20
    answers = storm(port, crowd + same, ask=patient)
    assert statuses(answers) == {201: CAPACITY + 20, 409: 60 - CAPACITY}
    (number,) = {answer.body["id"] for answer in answers if other_time(answer)}
    mine = Asking("DELETE", f"/api/reservations/{number}", chloe.token)
    assert statuses(storm(port, [mine] * 8, ask=patient)) == {204: 8}
    found = scrapes.of_server(port)
    outcomes = found.by(BOOKINGS, "outcome")
    assert outcomes.pop("failed", 0) <= found.of(REQUESTS, status="503")  # on a busy machine
    assert outcomes == {
        "booked": CAPACITY + 1, "taken": 60 - CAPACITY, "repeated": 19 + 7, "cancelled": 1
    }
    posted = {"method": "POST", "route": "/api/reservations"}
    assert found.of(REQUESTS, status="201", **posted) == CAPACITY + 20
    assert found.of(REQUESTS, status="409", **posted) == 60 - CAPACITY


def other_time(answer):
    return answer.status == 201 and answer.body["debut"][11:16] == "11:00"


def test_what_the_worker_beside_the_server_sends_is_counted_too(
    db, visit, post, serve_counting
):
    server = serve_counting("--workers", "2", worker=True, SMTP_URL=post.url)
    outboxes.queue(db, visit, outboxes.people(4))
    outboxes.wait_for(lambda: outboxes.is_over(db))
    outboxes.wait_for(lambda: scrapes.of_server(server.port).of(ATTEMPTS, outcome="sent") == 4)
