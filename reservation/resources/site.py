"""The booking site: one page for every address that people see, and the files it loads.

The files are served below a digest over all of them, so that a browser may keep each for good
and relative imports find their neighbours.
"""

import hashlib
import re
from functools import lru_cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import falcon

from reservation.errors import NotFound
from reservation.http import files
from reservation.http.files import File

FOLDER = Path(__file__).parent.parent / "site"
_INDEX = "index.html"
_SHEET = "site.css"
_IMPORT = re.compile(r'@import url\("(.+)"\);')
_POLICY = (
    "default-src 'self'; base-uri 'self'; object-src 'none'; form-action 'self';"
    " frame-ancestors {}"
)
_OF_A_BUSINESS = (
    "jour", "semaine", "prestations", "horaires", "fermetures", "regles", "messages", "chiffres",
    "partager",
)  # fmt: skip
PAGES = (
    "/",
    "/entreprises/{id:id}",
    "/entreprises/{id:id}/reserver",
    "/connexion",
    "/inscription",
    "/mot-de-passe",
    "/reservations",
    "/reservations/{id:id}",
    "/compte",
    "/nous-ecrire",
    "/gestion",
    "/gestion/{id:id}",
    *(f"/gestion/{{id:id}}/{view}" for view in _OF_A_BUSINESS),
)
EMBEDDED = "/integrer/{id:id}"  # the one page that another site may show in a frame


def pages() -> list[tuple[str, Any]]:
    """The routes of the site: addresses for people, no operations of the API."""
    shipped = Files(FOLDER)
    page = Page(shipped, framed_by="'none'")
    return [
        *((path, page) for path in PAGES),
        (EMBEDDED, Page(shipped, framed_by="*")),
        ("/site/{digest}/{name:path}", shipped),
    ]


class Files:
    """What the page loads: GET /site/{digest}/…"""

    def __init__(self, folder: Path) -> None:
        self.files = files.below(folder)
        self.index = Template(self.files.pop(_INDEX).octets.decode())
        if _SHEET in self.files:  # one request instead of one for each part
            self.files[_SHEET] = File.of(self._whole(_SHEET).encode(), ".css")
        whole = hashlib.sha256()
        for name, file in self.files.items():
            whole.update(f"{name}\0{len(file.octets)}\0".encode() + file.octets)
        self.digest = whole.hexdigest()[:16]

    def _whole(self, name: str) -> str:
        """Returns a style sheet with its imports in place."""
        sheet = self.files[name].octets.decode()
        return _IMPORT.sub(lambda part: self._whole(part[1]), sheet)

    def on_get(self, req: falcon.Request, resp: falcon.Response, digest: str, name: str) -> None:
        if digest != self.digest or name not in self.files:
            raise NotFound()
        files.answer(req, resp, self.files[name], versioned=True)


class Page:
    """The one document; the script in it looks at the address and shows what belongs there."""

    def __init__(self, shipped: Files, framed_by: str) -> None:
        def below(prefix: str) -> File:
            filled = shipped.index.substitute(base=escape(prefix), digest=shipped.digest)
            return File.of(filled.encode(), ".html")

        self.below = lru_cache(maxsize=8)(below)
        self.policy = _POLICY.format(framed_by)

    def on_get(self, req: falcon.Request, resp: falcon.Response, **_ids: int) -> None:
        if req.path.startswith("//"):
            raise NotFound()  # the router looks past slashes, a browser does not
        resp.set_header("Content-Security-Policy", self.policy)
        resp.set_header("Referrer-Policy", "same-origin")
        files.answer(req, resp, self.below(req.root_path), versioned=False)
