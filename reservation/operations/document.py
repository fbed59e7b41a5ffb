"""Builds the OpenAPI 3.1 document from the declared operations."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from reservation.operations import properties, schemas
from reservation.operations.answers import CODE, Answer, refused
from reservation.operations.fields import Query
from reservation.operations.headers import HEADERS, PARAMETERS
from reservation.operations.operation import Operation
from reservation.operations.queries import PageQuery
from reservation.operations.schemas import Json, Named, Schema

METHODS = ("get", "post", "put", "delete")

_BEARER = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
_ABOUT = """\
Businesses publish their weekly hours and services; customers find a time and book it.

The nouns of the domain are French: a business (`entreprise`) offers services (`prestations`), its
calendar consists of slots (`creneaux`), and a customer makes a booking (`reservation`). Times are
ISO 8601 with an offset, in whole seconds, of the years 1970 to 9998. Money is in cents. Lists have
pages: the header `Link` has the next page. Unknown query parameters are ignored.

Each refusal has the header `X-Error-Code`. The body repeats the code as `code`, except for a few
bodies that the specification defines. `champs` gives a code for each refused field.

To book, call `login`, paste `token` into Authorize, call `listCreneaux` and `createReservation`.
"""
_PATH_PARAMETERS: dict[str, Schema] = {
    "id": properties.ID,
    "nom": {"type": "string", "examples": ["mentions-legales"]},
    "jeton": {"type": "string", "examples": ["u1-mEWfCfOC3Bp0CW3YGuWXFAmEWfCfOC3Bp0CW3YGuWXF"]},
}


def document(routes: Iterable[tuple[str, Any]], prefix: str = "") -> Json:
    """Returns the OpenAPI document. Each route is a pair (path below `prefix`, resource class)."""
    components: Json = {"schemas": {}, "responses": {}}
    paths = {
        re.sub(r"\{(\w+):\w+\}", r"{\1}", path): {
            method: _operation(path, method, responder.operation, components)
            for method in METHODS
            if (responder := getattr(resource, f"on_{method}", None))
        }
        for path, resource in routes
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Reservation", "version": "1", "description": _ABOUT},
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {
            "schemas": {name: json for name, (_, json) in sorted(components["schemas"].items())},
            "responses": dict(sorted(components["responses"].items())),
            "securitySchemes": {"bearer": _BEARER},
        },
    }


def _operation(path: str, method: str, operation: Operation, components: Json) -> Json:
    is_tagged = method == "get" and operation.tagged
    answers = {**operation.answers, **_refusals(path, operation, is_tagged)}
    made: Json = {
        "operationId": _id(path, operation),
        "summary": operation.summary,
        "tags": [_tag(path)],
        "parameters": _parameters(path, operation, is_tagged, components),
        "responses": {
            str(status): _answer(answer, _headers(operation, answer, is_tagged), components)
            for status, answer in sorted(answers.items())
        },
    }
    if operation.description:
        made["description"] = operation.description
    if operation.body:
        made["requestBody"] = {
            "required": not operation.body.partial,
            "content": _content(operation.body.media_type, operation.body_schema, components),
        }
    if operation.account:
        made["security"] = [{"bearer": []}]
    return made


def _refusals(path: str, operation: Operation, is_tagged: bool) -> dict[int, Answer]:
    """Returns {status: refusal}: the declared refusals, and the refusals that follow from other
    attributes of the operation, such as 401 if the operation requires an account."""
    found = [400, 500]  # 400: every operation refuses a duplicate query parameter
    if operation.account:
        found += [401, 419]
    if operation.limited and not operation.hidden:
        found += [403]
    if operation.body:
        found += [413, 415]
    if "{" in path:
        found += [404]
    if is_tagged or operation.versioned:
        found += [412]
    if operation.database:
        found += [503]
    made = {**{one.status: one for one in refused(*found)}, **operation.refuses}
    if is_tagged:
        made[304] = Answer(304, "An ETag in If-None-Match is current.", headers=("ETag",))
    return made


def _headers(operation: Operation, answer: Answer, is_tagged: bool) -> list[str]:
    names = [*answer.headers]
    if answer.status >= 400:
        names.append("X-Error-Code")
    if answer.location:
        names.append("Location")
    if answer.has_version or (is_tagged and answer.status == 200):
        names.append("ETag")
    if operation.query and issubclass(operation.query, PageQuery) and answer.status == 200:
        names.append("Link")
    return sorted(set(names))


def _id(path: str, operation: Operation) -> str:
    """Returns a unique operationId, such as `apiLogin` for /api/auth/login."""
    id = operation.id
    return f"api{id[0].upper()}{id[1:]}" if path.startswith("/api/auth/") else id


def _tag(path: str) -> str:
    """Returns a tag, such as `prestations` for `/api/entreprises/{id}/prestations`."""
    words = re.findall(r"/([a-z_]+)", path.removeprefix("/api"))
    return str(words[1] if words[0] == "entreprises" and len(words) > 1 else words[0])


def _parameters(
    path: str, operation: Operation, is_tagged: bool, components: Json
) -> list[Json]:
    found: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": dict(_PATH_PARAMETERS[name])}
        for name in re.findall(r"\{(\w+)", path)
    ]
    if operation.query:
        found += _query(operation.query, components)
    headers = [*operation.headers]
    headers += ["If-None-Match"] * is_tagged + ["If-Match"] * operation.versioned
    found += [{"name": name, "in": "header", **PARAMETERS[name]} for name in headers]
    return found


def _query(query: type[Query], components: Json) -> list[Json]:
    found = []
    for name, (_, field) in query.fields.items():
        schema = schemas.schema_of_field(field)
        about = {"description": schema.pop("description")} if field.doc else {}
        found.append(
            {"name": name, "in": "query", "required": False, **about,
             "schema": _collected(schema, components)}
        )
    return found


def _answer(answer: Answer, headers: Iterable[str], components: Json) -> Json:
    made: Json = {"description": answer.description}
    if headers:
        made["headers"] = {name: _header(name, components) for name in headers}
    if answer.schema is not None:
        made["content"] = _content(
            answer.media_type, answer.schema, components, answer.example
        )
    if not answer.name:
        return made
    components["responses"][answer.name] = made
    return {"$ref": f"#/components/responses/{answer.name}"}


def _header(name: str, components: Json) -> Json:
    description, example = HEADERS[name]
    schema = _collected(CODE if name == "X-Error-Code" else {"type": "string"}, components)
    return {"description": description, "schema": schema, "example": example}


def _content(media_type: str, schema: Schema, components: Json, example: Any = None) -> Json:
    shown = schemas.example(schema) if example is None else example
    return {media_type: {"schema": _collected(schema, components), "example": shown}}


def _collected(schema: Any, components: Json) -> Any:
    """Returns the schema as plain JSON. Replaces named schemas with references, and adds the named
    schemas to `components`, each as a pair (the schema, its plain JSON)."""
    if isinstance(schema, list):
        return [_collected(one, components) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    if not isinstance(schema, Named):
        return {key: _collected(one, components) for key, one in schema.items()}
    known = components["schemas"]
    if schema.name not in known:
        known[schema.name] = schema, _collected(dict(schema), components)
    if known[schema.name][0] != schema:
        raise ValueError(f"two schemas have the name {schema.name}")
    return {"$ref": f"#/components/schemas/{schema.name}"}
