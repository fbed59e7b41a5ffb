"""GET /docs: a page to read about the API and to try it, by Swagger UI."""

import falcon

from reservation.errors import NotFound
from reservation.http import files
from reservation.settings import DATA

_PAGE, _FOLDER = DATA / "docs.html", DATA / "docs"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Docs:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.set_header("Content-Security-Policy", _POLICY)
        files.send(req, resp, _PAGE, versioned=False)


class DocsFile:
    """What the page loads. Swagger UI lies in a folder that bears its version."""

    def __init__(self) -> None:
        self.paths = {
            path.relative_to(_FOLDER).as_posix(): path
            for path in _FOLDER.rglob("*") if path.is_file()
        }

    def on_get(self, req: falcon.Request, resp: falcon.Response, name: str) -> None:
        if name not in self.paths:
            raise NotFound()
        resp.set_header("Content-Security-Policy", _POLICY)
        files.send(req, resp, self.paths[name], versioned="/" in name)
