"""What an operation answers: its successes, and the refusals that many operations share."""

from dataclasses import dataclass
from typing import Any

from reservation.http.fields import JSON
from reservation.http.shapes import Property, Schema, Shape


@dataclass(frozen=True)
class Answer:
    """An answer of one status. Without a schema it has no body.

    `location` is the address of a new resource, with keys of the answer as placeholders.
    """

    status: int
    description: str
    schema: Schema | None = None
    media_type: str = JSON
    headers: tuple[str, ...] = ()  # names of document.HEADERS
    example: Any = None  # instead of the one made of the schema
    name: str = ""  # among the components of the document
    location: str = ""

    @property
    def has_version(self) -> bool:
        return isinstance(self.schema, Shape) and "version" in self.schema.properties


def ok(description: str, schema: Schema, **more: Any) -> Answer:
    return Answer(200, description, schema, **more)


def created(description: str, schema: Schema, **more: Any) -> Answer:
    return Answer(201, description, schema, **more)


def accepted(description: str, schema: Schema) -> Answer:
    return Answer(202, description, schema)


def no_content(description: str) -> Answer:
    return Answer(204, description)


ERROR = Shape(
    "Error",
    {
        "error": {"type": "string", "description": "A sentence for people."},
        "champs": Property(
            {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Why each field was refused, by its name.",
            },
            optional=True,
        ),
    },
)
_REFUSALS = {
    400: ("BadRequest", "What was sent breaks a rule.", "Invalid input"),
    401: ("Unauthorized", "The bearer token is missing or no good.", "Token is missing"),
    403: ("Forbidden", "The account may not do this.", "Insufficient permission"),
    404: ("NotFound", "There is no such thing, or none that the account may see.", "Not Found"),
    409: (
        "Conflict",
        "It does not go with the state that the thing is in.",
        "A reservation cannot go from annulee to confirmee",
    ),
    412: (
        "StaleVersion",
        "It has changed since the version that was named.",
        "The resource has changed since this version",
    ),
    413: ("TooLarge", "The body is too large.", "The body is larger than 65536 bytes"),
    415: (
        "OtherMediaType",
        "The body is of another media type.",
        "The body must be application/json, in UTF-8",
    ),
    419: (
        "TokenExpired",
        "The token has expired, where RESERVATION_EXPIRED_STATUS is 419.",
        "Token has expired",
    ),
    422: (
        "KeyReused",
        "The Idempotency-Key was used for another request.",
        "This Idempotency-Key was used for another request",
    ),
    429: (
        "TooManyAttempts",
        "Too many attempts. Retry-After says when the next one is allowed.",
        "Too many failed logins, try again later",
    ),
    500: ("Failure", "What went wrong is only in the log.", "Internal Server Error"),
    503: (
        "Unavailable",
        "The database does not answer, or more is asked at once than the service can do.",
        "Service temporarily unavailable",
    ),
}
_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


def refused(*statuses: int) -> tuple[Answer, ...]:
    """Returns the refusals of these statuses, in the shape that errors share."""
    return tuple(_refusal(status) for status in statuses)


def _refusal(status: int) -> Answer:
    name, description, message = _REFUSALS[status]
    return Answer(
        status,
        description,
        ERROR,
        headers=_HEADERS.get(status, ()),
        example={"error": message},
        name=name,
    )
