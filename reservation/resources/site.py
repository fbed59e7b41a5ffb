"""The booking site: one HTML page for all paths. A script draws the view for the path."""

from functools import lru_cache
from html import escape
from typing import Any

import falcon

from reservation.domain.catalogue import sharing
from reservation.domain.catalogue.sharing import SharedBusiness
from reservation.domain.messages.messages import LANGUAGES
from reservation.domain.planning import addresses
from reservation.errors import NotFound
from reservation.http import files
from reservation.http.files import File
from reservation.lib import pictures
from reservation.operations.resource import Parts, Resource, Routes
from reservation.resources import heads
from reservation.resources.site_files import SiteFile, shipped

_TITLE = "Réservation"
_POLICY = (
    "default-src 'self'; img-src 'self' data:; base-uri 'self'; object-src 'none';"
    " form-action 'self'; frame-ancestors {}"
)
_OF_A_BUSINESS = (
    "agenda", "jour", "semaine", "clients", "prestations", "horaires", "fermetures", "equipe",
    "etablissement", "regles", "messages", "chiffres", "partager",
)  # fmt: skip
_BUSINESS = "/entreprises/{id:id}"
_ADDRESSES = (
    "/",
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


class SitePage(Resource):
    framed_by = "'none'"

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        shipped()  # reads the files when the server starts, not in the first request
        self.below = lru_cache(maxsize=32)(self.filled)
        self.policy = _POLICY.format(self.framed_by)

    def filled(
        self, prefix: str, path: str = "", data: str = "", title: str = _TITLE, head: str = "",
        plain: str = "", langue: str = "",
    ) -> File:
        """Returns the page for the path prefix `prefix`.

        - `path` is the path in PAGES, or "" for the page of an error.
        - `data` has HTML attributes for the root element.
        - `head` is HTML for the head.
        - `plain` is HTML for browsers without JavaScript.
        - `langue` is the language from Accept-Language, or "" if all languages get the same page.
        """
        site = shipped()
        text = site.index.substitute(
            base=escape(prefix),
            langue=langue or LANGUAGES[0],
            digest=site.digest,
            data=(" data-pages" if self.settings.pages else "")
            + (" data-photos" if pictures.is_supported() else "")
            + (" data-holds" if self.settings.verify_email else "")
            + data,
            icons=site.icons,
            favicon=site.favicon,
            title=escape(title),
            head=head and f"\n{head}",
            plain=plain,
            preloads=site.preloads(path),
        )
        return File(text.encode(), ".html", *(["Accept-Language"] if langue else []))

    def on_get(self, req: falcon.Request, resp: falcon.Response, **_ids: Any) -> None:
        self.show(req, resp, self.below(req.root_path, req.uri_template))

    def show(self, req: falcon.Request, resp: falcon.Response, file: File) -> None:
        if req.path.startswith("//"):
            raise NotFound()  # browsers read the path `//name` in a link as the host `name`
        resp.set_header("Content-Security-Policy", self.policy)
        resp.set_header("Referrer-Policy", "same-origin")
        files.answer(req, resp, file, versioned=False)

    def refuse(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Shows the page for an error. `resp` already has the status of the error."""
        status = f' data-status="{resp.status_code}"'
        self.show(req, resp, self.below(req.root_path, data=status))


class BusinessPage(SitePage):
    """The page of a business, with a head for search engines and messengers."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, **ids: Any) -> None:
        self.show(req, resp, self.about(req, sharing.read(self.db, ids["id"])))

    on_get.database = True  # type: ignore[attr-defined]

    def base_of(self, req: falcon.Request) -> str:
        """Returns the public URL of the site. If this URL names this machine, for example by
        "localhost", returns the scheme, host and path prefix of the request instead."""
        settings = self.settings
        return settings.public_url if settings.has_public_url else str(req.prefix)

    def about(self, req: falcon.Request, shared: SharedBusiness) -> File:
        langue = self.language(req)
        return self.filled(
            req.root_path,
            _BUSINESS,
            f' data-entreprise="{shared.entreprise.id}"',
            heads.title_of(shared),
            heads.head(shared, self.base_of(req), langue),
            heads.plain(shared, langue),
            langue,
        )


class ShortAddressPage(BusinessPage):
    """GET /{adresse:short}: the page of the business with this short address. A former address
    redirects to the current one.

    POST, PUT, PATCH and DELETE get 404, not 405, because most paths of this form do not exist.
    """

    def on_get(self, req: falcon.Request, resp: falcon.Response, **ids: Any) -> None:
        shared = sharing.read(self.db, addresses.find(self.db, ids["adresse"]))
        current = shared.entreprise.adresse_courte
        if ids["adresse"] != current:
            query = f"?{req.query_string}" if req.query_string else ""
            # Browsers cache a permanent redirect, but the owner may choose the old address again.
            resp.status, resp.location = falcon.HTTP_302, f"{req.root_path}/{current}{query}"
            resp.content_type = falcon.MEDIA_HTML
        else:
            self.show(req, resp, self.about(req, shared))

    on_get.database = True  # type: ignore[attr-defined]

    def on_post(self, *_request: Any, **_ids: Any) -> None:
        raise NotFound()

    on_put = on_patch = on_delete = on_post


class EmbeddedPage(SitePage):
    """A page that other sites may show in a frame."""

    framed_by = "*"


PAGES: Routes = (
    *((path, SitePage) for path in _ADDRESSES),
    (_BUSINESS, BusinessPage),
    ("/{adresse:short}", ShortAddressPage),
    ("/integrer/{id:id}", EmbeddedPage),
    ("/site/{digest}/{name:path}", SiteFile),
)
