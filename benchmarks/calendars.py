"""The rows about calendars and bookings, and limits that are not ratios."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import town
from benchmarks.bookings import Loop
from benchmarks.load import Sample, measure
from benchmarks.rows import CONNECTIONS, Row, start
from benchmarks.servers import Limit, Server, Spent, run
from reservation.domain.calendar import availability, calendar
from reservation.domain.planning import businesses, hours
from reservation.settings import Settings
from reservation.storage.database import connect
from tests.engines import MariaDB

MANY, FEW = 1000, 8  # businesses, with 1,309,000 and 10,472 slots
CLIENTS = 16
YEAR = [
    {"jour": jour, "debut": 540, "fin": 1080, "pas_minutes": 15, "capacite": 1,
     "prestation_id": None}
    for jour in range(1, 7)
]
_BOOKING: Any = {"of_rates": True, "slowest": 0.15, "rounds": 16, "connections": CLIENTS}


def rows(
    settings: Settings, folder: Path, stack: ExitStack, bare: Server
) -> tuple[list[Row], list[Limit]]:
    many, few, year = (
        replace(settings, database_url=f"sqlite:///{folder / name}.db")
        for name in ("many", "few", "year")
    )
    town.fill(many, MANY)
    limits = [_year(year), *_made(many)]
    town.fill(few, FEW)
    make_calendars(few)
    of_calendars = _free_starts(many, few, partial(start, folder=folder, stack=stack), bare)
    return [
        *of_calendars,
        _on_sqlite(settings, folder, stack),
        _on_mariadb(settings, folder, stack),
        _queueing(settings, folder, stack),
    ], limits


def _free_starts(
    many: Settings, few: Settings, started: Callable[[Settings], Server], bare: Server
) -> list[Row]:
    against_bare = partial(measure, bare, connections=CONNECTIONS)
    of_many, of_few = started(many), started(few)
    return [
        Row(
            f"a week's free starts of {town.count_slots(many):,}",
            of_many,
            town.weeks(MANY),
            _is_week,
            against_bare,
            limit=2.5,
        ),
        Row(
            f"the same of {town.count_slots(few):,}, reversed",
            of_many,
            town.weeks(MANY),
            _is_week,
            _reference(of_few, FEW),
            limit=1.1,
        ),
        Row(
            "the next free start",
            of_many,
            town.weeks(MANY, "&prochain=1"),
            lambda body: len(json.loads(body)) == 1,
            against_bare,
            limit=2.0,
        ),
    ]


def _is_week(body: bytes) -> bool:
    return len(json.loads(body)) == 102  # free starts


def _reference(server: Server, count: int) -> Callable[[Sequence[bytes]], Sample]:
    """Returns the reference: the same requests to a server with fewer businesses."""
    requests = town.weeks(count)
    return lambda like: measure(server, list(islice(requests, len(like))), CONNECTIONS)


def _on_sqlite(settings: Settings, folder: Path, stack: ExitStack) -> Row:
    urls = [f"sqlite:///{folder / name}.db" for name in ("here", "plain")]
    here, plain = _alike(settings, urls)
    return Row(
        "booking on SQLite (plain loop)",
        start(here, folder, stack),
        town.bookings(here),
        _is_booked,
        Loop(plain),
        limit=0.35,
        enough=450,
        **_BOOKING,
    )


def _on_mariadb(settings: Settings, folder: Path, stack: ExitStack) -> Row:
    server = MariaDB(durable=True).start()
    stack.callback(server.remove)
    here, plain = _alike(settings, [server.create(name) for name in ("here", "plain")])
    return Row(
        "booking on MariaDB (4 plain loops)",
        start(here, folder, stack),
        town.bookings(here),
        _is_booked,
        Loop(plain, connections=4),
        limit=0.4,
        **_BOOKING,
    )


def _queueing(settings: Settings, folder: Path, stack: ExitStack) -> Row:
    urls = [f"sqlite:///{folder / name}.db" for name in ("telling", "silent")]
    telling, silent = _alike(settings, urls)
    server, requests = start(silent, folder, stack, "benchmarks.silent"), town.bookings(silent)
    return Row(
        "booking (one that queues no message)",
        start(telling, folder, stack),
        town.bookings(telling),
        _is_booked,
        lambda like: measure(server, list(islice(requests, len(like))), CONNECTIONS),
        limit=1.15,
        rounds=16,
    )


def _alike(settings: Settings, urls: Sequence[str]) -> list[Settings]:
    """Creates an identical town in each database."""
    towns = [replace(settings, database_url=url) for url in urls]
    for one in towns:
        town.fill(one, FEW * 2)
        make_calendars(one)
    return towns


def _is_booked(body: bytes) -> bool:
    return bool(json.loads(body)["statut"] == "confirmee")


def make_calendars(settings: Settings) -> Spent:
    return run(settings, "worker", "--once")


def _made(settings: Settings) -> list[Limit]:
    spent = make_calendars(settings)
    name = f"{MANY:,} calendars of 90 days ({town.count_slots(settings):,} slots)"
    return spent.limits(name, 300)


def _year(settings: Settings) -> Limit:
    town.fill(settings, 1)
    db = connect(settings.database_url)
    salon = businesses.get(db, 1)
    hours.replace(db, salon, YEAR, now=int(time.time()))
    db.execute_sql("UPDATE entreprise SET horizon_jours = 365")
    salon = businesses.get(db, 1)
    now = int(time.time())
    started = time.perf_counter()
    calendar.extend(db, salon, availability.horizon(salon, now=now), now=now)
    seconds = time.perf_counter() - started
    db.close()
    name = f"one calendar of a year ({town.count_slots(settings):,} slots)"
    return Limit(name, seconds, 0.3, "s")
