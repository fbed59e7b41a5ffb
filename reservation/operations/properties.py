"""Common properties of shapes, and functions that make properties."""

from datetime import date

from reservation.operations.fields import Fields
from reservation.operations.kinds import REFERENCE
from reservation.operations.schemas import Json, Schema, schema_of_field
from reservation.operations.shapes import Many, Properties, Property, Shape


def within(path: str, properties: Properties, zone: str = "") -> dict[str, Property]:
    """Returns copies of `properties` that read from `row.<path>` instead of `row`.

    `zone` is the attribute path from `row` to the time zone of instants. Without `zone`, the time
    zone is read from `row.<path>`, like the other values.
    """
    made = {}
    for name, one in properties.items():
        known = one if isinstance(one, Property) else Property(one)
        source = name if known.source is None else known.source
        of_zone = known.zone and (zone or f"{path}.{known.zone}")
        presence = known.presence and f"{path}.{known.presence}"
        made[name] = known._replace(
            source=f"{path}.{source}".rstrip("."), zone=of_zone, presence=presence
        )
    return made


def nested(
    shape: Shape, source: str = "", *, optional: bool = False, presence: str = ""
) -> Property:
    """Returns a property whose value is a JSON object. `source` is the attribute path to the
    object; "" means the row itself. For `presence`, see Property."""
    return Property(shape, shape.show, source, optional or bool(presence), presence=presence)


def many(shape: Shape, source: str | None = None, *, nullable: bool = False) -> Property:
    shapes = Many(shape)
    schema = {**shapes, "type": ["array", "null"]} if nullable else shapes
    return Property(schema, shapes.show, source)


def count(source: str, description: str = "") -> Property:
    documented = {"description": description} if description else {}
    return Property({**COUNT, **documented}, source=source)


def day(description: str, source: str | None = None) -> Property:
    schema = {"type": "string", "format": "date", "examples": ["2030-06-03"]}
    return Property({**schema, "description": description}, date.isoformat, source)


def as_sent(fields: type[Fields], zone: str = "") -> dict[str, Property]:
    """Returns a property of the answer for each field of the request body `fields`. The answer
    shows the value in the same format as the request.

    `zone` is the attribute path from the row to the time zone in which instants are shown.
    """
    return {
        name: Property(
            _without_default(schema_of_field(field)),
            field.kind.show,
            zone=zone if field.kind.schema.get("format") == "date-time" else "",
        )
        for name, field in fields.fields.values()
    }


def _without_default(schema: Json) -> Json:
    kept = {key: value for key, value in schema.items() if key != "default"}
    return {**kept, "examples": schema.get("examples") or [schema.get("default")]}


# Common schemas of properties.

ID: Schema = {**REFERENCE.schema, "examples": [1]}
OPTIONAL_ID: Schema = {**ID, "type": ["integer", "null"]}
VERSION: Schema = {
    "type": "integer",
    "minimum": 1,
    "examples": [1],
    "description": "Incremented by each change. A change to an older version is refused.",
}
COUNT: Schema = {"type": "integer", "minimum": 0, "examples": [0]}


def text(example: str = "") -> Schema:
    return {"type": "string", "examples": [example]}


def instant(example: str, *, nullable: bool = False, source: str | None = None) -> Property:
    """Returns a property that shows an instant in ISO 8601, in the time zone `row.fuseau`."""
    kind = ["string", "null"] if nullable else "string"
    schema = {"type": kind, "format": "date-time", "examples": [example]}
    return Property(schema, source=source, zone="fuseau")
