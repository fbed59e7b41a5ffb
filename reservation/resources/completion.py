"""Autocompletion (specification, section 4.3), and suggestions for searches."""

from functools import lru_cache
from typing import Any

import falcon

from reservation.domain.catalogue import suggestions
from reservation.domain.catalogue.completion import Completion
from reservation.domain.catalogue.suggestions import Suggestions
from reservation.http.conditional import tag_of
from reservation.http.replies import to_json
from reservation.operations.answers import ok
from reservation.operations.fields import Field, Query
from reservation.operations.kinds import TEXT
from reservation.operations.operation import operation
from reservation.operations.properties import many, text
from reservation.operations.queries import WORDS
from reservation.operations.resource import Parts, Resource
from reservation.operations.shapes import Many, Shape
from reservation.resources.business.businesses import ENTREPRISE


class CompletionQuery(Query):
    q = Field(TEXT, default="", doc="The text that the user has typed.")


LONGEST = 200  # characters; the answers to longer texts are not cached


class Names(Resource):
    """Autocompletion from a list of names."""

    source = ""  # the name of an attribute of Parts, such as "cities"
    # The maximum number of names in an answer: `most` if the request has a `q`, else `unfiltered`.
    unfiltered: int | None = None  # None: no maximum
    most = 0

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        names: Completion = getattr(parts, self.source)
        self.starting = lru_cache(maxsize=16384)(
            lambda typed: _tagged(names.starting(typed, self.most))
        )
        self.all = _tagged(names.names[: self.unfiltered])

    def complete(self, resp: falcon.Response, query: CompletionQuery) -> bytes:
        typed = query.q.lstrip()
        find = self.starting if len(typed) <= LONGEST else self.starting.__wrapped__
        body, resp.etag = find(typed) if typed else self.all
        return body


def _responder(id: str, summary: str, example: str) -> Any:
    names = ok("Names that match, ignoring case and accents.", Many(text(example)))
    return operation(id, summary, names, database=False)(Names.complete)


class Services(Names):
    """GET /api/services"""

    source, most = "services", 20
    on_get = _responder(
        "completeServices",
        "Complete the name of a service: at most 20 names with `q`, otherwise all",
        "Coloration",
    )


class Villes(Names):
    """GET /api/villes"""

    source, unfiltered, most = "cities", 100, 15
    on_get = _responder(
        "completeVilles",
        "Complete the name of a city in France: at most 15 names with `q`, otherwise 100",
        "Lyon",
    )


class SuggestionQuery(Query):
    q = Field(WORDS, default="", doc="The text that the user has typed.")


_SUGGESTIONS = Shape(
    "Suggestions",
    {
        "metiers": Many(text("Coiffeur")),
        "prestations": Many(text("Coloration")),
        "entreprises": many(ENTREPRISE),
    },
)


class Suggested(Resource):
    """GET /api/suggestions"""

    @operation(
        "suggest",
        "Trades, services and businesses of this installation for a typed text; without `q` the"
        " most frequent trades and services, and some businesses",
        ok("At most 8 trades, 8 services and 8 businesses.", _SUGGESTIONS),
    )
    def on_get(self, query: SuggestionQuery) -> Suggestions:
        return suggestions.suggest(self.db, query.q, most=8)


def _tagged(names: list[str]) -> tuple[bytes, str]:
    body = to_json(names)
    return body, tag_of(body)
