"""`reservation migrate`, and the messages about the schema version."""

import logging
import re

import pytest

from reservation import Settings, create_app
from reservation.errors import WrongSchema
from reservation.storage import schema
from reservation.storage.database import SQLite, connect, forget, sqlite_path
from tests import engines
from tests.client import Client

OLDER = (
    f"the database has schema version 0 and this program needs version {schema.VERSION}:"
    " run `reservation migrate`"
)
RECORD = f"record schema version {schema.VERSION}"
NEWER = (
    f"INSERT INTO schema_version (version, nom, termine_le) VALUES ({schema.VERSION + 1}, 'x', 1)"
)
PRODUCTION = {
    "ENV": "production", "MAIL_FROM": "agenda@example.fr", "SMTP_URL": "smtp://127.0.0.1"
}


@pytest.fixture
def older(load, environ):
    """Returns the URL of a database with an earlier schema, which the commands use."""
    environ["RESERVATION_DATABASE_URL"] = load("a30f556", small=True)
    return environ["RESERVATION_DATABASE_URL"]


@pytest.fixture
def newer(db, database_url):
    db.write(NEWER)
    needs = f"this program needs version {schema.VERSION}"
    version = schema.VERSION + 1
    yield f"the database has schema version {version} and {needs}: install the newer"
    db.write("DELETE FROM schema_version WHERE version = ?", version)


def test_migrate_lists_its_steps_and_then_has_nothing_to_do(reservation, older):
    dry = reservation("migrate", "--dry-run").stdout.splitlines()
    db = connect(older)
    assert schema.version(db) == 0
    done = reservation("migrate").stdout.splitlines()
    assert done[-len(dry):] == dry
    assert any("calendrier_version" in step for step in dry) and dry[-1] == RECORD
    again = reservation("migrate").stdout
    assert again == reservation("migrate", "--dry-run").stdout
    assert again == f"nothing to do: the database has schema version {schema.VERSION}\n"
    schema.require(db)
    forget(db)


REFUSED = [  # version, commit, statement, constraint that the row breaks
    (5, "efede93", "UPDATE reservation SET places = 0", "reservation_places_check"),
    (5, "efede93", "UPDATE prestation SET prix_centimes = -5", "reservation_prix_centimes_check"),
    (0, "a30f556", "UPDATE reservation SET utilisateur_id = 999", "client_id"),
]


@pytest.mark.parametrize("version, commit, statement, constraint", REFUSED)
def test_a_row_that_the_new_schema_refuses_is_named_and_no_copy_stays(
    run, load, tmp_path, version, commit, statement, constraint
):
    url = load(commit)
    db = connect(url)
    engines.write_unchecked(db, statement)
    forget(db)
    on_file = isinstance(db, SQLite)
    unchanged = "the database is unchanged" if on_file else "the earlier steps are done"
    for _ in range(2):
        said = run("migrate", url=url, status=2).splitlines()[-1]
        assert ": the new schema refuses a row (" in said and constraint in said
        assert "new_reservation" not in said
        assert f"; {unchanged}: correct the row, and run `reservation migrate` again" in said
    assert schema.version(db) == version
    forget(db)
    assert list(tmp_path.glob("*.version-*")) == []


@engines.on_sqlite
def test_a_full_disk_during_the_copy_is_one_sentence_and_leaves_nothing(
    older, reservation, tmp_path
):
    done = reservation("migrate", status=1, most=100 * 1024)
    named = rf"reservation: {tmp_path}/earlier.db.version-0-\w+ cannot be written: .*\n"
    assert re.fullmatch(named, done.stderr)
    assert list(tmp_path.glob("*.version-*")) == []


@pytest.mark.parametrize("words", [["serve", "--port", "0"], ["worker", "--once"], ["init-db"]])
def test_a_command_refuses_an_older_database_in_one_sentence(reservation, older, words):
    done = reservation(*words, status=2, **PRODUCTION)
    assert done.stderr == f"reservation: {OLDER}\n"


@pytest.mark.parametrize("words", [["serve", "--port", "0"], ["worker"], ["migrate"], ["demo"]])
def test_a_command_refuses_a_newer_database_in_one_sentence(reservation, newer, words):
    done = reservation(*words, status=2)
    assert done.stderr.startswith(f"reservation: {newer}") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["serve", "--port", "0"], ["init-db"], ["migrate"]])
def test_a_command_leaves_the_tables_of_another_program_alone(
    reservation, make_database, environ, words
):
    environ["RESERVATION_DATABASE_URL"] = make_database("shared")
    db = connect(environ["RESERVATION_DATABASE_URL"])
    if isinstance(db, SQLite):
        db.make_file()
    db.execute_sql("CREATE TABLE image (id INTEGER PRIMARY KEY, legende VARCHAR(20))")
    before = db.get_tables(), db.rows("SELECT * FROM image")
    said = reservation(*words, status=2).stderr
    assert "the database has tables of another program, such as image: name another" in said
    assert said.count("\n") == 1
    assert (db.get_tables(), db.rows("SELECT * FROM image")) == before
    forget(db)


@engines.on_sqlite
def test_a_file_that_does_not_exist_is_created_by_another_command(reservation, make_database):
    url = make_database("none")
    said = reservation("migrate", status=2, DATABASE_URL=url).stderr
    assert said == (
        f"reservation: there is no file {sqlite_path(url)}:"
        " run `reservation init-db` to create it, or correct RESERVATION_DATABASE_URL\n"
    )


def test_check_reports_an_older_and_a_newer_database(reservation, older):
    assert f"fault: {OLDER}\n" in reservation("check", status=1).stdout
    db = connect(older)
    reservation("migrate")
    db.write(NEWER)
    fault = f"fault: the database has schema version {schema.VERSION + 1}"
    assert fault in reservation("check", status=1).stdout
    forget(db)


def test_ready_says_which_versions_differ(client, newer):
    answer = client.get("/ready", 503)
    assert answer.json["error"].startswith(newer)
    assert answer.json["code"] == "wrong_schema"
    assert client.get("/health").status_int == 200


def test_a_restore_that_was_interrupted_is_refused_everywhere(client, db, reservation):
    db.write("UPDATE schema_version SET nom = 'restore', termine_le = NULL")
    try:
        assert "run `reservation restore` again" in client.get("/ready", 503).json["error"]
        for words in (["serve", "--port", "0"], ["worker"], ["migrate"], ["init-db"]):
            assert "a restore into the database was interrupted" in reservation(
                *words, status=2
            ).stderr
    finally:
        db.write("UPDATE schema_version SET nom = '', termine_le = 1")


@engines.on_sqlite
def test_development_migrates_an_older_file_at_start_and_says_so(older, environ, caplog, tmp_path):
    with caplog.at_level(logging.WARNING, "reservation"):
        app = create_app(Settings.from_environ(environ))
    (copy,) = tmp_path.glob("earlier.db.version-0-*")
    assert f"migrate: copy the database to {copy}" in caplog.messages
    assert caplog.messages[-1] == f"migrate: {RECORD}"
    assert Client(app).get("/api/entreprises").json


@engines.on_mariadb
def test_development_does_not_migrate_a_server(older, environ):
    with pytest.raises(WrongSchema, match="run `reservation migrate`"):
        create_app(Settings.from_environ(environ))


@pytest.mark.parametrize("change", ["DROP TABLE tentative",
                                    "ALTER TABLE utilisateur DROP COLUMN ecole"])
def test_a_missing_table_or_column_is_never_temporarily_unavailable(
    make_database, environ, caplog, change
):
    environ["RESERVATION_DATABASE_URL"] = make_database("damaged")
    client = Client(create_app(Settings.from_environ(environ)))
    db = connect(environ["RESERVATION_DATABASE_URL"])
    db.execute_sql(change)
    who = {"email": "eve@example.fr", "password": "x"}
    answer = client.post("/api/auth/login", who, 500)
    assert answer.json["code"] == "internal_server_error"
    assert "request failed" in caplog.text
    assert f"schema version {schema.VERSION}" in client.get("/ready", 503).json["error"]
    forget(db)
