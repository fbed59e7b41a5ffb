"""The table of all promises: what is measured, on which data, against what, and the goals.

Each group starts its servers, which stop before the next group begins.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from itertools import islice, product, repeat
from time import perf_counter, process_time

import bcrypt
import pytest

from benchmarks import mail, peer, upkeep
from benchmarks.bookings import Loop
from benchmarks.load import Sample, fetch, measure, request
from benchmarks.rows import Pairs, Row, World, at_least, at_most
from benchmarks.servers import CannotMeasure, Server
from benchmarks.town import PASSWORD, PAST_DAYS, People, prefixes
from reservation.settings import Settings
from reservation.storage.database import connect, forget
from tests.engines import MariaDB
from tests.resources.large import BUSY

CLIENTS = (2, 16)
P99 = "ms (99 %)"  # the 99th percentile of the response times
MIDDLE = date.today() - timedelta(days=PAST_DAYS // 2)
WEEK = f"du={MIDDLE}&au={MIDDLE + timedelta(days=6)}"
BOOKINGS, EMAILS = "/api/reservations", "/api/emails"
OF_BUSY = f"/api/entreprises/{BUSY}"
Requests = Callable[[People], Iterator[bytes]]

# What is requested, and the least number of rows in an answer; the goal for its CPU time ÷ that of
# a bare WSGI function that sends the same headers and as many bytes. For each number of CLIENTS.
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
    return lambda people: repeat(people.sent_by(getattr(people, who), path))


# What is requested, and the goal for its CPU time in milliseconds, that of MariaDB included. Each
# answer has rows.
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
    ("search with disponible", 10, lambda people: people.searches()),
]


def reads_on_sqlite(world: World) -> Iterator[Row]:
    people = People(world.settings(), world.size.bookings, world.size.businesses)
    small = _small(world)
    server, bare = world.serve(people.settings), world.bare()
    for (name, least, limit, requests), clients in product(RATIOS, CLIENTS):
        check(server, next(requests(people)), least)
        pairs = world.against_bare(server, bare, requests(people), clients)
        yield Row(f"{name}, {clients} clients ÷ bare", [at_most(limit)], pairs.cpu, rounds(world))
    of_few, few = small.weeks(), world.serve(small.settings)
    flat = Pairs(
        server,
        lambda some, _: measure(few, list(islice(of_few, len(some))), 2),
        people.weeks(), 2, world.size.requests,
    )
    yield Row("a week's free starts ÷ in a small town", [at_most(1.1)], flat.cpu, rounds(world))
    yield from _times(world, server, people, "SQLite")
    yield _login(world, server, people)


def reads_on_mariadb(world: World) -> Iterator[Row]:
    database = _mariadb(world)
    settings = world.settings(database.create("large"))
    people = People(settings, world.size.bookings, world.size.businesses)
    server = world.serve(settings, database=_pid(database))
    yield from _times(world, server, people, "MariaDB")


def _times(world: World, server: Server, people: People, engine: str) -> Iterator[Row]:
    count = max(world.size.requests // 8, 1)
    following: Requests = partial(_next_pages, server)
    for name, limit, requests in [*TIMES, ("next page of 10 by cursor", 1, following)]:
        sent = requests(people)
        check(server, next(sent), least=1)
        once = partial(_milliseconds, server, sent, count)
        yield Row(f"{name}, {engine}", [at_most(limit, "ms")], once, rounds(world, 0.5))


def _milliseconds(server: Server, requests: Iterator[bytes], count: int) -> tuple[float]:
    return (measure(server, list(islice(requests, count)), clients=2).cpu * 1000,)


def check(server: Server, sent: bytes, least: int) -> None:
    """Raises CannotMeasure if the answer has fewer rows, or properties, than `least`."""
    body = fetch(server, sent).body
    if len(json.loads(body)) < least:
        raise CannotMeasure(f"wrong answer to {sent[:100]!r}: {body[:300]!r}")


def _next_pages(server: Server, people: People) -> Iterator[bytes]:
    """Yields requests for one page after another of the owner's bookings."""
    path = f"{BOOKINGS}?limite=10"
    while True:
        head = fetch(server, people.sent_by(people.owner, path)).head.decode()
        found = re.search(r"\r\nlink: <([^>]+)>", head, re.IGNORECASE)
        if found is None:
            raise CannotMeasure(f"there is no page after {path}")
        path = found[1]
        yield people.sent_by(people.owner, path)


def _login(world: World, server: Server, people: People) -> Row:
    """Returns the row of logins, which are almost only bcrypt."""
    hashed = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(people.settings.bcrypt_rounds))
    db = connect(people.settings.database_url)
    set_hash = "UPDATE utilisateur SET mot_de_passe_hash = ? WHERE id = ?"
    db.write(set_hash, hashed.decode(), people.regular[0])
    forget(db)
    body = f'{{"email": "{people.regular[1]}", "password": "{PASSWORD}"}}'.encode()
    logins = repeat(request("POST", "/auth/login", body))

    def alone(requests: Sequence[bytes], _sizes: Sequence[int]) -> Sample:
        cpu, started = process_time(), perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda _: bcrypt.checkpw(PASSWORD.encode(), hashed), requests))
        spent, seconds = process_time() - cpu, perf_counter() - started
        return Sample(spent / len(requests), len(requests) / seconds)

    pairs = Pairs(server, alone, logins, clients=2, count=4)
    return Row(
        "logins per second ÷ bcrypt alone", [at_least(0.9)],
        lambda: pairs.rate_and_slowest()[:1], rounds(world, 0.4),
    )


def bookings_on_sqlite(world: World) -> Iterator[Row]:
    here, plain = _small(world), _small(world)
    server, requests, loop = world.serve(here.settings), here.bookings(), Loop(plain)
    for clients, slowest in ((2, 60), (16, 60), (32, 100)):
        pairs = Pairs(server, loop, requests, clients, world.size.requests)
        yield Row(
            f"bookings, SQLite, {clients} clients ÷ plain loop",
            [at_least(0.45), at_most(slowest, P99)], pairs.rate_and_slowest, rounds(world),
        )


def bookings_on_mariadb(world: World) -> Iterator[Row]:
    database = _mariadb(world)
    here, plain = (_small(world, database.create(name)) for name in ("here", "plain"))
    server = world.serve(here.settings, database=_pid(database))
    requests, loop = here.bookings(), Loop(plain, connections=4)
    for clients in CLIENTS:
        pairs = Pairs(server, loop, requests, clients, world.size.requests)
        yield Row(
            f"bookings, MariaDB, {clients} clients ÷ 4 plain loops",
            [at_least(0.4), at_most(150, P99)], pairs.rate_and_slowest, rounds(world, 0.5),
        )


def messages(world: World) -> Iterator[Row]:
    telling, silent = _small(world), _small(world)
    quiet = world.serve(silent.settings, "--no-worker", module="benchmarks.silent")
    alike = silent.bookings()
    pairs = Pairs(
        world.serve(telling.settings, "--no-worker"),
        lambda some, _: measure(quiet, list(islice(alike, len(some))), 2),
        telling.bookings(), 2, world.size.requests,
    )
    yield Row("a booking ÷ without its messages", [at_most(1.1)], pairs.cpu, rounds(world))
    sent = mail.sending(world)
    yield Row("sending a message ÷ smtplib alone", [at_most(1 / 0.6)], sent, rounds(world, 0.6))


def _small(world: World, url: str = "") -> People:
    return People(world.settings(url), 600, world.size.small)


def _mariadb(world: World) -> MariaDB:
    try:
        server = MariaDB(durable=True).start()
    except (pytest.skip.Exception, pytest.fail.Exception) as ex:
        raise CannotMeasure(str(ex)) from None
    world.stack.callback(server.remove)
    return server


def _pid(server: MariaDB) -> int:
    assert server.process is not None
    return server.process.pid


def rounds(world: World, part: float = 1) -> int:
    return max(round(world.size.rounds * part), 1)


GROUPS: Sequence[Callable[[World], Iterable[Row]]] = (
    reads_on_sqlite, reads_on_mariadb, bookings_on_sqlite, bookings_on_mariadb, messages,
    peer.django_appointment, upkeep.start_up, upkeep.midnight, upkeep.migration,
)
