"""Connections to MySQL, MariaDB or a Galera node. Each thread has its own connection."""

import math
import threading
import time
from contextlib import suppress
from typing import Any

import peewee

from reservation.lib import readers
from reservation.storage import deadline
from reservation.storage.connecting.driver import driver, is_node, open_at, wait_for_others
from reservation.storage.connecting.hosts import Hosts, Place

STATEMENT = 15.0  # seconds for a statement, unless the deadline of the request is earlier
LOCK = 3  # seconds to wait for a row or table lock; `transaction` then retries
LONGEST_TEXT = 2**30  # maximum bytes of a GROUP_CONCAT, unless max_allowed_packet is smaller
ROLLBACK = 0.2  # at least this many seconds for a rollback, even after the request's deadline
# Seconds. On a Galera node, each read waits until the node has all commits of the cluster. This
# costs a quarter of the throughput. With several hosts, the reads of a connection wait only for so
# long after it was opened: by then, all processes use the same node.
SETTLED = 10.0
FAILED = (peewee.OperationalError, peewee.InterfaceError)
_PORT = 3306
_FOUND_ROWS = 2  # client flag: rowcount of an UPDATE counts matched rows, as on SQLite


class Connected(peewee.MySQLDatabase):
    clustered = False  # whether the server is a Galera node; set by `_initialize_connection`
    _longest = STATEMENT  # seconds for a statement; longer within `MySQL.unhurried`

    def __init__(self, url: str) -> None:
        from playhouse import db_url  # slow to import, and not needed for SQLite

        urls = readers.each_host(url)
        options = [db_url.parse(one, unquote_password=True, unquote_user=True) for one in urls]
        first = options[0]
        if "passwd" in first:  # Peewee's name for `password`, which is deprecated in PyMySQL
            first["password"] = first.pop("passwd").encode()  # PyMySQL would encode as Latin-1
        super().__init__(client_flag=_FOUND_ROWS, **first)
        places = [{"host": one.get("host"), "port": one.get("port", _PORT)} for one in options]
        self._hosts = Hosts(places, self._open)
        # For each thread, `host` is the index of the connected host. `waits_until` is the time
        # (monotonic) after which reads no longer wait for other nodes (see SETTLED).
        self._mine = threading.local()

    def _connect(self) -> Any:
        self._mine.host, connection = self._hosts.connect()
        return connection

    def _open(self, place: Place, seconds: float) -> Any:
        params = {"database": self.database, **self.connect_params, **place}
        return open_at(params, seconds, self._time_left(), greeted=bool(place))

    def _initialize_connection(self, conn: Any) -> None:
        with conn.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
            limits = f"innodb_lock_wait_timeout = {LOCK}, lock_wait_timeout = {LOCK}"
            cursor.execute(f"SET SESSION {limits}, group_concat_max_len = {LONGEST_TEXT}")
        self.clustered = is_node(conn)
        if self.clustered:
            wait_for_others(conn, True)
        self._mine.waits_until = time.monotonic() + SETTLED

    def _follow(self) -> None:
        """Closes the connection if this process has switched to another host.

        Otherwise, if the connection is SETTLED seconds old, its reads no longer wait for commits
        of other Galera nodes. Call outside a transaction.
        """
        if not self._hosts.several or self._longest != STATEMENT:
            return  # there is no other host, or a long command needs its connection
        self._hosts.look()
        if self.is_closed():
            return
        if self._mine.host != self._hosts.used:
            with suppress(*FAILED):
                self.close()
        elif self.clustered and time.monotonic() > self._mine.waits_until:
            self._mine.waits_until = math.inf
            # Ignore a lost connection, because the next statement will raise the error.
            with suppress(driver().Error):
                wait_for_others(super().connection(), False)

    def begin(self, isolation_level: str | None = None) -> None:
        self._follow()
        super().begin(isolation_level)

    def cursor(self, named_cursor: Any = None) -> Any:
        """Returns a cursor whose reads and writes each end by the deadline of the request."""
        left = self._time_left()
        cursor = super().cursor(named_cursor)
        self._limit(cursor.connection, left)
        return cursor

    def _limit(self, connection: Any, seconds: float) -> None:
        given = self.connect_params
        connection._read_timeout = min(given.get("read_timeout", seconds), seconds)
        connection._write_timeout = min(given.get("write_timeout", seconds), seconds)

    def _time_left(self) -> float:
        left = deadline.left(self._longest)
        if left <= 0:
            raise peewee.OperationalError("the time for this request is up")
        return left

    def rollback(self) -> None:
        """Rolls back, even if the deadline of the request has passed."""
        if not self.is_closed():
            connection = super().connection()
            self._limit(connection, max(deadline.left(STATEMENT), ROLLBACK))
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                connection.rollback()
