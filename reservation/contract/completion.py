"""The lists to complete from: specification, section 4.3."""

from reservation.contract.answers import Answer
from reservation.contract.operation import Operation
from reservation.http.fields import Field
from reservation.http.queries import ANY_WORDS
from reservation.http.schemas import array

QUERY = {"q": Field(ANY_WORDS, default="", doc="The beginning that was typed.")}


def _names(id: str, summary: str, example: str) -> Operation:
    names = array({"type": "string", "examples": [example]})
    return Operation(
        id,
        summary,
        query=QUERY,
        headers=("If-None-Match",),
        answers={200: Answer("Names, whatever their accents.", names, headers=("ETag",))},
        database=False,
    )


SERVICES = _names("completeServices", "Services, at most 20 with `q`, else all", "Coloration")
VILLES = _names("completeVilles", "Cities of France, at most 15 with `q`, else 100", "Lyon")
