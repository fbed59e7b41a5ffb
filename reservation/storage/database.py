"""One connection to the database for each thread, and `transaction()`.

Two engines share one interface: SQLite for a single machine; MySQL or MariaDB, also as a Galera
cluster, for several machines. A connection is opened when it is first used.
"""

import random
import time
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import peewee

from reservation.errors import DatabaseUnavailable
from reservation.metrics import OFF, RETRIES, Counters
from reservation.storage import deadline
from reservation.storage.mysql import MySQL
from reservation.storage.sqlite import SQLite

UNAVAILABLE = (peewee.OperationalError, peewee.InterfaceError, peewee.InternalError)
PATIENCE = 5.0  # seconds for which a transaction without a deadline is retried

Result = TypeVar("Result")
Database = SQLite | MySQL  # SQLite documents the methods of both


def connect(url: str, counters: Counters = OFF) -> Database:
    """Returns the database at `url`, not connected yet. See Settings.database_url."""
    db: Database = SQLite(sqlite_path(url)) if _is_file(url) else MySQL(url)
    db.counters = counters
    return db


def sqlite_path(url: str) -> str:
    return urlsplit(url).path[1:]


def folder_of(url: str) -> Path:
    """Returns the folder for the files of a development run: that of the SQLite file."""
    return Path(sqlite_path(url)).parent if _is_file(url) else Path()


def _is_file(url: str) -> bool:
    return url.lower().startswith("sqlite:")  # urlsplit refuses some lists of hosts


def marks(values: Sized) -> str:
    """Returns a `?` for each value, for a list in a statement."""
    return ", ".join("?" * len(values))


def inserted(db: Database, row: Any, column: str) -> bool:
    """Executes an INSERT of a model. Returns False if a unique key whose first column is `column`
    has the row already."""
    try:
        row.execute(db)
    except peewee.IntegrityError as ex:
        if not db.violates(ex, row.model._meta.table_name, column):
            raise
        return False
    return True


def delete_in_batches(db: Database, model: Any, which: Any, most: int) -> Iterator[None]:
    """Deletes the rows for which `which` holds, at most `most` in one transaction. Yields before
    each batch; a row for which `which` no longer holds by then stays."""
    some = model.select(model.id).where(which).limit(most)
    while ids := [row.id for row in some.clone().execute(db)]:
        yield
        delete = model.delete().where(model.id.in_(ids) & which)
        transaction(db, lambda: delete.execute(db))  # noqa: B023


def forget(db: Database) -> None:
    """Closes this thread's connection, whatever its state."""
    with suppress(*UNAVAILABLE):  # lost already; peewee has dropped it
        db.close()


def transaction(db: Database, work: Callable[[], Result], patience: float | None = None) -> Result:
    """Runs `work` in a transaction; retries the whole transaction after a transient failure.

    `work` must change nothing but the database. Within another transaction, `work` runs as a part
    of the outer transaction. Raises DatabaseUnavailable if no attempt succeeds by the deadline of
    the request, or within `patience` seconds if there is no deadline. Also raises
    DatabaseUnavailable if the connection is lost during COMMIT: the outcome is then unknown, and
    the caller needs an idempotency key.
    """
    if db.in_transaction():
        return work()
    until = deadline.until(PATIENCE if patience is None else patience)
    with db.turn(until):
        return _retried(db, work, until)


def _retried(db: Database, work: Callable[[], Result], until: float) -> Result:
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
def undone_by(db: Database, refusal: type[Exception]) -> Iterator[None]:
    """Undoes what a part of a transaction wrote if the part raises this exception.

    Other exceptions roll the whole transaction back. After a deadlock there is no savepoint left:
    peewee's `savepoint` would then raise another error, which is not retried.
    """
    db.write("SAVEPOINT part")
    try:
        yield
    except refusal:
        db.write("ROLLBACK TO SAVEPOINT part")
        raise


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Makes all reads see the database as the first read saw it, without blocking writers."""
    # SQLite: DEFERRED takes no write lock. MySQL: the isolation level of this transaction only.
    kind = "DEFERRED" if isinstance(db, SQLite) else "REPEATABLE READ"
    with db.transaction(kind):
        yield
