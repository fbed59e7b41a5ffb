"""Health checks and metrics, for operators."""

import threading
import time
from typing import Any

import falcon
import peewee

from reservation.domain.messages import lists
from reservation.errors import DatabaseUnavailable
from reservation.metrics import DATABASE, MAILS, OVERDUE, Gauges
from reservation.operations import properties
from reservation.operations.answers import ok, refused
from reservation.operations.operation import operation
from reservation.operations.resource import Parts, Resource
from reservation.operations.shapes import plain
from reservation.storage import deadline, schema
from reservation.storage.database import PATIENCE

_OK = plain("Status", status={"type": "string", "enum": ["ok"]})


class Health(Resource):
    """GET /health"""

    @operation(
        "health",
        "Whether the process answers",
        ok("The process answers.", _OK),
        database=False,
        tagged=False,
    )
    def on_get(self) -> Any:
        return {"status": "ok"}


class Ready(Resource):
    """GET /ready: 503 unless the database has the current schema and can be written to.

    A process reuses the result of its test write for FRESH seconds.
    """

    FRESH = 1.0

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._writing = threading.Lock()
        self._fresh_until = 0.0
        self._written = False

    @operation(
        "ready",
        "Whether the database can be written to",
        ok("The database can be written to.", _OK),
        tagged=False,
    )
    def on_get(self) -> Any:
        self.db.connection()  # raises an error if there is no SQLite file, which counts as empty
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
        return {"status": "ok"}

    def _write(self) -> None:
        self._written = False
        try:
            schema.try_to_write(self.db)
            self._written = True
        finally:
            self._fresh_until = time.monotonic() + self.FRESH


class Metrics(Resource):
    """GET /metrics. Also works while the database does not answer."""

    @operation(
        "readMetrics",
        "Metrics for Prometheus, if RESERVATION_METRICS is set",
        ok(
            "The text format of Prometheus.",
            properties.text("reservation_database_up 1.0"),
            media_type="text/plain",
        ),
        refuses=refused(404),
        database=False,
        tagged=False,
    )
    def on_get(self, resp: falcon.Response, now: int) -> None:
        resp.content_type, resp.data = self.db.counters.exposition(self._gauges(now))

    def _gauges(self, now: int) -> Gauges:
        try:
            mails, overdue = lists.unsent(self.db, now)
        except (DatabaseUnavailable, peewee.PeeweeException):
            return [(DATABASE, {(): 0})]
        states = [((state,), number) for state, number in mails.items()]
        return [(DATABASE, {(): 1}), (MAILS, dict(states)), (OVERDUE, {(): overdue})]
