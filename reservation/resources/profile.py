"""One's own account: what it says of oneself."""

import falcon

from reservation.contract import profile as contract
from reservation.contract.operation import operation
from reservation.domain.people import accounts
from reservation.domain.people.tokens import Tokens
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.replies import as_json
from reservation.storage.database import Database


class Compte:
    """GET, PUT /api/compte"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        self._show(resp, req.context.account.id)

    @operation(contract.UPDATE)
    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response) -> None:
        values = fields.read(contract.PROFILE, read_json(req))
        accounts.update_profile(self.db, req.context.account.id, values)
        self._show(resp, req.context.account.id)

    def _show(self, resp: falcon.Response, id: int) -> None:
        as_json(resp, serialisers.compte(accounts.get(self.db, id)))
