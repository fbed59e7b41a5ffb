"""The headers of requests and answers, as the OpenAPI document describes them."""

from reservation.operations.schemas import Schema

HEADERS: dict[str, tuple[str, str]] = {
    "Cache-Control": ("The answer holds a token, which no cache may store.", "no-store"),
    "ETag": ("Names this state of the answer, for If-None-Match and If-Match.", '"v3.8c1f"'),
    "Link": ("The next page, where there is one.", '</api/prestations?apres=NTA>; rel="next"'),
    "Location": ("Where the new thing is.", "/api/reservations/1"),
    "Retry-After": ("Seconds to wait before it is asked again.", "5"),
    "X-Error-Code": ("The code of the refusal.", "invalid_input"),
    "WWW-Authenticate": ("Bearer", "Bearer"),
}
PARAMETERS: dict[str, Schema] = {
    "Accept-Language": {
        "description": "Messages come in English where it prefers that, else in French.",
        "schema": {"type": "string"},
        "example": "en-GB, en;q=0.9, fr;q=0.5",
    },
    "If-None-Match": {
        "description": "ETags of answers that are known: where one is still right, 304.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": "The ETag of the version to change: where it has changed since, 412.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "description": "Makes a request safe to send again: the same key books once.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,100}$"},
        "example": "6f1c2d9a-tuesday",
    },
}
