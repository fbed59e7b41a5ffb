"""The fields of a body: one table for each kind says what is valid, all of it at once.

A table maps the JSON key to a Field. `read` gives the values under their column names
(`dureeMinutes` as `duree_minutes`), with the default of each field that was left out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reservation.domain import emails, instants
from reservation.errors import InvalidInput

REQUIRED = object()
INVALID = "Invalid input"
_LARGEST_ID = 2**63 - 1


@dataclass(frozen=True)
class Field:
    """`check` gives the value to keep, or raises ValueError with the reason."""

    check: Callable[[Any], Any]
    default: Any = REQUIRED
    nullable: bool = False


def read(
    table: Mapping[str, Field], body: Mapping[str, Any], partial: bool = False
) -> dict[str, Any]:
    """The valid values of a body by column name; InvalidInput names every wrong field.

    With `partial`, a field that was left out is left out of the result too.
    """
    values, wrong = {}, {name: "is no field" for name in body if name not in table}
    for name, field in table.items():
        if name not in body:
            if partial:
                continue
            if field.default is REQUIRED:
                wrong[name] = "is required"
            values[column(name)] = field.default
            continue
        try:
            values[column(name)] = _checked(field, body[name])
        except ValueError as ex:
            wrong[name] = str(ex)
    if wrong:
        raise InvalidInput(INVALID, wrong)
    return values


def read_list(table: Mapping[str, Field], rows: list[Any], most: int) -> list[dict[str, Any]]:
    """As `read`, for a list of objects; a wrong field is named `<number>.<field>`."""
    if len(rows) > most:
        raise InvalidInput(f"At most {most} entries are taken")
    values: list[dict[str, Any]] = []
    wrong: dict[str, str] = {}
    for number, row in enumerate(rows):
        try:
            if not isinstance(row, dict):
                raise InvalidInput(INVALID, {"": "must be an object"})
            values.append(read(table, row))
        except InvalidInput as ex:
            wrong |= {f"{number}.{name}".rstrip("."): why for name, why in ex.champs.items()}
    if wrong:
        raise InvalidInput(INVALID, wrong)
    return values


def _checked(field: Field, value: Any) -> Any:
    if value is None:
        if field.nullable:
            return None
        raise ValueError("must not be null")
    return field.check(value)


@lru_cache(maxsize=256)
def column(name: str) -> str:
    """`dureeMinutes` is `duree_minutes` in the tables."""
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)


def text(longest: int, shortest: int = 0) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("must be a string")
        value = value.strip()
        if not shortest <= len(value) <= longest:
            raise ValueError(f"must have {shortest} to {longest} characters")
        return str(value)

    return check


def whole(low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(value)

    return check


def choice(*choices: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in choices:
            raise ValueError("must be one of " + ", ".join(choices))
        return str(value)

    return check


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def inner(table: Mapping[str, Field]) -> Callable[[Any], dict[str, Any]]:
    """An object within the body; what is wrong in it is told in one sentence."""

    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError("must be an object")
        try:
            return read(table, value)
        except InvalidInput as ex:
            reasons = (f"{name} {why}" for name, why in ex.champs.items())
            raise ValueError(", ".join(reasons)) from None

    return check


reference = whole(1, _LARGEST_ID)


def email(value: Any) -> str:
    address = emails.normalised(value) if isinstance(value, str) else ""
    if not emails.is_address(address):
        raise ValueError("must be an e-mail address")
    return address


def optional_email(value: Any) -> str:
    return "" if value == "" else email(value)


def zone(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return instants.zone_of(value).key


def instant(value: Any) -> int:
    if not isinstance(value, str):
        raise ValueError("must be an ISO 8601 time with its offset")
    try:
        return instants.from_iso(value)
    except (ValueError, OverflowError):
        raise ValueError("must be an ISO 8601 time with its offset, in whole seconds") from None


def wall_time(value: Any) -> int:
    """Minutes since midnight of "HH:MM", of which "24:00" is the last."""
    found = re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])|24:00", value) if (
        isinstance(value, str)
    ) else None
    if not found:
        raise ValueError('must be a time of day such as "09:30", "24:00" at most')
    return 1440 if value == "24:00" else int(found[1]) * 60 + int(found[2])


def wall_time_of_start(value: Any) -> int:
    if value == "24:00":
        raise ValueError('must be "00:00" of the next day')
    return wall_time(value)


def show_wall_time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
