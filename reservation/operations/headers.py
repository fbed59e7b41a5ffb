"""The headers of requests and answers, for the OpenAPI document."""

from reservation.operations.schemas import Schema

HEADERS: dict[str, tuple[str, str]] = {
    "Cache-Control": ("The answer contains a token and must not be stored.", "no-store"),
    "ETag": ("The entity tag, for If-None-Match and If-Match.", '"v3.8c1f"'),
    "Link": (
        "The next page, if there is one. An entry that changes its place in the list while the"
        " pages are read, such as a booking that is moved, can be missing or appear twice.",
        '</api/prestations?apres=NTA>; rel="next"',
    ),
    "Location": ("The path of the new resource.", "/api/reservations/1"),
    "Retry-After": ("Seconds to wait before a retry.", "5"),
    "X-Error-Code": ("The code of the refusal.", "invalid_input"),
    "WWW-Authenticate": ("The authentication scheme.", "Bearer"),
}
PARAMETERS: dict[str, Schema] = {
    "Accept-Language": {
        "description": "The preferred language of messages to the account, French or English.",
        "schema": {"type": "string"},
        "example": "en-GB, en;q=0.9, fr;q=0.5",
    },
    "If-None-Match": {
        "description": "ETags of stored answers. If one is current, the answer is 304.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": "The ETag of the version to change. If it is not current: status 412.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "description": "Makes retries safe: requests with the same key create one booking.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,100}$"},
        "example": "6f1c2d9a-tuesday",
    },
}
