"""The connection to the database, one for each thread, and `transaction()`.

Two engines behind one interface: SQLite for one machine, MySQL or MariaDB (also as a
Galera cluster) for many. Nothing is opened before it is used.
"""

import importlib
import json
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import peewee
from playhouse import db_url

from reservation.errors import DatabaseUnavailable
from reservation.metrics import OFF, RETRIES, Counters
from reservation.settings import BadSetting

UNAVAILABLE = (peewee.OperationalError, peewee.InterfaceError)
PATIENCE = 5.0  # seconds for which a transaction is tried again
_FOUND_ROWS = 2  # client flag: an UPDATE counts the rows that it matched, as on SQLite
_THIS_MACHINE = {None, "localhost", "127.0.0.1", "::1"}
# The server went away; what it did with a COMMIT that was under way is unknown.
_LOST = {1180, 1927, 2006, 2013, 2014, 2055, 4031}
# Deadlock, lock wait, certification failure (1213 at COMMIT too), node not ready.
_AGAIN = {1020, 1205, 1213, 1047}

Result = TypeVar("Result")
Row = tuple[Any, ...]


class _Ending:
    """Closes a connection when its thread or greenlet ends: being in a cycle with its own
    cache of statements, it would stay open until the collector comes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __del__(self) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()


class SQLite(peewee.SqliteDatabase):
    """A file in WAL mode that is on the disk when COMMIT returns."""

    # A writer has the whole file for itself: no row needs a lock of its own.
    FOR_UPDATE = FOR_SHARE = ""
    clustered = False
    counters = OFF

    def __init__(self, path: str) -> None:
        pragmas = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": 1}
        super().__init__(path, pragmas=pragmas, timeout=PATIENCE, lock_type="IMMEDIATE")
        # Threads that write wait here: SQLite's own waiting is to sleep and to try again, and
        # whoever is unlucky sleeps long.
        self.turn = threading.Lock()
        self._mine = threading.local()

    def _connect(self) -> Any:
        connection = super()._connect()  # type: ignore[misc]
        self._mine.ending = _Ending(connection)
        return connection

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

    def is_lost(self, ex: Exception) -> bool:
        return False

    def is_passing(self, ex: Exception) -> bool:
        return self.code(ex) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def code(self, ex: Exception) -> int:
        """SQLite's error number, 0 where there is none."""
        return int(getattr(getattr(ex, "orig", None), "sqlite_errorcode", 0) & 0xFF)


class MySQL(peewee.MySQLDatabase):
    """A server, or a node of a cluster, that may go away and come back."""

    FOR_UPDATE, FOR_SHARE = " FOR UPDATE", " LOCK IN SHARE MODE"
    turn = nullcontext()  # the server queues its writers
    clustered = False  # whether the server is a node of a Galera cluster; known once connected
    counters = OFF

    def __init__(self, url: str) -> None:
        options = db_url.parse(url, unquote_password=True, unquote_user=True)
        super().__init__(
            connect_timeout=5,
            read_timeout=15,
            write_timeout=15,
            client_flag=_FOUND_ROWS,
            **options,
        )

    def _connect(self) -> Any:
        driver, options = _driver(), self.connect_params
        if driver.__name__ == "pymysql" and options.get("host") in _THIS_MACHINE:
            # It reads the system's certificates for each connection that it tries: 50 ms of CPU
            # time, for what does not leave the machine.
            options = {"ssl_disabled": True, **options}
        return driver.connect(database=self.database, autocommit=True, **options)

    def _initialize_connection(self, conn: Any) -> None:
        with conn.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
            cursor.execute("SHOW VARIABLES LIKE 'wsrep_on'")
            node = cursor.fetchone()
            self.clustered = bool(node and node[1] == "ON")
            if self.clustered:
                # What one node of the cluster acknowledged, this one shows.
                cursor.execute("SET SESSION wsrep_sync_wait = 1")

    def rows(self, sql: str, *values: Any) -> list[Row]:
        """The rows of one SELECT with `?` for each value, as plain tuples."""
        return list(self.execute_sql(sql.replace("?", "%s"), values).fetchall())

    def many_rows(self, columns: str, source: str, *values: Any) -> Sequence[Sequence[Any]]:
        """As `rows` of `SELECT columns source`: the driver fetches them all at once."""
        return self.rows(f"SELECT {columns} {source}", *values)

    def write(self, sql: str, *values: Any) -> Any:
        """The cursor of one statement with `?` for each value: rowcount, lastrowid."""
        return self.execute_sql(sql.replace("?", "%s"), values)

    def write_many(self, sql: str, rows: Sequence[Row]) -> None:
        """One INSERT with `?` for each value, for every row; within a transaction."""
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            self.cursor().executemany(sql.replace("?", "%s"), rows)

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        try:
            return super().execute_sql(sql, params)
        except UNAVAILABLE as ex:
            if self.in_transaction() or not self.is_lost(ex):
                raise
            forget(self)
            if not sql.lstrip().upper().startswith(("SELECT", "SHOW")):
                raise  # it may have been done already
            return super().execute_sql(sql, params)

    def is_lost(self, ex: Exception) -> bool:
        return isinstance(ex, peewee.InterfaceError) or self.code(ex) in _LOST

    def is_passing(self, ex: Exception) -> bool:
        return self.is_lost(ex) or self.code(ex) in _AGAIN

    def code(self, ex: Exception) -> int:
        """The server's error number, 0 where there is none."""
        return ex.args[0] if ex.args and isinstance(ex.args[0], int) else 0


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


def transaction(db: Database, work: Callable[[], Result]) -> Result:
    """Run `work` in one transaction, again from the start while the failure is a passing one.

    `work` must touch nothing but the database. Raises DatabaseUnavailable when it did not
    pass within PATIENCE, or when the connection was lost during COMMIT: the outcome is then
    unknown, and only the caller's idempotency key can tell. Within another transaction `work`
    is a part of that one.
    """
    if db.in_transaction():
        return work()
    until = time.monotonic() + PATIENCE
    pause = 0.005
    while True:
        committing = False
        try:
            with db.turn, db.transaction():
                result = work()
                committing = True
            return result
        except UNAVAILABLE as ex:
            lost = db.is_lost(ex)
            if lost:
                forget(db)
            if not db.is_passing(ex):
                raise
            if (committing and lost) or time.monotonic() > until:
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


def _driver() -> Any:
    """mysqlclient where it is installed, for it takes half the CPU time; else PyMySQL."""
    for name in ("MySQLdb", "pymysql"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise BadSetting("a mysql:// database needs a driver: pip install 'reservation[mysql]'")
