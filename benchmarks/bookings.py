"""The reference of the booking rows: only the SQL statements of a booking, in a loop."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from benchmarks import town
from benchmarks.load import Sample
from benchmarks.town import SLOT_MINUTES
from reservation.domain.booking import booking, holds, reservations
from reservation.domain.calendar import availability, terms
from reservation.domain.messages import outbox
from reservation.settings import Settings
from reservation.storage.database import MySQL, connect

_CUSTOMER = "SELECT type_id, actif, jetons_depuis FROM utilisateur WHERE id = ?"
_TOLD = " UNION ALL ".join([outbox._TO_CUSTOMER] * 2 + [outbox._TO_BUSINESS])
_NEAR = f"SELECT {availability.COLUMNS} {availability.OVERLAPPING}"
_ANSWER = f"{reservations._SELECT} WHERE r.id IN (?) ORDER BY r.debut, r.id"


class Plain:
    """Books on one connection."""

    def __init__(self, settings: Settings) -> None:
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

    def book(self, creneau: int, entreprise: int) -> None:
        customer, key, now = 2, f"plain {creneau}", int(time.time())
        self._rows(_CUSTOMER, customer)
        self._rows(booking._KNOWN, customer, key)
        ((debut, _, _),) = self._rows(booking._SLOT, entreprise, creneau)
        fin = debut + SLOT_MINUTES * 60
        self._begin()
        self._rows(self._shared, entreprise, entreprise)
        longest = availability.LONGEST_SLOT
        self._rows(_NEAR, entreprise, debut - longest, fin, debut)
        taken = self._run(holds._TAKE, 1, entreprise, debut, debut, 1, 1)
        assert taken.rowcount == 1
        row = dict(
            utilisateur_id=customer, demandeur_id=customer, entreprise_id=entreprise,
            prestation_id=entreprise, creneau_id=creneau, debut=debut, fin=fin,
            occupe_debut=debut, occupe_fin=fin, places=1, statut="confirmee", version=1,
            commentaire="", cle_idempotence=key, empreinte="x" * 64, cree_le=now, modifie_le=now,
        )
        insert = booking._INSERT.format(", ".join(row), ", ".join("?" * len(row)))
        number = self._run(insert, *row.values()).lastrowid
        told = [None, debut, fin, 0, now, now]  # without a message from the owner
        self._run(
            outbox._INTO + _TOLD,
            number, entreprise, "confirmee", *told, customer,
            number, entreprise, "rappel", *told, customer,
            number, entreprise, "nouvelle", *told, entreprise,
        )
        self._run("COMMIT")
        self._rows(_ANSWER, number)


class Loop:
    """Several connections, each in its own loop."""

    def __init__(self, settings: Settings, connections: int = 1) -> None:
        self._free = town.free(settings)
        self._pool = ThreadPoolExecutor(connections)
        self._loops = [self._pool.submit(Plain, settings).result() for _ in range(connections)]

    def __call__(self, requests: Sequence[bytes]) -> Sample:
        """Makes as many bookings as there are requests."""
        each = len(requests) // len(self._loops)
        jobs = [[next(self._free) for _ in range(each)] for _ in self._loops]
        cpu, started = time.process_time(), time.perf_counter()
        list(self._pool.map(_book_all, self._loops, jobs))
        seconds, done = time.perf_counter() - started, each * len(jobs)
        return Sample((time.process_time() - cpu) / done, done / seconds)


def _book_all(plain: Plain, job: Sequence[tuple[int, int]]) -> None:
    for creneau, entreprise in job:
        plain.book(creneau, entreprise)
