"""The models match schema.sql on both engines, column by column."""

import re
import sqlite3
import subprocess
import threading

import peewee
import pytest

from reservation.errors import WrongSchema
from reservation.storage import definitions, integrity, schema
from reservation.storage.database import SQLite, connect, forget
from reservation.storage.models import MODELS, Creneau, TypeUtilisateur
from tests import engines
from tests.calendars import calendar_of
from tests.specification.test_storage import TABLES

CRENEAU = {
    "ressource": 1, "debut": 0, "fin": 60, "ouverture": 0, "capacite": 1, "capacite_prevue": 1,
}
TYPES = {
    peewee.AutoField: {"INTEGER", "int(11)", "int"},
    peewee.IntegerField: {"INTEGER", "int(11)", "int"},
    peewee.BigIntegerField: {"BIGINT", "bigint(20)", "bigint"},
    peewee.BooleanField: {"BOOLEAN", "tinyint(1)"},
    peewee.BlobField: {"MEDIUMBLOB", "mediumblob"},
    peewee.DateField: {"DATE", "date"},
    peewee.TextField: {"TEXT", "text"},
    peewee.ForeignKeyField: {"INTEGER", "int(11)", "int"},
}


def columns(db, table):
    """Returns {name: (type, nullable)} as reported by the engine."""
    if isinstance(db, SQLite):
        rows = db.rows(f"PRAGMA table_info({table})")
        return {name: (kind, not notnull) for _, name, kind, notnull, _, _ in rows}
    rows = db.rows(
        "SELECT column_name, column_type, is_nullable FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name = ?",
        table,
    )
    return {name: (kind, nullable == "YES") for name, kind, nullable in rows}


def indexes(db, table):
    """Returns the columns and the uniqueness of each index except the primary key."""
    return {
        (tuple(index.columns), index.unique)
        for index in db.get_indexes(table)
        if index.columns != ["id"]
    }


def test_the_database_has_exactly_these_tables(db):
    assert {name for name in db.get_tables() if not name.startswith("sqlite_")} == TABLES
    assert {model._meta.table_name for model in MODELS} == TABLES - {"schema_version"}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.table_name)
def test_model_and_schema_agree_column_by_column(db, model):
    there = columns(db, model._meta.table_name)
    assert set(there) == {field.column_name for field in model._meta.sorted_fields}
    for field in model._meta.sorted_fields:
        kind, nullable = there[field.column_name]
        assert nullable == field.null, field
        if isinstance(field, peewee.CharField):
            assert kind.lower() == f"varchar({field.max_length})", field
        else:
            assert kind in TYPES[type(field)], field


@pytest.mark.parametrize("name", [model._meta.table_name for model in MODELS])
def test_the_database_has_the_indexes_of_the_schema(db, name):
    table = definitions.wanted()[name]
    declared = {(tuple(columns.split(", ")), True) for columns in integrity.unique_keys(table)}
    for columns in table.indexes.values():
        declared.add((tuple(columns.strip("()").split(", ")), False))
    there = indexes(db, name)
    assert declared <= there
    # A foreign key needs no index if another index starts with it; MySQL may add one anyway.
    assert {index for index in there - declared if index[1]} == set()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.table_name)
def test_model_and_schema_agree_on_foreign_keys(db, model):
    declared = {
        (field.column_name, field.rel_model._meta.table_name)
        for field in model._meta.sorted_fields
        if isinstance(field, peewee.ForeignKeyField)
    }
    there = {(key.column, key.dest_table) for key in db.get_foreign_keys(model._meta.table_name)}
    assert there == declared


def test_a_creneau_never_holds_more_than_its_places(db):
    """The CHECK constraint is the third guard against overselling."""
    db.execute_sql("SET foreign_key_checks = 0" if not isinstance(db, SQLite) else
                   "PRAGMA foreign_keys = 0")
    Creneau.insert(**CRENEAU, places_prises=1).execute(db)
    for wrong in ({"places_prises": 2}, {"places_prises": -1}, {"capacite": 0}):
        with pytest.raises((peewee.IntegrityError, peewee.OperationalError)):
            Creneau.update(**wrong).execute(db)
    assert Creneau.select(Creneau.places_prises).scalar(db) == 1


def test_two_creneaux_of_a_ressource_never_start_at_once(db, salon):
    """The unique key is the second guard, after the lock, when two processes extend a calendar."""
    one = {**CRENEAU, "ressource": calendar_of(db, salon.id), "places_prises": 0}
    Creneau.insert(**one).execute(db)
    with pytest.raises(peewee.IntegrityError):
        Creneau.insert(**one).execute(db)


REFUSED = {  # table: {column: values that a CHECK refuses}
    "utilisateur": {"langue": ["de"], "actif": [2]},
    "entreprise": {
        "delai_reservation": [-1], "horizon_jours": [0], "delai_annulation": [-1],
        "rappel_heures": [-1], "max_a_venir": [0], "mails_par_jour": [-1],
        "validation_manuelle": [2], "actif": [2],
    },
    "prestation": {
        "duree_minutes": [0], "tampon_avant": [-1], "tampon_apres": [-1],
        "intervalle_minutes": [0], "prix_centimes": [-1], "lieu_requis": [2], "actif": [2],
    },
    "ressource": {"genre": ["x"], "semaine_propre": [2], "actif": [2]},
    "semainetype": {
        "jour": [0, 8], "debut": [-1, 1440], "fin": [-1, 1441], "pas_minutes": [0],
        "capacite": [0],
    },
    "evenement": {"type": ["x"], "debut": [2**40], "pas_minutes": [0], "capacite": [0]},
    "creneau": {
        "debut": [2**40], "capacite_prevue": [-1, 99], "places_prises": [-1, 99], "ouvert": [2],
    },
    "client": {"suit_compte": [2], "bloque": [2]},
    "reservation": {
        "debut": [2**40], "occupe_debut": [2**40], "occupe_fin": [0], "places": [0],
        "prix_centimes": [-1], "statut": ["x"],
    },
    "eventemail": {"statut": ["x"], "essais": [-1]},
    "code": {"essais": [-1]},
    "tentative": {"nombre": [0]},
    "photo": {"genre": ["x"], "largeur": [0], "hauteur": [0]},
}


@pytest.mark.parametrize("table", REFUSED)
def test_a_table_refuses_what_its_checks_name(db, client, salon, visit, table):
    path, event = f"/api/entreprises/{salon.id}/evenements", {
        "type": "information", "titre": "Soirée", "debut": "2030-06-01T18:00:00+02:00",
        "fin": "2030-06-01T22:00:00+02:00",
    }
    client.post(path, event, 201, token=salon.owner.token)
    client.delete(f"/api/reservations/{visit}", token=salon.owner.token)  # queues a message
    db.write("INSERT INTO tentative (cle, nombre, depuis, bloque_jusqua) VALUES ('x', 1, 0, 0)")
    db.write("INSERT INTO code (cle, empreinte, essais, jusqua) VALUES ('x', 'y', 1, 0)")
    db.write(
        "INSERT INTO photo (entreprise_id, genre, texte, ordre, empreinte, largeur, hauteur,"
        " version, cree_le) VALUES (?, 'photo', '', 0, '', 1, 1, 1, 0)", salon.id,
    )
    for column, values in REFUSED[table].items():
        for value in values:
            with pytest.raises((peewee.IntegrityError, peewee.OperationalError)):
                db.write(f"UPDATE {table} SET {column} = ?", value)


def test_every_check_is_among_those_that_are_tried():
    for statement in definitions.statements():
        checks = re.findall(r"CHECK \((.+)\)", statement)
        if checks:
            columns = REFUSED[re.search(r"EXISTS (\w+)", statement)[1]]
            assert all(any(name in check.split() for name in columns) for check in checks)


def test_every_constraint_and_index_has_a_name_of_its_own():
    tables = definitions.wanted().values()
    names = [name for table in tables for name in (*table.constraints, *table.indexes)]
    assert len(names) == len(set(names))
    for table in tables:
        rules = re.findall(r"\b(UNIQUE|FOREIGN KEY|CHECK) \(", table.create)
        assert len(rules) == len(table.constraints)
        assert all(name.startswith(f"{table.name}_") for name in table.constraints)


def test_a_foreign_key_is_enforced(db):
    with pytest.raises(peewee.IntegrityError):
        Creneau.insert(**CRENEAU).execute(db)


def test_creating_twice_changes_nothing_and_drops_nothing(db, chloe):
    schema.create(db)
    assert db.rows("SELECT email FROM utilisateur") == [(chloe.email,)]
    assert TypeUtilisateur.select().count(db) == 3


def test_a_table_that_is_missing_is_named(db):
    db.execute_sql("DROP TABLE eventemail")
    db.execute_sql("ALTER TABLE entreprise DROP COLUMN calendrier_version")
    with pytest.raises(WrongSchema, match="lacks entreprise.calendrier_version, eventemail of"):
        schema.require(db)


def test_several_processes_may_create_at_once(db, database_url):
    for table in reversed(definitions.wanted()):
        db.execute_sql(f"DROP TABLE {table}")
    failures = []

    def create():
        own = connect(database_url)
        try:
            schema.create(own)
        except Exception as ex:
            failures.append(ex)
        finally:
            forget(own)

    threads = [threading.Thread(target=create) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert schema.missing(db) == []
    assert indexes(db, "creneau") >= {(("prestation_id",), False)}
    assert TypeUtilisateur.select().count(db) == 3


def test_sqlite_loads_the_file_as_it_stands():
    there = sqlite3.connect(":memory:")
    there.executescript(definitions.SCHEMA.read_text())
    made = there.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    )
    assert {name for (name,) in made} == TABLES


def test_mysql_loads_the_file_as_it_stands(mariadb):
    url = mariadb.create("as_it_stands")
    subprocess.run(
        ["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{mariadb.port}", "-uroot",
         "as_it_stands"],
        input=definitions.SCHEMA.read_bytes(), check=True,
    )
    db = connect(url)
    assert set(db.get_tables()) == TABLES
    db.execute_sql("DROP DATABASE as_it_stands")
    forget(db)


def test_the_engine_is_the_one_that_was_asked_for(db):
    assert isinstance(db, SQLite) == (engines.ENGINE == "sqlite")
