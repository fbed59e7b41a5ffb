"""The database engine for MySQL, MariaDB and Galera clusters."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import peewee

from reservation.errors import DatabaseUnavailable
from reservation.metrics import OFF
from reservation.storage import deadline
from reservation.storage.connecting.connected import FAILED, STATEMENT, Connected
from reservation.storage.connecting.hosts import NOT_READY

HOURS = 24 * 3600.0  # maximum seconds for a statement in `unhurried`, such as ALTER TABLE
READERS = 60  # seconds for which ALTER TABLE waits for other transactions on the table
ROWS = 1000  # maximum number of rows in one INSERT
# Error codes of a lost connection. After such an error, the outcome of a COMMIT is unknown.
_LOST = {1180, 1927, 2006, 2013, 2014, 2055, 4031}
# Error codes after which `transaction` retries: a changed row, a lock timeout, a deadlock (also a
# conflict of Galera nodes), and a Galera node that is not ready.
_AGAIN = {1020, 1205, 1213, NOT_READY}
_CHECKS = {3819, 4025}  # error codes of a violated CHECK, which PyMySQL raises as OperationalError
_DUPLICATE = 1062
_FOR_KEY = re.compile(r" for key '(?:(\w+)\.)?(\w+)'$")
# Names of locks are limited to 64 characters. MySQL 9.6 has no MD5 any more.
_ALONE = "CONCAT('reservation.', LEFT(SHA2(DATABASE(), 256), 32))"

Row = tuple[Any, ...]


class MySQL(Connected):
    FOR_UPDATE, FOR_SHARE = " FOR UPDATE", " LOCK IN SHARE MODE"
    BY_INDEX = "FORCE INDEX ({})"
    JOIN_BY_KEY = "STRAIGHT_JOIN {} FORCE INDEX ({})"
    IN_UNION = "({})"
    CHARACTERS = "CHAR_LENGTH({})"
    IF_ID_EXISTS, GIVEN = "ON DUPLICATE KEY UPDATE", "VALUES({})"
    counters = OFF

    @contextmanager
    def alone(self, patience: float) -> Iterator[None]:
        """Holds an advisory lock on this database during the `with` block.

        Meanwhile, statements may take up to 24 hours (see `unhurried`). Raises
        DatabaseUnavailable if the lock is not free within `patience` seconds.
        """
        until = time.monotonic() + patience
        try:
            with self.unhurried():
                self.execute_sql(f"SET SESSION lock_wait_timeout = {READERS}")
                while not self.rows(f"SELECT GET_LOCK({_ALONE}, 1)")[0][0]:
                    if time.monotonic() > until:
                        raise DatabaseUnavailable("another process is changing its tables")
                yield
        finally:
            self.close()  # releases the lock

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Until the `with` block ends, lets statements of all threads take up to 24 hours."""
        self._longest = HOURS
        try:
            yield
        finally:
            self._longest = STATEMENT

    def empty_log(self) -> bool:
        """Does nothing: the server overwrites its logs itself."""
        return True

    def rows(self, sql: str, *values: Any) -> list[Row]:
        return list(self.execute_sql(sql.replace("?", "%s"), values).fetchall())

    def many_rows(self, columns: str, source: str, *values: Any) -> list[list[Any]]:
        # Fetches one JSON text, because PyMySQL parses rows ten times more slowly than json.loads.
        packed = f"SELECT COUNT(*), GROUP_CONCAT(JSON_ARRAY({columns})) {source}"
        ((count, text),) = self.rows(packed, *values)
        with suppress(ValueError):
            found: list[list[Any]] = json.loads(f"[{text or ''}]")
            if len(found) == count:
                return found
        # The server has cut the text at max_allowed_packet, so fetch one text for each row.
        texts = self.rows(f"SELECT JSON_ARRAY({columns}) {source}", *values)
        return json.loads(f"[{','.join(text for (text,) in texts)}]")

    def write(self, sql: str, *values: Any) -> Any:
        return self.execute_sql(sql.replace("?", "%s"), values)

    def write_many(self, sql: str, rows: Sequence[Row]) -> None:
        """Executes `sql`, with `?` placeholders, for each row. Call within a transaction.

        If all values are integers or None, writes many rows with one statement, because this is
        faster. In this case, `sql` must be an INSERT.
        """
        if not all(one is None or isinstance(one, int) for row in rows for one in row):
            try:
                with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                    self.cursor().executemany(sql.replace("?", "%s"), rows)
            except peewee.OperationalError as ex:
                self._raise_check(ex)
                raise
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
        except FAILED as ex:
            self._raise_check(ex)
            refused = self._is_refused(ex)
            if not outside or not (refused or self.is_lost(ex)):
                raise
            with suppress(*FAILED):  # closing a lost connection may raise an error
                self.close()
            if deadline.left(1) <= 0 or not sql.lstrip().upper().startswith(("SELECT", "SHOW")):
                raise  # do not retry: time is up, or the server may have executed the write
            return super().execute_sql(sql, params)

    def _raise_check(self, ex: Exception) -> None:
        """Raises IntegrityError if `ex` reports that a CHECK is violated."""
        if self.code(ex) in _CHECKS:
            raise peewee.IntegrityError(*ex.args) from ex

    def _is_refused(self, ex: Exception) -> bool:
        """Returns True if the connected Galera node is not ready, and there are other hosts. In
        this case, makes the process use another host."""
        if not self._hosts.several or self.code(ex) != NOT_READY or self.is_closed():
            return False
        self._hosts.leave(self._mine.host)
        return True

    def is_lost(self, ex: Exception) -> bool:
        return isinstance(ex, peewee.InterfaceError) or self.code(ex) in _LOST

    def is_passing(self, ex: Exception) -> bool:
        return self.is_lost(ex) or self.code(ex) in _AGAIN

    def violates(self, ex: Exception, table: str, column: str) -> bool:
        """Returns whether `ex` reports a duplicate in a unique key of `table`. `column` is the
        first column of this key.

        The error names only the key, for example `utilisateur_email`. A key that was created
        without a name has the name of its first column, such as `email`.
        """
        found = _FOR_KEY.search(str(ex.args[1])) if self.code(ex) == _DUPLICATE else None
        if found is None or found[1] not in (None, table):
            return False
        named = f"{table}_{column.removesuffix('_id')}"
        return found[2] == column or f"{found[2]}_".startswith(f"{named}_")

    def code(self, ex: Exception) -> int:
        return ex.args[0] if ex.args and isinstance(ex.args[0], int) else 0


def _filled(values: str, row: Row) -> str:
    numbers = tuple("NULL" if one is None else int(one) for one in row)
    return values.replace("?", "%s") % numbers
