"""The middleware: refusals, deadlines, common headers, CORS, log and metrics."""

import random
import re
import threading
import time
from typing import Any

import falcon

from reservation import logs
from reservation.http.codes import RequestRefused
from reservation.lib.readers import PREFIX
from reservation.metrics import OFF, REQUESTS, SECONDS, Counters
from reservation.storage import deadline
from reservation.storage.gate import Gate

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}


class Door:
    """All middleware in one component, because each component slows every request.

    Gives each request an id and logs the request. Refuses requests that no endpoint accepts, and
    sets the headers of all answers.
    """

    def __init__(self, admission: "Admission", counters: Counters) -> None:
        self._admission, self._counters = admission, counters
        self.process_resource = self._admission.process_resource

    def process_request(self, req: falcon.Request, _resp: Any) -> None:
        _receive(req)
        if not PREFIX.fullmatch(req.env.get("SCRIPT_NAME", "")):
            raise RequestRefused("malformed_prefix")
        if "HTTP_HOST" not in req.env and req.env.get("SERVER_PROTOCOL") == "HTTP/1.1":
            raise RequestRefused("host_missing")
        if "&" in req.query_string and any(isinstance(one, list) for one in req.params.values()):
            raise RequestRefused("duplicate_query_parameter")

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, _resource: Any, succeeded: bool
    ) -> None:
        self._admission.process_response(req)
        if not hasattr(req.context, "id"):
            _receive(req)  # because Falcon skips `process_request` for WEBSOCKET
        resp.set_header("X-Content-Type-Options", "nosniff")
        resp.set_header("X-Request-Id", req.context.id)
        _allow_every_origin(req, resp, succeeded)
        seconds = time.perf_counter() - req.context.started
        logs.log_request(
            {
                "id": req.context.id,
                "method": req.method,
                # The query is not logged, because it may contain personal data.
                "path": _without_token(req.path),
                "status": resp.status_code,
                "ms": round(seconds * 1000, 1),
            }
        )
        if self._counters is not OFF:
            _count(self._counters, req, resp, seconds)


def _allow_every_origin(req: falcon.Request, resp: falcon.Response, succeeded: bool) -> None:
    """Allows cross-origin requests to all endpoints (specification, section 1)."""
    resp.set_header("Access-Control-Allow-Origin", "*")
    if req.env.get("HTTP_ORIGIN"):
        resp.set_header("Access-Control-Expose-Headers", "*, Authorization")
    if req.method == "OPTIONS" and succeeded:
        resp.set_header("Access-Control-Allow-Methods", resp.get_header("Allow") or "")
        resp.set_header(
            "Access-Control-Allow-Headers",
            req.get_header("Access-Control-Request-Headers") or "Authorization, *",
        )
        resp.set_header("Access-Control-Max-Age", "86400")


def _count(
    counters: Counters, req: falcon.Request, resp: falcon.Response, seconds: float
) -> None:
    """Counts an answer. Counts unknown methods as "other" and unknown paths as "unknown", so that
    clients cannot create new counters."""
    method = req.method if req.method in _METHODS else "other"
    # `{id:id}` becomes `{id}`, as in the OpenAPI document.
    route = (req.uri_template or "unknown").replace(":id}", "}")
    counters.count(REQUESTS, method, route, str(resp.status_code))
    counters.observe(SECONDS, seconds, method, route)


def _receive(req: falcon.Request) -> None:
    req.context.started = time.perf_counter()
    given = req.env.get("HTTP_X_REQUEST_ID", "")
    known = given and _REQUEST_ID.fullmatch(given)
    req.context.id = given if known else f"{random.getrandbits(64):016x}"


def _without_token(path: str) -> str:
    """Replaces the token of a calendar feed with `…`, because the token is a credential."""
    before, feed, _ = path.partition("/flux/")
    return f"{before}/flux/…" if feed else path


class Admission:
    """Sets the deadline of each request. At most `places` operations with `database` run at a
    time; 0 means no limit.

    With `takes_turns`, GET requests use the database one after another (see PATIENCE).
    """

    WAIT = 0.4  # seconds to wait for one of the `places` before the answer is 503
    # Seconds until waits, retries and MySQL statements end. An answer must be sent in 5 s.
    DEADLINE = 4.5
    PATIENCE = 0.02  # a GET waits at most this many seconds for its turn, then runs anyway

    def __init__(self, places: int, takes_turns: bool = False) -> None:
        self._gate = Gate(places) if places else None
        # Without turns, threads on SQLite would compete for the interpreter lock and take up to
        # three times the CPU time.
        self._reading = threading.Lock() if takes_turns else None

    def process_resource(
        self, req: falcon.Request, _resp: Any, resource: Any, _params: Any
    ) -> None:
        deadline.begin(self.DEADLINE)
        if not _needs_database(resource, req.method):
            return
        if self._reading and req.method == "GET":
            req.context.has_turn = self._reading.acquire(timeout=self.PATIENCE)
        if self._gate:
            now = time.monotonic()
            self._gate.enter(now + self.WAIT)
            req.context.entered = now

    def process_response(self, req: falcon.Request) -> None:
        deadline.end()
        if self._reading and getattr(req.context, "has_turn", False):
            self._reading.release()
        entered = getattr(req.context, "entered", None)
        if self._gate and entered is not None:
            # A request that ends before the deadline shows that the database works.
            self._gate.leave(well=time.monotonic() - entered < self.DEADLINE)


def _needs_database(resource: Any, method: str) -> bool:
    responder = getattr(resource, f"on_{method.lower()}", None)
    declared = getattr(responder, "operation", responder)
    return bool(getattr(declared, "database", False))
