"""MySQL or MariaDB, also as a Galera cluster: for many machines."""

import importlib
import math
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

import peewee
from peewee import chunked
from playhouse import db_url

from reservation.errors import DatabaseUnavailable
from reservation.metrics import OFF
from reservation.settings import BadSetting
from reservation.storage import deadline

CONNECT, STATEMENT = 5, 15  # seconds at most, where no request's deadline comes earlier
HOURS = 24 * 3600.0  # seconds for a statement that changes a large table
READERS = 60  # seconds for which a change of a table waits for those that use the table
LOCK = 3  # seconds for a lock of a row or a table; `transaction` then runs again
ROWS = 1000  # of one INSERT
ROLLBACK = 0.2  # seconds for a rollback after the deadline
_FOUND_ROWS = 2  # client flag: an UPDATE counts the rows that it matched, as on SQLite
_THIS_MACHINE = {None, "localhost", "127.0.0.1", "::1"}
# The server went away; what it did with a COMMIT that was under way is unknown.
_LOST = {1180, 1927, 2006, 2013, 2014, 2055, 4031}
# Deadlock, lock wait, certification failure (1213 at COMMIT too), node not ready.
_AGAIN = {1020, 1205, 1213, 1047}
_CHECKS = {3819, 4025}  # a CHECK refused the row; the drivers know no class for these
_DUPLICATE = 1062
_FOR_KEY = re.compile(r" for key '(?:(\w+)\.)?(\w+)'$")
_FAILED = (peewee.OperationalError, peewee.InterfaceError)
_NO_TURN = nullcontext()
_ALONE = "CONCAT('reservation.', MD5(DATABASE()))"  # the name may have 64 characters

Row = tuple[Any, ...]


class MySQL(peewee.MySQLDatabase):
    """A server, or a node of a cluster, that may go away and come back."""

    FOR_UPDATE, FOR_SHARE = " FOR UPDATE", " LOCK IN SHARE MODE"
    clustered = False  # whether the server is a node of a Galera cluster; known once connected
    counters = OFF
    _longest: float = STATEMENT  # seconds for a statement without a deadline

    def __init__(self, url: str) -> None:
        options = db_url.parse(url, unquote_password=True, unquote_user=True)
        super().__init__(client_flag=_FOUND_ROWS, **options)

    def turn(self, until: float) -> AbstractContextManager[None]:
        """Nothing to wait for: the server queues its writers."""
        return _NO_TURN

    @contextmanager
    def alone(self, patience: float) -> Iterator[None]:
        """Excludes all others that call `alone` for this database; statements may take hours.

        Raises DatabaseUnavailable if another one is not done within `patience` seconds.
        """
        self.close()  # a driver may keep the limit with which it connected
        self._longest, until = HOURS, time.monotonic() + patience
        try:
            self.execute_sql(f"SET SESSION lock_wait_timeout = {READERS}")
            while not self.rows(f"SELECT GET_LOCK({_ALONE}, 1)")[0][0]:
                if time.monotonic() > until:
                    raise DatabaseUnavailable()
            yield
        finally:
            self._longest = STATEMENT
            self.close()  # and with it the lock

    def _connect(self) -> Any:
        driver, left = _driver(), self._time_left()
        if driver.__name__ != "pymysql":
            left = math.ceil(left)  # mysqlclient takes whole seconds
        options = {
            "connect_timeout": min(left, CONNECT),
            "read_timeout": left,
            "write_timeout": left,
            **self.connect_params,
        }
        if driver.__name__ == "pymysql" and options.get("host") in _THIS_MACHINE:
            # It reads the system's certificates for each connection that it tries: 50 ms of CPU
            # time, for what does not leave the machine.
            options = {"ssl_disabled": True, **options}
        return driver.connect(database=self.database, autocommit=True, **options)

    def _initialize_connection(self, conn: Any) -> None:
        with conn.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
            cursor.execute(
                f"SET SESSION innodb_lock_wait_timeout = {LOCK}, lock_wait_timeout = {LOCK}"
            )
            cursor.execute("SHOW VARIABLES LIKE 'wsrep_on'")
            node = cursor.fetchone()
            self.clustered = bool(node and node[1] == "ON")
            if self.clustered:
                # What one node of the cluster acknowledged, this one shows.
                cursor.execute("SET SESSION wsrep_sync_wait = 1")

    def cursor(self, named_cursor: Any = None) -> Any:
        """A cursor whose statement ends by the deadline of the request."""
        left = self._time_left()
        cursor = super().cursor(named_cursor)
        self._limit(cursor.connection, left)
        return cursor

    def _limit(self, connection: Any, seconds: float) -> None:
        """PyMySQL takes the limit anew for each statement; mysqlclient has that of its start."""
        connection._read_timeout = self.connect_params.get("read_timeout", seconds)
        connection._write_timeout = self.connect_params.get("write_timeout", seconds)

    def _time_left(self) -> float:
        """Seconds for the next statement. Raises OperationalError after the deadline."""
        left = deadline.left(self._longest)
        if left <= 0:
            raise peewee.OperationalError("the time for this request is up")
        return left

    def rollback(self) -> None:
        """The deadline may have passed; the server rolls back what is not told to."""
        if not self.is_closed():
            connection = super().connection()
            self._limit(connection, max(deadline.left(STATEMENT), ROLLBACK))
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                connection.rollback()

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
        """One INSERT with `?` for each value, for every row; within a transaction.

        Whole numbers are written into the statement: PyMySQL takes long to fill them in.
        """
        if not all(one is None or isinstance(one, int) for row in rows for one in row):
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                self.cursor().executemany(sql.replace("?", "%s"), rows)
            return
        into, _, values = sql.partition(" VALUES ")
        for some in chunked(rows, ROWS):
            filled = ", ".join(_filled(values, row) for row in some)
            self.execute_sql(f"{into} VALUES {filled}")

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        try:
            return super().execute_sql(sql, params)
        except _FAILED as ex:
            if self.code(ex) in _CHECKS:
                raise peewee.IntegrityError(*ex.args) from ex
            if self.in_transaction() or not self.is_lost(ex):
                raise
            with suppress(*_FAILED):
                self.close()  # it may be lost already; peewee lets go of it
            if deadline.left(1) <= 0 or not sql.lstrip().upper().startswith(("SELECT", "SHOW")):
                raise  # it may have been done already
            return super().execute_sql(sql, params)

    def is_lost(self, ex: Exception) -> bool:
        return isinstance(ex, peewee.InterfaceError) or self.code(ex) in _LOST

    def is_passing(self, ex: Exception) -> bool:
        return self.is_lost(ex) or self.code(ex) in _AGAIN

    def violates(self, ex: Exception, table: str, column: str) -> bool:
        """Whether the unique key of `table` that begins with `column` refused the row.

        The server tells the key's name: that of the column where the key was given none, else
        `table_column…` without the `_id` of a reference. Only MySQL 8 puts the table before it.
        """
        found = _FOR_KEY.search(str(ex.args[1])) if self.code(ex) == _DUPLICATE else None
        if found is None or found[1] not in (None, table):
            return False
        named = f"{table}_{column.removesuffix('_id')}"
        return found[2] == column or f"{found[2]}_".startswith(f"{named}_")

    def code(self, ex: Exception) -> int:
        """The server's error number, 0 where there is none."""
        return ex.args[0] if ex.args and isinstance(ex.args[0], int) else 0


def _filled(values: str, row: Row) -> str:
    """Returns `(?, ?, 0)` with whole numbers, or NULL, in place of the marks."""
    numbers = tuple("NULL" if one is None else int(one) for one in row)
    return values.replace("?", "%s") % numbers


def _driver() -> Any:
    """mysqlclient where it is installed, for it takes half the CPU time; else PyMySQL."""
    for name in ("MySQLdb", "pymysql"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise BadSetting("a mysql:// database needs a driver: pip install 'reservation[mysql]'")
