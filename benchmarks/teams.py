"""The rows about teams. The reference is the same town with one person in each business."""

from collections.abc import Iterator

from benchmarks.people import People
from benchmarks.rows import Row, at_most
from benchmarks.world import Pairs, World, other

PERSONS = 5


def teams_on_sqlite(world: World) -> Iterator[Row]:
    yield from _rows(world, "SQLite", ("", ""), None)


def teams_on_mariadb(world: World) -> Iterator[Row]:
    create, process = world.mariadb()
    yield from _rows(world, "MariaDB", (create("alone"), create("team")), process)


def _rows(
    world: World, engine: str, urls: tuple[str, str], database: int | None
) -> Iterator[Row]:
    alone, team = (
        People(world.settings(url), 600, world.size.small, persons=persons)
        for url, persons in zip(urls, (1, PERSONS), strict=True)
    )
    of_one, of_five = (
        world.serve(one.settings, "--no-worker", database=database) for one in (alone, team)
    )

    def pairs(one: Iterator[bytes], among: Iterator[bytes]) -> Pairs:
        return Pairs(of_five, other(of_one, one), among, 2, world.size.requests)

    weeks = pairs(alone.weeks(), team.weeks())
    yield Row(
        f"a week's free starts of {PERSONS} people ÷ of one, {engine}", [at_most(2.5)],
        weeks.cpu, world.rounds(),
    )
    booked = pairs(alone.bookings(), team.bookings())
    yield Row(
        f"a booking without preference among {PERSONS} ÷ with one, {engine}", [at_most(1.3)],
        booked.cpu, world.rounds(),
    )
