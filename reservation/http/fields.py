"""The fields of a body or a query: one table for each says what is valid, all of it at once.

A table maps the name of a field to a Field. The OpenAPI document is made from the same tables.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reservation.errors import Fault, InvalidInput
from reservation.http.codes import InvalidFields, RequestRefused

REQUIRED = object()
UNKNOWN = Fault("unknown_field", "unknown field")
IS_REQUIRED = Fault("required", "is required")


def wrong_type(expected: str) -> Fault:
    return Fault("wrong_type", f"must be of type {expected}", expected=expected)


@dataclass(frozen=True)
class Kind:
    """What a value may be, said twice: `check` gives the value to keep, or raises Fault;
    `schema` is the same rule as JSON Schema."""

    check: Callable[[Any], Any]
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """A kind of value, and what stands for it where it is left out.

    `example` and `doc` are for the document: one good value, and a sentence.
    """

    kind: Kind
    default: Any = REQUIRED
    nullable: bool = False
    example: Any = None
    doc: str = ""

    def checked(self, value: Any) -> Any:
        if value is None:
            if self.nullable:
                return None
            raise Fault("null_not_allowed", "must not be null")
        return self.kind.check(value)


Table = Mapping[str, Field]


def read(table: Table, body: Mapping[str, Any], partial: bool = False) -> dict[str, Any]:
    """The valid values of a body by column name (`dureeMinutes` as `duree_minutes`), with the
    default of each field that was left out; InvalidInput names every wrong field.

    With `partial`, a field that was left out is left out of the result too.
    """
    values: dict[str, Any] = {}
    faults = {name: UNKNOWN for name in body if name not in table}
    for name, field in table.items():
        if name not in body:
            if partial:
                continue
            if field.default is REQUIRED:
                faults[name] = IS_REQUIRED
            values[column(name)] = field.default
            continue
        try:
            values[column(name)] = field.checked(body[name])
        except Fault as ex:
            faults[name] = ex
        except InvalidFields as ex:
            faults |= {f"{name}.{inner}": fault for inner, fault in ex.faults.items()}
    if faults:
        raise InvalidFields(faults)
    return values


def read_list(table: Table, rows: list[Any], most: int) -> list[dict[str, Any]]:
    """As `read`, for a list of objects; a wrong field is named `<number>.<field>`."""
    if len(rows) > most:
        raise RequestRefused("too_many_entries", max=most)
    values: list[dict[str, Any]] = []
    faults: dict[str, Fault] = {}
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            faults[str(number)] = wrong_type("object")
            continue
        try:
            values.append(read(table, row))
        except InvalidInput as ex:
            faults |= {f"{number}.{name}": fault for name, fault in ex.faults.items()}
    if faults:
        raise InvalidFields(faults)
    return values


def read_in_turn(
    table: Table,
    body: Mapping[str, Any],
    missing: str = "field_missing",
    not_text: str = "field_not_text",
) -> dict[str, Any]:
    """The valid texts of a body, in the words of the specification's groups (section 7).

    The first rule that is broken is the one reported: fields missing or blank, in the order
    of the table, then those that are no text, then what each field's kind says. Other fields
    are not looked at, and a field that may be left out may be null.
    """
    needed = [name for name, field in table.items() if field.default is REQUIRED]
    for name in needed:
        if is_missing(body.get(name)):
            raise RequestRefused(missing, field=name)
    given = {name: body[name] for name in table if body.get(name) is not None}
    for name, value in given.items():
        if not isinstance(value, str):
            raise RequestRefused(not_text, field=name)
    values = {name: field.default for name, field in table.items()}
    for name, value in given.items():
        try:
            values[name] = table[name].kind.check(value)
        except Fault as ex:
            raise InvalidFields({name: ex}, message=f"Field {ex}: {name}") from None
    return values


def is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


@lru_cache(maxsize=256)
def column(name: str) -> str:
    """`dureeMinutes` is `duree_minutes` in the tables."""
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)
