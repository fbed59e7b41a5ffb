import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

import reservation as package
from reservation.commands import MODULES, parser
from reservation.lib import progress
from reservation.storage import definitions, schema
from reservation.storage.database import connect, forget
from tests import engines
from tests.servers import without_settings


def test_the_version_is_that_of_the_package(reservation):
    assert reservation("--version", fresh=True).stdout.strip() == package.__version__


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [("--version", "peewee"), ("worker --help", "falcon"), ("check --help", "falcon"),
     ("backup --help", "falcon"), ("demo --help", "gunicorn")],
)
def test_a_command_imports_no_module_that_it_does_not_need(words, unneeded, tmp_path):
    """Imports take longer than anything else that small commands do."""
    script = f"""
import atexit, sys
from reservation.commands import main
atexit.register(lambda: print(*sys.modules))
main({words.split()})
"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    imported = run.stdout.split()
    assert "reservation.commands.arguments" in imported, run.stderr
    assert unneeded not in imported and "reservation.commands.serve" not in imported


def test_every_command_is_found_by_its_name():
    (commands,) = (one for one in parser()._actions if isinstance(one.choices, dict))
    assert list(commands.choices) == list(MODULES)


def test_help_names_each_command_with_a_sentence(reservation):
    shown = reservation("--help").stdout
    for command in ("serve", "init-db", "check", "user"):
        assert f"\n    {command} " in shown


@pytest.mark.parametrize(
    "command", ["serve", "init-db", "check", "backup", "restore", "user", "user add"]
)
def test_each_command_has_its_own_help(reservation, command):
    assert f"usage: reservation {command}" in reservation(*command.split(), "--help").stdout


@pytest.mark.parametrize("encoding, words", [
    ("latin-1", ["--help"]),
    ("utf-8:strict", ["backup", "caf\udce9.backup"]),  # a file name that is not UTF-8
])
def test_what_the_terminal_cannot_show_is_no_traceback(
    reservation, db, monkeypatch, encoding, words
):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    reservation(*words, fresh=True)


def test_an_unknown_command_is_refused(reservation):
    assert "invalid choice" in reservation("sreve", status=2).stderr


@pytest.mark.parametrize(
    ("command", "unknown"), [("serve", "--prot 80"), ("check", "now"), ("user list", "--all")]
)
def test_an_unknown_argument_refers_to_the_help_of_its_command(reservation, command, unknown):
    said = reservation(*command.split(), *unknown.split(), status=2).stderr
    help = f"see `reservation {command} --help`"
    assert said == f"reservation {command}: unrecognized arguments: {unknown}; {help}\n"


def test_a_bad_setting_stops_a_command_without_a_traceback(reservation):
    done = reservation("check", status=2, LOG="xml")
    assert done.stderr.startswith("reservation: RESERVATION_LOG")
    assert "Traceback" not in done.stderr


def test_init_db_makes_the_tables_and_then_has_nothing_to_do(reservation, database_url):
    first, second = (reservation("init-db", fresh=fresh).stdout for fresh in (True, False))
    if database_url.startswith("sqlite"):
        assert first.startswith("made typeutilisateur, utilisateur, ")
    assert second == "nothing to do\n"


@engines.on_mariadb
@pytest.mark.parametrize("words", [["init-db"], ["worker", "--once"]])
def test_a_command_waits_while_another_process_makes_the_tables(
    environ, elsewhere, tmp_path, words
):
    db = connect(elsewhere)
    with db.alone(1):
        db.execute_sql(definitions.wanted()["schema_version"].create)
        schema.record(db, schema.VERSION, "made by this version")
        for statement in definitions.statements()[:12]:
            db.execute_sql(statement)
        changed = {"RESERVATION_DATABASE_URL": elsewhere, "RESERVATION_ENV": "production"}
        process = subprocess.Popen(
            [sys.executable, "-m", "reservation", *words], cwd=tmp_path,
            env={**without_settings(), **environ, **changed}, text=True, stderr=subprocess.PIPE,
        )
        while not is_waiting(db):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        schema.make(db, "made by this version")
        schema.finish(db)
    assert process.communicate(timeout=30)[1] == "" and process.returncode == 0
    forget(db)


def is_waiting(db):
    info = "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock'"
    return db.rows(info)[0][0] > 0


def test_check_prints_the_settings_in_force_and_hides_secrets(reservation, environ, db):
    shown = reservation("check").stdout
    assert "RESERVATION_ENV=development\n" in shown
    assert "RESERVATION_TOKEN_LIFETIME=86400\n" in shown
    assert environ["RESERVATION_SECRET"] not in shown
    assert "open door: /teste" in shown


def test_check_finds_a_production_without_open_doors_in_order(reservation, db, production):
    shown = reservation("check", **production).stdout
    assert "open door" not in shown and "fault" not in shown


def test_check_exits_1_where_production_has_an_open_door(reservation, db, production):
    shown = reservation("check", status=1, **production, UNSAFE_FORMS="on").stdout
    assert "open door: /login_form" in shown


def test_check_exits_1_where_production_keeps_mail_in_a_folder(
    reservation, tmp_path, db, production
):
    production["SMTP_URL"] = f"file://{tmp_path}/mails"
    shown = reservation("check", status=1, **production).stdout
    assert "open door: mail is kept in a folder and never sent\n" in shown


def test_check_exits_1_without_tables_names_the_command_and_makes_no_file(reservation, tmp_path):
    shown = reservation("check", status=1, DATABASE_URL=f"sqlite:///{tmp_path}/new.db").stdout
    assert "run `reservation init-db`" in shown
    assert list(tmp_path.iterdir()) == []


def test_check_exits_1_when_the_database_does_not_answer(reservation):
    url = "mysql://root:hunter2@127.0.0.1:1/reservation"
    done = reservation("check", status=1, DATABASE_URL=url)
    assert "the database does not answer" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr


def test_check_names_the_faults_and_exits_with_1(reservation, visit, db, production):
    assert "fault: " not in reservation("check", **production).stdout
    db.write("UPDATE reservation SET creneau_id = NULL WHERE id = ?", visit)
    said = reservation("check", status=1, **production).stdout
    assert f": booking {visit} has lost the slot that it starts with\n" in said


def test_repair_mends_counts_and_says_what_it_cannot_mend(
    reservation, salon, visit, tuesday, db, production
):
    slot, free, after = (salon.at(tuesday, time) for time in ("10:00", "15:00", "15:30"))
    db.write("UPDATE creneau SET places_prises = 0 WHERE id = ?", slot)
    db.write("UPDATE creneau SET capacite = 3 WHERE id = ?", free)
    assert_mended(reservation("check", "--repair", **production), 2, "")
    assert db.rows("SELECT places_prises FROM creneau WHERE id = ?", slot) == [(1,)]
    assert "fault: " not in reservation("check", **production).stdout
    db.write("UPDATE creneau SET places_prises = 0 WHERE id = ?", slot)
    db.write("UPDATE creneau SET fin = fin + 60 WHERE id = ?", free)
    left = f"fault: business {salon.id}: slot {after} overlaps slot {free}\n"
    assert_mended(reservation("check", "--repair", status=1, **production), 1, left)


def assert_mended(done, mended, left):
    lines = done.stdout.splitlines(keepends=True)
    assert sum(line.startswith("mended: ") for line in lines) == mended
    assert "".join(line for line in lines if line.startswith("fault: ")) == left


def test_progress_on_a_terminal_says_how_far_a_table_is(monkeypatch, capsys):
    seconds = iter(range(100))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    batches = [[1, 2], [5, 7], [9]]
    shown = progress.progress("creneau", iter(batches), 10, lambda batch: batch[-1])
    assert list(shown) == batches
    assert capsys.readouterr().err == "".join(
        f"\rcreneau: {reached} of 10" for reached in (7, 9, 10)
    ) + "\n"
