"""The hosts of a MySQL or MariaDB database, and which host this process uses.

A URL with several hosts names the nodes of a Galera cluster. All transactions of all processes
should use the same node, because transactions of different nodes refuse each other at COMMIT.
"""

import importlib
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from typing import Any

import peewee

from reservation.settings import BadSetting

CONNECT = 5  # seconds for a connection to the only host
TRY = 1.0  # seconds for a connection to one of several hosts
LOOK = 2.0  # seconds between two searches for the first ready host
NOT_READY = 1047
_PORT = 3306
_THIS_MACHINE = {None, "localhost", "127.0.0.1", "::1"}
_SYNCED = "4"
_CLIENT = range(2000, 3000)  # errors of the driver, for example an unreachable server
_STATE = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state')"
_NO_HOST = peewee.OperationalError(NOT_READY, "no node of the cluster is ready")

logger = logging.getLogger("reservation")
Place = dict[str, Any]  # the host and the port, as arguments of the driver


class Hosts:
    """One host, or several hosts of which the first ready host is used.

    A host is ready if it answers; a Galera node must also be synchronized. Another host is used
    as soon as a connection fails. Every LOOK seconds, a thread looks for the first ready host, so
    all processes return to it, and no request waits for a host that does not answer.
    """

    def __init__(self, places: Sequence[Place], open_at: Callable[[Place, float], Any]) -> None:
        self._places, self._open_at = places, open_at
        self.several = len(places) > 1
        self.used = 0  # the index of the host for new transactions
        self._look_at = time.monotonic() + LOOK

    def connect(self) -> tuple[int, Any]:
        """Returns a connection to the used host or, if it is not ready, to the next ready host.

        If no node is synchronized, a node that accepts statements will do: the only node left
        sends its data to a joining node. Raises the error of the driver if no host is ready.
        """
        if not self.several:
            return 0, self._open_at({}, CONNECT)
        failures: list[Exception] = []
        others = [host for host in range(len(self._places)) if host != self.used]
        fallback = None
        for host in [self.used, *others]:
            try:
                connection = self._open_at(self._places[host], TRY)
                ready, synchronized = _state(connection)
            except driver().Error as ex:
                failures.append(ex)
                continue
            if synchronized:
                self.use(host)
                return host, connection
            if ready and fallback is None:
                fallback = host, connection
            else:
                connection.close()
                failures.append(_NO_HOST)
        if fallback:
            return fallback
        # The error of a server, such as a wrong password, tells more than an unreachable host.
        raise min(failures, key=_is_unreachable)

    def use(self, host: int) -> None:
        if host != self.used:
            self.used = host
            logger.warning("database: using %(host)s:%(port)s", self._places[host])

    def leave(self, host: int) -> None:
        """Uses the next host, because this host refuses statements."""
        if self.used == host:
            self.use((host + 1) % len(self._places))

    def look(self) -> None:
        """Begins a search for the first ready host, LOOK seconds after the previous search."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + LOOK
            threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        for host, place in enumerate(self._places):
            with suppress(driver().Error, peewee.OperationalError):
                with closing(self._open_at(place, TRY)) as connection:
                    if _state(connection)[1]:
                        return self.use(host)


def is_node(connection: Any) -> bool:
    """Returns whether the server is a Galera node."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW VARIABLES LIKE 'wsrep_on'")
        found = cursor.fetchone()
        return bool(found and found[1] == "ON")


def _is_unreachable(failure: Exception) -> bool:
    return bool(failure.args) and failure.args[0] in _CLIENT


def _state(connection: Any) -> tuple[bool, bool]:
    """Returns whether the server accepts statements, and whether it is synchronized."""
    if not is_node(connection):
        return True, True
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        state = dict(cursor.fetchall())
    ready = state["wsrep_ready"] == "ON"
    return ready, ready and state["wsrep_local_state"] == _SYNCED


def places(options: Sequence[dict[str, Any]]) -> list[Place]:
    return [{"host": one.get("host"), "port": one.get("port", _PORT)} for one in options]


def open_at(params: dict[str, Any], seconds: float, left: float) -> Any:
    """Connects within `seconds`. A statement may take `left` seconds."""
    options: dict[str, Any] = {}
    greeting = left if seconds == CONNECT else min(left, seconds)
    if driver().__name__ != "pymysql":
        # mysqlclient takes whole seconds, and keeps these limits.
        left = greeting = math.ceil(left)
        seconds = math.ceil(seconds)
    elif params.get("host") in _THIS_MACHINE:
        # Otherwise PyMySQL reads the system's certificates: 50 ms of CPU time.
        options["ssl_disabled"] = True
    options |= {"connect_timeout": min(left, seconds), "read_timeout": greeting}
    return driver().connect(**options | {"write_timeout": left, "autocommit": True} | params)


def driver() -> Any:
    """Returns mysqlclient if installed, because it takes half the CPU time; otherwise PyMySQL."""
    for name in ("MySQLdb", "pymysql"):
        with suppress(ImportError):
            return importlib.import_module(name)
    raise BadSetting("a mysql:// database needs a driver: pip install 'reservation[mysql]'")
