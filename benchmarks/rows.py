"""The rows of the results table: goals, figures and verdicts."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Goal(NamedTuple):
    """A promise: the lower or the upper bound of one figure of a row."""

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
        """Whether even the better quartile misses the goal."""
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
    """Measures all rows: first one round of each row, then the second rounds, and so on."""
    found: list[list[Sequence[float]]] = [[] for _ in rows]
    for number in range(max(row.rounds for row in rows)):
        for row, rounds in zip(rows, found, strict=True):
            if number < row.rounds:
                rounds.append(row.round())
    for row, rounds in zip(rows, found, strict=True):
        for goal, figures in zip(row.goals, zip(*rounds, strict=True), strict=True):
            yield Figure(row.name, goal, figures)
