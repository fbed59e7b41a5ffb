"""Whether the process answers, and whether it can do its work."""

import threading
import time

import falcon

from reservation.contract import health as contract
from reservation.contract.operation import operation
from reservation.errors import DatabaseUnavailable
from reservation.http.replies import as_json
from reservation.storage import deadline, schema
from reservation.storage.database import PATIENCE, Database


class Health:
    tagged = False

    @operation(contract.HEALTH)
    def on_get(self, _req: falcon.Request, resp: falcon.Response) -> None:
        as_json(resp, {"status": "ok"})


class Ready:
    """The database has the present schema and can be written to; 503 otherwise.

    A process writes at most once in FRESH seconds.
    """

    tagged = False
    FRESH = 1.0

    def __init__(self, db: Database) -> None:
        self.db = db
        self._writing = threading.Lock()
        self._fresh_until = 0.0
        self._written = False

    @operation(contract.READY)
    def on_get(self, _req: falcon.Request, resp: falcon.Response) -> None:
        schema.require(self.db)
        if not self._writing.acquire(timeout=max(deadline.left(PATIENCE), 0)):
            raise DatabaseUnavailable()
        try:
            if time.monotonic() > self._fresh_until:
                self._write()
            if not self._written:
                raise DatabaseUnavailable()
        finally:
            self._writing.release()
        as_json(resp, {"status": "ok"})

    def _write(self) -> None:
        self._written = False
        try:
            schema.try_to_write(self.db)
            self._written = True
        finally:
            self._fresh_until = time.monotonic() + self.FRESH
