"""Lists for autocompletion: specification, section 4.3."""

from functools import lru_cache

import falcon

from reservation.domain.catalogue.completion import Completion
from reservation.http.conditional import tag_of
from reservation.http.replies import to_json
from reservation.operations.answers import ok
from reservation.operations.fields import Field, Query
from reservation.operations.operation import operation
from reservation.operations.queries import ANY_WORDS
from reservation.operations.resource import Parts, Resource
from reservation.operations.shapes import Many, text


class CompletionQuery(Query):
    q = Field(ANY_WORDS, default="", doc="The text that the user has typed.")


class Names(Resource):
    """A list of names: at most `unfiltered` names without `q`, at most `most` names with `q`."""

    unfiltered: int | None = None
    most = 0

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        names = self.names()
        self.starting = lru_cache(maxsize=16384)(
            lambda typed: _tagged(names.starting(typed, self.most))
        )
        self.all = _tagged(names.names[: self.unfiltered])

    def names(self) -> Completion:
        raise NotImplementedError

    def show(self, resp: falcon.Response, query: CompletionQuery) -> bytes:
        typed = query.q.lstrip()
        body, resp.etag = self.starting(typed) if typed else self.all
        return body


class Services(Names):
    """GET /api/services"""

    most = 20

    def names(self) -> Completion:
        return self.parts.services

    @operation(
        "completeServices",
        "Complete the name of a service: at most 20 names with `q`, otherwise all",
        ok("Names that match, ignoring case and accents.", Many(text("Coloration"))),
        database=False,
    )
    def on_get(self, resp: falcon.Response, query: CompletionQuery) -> bytes:
        return self.show(resp, query)


class Villes(Names):
    """GET /api/villes"""

    unfiltered, most = 100, 15

    def names(self) -> Completion:
        return self.parts.cities

    @operation(
        "completeVilles",
        "Complete the name of a city in France: at most 15 names with `q`, otherwise 100",
        ok("Names that match, ignoring case and accents.", Many(text("Lyon"))),
        database=False,
    )
    def on_get(self, resp: falcon.Response, query: CompletionQuery) -> bytes:
        return self.show(resp, query)


def _tagged(names: list[str]) -> tuple[bytes, str]:
    body = to_json(names)
    return body, tag_of(body)
