"""The database engine for SQLite: one file, for one machine."""

import json
import os
import re
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

import peewee

from reservation.errors import DatabaseUnavailable
from reservation.metrics import OFF
from reservation.storage import deadline
from reservation.storage.connecting.files import BUSY, Closer, Identity, identity, keep_log, opened
from reservation.storage.group_commit import GroupCommit
from reservation.storage.turn import Turn

READERS = 10  # milliseconds for which `empty_log` waits for each reader, while writers wait
LOOK = 0.2  # seconds between two checks for a deleted or replaced file
_UNIQUE = re.compile(r"UNIQUE constraint failed: (\w+)\.(\w+)")  # table, first column of the key

Row = tuple[Any, ...]


class _ConnectionState(threading.local):
    closer: Closer | None = None
    file: Identity = None
    look_at = 0.0  # the monotonic time of the next `_look`


class SQLite(peewee.SqliteDatabase):
    """A database file in WAL mode. A transaction is on the disk when COMMIT returns. Deleted rows
    are overwritten with zeros."""

    FOR_UPDATE = FOR_SHARE = ""  # a SELECT locks no rows, because a writer locks the whole file
    BY_INDEX = "INDEXED BY {}"  # after a table name: use exactly this index
    # `JOIN_BY_KEY.format(table, index)` reads the left table first, and then `table`. Only MySQL
    # uses `index`. SQLite chooses an index itself.
    JOIN_BY_KEY = "CROSS JOIN {}"
    IN_UNION = "SELECT * FROM ({})"  # allows a SELECT with LIMIT in a UNION
    CHARACTERS = "LENGTH({})"  # the number of characters, not of bytes
    IF_ID_EXISTS, GIVEN = "ON CONFLICT (id) DO UPDATE SET", "excluded.{}"  # upsert by id
    clustered = False
    counters = OFF

    def __init__(self, path: str) -> None:
        pragmas = {"synchronous": "full", "foreign_keys": 1, "secure_delete": 1}
        path = os.path.abspath(path)  # the working directory may change later
        super().__init__(path, pragmas=pragmas, timeout=BUSY, lock_type="IMMEDIATE")
        self._turn = Turn(path)
        self.commits = GroupCommit(self, self._turn)
        self._mine = _ConnectionState()
        self._opened: tuple[Identity, Identity] = None, None  # the last opened file, and its log

    def alone(self, patience: float) -> AbstractContextManager[None]:
        """Returns a context manager that does nothing: a transaction already excludes other
        writers."""
        return nullcontext()

    def unhurried(self) -> AbstractContextManager[None]:
        """Returns a context manager that does nothing: SQLite statements have no time limit."""
        return nullcontext()

    def make_file(self) -> None:
        """Creates an empty file if there is none. Connecting does not create a file."""
        path = self.real_path()
        log = identity(path + "-wal")  # read first: a file that appears later needs its own log
        if not self.has_file():
            keep_log(path, log)  # SQLite deletes a log beside an empty file
        try:
            Path(self.database).touch(0o644)
        except OSError as ex:
            raise peewee.OperationalError(str(ex)) from ex

    def has_file(self) -> bool:
        return identity(self.database) is not None

    def copy(self, path: Path) -> None:
        """Copies the committed data to a new file that only its owner may read."""
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        source = SQLite(self.database)
        with source.connection_context(), closing(sqlite3.connect(path)) as to:
            source.connection().backup(to)

    def empty_log(self) -> bool:
        """Empties the write-ahead log, which contains erased data. Returns False if the log is in
        use. Call outside a transaction."""
        self.rows("PRAGMA wal_checkpoint(PASSIVE)")  # copies most of the log while others write
        try:
            with self._turn.aside(deadline.until(BUSY)):
                self.rows(f"PRAGMA busy_timeout = {READERS}")
                return bool(self.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0)
        except DatabaseUnavailable:
            return False
        finally:
            self.rows(f"PRAGMA busy_timeout = {int(BUSY * 1000)}")

    def _connect(self) -> Any:
        # Reads `_opened` before the identity of the file. In the other order, a thread could open
        # a newer file between the two reads, and `_move_away` would rename the newer file's log.
        last, log = self._opened
        file = self._mine.file = identity(self.database)
        if file is None:
            raise sqlite3.OperationalError(f"there is no file {self.database}")
        if log and file != last:
            self._move_away(log)
        connection = opened(self.database, self._add_conn_hooks)  # type: ignore[attr-defined]
        self._mine.closer = Closer(connection)
        log = identity(self.real_path() + "-wal")
        if identity(self.database) == file:  # not replaced, so `log` belongs to `file`
            self._opened = file, log
        return connection

    def _move_away(self, log: Identity) -> None:
        """Renames the write-ahead log of a replaced file. Otherwise, SQLite would apply the log to
        the new file. Does nothing if another process has already renamed the log."""
        with self._turn.aside(deadline.until(BUSY)):
            keep_log(self.real_path(), log)

    def real_path(self) -> str:
        """Returns the path without symbolic links. SQLite creates the log beside this path."""
        return os.path.realpath(self.database)

    def connection(self) -> Any:
        if time.monotonic() > self._mine.look_at and not self.in_transaction():
            self._look()
        return super().connection()

    def cursor(self, named_cursor: Any = None) -> Any:
        return self.connection().cursor()

    def _look(self) -> None:
        """Closes the connection if the database file was deleted or replaced, because writes to
        the old file would be lost."""
        self._mine.look_at = time.monotonic() + LOOK
        if not self.is_closed() and identity(self.database) != self._mine.file:
            self.close()

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

        Fetches all rows as one JSON text, because sqlite3 releases the GIL for each row that it
        fetches, and may then have to wait for other threads.
        """
        packed = f"SELECT json_group_array(json_array({columns})) {source}"
        return json.loads(self.rows(packed, *values)[0][0])

    def write(self, sql: str, *values: Any) -> Any:
        """Executes a statement with `?` placeholders. Returns the cursor."""
        return self.execute_sql(sql, values)

    def write_many(self, sql: str, rows: Sequence[Row]) -> None:
        """Executes a statement once for each row. The values of the row fill the `?` placeholders.
        Call within a transaction."""
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            self.connection().executemany(sql, rows)

    def is_lost(self, ex: Exception) -> bool:
        return False

    def is_passing(self, ex: Exception) -> bool:
        return self.code(ex) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def violates(self, ex: Exception, table: str, column: str) -> bool:
        """Returns whether `ex` reports a duplicate in a unique key of `table`. `column` is the
        first column of this key."""
        found = _UNIQUE.match(str(ex))
        return found is not None and found.groups() == (table, column)

    def code(self, ex: Exception) -> int:
        while (wrapped := getattr(ex, "orig", None)) is not None:
            ex = wrapped  # Peewee wraps an error of `_connect` twice
        return int(getattr(ex, "sqlite_errorcode", 0)) & 0xFF
