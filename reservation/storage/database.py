"""The connection to the database, one for each thread, and `transaction()`.

Two engines behind one interface: SQLite for one machine, MySQL or MariaDB (also as a
Galera cluster) for many. Nothing is opened before it is used.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import peewee
from playhouse import db_url

from reservation.errors import DatabaseUnavailable
from reservation.metrics import OFF, RETRIES, Counters
from reservation.storage import deadline
from reservation.storage.mysql import MySQL
from reservation.storage.sqlite import SQLite

UNAVAILABLE = (peewee.OperationalError, peewee.InterfaceError, peewee.InternalError)
PATIENCE = 5.0  # seconds for which a transaction is tried again, without a deadline

Result = TypeVar("Result")
Database = SQLite | MySQL


def connect(url: str, counters: Counters = OFF) -> Database:
    """The database at `url` (see Settings.database_url). Nothing is opened yet.

    It carries along where what is done with it is counted.
    """
    is_file = urlsplit(url).scheme == "sqlite"
    db: Database = SQLite(sqlite_path(url)) if is_file else MySQL(url)
    db.counters = counters
    return db


def sqlite_path(url: str) -> str:
    return db_url.parse(url)["database"]


def folder_of(url: str) -> Path:
    """Where a development run keeps its own files: beside the SQLite file."""
    return Path(sqlite_path(url)).parent if urlsplit(url).scheme == "sqlite" else Path()


def forget(db: Database) -> None:
    """Close this thread's connection, whatever state it is in."""
    try:
        db.close()
    except UNAVAILABLE:
        pass  # it was lost already; peewee has let go of it


def transaction(
    db: Database, work: Callable[[], Result], patience: float = PATIENCE
) -> Result:
    """Run `work` in one transaction, again from the start while the failure is a passing one.

    `work` must touch nothing but the database. Raises DatabaseUnavailable when it did not
    pass by the deadline of the request, or within `patience` where there is none; or when the
    connection was lost during COMMIT: the outcome is then unknown, and only the caller's
    idempotency key can tell. Within another transaction `work` is a part of that one.
    """
    if db.in_transaction():
        return work()
    until = deadline.until(patience)
    with db.turn(until):
        return _tried(db, work, until)


def _tried(db: Database, work: Callable[[], Result], until: float) -> Result:
    pause = 0.005
    while True:  # until the deadline
        committing = False
        try:
            with db.transaction():
                result = work()
                committing = True
            return result
        except UNAVAILABLE as ex:
            lost = db.is_lost(ex)
            if lost:
                forget(db)
            if not db.is_passing(ex):
                raise
            if (committing and lost) or deadline.passed(until):
                raise DatabaseUnavailable() from ex
            db.counters.count(RETRIES, str(db.code(ex)))
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause = min(pause * 2, 0.25)


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Makes every read see the database as it was at the first one. Read only.

    Writers neither wait for this transaction nor does it wait for them.
    """
    # On MySQL the level holds for this transaction only. A DEFERRED one takes no turn to write.
    kind = "DEFERRED" if isinstance(db, SQLite) else "REPEATABLE READ"
    with db.transaction(kind):
        yield
