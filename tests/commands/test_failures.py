"""A deployment error is reported in one sentence with status 2: no traceback, no password."""

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import peewee
import pytest

from reservation import Settings
from reservation.commands import main
from reservation.lib.smtp import Relay
from reservation.storage.database import SQLite, connect, forget, sqlite_path
from reservation.storage.remedies import outage
from reservation.storage.schema import VERSION
from tests import engines
from tests.engines import free_port
from tests.outboxes import wait_for
from tests.servers import completed, variables, without_settings

SECRET = "hunter2"
START = ["serve", "--port", "0"]


@pytest.fixture
def refused(environ, tmp_path):
    """Returns a function that runs a command, asserts status 2, and returns the message."""

    def run(*words, as_user=False, **changes):
        environment = {**without_settings(), **environ, **variables(changes)}
        if as_user and os.geteuid() == 0:  # file modes do not restrict root
            engines.require("setpriv", "util-linux")
            done = subprocess.run(
                ["setpriv", "--bounding-set=-dac_override,-dac_read_search",
                 sys.executable, "-m", "reservation", *words],
                cwd=tmp_path, env=environment, input="", capture_output=True, text=True,
                timeout=30,
            )
        else:
            done = completed(words, tmp_path, environment)
        assert done.returncode == 2, done.stdout + done.stderr
        assert "Traceback" not in done.stderr and done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.startswith("reservation")
        return done.stderr

    return run


@pytest.fixture
def locked(tmp_path):
    """A folder that its owner cannot write to."""
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    yield folder
    folder.chmod(0o700)


NO_THREAD = """
import sys, threading
def refuse(self):
    raise RuntimeError("can't start new thread")  # what Python raises at the limit
threading.Thread.start = refuse
from reservation.commands import main
sys.exit(main(["worker", "--once"]))
"""


@engines.on_sqlite
def test_a_limit_of_threads_is_named(environ, db, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", NO_THREAD], cwd=tmp_path, env={**without_settings(), **environ},
        capture_output=True, text=True, timeout=30,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("reservation: no further thread can be started: raise the limit")
    assert done.stderr.count("\n") == 1


@engines.on_sqlite
@pytest.mark.parametrize("words", [START, ["worker"], ["demo"]], ids=lambda words: words[0])
def test_a_missing_folder_of_the_database_is_named(refused, words, tmp_path):
    said = refused(*words, DATABASE_URL=f"sqlite:///{tmp_path}/none/x.db")
    assert f"the database folder {tmp_path}/none does not exist, or this user" in said
    assert not (tmp_path / "none").exists()


@engines.on_sqlite
@pytest.mark.parametrize("words", [START, ["init-db"]], ids=lambda words: words[0])
def test_a_missing_folder_to_which_a_symbolic_link_leads_is_named(refused, words, tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "none" / "x.db")
    said = refused(*words, DATABASE_URL=f"sqlite:///{tmp_path}/link.db")
    assert f"the database folder {tmp_path}/none does not exist, or this user" in said


@engines.on_sqlite
@pytest.mark.parametrize("words", [START, ["init-db"]], ids=lambda words: words[0])
def test_a_folder_of_the_database_that_cannot_be_written_to_is_named(refused, words, locked):
    said = refused(*words, as_user=True, DATABASE_URL=f"sqlite:///{locked}/x.db")
    assert f"this user may not write to the database folder {locked}: allow it, or name" in said


@engines.on_sqlite
@pytest.mark.parametrize(
    "words", [START, ["user", "list"], ["init-db"]], ids=lambda words: words[0]
)
def test_a_file_that_is_no_database_is_named(refused, words, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Alice, " * 100)
    said = refused(*words, DATABASE_URL="sqlite:///letter.txt")
    assert f"{tmp_path}/letter.txt is not an SQLite database: move it away" in said
    assert (tmp_path / "letter.txt").read_text() == "Dear Alice, " * 100


@engines.on_sqlite
@pytest.mark.parametrize("start", [100, 4096], ids=["first page", "other pages"])
@pytest.mark.parametrize(
    "words", [START, ["user", "list"], ["backup", "a.backup"]], ids=lambda words: words[0]
)
def test_a_damaged_database_is_named(refused, words, start, db, database_url, tmp_path):
    forget(db)
    path = Path(sqlite_path(database_url))
    content = path.read_bytes()
    path.write_bytes(content[:start].ljust(len(content), b"?"))
    assert f"the database {path} is damaged: move it away, and restore" in refused(*words)
    assert not (tmp_path / "a.backup").exists()


@engines.on_sqlite
@pytest.mark.parametrize(
    "words", [START, ["user", "list"], ["backup", "a.backup"]], ids=lambda words: words[0]
)
def test_a_read_only_database_is_named_and_gets_no_read_only_log(
    refused, words, db, database_url
):
    """SQLite would give its log the mode of the database, and not change the mode later."""
    forget(db)
    path = Path(sqlite_path(database_url))
    path.chmod(0o400)
    said = refused(*words, as_user=True)
    assert f"this user may not read and write the database {path}: allow it, or name" in said
    path.chmod(0o600)
    assert list(path.parent.glob("*-shm")) == []


@engines.on_sqlite
def test_a_folder_in_the_place_of_the_database_is_named(refused, tmp_path):
    said = refused("user", "list", DATABASE_URL=f"sqlite:///{tmp_path}")
    assert f"{tmp_path} is not an SQLite database" in said


@engines.on_sqlite
def test_a_backup_into_the_folder_of_another_user_says_what_to_allow(refused, locked, db):
    said = refused("backup", str(locked / "file"), as_user=True)
    assert "file cannot be written: Permission denied; create the folder, let this" in said


@engines.on_sqlite
@pytest.mark.parametrize("words", [START, ["worker"]], ids=lambda words: words[0])
def test_a_mail_folder_that_cannot_be_made_is_named(refused, words, locked, tmp_path, db):
    said = refused(*words, as_user=True, SMTP_URL=f"file://{locked}/mails")
    assert f"this user may not write to the mail folder {locked}: allow it, or name" in said
    (tmp_path / "file").touch()
    said = refused(*words, SMTP_URL=f"file://{tmp_path}/file/mails")
    assert f"the mail folder {tmp_path}/file is not a folder: create it, or name" in said


@engines.on_sqlite
@pytest.mark.parametrize(
    "option, value",
    [("--port", "99999"), ("--workers", "0"), ("--workers", "-2"), ("--threads", "0")],
)
def test_a_number_out_of_range_is_named(refused, option, value):
    said = refused("serve", f"{option}={value}")
    assert f"argument {option}: '{value}' must be a whole number from " in said


@engines.on_sqlite
def test_an_empty_host_is_not_taken_for_all_addresses(refused):
    said = refused("serve", "--port=0", "--host=")
    assert said.startswith("reservation: --host is empty: name an address")


@engines.on_sqlite
def test_a_taken_port_is_named_at_once_and_makes_no_database(refused, serve, tmp_path):
    port = serve(DATABASE_URL="sqlite:///first.db").port
    began = time.monotonic()
    said = refused("serve", "--port", str(port), DATABASE_URL="sqlite:///second.db")
    assert time.monotonic() - began < 5  # gunicorn would retry for 5 s
    assert f"port {port} of 127.0.0.1 is taken" in said and "--port" in said
    assert not (tmp_path / "second.db").exists()


@engines.on_sqlite
def test_an_address_of_another_machine_is_named(refused):
    said = refused("serve", "--host", "192.0.2.1", "--port", str(free_port()))
    assert "of 192.0.2.1 cannot be bound (Cannot assign requested address)" in said


@engines.on_sqlite
def test_a_name_that_no_host_can_have_is_named(refused):
    said = refused("serve", "--host", "é" * 64, "--port", str(free_port()))
    assert "cannot be bound" in said and said.count("\n") == 1


USERS = [
    ["list"], ["add", "a@b.fr", "--first-name", "A", "--last-name", "B"], ["disable", "a@b.fr"]
]


@pytest.mark.parametrize("words", USERS, ids=lambda words: words[0])
def test_missing_tables_are_named_with_the_command_that_makes_them(
    reservation, db, words
):
    for table in ("eventemail", "reservation"):
        db.execute_sql(f"DROP TABLE {table}")
    db.execute_sql("ALTER TABLE utilisateur RENAME TO away")
    try:
        done = reservation("user", *words, status=2, stdin="ouvre-toi sesame\n")
    finally:
        db.execute_sql("ALTER TABLE away RENAME TO utilisateur")
    assert done.stderr.startswith("reservation: the database")
    lacking = "utilisateur, reservation, eventemail"
    assert f" lacks {lacking} of schema version {VERSION}" in done.stderr
    assert done.stderr.count("\n") == 1


@engines.on_sqlite
def test_a_database_that_is_not_there_is_not_made(refused, tmp_path):
    said = refused("user", "list")
    assert said == (
        f"reservation: there is no file {tmp_path}/reservation.db:"
        " run `reservation init-db` to create it, or correct RESERVATION_DATABASE_URL\n"
    )
    assert list(tmp_path.iterdir()) == []


@engines.on_sqlite
@pytest.mark.parametrize("words", [START, ["worker"], ["init-db"]], ids=lambda words: words[0])
def test_a_folder_that_does_not_exist_is_named(refused, words, tmp_path):
    said = refused(*words, DATABASE_URL=f"sqlite:///{tmp_path}/none/x.db", SECRET="")
    assert f" folder {tmp_path}/none does not exist, or this user may not see it: create" in said


@engines.on_mariadb
def test_a_server_that_refuses_is_told_from_one_that_is_away(refused, reservation, mariadb):
    said = refused("user", "list", DATABASE_URL=mariadb.url("nowhere"))
    assert "the database server refuses: Unknown database 'nowhere'" in said
    url = mariadb.url("mysql").replace("root", f"root:{SECRET}")
    said = refused("user", "list", DATABASE_URL=url)
    assert "the database server refuses: Access denied" in said and SECRET not in said
    away = f"mysql://root:{SECRET}@127.0.0.1:{free_port()}/x"
    said = reservation("user", "list", status=1, DATABASE_URL=away).stderr
    assert said.startswith("reservation: the database does not answer: ")
    assert SECRET not in said and said.count("\n") == 1


@pytest.fixture
def bounded(mariadb):
    """Returns a function that returns `url` for a user who may read and write rows only."""
    server = connect(mariadb.url("mysql"))
    server.execute_sql("DROP USER IF EXISTS bounded@'%%'")
    server.execute_sql("CREATE USER bounded@'%%'")

    def bounded(url):
        name = url.rpartition("/")[2]
        server.execute_sql(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name}.* TO bounded@'%%'")
        return url.replace("root", "bounded")

    yield bounded
    server.execute_sql("DROP USER bounded@'%%'")
    forget(server)


@engines.on_mariadb
def test_a_missing_privilege_is_named(refused, run, file, db, elsewhere, load, bounded):
    run("backup", file)
    said = refused("init-db", DATABASE_URL=bounded(elsewhere))
    assert said.startswith("reservation: the database server refuses: CREATE command denied")
    assert said.endswith("; grant this privilege to the user of RESERVATION_DATABASE_URL\n")
    said = refused("restore", str(file), DATABASE_URL=bounded(elsewhere))
    assert "refuses: CREATE command denied" in said
    said = refused("migrate", DATABASE_URL=bounded(load("efede93", small=True)))
    assert "refuses: ALTER command denied" in said


@engines.on_mariadb
def test_check_names_a_server_that_refuses_all_writes(run, db, database_url, bounded):
    url = bounded(database_url)
    assert "refuses" not in run("check", url=url)
    db.execute_sql("SET GLOBAL read_only = 1")
    try:
        said = run("check", url=url, status=1)
    finally:
        db.execute_sql("SET GLOBAL read_only = 0")
    assert "fault: the database server refuses: " in said and "read-only" in said
    assert "; let it accept writes, or name another server in RESERVATION_DATABASE_URL\n" in said


@engines.on_mariadb
def test_check_and_the_worker_say_that_they_may_not_write(run, work, db, database_url, bounded):
    url = bounded(database_url)
    db.execute_sql(f"REVOKE INSERT, UPDATE, DELETE ON {db.database}.* FROM bounded@'%%'")
    denied = "the database server refuses: INSERT command denied"
    assert f"fault: {denied}" in run("check", url=url, status=1)
    worker = work(DATABASE_URL=url)
    wait_for(lambda: " command denied" in worker.output)
    assert "the database server refuses: " in worker.output
    assert "does not answer" not in worker.output


@engines.on_sqlite
@pytest.mark.parametrize("command", ["init-db", "demo", "migrate"])
def test_a_full_disk_is_named(run, db, database_url, elsewhere, load, small_disk, command):
    url = {"init-db": elsewhere, "demo": database_url, "migrate": load("efede93")}[command]
    used = 0 if command == "init-db" else connect(url).rows("PRAGMA page_count")[0][0]
    small_disk(used + 5)
    said = run(command, url=url, status=1).splitlines()[-1]
    assert said == (
        f"reservation: the disk of the database {sqlite_path(url)} or of temporary files is full;"
        " free disk space, and try again"
    )


@engines.on_sqlite
def test_the_worker_names_a_full_disk(db, small_disk):
    small_disk(1)
    forget(db)
    with pytest.raises(peewee.OperationalError) as failed:
        db.write("CREATE TABLE large AS SELECT zeroblob(1000000)")
    disk = f"the disk of the database {db.database} or of temporary files"
    assert outage(db, failed.value) == f"{disk} is full; free disk space"


@engines.on_sqlite
def test_an_error_of_the_disk_is_named(run, database_url, db, monkeypatch):
    def fail(*_):
        raise peewee.OperationalError("disk I/O error")

    monkeypatch.setattr(SQLite, "rows", fail)
    monkeypatch.setattr(SQLite, "code", lambda db, ex: sqlite3.SQLITE_IOERR)
    said = run("user", "list", status=1)
    assert f"{sqlite_path(database_url)} or of temporary files is full or faulty" in said


@engines.on_sqlite
@pytest.mark.parametrize("words", [["user", "list"], ["init-db"], ["check"]])
def test_a_full_disk_is_named_if_the_file_cannot_even_be_opened(run, db, monkeypatch, words):
    def fail(*_):
        ex = sqlite3.OperationalError("disk I/O error")
        ex.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
        raise ex

    monkeypatch.setattr(SQLite, "_connect", fail)
    said = run(*words, status=1)
    assert "or of temporary files is full or faulty (disk I/O error); free disk space" in said


@engines.on_sqlite
def test_sqlite_takes_three_slashes(refused):
    said = refused("serve", DATABASE_URL="sqlite://foo.db")
    assert "RESERVATION_DATABASE_URL takes three slashes for SQLite: sqlite:///" in said


@engines.on_sqlite
def test_a_file_of_a_setting_that_cannot_be_read_is_named(refused, tmp_path):
    (tmp_path / "cities").write_text("Lyon\n")
    (tmp_path / "cities").chmod(0)
    said = refused(*START, as_user=True, CITIES=str(tmp_path / "cities"))
    assert f"{tmp_path}/cities cannot be used: Permission denied" in said


@engines.on_sqlite
@pytest.mark.parametrize("name", ["CITIES", "SERVICES"])
def test_a_list_of_names_that_is_not_in_utf_8_is_named_and_a_fault(
    refused, reservation, db, name, tmp_path
):
    path = tmp_path / "names"
    path.write_bytes("Orléans\n".encode("latin-1"))
    said = refused(*START, **{name: str(path)})
    assert f"the list {path} cannot be read: 'utf-8' codec can't decode byte 0xe9" in said
    found = reservation("check", status=1, **{name: str(path)}).stdout
    assert f"fault: the list {path} cannot be read" in found


# Passwords.

HARD = [f"{before}{SECRET}{after}" for before in ("", "a@", "a/", "a?", "a#", "1@")
        for after in ("", "@b", "/b", "?b", "#b", ":1", "@b/c@d", "[", "℀")]


@engines.on_sqlite
@pytest.mark.parametrize("name, url", [
    ("DATABASE_URL", "mysql://user:{}@127.0.0.1:1/name"),
    ("DATABASE_URL", "mysql://us@er:{}@127.0.0.1:1/name"),
    ("DATABASE_URL", "postgres://user:{}@127.0.0.1/name"),
    ("DATABASE_URL_FILE", "mysql://user:{}@127.0.0.1/name"),
    ("SMTP_URL", "smtp://user:{}@127.0.0.1:1"),
    ("SMTP_URL", "smtp://us@er.fr:{}@127.0.0.1:1?starttls=1"),
    ("PUBLIC_URL", "ftp://user:{}@127.0.0.1"),
])
def test_no_part_of_a_password_is_printed(name, url, environ, capfd, monkeypatch, tmp_path):
    """Runs hundreds of commands within this process."""
    monkeypatch.setattr(Relay, "greet", lambda self: None)
    monkeypatch.chdir(tmp_path)
    for variable, value in environ.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.delenv(f"RESERVATION_{name.removesuffix('_FILE')}", raising=False)
    for password in HARD:
        monkeypatch.setenv(f"RESERVATION_{name}", url.format(password))
        assert main(["check"]) in (1, 2) or "smtp" in url
        printed = "".join(capfd.readouterr())
        for part in ("hunter", "a@", "@b", "/b@", "a?", "a#", "#b", "c@d"):
            assert part not in printed.replace("(hidden)@", ""), (password, printed)


@engines.on_sqlite
@pytest.mark.parametrize("words", [["check"], START], ids=lambda words: words[0])
def test_a_password_with_an_at_is_not_printed_by_a_command(environ, words, tmp_path):
    environ["RESERVATION_SMTP_URL"] = f"smtp://user:p@{SECRET}@127.0.0.1:1"
    environ["RESERVATION_DATABASE_URL"] = f"mysql://user:p@{SECRET}@127.0.0.1:1/x"
    process = subprocess.Popen(
        [sys.executable, "-m", "reservation", *words], cwd=tmp_path, text=True,
        env={**without_settings(), "PYTHONUNBUFFERED": "1", **environ},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    seen = []
    for line in process.stdout:
        seen.append(line)
        if "does not answer" in line and words == START:  # the worker's first such line
            process.terminate()
    process.wait(timeout=20)
    printed = "".join(seen)
    assert "smtp://user:(hidden)@127.0.0.1:1\n" in printed
    assert "mysql://user:(hidden)@127.0.0.1:1/x\n" in printed
    assert SECRET not in printed and "p@" not in printed


def test_a_secret_that_looks_like_an_address_is_hidden(reservation, db):
    secret = "key:the secret of the tests, over 32 bytes long"
    assert "the secret" not in reservation("check", SECRET=secret).stdout


def test_settings_show_no_secret_where_they_are_printed_whole():
    settings = Settings(
        database_url=f"mysql://a:{SECRET}@h/x", smtp_url=f"smtp://a:{SECRET}@h", secret=SECRET * 9
    )
    assert SECRET not in repr(settings)
