"""What the value of a field may be: whole numbers, texts, times, and what is made of them."""

import re
from datetime import date
from typing import Any

from reservation.domain.people import accounts, passwords
from reservation.errors import Fault
from reservation.http import schemas
from reservation.http.codes import RequestRefused
from reservation.http.fields import Kind, Table, read, wrong_type
from reservation.lib import addresses, instants

LARGEST_ID = 2**63 - 1
# What str.strip takes away is more than the \s of other languages.
NOT_BLANK = r"[^\s\x1c-\x1f\x85]"


def text(longest: int, shortest: int = 0) -> Kind:
    """Kept without the space around it; `shortest` is 1 where it must say something."""

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise wrong_type("string")
        if len(value) > longest:
            raise Fault("too_long", f"must have at most {longest} characters", max=longest)
        if len(value.strip()) < shortest:
            raise Fault("blank", "must not be blank")
        return str(value.strip())

    schema = {"type": "string", "maxLength": longest}
    return Kind(check, {**schema, "minLength": 1, "pattern": NOT_BLANK} if shortest else schema)


def out_of_range(low: int, high: int) -> Fault:
    message = f"must be a whole number from {low} to {high}"
    return Fault("out_of_range", message, min=low, max=high)


def invalid_choice(choices: tuple[str, ...]) -> Fault:
    message = "must be one of " + ", ".join(choices)
    return Fault("invalid_choice", message, choices=choices)


def whole(low: int, high: int) -> Kind:
    def check(value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # to JSON Schema 1.0 is an integer
        if type(value) is not int or not low <= value <= high:
            raise out_of_range(low, high)
        return int(value)

    return Kind(check, {"type": "integer", "minimum": low, "maximum": high})


def choice(*choices: str) -> Kind:
    def check(value: Any) -> str:
        if value not in choices:
            raise invalid_choice(choices)
        return str(value)

    return Kind(check, {"type": "string", "enum": list(choices)})


def inner(name: str, table: Table) -> Kind:
    """An object within the body."""

    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise wrong_type("object")
        return read(table, value)

    return Kind(check, schemas.of_table(name, table))


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise wrong_type("boolean")
    return value


def _email(value: Any) -> str:
    address = addresses.normalised(value) if isinstance(value, str) else ""
    if not addresses.is_address(address):
        raise Fault("invalid_email", "must be an e-mail address")
    return address


def _address(refusal: str) -> Kind:
    """An e-mail address, refused in the words of a group of the specification."""

    def check(value: str) -> str:
        try:
            return _email(value)
        except Fault:
            raise RequestRefused(refusal) from None

    return Kind(check, _EMAIL)


def _zone(value: Any) -> str:
    if not isinstance(value, str):
        raise wrong_type("string")
    try:
        return instants.zone_of(value).key
    except ValueError:
        raise Fault("invalid_time_zone", "must be an IANA time zone") from None


def _instant(value: Any) -> int:
    try:
        return instants.from_iso(value)
    except (TypeError, ValueError, OverflowError):
        message = "must be an ISO 8601 time with an offset, in whole seconds"
        raise Fault("invalid_instant", message) from None


def _wall_time(value: Any) -> int:
    """Minutes since midnight of "HH:MM", of which "24:00" is the last."""
    found = re.fullmatch(_TIME_OF_DAY, value) if isinstance(value, str) else None
    if not found:
        raise Fault("invalid_time_of_day", 'must be a time of day from "00:00" to "24:00"')
    hours, _, minutes = value.partition(":")
    return int(hours) * 60 + int(minutes)


def _wall_time_of_start(value: Any) -> int:
    if value == "24:00":
        raise Fault("invalid_time_of_day", 'must be "00:00" of the next day')
    return _wall_time(value)


def show_wall_time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _birthday(value: Any) -> date:
    try:
        day = date.fromisoformat(value) if re.fullmatch(_BIRTHDAY, value) else None
    except (TypeError, ValueError):
        day = None
    if day is None:
        raise Fault("invalid_date", "must be a date such as 2001-05-17")
    if day > date.today():
        raise Fault("date_not_past", "must not be in the future")
    return day


def _role(value: str) -> str:
    if value not in accounts.ROLES:
        raise RequestRefused("invalid_role")
    return value


def password(shortest: int = accounts.SHORTEST_PASSWORD) -> Kind:
    """As text it has its limit in bytes: see domain.passwords."""

    def check(value: str) -> str:
        accounts.check_password(value, shortest)
        return value

    lengths = {"minLength": shortest, "maxLength": passwords.LONGEST}
    return Kind(check, {"type": "string", "format": "password", "pattern": NOT_BLANK, **lengths})


_TIME_OF_DAY = "([01][0-9]|2[0-3]):[0-5][0-9]|24:00"
_BIRTHDAY = "(19|20)[0-9]{2}(-[0-9]{2}){2}"
_EMAIL = {"type": "string", "format": "email", "maxLength": addresses.LONGEST}

REFERENCE = whole(1, LARGEST_ID)
FLAG = Kind(_flag, {"type": "boolean"})
EMAIL = Kind(_email, _EMAIL)
# "" or an address
OPTIONAL_EMAIL = Kind(
    lambda value: "" if value == "" else _email(value),
    {"type": "string", "format": "optional-email", "maxLength": addresses.LONGEST},
)
ZONE = Kind(_zone, {"type": "string", "format": "time-zone"})
INSTANT = Kind(_instant, {"type": "string", "format": "date-time"})
WALL_TIME = Kind(_wall_time, {"type": "string", "pattern": f"^({_TIME_OF_DAY})$"})
WALL_TIME_OF_START = Kind(
    _wall_time_of_start, {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
)
BIRTHDAY = Kind(
    _birthday, {"type": "string", "format": "date", "pattern": f"^{_BIRTHDAY}$"}
)
# In the words of the specification's account group.
ACCOUNT_EMAIL = _address("invalid_email")
CONTACT_EMAIL = _address("contact_email_invalid")
ROLE = Kind(_role, {"type": "string", "enum": list(accounts.ROLES)})
GIVEN = Kind(str, {"type": "string", "pattern": NOT_BLANK})  # a text that is not blank
TEXT = Kind(str, {"type": "string"})
