"""Hooks for schemathesis: the formats of this API, and the server's limits."""

import base64
import string
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import available_timezones

import schemathesis
from hypothesis import strategies as st

from reservation.operations.fields import Fields
from reservation.routes import ROUTES

OPEN_BODIES = {
    path: body.fields
    for path, cls in ROUTES
    if (operation := getattr(getattr(cls, "on_post", None), "operation", None))
    and issubclass(body := operation.body or object, Fields)
    and not body.closed
}
_LONGEST_QUERY = 3000  # bytes; gunicorn refuses longer ones


def cursor(key: int) -> str:
    return base64.urlsafe_b64encode(str(key).encode()).decode().rstrip("=")


def lengthened(address: str, length: int) -> str:
    """Returns an address of this length, with many labels."""
    labels, rest = divmod(length - len(address), 2)
    return address + "z" * rest + ".z" * labels


_LETTERS, _DIGITS = string.ascii_lowercase, string.digits
# `st.text` draws a text at once. `from_regex` draws each character, which takes longer.
_SHORT_EMAILS = st.builds(
    "{}{}@{}.{}".format,
    st.text(f"{_LETTERS}{_DIGITS}!#$%&'*+_-", min_size=1, max_size=20),
    st.just("") | st.text(f"{_LETTERS}{_DIGITS}_", min_size=1, max_size=10).map(".".__add__),
    st.text(_LETTERS + _DIGITS, min_size=1, max_size=20),
    st.text(_LETTERS, min_size=2, max_size=6),
)
# Schemathesis searches for addresses of 253, 254 (the limit) and 255 characters.
EMAILS = _SHORT_EMAILS | st.builds(lengthened, _SHORT_EMAILS, st.integers(253, 255))
INSTANTS = st.builds(
    "{:%Y-%m-%dT%H:%M:%S}{}".format,
    st.datetimes(datetime(2030, 1, 1), datetime(2099, 12, 31)),
    st.just("Z")
    | st.builds(
        "{}{:02}:{}0".format, st.sampled_from("+-"), st.integers(0, 13), st.sampled_from("03")
    ),
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
def before_load_schema(_context: Any, document: Any) -> None:
    """Drops a limit of 2**20 characters. No case reaches it, but it costs two seconds a run."""
    del document["components"]["schemas"]["CustomersText"]["properties"]["texte"]["maxLength"]


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
