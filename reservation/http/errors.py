"""Error responses: a status, the header `X-Error-Code` and a JSON body.

The body is `{"error": "<message>", "code": "<code>", …}`. If the specification defines the
message, the body has only `error`.
"""

import logging
import time
from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from typing import Any

import falcon
import peewee

from reservation.errors import DatabaseUnavailable, InvalidInput, Refusal, TokenExpired
from reservation.http import codes
from reservation.http.codes import InvalidFields, RequestRefused
from reservation.http.replies import TEXT, as_json, camel
from reservation.storage import schema
from reservation.storage.database import UNAVAILABLE

logger = logging.getLogger("reservation")

AGAIN = 60.0  # seconds until `_Outage` logs the same reason again
# Errors at paths with these prefixes are never shown as HTML pages. No page exists at `//name`,
# because browsers would take a link to this path for a link to the host `name`.
_NO_PAGES = ("/api/", "/auth/", "//")
# Headers of the answer that the responder had begun. They do not fit the body of an error.
_OF_SUCCESS = ("Cache-Control", "Content-Disposition", "Content-Encoding", "ETag", "Link")
REASONS = 100  # maximum number of reasons that `_Outage` remembers

Json = dict[str, Any]
ErrorShape = Callable[[falcon.Response, Json], None]
Page = Callable[[falcon.Request, falcon.Response], None]
Details = Mapping[type[Refusal], Callable[[Any], Json]]


def with_success(resp: falcon.Response, body: Json) -> None:
    """Sets an error body of /contact. The body must have a key `success` (specification, 4.2)."""
    as_json(resp, {"success": False, "error": body["error"]})


def as_text(resp: falcon.Response, body: Json) -> None:
    """Sets the body of an error of /register_form: plain text for status 400, otherwise JSON."""
    if resp.status_code != HTTPStatus.BAD_REQUEST:
        return as_json(resp, body)
    resp.content_type = TEXT
    resp.data = body["error"].encode()


def errors_as(shape: ErrorShape) -> Callable[..., None]:
    """Returns a hook that sets the format of a responder's error bodies."""

    def choose(req: falcon.Request, _resp: Any, _resource: Any, _params: Any) -> None:
        req.context.error_shape = shape

    return choose


class ErrorHandlers:
    """The error handlers of the application.

    - `expired_status` is the status of TokenExpired.
    - `details` maps refusals to functions. For example, `details[SlotTaken](ex)` returns
      additional keys of the body.
    - `page` shows a refusal as an HTML page, if a browser requests an unknown path or one of
      `pages`.
    """

    def __init__(
        self, expired_status: int, details: Details, page: Page | None, pages: Collection[str]
    ) -> None:
        self._expired_status, self._details = expired_status, details
        self._page, self._pages = page, frozenset([*pages, None])
        self._outage = _Outage()

    def install(self, app: falcon.App) -> None:
        app.add_error_handler(Exception, self.crash)
        app.add_error_handler(peewee.DatabaseError, self.unreadable)
        app.add_error_handler(falcon.HTTPError, self.http_error)
        app.add_error_handler(Refusal, self.refuse)
        for kind in UNAVAILABLE:
            app.add_error_handler(kind, self.unavailable)

    def refuse(self, req: Any, resp: falcon.Response, ex: Refusal, _params: Any) -> None:
        for name in _OF_SUCCESS:
            resp.delete_header(name)
        is_expired = isinstance(ex, TokenExpired)
        status = self._expired_status if is_expired else codes.TABLE[ex.code].status
        if status == HTTPStatus.UNAUTHORIZED:
            resp.set_header("WWW-Authenticate", "Bearer")
        if ex.retry_after is not None:
            resp.set_header("Retry-After", str(ex.retry_after))
        if isinstance(ex, DatabaseUnavailable) and ex.__cause__:
            self._outage.log(ex.__cause__)
        body = body_of(ex)
        if type(ex) in self._details:
            body |= self._details[type(ex)](ex)
        resp.status = status
        resp.set_header("X-Error-Code", ex.code)
        if self._page and req.uri_template in self._pages and _is_browser(req):
            return self._page(req, resp)
        shape: ErrorShape = getattr(req.context, "error_shape", as_json)
        shape(resp, body)

    def crash(self, req: Any, resp: Any, ex: Exception, params: Any) -> None:
        logger.error("request failed", exc_info=ex)  # the answer does not contain the cause
        self.refuse(req, resp, RequestRefused("internal_server_error"), params)

    def http_error(self, req: Any, resp: Any, ex: falcon.HTTPError, params: Any) -> None:
        resp.set_headers(ex.headers or {})
        self.refuse(req, resp, RequestRefused(codes.of_status(ex.status_code)), params)

    def unavailable(self, req: Any, resp: Any, ex: Any, params: Any) -> None:
        if schema.is_mismatch(ex):
            return self.crash(req, resp, ex, params)
        self._outage.log(ex)
        self.refuse(req, resp, DatabaseUnavailable(), params)

    def unreadable(self, req: Any, resp: Any, ex: Any, params: Any) -> None:
        # If SQLite cannot read its file, the class of the error is DatabaseError, and the status
        # is 503. Falcon also calls this handler for subclasses, such as IntegrityError. For these
        # errors, the status is 500.
        answer = self.unavailable if type(ex) is peewee.DatabaseError else self.crash
        answer(req, resp, ex, params)


def _is_browser(req: falcon.Request) -> bool:
    """Returns whether a browser is loading a page. In this case, the Accept header contains XHTML,
    which other clients rarely send."""
    wants_page = "application/xhtml+xml" in req.get_header("Accept", default="")
    return wants_page and req.method in ("GET", "HEAD") and not req.path.startswith(_NO_PAGES)


def body_of(ex: Refusal) -> Json:
    if codes.TABLE[ex.code].specified:
        return {"error": ex.message}
    body = {"error": ex.message, "code": ex.code, **ex.bounds}
    if isinstance(ex, InvalidInput) and ex.faults:
        named = str if isinstance(ex, InvalidFields) else camel
        body["champs"] = {named(name): fault.as_json() for name, fault in ex.faults.items()}
    return body


class _Outage:
    """Logs why the database is unavailable: each reason at most once a minute."""

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def log(self, ex: BaseException) -> None:
        reason, now = str(ex), time.monotonic()
        if now - self._logged.get(reason, -AGAIN) < AGAIN:
            return
        if len(self._logged) >= REASONS:
            self._logged.clear()
        self._logged[reason] = now
        logger.error("database unavailable: %s", reason)
