"""The table of all promises: what is measured, on which data, compared with what, and the goals.

Each group starts its servers, which stop before the next group begins.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from itertools import islice, repeat
from time import perf_counter, process_time

import bcrypt

from benchmarks import bookings, mail, peer, searching, teams, upkeep
from benchmarks.load import Sample, fetch, measure, request
from benchmarks.people import People, prefixes
from benchmarks.rows import Row, at_least, at_most
from benchmarks.servers import CannotMeasure, Server
from benchmarks.town import PASSWORD, PAST_DAYS
from benchmarks.world import Pairs, World, other
from reservation.settings import Settings
from reservation.storage.database import connect, forget
from tests.resources.large import BUSY

CLIENTS = (2, 16)
MIDDLE = date.today() - timedelta(days=PAST_DAYS // 2)
WEEK = f"du={MIDDLE}&au={MIDDLE + timedelta(days=6)}"
BOOKINGS, OF_BUSY = "/api/reservations", f"/api/entreprises/{BUSY}"
Requests = Callable[[People], Iterator[bytes]]

# Name, least number of rows in an answer, goal, requests. The goal is an upper bound of a ratio:
# the CPU time of the service ÷ the CPU time of a bare WSGI function that answers with the same
# headers and the same number of bytes. Each entry is measured with each number of CLIENTS.
RATIOS: Sequence[tuple[str, int, float, Requests]] = [
    ("own bookings, 0 rows", 0, 1.4, lambda people: people.own(0)),
    ("own bookings, 10 rows", 10, 1.6, lambda people: people.own(10)),
    ("own bookings, 50 rows", 50, 2.5, lambda people: people.own(50)),
    ("a week's free starts", 60, 2.4, lambda people: people.weeks()),
    ("the same, visits of 2-3 slots", 20, 2.4, lambda people: people.weeks(longer=True)),
    ("the next free start", 1, 1.7, lambda people: people.weeks(options="&prochain=1")),
    ("villes, each prefix once", 1, 1.15, lambda _: prefixes(Settings().cities)),
    ("villes, the same prefix", 1, 1.08, lambda _: repeat(request("GET", "/api/villes?q=sain"))),
]


def by(who: str, path: str) -> Requests:
    return lambda people: repeat(people.sent_by(getattr(people.accounts, who), path))


# Name, goal, requests. The goal is an upper bound of the CPU time of a request, in milliseconds,
# including the CPU time of MariaDB. Each answer must have rows.
TIMES: Sequence[tuple[str, float, Requests]] = [
    ("owner's bookings", 3, by("owner", BOOKINGS)),
    ("owner's bookings, one week", 3, by("owner", f"{BOOKINGS}?{WEEK}")),
    ("bookings of 20 businesses", 5, by("manager", BOOKINGS)),
    ("admin's bookings", 5, by("admin", BOOKINGS)),
    ("admin's bookings, du", 5, by("admin", f"{BOOKINGS}?du={MIDDLE}")),
    ("admin's bookings, statut", 5, by("admin", f"{BOOKINGS}?statut=demandee")),
    ("busy business, one week", 5, by("owner", f"{BOOKINGS}?entreprise={BUSY}&{WEEK}")),
    ("busy business, by statut", 5, by("owner", f"{BOOKINGS}?entreprise={BUSY}&statut=annulee")),
    ("busy business, e-mails by statut", 5, by("owner", f"{OF_BUSY}/emails?statut=abandonne")),
    ("busy business, new event", 5, lambda people: people.new_events()),
    ("search by words", 5, lambda people: people.words()),
    ("search with disponible", 10, lambda people: people.searches()),
]


def reads_on_sqlite(world: World) -> Iterator[Row]:
    people = People(world.settings(), world.size.bookings, world.size.businesses)
    small = world.small_town()
    server, bare = world.serve(people.settings), world.bare()
    for name, least, limit, requests in RATIOS:
        sent = requests(people)
        check(server, next(sent), least)
        for clients in CLIENTS:
            pairs = world.against_bare(server, bare, sent, clients)
            label = f"{name}, {clients} clients ÷ bare"
            yield Row(label, [at_most(limit)], pairs.cpu, world.rounds())
    reference = other(world.serve(small.settings), small.weeks())
    flat = Pairs(server, reference, people.weeks(), 2, world.size.requests)
    yield Row("a week's free starts ÷ in a small town", [at_most(1.1)], flat.cpu, world.rounds())
    single = world.serve(people.settings, "--workers", "1")
    alone = other(single, people.weeks())
    crowded = Pairs(single, alone, people.weeks(), 16, world.size.requests)
    name = "a week's free starts, one process, 16 clients ÷ 2"
    yield Row(name, [at_most(1.2)], crowded.cpu, world.rounds())
    yield from _times(world, server, people, "SQLite")
    yield _login(world, server, people)


def reads_on_mariadb(world: World) -> Iterator[Row]:
    create, process = world.mariadb()
    people = People(world.settings(create("large")), world.size.bookings, world.size.businesses)
    server = world.serve(people.settings, database=process)
    yield from _times(world, server, people, "MariaDB")


def _times(world: World, server: Server, people: People, engine: str) -> Iterator[Row]:
    count = max(world.size.requests // 8, 1)
    following: Requests = partial(_next_pages, server)
    for name, limit, requests in [*TIMES, ("next page of 10 by cursor", 1, following)]:
        sent = requests(people)
        check(server, next(sent), least=1)
        once = partial(_milliseconds, server, sent, count)
        yield Row(f"{name}, {engine}", [at_most(limit, "ms")], once, world.rounds(0.5))


def _milliseconds(server: Server, requests: Iterator[bytes], count: int) -> tuple[float]:
    return (measure(server, list(islice(requests, count)), clients=2).cpu * 1000,)


def check(server: Server, sent: bytes, least: int) -> None:
    """Raises CannotMeasure if the answer has fewer rows, or properties, than `least`."""
    body = fetch(server, sent).body
    if len(json.loads(body)) < least:
        raise CannotMeasure(f"wrong answer to {sent[:100]!r}: {body[:300]!r}")


def _next_pages(server: Server, people: People) -> Iterator[bytes]:
    """Yields requests for the owner's bookings, page by page."""
    path = f"{BOOKINGS}?limite=10"
    while True:
        head = fetch(server, people.sent_by(people.accounts.owner, path)).head.decode()
        found = re.search(r"\r\nlink: <([^>]+)>", head, re.IGNORECASE)
        if found is None:
            raise CannotMeasure(f"there is no page after {path}")
        path = found[1]
        yield people.sent_by(people.accounts.owner, path)


def _login(world: World, server: Server, people: People) -> Row:
    """Returns the row about logins, whose CPU time is nearly all spent in bcrypt."""
    hashed = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(people.settings.bcrypt_rounds))
    db = connect(people.settings.database_url)
    set_hash = "UPDATE utilisateur SET mot_de_passe_hash = ? WHERE id = ?"
    db.write(set_hash, hashed.decode(), people.accounts.regular.id)
    forget(db)
    body = f'{{"email": "{people.accounts.regular.email}", "password": "{PASSWORD}"}}'.encode()
    logins = repeat(request("POST", "/auth/login", body))

    def alone(requests: Sequence[bytes], _sizes: Sequence[int]) -> Sample:
        cpu, started = process_time(), perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda _: bcrypt.checkpw(PASSWORD.encode(), hashed), requests))
        spent, seconds = process_time() - cpu, perf_counter() - started
        return Sample(spent / len(requests), len(requests) / seconds)

    pairs = Pairs(server, alone, logins, clients=2, count=2)
    return Row(
        "logins per second ÷ bcrypt alone", [at_least(0.9)],
        lambda: pairs.rate_and_slowest()[:1], world.rounds(0.4),
    )


GROUPS: Sequence[Callable[[World], Iterable[Row]]] = (
    reads_on_sqlite, reads_on_mariadb, searching.searches_on_sqlite,
    searching.searches_on_mariadb, bookings.bookings_on_sqlite, bookings.bookings_on_mariadb,
    bookings.queueing, teams.teams_on_sqlite, teams.teams_on_mariadb, mail.sending,
    peer.django_appointment, upkeep.start_up, upkeep.midnight, upkeep.migration,
)
