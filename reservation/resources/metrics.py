"""What Prometheus asks for."""

import time

import falcon
import peewee

from reservation.contract import health as contract
from reservation.contract.operation import operation
from reservation.domain.messages import outbox
from reservation.metrics import DATABASE, MAILS, OVERDUE, Gauges
from reservation.storage.database import Database


class Metrics:
    """GET /metrics, also while the database does not answer."""

    def __init__(self, db: Database) -> None:
        self.db = db

    @operation(contract.METRICS)
    def on_get(self, _req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type, resp.data = self.db.counters.exposition(self._gauges())

    def _gauges(self) -> Gauges:
        try:
            mails, overdue = outbox.unsent(self.db, int(time.time()))
        except peewee.PeeweeException:
            return [(DATABASE, {(): 0})]
        states = [((state,), number) for state, number in mails.items()]
        return [(DATABASE, {(): 1}), (MAILS, dict(states)), (OVERDUE, {(): overdue})]
