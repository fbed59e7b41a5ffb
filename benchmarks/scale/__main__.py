"""Prints the figures of docs/scale.md: how size affects speed."""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchmarks.load import measure, request
from benchmarks.scale import country
from benchmarks.scale.country import last_id
from benchmarks.servers import CannotMeasure, run
from benchmarks.world import TINY, Size, World
from reservation.domain.booking import booking
from reservation.domain.booking.booking import Request
from reservation.domain.calendar import finding, upkeep
from reservation.domain.calendar.terms import Visit, terms
from reservation.domain.people.sessions import Account, Tokens
from reservation.lib.instants import DAY
from reservation.settings import Settings
from reservation.storage.database import Database, MySQL, SQLite, connect, forget
from tests.galera import Galera

TABLES = ("creneau", "reservation", "eventemail", "utilisateur")
CLIENTS, NIGHT = 16, 5.0  # seconds of a midnight that are measured
_SIZES = "SELECT tbl_name, SUM(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY 1"
_FILES = "SELECT name, file_size FROM information_schema.innodb_sys_tablespaces"
_POOL = "SHOW STATUS LIKE 'Innodb_buffer_pool_reads'"


class Country:
    def __init__(self, world: World, settings: Settings, businesses: int) -> None:
        self.settings, self.size, self.businesses = settings, world.size, businesses
        self.customers = businesses * country.CUSTOMERS
        self.db: Database = connect(settings.database_url)
        self.now, self.nights, self.chance = int(time.time()), 0, random.Random(1)

    def sizes(self) -> None:
        if isinstance(self.db, SQLite):
            found = dict(self.db.rows(_SIZES))
        else:
            found = {name.partition("/")[2]: size for name, size in self.db.rows(_FILES)
                     if name.startswith("scale/")}
        for table in TABLES:
            ((rows,),) = self.db.rows(f"SELECT COUNT(*) FROM {table}")
            ids = last_id(self.db, table) / rows
            size = float(found[table]) / rows
            print(f"  {table}: {rows:,} rows, {size:.0f} bytes and {ids:.1f} ids each")

    def _free(self, count: int) -> Iterator[tuple[int, int]]:
        """Yields a random business and a free slot of this business, `count` times."""
        sql = "SELECT id, places_prises FROM creneau WHERE entreprise_id = ? AND debut = ?"
        while count:
            id, number = self.chance.randint(1, self.businesses), self.chance.randrange(20)
            day = self.now // DAY * DAY + self.chance.randrange(1, country.AHEAD) * DAY
            found = self.db.rows(sql, id, day + 9 * 3600 + number * country.STEP)
            if found and not found[0][1]:
                count -= 1
                yield id, found[0][0]

    def _book(self) -> Callable[[], object]:
        ((id, slot),) = self._free(1)
        customer = Account(country.FIRST + slot % self.customers, "student")
        return lambda: booking.book(self.db, customer, Request(slot, id), self.now)

    def _week(self) -> Callable[[], object]:
        id = self.chance.randint(1, self.businesses)
        start = self.now // DAY * DAY + self.chance.randrange(1, 80) * DAY

        def read() -> object:
            business, service = terms(self.db, id, id)
            visit, end = Visit.of(service), start + 7 * DAY
            return finding.free_starts(self.db, business, visit, start, end, self.now)

        return read

    def times(self) -> None:
        """Measures the domain alone, on one connection."""
        for name, choose in (("a week's free starts", self._week), ("a booking", self._book)):
            spent, pages = [], 0
            for _ in range(self.size.requests):
                act, before, started = choose(), self._pages(), time.perf_counter()
                act()
                spent.append(time.perf_counter() - started)
                pages += self._pages() - before
            spent.sort()
            median, slow = (spent[len(spent) * part // 100] * 1000 for part in (50, 99))
            print(f"  {name}: {median:.2f} ms, {slow:.2f} ms (99 %),"
                  f" {pages / len(spent):.1f} pages read from the disk")

    def _pages(self) -> int:
        return int(self.db.rows(_POOL)[0][1]) if isinstance(self.db, MySQL) else 0

    def resize(self, megabytes: int) -> None:
        if megabytes:
            self.db.execute_sql(f"SET GLOBAL innodb_buffer_pool_size = {megabytes << 20}")
            print(f"  with a buffer pool of {megabytes} MB:")

    def requests(self, world: World, database: int | None) -> None:
        server = world.serve(self.settings, database=database)
        tokens, count = Tokens(self.settings.secret, 3600), self.size.requests * 2
        day = time.strftime("%Y-%m-%d", time.gmtime(self.now + 30 * DAY))
        posts, gets = [], []
        for id, slot in self._free(count):
            customer = country.FIRST + slot % self.customers
            token = tokens.issue(customer, f"{customer}@example.net", "student")
            body = json.dumps({"creneauId": slot, "prestationId": id}).encode()
            named = {"Authorization": f"Bearer {token}", "Idempotency_Key": f"scale-{slot}"}
            posts.append(request("POST", "/api/reservations", body, **named))
            path = f"/api/entreprises/{id}/creneaux?prestation={id}&du={day}"
            gets.append(request("GET", path))
        for name, sent in (("a week's free starts", gets), ("bookings", posts)):
            measure(server, sent[: count // 8], CLIENTS)
            sample = measure(server, sent[count // 8 :], CLIENTS)
            slow = sorted(sample.waits)[len(sample.waits) * 99 // 100] * 1000
            print(f"  {name}, {CLIENTS} clients: {sample.rate:.0f}/s, {slow:.0f} ms (99 %),"
                  f" {sample.cpu * 1000:.2f} ms CPU")

    def midnight(self) -> None:
        first, started = last_id(self.db, "creneau"), time.perf_counter()
        self.nights += 1
        for _ in upkeep.extend_all(self.db, self.now + self.nights * DAY):
            seconds = time.perf_counter() - started
            if seconds > NIGHT:
                break
        ((made,),) = self.db.rows("SELECT COUNT(*) FROM creneau WHERE id > ?", first)
        print(f"  midnight: {made / seconds:,.0f} slots/s, {made:,} in all")

    def copies(self, empty: Settings, path: Path) -> None:
        """Measures all that reads or writes the whole database."""
        millions = sum(last_id(self.db, table) for table in TABLES) / 1_000_000
        saved = run(self.settings, "backup", str(path))
        spent = {"backup": saved.seconds, "check": run(self.settings, "check").seconds,
                 "restore": run(empty, "restore", str(path)).seconds}
        if isinstance(self.db, MySQL):
            with self.db.alone(5):
                started = time.perf_counter()
                self.db.execute_sql("ALTER TABLE reservation FORCE, ALGORITHM = COPY")
                share = last_id(self.db, "reservation") / 1_000_000 / millions
                spent["ALTER TABLE reservation"] = (time.perf_counter() - started) / share
        for name, seconds in spent.items():
            print(f"  {name}: {seconds / millions:.1f} s for a million rows")


def start(world: World, engine: str) -> tuple[Callable[[str], str], int | None]:
    """Returns a function that returns the URL of a new database, and the process of the server;
    of a cluster, the process of the node in use."""
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
    made, pools = Country(world, settings, businesses), options.pools or [0]
    made.resize(pools[0])
    country.fill(settings, businesses, options.past, options.booked)
    slots = businesses * country.SLOTS * (options.past + country.AHEAD)
    print(f"{options.engine}, {businesses:,} businesses, {slots:,} slots")
    made.sizes()
    for pool in pools:
        made.resize(pool)
        made.times()
        made.requests(world, process)
        made.midnight()
    if options.copies:
        made.copies(world.settings(create("copy")), world.path("backup"))
    forget(made.db)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("engine", choices=["sqlite", "mariadb", "cluster"])
    parser.add_argument("--businesses", type=int, nargs="+", default=[555])
    parser.add_argument("--past", type=int, default=0, help="days of slots before today")
    parser.add_argument("--booked", type=int, default=4, help="slots of a day with a booking")
    parser.add_argument("--pools", type=int, nargs="+", default=[], help="MB, of MariaDB")
    parser.add_argument("--copies", action="store_true", help="measure backup, restore, check too")
    parser.add_argument("--tiny", action="store_true", help="few requests: tests the command")
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
