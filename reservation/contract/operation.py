"""One operation: what may be sent to a path by a method, and what may come back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reservation.contract.answers import JSON, Answer
from reservation.http.fields import Table
from reservation.http.schemas import Schema


@dataclass(frozen=True)
class Body:
    schema: Schema
    media_type: str = JSON
    required: bool = True


@dataclass(frozen=True)
class Operation:
    """`answers` are the good ones, `refuses` the refusals beside those that every operation
    of its kind has (document.refusals_of)."""

    id: str
    summary: str
    answers: Mapping[int, Answer]
    refuses: Mapping[int, Answer] = field(default_factory=dict)
    query: Table = field(default_factory=dict)
    body: Body | None = None
    account: bool = False  # wants a bearer token
    headers: tuple[str, ...] = ()  # that may be sent: names of document.PARAMETERS
    description: str = ""
    database: bool = True  # answers 503 without it


def operation(described: Operation) -> Callable[[Any], Any]:
    """A decorator: this responder does what is described."""

    def mark(responder: Any) -> Any:
        responder.operation = described
        return responder

    return mark
