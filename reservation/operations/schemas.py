"""JSON Schemas of fields."""

from collections.abc import Mapping
from typing import Any

from reservation.operations.fields import REQUIRED, Field, Fields

Json = dict[str, Any]
Schema = Mapping[str, Any]


class Named(dict[str, Any]):
    """A schema that is in `components/schemas` of the OpenAPI document."""

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__(schema)
        self.name = name


def schema_of(fields: type[Fields]) -> Named:
    table = fields.fields
    schema: Json = {
        "type": "object",
        "properties": {key: schema_of_field(field) for key, (_, field) in table.items()},
    }
    needed = [key for key, (_, field) in table.items() if field.default is REQUIRED]
    if needed and not fields.partial:
        schema["required"] = needed
    if fields.closed:
        schema["additionalProperties"] = False
    return Named(fields.__name__, schema)


def schema_of_field(field: Field[Any]) -> Json:
    schema = _nullable(field.kind.schema) if field.nullable else dict(field.kind.schema)
    if field.default is not REQUIRED and (field.nullable or field.default is not None):
        schema["default"] = field.default
    if field.example is not None:
        schema["examples"] = [field.example]
    if field.doc:
        schema["description"] = field.doc
    return schema


def _nullable(schema: Schema) -> Json:
    if isinstance(schema, Named):
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def example(schema: Schema) -> Any:
    if schema.get("examples"):
        return schema["examples"][0]
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(schema["anyOf"][0])
    if "array" in schema.get("type", ""):
        return [example(schema["items"])]
    return {key: example(one) for key, one in schema["properties"].items()}
