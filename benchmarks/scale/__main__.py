"""Prints the figures of docs/scale.md, which show how size affects speed."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchmarks.scale import country
from benchmarks.scale.measuring import Country
from benchmarks.servers import CannotMeasure
from benchmarks.world import TINY, Size, World
from reservation.storage.database import forget
from tests.galera import Galera


def start(world: World, engine: str) -> tuple[Callable[[str], str], int | None]:
    """Starts an engine. Returns a function that creates a database, and the server's process id.

    The function returns the URL of the database. The process of a cluster is the node in use.
    """
    if engine == "sqlite":
        return lambda name: f"sqlite:///{world.folder}/{name}.db", None
    if engine == "mariadb":
        return world.mariadb()
    cluster = Galera(durable=True)
    world.stack.callback(cluster.remove)
    cluster.start()

    def create(name: str) -> str:
        cluster.create(name)
        return cluster.failover_url(name)

    assert cluster.processes[0] is not None
    return create, cluster.processes[0].pid


def figures(world: World, businesses: int, options: argparse.Namespace) -> None:
    create, process = start(world, options.engine)
    settings = world.settings(create("scale"))
    made, pools = Country(world, settings, process, businesses), options.pools or [0]
    made.resize(pools[0])
    country.fill(settings, businesses, options.past, options.booked)
    slots = businesses * country.SLOTS * (options.past + country.AHEAD)
    print(f"{options.engine}, {businesses:,} businesses, {slots:,} slots")
    made.sizes()
    for pool in pools:
        made.resize(pool)
        made.times()
        made.requests()
        made.midnight()
    if options.copies:
        made.copies(world.settings(create("copy")), world.path("backup"))
    forget(made.db)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("engine", choices=["sqlite", "mariadb", "cluster"])
    parser.add_argument("--businesses", type=int, nargs="+", default=[555])
    parser.add_argument("--past", type=int, default=0, help="days up to today with slots")
    parser.add_argument("--booked", type=int, default=4, help="bookings of a business on each day")
    parser.add_argument("--pools", type=int, nargs="+", default=[], help="MB of the buffer pool")
    parser.add_argument("--copies", action="store_true", help="measure backup, restore, check too")
    parser.add_argument("--tiny", action="store_true", help="send few requests, as a test")
    options = parser.parse_args(words)
    for businesses in options.businesses:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            world = World(Path(folder), TINY if options.tiny else Size(), stack)
            try:
                figures(world, businesses, options)
            except (CannotMeasure, pytest.skip.Exception, pytest.fail.Exception) as ex:
                print(f"could not measure: {ex}", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
