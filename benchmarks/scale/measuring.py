"""The measurements in a country."""

import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

from benchmarks.load import measure, request
from benchmarks.scale import country
from benchmarks.scale.country import last_id
from benchmarks.servers import run
from benchmarks.world import World
from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.calendar import finding, performers, upkeep
from reservation.domain.calendar.terms import Visit, terms
from reservation.domain.people.sessions import Account, Tokens
from reservation.lib.instants import DAY
from reservation.settings import Settings
from reservation.storage.database import Database, MySQL, SQLite, connect

TABLES = ("creneau", "reservation", "eventemail", "client", "utilisateur")
CLIENTS, NIGHT = 16, 5.0  # clients; seconds of the work at midnight that are measured
_SIZES = "SELECT tbl_name, SUM(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY 1"
_FILES = "SELECT name, file_size FROM information_schema.innodb_sys_tablespaces"
_POOL = (  # counts: all pages read, and the pages among them that came from the disk
    "SELECT variable_value FROM information_schema.global_status WHERE variable_name IN"
    " ('INNODB_BUFFER_POOL_READ_REQUESTS', 'INNODB_BUFFER_POOL_READS') ORDER BY variable_name DESC"
)


class Country:
    def __init__(
        self, world: World, settings: Settings, process: int | None, businesses: int
    ) -> None:
        self.world, self.settings, self.process = world, settings, process
        self.size, self.businesses = world.size, businesses
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
            print(f"  {table}: {rows:,} rows, {float(found[table]) / rows:.0f} bytes each")

    def _free(self, count: int) -> Iterator[tuple[int, int]]:
        """Yields a random business and a free slot of this business, `count` times."""
        sql = "SELECT id, places_prises FROM creneau WHERE ressource_id = ? AND debut = ?"
        while count:
            id, number = self.chance.randint(1, self.businesses), self.chance.randrange(20)
            day = self.now // DAY * DAY + self.chance.randrange(1, country.AHEAD) * DAY
            found = self.db.rows(sql, id, day + 9 * 3600 + number * country.STEP)
            if found and not found[0][1]:
                count -= 1
                yield id, found[0][0]

    def _book(self) -> Callable[[], object]:
        ((id, slot),) = self._free(1)
        customer = Account(country.customer_of(slot, id, self.businesses), "student")
        return lambda: booking.book(self.db, customer, Request(slot, id), self.now)

    def _week(self) -> Callable[[], object]:
        id = self.chance.randint(1, self.businesses)
        start = self.now // DAY * DAY + self.chance.randrange(1, 80) * DAY

        def read() -> object:
            business, service = terms(self.db, id, id)
            visit = Visit.of(service, 1, performers.of_service(self.db, id, service))
            end = start + 7 * DAY
            return finding.free_starts(self.db, business, visit, start, end, self.now)

        return read

    def times(self) -> None:
        """Measures the functions of the domain without HTTP, on one connection."""
        for name, choose in (("a week's free starts", self._week), ("a booking", self._book)):
            spent, pages = [], [0, 0]
            for _ in range(self.size.requests):
                act, before, started = choose(), self._pages(), time.perf_counter()
                act()
                spent.append(time.perf_counter() - started)
                pages = [sum(three) for three in zip(pages, self._pages(), (-n for n in before))]
            spent.sort()
            median, slow = (spent[len(spent) * part // 100] * 1000 for part in (50, 99))
            print(f"  {name}: {median:.2f} ms, {slow:.2f} ms (99 %),"
                  f" {pages[0] / len(spent):.0f} pages,"
                  f" {pages[1] / len(spent):.1f} of them from the disk")

    def _pages(self) -> list[int]:
        rows = self.db.rows(_POOL) if isinstance(self.db, MySQL) else [(0,), (0,)]
        return [int(value) for (value,) in rows]

    def resize(self, megabytes: int) -> None:
        if megabytes:
            self.db.execute_sql(f"SET GLOBAL innodb_buffer_pool_size = {megabytes << 20}")
            print(f"  with a buffer pool of {megabytes} MB:")

    def requests(self) -> None:
        server = self.world.serve(self.settings, database=self.process)
        tokens, count = Tokens(self.settings.secret, 3600), self.size.requests * 2
        day = time.strftime("%Y-%m-%d", time.gmtime(self.now + 30 * DAY))
        issued = int(time.time())
        posts, gets, searches = [], [], []
        for id, slot in self._free(count):
            customer = country.customer_of(slot, id, self.businesses)
            token = tokens.issue(customer, f"{customer}@example.net", "student", issued)
            body = json.dumps({"creneauId": slot, "prestationId": id}).encode()
            named = {"Authorization": f"Bearer {token}", "Idempotency_Key": f"scale-{slot}"}
            posts.append(request("POST", "/api/reservations", body, **named))
            path = f"/api/entreprises/{id}/creneaux?prestation={id}&du={day}"
            gets.append(request("GET", path))
            searches.append(request("GET", f"/api/entreprises?q=xyz{slot}"))
        first = last_id(self.db, "eventemail")
        for name, sent in (("a week's free starts", gets), ("bookings", posts),
                           ("a search in vain", searches)):
            measure(server, sent[: count // 8], CLIENTS)
            sample = measure(server, sent[count // 8 :], CLIENTS)
            slow = sorted(sample.waits)[len(sample.waits) * 99 // 100] * 1000
            print(f"  {name}, {CLIENTS} clients: {sample.rate:.0f}/s, {slow:.0f} ms (99 %),"
                  f" {sample.cpu * 1000:.2f} ms CPU")
        print(f"  messages: {self._ids('eventemail', first)[1]:.1f} ids each")

    def midnight(self) -> None:
        first, started, cpu = last_id(self.db, "creneau"), time.perf_counter(), self._cpu()
        self.nights += 1
        for _ in upkeep.extend_all(self.db, self.now + self.nights * DAY):
            seconds = time.perf_counter() - started
            if seconds > NIGHT:
                break
        cpu = self._cpu() - cpu
        made, ids = self._ids("creneau", first)
        print(f"  midnight: {made:,} slots, {made / seconds:,.0f}/s,"
              f" {cpu / made * 1000:.3f} ms CPU and {ids:.1f} ids each")

    def _ids(self, table: str, before: int) -> tuple[int, float]:
        """Returns the number of rows with ids above `before`, and the ids used per row."""
        sql = f"SELECT COUNT(*), MIN(id), MAX(id) FROM {table} WHERE id > ?"
        rows, first, last = self.db.rows(sql, before)[0]
        return rows, (last - first) / (rows - 1)

    def _cpu(self) -> float:
        """Returns the CPU time of this process and of the database server, in seconds."""
        server = psutil.Process(self.process).cpu_times() if self.process else None
        return time.process_time() + (server.user + server.system if server else 0)

    def copies(self, empty: Settings, path: Path) -> None:
        """Measures the commands that read or write the whole database."""
        rows = [self.db.rows(f"SELECT COUNT(*) FROM {table}")[0][0] for table in TABLES]
        millions = sum(rows) / 1_000_000
        saved = run(self.settings, "backup", str(path))
        spent = {"backup": saved.seconds, "check": run(self.settings, "check").seconds,
                 "restore": run(empty, "restore", str(path)).seconds}
        if isinstance(self.db, MySQL):
            started = time.perf_counter()
            with self.db.alone(5):
                for table in TABLES:
                    self.db.execute_sql(f"ALTER TABLE {table} FORCE, ALGORITHM = COPY")
            spent["ALTER TABLE"] = time.perf_counter() - started
        for name, seconds in spent.items():
            print(f"  {name}: {seconds / millions:.1f} s for a million rows")
