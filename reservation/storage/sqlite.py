"""SQLite: one file, for one machine."""

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

# Seconds for which a statement waits for a lock. This program's own writers take turns and do
# not need it; for other programs `transaction` tries again until its deadline.
BUSY = 0.5
LOOK = 0.2  # seconds between two looks at whether the path still leads to the opened file
_UNIQUE = re.compile(r"UNIQUE constraint failed: (\w+)\.(\w+)")  # and its further columns

Row = tuple[Any, ...]
_File = tuple[int, int] | None  # device and inode; None if there is no file


class _Ending:
    """Closes a connection when its thread or greenlet ends.

    The connection is in a reference cycle with its statement cache, so otherwise it would stay
    open until the garbage collector runs.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __del__(self) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()


class _Mine(threading.local):
    """What a thread knows of its connection."""

    ending: _Ending | None = None
    file: _File = None
    log: _File = None  # the write-ahead log that belongs to `file`
    look_at = 0.0


class SQLite(peewee.SqliteDatabase):
    """A file in WAL mode that is on the disk when COMMIT returns."""

    # A writer has the whole file for itself: no row needs a lock of its own.
    FOR_UPDATE = FOR_SHARE = ""
    clustered = False
    counters = OFF

    def __init__(self, path: str) -> None:
        pragmas = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": 1}
        super().__init__(path, pragmas=pragmas, timeout=BUSY, lock_type="IMMEDIATE")
        self._turn = Turn(path)
        self.turn = self._turn.by
        self._mine = _Mine()

    def alone(self, patience: float) -> AbstractContextManager[None]:
        """Nothing to wait for: a transaction excludes every other writer."""
        return nullcontext()

    # The file. Somebody may delete or replace it while it is open: what is written to it then
    # is lost.

    def make_file(self) -> None:
        """Make an empty file if there is none: nothing but the making of tables does."""
        try:
            Path(self.database).touch(0o644)
        except OSError as ex:
            raise peewee.OperationalError(str(ex)) from ex

    def has_file(self) -> bool:
        return _file(self.database) is not None

    def copy(self, path: Path) -> None:
        """Copies what is committed into a new file, which only its owner may read.

        Raises FileExistsError. Works during a transaction of the calling thread, whose changes
        are not copied.
        """
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        source = SQLite(self.database)
        with source.connection_context(), closing(sqlite3.connect(path)) as to:
            source.connection().backup(to)

    def _connect(self) -> Any:
        self._mine.file = _file(self.database)
        if self._mine.file is None:
            raise sqlite3.OperationalError(f"there is no file {self.database}")
        address = Path(self.database).absolute().as_uri() + "?mode=rw"
        connection = sqlite3.connect(
            address, timeout=self.timeout, isolation_level=None, uri=True
        )
        try:
            self._add_conn_hooks(connection)  # type: ignore[attr-defined]
        except sqlite3.DatabaseError as ex:
            connection.close()
            if type(ex) is sqlite3.DatabaseError:  # the file is no database, or half of one
                raise sqlite3.OperationalError(str(ex)) from ex
            raise
        self._mine.log = _file(self.database + "-wal")
        self._mine.ending = _Ending(connection)
        return connection

    def connection(self) -> Any:
        if time.monotonic() > self._mine.look_at and not self.in_transaction():
            self._look()
        return super().connection()

    def cursor(self, named_cursor: Any = None) -> Any:
        return self.connection().cursor()

    def _look(self) -> None:
        """Close the connection if the path leads to another file by now, or to none."""
        self._mine.look_at = time.monotonic() + LOOK
        if self.is_closed() or _file(self.database) == self._mine.file:
            return
        self.close()
        if not self.has_file():
            return  # and nothing can connect
        with self._turn.aside(deadline.until(BUSY)):
            if self._mine.log and _file(self.database + "-wal") == self._mine.log:
                # SQLite would take the old file's log for the new file's, and apply it.
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
        """On a full disk SQLite has rolled back already, and would refuse to do it again."""
        if not self.is_closed():
            connection = super().connection()
            if connection.in_transaction:
                with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                    connection.execute("ROLLBACK")

    # Statements.

    def rows(self, sql: str, *values: Any) -> list[Row]:
        """The rows of one SELECT with `?` for each value, as plain tuples."""
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            return self.connection().execute(sql, values).fetchall()

    def many_rows(self, columns: str, source: str, *values: Any) -> Sequence[Sequence[Any]]:
        """As `rows` of `SELECT columns source`, for many rows of numbers.

        They come as one JSON text: for each row that is fetched the interpreter's lock is
        given up, and where other threads wait for it that costs more than the row.
        """
        packed = f"SELECT json_group_array(json_array({columns})) FROM (SELECT * {source})"
        rows: list[list[Any]] = json.loads(self.rows(packed, *values)[0][0])
        return rows

    def write(self, sql: str, *values: Any) -> Any:
        """The cursor of one statement with `?` for each value: rowcount, lastrowid."""
        return self.execute_sql(sql, values)

    def write_many(self, sql: str, rows: Sequence[Row]) -> None:
        """One INSERT with `?` for each value, for every row; within a transaction."""
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            self.connection().executemany(sql, rows)

    # Failures.

    def is_lost(self, ex: Exception) -> bool:
        return False

    def is_passing(self, ex: Exception) -> bool:
        return self.code(ex) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def violates(self, ex: Exception, table: str, column: str) -> bool:
        """Whether the unique key of `table` that begins with `column` refused the row."""
        found = _UNIQUE.match(str(ex))
        return found is not None and found.groups() == (table, column)

    def code(self, ex: Exception) -> int:
        """SQLite's error number, 0 where there is none."""
        return int(getattr(getattr(ex, "orig", None), "sqlite_errorcode", 0) & 0xFF)


def _file(path: str) -> _File:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
