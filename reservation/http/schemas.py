"""JSON Schemas made of tables of fields, and the schemas of what is answered."""

from collections.abc import Mapping
from typing import Any

from reservation.http.fields import REQUIRED, Field, Table

Schema = Mapping[str, Any]


class Named(dict[str, Any]):
    """A schema with a name of its own, which the document keeps among its components."""

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__(schema)
        self.name = name


def of_table(name: str, table: Table, partial: bool = False, closed: bool = True) -> Named:
    """The object that a table reads; with `partial` nothing in it is required."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: of_field(field) for key, field in table.items()},
    }
    needed = [key for key, field in table.items() if field.default is REQUIRED]
    if needed and not partial:
        schema["required"] = needed
    if closed:
        schema["additionalProperties"] = False
    return Named(name, schema)


def of_field(field: Field) -> Schema:
    schema = nullable(field.kind.schema) if field.nullable else dict(field.kind.schema)
    if field.default is not REQUIRED and (field.nullable or field.default is not None):
        schema["default"] = field.default
    if field.example is not None:
        schema["examples"] = [field.example]
    if field.doc:
        schema["description"] = field.doc
    return schema


def nullable(schema: Schema) -> dict[str, Any]:
    if isinstance(schema, Named):
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def shown(name: str, properties: Mapping[str, Schema], optional: tuple[str, ...] = ()) -> Named:
    """An object that is answered; all its keys are there but the `optional` ones."""
    return Named(
        name,
        {
            "type": "object",
            "properties": dict(properties),
            "required": [key for key in properties if key not in optional],
        },
    )


def as_shown(table: Table) -> dict[str, Schema]:
    """The properties of what is answered as it was sent: always there, so without default."""
    return {key: _always_there(of_field(field)) for key, field in table.items()}


def _always_there(schema: Schema) -> Schema:
    kept = {key: value for key, value in schema.items() if key != "default"}
    return {**kept, "examples": schema.get("examples") or [schema.get("default")]}


def array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def example(schema: Schema) -> Any:
    """One value that a schema describes, of the examples and defaults within it."""
    if schema.get("examples"):
        return schema["examples"][0]
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(schema["anyOf"][0])
    if schema.get("type") == "array":
        return [example(schema["items"])]
    return {key: example(one) for key, one in schema["properties"].items()}
