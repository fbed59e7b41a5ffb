"""Whether the process answers, and whether it can do its work."""

import falcon

from reservation.contract import health as contract
from reservation.contract.operation import operation
from reservation.errors import DatabaseUnavailable
from reservation.http.errors import as_json
from reservation.storage import schema
from reservation.storage.database import Database


class Health:
    tagged = False

    @operation(contract.HEALTH)
    def on_get(self, _req: falcon.Request, resp: falcon.Response) -> None:
        as_json(resp, {"status": "ok"})


class Ready:
    """The database answers and has its tables; 503 otherwise."""

    tagged = False

    def __init__(self, db: Database) -> None:
        self.db = db

    @operation(contract.READY)
    def on_get(self, _req: falcon.Request, resp: falcon.Response) -> None:
        if schema.missing(self.db):
            raise DatabaseUnavailable("The database has no tables yet: run `reservation init-db`")
        as_json(resp, {"status": "ok"})
