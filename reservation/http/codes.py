"""Maps each error code to a status and a message.

The messages of most exceptions are defined in `reservation.errors` and `reservation.conflicts`,
all other messages in this file.
"""

from collections.abc import Mapping
from string import Formatter
from typing import NamedTuple

from reservation import conflicts, errors
from reservation.errors import InvalidInput, Refusal


class ErrorCode(NamedTuple):
    status: int
    message: str
    # True if the specification defines the message. Then the body has no `code`.
    specified: bool = False


class InvalidFields(InvalidInput):
    """Fields of the body are invalid. The keys of `faults` are the field names in the request."""

    code = InvalidInput.code


class InvalidQuery(InvalidFields):
    message = "Invalid query"


class RequestRefused(Refusal):
    """A refusal that only the HTTP layer raises. `code` is a key of TABLE."""

    def __init__(self, code: str, **bounds: object) -> None:
        self.code = code
        super().__init__(TABLE[code].message.format(**bounds), **bounds)


STATUSES: Mapping[type[Refusal], int] = {
    errors.InvalidInput: 400,
    errors.InvalidCredentials: 401,
    errors.TokenMissing: 401,
    errors.TokenExpired: 401,
    errors.TokenInvalid: 401,
    errors.AccountDisabled: 403,
    errors.NotPermitted: 403,
    errors.NotFound: 404,
    conflicts.Conflict: 409,
    errors.StaleVersion: 412,
    errors.KeyReused: 422,
    errors.TooManyAttempts: 429,
    errors.MailNotSent: 500,
    errors.PhotosUnavailable: 501,
    errors.DatabaseUnavailable: 503,
    errors.Overloaded: 503,
}
_OF_HTTP: Mapping[str, tuple[int, str]] = {
    "bad_request": (400, "Malformed request"),
    "body_too_large": (413, "The body is larger than {max} bytes"),
    "body_truncated": (400, "The body is shorter than its Content-Length"),
    "body_unreadable": (400, "The body could not be read"),
    "contact_email_invalid": (400, "L'adresse e-mail n'est pas valide"),
    "contact_fields_missing": (400, "Tous les champs sont requis"),
    "contact_fields_not_text": (400, "Les champs doivent être du texte"),
    "credentials_missing": (400, "Missing email or password"),
    "credentials_not_text": (400, "Email and password must be strings"),
    "duplicate_form_field": (400, "Duplicate form field"),
    "duplicate_query_parameter": (400, "Duplicate query parameter"),
    "field_missing": (400, "Missing required field: {field}"),
    "field_not_text": (400, "Field must be a string: {field}"),
    "host_missing": (400, "The Host header is missing"),
    "internal_server_error": (500, "Internal server error"),
    "invalid_email": (400, "Invalid email format"),
    "invalid_idempotency_key": (400, "Idempotency-Key must be 1 to 100 visible ASCII characters"),
    "invalid_role": (400, "Invalid role"),
    "length_required": (400, "The body needs a Content-Length"),
    "malformed_form": (400, "Malformed form"),
    "malformed_json": (400, "Malformed JSON"),
    "malformed_prefix": (400, "The path prefix (SCRIPT_NAME) is malformed"),
    "method_not_allowed": (405, "Method not allowed"),
    "not_utf8": (400, "The body is not UTF-8"),
    "nul_character": (400, "The body contains a NUL character"),
    "server_error": (500, "Server error"),
    "too_many_entries": (400, "At most {max} entries are allowed"),
    "unsupported_media_type": (415, "The body must be {expected} in UTF-8, not compressed"),
    "wrong_json_type": (400, "The body must be a JSON {expected}"),
}
# Refusals by a proxy in front of this server, such as the nginx of deploy/nginx.conf.
_OF_PROXY: Mapping[str, tuple[int, str]] = {
    "bad_gateway": (502, "The server does not answer"),
    "gateway_timeout": (504, "The server did not answer in time"),
    "http_version_not_supported": (505, "The server does not support this HTTP version"),
    "not_implemented": (501, "The server does not support this request"),
    "request_timeout": (408, "The request did not arrive in time"),
    "service_unavailable": (503, "The server does not answer"),
    "uri_too_long": (414, "The URL is too long"),
}
# Codes whose messages the specification defines (section 7, and section 5, rule 4).
_SPECIFIED = frozenset(
    "account_disabled contact_fields_missing credentials_missing email_taken field_missing"
    " invalid_credentials invalid_email mail_not_sent password_too_short server_error"
    " token_expired token_invalid token_missing user_not_found".split()
)
# Faults with these codes have no `bounds`, such as `max`.
_WITHOUT_BOUNDS = (
    "account_taken address_taken before_start blank cannot_perform contradiction date_not_past"
    " invalid_cursor invalid_date invalid_email invalid_id invalid_instant invalid_short_address"
    " invalid_time_of_day invalid_time_zone longer_than_opening malformed_csv"
    " no_notification no_room not_after_start nul_character null_not_allowed"
    " only_for_openings only_for_persons other_business required unknown_account"
    " unknown_customer unknown_field unknown_ressource unknown_service unreachable"
)
FAULTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_WITHOUT_BOUNDS.split(), ()),
    "invalid_choice": ("choices",),
    "out_of_range": ("min", "max"),
    "overlap": ("opening",),
    "shared_address": ("line",),
    "too_far_from_start": ("max",),
    "too_many_entries": ("max",),
    "too_long": ("max",),
    "too_many_columns": ("max",),
    "too_many_lines": ("max",),
    "wrong_type": ("expected",),
}


def _status_of(kind: type[Refusal]) -> int:
    return next(STATUSES[base] for base in kind.__mro__ if base in STATUSES)


_CLASSES = [*vars(errors).values(), *vars(conflicts).values(), InvalidQuery]
_RAISED = {
    kind.code: (_status_of(kind), kind.message)
    for kind in _CLASSES
    if isinstance(kind, type) and issubclass(kind, Refusal) and vars(kind).get("message")
}
TABLE: Mapping[str, ErrorCode] = {
    code: ErrorCode(status, message, code in _SPECIFIED)
    for code, (status, message) in sorted({**_RAISED, **_OF_HTTP, **_OF_PROXY}.items())
}


def bounds() -> list[str]:
    """Returns the keys of the values in error bodies, such as `max`.

    Each key is the name of a placeholder in a message. Ignores messages that the specification
    defines, because their error bodies have only the key `error`.
    """
    messages = [code.message for code in TABLE.values() if not code.specified]
    return sorted({name for one in messages for _, name, *_ in Formatter().parse(one) if name})


def of_status(status: int) -> str:
    """Returns the error code for the status of a Falcon error."""
    return {404: "not_found", 405: "method_not_allowed"}.get(status, "bad_request")
