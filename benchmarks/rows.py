"""The rows of the results table: promises about the specified service."""

import itertools
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

import bcrypt

from benchmarks.load import Sample, measure, request
from benchmarks.servers import Server, running
from reservation.domain.people.sessions import Tokens
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import connect
from reservation.storage.models import Utilisateur

THREADS = 8  # in each server
# One connection per core. With more connections, threads contend for the interpreter lock, which
# adds CPU time to the server.
CONNECTIONS = 2
ACCOUNTS = 64
PASSWORD = "un bon mot de passe"
MOST_LETTERS = 10  # typed of a name


@dataclass(frozen=True)
class Row:
    """A promise. Each round sends the next `count` requests to the reference and to `server`."""

    name: str
    server: Server
    requests: Iterator[bytes]
    right: Callable[[bytes], bool]  # checks the body of the first response
    reference: Callable[[Sequence[bytes]], Sample]
    limit: float
    of_rates: bool = False  # compares requests per second; the limit is a minimum
    enough: float = math.inf  # requests per second that suffice, whatever the ratio
    slowest: float | None = None  # limit of the 99th percentile, in seconds
    count: int = 500
    rounds: int = 24
    connections: int = CONNECTIONS

    def here(self, requests: Sequence[bytes]) -> Sample:
        return measure(self.server, requests, self.connections)

    def ratio(self, here: Sample, reference: Sample) -> float:
        return here.rate / reference.rate if self.of_rates else here.cpu / reference.cpu

    def holds(self, ratio: float, rate: float) -> bool:
        if self.of_rates:
            return ratio >= self.limit or rate >= self.enough
        return ratio <= self.limit


def start(
    settings: Settings, folder: Path, stack: ExitStack, module: str = "reservation"
) -> Server:
    """Starts a server, which runs until the stack is closed."""
    environ = {
        "RESERVATION_DATABASE_URL": settings.database_url,
        "RESERVATION_SECRET": settings.secret,
    }
    return stack.enter_context(running(module, folder, THREADS, environ))


def rows(settings: Settings, folder: Path, stack: ExitStack, bare: Server) -> list[Row]:
    """Returns the rows; their servers run until the stack is closed."""
    hashed = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(settings.bcrypt_rounds))
    _fill(settings, hashed)
    service = start(settings, folder, stack)
    against_bare = partial(measure, bare, connections=CONNECTIONS)
    lists = (("/api/villes", settings.cities), ("/api/services", settings.services))
    return [
        *(
            Row(
                f"GET {path}?q=",
                service,
                _typing(path, Path(names)),
                _is_list_of_names,
                against_bare,
                limit=1.15,
            )
            for path, names in lists
        ),
        Row(
            "GET /api/reservations",
            service,
            _reservations(settings),
            lambda body: json.loads(body) == [],
            against_bare,
            limit=1.8,
        ),
        Row(
            "POST /auth/login (bcrypt alone)",
            service,
            _logins(),
            lambda body: "token" in json.loads(body),
            partial(_bcrypt_alone, hashed),
            limit=0.9,
            of_rates=True,
            count=8,
            rounds=7,
        ),
    ]


def _fill(settings: Settings, hashed: bytes) -> None:
    """Creates the tables, and accounts with the same password."""
    db = connect(settings.database_url)
    schema.create(db)
    now = int(time.time())
    for number in range(ACCOUNTS):
        Utilisateur.insert(
            type=1,
            email=_email(number),
            mot_de_passe_hash=hashed.decode(),
            nom="Martin",
            nom_cle="martin",
            cree_le=now,
        ).execute(db)
    db.close()


def _email(number: int) -> str:
    return f"chloe{number}@example.fr"


def _typing(path: str, names: Path) -> Iterator[bytes]:
    """Yields the requests of somebody who types names letter by letter, the same in every run.

    The n-th name of the list is typed 1/n times as often as the first.
    """
    lines = names.read_text(encoding="utf-8").split("\n")[:-1]
    chance = random.Random(path)
    while True:
        name = lines[int(len(lines) ** chance.random()) - 1]
        for length in range(1, min(len(name), MOST_LETTERS) + 1):
            yield request("GET", f"{path}?q={quote(name[:length])}")


def _is_list_of_names(body: bytes) -> bool:
    names = json.loads(body)
    return isinstance(names, list) and 0 < len(names) and all(map(str.__instancecheck__, names))


def _reservations(settings: Settings) -> Iterator[bytes]:
    tokens = Tokens(settings.secret, settings.token_lifetime)
    return itertools.cycle(
        [
            request(
                "GET",
                "/api/reservations",
                Authorization=f"Bearer {tokens.issue(number + 1, _email(number), 'student')}",
            )
            for number in range(ACCOUNTS)
        ]
    )


def _logins() -> Iterator[bytes]:
    return itertools.cycle(
        [
            request(
                "POST",
                "/auth/login",
                json.dumps({"email": _email(number), "password": PASSWORD}).encode(),
                Content_Type="application/json",
            )
            for number in range(ACCOUNTS)
        ]
    )


def _bcrypt_alone(hashed: bytes, requests: Sequence[bytes]) -> Sample:
    """Checks as many passwords as there are requests, one per core at a time."""
    cpu, started = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        right = list(pool.map(lambda _: bcrypt.checkpw(PASSWORD.encode(), hashed), requests))
    assert all(right)
    seconds = time.perf_counter() - started
    return Sample((time.process_time() - cpu) / len(requests), len(requests) / seconds)
