"""Businesses, their services and their free times."""

import falcon

from reservation.contract import businesses as contract
from reservation.contract.operation import operation
from reservation.domain import businesses, finding
from reservation.domain.finding import Offer
from reservation.domain.tokens import Tokens
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account, require_role
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version
from reservation.http.errors import as_json
from reservation.http.queries import PAGE, Page, read_query
from reservation.storage.database import Database
from reservation.storage.models import Entreprise


class Entreprises:
    """GET, POST /api/entreprises"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        query = read_query(contract.SEARCH, req)
        q, prestation, day = query["q"], query["prestation"], query["disponible"]
        page = Page(req, query, keys=2 if day else 1)
        found = businesses.search(q, query["ville"], prestation)
        if day:
            offers = finding.offers(self.db, found, prestation or q, day)
            offers = [one for one in offers if page.is_after(_place(one))]
            offers = page.cut(resp, offers, _place)
            as_json(resp, [serialisers.offer(one) for one in offers])
        else:
            rows = page.read(self.db, found, Entreprise.id)
            rows = page.cut(resp, rows, lambda row: (row.id,))
            as_json(resp, [serialisers.entreprise(row) for row in rows])

    @operation(contract.CREATE)
    @falcon.before(require_account)
    @falcon.before(require_role("company", "admin"))
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        values = fields.read(contract.ENTREPRISE, read_json(req))
        entreprise_id = businesses.create(self.db, req.context.account, values)
        resp.status = falcon.HTTP_201
        resp.location = f"{req.root_path}/api/entreprises/{entreprise_id}"
        as_json(resp, serialisers.entreprise(businesses.get(self.db, entreprise_id)))


def _place(one: Offer) -> tuple[int, int]:
    return one.start.debut, one.entreprise.id


class EntreprisesOfAccount:
    """GET /api/compte/entreprises"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST_MANAGED)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        page = Page(req, read_query(PAGE, req))
        rows = page.read(self.db, businesses.managed(req.context.account), Entreprise.id)
        rows = page.cut(resp, rows, lambda row: (row.id,))
        as_json(resp, [serialisers.entreprise(row) for row in rows])


class OneEntreprise:
    """GET, PUT /api/entreprises/{id}"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    def on_get(self, _req: falcon.Request, resp: falcon.Response, id: int) -> None:
        self._show(resp, id)

    @operation(contract.UPDATE)
    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        values = fields.read(contract.CHANGE, read_json(req))
        version = expected_version(req, values, entreprise.version)
        businesses.update(self.db, entreprise, values, version)
        self._show(resp, id)

    def _show(self, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.get(self.db, id)
        resp.etag = f"v{entreprise.version}"
        as_json(resp, serialisers.entreprise(entreprise))
