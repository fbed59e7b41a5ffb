"""The OpenAPI document, and a page to try the API (Swagger UI)."""

from functools import cached_property, lru_cache

import falcon

from reservation.errors import NotFound
from reservation.http import files
from reservation.http.files import File
from reservation.http.replies import to_json
from reservation.operations.answers import ok
from reservation.operations.document import document
from reservation.operations.operation import operation
from reservation.operations.resource import Parts, Resource
from reservation.settings import DATA

_PAGE, _FOLDER = DATA / "docs.html", DATA / "docs"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Document(Resource):
    """GET /openapi.json"""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self.below = lru_cache(maxsize=8)(lambda prefix: to_json(document(parts.routes, prefix)))

    @operation(
        "readDocument",
        "The OpenAPI document of this API",
        ok("OpenAPI 3.1.", {"type": "object", "examples": [{}]}),
        database=False,
    )
    def on_get(self, req: falcon.Request) -> bytes:
        return self.below(req.root_path)


class Docs(Resource):
    """GET /docs"""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self.page = File(_PAGE.read_bytes(), ".html")

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.set_header("Content-Security-Policy", _POLICY)
        files.answer(req, resp, self.page, versioned=False)


class DocsFile(Resource):
    """GET /docs/{name}: files of the page /docs.

    Browsers may cache the files of Swagger UI for a year, because their paths contain the version.
    """

    @cached_property
    def files(self) -> dict[str, File]:
        return files.below(_FOLDER)

    def on_get(self, req: falcon.Request, resp: falcon.Response, name: str) -> None:
        if name not in self.files:
            raise NotFound()
        resp.set_header("Content-Security-Policy", _POLICY)
        files.answer(req, resp, self.files[name], versioned="/" in name)
