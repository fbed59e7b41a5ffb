"""A list in an answer has the same JSON as its rows have one by one."""

from types import SimpleNamespace

import pytest

from reservation.http.replies import json_text
from reservation.operations.properties import (  # fmt: skip
    COUNT,
    ID,
    OPTIONAL_ID,
    instant,
    nested,
    text,
    within,
)
from reservation.operations.shapes import Property, Shape

OWNER = Shape("Owner", {"nom": Property(text(), source="owner_nom")})
PERSON = Shape("Person", {"nom": Property(text(), source="person_nom")})
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
        "person": nested(PERSON, presence="person_nom"),
        "places_restantes": Property(COUNT, source="left"),
    },
)
ROW = {
    "id": 1, "creneau_id": 2, "nom": "Chloé", "telephone": "06", "debut": 0, "fin": 1,
    "motif": "complet", "actif": 1, "owner_nom": "Alice", "person_nom": "Léa",
    "left": 3, "fuseau": "Europe/Paris",
}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"nom": '100 % "été"\n\\ %s {0} \u2028 \x1f \N{GRINNING FACE}'},
        {"creneau_id": None, "telephone": None, "fin": None, "motif": None, "actif": 0},
        {"fuseau": "Asia/Kolkata", "debut": 10**9, "left": 0, "motif": "%", "person_nom": "%s"},
        {"person_nom": ""},
        {"person_nom": None},
    ],
)
def test_a_row_in_a_list_has_the_json_of_the_row_alone(changes):
    rows = [SimpleNamespace(**ROW), SimpleNamespace(**{**ROW, **changes})]
    assert list(SHAPE.texts(rows)) == [json_text(SHAPE.show(row)) for row in rows]


def test_an_empty_list_has_no_rows():
    assert list(SHAPE.texts([])) == []


def test_an_object_without_presence_is_omitted():
    named, unnamed = (SimpleNamespace(**{**ROW, "person_nom": nom}) for nom in ("Léa", ""))
    assert SHAPE.show(named)["person"] == {"nom": "Léa"}
    assert "person" not in SHAPE.show(unnamed)
    around = Shape("Around", within("row", SHAPE.properties))
    rows = [SimpleNamespace(row=named), SimpleNamespace(row=unnamed)]
    assert list(around.texts(rows)) == list(SHAPE.texts([named, unnamed]))
