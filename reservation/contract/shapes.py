"""Schemas of values that many answers hold."""

from reservation.http.kinds import REFERENCE
from reservation.http.schemas import Schema, shown

ID: Schema = {**REFERENCE.schema, "examples": [1]}
OPTIONAL_ID: Schema = {**REFERENCE.schema, "type": ["integer", "null"], "examples": [1]}
VERSION: Schema = {
    "type": "integer",
    "minimum": 1,
    "examples": [1],
    "description": "Grows by one with each change; a change to an older one is refused.",
}
COUNT: Schema = {"type": "integer", "minimum": 0, "examples": [0]}


def text(example: str = "") -> Schema:
    return {"type": "string", "examples": [example]}


def instant(example: str, *, optional: bool = False) -> Schema:
    """ISO 8601 with the offset of the business's zone, in whole seconds."""
    kind = ["string", "null"] if optional else "string"
    return {"type": kind, "format": "date-time", "examples": [example]}


def named(name: str, example: str) -> Schema:
    """What an answer says of a thing that it refers to."""
    return shown(name, {"id": ID, "nom": text(example)})
