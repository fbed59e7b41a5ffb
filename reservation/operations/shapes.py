"""The objects that answers hold: one declaration gives the JSON of a row and its JSON Schema.

A property of a shape is named as the attribute of the row that it shows; its JSON name is in
camelCase.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from reservation.lib.instants import to_iso, zone_of
from reservation.operations.fields import Fields, camel
from reservation.operations.schemas import Json, Named, Schema, schema_of_field


@dataclass(frozen=True)
class Property:
    """`source` is the path of attributes to the value if it is not the name of the property;
    "" is the row itself. `zone` is the path to the name of the time zone of an instant. The
    answer omits an optional property that is None."""

    schema: Schema
    show: Callable[[Any], Any] | None = None
    source: str | None = None
    optional: bool = False
    zone: str = ""

    def reader(self, name: str) -> Callable[[Any], Any]:
        """Returns the function that reads the JSON value from a row."""
        source, show = name if self.source is None else self.source, self.show
        get = attrgetter(source) if source else lambda row: row
        if self.zone:
            zone = attrgetter(self.zone)
            return lambda row: _instant(get(row), zone(row))
        if show is None:
            return get
        return lambda row: None if (value := get(row)) is None else show(value)


Properties = Mapping[str, Property | Schema]


class Shape(Named):
    """An object that answers hold."""

    def __init__(self, name: str, properties: Properties) -> None:
        self.properties = {
            name: one if isinstance(one, Property) else Property(one)
            for name, one in properties.items()
        }
        required = [camel(key) for key, one in self.properties.items() if not one.optional]
        schemas = {camel(key): one.schema for key, one in self.properties.items()}
        super().__init__(name, {"type": "object", "properties": schemas, "required": required})
        self._readers = [
            (camel(key), one.reader(key), one.optional)
            for key, one in self.properties.items()
        ]

    def show(self, row: Any) -> Json:
        """Returns the JSON of a row; a dict is JSON already."""
        if type(row) is dict:
            return row
        shown = {}
        for name, read, optional in self._readers:
            value = read(row)
            if value is not None or not optional:
                shown[name] = value
        return shown


def plain(name: str, optional: tuple[str, ...] = (), /, **properties: Schema) -> Named:
    """An object that a responder returns as a dict, with these JSON names."""
    required = [key for key in properties if key not in optional]
    return Named(name, {"type": "object", "properties": properties, "required": required})


class Many(dict[str, Any]):
    """A list of objects of a shape."""

    def __init__(self, items: Schema) -> None:
        super().__init__({"type": "array", "items": items})

    def show(self, rows: Any) -> list[Any]:
        items = self["items"]
        return [items.show(row) for row in rows] if isinstance(items, Shape) else list(rows)


@lru_cache(maxsize=16384)  # the same instants are shown again and again
def _instant(value: int | None, zone: str) -> str | None:
    return None if value is None else to_iso(value, zone_of(zone))


def within(path: str, properties: Properties, zone: str = "") -> dict[str, Property]:
    """Returns the same properties, of an object that is the attribute `path` of the row.
    `zone` is the path to the time zone if it is not in that object."""
    made = {}
    for name, one in properties.items():
        known = one if isinstance(one, Property) else Property(one)
        source = name if known.source is None else known.source
        of_zone = known.zone and (zone or f"{path}.{known.zone}")
        made[name] = replace(known, source=f"{path}.{source}".rstrip("."), zone=of_zone)
    return made


def nested(shape: Shape, source: str = "", *, optional: bool = False) -> Property:
    """An object within the object; without a source, it is read from the same row."""
    return Property(shape, shape.show, source, optional)


def many(shape: Shape, source: str | None = None) -> Property:
    shapes = Many(shape)
    return Property(shapes, shapes.show, source)


def as_sent(fields: type[Fields], zone: str = "") -> dict[str, Property]:
    """Returns the properties of a row that is answered as it was sent: always there, so without
    default. `zone` is the path to the time zone of its instants."""
    return {
        name: Property(
            _always_there(schema_of_field(field)),
            field.kind.show,
            zone=zone if field.kind.schema.get("format") == "date-time" else "",
        )
        for name, field in fields.fields.values()
    }


def _always_there(schema: Json) -> Json:
    kept = {key: value for key, value in schema.items() if key != "default"}
    return {**kept, "examples": schema.get("examples") or [schema.get("default")]}


# Properties of many shapes.

ID: Schema = {"type": "integer", "minimum": 1, "maximum": 2**63 - 1, "examples": [1]}
OPTIONAL_ID: Schema = {**ID, "type": ["integer", "null"]}
VERSION: Schema = {
    "type": "integer",
    "minimum": 1,
    "examples": [1],
    "description": "Incremented by each change. A change of an older version is refused.",
}
COUNT: Schema = {"type": "integer", "minimum": 0, "examples": [0]}


def text(example: str = "") -> Schema:
    return {"type": "string", "examples": [example]}


def instant(example: str, *, nullable: bool = False, source: str | None = None) -> Property:
    """ISO 8601 with the offset of the time zone `fuseau` of the row."""
    kind = ["string", "null"] if nullable else "string"
    schema = {"type": kind, "format": "date-time", "examples": [example]}
    return Property(schema, source=source, zone="fuseau")
