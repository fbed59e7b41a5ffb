"""Every error as JSON: the one place where a fact becomes a status.

The body is `{"error": "<message>"}`, serialised by hand, whatever the Accept header. A
resource whose errors the specification shapes otherwise says so with `errors_as`.
"""

import logging
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import falcon
import peewee

from reservation import errors
from reservation.http.replies import TEXT, as_json
from reservation.storage import schema
from reservation.storage.database import UNAVAILABLE

logger = logging.getLogger("reservation")

STATUSES: dict[type[errors.Refusal], int] = {
    errors.InvalidInput: 400,
    errors.InvalidCredentials: 401,
    errors.TokenMissing: 401,errors.TokenExpired: 401,errors.TokenInvalid: 401,
    errors.AccountDisabled: 403,
    errors.NotPermitted: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.StaleVersion: 412,
    errors.KeyReused: 422,
    errors.TooManyAttempts: 429,
    errors.MailNotSent: 500,
    errors.DatabaseUnavailable: 503,
    errors.Overloaded: 503,
}
AGAIN = 60.0  # seconds until the same reason is logged again
REASONS = 100  # that are remembered

Shape = Callable[[falcon.Response, dict[str, Any]], None]


def with_success(resp: falcon.Response, body: dict[str, Any]) -> None:
    """The shape of /contact: specification, section 4.2."""
    as_json(resp, {"success": False, **body})


def as_text(resp: falcon.Response, body: dict[str, Any]) -> None:
    """The shape of /register_form, which answers bad fields with plain text."""
    if resp.status_code != HTTPStatus.BAD_REQUEST:
        return as_json(resp, body)
    resp.content_type = TEXT
    resp.data = body["error"].encode()


def errors_as(shape: Shape) -> Callable[..., None]:
    """A hook: the errors of this responder take another shape than as_json."""

    def choose(req: falcon.Request, _resp: Any, _resource: Any, _params: Any) -> None:
        req.context.error_shape = shape

    return choose


def install(app: falcon.App, expired_status: int) -> None:
    """Teach the application how each kind of failure is answered."""

    outage = _Outage()

    def refuse(req: Any, resp: falcon.Response, ex: errors.Refusal, _params: Any) -> None:
        status = expired_status if isinstance(ex, errors.TokenExpired) else status_of(ex)
        if status == HTTPStatus.UNAUTHORIZED:
            resp.set_header("WWW-Authenticate", "Bearer")
        if ex.retry_after is not None:
            resp.set_header("Retry-After", str(ex.retry_after))
        if isinstance(ex, errors.DatabaseUnavailable) and ex.__cause__:
            outage.log(ex.__cause__)
        _answer(req, resp, status, {"error": ex.message})

    def unavailable(req: Any, resp: Any, ex: Any, params: Any) -> None:
        if schema.is_mismatch(ex):
            return _crash(req, resp, ex, params)
        outage.log(ex)
        refuse(req, resp, errors.DatabaseUnavailable(), params)

    def unreadable(req: Any, resp: Any, ex: Any, params: Any) -> None:
        # SQLite raises the general error, not a kind of it, for a file that it cannot read.
        answer = unavailable if type(ex) is peewee.DatabaseError else _crash
        answer(req, resp, ex, params)

    app.add_error_handler(Exception, _crash)
    app.add_error_handler(peewee.DatabaseError, unreadable)
    app.add_error_handler(falcon.HTTPError, _http_error)
    app.add_error_handler(errors.Refusal, refuse)
    for kind in UNAVAILABLE:
        app.add_error_handler(kind, unavailable)


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


def status_of(ex: errors.Refusal) -> int:
    return next(STATUSES[kind] for kind in type(ex).__mro__ if kind in STATUSES)


def _crash(req: falcon.Request, resp: falcon.Response, ex: Exception, _params: Any) -> None:
    """What went wrong is for the log alone."""
    logger.error("request failed", exc_info=ex)
    _answer(req, resp, 500, {"error": HTTPStatus(500).phrase})


def _http_error(
    req: falcon.Request, resp: falcon.Response, ex: falcon.HTTPError, _params: Any
) -> None:
    """Falcon's own (404, 405 with its Allow, …) and those of the bodies."""
    if ex.headers is not None:
        resp.set_headers(ex.headers)
    status = int(ex.status_code)
    # Without a title of its own the error carries "404 Not Found".
    _answer(req, resp, status, {"error": str(ex.title).removeprefix(f"{status} ")})


def _answer(
    req: falcon.Request, resp: falcon.Response, status: int, body: dict[str, Any]
) -> None:
    resp.status = status
    shape: Shape = getattr(req.context, "error_shape", as_json)
    shape(resp, body)
