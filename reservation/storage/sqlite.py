"""The database engine for SQLite: one file, for one machine."""

import json
import os
import re
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from typing import Any

import peewee

from reservation.metrics import OFF
from reservation.storage import deadline
from reservation.storage.turn import Turn

# Seconds to wait for a lock before `transaction` retries. Only other programs hold a lock for so
# long, because this program queues its writers (see turn.py).
BUSY = 0.5
LOOK = 0.2  # seconds between two checks for a deleted or replaced file
_UNIQUE = re.compile(r"UNIQUE constraint failed: (\w+)\.(\w+)")  # table, first column of the key

Row = tuple[Any, ...]
_File = tuple[int, int] | None  # device and inode; None if there is no file


class _Closer:
    """Closes a connection when its thread or greenlet ends, without waiting for the garbage
    collector."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __del__(self) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()


class _ConnectionState(threading.local):
    closer: _Closer | None = None
    file: _File = None
    log: _File = None  # the write-ahead log when the connection was opened
    look_at = 0.0  # the monotonic time of the next `_look`


class SQLite(peewee.SqliteDatabase):
    """A database file in WAL mode. A transaction is on the disk when COMMIT returns."""

    FOR_UPDATE = FOR_SHARE = ""  # a SELECT locks no rows, because a writer locks the whole file
    BY_INDEX = "INDEXED BY {}"  # after a table name, forces the index
    # A join that reads the left table first: `JOIN_BY_KEY.format(table, index)`. MySQL uses
    # `index`; SQLite chooses the index itself.
    JOIN_BY_KEY = "CROSS JOIN {}"
    IN_UNION = "SELECT * FROM ({})"  # allows a SELECT with LIMIT in a UNION
    IF_ID_EXISTS, GIVEN = "ON CONFLICT (id) DO UPDATE SET", "excluded.{}"  # upsert by id
    clustered = False
    counters = OFF

    def __init__(self, path: str) -> None:
        pragmas = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": 1}
        super().__init__(path, pragmas=pragmas, timeout=BUSY, lock_type="IMMEDIATE")
        self._turn = Turn(path)
        self.turn = self._turn.by
        self._mine = _ConnectionState()

    def alone(self, patience: float) -> AbstractContextManager[None]:
        """Returns a context manager that does nothing, because a transaction excludes other
        writers."""
        return nullcontext()

    def make_file(self) -> None:
        """Creates an empty file if there is none. Connecting does not create a file."""
        try:
            Path(self.database).touch(0o644)
        except OSError as ex:
            raise peewee.OperationalError(str(ex)) from ex

    def has_file(self) -> bool:
        return _file(self.database) is not None

    def copy(self, path: Path) -> None:
        """Copies the committed data to a new file that only its owner may read."""
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        source = SQLite(self.database)
        with source.connection_context(), closing(sqlite3.connect(path)) as to:
            source.connection().backup(to)

    def _connect(self) -> Any:
        self._mine.file = _file(self.database)
        if self._mine.file is None:
            raise sqlite3.OperationalError(f"there is no file {self.database}")
        address = Path(self.database).absolute().as_uri() + "?mode=rw"
        connection = sqlite3.connect(address, timeout=self.timeout, isolation_level=None, uri=True)
        try:
            self._add_conn_hooks(connection)  # type: ignore[attr-defined]
        except sqlite3.DatabaseError as ex:
            connection.close()
            if type(ex) is sqlite3.DatabaseError:  # the file is truncated, or is not a database
                raise sqlite3.OperationalError(str(ex)) from ex
            raise
        self._mine.log = _file(self.database + "-wal")
        self._mine.closer = _Closer(connection)
        return connection

    def connection(self) -> Any:
        if time.monotonic() > self._mine.look_at and not self.in_transaction():
            self._look()
        return super().connection()

    def cursor(self, named_cursor: Any = None) -> Any:
        return self.connection().cursor()

    def _look(self) -> None:
        """Closes the connection if the database file was deleted or replaced.

        Otherwise, the next writes would be lost.
        """
        self._mine.look_at = time.monotonic() + LOOK
        if self.is_closed() or _file(self.database) == self._mine.file:
            return
        self.close()
        if not self.has_file():
            return
        with self._turn.aside(deadline.until(BUSY)):
            if self._mine.log and _file(self.database + "-wal") == self._mine.log:
                # Moves the log of the old file away. Otherwise, SQLite would apply the log to the
                # new file.
                for end in ("-wal", "-shm"):
                    with suppress(OSError):
                        os.replace(self.database + end, f"{self.database}{end}-replaced")

    def begin(self, lock_type: str | None = None) -> None:
        self._look()
        super().begin(lock_type)

    def commit(self) -> None:
        self._look()
        super().commit()

    def rollback(self) -> None:
        """Rolls back, unless SQLite has already rolled back, for example on a full disk."""
        if not self.is_closed():
            connection = super().connection()
            if connection.in_transaction:
                with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                    connection.execute("ROLLBACK")

    def rows(self, sql: str, *values: Any) -> list[Row]:
        """Returns the rows of a SELECT with `?` placeholders."""
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            return self.connection().execute(sql, values).fetchall()

    def many_rows(self, columns: str, source: str, *values: Any) -> list[list[Any]]:
        """Returns the rows of `SELECT columns source`, in any order. No value may be a blob.

        Fetches one JSON text instead of rows. For each row, sqlite3 releases the GIL and may have
        to wait for other threads.
        """
        packed = f"SELECT json_group_array(json_array({columns})) {source}"
        return json.loads(self.rows(packed, *values)[0][0])

    def write(self, sql: str, *values: Any) -> Any:
        """Executes a statement with `?` placeholders; returns its cursor."""
        return self.execute_sql(sql, values)

    def write_many(self, sql: str, rows: Sequence[Row]) -> None:
        """Executes a statement with `?` placeholders for each row. Call within a transaction."""
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            self.connection().executemany(sql, rows)

    def is_lost(self, ex: Exception) -> bool:
        return False

    def is_passing(self, ex: Exception) -> bool:
        return self.code(ex) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def violates(self, ex: Exception, table: str, column: str) -> bool:
        """Returns whether `ex` reports a duplicate in a unique key of `table` whose first column
        is `column`."""
        found = _UNIQUE.match(str(ex))
        return found is not None and found.groups() == (table, column)

    def code(self, ex: Exception) -> int:
        return int(getattr(getattr(ex, "orig", None), "sqlite_errorcode", 0) & 0xFF)


def _file(path: str) -> _File:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
