"""Checks that an answer is one that the OpenAPI document promises."""

import json
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

import jsonschema_rs

from reservation.domain.people import passwords
from reservation.lib import addresses, instants
from reservation.operations.document import document
from reservation.routes import ROUTES
from tests import refusals


def _is_zone(text: str) -> bool:
    try:
        return bool(instants.zone_of(text))
    except ValueError:
        return False


FORMATS = {
    "time-zone": _is_zone,
    "optional-email": lambda text: text == "" or addresses.is_address(text),
    "email": addresses.is_address,
    "password": passwords.fits,  # the limit is in bytes
}


@cache
def promised() -> Any:
    """Returns the document of all routes."""
    return document(ROUTES)


@cache
def _paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    found = sorted(promised()["paths"].items(), key=lambda item: item[0].count("{"))
    return [
        (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + r"\Z"), operations)
        for path, operations in sorted(found, key=lambda item: not item[0].endswith(".ics"))
    ]


def operations_of(path: str) -> dict[str, Any]:
    """Returns the operations of a request's path by method; {} for an unknown path."""
    return next((known for pattern, known in _paths() if pattern.match(path)), {})


def check(method: str, path: str, status: int, headers: dict[str, str], body: bytes) -> None:
    """Fails unless the document promises this answer. `headers` have lower-case names."""
    if status >= 400:
        refusals.check(status, headers.get("x-error-code"), body)
    known = operations_of(path)
    if method == "OPTIONS":
        return
    told = known.get("get" if method == "HEAD" else method.lower())
    where = f"{method} {path} -> {status}"
    if not known and headers.get("content-type", "").startswith(("text/html", "image/webp")):
        return  # a page of the site or a picture, which the document does not list
    if told is None:
        assert status in (400, 404, 405), f"{where}: the document has no such operation"
        if method != "HEAD":
            _check_body(where, "application/json", body, {"$ref": "#/components/schemas/Error"})
        return
    answer = told["responses"].get(str(status))
    assert answer is not None, f"{where}: the document has no such status; {body!r:.200}"
    if "$ref" in answer:
        answer = promised()["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    for name in set(answer.get("headers", {})) - {"Link"}:
        assert name.lower() in headers, f"{where}: the header {name} is missing"
    if method == "HEAD" or "content" not in answer:
        assert body == b"", f"{where}: the document promises no body: {body!r:.200}"
        return
    media_type = headers["content-type"].partition(";")[0]
    assert media_type in answer["content"], f"{where}: the document does not promise {media_type}"
    _check_body(where, media_type, body, answer["content"][media_type]["schema"])


def _check_body(where: str, media_type: str, body: bytes, schema: dict[str, Any]) -> None:
    value = json.loads(body) if media_type == "application/json" else body.decode()
    for error in validator(json.dumps(schema)).iter_errors(value):
        raise AssertionError(f"{where}: {error.message} at {list(error.instance_path)}")


@lru_cache(maxsize=1024)
def validator(schema: str, closed: bool = True) -> Any:
    """Returns the validator of a schema of the document. `closed` forbids unknown properties."""
    known = json.loads(schema)
    whole = {**(_closed(known) if closed else known), "components": _components(closed)}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True, formats=FORMATS)


@cache
def _components(closed: bool) -> dict[str, Any]:
    schemas = {"schemas": promised()["components"]["schemas"]}
    return _closed(schemas) if closed else schemas


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _closed(one) for key, one in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found


def checked(app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Wraps an application: each of its answers is checked against the document."""

    def checking(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        told: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            told[:] = status, headers
            return start_response(status, headers, exc_info) if exc_info else start_response(
                status, headers
            )

        answer = app(environ, start)
        try:
            body = b"".join(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()
        status, headers = told
        lowered = {name.lower(): value for name, value in headers}
        path = environ["PATH_INFO"]
        check(environ["REQUEST_METHOD"], path, int(status[:3]), lowered, body)
        return [body]

    return checking
