"""The OpenAPI 3.1 document, made of the operations that the responders of the routes carry."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from reservation.contract.answers import CODE, Answer, refusals
from reservation.contract.operation import Operation
from reservation.http import schemas
from reservation.http.fields import REQUIRED, Table
from reservation.http.kinds import REFERENCE
from reservation.http.schemas import Named, Schema

METHODS = ("get", "post", "put", "delete")
Json = dict[str, Any]

_ABOUT = """\
Businesses publish their weekly opening and their services; customers find a time and book it.

The nouns of the domain are French: an `entreprise` offers `prestations`, its calendar is made of
`creneaux`, and a customer makes a `reservation`. Times are ISO 8601 with an offset, money is in
cents. Lists are pages: the header `Link` names the next one.

Each refusal has the header `X-Error-Code`. The body repeats the code as `code`, except for a few
messages that stand alone as `error`. `champs` gives a code for each refused field.

To try a booking: `login`, paste the `token` into Authorize, find a time with `listCreneaux` and
call `createReservation`.
"""
HEADERS: dict[str, tuple[str, str]] = {
    "Cache-Control": ("The answer holds a token, which no cache may store.", "no-store"),
    "ETag": ("Names this state of the answer, for If-None-Match and If-Match.", '"v3.8c1f"'),
    "Link": ("The next page, where there is one.", '</api/prestations?apres=NTA>; rel="next"'),
    "Location": ("Where the new thing is.", "/api/reservations/1"),
    "X-Error-Code": ("The code of the refusal.", "invalid_input"),
    "Retry-After": ("Seconds to wait before it is asked again.", "5"),
    "WWW-Authenticate": ("Bearer", "Bearer"),
}
PARAMETERS: dict[str, Schema] = {
    "Accept-Language": {
        "description": "Messages come in English where it prefers that, else in French.",
        "schema": {"type": "string"},
        "example": "en-GB, en;q=0.9, fr;q=0.5",
    },
    "If-None-Match": {
        "description": "ETags of answers that are known: where one is still right, 304.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": "The ETag of the version to change: where it has changed since, 412.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "description": "Makes a request safe to send again: the same key books once.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,100}$"},
        "example": "6f1c2d9a-tuesday",
    },
}
_PATH_PARAMETERS: dict[str, Schema] = {
    "id": {**REFERENCE.schema, "examples": [1]},
    "jeton": {"type": "string", "examples": ["u1-1-mEWfCfOC3Bp0CW3YGuWXFA"]},
}


def document(routes: Iterable[tuple[str, Any]], prefix: str = "") -> Json:
    """The document of `(path, resource)` pairs that are served below a prefix."""
    components: Json = {"schemas": {}, "responses": {}}
    paths = {
        re.sub(r"\{(\w+):\w+\}", r"{\1}", path): {
            method: _operation(path, responder.operation, components)
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
            **{kind: dict(sorted(named.items())) for kind, named in components.items()},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
    }


def _operation(path: str, told: Operation, components: Json) -> Json:
    answers = {**told.answers, **refusals_of(path, told)}
    made: Json = {
        "operationId": _id(path, told),
        "summary": told.summary,
        "tags": [_tag(path)],
        "parameters": _parameters(path, told, components),
        "responses": {
            str(status): _answer(answer, components) for status, answer in sorted(answers.items())
        },
    }
    if told.description:
        made["description"] = told.description
    if told.body:
        made["requestBody"] = {
            "required": told.body.required,
            "content": _content(told.body.media_type, told.body.schema, components),
        }
    if told.account:
        made["security"] = [{"bearer": []}]
    return made


def refusals_of(path: str, told: Operation) -> Mapping[int, Answer]:
    """The refusals of an operation, with those that follow from what it is."""
    found = [400, 500]  # a query parameter that stands twice is refused everywhere
    if told.account:
        found += [401, 419]
    if told.body:
        found += [413, 415]
    if "{" in path:
        found += [404]
    if {"If-Match", "If-None-Match"} & set(told.headers):
        found += [412]
    if told.database:
        found += [503]
    made = {
        status: replace(answer, headers=(*answer.headers, "X-Error-Code"))
        for status, answer in {**refusals(*found), **told.refuses}.items()
    }
    if _has_tag(told):
        made[304] = Answer("What If-None-Match names is still right.", headers=("ETag",))
    return made


def _has_tag(told: Operation) -> bool:
    return 200 in told.answers and "If-None-Match" in told.headers


def _id(path: str, told: Operation) -> str:
    """The account group stands below two prefixes; an operationId is there once."""
    return f"api{told.id[0].upper()}{told.id[1:]}" if path.startswith("/api/auth/") else told.id


def _tag(path: str) -> str:
    """The noun that a path is about."""
    words = re.findall(r"/([a-z_]+)", path.removeprefix("/api"))
    return str(words[1] if words[0] == "entreprises" and len(words) > 1 else words[0])


def _parameters(path: str, told: Operation, components: Json) -> list[Json]:
    found: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": dict(_PATH_PARAMETERS[name])}
        for name in re.findall(r"\{(\w+)", path)
    ]
    found += _query(told.query, components)
    found += [{"name": name, "in": "header", **PARAMETERS[name]} for name in told.headers]
    return found


def _query(table: Table, components: Json) -> list[Json]:
    found = []
    for name, field in table.items():
        schema = dict(schemas.of_field(field))
        about = {"description": schema.pop("description")} if field.doc else {}
        required = field.default is REQUIRED
        found.append(
            {"name": name, "in": "query", "required": required, **about,
             "schema": _collected(schema, components)}
        )
    return found


def _answer(answer: Answer, components: Json) -> Json:
    if not answer.name:
        return _plain_answer(answer, components)
    components["responses"][answer.name] = _plain_answer(answer, components)
    return {"$ref": f"#/components/responses/{answer.name}"}


def _plain_answer(answer: Answer, components: Json) -> Json:
    made: Json = {"description": answer.description}
    if answer.headers:
        made["headers"] = {name: _header(name, components) for name in answer.headers}
    if answer.schema is not None:
        made["content"] = _content(
            answer.media_type, answer.schema, components, answer.example
        )
    return made


def _header(name: str, components: Json) -> Json:
    description, example = HEADERS[name]
    schema = CODE if name == "X-Error-Code" else {"type": "string"}
    return {
        "description": description,
        "schema": _collected(schema, components),
        "example": example,
    }


def _content(media_type: str, schema: Schema, components: Json, example: Any = None) -> Json:
    shown = schemas.example(schema) if example is None else example
    return {media_type: {"schema": _collected(schema, components), "example": shown}}


def _collected(schema: Any, components: Json) -> Any:
    """The schema as plain JSON; named ones go to the components, and a reference stays."""
    if isinstance(schema, list):
        return [_collected(one, components) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain = {key: _collected(one, components) for key, one in schema.items()}
    if not isinstance(schema, Named):
        return plain
    if components["schemas"].setdefault(schema.name, plain) != plain:
        raise ValueError(f"two schemas have the name {schema.name}")
    return {"$ref": f"#/components/schemas/{schema.name}"}
