"""Answers of operations: successes, and refusals that many operations share."""

from functools import partial
from typing import Any, NamedTuple

from reservation import conflicts, errors
from reservation.errors import Refusal
from reservation.http import codes
from reservation.http.bodies import MOST_BYTES
from reservation.http.codes import RequestRefused
from reservation.http.errors import body_of
from reservation.operations.bodies import JSON
from reservation.operations.schemas import Named, Schema
from reservation.operations.shapes import Shape, plain


class Answer(NamedTuple):
    """An answer that an operation declares.

    `location` is a template for the Location header, such as `/api/photos/{id}`. Its placeholders
    are JSON keys of the answer.
    """

    status: int
    description: str
    schema: Schema | None = None  # None: the answer has no body
    media_type: str = JSON
    headers: tuple[str, ...] = ()  # names of response headers: keys of HEADERS
    example: Any = None  # by default, made from the schema
    name: str = ""  # the name of a shared response in the OpenAPI document
    location: str = ""

    @property
    def has_version(self) -> bool:
        return isinstance(self.schema, Shape) and "version" in self.schema.properties


ok = partial(Answer, 200)
created = partial(Answer, 201)
accepted = partial(Answer, 202)
no_content = partial(Answer, 204)

CODE = Named("ErrorCode", {"type": "string", "enum": list(codes.TABLE)})
_NUMBER, _TEXT = {"type": "integer"}, {"type": "string"}
_BOUNDS: dict[str, Schema] = {
    "choices": {"type": "array", "items": _TEXT},
    "date": {"type": "string", "format": "date"},
    "expected": _TEXT,
    "field": _TEXT,
    "from": _TEXT,
    "line": _NUMBER,
    "max": _NUMBER,
    "min": _NUMBER,
    "opening": _NUMBER,
    "state": _TEXT,
    "to": _TEXT,
}
_FAULT_BOUNDS = sorted({name for names in codes.FAULTS.values() for name in names})
FAULT = plain(
    "Fault",
    tuple(_FAULT_BOUNDS),
    code={"type": "string", "enum": list(codes.FAULTS)},
    message={"type": "string", "description": "A message for people."},
    **{name: _BOUNDS[name] for name in _FAULT_BOUNDS},
)
ERROR = plain(
    "Error",
    ("code", "champs", *codes.bounds()),
    error={"type": "string", "description": "A message for people."},
    code=CODE,
    champs={
        "type": "object",
        "additionalProperties": FAULT,
        "description": "The fault of each refused field, by the name of the field.",
    },
    **{name: _BOUNDS[name] for name in codes.bounds()},
)
_REFUSALS: dict[int, tuple[str, str, Refusal]] = {
    400: ("BadRequest", "The request breaks a rule.", errors.InvalidInput()),
    401: ("Unauthorized", "The bearer token is missing or invalid.", errors.TokenMissing()),
    403: ("Forbidden", "The account lacks the permission.", errors.NotPermitted()),
    404: ("NotFound", "The resource does not exist or is not visible.", errors.NotFound()),
    409: ("Conflict", "The state does not allow the request.", conflicts.MessageBeingSent()),
    412: ("StaleVersion", "The resource has changed.", errors.StaleVersion()),
    413: (
        "TooLarge",
        "The body is too large.",
        RequestRefused("body_too_large", max=MOST_BYTES),
    ),
    415: (
        "OtherMediaType",
        "The body has another media type.",
        RequestRefused("unsupported_media_type", expected=JSON),
    ),
    419: (
        "TokenExpired",
        "The token has expired, and RESERVATION_EXPIRED_STATUS is 419.",
        errors.TokenExpired(),
    ),
    422: (
        "KeyReused",
        "The Idempotency-Key was used for another request.",
        errors.KeyReused(),
    ),
    429: (
        "TooManyAttempts",
        "Too many attempts. Retry after the seconds in Retry-After.",
        errors.TooManyFailures(60),
    ),
    500: ("Failure", "An internal error; see the log.", RequestRefused("internal_server_error")),
    501: ("Unsupported", "The installation lacks a package.", errors.PhotosUnavailable()),
    503: (
        "Unavailable",
        "The database does not answer, or the service is busy.",
        errors.DatabaseUnavailable(),
    ),
}
_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


def refused(*statuses: int) -> tuple[Answer, ...]:
    """Returns the shared refusals with these statuses."""
    return tuple(_refusal(status) for status in statuses)


def _refusal(status: int) -> Answer:
    name, description, refusal = _REFUSALS[status]
    return Answer(
        status,
        description,
        ERROR,
        headers=_HEADERS.get(status, ()),
        example=body_of(refusal),
        name=name,
    )
