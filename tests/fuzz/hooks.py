"""Hooks for schemathesis: the formats of this API, and the server's limits."""

import base64
from typing import Any
from urllib.parse import urlencode
from zoneinfo import available_timezones

import schemathesis
from hypothesis import strategies as st

from reservation.routes import ROUTES

OPEN_BODIES = {
    path: operation.body.fields
    for path, cls in ROUTES
    if (operation := getattr(getattr(cls, "on_post", None), "operation", None))
    and operation.body
    and not operation.body.closed
}
_LONGEST_QUERY = 3000  # bytes; gunicorn refuses longer ones


def cursor(key: int) -> str:
    return base64.urlsafe_b64encode(str(key).encode()).decode().rstrip("=")


EMAILS = st.from_regex(
    r"[a-z0-9!#$%&'*+_-]{1,20}(\.[a-z0-9_]{1,10})?@[a-z0-9]{1,20}\.[a-z]{2,6}", fullmatch=True
)
INSTANTS = st.from_regex(
    r"20[3-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-](0[0-9]|1[0-3]):[03]0)",
    fullmatch=True,
)
PASSWORDS = st.text(
    st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=8, max_size=72
)

for name, strategy in {
    "email": EMAILS,
    "optional-email": st.just("") | EMAILS,
    "time-zone": st.sampled_from(sorted(available_timezones() - {"localtime", "Factory"})),
    "password": PASSWORDS.filter(str.strip),
    "date-time": INSTANTS,
    "cursor": st.integers(0, 10**18 - 1).map(cursor),
}.items():
    schemathesis.openapi.format(name, strategy)


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Drops unknown fields, which the account endpoints ignore. The checks of the whole body
    (duplicate names, numbers beyond 64 bits) still apply to unknown fields, and a schema cannot
    express these checks."""
    known = OPEN_BODIES.get(context.operation.path)
    if known is None or not isinstance(body, dict):
        return body
    return {key: value for key, value in body.items() if key in known}


@schemathesis.hook
def filter_query(_context: Any, query: Any) -> bool:
    return len(urlencode(query or {}, doseq=True)) < _LONGEST_QUERY
