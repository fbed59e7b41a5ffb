"""Businesses, their services and their free times."""

from typing import Any

import falcon

from reservation.contract import businesses as contract
from reservation.contract.operation import operation
from reservation.domain.budget import Budget
from reservation.domain.catalogue import offers
from reservation.domain.catalogue.offers import Offer
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account, require_role
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version
from reservation.http.queries import PAGE, Page, read_query
from reservation.http.replies import as_json
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
        found = businesses.search(q, query["ville"], prestation)
        if day:
            return self._list_free(req, resp, query, found)
        page = Page(req, query)
        rows = page.read(self.db, found, Entreprise.id)
        rows = page.cut(resp, rows, lambda row: (row.id,))
        as_json(resp, [serialisers.entreprise(row) for row in rows])

    def _list_free(
        self, req: falcon.Request, resp: falcon.Response, query: dict[str, Any], found: Any
    ) -> None:
        """Those with a free time on the day, earliest first within each block of the search."""
        page, budget = Page(req, query, keys=4), Budget()
        after, until, *beyond = page.after or (0, 0, 0, 0)
        words, day = query["prestation"] or query["q"], query["disponible"]
        while True:
            block = offers.search(self.db, found, words, day, after, until, budget=budget)
            free = [one for one in block.offers if _place(one) > tuple(beyond)]
            if free or block.until == offers.ENDLESS or budget.is_spent():
                break
            after, until, beyond = block.until, 0, [0, 0]
        rest = None if block.until == offers.ENDLESS else (block.until, 0, 0, 0)
        shown = page.cut(resp, free, lambda one: (block.after, block.until, *_place(one)), rest)
        as_json(resp, [serialisers.offer(one) for one in shown])

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
        businesses.update(self.db, entreprise, values, version, Budget())
        self._show(resp, id)

    def _show(self, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.get(self.db, id)
        resp.etag = f"v{entreprise.version}"
        as_json(resp, serialisers.entreprise(entreprise))
