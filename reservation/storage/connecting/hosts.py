"""Chooses the host of a MySQL or MariaDB database. The hosts may be nodes of a Galera cluster.

All processes should use the same node, because transactions on different nodes can conflict at
COMMIT.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from typing import Any

import peewee

from reservation.storage.connecting.driver import CLIENT_ERRORS, driver, state

CONNECT = 5.0  # seconds to connect, if there is only one host
TRY = 1.0  # seconds to connect to one of several hosts
LOOK = 2.0  # seconds between two searches for the first ready host
NOT_READY = 1047

logger = logging.getLogger("reservation")
Place = dict[str, Any]  # the host and the port, as arguments of the driver


class Hosts:
    """Chooses the first ready host of a database.

    A host is ready if the host answers. A Galera node must also be synchronized. After a
    failure, `look` switches back to the first ready host, so that all processes use the same host.
    """

    def __init__(self, places: Sequence[Place], open_at: Callable[[Place, float], Any]) -> None:
        self._places, self._open_at = places, open_at
        self.several = len(places) > 1
        self.used = 0  # the index of the host for new transactions
        self._look_at = time.monotonic() + LOOK

    def connect(self) -> tuple[int, Any]:
        """Returns the index of a ready host, and a connection to this host.

        If no Galera node is synchronized, chooses a node that accepts statements, such as a node
        that is sending its data to a joining node.
        """
        if not self.several:
            return 0, self._open_at({}, CONNECT)
        failures: list[Exception] = []
        others = [host for host in range(len(self._places)) if host != self.used]
        fallback = None
        for host in [self.used, *others]:
            try:
                connection = self._open_at(self._places[host], TRY)
                ready, synchronized = state(connection)
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
                failures.append(peewee.OperationalError(NOT_READY, "no node is ready"))
        if fallback:
            self.use(fallback[0])
            return fallback
        # Prefer an error from a server, such as a wrong password, to a failure to connect.
        raise min(failures, key=_is_unreachable)

    def use(self, host: int) -> None:
        if host != self.used:
            self.used = host
            logger.warning("database: using %(host)s:%(port)s", self._places[host])

    def leave(self, host: int) -> None:
        """Switches this process from `host` to the next host. Call this if `host` refuses
        statements."""
        if self.used == host:
            self.use((host + 1) % len(self._places))

    def look(self) -> None:
        """Looks for the first ready host in the background, at most once every LOOK seconds."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + LOOK
            threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        for host, place in enumerate(self._places):
            with suppress(driver().Error, peewee.OperationalError):
                with closing(self._open_at(place, TRY)) as connection:
                    if state(connection)[1]:
                        return self.use(host)


def _is_unreachable(failure: Exception) -> bool:
    return bool(failure.args) and failure.args[0] in CLIENT_ERRORS
