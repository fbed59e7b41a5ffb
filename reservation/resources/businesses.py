"""Businesses, their services and their free times."""

import time
from typing import Any

import falcon

from reservation.contract import businesses as contract
from reservation.contract.operation import operation
from reservation.domain.budget import Budget
from reservation.domain.catalogue import offers, search
from reservation.domain.people.sessions import Tokens
from reservation.domain.planning import businesses
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account, require_role
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version
from reservation.http.queries import PAGE, Page, read_query
from reservation.http.replies import as_json
from reservation.storage.database import Database


class Entreprises:
    """GET, POST /api/entreprises"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        query = read_query(contract.SEARCH, req)
        words = {name: query[name] for name in ("q", "ville", "prestation")}
        if query["disponible"]:
            return self._list_free(req, resp, query, words)
        page = Page(req, query)
        rows = search.businesses(self.db, **words, after=page.after, most=page.limit + 1)
        rows = page.cut(resp, rows, lambda row: (row.id,))
        as_json(resp, [serialisers.entreprise(row) for row in rows])

    def _list_free(
        self, req: falcon.Request, resp: falcon.Response, query: dict[str, Any],
        words: dict[str, str],
    ) -> None:
        """Those with a free time on the day, earliest first within each block of the search."""
        page = Page(req, query, keys=4)
        shown, rest = offers.page(
            self.db, **words, day=query["disponible"], after=page.after, most=page.limit,
            now=int(time.time()), budget=Budget(),
        )
        page.cut(resp, [], lambda _: (), rest)
        as_json(resp, [serialisers.offer(one) for one in shown])

    @operation(contract.CREATE)
    @falcon.before(require_account)
    @falcon.before(require_role("company", "admin"))
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        values = fields.read(contract.ENTREPRISE, read_json(req))
        entreprise_id = businesses.create(
            self.db, req.context.account, values, now=int(time.time())
        )
        resp.status = falcon.HTTP_201
        resp.location = f"{req.root_path}/api/entreprises/{entreprise_id}"
        as_json(resp, serialisers.entreprise(businesses.get(self.db, entreprise_id)))


class EntreprisesOfAccount:
    """GET /api/compte/entreprises"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST_MANAGED)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        page = Page(req, read_query(PAGE, req))
        rows = businesses.managed(
            self.db, req.context.account, page.after, most=page.limit + 1
        )
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
        businesses.update(
            self.db, entreprise, values, version, now=int(time.time()), budget=Budget()
        )
        self._show(resp, id)

    def _show(self, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.get(self.db, id)
        resp.etag = f"v{entreprise.version}"
        as_json(resp, serialisers.entreprise(entreprise))
