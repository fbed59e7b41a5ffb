"""The rows about bookings. The reference is a loop that executes only the SQL of a booking.

`python -m benchmarks.bookings` runs the service, but queues no messages about bookings.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle, islice
from typing import Any

from benchmarks.load import Sample
from benchmarks.people import CUSTOMERS, People, Visit
from benchmarks.rows import Row, at_least, at_most
from benchmarks.world import Pairs, World, other
from reservation.commands import main
from reservation.domain.booking import booking
from reservation.domain.calendar import performers, plans, stored_slots, terms
from reservation.domain.customers import records
from reservation.domain.outbox import outbox
from reservation.settings import Settings
from reservation.storage.database import MySQL, connect

P99 = "ms (99 %)"  # the 99th percentile of the response times
_CUSTOMER = "SELECT type_id, actif, jetons_depuis FROM utilisateur WHERE id = ?"
_TOLD = " UNION ALL ".join([outbox._FOR_CUSTOMER, outbox._REMINDER, outbox._FOR_BUSINESS])
_MEMBERS = f"SELECT {performers._COLUMNS} {performers._MEMBERS.format('?')}"
_NEAR = f"SELECT {stored_slots.COLUMNS} {stored_slots.OVERLAPPING.format('?')}"


class Plain:
    """Books on one connection, with the SQL statements of the service and nothing else.

    The customers book in turn, as in the requests to the service.
    """

    def __init__(self, settings: Settings, customers: Sequence[int]) -> None:
        self._customers = cycle(customers)
        self._db = connect(settings.database_url)
        self._connection = self._db.connection()
        self._mark = "%s" if isinstance(self._db, MySQL) else "?"
        begin = "BEGIN" if isinstance(self._db, MySQL) else "BEGIN IMMEDIATE"
        self._begin = partial(self._run, begin)
        self._shared = terms._TERMS + self._db.FOR_SHARE

    def _run(self, sql: str, *values: Any) -> Any:
        cursor = self._connection.cursor()
        cursor.execute(sql.replace("?", self._mark), values)
        return cursor

    def _rows(self, sql: str, *values: Any) -> Sequence[Any]:
        rows: Sequence[Any] = self._run(sql, *values).fetchall()
        return rows

    def book(self, visit: Visit) -> None:
        key, now = f"plain {visit.creneau}", int(time.time())
        customer = next(self._customers)
        entreprise, debut, fin = visit.entreprise, visit.debut, visit.fin
        self._rows(_CUSTOMER, customer)
        self._rows(booking._KNOWN, customer, key)
        self._rows(booking._SLOT, visit.prestation, visit.creneau)
        self._begin()
        self._rows(self._shared, visit.prestation, entreprise)
        record = self._record(entreprise, customer)
        self._rows(_MEMBERS, entreprise)
        self._rows(_NEAR, entreprise, debut - plans.LONGEST_SLOT, fin, debut)
        taken = self._run(stored_slots._TAKE, 1, entreprise, debut, fin - 1, 1, 1)
        assert taken.rowcount == visit.slots
        row = dict(
            client_id=record, titulaire_id=customer, demandeur_id=customer,
            entreprise_id=entreprise, ressource_id=entreprise,
            prestation_id=visit.prestation, creneau_id=visit.creneau, debut=debut, fin=fin,
            occupe_debut=debut, occupe_fin=fin, places=1, prix_centimes=0, statut="confirmee",
            version=1, commentaire="", cle_idempotence=key, empreinte="x" * 64, cree_le=now,
            modifie_le=now,
        )
        number = self._insert("reservation", row)
        told = [None, debut, fin, 0, now, now]  # without a message from the owner
        self._run(
            outbox.INTO + _TOLD,
            number, entreprise, entreprise, "confirmee", *told, record,
            number, entreprise, entreprise, "rappel", *told, record,
            number, entreprise, entreprise, "nouvelle", *told, entreprise,
        )
        self._run("COMMIT")

    def _record(self, entreprise: int, customer: int) -> int:
        """Returns the customer's record at this business, which is created if necessary."""
        for id, *_ in self._rows(records._OF_ACCOUNT, entreprise, customer):
            return int(id)
        self._rows(records._HOLDER, customer)
        row = dict(
            entreprise_id=entreprise, utilisateur_id=customer, email="x@example.net",
            nom="Martin", nom_cle="martin", prenom="", telephone="", telephone_cle="",
            suit_compte=1, note="", bloque=0, version=1, cree_le=0,
        )
        return self._insert("client", row)

    def _insert(self, table: str, row: dict[str, Any]) -> int:
        sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        return int(self._run(sql, *row.values()).lastrowid)


class Loop:
    """The reference: several connections, each of which books in a loop on its own thread."""

    def __init__(self, people: People, connections: int = 1) -> None:
        self._free = people.free()
        self._pool = ThreadPoolExecutor(connections)
        customers = [people.accounts.customer(number).id for number in CUSTOMERS]
        made = [
            self._pool.submit(Plain, people.settings, customers[first::connections])
            for first in range(connections)
        ]
        self._loops = [one.result() for one in made]

    def __call__(self, requests: Sequence[bytes], _sizes: Sequence[int]) -> Sample:
        """Makes as many bookings as there are requests."""
        each = len(requests) // len(self._loops)
        jobs = [list(islice(self._free, each)) for _ in self._loops]
        cpu, started = time.process_time(), time.perf_counter()
        list(self._pool.map(_book_all, self._loops, jobs))
        seconds, done = time.perf_counter() - started, each * len(jobs)
        return Sample((time.process_time() - cpu) / done, done / seconds)


def _book_all(plain: Plain, job: Sequence[Visit]) -> None:
    for visit in job:
        plain.book(visit)


def bookings_on_sqlite(world: World) -> Iterator[Row]:
    here, plain = _two_towns(world)
    server, requests, loop = world.serve(here.settings), here.bookings(), Loop(plain)
    for clients, slowest in ((2, 60), (16, 60), (32, 100)):
        pairs = Pairs(server, loop, requests, clients, world.size.requests)
        yield Row(
            f"bookings/s, SQLite, {clients} clients ÷ plain loop",
            [at_least(0.45), at_most(slowest, P99)], pairs.rate_and_slowest, world.rounds(),
        )


def bookings_on_mariadb(world: World) -> Iterator[Row]:
    create, process = world.mariadb()
    here, plain = _two_towns(world, create("here"), create("plain"))
    server = world.serve(here.settings, database=process)
    requests, loop = here.bookings(), Loop(plain, connections=4)
    for clients in (2, 16):
        pairs = Pairs(server, loop, requests, clients, world.size.requests)
        yield Row(
            f"bookings/s, MariaDB, {clients} clients ÷ 4 plain loops",
            [at_least(0.4), at_most(150, P99)], pairs.rate_and_slowest, world.rounds(0.5),
        )


def queueing(world: World) -> Iterator[Row]:
    telling, silent = _two_towns(world)
    quiet = world.serve(silent.settings, "--no-worker", module="benchmarks.bookings")
    loud = world.serve(telling.settings, "--no-worker")
    reference = other(quiet, silent.bookings())
    pairs = Pairs(loud, reference, telling.bookings(), 2, world.size.requests)
    yield Row("a booking ÷ without its messages", [at_most(1.1)], pairs.cpu, world.rounds())


def _two_towns(world: World, *urls: str) -> list[People]:
    return [world.small_town(url) for url in urls or ("", "")]


def _tell_nobody(*_args: Any, **_how: Any) -> None:
    pass


if __name__ == "__main__":
    outbox.tell = _tell_nobody
    sys.exit(main())
