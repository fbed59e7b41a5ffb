"""The services of businesses."""

import falcon

from reservation.contract import services as contract
from reservation.contract.operation import operation
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version, matched_version
from reservation.http.queries import Page, read_query
from reservation.http.replies import as_json
from reservation.storage.database import Database
from reservation.storage.models import Prestation


class Prestations:
    """GET /api/prestations"""

    def __init__(self, db: Database) -> None:
        self.db = db

    @operation(contract.SEARCH_ALL)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        query = read_query(contract.SEARCH, req)
        page = Page(req, query)
        found = businesses.services(query["q"], query["ville"])
        rows = page.read(self.db, found, Prestation.id)
        rows = page.cut(resp, rows, lambda row: (row.id,))
        as_json(resp, [serialisers.prestation(row) for row in rows])


class PrestationsOfEntreprise:
    """GET, POST /api/entreprises/{id}/prestations"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        page = Page(req, read_query(contract.LIST.query, req))
        entreprise = businesses.get(self.db, id)
        offered = businesses.services(entreprise_id=entreprise.id)
        rows = page.cut(resp, page.read(self.db, offered, Prestation.id), lambda row: (row.id,))
        as_json(resp, [serialisers.prestation(row) for row in rows])

    @operation(contract.CREATE)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        values = fields.read(contract.PRESTATION, read_json(req))
        prestation_id = businesses.add_service(self.db, entreprise, values)
        resp.status = falcon.HTTP_201
        resp.location = f"{req.root_path}/api/prestations/{prestation_id}"
        as_json(resp, serialisers.prestation(businesses.service(self.db, prestation_id)))


class OnePrestation:
    """GET, PUT, DELETE /api/prestations/{id}"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    def on_get(self, _req: falcon.Request, resp: falcon.Response, id: int) -> None:
        self._show(resp, id)

    @operation(contract.UPDATE)
    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        prestation = self._owned(req, id)
        values = fields.read(contract.CHANGE, read_json(req))
        version = expected_version(req, values, prestation.version)
        businesses.update_service(self.db, prestation, values, version)
        self._show(resp, id)

    @operation(contract.RETIRE)
    @falcon.before(require_account)
    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        prestation = self._owned(req, id)
        version = matched_version(req, prestation.version)
        businesses.retire(self.db, prestation, version)
        resp.status = falcon.HTTP_204

    def _owned(self, req: falcon.Request, id: int) -> Prestation:
        prestation = businesses.service(self.db, id)
        businesses.owned(self.db, req.context.account, prestation.entreprise_id)
        return prestation

    def _show(self, resp: falcon.Response, id: int) -> None:
        prestation = businesses.service(self.db, id)
        resp.etag = f"v{prestation.version}"
        as_json(resp, serialisers.prestation(prestation))
