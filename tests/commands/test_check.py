"""`reservation check` of the environment: relay, folders, clocks, public addresses."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from reservation.lib import folders
from reservation.storage.database import MySQL, connect, forget, sqlite_path
from tests import engines
from tests.domain import relays
from tests.domain.relays import BrokenRelay
from tests.engines import free_port
from tests.forks import in_child
from tests.servers import variables, without_settings

_WITHOUT_ROOM = (
    "import sys; from reservation.commands import deployment, main;"
    " deployment.ROOM = 2**62; sys.exit(main(['check']))"
)


def faults(done):
    return [line for line in done.stdout.splitlines() if line.startswith("fault: ")]


@engines.on_sqlite
def test_a_relay_that_answers_is_asked_and_gets_no_mail(reservation, db, post):
    assert faults(reservation("check", SMTP_URL=post.url)) == []
    assert post.received == [] and post.logins == []


@engines.on_sqlite
def test_a_template_whose_name_is_not_that_of_a_shipped_template_is_a_fault(
    reservation, db, tmp_path
):
    own = tmp_path / "words"
    for name in ("fr/rappel.txt", "fr/confirmée.txt", "fr/rappel.txt~", "layout.html", "code.txt"):
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_text("$paragraphes" if name == "layout.html" else "Sujet\n\nTexte\n")
    first, second = faults(reservation("check", status=1, MAIL_TEMPLATES=str(own)))
    assert f"{own}/code.txt is ignored" in first
    assert f"{own}/fr/confirmée.txt is ignored" in second


@engines.on_sqlite
def test_a_folder_that_would_prevent_the_start_is_a_fault(reservation, db, tmp_path):
    (tmp_path / "mails" / "fr").mkdir(parents=True)
    (tmp_path / "mails" / "fr" / "rappel.txt").write_text("Sujet\n\nPour $prix\n")
    folders = {
        "MAIL_TEMPLATES": str(tmp_path / "mails"),
        "PAGES": str(tmp_path / "mails"),
        "METRICS": str(tmp_path / "file" / "metrics"),
    }
    (tmp_path / "file").touch()
    templates, pages, metrics = faults(reservation("check", status=1, **folders))
    assert "rappel.txt" in templates and "the unknown placeholder $prix" in templates
    assert f"RESERVATION_PAGES='{tmp_path}/mails' has no fr/" in pages
    missing = f"the metrics folder {tmp_path}/file/metrics does not exist, or"
    assert missing in metrics


@engines.on_sqlite
def test_a_folder_that_this_user_may_not_see_is_a_fault(tmp_path):
    (tmp_path / "closed" / "metrics").mkdir(parents=True)
    (tmp_path / "closed").chmod(0)

    def look():
        if os.getuid() == 0:
            os.setuid(65534)  # root may see every folder
        said = folders.fault(tmp_path / "closed" / "metrics", "metrics")
        return int("this user may not see it" not in said)

    status = in_child(look)
    (tmp_path / "closed").chmod(0o700)
    assert status == 0


@engines.on_sqlite
def test_a_relay_that_is_not_there_is_a_fault(reservation, db):
    url = f"smtp://user:secret@127.0.0.1:{free_port()}"
    (said,) = faults(reservation("check", status=1, SMTP_URL=url))
    assert said.startswith(f"fault: the mail relay {url.replace('secret', '(hidden)')} cannot be")
    assert "ConnectionRefusedError" in said and "RESERVATION_SMTP_URL" in said


@engines.on_sqlite
@pytest.mark.parametrize(
    "stage, what",
    [
        ("greeting", relays.hang),
        ("EHLO", relays.close),
        ("MAIL", relays.says(b"500 no\r\n")),
    ],
)
def test_a_relay_that_does_not_answer_well_is_a_fault_soon(reservation, db, stage, what):
    """The stage "MAIL" also covers the NOOP that the check sends."""
    relay = BrokenRelay(stage, what)
    began = time.monotonic()
    try:
        (said,) = faults(
            reservation("check", status=1, SMTP_URL=f"smtp://127.0.0.1:{relay.port}")
        )
    finally:
        relay.stop()
    assert "cannot be used (" in said
    assert time.monotonic() - began < 15  # the command takes at most 5 s after its start


@engines.on_sqlite
@pytest.mark.parametrize(
    "user, query, why",
    [
        ("facteur:wrong@", "", "535 5.7.8 Authentication credentials invalid"),
        ("", "?starttls=1", "SMTPNotSupportedError: STARTTLS"),
    ],
)
def test_a_relay_that_refuses_the_login_or_tls_is_a_fault(reservation, db, user, query, why):
    handler = relays.Handler()
    relay = relays.started(handler, authenticator=handler.authenticate, auth_require_tls=False)
    url = f"smtp://{user}127.0.0.1:{relay.port}{query}"
    try:
        (said,) = faults(reservation("check", status=1, SMTP_URL=url))
    finally:
        relay.stop()
    assert f"cannot be used ({why}" in said and "wrong" not in said


@engines.on_sqlite
@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000", "http://localhost", "https://[::1]/agenda"]
)
def test_production_has_a_public_address_of_its_own(reservation, db, url, production):
    (said,) = faults(reservation("check", status=1, **{**production, "PUBLIC_URL": url}))
    assert said.startswith(f"fault: RESERVATION_PUBLIC_URL is {url}, an address of this machine")
    assert faults(reservation("check", PUBLIC_URL=url)) == []  # allowed in development


@engines.on_sqlite
def test_production_has_a_sender_that_can_be_replied_to(reservation, db, production):
    wrong = {**production, "MAIL_FROM": "reservation@localhost"}
    (said,) = faults(reservation("check", status=1, **wrong))
    assert said.startswith("fault: RESERVATION_MAIL_FROM is reservation@localhost")


@engines.on_sqlite
def test_production_has_a_recipient_of_the_contact_form(reservation, db, production):
    wrong = {**production, "CONTACT_TO": "contact@localhost"}
    (said,) = faults(reservation("check", status=1, **wrong))
    assert said.startswith("fault: RESERVATION_CONTACT_TO is contact@localhost, an address")
    assert faults(reservation("check", CONTACT_TO="contact@localhost")) == []


@engines.on_sqlite
def test_a_folder_in_the_place_of_the_database_is_a_fault(reservation, tmp_path):
    done = reservation("check", status=1, DATABASE_URL="sqlite:///.")
    (said,) = faults(done)
    assert f"{tmp_path} is not an SQLite database" in said and done.stderr == ""


@engines.on_sqlite
def test_a_folder_without_room_is_a_fault(environ, tmp_path, database_url, db):
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_ROOM], cwd=tmp_path, capture_output=True, text=True,
        env={**without_settings(), **environ}, timeout=30,
    )
    assert done.returncode == 1
    whats = ["database", "mail"] if database_url.startswith("sqlite") else ["mail"]
    assert len(faults(done)) == len(whats)
    for what, said in zip(whats, faults(done), strict=True):
        assert said.startswith(f"fault: the {what} folder {tmp_path} has room for ")


@pytest.fixture
def faults_of_user(environ, tmp_path, db):
    """Returns a function that runs `reservation check` as a user whom file modes restrict, and
    returns the faults."""

    def run(**changes):
        command = [sys.executable, "-m", "reservation", "check"]
        if os.geteuid() == 0:
            engines.require("setpriv", "util-linux")
            command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True,
            env={**without_settings(), **environ, **variables(changes)}, timeout=30,
        )
        assert done.returncode == 1, done.stderr
        return faults(done)

    return run


@engines.on_sqlite
def test_a_folder_without_permission_is_a_fault(faults_of_user, tmp_path):
    mails = tmp_path / "mails"
    mails.mkdir(mode=0o500)
    found = faults_of_user()
    mails.chmod(0o700)
    assert found == [f"fault: this user may not write to the mail folder {mails}: allow it"]


@engines.on_sqlite
def test_files_that_this_user_may_not_read_are_faults(faults_of_user, tmp_path):
    cities, closed = tmp_path / "cities", tmp_path / "closed"
    cities.touch(0o200)
    closed.mkdir(0)
    found = faults_of_user(CITIES=str(cities), SMTP_URL=f"file://{closed}/mails")
    closed.chmod(0o700)
    assert found == [
        f"fault: this user may not write to the mail folder {closed}: allow it",
        f"fault: {cities} cannot be read: Permission denied; let this user read it",
    ]


@engines.on_sqlite
def test_a_file_of_the_future_is_a_fault_of_the_clock(reservation, database_url, db):
    path = Path(sqlite_path(database_url))
    late = time.time() + 3600
    os.utime(path, (late, late))
    (said,) = faults(reservation("check", status=1))
    assert said.startswith(f"fault: {path} was written 3") and "in the future" in said


@engines.on_sqlite
def test_the_target_of_a_symbolic_link_is_checked(reservation, database_url, db, tmp_path):
    path, log = sqlite_path(database_url), Path(f"{sqlite_path(database_url)}-wal")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "link.db").symlink_to(path)
    db.rows("SELECT 1")  # the open connection keeps the log
    late = time.time() + 3600
    os.utime(log, (late, late))
    link = f"sqlite:///{tmp_path}/links/link.db"
    (said,) = faults(reservation("check", status=1, DATABASE_URL=link))
    assert said.startswith(f"fault: {path} was written 3") and "in the future" in said


@engines.on_mariadb
@pytest.mark.parametrize("seconds, where", [(-3600, "ahead of"), (3600, "behind")])
def test_a_clock_far_from_that_of_the_server_is_a_fault(
    reservation, database_url, db, seconds, where
):
    """The connection sets its own time, which MariaDB allows."""
    wrong = f"{database_url}?init_command=SET+timestamp%3D{int(time.time()) + seconds}"
    (said,) = faults(reservation("check", status=1, DATABASE_URL=wrong))
    assert said.startswith("fault: this machine's clock is 3")
    assert f" s {where} the database server's" in said
    near = f"{database_url}?init_command=SET+timestamp%3D{int(time.time()) + 5}"
    assert faults(reservation("check", DATABASE_URL=near)) == []


@engines.on_mariadb
@pytest.mark.parametrize("value", ["ON", "OFF"])
def test_a_mysql_server_that_does_not_check_all_references_is_a_fault(
    run, db, monkeypatch, value
):
    """MariaDB does not have the setting, so the test answers for the server."""
    rows, name = MySQL.rows, "innodb_native_foreign_keys"
    monkeypatch.setattr(
        MySQL, "rows",
        lambda db, sql, *values: [(name, value)] if name in sql else rows(db, sql, *values),
    )
    said = run("check", status=int(value == "OFF"))
    fault = f"fault: MySQL does not check all references: start it with {name}=ON"
    assert (fault in said.splitlines()) == (value == "OFF")


@engines.on_mariadb
def test_a_statement_that_reads_a_large_table_may_take_long(run, database_url, db, monkeypatch):
    """Another connection holds a table for longer than a request may wait."""
    monkeypatch.setattr(MySQL, "_longest", 1.0)
    other = connect(database_url)
    cursor = other.connection().cursor()
    cursor.execute("LOCK TABLES creneau WRITE")
    release = threading.Timer(2, cursor.execute, ["UNLOCK TABLES"])
    release.start()
    run("check")
    release.join()
    forget(other)
