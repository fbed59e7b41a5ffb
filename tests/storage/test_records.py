"""Each record class declares the columns of its SELECT."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from reservation.storage import records


class Row(NamedTuple):
    id: int
    nom: str | None
    entreprise_nom: Annotated[str, "e.nom"]


@dataclass(slots=True)
class Mutable:
    id: int
    libres: Annotated[int, "capacite - places_prises"]


def test_a_field_is_the_column_of_its_name_unless_it_says_another():
    assert records.columns(Row, "r") == "r.id, r.nom, e.nom"


def test_without_an_alias_columns_have_no_prefix():
    assert records.columns(Mutable) == "id, capacite - places_prises"


def test_a_row_of_the_columns_makes_the_record(db):
    class Role(NamedTuple):
        id: int
        role: Annotated[str, "nom"]

    (row,) = db.rows(f"SELECT {records.columns(Role)} FROM typeutilisateur WHERE id = ?", 2)
    assert Role(*row) == Role(id=2, role="company")
