"""What a row of the results table is, and how a row is measured and judged.

In each round, the requests of a ratio go first to the reference and then to the service, or in
the opposite order. So changes in the speed of a shared machine cancel out.
"""

import secrets
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from benchmarks import bare
from benchmarks.load import Sample, fetch, measure
from benchmarks.servers import Server, environ_of, running
from reservation.settings import Settings

Reference = Callable[[Sequence[bytes], Sequence[int]], Sample]  # requests, sizes of the answers


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    bookings: int = 200_000
    businesses: int = 400  # with a calendar
    small: int = 60  # businesses of a small town
    at_midnight: int = 10_000  # businesses
    requests: int = 200  # of a round
    rounds: int = 12


TINY = Size(bookings=600, businesses=4, small=4, at_midnight=20, requests=4, rounds=1)


class Goal(NamedTuple):
    """A promise about one figure of a row."""

    limit: float
    unit: str
    at_least: bool = False

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<='} {self.limit:g} {self.unit}"


def at_most(limit: float, unit: str = "x") -> Goal:
    return Goal(limit, unit)


def at_least(limit: float, unit: str = "x") -> Goal:
    return Goal(limit, unit, at_least=True)


@dataclass(frozen=True)
class Row:
    """A measurement: each round returns one figure for each goal."""

    name: str
    goals: Sequence[Goal]
    round: Callable[[], Sequence[float]]
    rounds: int


class Figure(NamedTuple):
    """The figures of all rounds for one goal."""

    name: str
    goal: Goal
    rounds: Sequence[float]

    @property
    def quartiles(self) -> tuple[float, float, float]:
        if len(self.rounds) == 1:
            return (self.rounds[0],) * 3
        low, middle, high = statistics.quantiles(self.rounds, n=4, method="inclusive")
        return low, middle, high

    @property
    def is_missed(self) -> bool:
        """Returns whether even the better quartile misses the goal."""
        low, _, high = self.quartiles
        return high < self.goal.limit if self.goal.at_least else low > self.goal.limit

    @property
    def verdict(self) -> str:
        if self.is_missed:
            return "NO"
        _, median, _ = self.quartiles
        goal = self.goal
        holds = median >= goal.limit if goal.at_least else median <= goal.limit
        return "yes" if holds else "unclear"


def measured(rows: Sequence[Row]) -> Iterator[Figure]:
    """Measures the rounds of all rows; spreads the rounds of a row over the whole time."""
    found: list[list[Sequence[float]]] = [[] for _ in rows]
    for number in range(max(row.rounds for row in rows)):
        for row, rounds in zip(rows, found, strict=True):
            if number < row.rounds:
                rounds.append(row.round())
    for row, rounds in zip(rows, found, strict=True):
        for goal, figures in zip(row.goals, zip(*rounds, strict=True), strict=True):
            yield Figure(row.name, goal, figures)


class World:
    """Makes settings and servers, which stop when the stack is closed."""

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
        )

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

    def bare(self) -> Server:
        return self.serve(self.settings(), "--no-worker", module="benchmarks.bare")

    def against_bare(
        self, server: Server, reference: Server, requests: Iterator[bytes], clients: int
    ) -> "Pairs":
        """Returns rounds whose reference sends the headers and the sizes of the service."""
        path = self.path("headers")
        bare.record(fetch(server, next(requests)), path)

        def answers(some: Sequence[bytes], sizes: Sequence[int]) -> Sample:
            named = [bare.naming(one, path, size) for one, size in zip(some, sizes, strict=True)]
            return measure(reference, named, clients)

        return Pairs(server, answers, requests, clients, self.size.requests)


class Pairs:
    """Rounds of the same requests, to a server and to a reference, in alternating order."""

    def __init__(
        self, server: Server, reference: Reference, requests: Iterator[bytes], clients: int,
        count: int,
    ) -> None:
        self._server, self._reference = server, reference
        self._requests, self._clients, self._count = requests, clients, count
        self._reference_first = False
        self._sizes = self._here(list(islice(requests, count))).sizes  # also warms up

    def _here(self, requests: Sequence[bytes]) -> Sample:
        return measure(self._server, requests, self._clients)

    def __call__(self) -> tuple[Sample, Sample]:
        requests = list(islice(self._requests, self._count))
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
