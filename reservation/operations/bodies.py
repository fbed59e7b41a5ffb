"""The fields of bodies: of JSON objects, and of the texts of the specification's groups."""

from collections.abc import Mapping
from typing import Any, Self

from reservation.errors import Fault, InvalidInput
from reservation.http.codes import InvalidFields, RequestRefused
from reservation.operations.fields import IS_REQUIRED, REQUIRED, UNKNOWN, Fields, camel, wrong_type

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


class Body(Fields):
    """A JSON object. Every wrong field is reported, and every unknown one."""

    media_type = JSON
    closed = True
    most = 0  # entries, if the body is a list of such objects

    @staticmethod
    def json_name(attribute: str) -> str:
        return camel(attribute)

    @classmethod
    def read(cls, body: Any) -> Self:
        """Raises InvalidInput with a fault for each wrong field, by JSON name."""
        if not isinstance(body, dict):
            raise wrong_type("object")
        values: dict[str, Any] = {}
        faults = {key: UNKNOWN for key in body if key not in cls.fields}
        for key, (name, field) in cls.fields.items():
            if key in body:
                with collecting(faults, key):
                    values[name] = field.checked(body[key])
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
        """Reads a list of such objects; the fault of a field has the key `<number>.<field>`."""
        if len(rows) > cls.most:
            raise RequestRefused("too_many_entries", max=cls.most)
        read: list[Self] = []
        faults: dict[str, Fault] = {}
        for number, row in enumerate(rows):
            with collecting(faults, str(number)):
                read.append(cls.read(row))
        if faults:
            raise InvalidFields(faults)
        return read


class TextBody(Fields):
    """The texts of a body, refused in the words of the specification (section 7).

    Only the first broken rule is reported: a missing or blank field, in the order of the
    class; then a value that is not text; then what the kind of a field refuses. Unknown fields
    are ignored, an optional field may be null, and attributes are JSON names.
    """

    media_type = JSON
    missing, not_text = "field_missing", "field_not_text"  # codes

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Self:
        for name, (_, field) in cls.fields.items():
            if field.default is REQUIRED and _is_blank(body.get(name)):
                raise RequestRefused(cls.missing, field=name)
        given = {name: body[name] for name in cls.fields if body.get(name) is not None}
        for name, value in given.items():
            if not isinstance(value, str):
                raise RequestRefused(cls.not_text, field=name)
        values = {name: field.default for name, field in cls.fields.values()}
        for name, value in given.items():
            try:
                values[name] = cls.fields[name][1].kind.check(value)
            except Fault as fault:
                raise InvalidFields(
                    {name: fault}, message=f"Field {fault}: {name}"
                ) from None
        return cls(values)


class collecting:  # noqa: N801
    """Collects the fault of a field, or those within it, instead of raising."""

    def __init__(self, faults: dict[str, Fault], key: str) -> None:
        self.faults, self.key = faults, key

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: Any, ex: BaseException | None, _trace: Any) -> bool:
        if isinstance(ex, Fault):
            self.faults[self.key] = ex
        elif isinstance(ex, InvalidInput):
            self.faults |= {f"{self.key}.{name}": one for name, one in ex.faults.items()}
        else:
            return False
        return True


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())
