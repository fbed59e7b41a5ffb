"""The servers of the rows, and rounds that compare a server with a reference.

In every second round, the requests go to the reference first; in the other rounds, they go to the
server first. So changes in the speed of a shared machine cancel out.
"""

import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

import pytest

from benchmarks import bare
from benchmarks.load import Sample, fetch, measure
from benchmarks.people import People
from benchmarks.servers import CannotMeasure, Server, environ_of, running
from reservation.settings import Settings
from tests.database_servers import MariaDB

Reference = Callable[[Sequence[bytes], Sequence[int]], Sample]  # requests, sizes of the answers


@dataclass(frozen=True)
class Size:
    """The size of the data sets, and how much is measured."""

    bookings: int = 200_000
    businesses: int = 400  # with a calendar
    small: int = 60  # businesses of a small town
    many: int = 10_000  # businesses at midnight, and in searches
    requests: int = 200  # of a round
    rounds: int = 12
    bcrypt_rounds: int = Settings.bcrypt_rounds


TINY = Size(
    bookings=600, businesses=4, small=4, many=20, requests=4, rounds=1, bcrypt_rounds=4
)


class World:
    """Creates settings and servers. The servers stop when the stack is closed."""

    def __init__(self, folder: Path, size: Size, stack: ExitStack) -> None:
        self.folder, self.size, self.stack = folder, size, stack
        self._numbers = count()

    def settings(self, url: str = "") -> Settings:
        """Returns the settings for a database, by default a new SQLite file."""
        return replace(
            Settings(),
            database_url=url or f"sqlite:///{self.path('db')}",
            secret=secrets.token_urlsafe(48),
            smtp_url=f"file://{self.folder}/mails",
            bcrypt_rounds=self.size.bcrypt_rounds,
        )

    def small_town(self, url: str = "") -> People:
        return People(self.settings(url), 600, self.size.small)

    def path(self, ending: str) -> Path:
        return self.folder / f"{next(self._numbers)}.{ending}"

    def serve(
        self, settings: Settings, *options: str, module: str = "reservation",
        database: int | None = None,
    ) -> Server:
        """Starts `reservation serve` with its defaults and these options."""
        command = [sys.executable, "-m", module, "serve", "--port", "0", *options]
        how = running(command, self.folder, environ_of(settings), database)
        return self.stack.enter_context(how)

    def mariadb(self) -> tuple[Callable[[str], str], int]:
        """Starts MariaDB; returns a function that creates a database, and the process id."""
        try:
            server = MariaDB(durable=True).start()
        except (pytest.skip.Exception, pytest.fail.Exception) as ex:
            raise CannotMeasure(str(ex)) from None
        self.stack.callback(server.remove)
        assert server.process is not None
        return server.create, server.process.pid

    def rounds(self, part: float = 1) -> int:
        return max(round(self.size.rounds * part), 1)

    def bare(self) -> Server:
        return self.serve(self.settings(), "--no-worker", module="benchmarks.bare")

    def against_bare(
        self, server: Server, reference: Server, requests: Iterator[bytes], clients: int
    ) -> "Pairs":
        """Returns rounds whose reference answers with the headers and the sizes of the service."""
        path = self.path("headers")
        bare.record(fetch(server, next(requests)), path)

        def answers(some: Sequence[bytes], sizes: Sequence[int]) -> Sample:
            named = [bare.naming(one, path, size) for one, size in zip(some, sizes, strict=True)]
            return measure(reference, named, clients)

        return Pairs(server, answers, requests, clients, self.size.requests)


def other(server: Server, requests: Iterator[bytes]) -> Reference:
    """Returns a reference: it sends the same number of other requests to another server."""
    return lambda some, _: measure(server, list(islice(requests, len(some))), clients=2)


class Pairs:
    """Rounds of requests to a server and to a reference, in alternating order."""

    def __init__(
        self, server: Server, reference: Reference, requests: Iterator[bytes], clients: int,
        count: int,
    ) -> None:
        self._server, self._reference = server, reference
        self._requests, self._clients, self._count = requests, clients, count
        self._reference_first = False
        warm_up = list(islice(requests, count))
        self._sizes = self._here(warm_up).sizes
        reference(warm_up, self._sizes)

    def _here(self, requests: Sequence[bytes]) -> Sample:
        return measure(self._server, requests, self._clients)

    def __call__(self) -> tuple[Sample, Sample]:
        requests = list(islice(self._requests, self._count))
        if len(requests) < self._count:
            raise CannotMeasure("there are not enough requests")
        self._reference_first = not self._reference_first
        if self._reference_first:
            reference = self._reference(requests, self._sizes)
            here = self._here(requests)
        else:
            here = self._here(requests)
            reference = self._reference(requests, here.sizes)
        self._sizes = here.sizes
        return here, reference

    def cpu(self) -> tuple[float]:
        """Measures a round; returns the ratio of the CPU times."""
        here, reference = self()
        return (here.cpu / reference.cpu,)

    def rate_and_slowest(self) -> tuple[float, float]:
        """Measures a round; returns the ratio of the rates, and the 99th percentile of the
        response times in milliseconds."""
        here, reference = self()
        waits = sorted(here.waits)
        return here.rate / reference.rate, waits[len(waits) * 99 // 100] * 1000
