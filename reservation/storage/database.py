"""The database: SQLite for one machine; MySQL, MariaDB or a Galera cluster for several machines.

Each thread has its own connection, opened at the first use.
"""

import random
import time
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import peewee

from reservation.errors import DatabaseUnavailable, StaleVersion
from reservation.metrics import OFF, RETRIES, Counters
from reservation.storage import deadline
from reservation.storage.mysql import MySQL
from reservation.storage.sqlite import SQLite

UNAVAILABLE = (peewee.OperationalError, peewee.InterfaceError, peewee.InternalError)
NO_ANSWER = (DatabaseUnavailable, *UNAVAILABLE)  # `transaction` raises DatabaseUnavailable
ROW_REFUSED = (peewee.IntegrityError, peewee.DataError)  # violated constraint, invalid value
PATIENCE = 5.0  # seconds for which a transaction without a deadline is retried

Result = TypeVar("Result")
Database = SQLite | MySQL  # SQLite documents the methods that both classes have


def connect(url: str, counters: Counters = OFF) -> Database:
    """Returns the database at `url`. Each thread connects at its first use, not here."""
    db: Database = SQLite(sqlite_path(url)) if _is_file(url) else MySQL(url)
    db.counters = counters
    return db


def sqlite_path(url: str) -> str:
    return urlsplit(url).path[1:]


def folder_of(url: str) -> Path:
    """Returns the folder of the SQLite file, or the working directory for another engine."""
    return Path(sqlite_path(url)).parent if _is_file(url) else Path()


def _is_file(url: str) -> bool:
    return url.lower().startswith("sqlite:")  # not by urlsplit, which refuses some lists of hosts


def marks(values: Sized) -> str:
    """Returns a placeholder for each value: `?, ?, ?` for three values."""
    return ", ".join("?" * len(values))


def highest_id(db: Database, table: str) -> int:
    """Returns the highest id in a table, or 0 if the table is empty."""
    return int(db.rows(f"SELECT COALESCE(MAX(id), 0) FROM {table}")[0][0])


def insert(db: Database, table: str, values: dict[str, Any]) -> int:
    """Inserts a row of {column: value}, and returns its id. Faster than a Peewee model."""
    sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks(values)})"
    return int(db.write(sql, *values.values()).lastrowid)


def update_row(
    db: Database, model: Any, id: int, version: int | None, changes: dict[str, Any]
) -> None:
    """Changes columns of a row, and increments its version. Raises StaleVersion if `version` is
    given and is not current, or if the row does not exist. Call within a transaction."""
    same = model.id == id
    if version is not None:
        same &= model.version == version
    query = model.update({**changes, "version": model.version + 1}).where(same)
    if query.execute(db) != 1:
        raise StaleVersion()


def check_version(row: Any, version: int | None) -> None:
    """Raises StaleVersion if `version` is given and is not current, or if `row` is None."""
    if row is None or version not in (None, row.version):
        raise StaleVersion()


@contextmanager
def refusing_duplicates(
    db: Database, table: str, column: str, refusal: Exception
) -> Iterator[None]:
    """Raises `refusal` if the `with` block stores a duplicate in a unique key of the table.
    `column` is the first column of this unique key."""
    try:
        yield
    except peewee.IntegrityError as ex:
        if not db.violates(ex, table, column):
            raise
        raise refusal from None


def overtaken() -> Exception:
    """Returns an exception after which `transaction` runs its work again, as if the database
    server had found that another transaction has changed a row. Only for servers: on SQLite, no
    other transaction writes meanwhile."""
    return peewee.OperationalError(1020, "another transaction has changed a row")


def in_batches(db: Database, query: Any, which: Any, most: int) -> Iterator[None]:
    """Executes `query`, an UPDATE or DELETE, for the rows that meet the condition `which`. Each
    transaction changes at most `most` rows. A changed row must no longer meet the condition.

    Yields before each transaction, and skips rows that no longer meet the condition by then.
    """
    id = query.model.id
    some = query.model.select(id).where(which).limit(most)
    while ids := [row.id for row in some.clone().execute(db)]:
        yield
        batch = query.where(id.in_(ids) & which)
        transaction(db, lambda: batch.execute(db))  # noqa: B023


def forget(db: Database) -> None:
    """Closes this thread's connection, even if the connection is lost."""
    with suppress(*UNAVAILABLE):
        db.close()


def transaction(db: Database, work: Callable[[], Result], patience: float | None = None) -> Result:
    """Runs `work` in a transaction, or in the open transaction if there is one.

    After a transient failure, `work` runs again, so `work` must change nothing outside the
    database. Raises DatabaseUnavailable if no attempt succeeds before `deadline.until(patience)`.
    Also raises DatabaseUnavailable if the connection is lost during COMMIT. After such a loss, the
    commit may have succeeded.
    """
    if db.in_transaction():
        return work()
    until = deadline.until(PATIENCE if patience is None else patience)
    commit = partial(_commit, db, until)
    return db.commits.run(work, commit, until) if isinstance(db, SQLite) else commit(work)


def _commit(db: Database, until: float, work: Callable[[], Result]) -> Result:
    pause = 0.005
    while True:
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
    """Undoes the writes of the `with` block if the block raises `refusal`.

    The caller can catch `refusal` and continue the transaction. Peewee's `savepoint` is
    unsuitable: after a deadlock, it fails with another error, which `transaction` does not retry.
    """
    db.write("SAVEPOINT part")
    try:
        yield
    except refusal:
        db.write("ROLLBACK TO SAVEPOINT part")
        raise


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Makes all reads of the `with` block see the same state of the database. Does not block
    writers."""
    # On SQLite, DEFERRED takes no write lock. On MySQL, the isolation level applies to this
    # transaction only.
    kind = "DEFERRED" if isinstance(db, SQLite) else "REPEATABLE READ"
    with db.transaction(kind):
        yield
