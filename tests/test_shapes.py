"""A list in an answer has the same JSON as its rows have one by one."""

from types import SimpleNamespace

import pytest

from reservation.http.replies import json_text
from reservation.operations.properties import COUNT, ID, OPTIONAL_ID, instant, nested, text
from reservation.operations.shapes import Property, Shape

OWNER = Shape("Owner", {"nom": Property(text(), source="owner_nom")})
SHAPE = Shape(
    "Row",
    {
        "id": ID,
        "creneau_id": OPTIONAL_ID,
        "nom": text(),
        "telephone": {"type": ["string", "null"]},
        "debut": instant("2030-06-04T09:00:00+02:00"),
        "fin": instant("2030-06-04T09:00:00+02:00", nullable=True),
        "motif": Property(text(), optional=True),
        "actif": Property({"type": "boolean"}, bool),
        "owner": nested(OWNER),
        "places_restantes": Property(COUNT, source="left"),
    },
)
ROW = {
    "id": 1, "creneau_id": 2, "nom": "Chloé", "telephone": "06", "debut": 0, "fin": 1,
    "motif": "complet", "actif": 1, "owner_nom": "Alice", "left": 3, "fuseau": "Europe/Paris",
}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"nom": '100 % "été"\n\\ %s {0} \u2028 \x1f \N{GRINNING FACE}'},
        {"creneau_id": None, "telephone": None, "fin": None, "motif": None, "actif": 0},
        {"fuseau": "Asia/Kolkata", "debut": 10**9, "left": 0, "motif": "%"},
    ],
)
def test_a_row_in_a_list_has_the_json_of_the_row_alone(changes):
    rows = [SimpleNamespace(**ROW), SimpleNamespace(**{**ROW, **changes})]
    assert list(SHAPE.texts(rows)) == [json_text(SHAPE.show(row)) for row in rows]


def test_an_empty_list_has_no_rows():
    assert list(SHAPE.texts([])) == []
