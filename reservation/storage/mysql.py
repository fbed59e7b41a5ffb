"""MySQL or MariaDB, also as a Galera cluster: a database for several machines."""

import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

import peewee

from reservation.errors import DatabaseUnavailable
from reservation.lib import readers
from reservation.metrics import OFF
from reservation.storage import deadline
from reservation.storage.hosts import NOT_READY, Hosts, Place, is_node, open_at, places

# Time limits, in seconds.
STATEMENT = 15  # unless the deadline of the request is earlier
HOURS = 24 * 3600.0  # for a statement that changes a large table
READERS = 60  # for ALTER TABLE to wait for the transactions that use the table
LOCK = 3  # for a lock of a row or a table; then `transaction` retries
ROLLBACK = 0.2  # for a rollback after the deadline
ROWS = 1000  # in one INSERT
_FOUND_ROWS = 2  # client flag: rowcount of an UPDATE counts matched rows, as on SQLite
# The connection is lost; the outcome of a COMMIT in progress is unknown.
_LOST = {1180, 1927, 2006, 2013, 2014, 2055, 4031}
# Deadlock, lock wait, certification failure (1213 at COMMIT too), node not ready.
_AGAIN = {1020, 1205, 1213, NOT_READY}
_CHECKS = {3819, 4025}  # a CHECK refused the row; the drivers raise no IntegrityError for it
_DUPLICATE = 1062
_FOR_KEY = re.compile(r" for key '(?:(\w+)\.)?(\w+)'$")
_FAILED = (peewee.OperationalError, peewee.InterfaceError)
_NO_TURN = nullcontext()
_ALONE = "CONCAT('reservation.', MD5(DATABASE()))"  # at most 64 characters

Row = tuple[Any, ...]


class MySQL(peewee.MySQLDatabase):
    FOR_UPDATE, FOR_SHARE = " FOR UPDATE", " LOCK IN SHARE MODE"
    BY_INDEX = "FORCE INDEX ({})"
    clustered = False  # whether the server is a Galera node; set when connected
    counters = OFF
    _longest: float = STATEMENT  # limit of a statement without a deadline

    def __init__(self, url: str) -> None:
        from playhouse import db_url  # slow to import, and not needed for SQLite

        urls = readers.each_host(url)
        options = [db_url.parse(one, unquote_password=True, unquote_user=True) for one in urls]
        super().__init__(client_flag=_FOUND_ROWS, **options[0])
        self._hosts = Hosts(places(options), self._open)
        self._mine = threading.local()  # `host`: the index of the host of the connection

    def turn(self, until: float) -> AbstractContextManager[None]:
        """Does nothing: the server queues its writers."""
        return _NO_TURN

    @contextmanager
    def alone(self, patience: float) -> Iterator[None]:
        """Excludes all other callers of `alone` for this database. Statements may take hours.

        Raises DatabaseUnavailable if another caller takes longer than `patience` seconds.
        """
        self.close()  # mysqlclient keeps the time limit with which it connected
        self._longest, until = HOURS, time.monotonic() + patience
        try:
            self.execute_sql(f"SET SESSION lock_wait_timeout = {READERS}")
            while not self.rows(f"SELECT GET_LOCK({_ALONE}, 1)")[0][0]:
                if time.monotonic() > until:
                    raise DatabaseUnavailable()
            yield
        finally:
            self._longest = STATEMENT
            self.close()  # releases the lock

    def _connect(self) -> Any:
        self._mine.host, connection = self._hosts.connect()
        return connection

    def _open(self, place: Place, seconds: float) -> Any:
        params = {"database": self.database, **self.connect_params, **place}
        return open_at(params, seconds, self._time_left())

    def _initialize_connection(self, conn: Any) -> None:
        with conn.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
            limits = f"innodb_lock_wait_timeout = {LOCK}, lock_wait_timeout = {LOCK}"
            cursor.execute(f"SET SESSION {limits}")
            self.clustered = is_node(conn)
            if self.clustered:
                # Reads wait until this node has all commits of the cluster.
                cursor.execute("SET SESSION wsrep_sync_wait = 1")

    def _follow(self) -> None:
        """Moves to the host that this process uses. Call outside a transaction."""
        if not self._hosts.several or self._longest != STATEMENT:
            return  # `alone` holds a lock of the connection
        self._hosts.look()
        if not self.is_closed() and self._mine.host != self._hosts.used:
            with suppress(*_FAILED):
                self.close()

    def begin(self, isolation_level: str | None = None) -> None:
        self._follow()
        super().begin(isolation_level)

    def cursor(self, named_cursor: Any = None) -> Any:
        """Returns a cursor whose statement ends by the deadline of the request."""
        left = self._time_left()
        cursor = super().cursor(named_cursor)
        self._limit(cursor.connection, left)
        return cursor

    def _limit(self, connection: Any, seconds: float) -> None:
        """Limits the next statement. mysqlclient keeps the limit with which it connected."""
        connection._read_timeout = self.connect_params.get("read_timeout", seconds)
        connection._write_timeout = self.connect_params.get("write_timeout", seconds)

    def _time_left(self) -> float:
        """Returns the seconds left for a statement. Raises OperationalError if there are none."""
        left = deadline.left(self._longest)
        if left <= 0:
            raise peewee.OperationalError("the time for this request is up")
        return left

    def rollback(self) -> None:
        """Rolls back, even shortly after the deadline. If that fails, the server rolls back."""
        if not self.is_closed():
            connection = super().connection()
            self._limit(connection, max(deadline.left(STATEMENT), ROLLBACK))
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                connection.rollback()

    def rows(self, sql: str, *values: Any) -> list[Row]:
        return list(self.execute_sql(sql.replace("?", "%s"), values).fetchall())

    def many_rows(self, columns: str, source: str, *values: Any) -> Sequence[Sequence[Any]]:
        return self.rows(f"SELECT {columns} {source}", *values)

    def write(self, sql: str, *values: Any) -> Any:
        return self.execute_sql(sql.replace("?", "%s"), values)

    def write_many(self, sql: str, rows: Sequence[Row]) -> None:
        """Executes an INSERT with `?` placeholders for each row, within a transaction.

        Formats integers without PyMySQL, which is slow at formatting.
        """
        if not all(one is None or isinstance(one, int) for row in rows for one in row):
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                self.cursor().executemany(sql.replace("?", "%s"), rows)
            return
        into, _, values = sql.partition(" VALUES ")
        for some in peewee.chunked(rows, ROWS):
            filled = ", ".join(_filled(values, row) for row in some)
            self.execute_sql(f"{into} VALUES {filled}")

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        outside = not self.in_transaction()
        if outside:
            self._follow()
        try:
            return super().execute_sql(sql, params)
        except _FAILED as ex:
            if self.code(ex) in _CHECKS:
                raise peewee.IntegrityError(*ex.args) from ex
            refused = self._is_refused(ex)
            if not outside or not (refused or self.is_lost(ex)):
                raise
            with suppress(*_FAILED):  # lost already; peewee has dropped it
                self.close()
            if deadline.left(1) <= 0 or not sql.lstrip().upper().startswith(("SELECT", "SHOW")):
                raise  # the server may have executed the statement
            return super().execute_sql(sql, params)

    def _is_refused(self, ex: Exception) -> bool:
        """Returns whether the node is not ready; then leaves the node if there are others."""
        if not self._hosts.several or self.code(ex) != NOT_READY or self.is_closed():
            return False
        self._hosts.leave(self._mine.host)
        return True

    def is_lost(self, ex: Exception) -> bool:
        return isinstance(ex, peewee.InterfaceError) or self.code(ex) in _LOST

    def is_passing(self, ex: Exception) -> bool:
        return self.is_lost(ex) or self.code(ex) in _AGAIN

    def violates(self, ex: Exception, table: str, column: str) -> bool:
        """Returns whether a unique key of `table` whose first column is `column` refused the row.

        The error contains the name of the key: the name of the column for an unnamed key,
        otherwise `table_column…` without the `_id` of a reference. Only MySQL 8 adds the table.
        """
        found = _FOR_KEY.search(str(ex.args[1])) if self.code(ex) == _DUPLICATE else None
        if found is None or found[1] not in (None, table):
            return False
        named = f"{table}_{column.removesuffix('_id')}"
        return found[2] == column or f"{found[2]}_".startswith(f"{named}_")

    def code(self, ex: Exception) -> int:
        return ex.args[0] if ex.args and isinstance(ex.args[0], int) else 0


def _filled(values: str, row: Row) -> str:
    """Returns `(?, ?, 0)` with integers or NULL in place of the placeholders."""
    numbers = tuple("NULL" if one is None else int(one) for one in row)
    return values.replace("?", "%s") % numbers
