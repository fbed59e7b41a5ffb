"""Whether the process answers, and whether it can do its work; and this document."""

from reservation.contract.answers import Answer
from reservation.contract.operation import Operation
from reservation.http.schemas import shown

_OK = shown("Status", {"status": {"type": "string", "enum": ["ok"]}})

HEALTH = Operation(
    "health", "The process answers", answers={200: Answer("It does.", _OK)}, database=False
)
READY = Operation("ready", "The database answers too", answers={200: Answer("It does.", _OK)})
DOCUMENT = Operation(
    "readDocument",
    "This document",
    headers=("If-None-Match",),
    answers={
        200: Answer("OpenAPI 3.1.", {"type": "object", "examples": [{}]}, headers=("ETag",))
    },
    database=False,
)
