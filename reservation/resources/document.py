"""GET /openapi.json: what the routes are and take, made of them."""

from functools import lru_cache
from typing import Any

import falcon

from reservation.contract import health as contract
from reservation.contract.document import document
from reservation.contract.operation import operation
from reservation.http.replies import JSON, to_json


class Document:
    """Of the routes, and of its own, below whatever prefix they are served."""

    PATH = "/openapi.json"

    def __init__(self, routes: list[tuple[str, Any]]) -> None:
        described = [*routes, (self.PATH, self)]
        self.below = lru_cache(maxsize=8)(lambda prefix: to_json(document(described, prefix)))

    @operation(contract.DOCUMENT)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type = JSON
        resp.data = self.below(req.root_path)
