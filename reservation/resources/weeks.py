"""The weekly template of a business."""

import falcon

from reservation.contract import weeks as contract
from reservation.contract.operation import operation
from reservation.domain.budget import Budget
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses, hours
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version
from reservation.http.queries import read_query
from reservation.http.replies import as_json
from reservation.http.serialisers import Json
from reservation.storage.database import Database
from reservation.storage.models import SemaineType


class Week:
    """GET, PUT /api/entreprises/{id}/semainetype"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    def on_get(self, _req: falcon.Request, resp: falcon.Response, id: int) -> None:
        resp.etag = f"v{businesses.get(self.db, id).version}"
        as_json(resp, _shown(hours.read(self.db, id)))

    @operation(contract.REPLACE)
    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        essai = read_query(contract.REPLACE.query, req)["essai"]
        rows = fields.read_list(
            contract.OPENING, read_json(req, list), contract.MOST_OPENINGS
        )
        version = expected_version(req, {}, entreprise.version)

        if essai:
            done = hours.rehearse(self.db, entreprise, rows, version=version)
        else:
            done = hours.replace(self.db, entreprise, rows, version=version, budget=Budget())
        as_json(resp, {"semaine": _shown(done.semaine), **serialisers.done(done)})
        resp.etag = f"v{version if essai else version + 1}"


def _shown(rows: list[SemaineType]) -> list[Json]:
    return [serialisers.opening(row) for row in rows]
