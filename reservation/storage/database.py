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
Database = SQLite | MySQL  # the class SQLite has the docstrings of the common methods


def connect(url: str, counters: Counters = OFF) -> Database:
    """Returns the database at `url`, not connected yet. See Settings.database_url."""
    db: Database = SQLite(sqlite_path(url)) if _is_file(url) else MySQL(url)
    db.counters = counters
    return db


def sqlite_path(url: str) -> str:
    return urlsplit(url).path[1:]


def folder_of(url: str) -> Path:
    """Returns the folder for the files of a development run.

    This is the folder of the SQLite file, or the working directory for another engine.
    """
    return Path(sqlite_path(url)).parent if _is_file(url) else Path()


def _is_file(url: str) -> bool:
    return url.lower().startswith("sqlite:")  # not urlsplit, which refuses some lists of hosts


def marks(values: Sized) -> str:
    """Returns a placeholder for each value: `?, ?, ?` for three values."""
    return ", ".join("?" * len(values))


def insert(db: Database, table: str, values: dict[str, Any]) -> int:
    """Inserts a row with a value for each column, and returns its id. An INSERT of a model would
    take several times the CPU time."""
    sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks(values)})"
    return int(db.write(sql, *values.values()).lastrowid)


def inserted(db: Database, row: Any, column: str) -> bool:
    """Executes `row`, an INSERT of a model. Returns False if the row is a duplicate in a unique
    key whose first column is `column`."""
    try:
        row.execute(db)
    except peewee.IntegrityError as ex:
        if not db.violates(ex, row.model._meta.table_name, column):
            raise
        return False
    return True


def delete_in_batches(db: Database, model: Any, which: Any, most: int) -> Iterator[None]:
    """Deletes the rows that meet the condition `which`, at most `most` rows in a transaction.

    Yields after it has selected a batch, so that the caller can do other work before the batch is
    deleted. Keeps a row that no longer meets the condition by then.
    """
    some = model.select(model.id).where(which).limit(most)
    while ids := [row.id for row in some.clone().execute(db)]:
        yield
        delete = model.delete().where(model.id.in_(ids) & which)
        transaction(db, lambda: delete.execute(db))  # noqa: B023


def forget(db: Database) -> None:
    """Closes this thread's connection. Ignores the errors of a connection that is lost."""
    with suppress(*UNAVAILABLE):  # closing a lost connection may raise an error
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
    """If the `with` block raises `refusal`, undoes its writes and raises the same exception again.

    The caller may catch `refusal` and continue the transaction. Any other exception rolls the
    whole transaction back. Peewee's `savepoint` is unsuitable, because a deadlock removes the
    savepoint in the database. Peewee would then raise an error about the absent savepoint instead
    of the deadlock, and `transaction` would not retry.
    """
    db.write("SAVEPOINT part")
    try:
        yield
    except refusal:
        db.write("ROLLBACK TO SAVEPOINT part")
        raise


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Makes all reads of the `with` block see the database as the first read saw it, without
    blocking writers."""
    # On SQLite, DEFERRED begins a transaction without a write lock. On MySQL, all reads see the
    # same state with REPEATABLE READ; this isolation level is set for this transaction only.
    kind = "DEFERRED" if isinstance(db, SQLite) else "REPEATABLE READ"
    with db.transaction(kind):
        yield
