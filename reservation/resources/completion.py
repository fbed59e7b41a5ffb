"""GET /api/services and /api/villes: specification, section 4.3."""

from functools import lru_cache

import falcon

from reservation.contract import completion as contract
from reservation.contract.operation import operation
from reservation.domain.catalogue.completion import Completion
from reservation.http.conditional import tag_of
from reservation.http.replies import JSON, to_json


class Names:
    """A list to complete from: `unfiltered` names without `q`, at most `most` with it."""

    def __init__(self, completion: Completion, unfiltered: int | None, most: int) -> None:
        def starting(typed: str) -> tuple[bytes, str]:
            return _tagged(completion.starting(typed, most))

        self.starting = lru_cache(maxsize=16384)(starting)
        self.all = _tagged(completion.names[:unfiltered])

    def show(self, req: falcon.Request, resp: falcon.Response) -> None:
        typed = req.get_param("q", default="").lstrip()
        resp.content_type = JSON
        resp.data, resp.etag = self.starting(typed) if typed else self.all


class Services(Names):
    @operation(contract.SERVICES)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.show(req, resp)


class Villes(Names):
    @operation(contract.VILLES)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.show(req, resp)


def _tagged(names: list[str]) -> tuple[bytes, str]:
    body = to_json(names)
    return body, tag_of(body)
