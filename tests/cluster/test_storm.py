"""A storm of requests at two web servers, while nodes of the cluster are killed and rejoin.

STORM_KILLS is the number of kills; `make cluster` kills 20 times and also measures.
"""

import os
import threading
import time
from datetime import timedelta

import pytest

from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.storage.database import connect, forget
from tests import engines
from tests.clock import now
from tests.cluster.nodes import on_cluster
from tests.cluster.storm.storm import Told, broken, is_mailed, missed, storm
from tests.conftest import PASSWORD, ROUNDS, WEEK
from tests.database_servers import MariaDB
from tests.galera import Galera
from tests.outboxes import wait_for
from tests.races import teams
from tests.races.clients import Asking, send

pytestmark = on_cluster
KILLS = int(os.environ.get("STORM_KILLS", "2"))
MEASURES = "STORM_KILLS" in os.environ
CUSTOMERS, BUSINESSES, STRANDED = (16, 10, 200) if MEASURES else (6, 4, 40)
# Seconds. The nodes are away and back for longer than a process needs to move to another node.
WARM_UP, CALM, AWAY, BACK = (12, 20, 3, 4) if MEASURES else (1, 1, 2, 3)
MEASURED = {}
VICTIMS = (0, 1, 0, 2)  # every second kill is of the node that takes the writes


@pytest.fixture(params=["server", "cluster"] if MEASURES else ["cluster"])
def place(request):
    """A cluster, or a single server to compare with. Their commits wait for the disk."""
    if not MEASURES:
        yield request.getfixturevalue("cluster")
        return
    made = MariaDB(durable=True) if request.param == "server" else Galera(durable=True)
    try:
        yield made.start()
    finally:
        made.remove()


@pytest.fixture
def database_url(place):
    made = place.create("storm")
    url = place.failover_url("storm") if isinstance(place, Galera) else made
    db = connect(url)
    engines.empty(db)
    forget(db)
    return url


@pytest.fixture
def hall(db, make_salon, bob, chloe, tuesday):
    """A business with a full day."""
    made = make_salon(bob, [{**row, "capacite": 20} for row in WEEK])
    customer, starts = Account(chloe.id, "student"), made.free(tuesday)
    for number in range(STRANDED):
        start = starts[number % len(starts)]["id"]
        booking.book(db, customer, Request(start, made.coupe), now())
    return made


@pytest.fixture
def job(db, client, make_salon, alice, serve, post, tuesday):
    """What the clients do: customers and an owner at two web servers.

    At every second business, five people each serve one customer at a time, in two rooms.
    """
    week = [{**row, "capacite": 3} for row in WEEK]
    salons = [make_salon(alice, week) for _ in range(BUSINESSES // 2)]
    practices = [teams.make(db, make_salon(alice)) for _ in range(BUSINESSES // 2)]
    days = [str(tuesday + timedelta(days=n)) for n in range(5)]
    tokens = []
    for number in range(CUSTOMERS):
        about = {"email": f"c{number}@example.fr", "password": PASSWORD}
        accounts.add(db, ROUNDS, **about, role="student", nom="C", prenom="C", now=now())
        tokens.append(client.post("/auth/login", about).json["token"])
    services = [(one.id, one.coupe) for one in salons]
    services += [(one.salon.id, one.massage) for one in practices]
    halls = [
        {"id": id, "prestation": service, "du": days[0], "au": days[-1], "days": days}
        for id, service in services
    ]
    servers = [
        serve("--workers", "2", fresh=True, worker=True, SMTP_URL=post.url) for _ in range(2)
    ]
    people = [("owner", alice.token), *(("customer", token) for token in tokens)]
    return {
        "seed": str(time.time_ns()), "ports": [one.port for one in servers], "people": people,
        "halls": halls,
    }


class Closure:
    """Closes a full day while a node is killed; then opens the day again."""

    def __init__(self, port, owner, hall, day):
        self.port, self.owner, self.hall = port, owner, hall
        self.body = {
            "type": "fermeture", "titre": "Closed", "debut": f"{day}T00:00:00+02:00",
            "fin": f"{day}T23:00:00+02:00",
        }
        self.answers = []

    def _ask(self, *request):
        while True:
            began = time.time()
            answer = send(self.port, Asking(*request))
            self.answers.append(("strand", began, time.time() - began, answer.status))
            if answer.status != 503:
                return answer.body
            time.sleep(1)

    def run(self):
        path = f"/api/entreprises/{self.hall.id}/evenements"
        made = self._ask("POST", path, self.owner.token, self.body)
        assert len(made["reservationsTouchees"]) == STRANDED
        self._ask("DELETE", f"/api/evenements/{made['id']}", self.owner.token)


def kill_and_restart(cluster, closure):
    """Kills nodes in turn. Closes a full day while a node is away."""
    for number in range(KILLS):
        closing = threading.Thread(target=closure.run)
        closing.start()
        victim = VICTIMS[number % len(VICTIMS)]
        cluster.kill(victim)
        time.sleep(AWAY)
        cluster.restart(victim)
        closing.join()
        time.sleep(BACK)


def test_nothing_is_oversold_lost_or_mailed_twice_while_nodes_are_killed(
    place, db, hall, job, post, bob, tuesday
):
    told, closure = Told(), Closure(job["ports"][0], bob, hall, tuesday)
    is_cluster = isinstance(place, Galera)
    with storm(job, told):
        time.sleep(WARM_UP)
        began = time.time()
        time.sleep(CALM)
        calm = time.time()
        if is_cluster:
            kill_and_restart(place, closure)
        ended = time.time()
    told.answers += closure.answers
    MEASURED["cluster" if is_cluster else "server"] = told.between(began, calm)
    if is_cluster:
        MEASURED["kills"] = told.between(calm, ended)
    wait_for(is_mailed(db, now()), 900 if MEASURES else 180)
    for node in nodes_of(place):
        assert broken(node, told, post) == []
        forget(node)
    print()
    for name, numbers in MEASURED.items():
        print(f"{name}: {numbers}")
    if is_cluster and MEASURES:
        assert missed(MEASURED["server"], MEASURED["cluster"], MEASURED["kills"]) == []
    elif is_cluster:
        assert MEASURED["kills"].worst() <= 10


def nodes_of(place):
    """Returns a connection to each node. Its reads wait until the node has all commits."""
    urls = place.create("storm")
    return [connect(url) for url in ([urls] if isinstance(urls, str) else urls)]
