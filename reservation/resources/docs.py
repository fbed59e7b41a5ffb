"""GET /docs: a page to read about the API and to try it, by Swagger UI."""

import falcon

from reservation.errors import NotFound
from reservation.http import files
from reservation.http.files import File
from reservation.settings import DATA

_PAGE, _FOLDER = DATA / "docs.html", DATA / "docs"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Docs:
    def __init__(self) -> None:
        self.page = File.of(_PAGE.read_bytes(), ".html")

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.set_header("Content-Security-Policy", _POLICY)
        files.answer(req, resp, self.page, versioned=False)


class DocsFile:
    """What the page loads. Swagger UI lies in a folder that bears its version."""

    def __init__(self) -> None:
        self.files = files.below(_FOLDER)

    def on_get(self, req: falcon.Request, resp: falcon.Response, name: str) -> None:
        if name not in self.files:
            raise NotFound()
        resp.set_header("Content-Security-Policy", _POLICY)
        files.answer(req, resp, self.files[name], versioned="/" in name)
