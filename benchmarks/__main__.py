"""Measures and prints the promised ratios.

In each round, the requests of a row go first to the reference and then to the service, or in the
opposite order. So changes in the speed of a shared machine cancel out. The result is the median
of the rounds.
"""

import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path

from benchmarks import calendars, mail, site, upkeep
from benchmarks.load import Sample, first_body
from benchmarks.rows import CONNECTIONS, THREADS, Row, rows
from benchmarks.servers import CannotMeasure, Limit, running
from reservation.settings import Settings

Pair = tuple[Sample, Sample]  # the service, the reference

ENOUGH = 240.0  # seconds after which no row gets more than FEWEST_ROUNDS rounds
FEWEST_ROUNDS = 5

HEADINGS = (
    "row",
    "reference ms",
    "here ms",
    "ratio (min-max)",
    "promised",
    "holds",
    "reference/s",
    "here/s",
)


def main() -> int:
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            table, limits = everything(Path(folder), stack)
            pairs = measured(table)
    except (CannotMeasure, OSError) as ex:
        print(f"could not measure: {ex}", file=sys.stderr)
        return 1
    show([HEADINGS, *(line(row, pairs[row.name]) for row in table)])
    limits += [slowest(row, pairs[row.name]) for row in table if row.slowest]
    print()
    show([("limit", "measured", "at most", "holds"), *map(limit_line, limits)])
    print(
        f"\nms: CPU time of the server per request. One worker, {THREADS} threads,"
        f" {CONNECTIONS} connections. Measured in {time.monotonic() - started:.0f} s."
    )
    return 0


def everything(folder: Path, stack: ExitStack) -> tuple[list[Row], list[Limit]]:
    url = f"sqlite:///{folder / 'bench.db'}"
    settings = replace(Settings(), database_url=url, secret=secrets.token_urlsafe(48))
    bare = stack.enter_context(running("benchmarks.bare", folder, THREADS))
    specified = rows(settings, folder, stack, bare)
    booked, limits = calendars.rows(settings, folder, stack, bare)
    return specified + booked, [
        *limits,
        *mail.limits(settings, folder),
        *site.limits(settings, folder),
        *upkeep.limits(settings, folder),
    ]


def measured(table: Sequence[Row]) -> dict[str, list[Pair]]:
    """Runs the rounds of all rows; spreads the rounds of a row over the whole run."""
    for row in table:
        warm_up(row)
    pairs: dict[str, list[Pair]] = {row.name: [] for row in table}
    until = time.monotonic() + ENOUGH
    most = max(row.rounds for row in table)
    for number in range(most):
        for row in table:
            done = len(pairs[row.name])
            if done <= number * row.rounds // most and (
                done < FEWEST_ROUNDS or time.monotonic() < until
            ):
                pairs[row.name].append(pair(row, reference_first=done % 2 == 0))
    return pairs


def warm_up(row: Row) -> None:
    body = first_body(row.server, next(row.requests))
    if not row.right(body):
        raise CannotMeasure(f"wrong answer to {row.name}: {body[:300]!r}")
    pair(row, reference_first=True, count=max(row.count // 10, 1))


def pair(row: Row, reference_first: bool, count: int = 0) -> Pair:
    requests = list(islice(row.requests, count or row.count))
    if reference_first:
        reference = row.reference(requests)
        return row.here(requests), reference
    here = row.here(requests)
    return here, row.reference(requests)


def line(row: Row, pairs: Sequence[Pair]) -> tuple[str, ...]:
    ratios = [row.ratio(*one) for one in pairs]
    ratio = statistics.median(ratios)
    here, reference = zip(*pairs, strict=True)
    return (
        row.name,
        f"{median_cpu(reference) * 1000:.3f}",
        f"{median_cpu(here) * 1000:.3f}",
        f"{ratio:.2f} ({min(ratios):.2f}-{max(ratios):.2f})",
        f"{'>=' if row.of_rates else '<='} {row.limit}",
        "yes" if row.holds(ratio, median_rate(here)) else "NO",
        f"{median_rate(reference):.1f}",
        f"{median_rate(here):.1f}",
    )


def slowest(row: Row, pairs: Sequence[Pair]) -> Limit:
    """Returns the 99th percentile of the response times of all rounds."""
    waits = sorted(wait for here, _ in pairs for wait in here.waits)
    worst = waits[len(waits) * 99 // 100]
    assert row.slowest is not None
    return Limit(f"99 of 100: {row.name}", worst * 1000, row.slowest * 1000, "ms")


def limit_line(one: Limit) -> tuple[str, ...]:
    measured, limit = f"{one.measured:.3g} {one.unit}", f"{one.limit:g} {one.unit}"
    return one.name, measured, limit, "yes" if one.measured <= one.limit else "NO"


def median_cpu(samples: Iterable[Sample]) -> float:
    return statistics.median(sample.cpu for sample in samples)


def median_rate(samples: Iterable[Sample]) -> float:
    return statistics.median(sample.rate for sample in samples)


def show(table: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *figures in table:
        cells = [text.rjust(width) for text, width in zip(figures, widths[1:], strict=True)]
        print(name.ljust(widths[0]), *cells, sep="  ")


if __name__ == "__main__":
    sys.exit(main())
