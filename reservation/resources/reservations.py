"""The reservations of the caller."""

import falcon

from reservation.domain.tokens import Tokens
from reservation.http.bearer import require_account
from reservation.http.errors import JSON
from reservation.storage.database import Database


class Reservations:
    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type = JSON
        resp.data = b"[]"
