"""Whether the process answers, and can do its work; its metrics; and this document."""

from reservation.contract import shapes
from reservation.contract.answers import TEXT, Answer, refusals
from reservation.contract.operation import Operation
from reservation.http.schemas import shown

_OK = shown("Status", {"status": {"type": "string", "enum": ["ok"]}})

HEALTH = Operation(
    "health", "The process answers", answers={200: Answer("It does.", _OK)}, database=False
)
READY = Operation(
    "ready", "The database can be written to", answers={200: Answer("It can.", _OK)}
)
METRICS = Operation(
    "readMetrics",
    "What Prometheus asks for, where RESERVATION_METRICS is set",
    answers={200: Answer("Its text format.", shapes.text("reservation_database_up 1.0"), TEXT)},
    refuses=refusals(404),
    database=False,
)
DOCUMENT = Operation(
    "readDocument",
    "This document",
    headers=("If-None-Match",),
    answers={
        200: Answer("OpenAPI 3.1.", {"type": "object", "examples": [{}]}, headers=("ETag",))
    },
    database=False,
)
