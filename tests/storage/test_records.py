"""Each record class declares the columns of its SELECT."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import pytest

from reservation.errors import NotFound
from reservation.storage import records
from reservation.storage.models import Entreprise, Prestation
from tests.engines import on_mariadb


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


def test_a_row_is_found_as_peewee_reads_it(db, salon):
    expected = Entreprise.select().where(Entreprise.id == salon.id).get(db)
    assert records.get(db, Entreprise, salon.id).__data__ == expected.__data__
    assert expected.actif is True
    with pytest.raises(NotFound):
        records.get(db, Entreprise, salon.id + 1)


def test_rows_by_id_have_the_names_of_the_columns(db, salon):
    found = records.rows_by_id(db, Prestation, [salon.couleur, salon.couleur + 1])
    assert list(found) == [salon.couleur]
    service = found[salon.couleur]
    assert (service.id, service.nom, service.entreprise_id, service.actif) == (
        salon.couleur, "Coloration", salon.id, 1
    )
    assert records.rows_by_id(db, Prestation, []) == {}


TEXTS = [
    "", "été", '"', "\\", "\0", "a\nb\r\tc", "\x01\x1f\x7f", "\u2028\u2029", "🙂", "null", "[1, 2]",
    '{"a": "b"}', "</script>", "%s ?", "x" * 16_000,
]  # fmt: skip


def test_many_rows_have_the_values_that_rows_have(db, salon):
    for text in TEXTS:
        Prestation.insert(
            entreprise=salon.id, nom="", nom_cle="", description=text, duree_minutes=30,
            duree_max_minutes=30,
        ).execute(db)
    columns, source = "p.id, p.description, p.actif, p.categorie, e.fuseau, p.id > 0 AND NULL", (
        "FROM prestation p JOIN entreprise e ON e.id = p.entreprise_id WHERE p.entreprise_id = ?"
    )
    packed = db.many_rows(columns, source, salon.id)
    assert sorted(map(repr, map(tuple, packed))) == sorted(
        map(repr, db.rows(f"SELECT {columns} {source}", salon.id))
    )
    assert {row[1] for row in packed} >= set(TEXTS)
    assert list(db.many_rows(columns, source, salon.id + 1)) == []


@on_mariadb
def test_many_rows_are_complete_if_the_server_cuts_the_text(db, salon):
    numbers = " UNION ALL ".join(f"SELECT {number} AS n" for number in range(10, 30))
    rows = [[number] for number in range(10, 30)]  # "[10],[11],…": a cut can be valid JSON
    for length in (4, 5, 9, 10, 11, 100, 119, 120):
        db.write(f"SET SESSION group_concat_max_len = {length}")
        assert sorted(db.many_rows("n", f"FROM ({numbers}) AS numbers")) == rows
