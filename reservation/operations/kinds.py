"""Kinds of values: whole numbers, texts, times and others."""

import re
from contextlib import suppress
from datetime import date
from typing import Any, TypeVar

from reservation.errors import Fault
from reservation.lib import addresses, instants, short_addresses
from reservation.operations.bodies import Body, entries
from reservation.operations.fields import Kind, wrong_type
from reservation.operations.schemas import schema_of

LARGEST_ID = 2**63 - 1
# The characters that str.strip treats as blanks. \x1c-\x1f and \x85 are listed, because JSON
# Schema uses JavaScript patterns, in which `\s` does not match these characters.
_BLANKS = r"\s\x1c-\x1f\x85"
NOT_BLANK = f"[^{_BLANKS}]"
# Characters that override or embed a text direction. They can make a name or a link look like
# another name or link. Joiners and the marks U+200E and U+200F are not listed, because
# right-to-left scripts and emoji need them.
_DIRECTIONS = r"\u202a-\u202e\u2066-\u2069"
_DIRECTION = re.compile(f"[{_DIRECTIONS}]")
_VISIBLE = f"[^{_BLANKS}{_DIRECTIONS}]"
# The zoneinfo folder has these files too, but browsers do not know such time zones. The zones in
# `right` count leap seconds, and `localtime` is the zone of this machine.
_NO_ZONE = re.compile("(posix|right)/.*|posixrules|localtime|Factory", re.DOTALL)
_TIME_OF_DAY = "([01][0-9]|2[0-3]):[0-5][0-9]|24:00"
B = TypeVar("B", bound=Body)


def text(longest: int, shortest: int = 0) -> Kind[str]:
    """Returns the rule for texts of at most `longest` characters, without NUL. Blanks at both ends
    and characters of _DIRECTIONS are removed, but count towards this limit.

    With `shortest=1`, blank texts are refused.
    """

    def check(value: Any) -> str:
        stripped = _DIRECTION.sub("", _string(value)).strip()
        if "\0" in value:
            raise Fault("nul_character", "must not contain a NUL character")
        if len(value) > longest:
            raise Fault("too_long", f"must have at most {longest} characters", max=longest)
        if len(stripped) < shortest:
            raise Fault("blank", "must not be blank")
        return stripped

    schema = {"type": "string", "maxLength": longest}
    return Kind(check, {**schema, "minLength": 1, "pattern": _VISIBLE} if shortest else schema)


def unstripped(longest: int) -> Kind[str]:
    """Like `text(longest, shortest=1)`, but `check` returns the text unchanged."""
    rule = text(longest, shortest=1)

    def check(value: Any) -> str:
        rule.check(value)
        return str(value)

    return Kind(check, rule.schema)


def whole(low: int, high: int) -> Kind[int]:
    def check(value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # in JSON Schema, 1.0 is an integer
        if type(value) is not int or not low <= value <= high:
            raise out_of_range(low, high)
        return value

    return Kind(check, {"type": "integer", "minimum": low, "maximum": high})


def out_of_range(low: int, high: int) -> Fault:
    message = f"must be a whole number from {low} to {high}"
    return Fault("out_of_range", message, min=low, max=high)


def choice(*choices: str) -> Kind[str]:
    def check(value: Any) -> str:
        if value not in choices:
            message = "must be one of " + ", ".join(choices)
            raise Fault("invalid_choice", message, choices=choices)
        return str(value)

    return Kind(check, {"type": "string", "enum": list(choices)})


def inner(body: type[B]) -> Kind[B]:
    """Returns the rule for a field whose value is a JSON object. Faults have keys such as
    `client.email`."""
    return Kind(body.read, schema_of(body))


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise wrong_type("string")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise wrong_type("boolean")
    return value


def _email(value: Any) -> str:
    address = addresses.normalised(value) if isinstance(value, str) else ""
    if not addresses.is_address(address):
        raise Fault("invalid_email", "must be an e-mail address")
    return address


def _short_address(value: Any) -> str:
    text = _string(value)
    if not short_addresses.is_valid(text):
        message = "must be 3 to 60 lower-case letters and digits, with single hyphens between them"
        raise Fault("invalid_short_address", message)
    return text


def _zone(value: Any) -> str:
    name = _string(value)
    with suppress(ValueError):
        if not _NO_ZONE.fullmatch(name):
            return instants.zone_of(name).key
    raise Fault("invalid_time_zone", "must be an IANA time zone")


def _instant(value: Any) -> int:
    try:
        return instants.from_iso(value)
    except (TypeError, ValueError, OverflowError):
        message = "must be an ISO 8601 time with an offset, in whole seconds, from 1970 to 9998"
        raise Fault("invalid_instant", message) from None


def read_date(value: Any, pattern: str, example: str) -> date:
    with suppress(TypeError, ValueError):
        if re.fullmatch(pattern, value):
            return date.fromisoformat(value)
    raise Fault("invalid_date", f"must be a date such as {example}")


def _wall_time(value: Any) -> int:
    found = re.fullmatch(_TIME_OF_DAY, value) if isinstance(value, str) else None
    if not found:
        raise Fault("invalid_time_of_day", 'must be a time of day from "00:00" to "24:00"')
    hours, _, minutes = value.partition(":")
    return int(hours) * 60 + int(minutes)


def _wall_time_of_start(value: Any) -> int:
    if value == "24:00":
        raise Fault("invalid_time_of_day", 'must be "00:00" of the next day')
    return _wall_time(value)


def _show_wall_time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


REFERENCE = whole(1, LARGEST_ID)
FLAG = Kind(_flag, {"type": "boolean"}, show=bool)
EMAIL = Kind(_email, {"type": "string", "format": "email", "maxLength": addresses.LONGEST})
OPTIONAL_EMAIL = Kind(
    lambda value: "" if value == "" else _email(value),
    {"type": "string", "format": "optional-email", "maxLength": addresses.LONGEST},
)
SHORT_ADDRESS = Kind(
    _short_address,
    {
        "type": "string",
        "pattern": short_addresses.PATTERN,
        "minLength": short_addresses.SHORTEST,
        "maxLength": short_addresses.LONGEST,
    },
)
ZONE = Kind(_zone, {"type": "string", "format": "time-zone"})
INSTANT = Kind(_instant, {"type": "string", "format": "date-time"})
WALL_TIME = Kind(
    _wall_time, {"type": "string", "pattern": f"^({_TIME_OF_DAY})$"}, show=_show_wall_time
)
WALL_TIME_OF_START = Kind(
    _wall_time_of_start,
    {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
    show=_show_wall_time,
)
_TRADE = text(60, shortest=1)
_LINES = entries(
    Kind(lambda value: " ".join(_TRADE.check(value).split()), _TRADE.schema), 5
)
# A list of trades. The database stores the list as one text, with a trade on each line.
TRADES = Kind(_LINES.check, _LINES.schema, show=str.splitlines)
# A text in a required field of a TextBody. `TextBody.read` refuses a blank text.
GIVEN: Kind[str] = Kind(_string, {"type": "string", "pattern": NOT_BLANK})
TEXT: Kind[str] = Kind(_string, {"type": "string"})
