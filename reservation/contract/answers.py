"""What comes back: an answer, and the refusals that many operations share."""

from dataclasses import dataclass
from typing import Any

from reservation import errors
from reservation.errors import Refusal
from reservation.http import codes
from reservation.http.bodies import MOST_BYTES
from reservation.http.codes import RequestRefused
from reservation.http.errors import body_of
from reservation.http.schemas import Named, Schema, shown

JSON = "application/json"
TEXT = "text/plain"


@dataclass(frozen=True)
class Answer:
    """What comes back with one status; `schema` None says that it has no body."""

    description: str
    schema: Schema | None = None
    media_type: str = JSON
    headers: tuple[str, ...] = ()  # names of document.HEADERS
    example: Any = None  # instead of the one that the schema makes
    name: str = ""  # among the components of the document, where many have it


CODE = Named("ErrorCode", {"type": "string", "enum": list(codes.TABLE)})
_NUMBER, _TEXT = {"type": "integer"}, {"type": "string"}
_BOUNDS: dict[str, Schema] = {
    "choices": {"type": "array", "items": _TEXT},
    "expected": _TEXT,
    "field": _TEXT,
    "from": _TEXT,
    "max": _NUMBER,
    "min": _NUMBER,
    "opening": _NUMBER,
    "state": _TEXT,
    "to": _TEXT,
}
_FAULT_BOUNDS = sorted({name for names in codes.FAULTS.values() for name in names})
FAULT = shown(
    "Fault",
    {
        "code": {"type": "string", "enum": list(codes.FAULTS)},
        "message": {"type": "string", "description": "A sentence for people."},
        **{name: _BOUNDS[name] for name in _FAULT_BOUNDS},
    },
    optional=tuple(_FAULT_BOUNDS),
)
ERROR = shown(
    "Error",
    {
        "error": {"type": "string", "description": "A sentence for people."},
        "code": CODE,
        "champs": {
            "type": "object",
            "additionalProperties": FAULT,
            "description": "Why each field was refused, by its name.",
        },
        **{name: _BOUNDS[name] for name in codes.bounds()},
    },
    optional=("code", "champs", *codes.bounds()),
)
_REFUSALS: dict[int, tuple[str, str, Refusal]] = {
    400: ("BadRequest", "The request breaks a rule.", errors.InvalidInput()),
    401: ("Unauthorized", "The bearer token is missing or invalid.", errors.TokenMissing()),
    403: ("Forbidden", "The account may not do this.", errors.NotPermitted()),
    404: ("NotFound", "Nothing is there that the account may see.", errors.NotFound()),
    409: ("Conflict", "The state of the resource forbids it.", errors.MessageBeingSent()),
    412: ("StaleVersion", "It has changed since the named version.", errors.StaleVersion()),
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
        "The token has expired, if RESERVATION_EXPIRED_STATUS is 419.",
        errors.TokenExpired(),
    ),
    422: (
        "KeyReused",
        "The Idempotency-Key was used for another request.",
        errors.KeyReused(),
    ),
    429: (
        "TooManyAttempts",
        "Too many attempts. Retry-After says when the next one is allowed.",
        errors.TooManyFailures(60),
    ),
    500: ("Failure", "Only the log says what failed.", RequestRefused("internal_server_error")),
    503: (
        "Unavailable",
        "The database does not answer, or the service is busy.",
        errors.DatabaseUnavailable(),
    ),
}
_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


def refusals(*statuses: int) -> dict[int, Answer]:
    """The refusals of these statuses, in the one shape that errors have."""
    return {status: _refusal(status) for status in statuses}


def _refusal(status: int) -> Answer:
    name, description, refusal = _REFUSALS[status]
    return Answer(
        description,
        ERROR,
        headers=_HEADERS.get(status, ()),
        example=body_of(refusal),
        name=name,
    )
