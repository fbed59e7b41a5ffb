"""The messages of the outbox and what became of them."""

import time

import falcon

from reservation.contract import emails as contract
from reservation.contract.operation import operation
from reservation.domain.messages import outbox
from reservation.domain.people.accounts import Account
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses
from reservation.errors import NotFound
from reservation.http import serialisers
from reservation.http.bearer import require_account, require_role
from reservation.http.queries import Page, read_query
from reservation.http.replies import as_json
from reservation.storage.database import Database


class EmailsOfEntreprise:
    """GET /api/entreprises/{id}/emails"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        businesses.owned(self.db, req.context.account, id)
        _list(self.db, req, resp, id)


class Emails:
    """GET /api/emails"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST_ALL)
    @falcon.before(require_account)
    @falcon.before(require_role("admin"))
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        _list(self.db, req, resp, None)


class SendAgain:
    """POST /api/emails/{id}/renvoi"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.SEND_AGAIN)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        asking: Account = req.context.account
        message = outbox.one(self.db, id)
        if message.entreprise_id is not None:
            businesses.owned(self.db, asking, message.entreprise_id)
        elif asking.role != "admin":
            raise NotFound()
        outbox.send_again(self.db, id, int(time.time()))
        resp.status = falcon.HTTP_202
        as_json(resp, serialisers.email(outbox.one(self.db, id)))


def _list(
    db: Database, req: falcon.Request, resp: falcon.Response, entreprise_id: int | None
) -> None:
    """The latest first."""
    query = read_query(contract.SEARCH, req)
    page = Page(req, query)
    before = page.after[0] if page.after else None
    rows = outbox.listed(db, entreprise_id, query["statut"], before, page.limit + 1)
    rows = page.cut(resp, rows, lambda row: (row.id,))
    as_json(resp, [serialisers.email(row) for row in rows])
