"""Operations of the API. The decorator `@operation` turns a responder into an operation.

A responder gets its arguments by the names of its parameters:

- `account` is the caller. An operation requires a bearer token if it has `roles`, if the responder
  has this parameter, or if `subject` takes the caller.
- `query` and `body` are validated objects of the annotated class. `list[X]` is a JSON list.
- `version` is the version that the client wants to change. With the annotation `int | None`, None
  stands for any version. With the annotation `int`, a responder may be called again: see
  `versions.changed`.
- `now` is the time in Unix seconds. `req` and `resp` are the request and the response.
- Without `subject` in `@operation`, any other name is a parameter of the path, such as `id`.
- `subject`, if given, is a function that finds an object by the id in the path. The responder may
  then have one parameter of any other name: this object.

The schema of the declared answer converts the return value of the responder to JSON.
"""

import inspect
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, get_args, get_origin

import falcon

from reservation.domain.people.sessions import Account
from reservation.http import replies
from reservation.http.bearer import require_account, require_account_or_link, require_role
from reservation.http.bodies import read_form, read_json, read_octets
from reservation.http.conditional import add_tag
from reservation.http.errors import ErrorShape, errors_as
from reservation.operations import versions
from reservation.operations.answers import Answer
from reservation.operations.bodies import FORM, Body, Octets, TextBody
from reservation.operations.fields import Query
from reservation.operations.queries import Page, link_next
from reservation.operations.schemas import Schema, schema_of
from reservation.operations.shapes import Many, Shape

_PROVIDED = {
    "account": lambda req, _resp: req.context.account,
    "now": lambda _req, _resp: int(time.time()),
    "req": lambda req, _resp: req,
    "resp": lambda _req, resp: resp,
}


class Operation(NamedTuple):
    """A declared operation. `answers` and `refuses` are dictionaries {status: answer}. `headers`
    are names of request headers."""

    id: str
    summary: str
    answers: dict[int, Answer]
    refuses: dict[int, Answer]
    account: bool
    limited: bool  # refuses some callers: 403, or 404 if `hidden`
    query: type[Query] | None
    body: type[Body] | type[TextBody] | type[Octets] | None
    body_is_list: bool
    versioned: bool
    description: str = ""
    headers: tuple[str, ...] = ()
    database: bool = True  # needs the database, so it may answer 503
    hidden: bool = False
    links: bool = False  # also accepts the token in a link to a booking
    tagged: bool = True  # the answer to a GET has an ETag

    @property
    def body_schema(self) -> Schema:
        body: Any = self.body
        schema = body.schema if issubclass(body, Octets) else schema_of(body)
        return {**Many(schema), "maxItems": body.most} if self.body_is_list else schema

    def read_body(self, req: falcon.Request) -> Any:
        body: Any = self.body
        if issubclass(body, Octets):
            return body(read_octets(req, body.most_bytes))
        if self.body_is_list:
            return body.read_list(read_json(req, list))
        is_form = body.media_type == FORM
        return body.read(read_form(req) if is_form else read_json(req, most=body.most_bytes))

    def answer(self, req: falcon.Request, resp: falcon.Response, value: Any) -> None:
        answer = self.answers[resp.status_code]
        if "Cache-Control" in answer.headers:
            resp.set_header("Cache-Control", "no-store")
        if isinstance(value, Page):
            if value.following:
                link_next(req, resp, **value.following)
            value = value.rows
        shape = answer.schema
        if isinstance(value, bytes):
            resp.content_type, resp.data = f"{answer.media_type}; charset=utf-8", value
        elif isinstance(shape, Many):
            resp.content_type, resp.data = replies.JSON, shape.to_json(value)
        elif value is not None:
            shown: Any = shape.show(value) if isinstance(shape, Shape) else value
            if answer.has_version:
                resp.etag = f"v{shown['version']}"
            if answer.location:
                resp.location = req.root_path + answer.location.format_map(shown)
            replies.as_json(resp, shown)
        if self.tagged:
            add_tag(req, resp)


def operation(
    id: str,
    summary: str,
    *answers: Answer,
    subject: Callable[..., Any] | None = None,
    roles: tuple[str, ...] = (),
    refuses: tuple[Answer, ...] = (),
    errors: ErrorShape | None = None,
    **attributes: Any,
) -> Callable[[Any], Any]:
    """Returns a decorator for a responder. The response has the status of the first answer, unless
    the responder sets `resp.status`.

    `subject(db, account, id)` or `subject(db, id)` returns the object with this id.
    """

    def declare(responder: Any) -> Any:
        takes = inspect.get_annotations(responder)
        asks = subject is not None and Account in inspect.get_annotations(subject).values()
        made = Operation(
            id, summary, _by_status(answers), _by_status(refuses),
            account=bool(roles) or "account" in takes or asks,
            limited=bool(roles) or asks,
            query=takes.get("query"),
            versioned="version" in takes,
            **_body(takes.get("body")),
            **attributes,
        )
        run = _runner(made, responder, subject, asks)
        if roles:
            run = falcon.before(require_role(*roles))(run)
        if made.account:
            run = falcon.before(require_account_or_link if made.links else require_account)(run)
        if errors:
            run = falcon.before(errors_as(errors))(run)
        run.operation = made
        return run

    return declare


def _by_status(answers: Iterable[Answer]) -> dict[int, Answer]:
    return {answer.status: answer for answer in answers}


def _body(annotation: Any) -> dict[str, Any]:
    is_list = get_origin(annotation) is list
    body = get_args(annotation)[0] if is_list else annotation
    return {"body": body, "body_is_list": is_list}


def _runner(made: Operation, responder: Any, subject: Any, asks: bool) -> Any:
    """Returns the function that Falcon calls. If `asks`, passes the caller to `subject`."""
    takes = inspect.get_annotations(responder)
    status = falcon.code_to_http_status(next(iter(made.answers)))
    provided = [(name, _PROVIDED[name]) for name in takes if name in _PROVIDED]
    special = {"return", "query", "body", "version", *_PROVIDED}
    named = next((name for name in takes if name not in special), "")
    is_repeatable = takes.get("version") is int

    def run(resource: Any, req: falcon.Request, resp: falcon.Response, **given: Any) -> None:
        found: Any = None
        if subject:  # first, so that its refusals precede those of the query and the body
            caller = (req.context.account,) if asks else ()
            find = partial(subject, resource.db, *caller, *given.values())
            found = find()
            given = {named: found} if named else {}
        if made.query:
            given["query"] = made.query.read(req.params)
        if made.body:
            given["body"] = made.read_body(req)
        for name, provide in provided:
            given[name] = provide(req, resp)
        resp.status = status
        respond = partial(responder, resource, **given)
        if not made.versioned:
            answer = respond()
        elif is_repeatable:
            answer = versions.changed(
                req, given.get("body"), found, find,
                lambda one, version: respond(**{named: one}, version=version),
            )
        else:
            answer = respond(version=versions.matched(req, found.version))
        made.answer(req, resp, answer)

    run.__doc__ = responder.__doc__
    return run
