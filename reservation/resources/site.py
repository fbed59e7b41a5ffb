"""The booking site: one page for all addresses, and the files that the page loads.

The path of a file contains a digest of all files, so that browsers can cache each file forever
and relative imports work.
"""

import hashlib
import re
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from string import Template

import falcon

from reservation.errors import NotFound
from reservation.http import files
from reservation.http.files import File
from reservation.operations.resource import Parts, Resource, Routes

FOLDER = Path(__file__).parent.parent / "site"
_INDEX = "index.html"
_SHEET = "site.css"
_IMPORT = re.compile(r'@import url\("(.+)"\);')
_POLICY = (
    "default-src 'self'; base-uri 'self'; object-src 'none'; form-action 'self';"
    " frame-ancestors {}"
)
_OF_A_BUSINESS = (
    "jour", "semaine", "clients", "prestations", "horaires", "fermetures", "equipe", "regles",
    "messages", "chiffres", "partager",
)  # fmt: skip
_ADDRESSES = (
    "/",
    "/entreprises/{id:id}",
    "/entreprises/{id:id}/reserver",
    "/connexion",
    "/inscription",
    "/mot-de-passe",
    "/rendez-vous",
    "/reservations",
    "/reservations/{id:id}",
    "/compte",
    "/compte/donnees",
    "/nous-ecrire",
    "/mentions-legales",
    "/confidentialite",
    "/admin",
    "/admin/comptes",
    "/admin/messages",
    "/admin/installation",
    "/gestion",
    "/gestion/{id:id}",
    *(f"/gestion/{{id:id}}/{view}" for view in _OF_A_BUSINESS),
)


class Shipped:
    """The files of the site."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = files.below(folder)
        self.index = Template(self.files.pop(_INDEX).octets.decode())
        if _SHEET in self.files:  # one request instead of one for each part
            self.files[_SHEET] = File(self._whole(_SHEET).encode(), ".css")
        whole = hashlib.sha256()
        for name, file in self.files.items():
            whole.update(f"{name}\0{len(file.octets)}\0".encode() + file.octets)
        self.digest = whole.hexdigest()[:16]

    def _whole(self, name: str) -> str:
        """Returns a style sheet with its imports in place."""
        sheet = self.files[name].octets.decode()
        return _IMPORT.sub(lambda part: self._whole(part[1]), sheet)


shipped = cache(Shipped)


class SiteFile(Resource):
    """GET /site/{digest}/{name}: files of the page."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, digest: str, name: str) -> None:
        if digest != shipped().digest or name not in shipped().files:
            raise NotFound()
        files.answer(req, resp, shipped().files[name], versioned=True)


class SitePage(Resource):
    """The HTML page. Its script shows the view for the address."""

    framed_by = "'none'"

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        site = shipped()  # read at the start of the server, not by its first request

        def below(prefix: str) -> File:
            filled = site.index.substitute(
                base=escape(prefix),
                digest=site.digest,
                pages=" data-pages" if self.settings.pages else "",
            )
            return File(filled.encode(), ".html")

        self.below = lru_cache(maxsize=8)(below)
        self.policy = _POLICY.format(self.framed_by)

    def on_get(self, req: falcon.Request, resp: falcon.Response, **_ids: int) -> None:
        if req.path.startswith("//"):
            raise NotFound()  # the router ignores repeated slashes, a browser does not
        resp.set_header("Content-Security-Policy", self.policy)
        resp.set_header("Referrer-Policy", "same-origin")
        files.answer(req, resp, self.below(req.root_path), versioned=False)


class EmbeddedPage(SitePage):
    """The page for other sites, which may show the page in a frame."""

    framed_by = "*"


PAGES: Routes = (
    *((path, SitePage) for path in _ADDRESSES),
    ("/integrer/{id:id}", EmbeddedPage),
    ("/site/{digest}/{name:path}", SiteFile),
)
