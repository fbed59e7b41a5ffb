"""Request bodies: JSON objects, files, and the text fields that the specification defines."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from reservation.errors import Fault, InvalidInput
from reservation.http.bodies import MOST_BYTES
from reservation.http.codes import InvalidFields, RequestRefused
from reservation.http.replies import camel
from reservation.operations.fields import (
    IS_REQUIRED,
    REQUIRED,
    UNKNOWN,
    Field,
    Fields,
    Kind,
    wrong_type,
)

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
T = TypeVar("T")


class Body(Fields):
    """A JSON object. A refusal lists all invalid and all unknown fields."""

    media_type = JSON
    closed = True
    most = 0  # maximum number of objects in `read_list`; 0 if `read_list` is not used
    most_bytes = MOST_BYTES

    @staticmethod
    def json_name(attribute: str) -> str:
        return camel(attribute)

    @classmethod
    def read(cls, body: Any) -> Self:
        """Returns the validated body. Raises Fault if `body` is not an object. Raises
        InvalidFields with the fault of each invalid field."""
        if not isinstance(body, dict):
            raise wrong_type("object")
        values: dict[str, Any] = {}
        faults = {key: UNKNOWN for key in body if key not in cls.fields}
        for key, (name, field) in cls.fields.items():
            if key in body:
                with collecting(faults, key):
                    values[name] = _checked(field, body[key])
            elif cls.partial:
                continue
            elif field.default is REQUIRED:
                faults[key] = IS_REQUIRED
            else:
                values[name] = field.default
        if faults:
            raise InvalidFields(faults)
        return cls(values)

    @classmethod
    def read_list(cls, rows: list[Any]) -> list[Self]:
        """Reads a list of objects of this class. The keys of faults begin with the index of the
        object, such as `0.debut`."""
        if len(rows) > cls.most:
            raise RequestRefused("too_many_entries", max=cls.most)
        return entries(Kind(cls.read, {}), cls.most).check(rows)


class Octets:
    """A body that consists of one file, of any media type."""

    media_type = "application/octet-stream"
    partial = False
    most_bytes: int
    schema: Mapping[str, Any] = {"type": "string", "format": "binary", "examples": ["…"]}

    def __init__(self, octets: bytes) -> None:
        self.octets = octets


@contextmanager
def collecting(faults: dict[str, Fault], key: str) -> Iterator[None]:
    """Catches Fault and InvalidInput, and adds them to `faults`.

    A Fault gets the key `key`. Each fault of an InvalidInput gets the key `<key>.<name>`.
    """
    try:
        yield
    except Fault as fault:
        faults[key] = fault
    except InvalidInput as ex:
        faults |= {f"{key}.{name}": fault for name, fault in ex.faults.items()}


def _checked(field: Field[Any], value: Any) -> Any:
    if value is not None:
        return field.kind.check(value)
    if not field.nullable:
        raise Fault("null_not_allowed", "must not be null")
    return None


def entries(kind: Kind[T], most: int) -> Kind[list[T]]:
    """Returns the rule for a list of at most `most` values. `kind` checks each value.

    The keys of faults contain the index of the value, such as `ressources.0`.
    """

    def check(value: Any) -> list[T]:
        if not isinstance(value, list):
            raise wrong_type("array")
        if len(value) > most:
            raise Fault("too_many_entries", f"must have at most {most} entries", max=most)
        read: list[T] = []
        faults: dict[str, Fault] = {}
        for number, entry in enumerate(value):
            with collecting(faults, str(number)):
                read.append(kind.check(entry))
        if faults:
            raise InvalidFields(faults)
        return read

    return Kind(check, {"type": "array", "items": kind.schema, "maxItems": most})


class TextBody(Fields):
    """A body of text fields and flags, with the error messages of the specification (section 7).

    Only the first broken rule is reported. Unknown fields are ignored, and an optional field may
    be null.
    """

    media_type = JSON
    most_bytes = MOST_BYTES
    missing, not_text = "field_missing", "field_not_text"  # error codes

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Self:
        for name, (_, field) in cls.fields.items():
            if field.default is REQUIRED and _is_blank(body.get(name)):
                raise RequestRefused(cls.missing, field=name)
        kinds = {name: field.kind for name, field in cls.fields.values()}
        given = {name: body[name] for name in kinds if body.get(name) is not None}
        for name, value in given.items():
            if kinds[name].schema["type"] == "string" and not isinstance(value, str):
                raise RequestRefused(cls.not_text, field=name)
        values = {name: field.default for name, field in cls.fields.values()}
        for name, value in given.items():
            try:
                values[name] = kinds[name].check(value)
            except Fault as fault:
                raise InvalidFields(
                    {name: fault}, message=f"Field {fault}: {name}"
                ) from None
        return cls(values)


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())
