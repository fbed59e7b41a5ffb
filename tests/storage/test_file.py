"""An SQLite file that is deleted, replaced or cannot grow during operation."""

import os
import resource
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier

import peewee
import psutil
import pytest

from reservation.storage import schema
from reservation.storage.connecting import files
from reservation.storage.database import SQLite, connect, forget, transaction
from reservation.storage.models import TypeUtilisateur
from tests import engines, outboxes
from tests.conftest import PASSWORD
from tests.http.wire import Wire, is_error

pytestmark = engines.on_sqlite


@pytest.fixture
def wire(serve, client):
    return Wire(serve("--workers", "2", "--threads", "2"))


@pytest.fixture
def path(db) -> str:
    return str(db.database)


def register(wire, name):
    body = {"email": f"{name}@example.fr", "password": PASSWORD, "role": "student"}
    return wire.post_json("/auth/register", {**body, "first_name": "A", "last_name": "B"})


def read(wire):
    return wire.call("GET", "/api/entreprises")


def emails(path):
    with closing(sqlite3.connect(path)) as connection:
        return [email for (email,) in connection.execute("SELECT email FROM utilisateur")]


def copy(path, to):
    with closing(sqlite3.connect(path)) as one, closing(sqlite3.connect(to)) as other:
        one.backup(other)


def warm_up(wire, path):
    """Sends requests until both server processes have opened the database."""
    master = psutil.Process(wire.server.process.pid)

    def are_warm():
        assert all(pool.map(lambda _: read(wire).status == 200, range(8)))
        return sum(has_open(one, path) for one in master.children()) == 2

    with ThreadPoolExecutor() as pool:
        outboxes.wait_for(are_warm)


def has_open(process, path):
    return path in [file.path for file in process.open_files()]


def test_a_deleted_file_is_503_and_is_not_made_anew(wire, path):
    warm_up(wire, path)
    os.unlink(path)
    for number in range(6):
        assert is_error(register(wire, f"late{number}"), 503)
    time.sleep(1)
    for _ in range(6):
        assert is_error(read(wire), 503)
        assert is_error(wire.call("GET", "/ready"), 503)
    assert wire.call("GET", "/health").status == 200
    assert not os.path.exists(path)
    lines = [line for line in wire.server.lines if "database unavailable" in line]
    assert 1 <= len(lines) <= 4, lines  # one or two per process, not one per request


def test_a_replaced_file_is_used_and_the_log_of_the_old_one_is_not(wire, path, tmp_path):
    warm_up(wire, path)
    copy(path, tmp_path / "copy.db")
    assert register(wire, "lost").status == 201
    os.replace(tmp_path / "copy.db", path)
    for number in range(6):
        assert register(wire, f"late{number}").status == 201
    time.sleep(1)
    for _ in range(6):
        assert read(wire).status == 200
    assert set(emails(path)) == {f"late{number}@example.fr" for number in range(6)}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def name_of_a_role(db):
    return db.rows("SELECT nom FROM typeutilisateur WHERE id = 1")[0][0]


def rename_a_role(db, name):
    TypeUtilisateur.update(nom=name).where(TypeUtilisateur.id == 1).execute(db)


def in_a_new_thread(work, *arguments):
    with ThreadPoolExecutor() as pool:
        return pool.submit(work, *arguments).result()


def test_a_new_thread_does_not_use_the_log_of_a_replaced_file(db, path, tmp_path):
    copy(path, tmp_path / "copy.db")
    rename_a_role(db, "lost")
    os.replace(tmp_path / "copy.db", path)
    assert in_a_new_thread(name_of_a_role, db) == "student"


def test_the_log_of_a_replaced_file_is_not_used_through_a_symbolic_link(db, path, tmp_path):
    copy(path, tmp_path / "copy.db")
    (tmp_path / "link.db").symlink_to(path)
    linked = SQLite(str(tmp_path / "link.db"))
    rename_a_role(linked, "lost")
    os.replace(tmp_path / "copy.db", path)
    assert in_a_new_thread(name_of_a_role, linked) == "student"
    assert os.path.exists(f"{path}-wal-replaced")
    forget(linked)


def test_the_logs_of_several_replaced_files_are_all_kept(db, path, tmp_path):
    for name in ("first", "second"):
        copy(path, tmp_path / name)
    for name in ("first", "second"):
        rename_a_role(db, name)
        os.replace(tmp_path / name, path)
        forget(db)
    assert name_of_a_role(db) == "student"
    assert b"first" in Path(f"{path}-wal-replaced").read_bytes()
    assert b"second" in Path(f"{path}-wal-replaced-2").read_bytes()


def test_the_log_of_a_file_that_was_moved_away_alone_is_kept_when_a_new_one_is_made(
    db, path, tmp_path
):
    rename_a_role(db, "kept")
    os.rename(path, tmp_path / "old.db")
    new, old = SQLite(path), SQLite(str(tmp_path / "old.db"))
    schema.create(new)
    os.rename(f"{path}-wal-replaced", tmp_path / "old.db-wal")
    assert (name_of_a_role(new), name_of_a_role(old)) == ("student", "kept")
    forget(new)
    forget(old)


def test_the_log_of_a_file_that_another_process_makes_meanwhile_stays(tmp_path, monkeypatch):
    mine, its = SQLite(str(tmp_path / "new.db")), SQLite(str(tmp_path / "new.db"))
    monkeypatch.setattr(mine, "has_file", lambda: schema.create(its))  # returns None
    mine.make_file()
    assert name_of_a_role(mine) == "student"
    assert not Path(f"{mine.database}-wal-replaced").exists()
    forget(its)
    forget(mine)


def test_the_log_of_a_file_that_replaces_while_connecting_stays(
    db, path, tmp_path, monkeypatch
):
    copy(path, tmp_path / "copy.db")
    rename_a_role(db, "lost")
    prepare, other = db._add_conn_hooks, []

    def replace(connection):
        """Replaces the file, and writes to the new file as another process would."""
        prepare(connection)
        monkeypatch.undo()
        os.replace(tmp_path / "copy.db", path)
        for end in ("-wal", "-shm"):
            os.remove(path + end)
        other.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
        other[0].execute("UPDATE typeutilisateur SET nom = 'kept' WHERE id = 1")

    monkeypatch.setattr(db, "_add_conn_hooks", replace)
    in_a_new_thread(name_of_a_role, db)
    assert in_a_new_thread(name_of_a_role, db) == "kept"
    other[0].close()


def test_a_file_that_comes_back_is_used_again(wire, path):
    warm_up(wire, path)
    os.rename(path, path + ".away")
    assert is_error(register(wire, "late"), 503)
    os.rename(path + ".away", path)
    time.sleep(0.3)
    assert register(wire, "late").status == 201
    assert "late@example.fr" in emails(path)


def test_a_file_without_the_tables_is_no_passing_failure(wire, path, tmp_path):
    warm_up(wire, path)
    sqlite3.connect(tmp_path / "empty.db").close()
    (tmp_path / "empty.db").touch()
    os.replace(tmp_path / "empty.db", path)
    assert is_error(register(wire, "late"), 500)
    time.sleep(0.3)  # each process checks the file separately
    assert b"run `reservation init-db`" in wire.call("GET", "/ready").body


def test_a_file_that_is_no_database_is_503(wire, path, tmp_path):
    warm_up(wire, path)
    (tmp_path / "other").write_bytes(b"no database" * 1000)
    os.replace(tmp_path / "other", path)
    assert is_error(register(wire, "late"), 503)


def test_what_is_being_written_when_the_file_is_replaced_is_not_acknowledged(
    db, path, tmp_path
):
    copy(path, tmp_path / "copy.db")

    def work():
        rename_a_role(db, "x")
        os.replace(tmp_path / "copy.db", path)

    with pytest.raises(peewee.InterfaceError):
        transaction(db, work)
    assert name_of_a_role(db) == "student"


def test_a_connection_makes_no_file_and_the_making_of_tables_does(tmp_path):
    path = tmp_path / "new é#?%.db"
    db = SQLite(str(path))
    assert schema.is_empty(db)
    with pytest.raises(peewee.OperationalError):
        db.rows("SELECT 1")
    assert list(tmp_path.iterdir()) == []
    schema.create(db)
    assert schema.missing(db) == []
    forget(db)
    assert path.stat().st_size > 0


# A full disk.


def test_a_full_disk_is_told_as_it_is_and_nothing_stays(db, database_url):
    """SQLite has already rolled back and would refuse a second ROLLBACK."""
    (pages,) = db.rows("PRAGMA page_count")[0]
    db.rows(f"PRAGMA max_page_count = {pages}")

    def work():
        rename_a_role(db, "x")
        db.write("CREATE TABLE large AS SELECT randomblob(1000000)")

    for _ in range(3):
        with pytest.raises(peewee.OperationalError, match="database or disk is full"):
            transaction(db, work)
    db.rows(f"PRAGMA max_page_count = {pages * 100}")
    assert name_of_a_role(db) == "student"
    transaction(db, work)
    rename_a_role(db, "student")


@pytest.fixture(params=["no space", "no larger file"])
def full_disk(request, environ, tmp_path, monkeypatch):
    """Returns a function that fills the disk for servers started later.

    That function returns a function that frees the disk.
    """
    folder = tmp_path / "disk"
    folder.mkdir()
    environ["RESERVATION_DATABASE_URL"] = f"sqlite:///{folder}/reservation.db"
    if request.param == "no larger file":
        popen = subprocess.Popen
        limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (600_000, 600_000))
        monkeypatch.setattr(subprocess, "Popen", partial(popen, preexec_fn=limit))
        yield lambda: None
        return
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder])
    if mounted.returncode:
        pytest.skip("only root mounts a small disk")

    def fill():
        with (folder / "filling").open("wb", buffering=0) as filling:
            while True:
                try:
                    filling.write(bytes(4096))
                except OSError:
                    return (folder / "filling").unlink

    yield fill
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk_is_503_and_one_line_and_over_when_there_is_space(full_disk, serve):
    wire = Wire(serve(fresh=True))
    assert wire.call("GET", "/ready").status == 200
    mend = full_disk()
    found = [register(wire, f"full{number}").status for number in range(60)]
    assert set(found) <= {201, 503} and found[-5:] == [503] * 5, found
    assert read(wire).status == 200
    time.sleep(1.1)
    if mend:  # a small write may still fit below the file's size limit
        assert is_error(wire.call("GET", "/ready"), 503)
    lines = [line for line in wire.server.lines if "database unavailable" in line]
    assert len(lines) == 1, lines
    assert "cannot rollback" not in wire.server.output
    if mend:
        mend()
        time.sleep(1.1)
        assert wire.call("GET", "/ready").status == 200
        assert register(wire, "late").status == 201


# COMMIT returns after the commit is on the disk.


@pytest.mark.parametrize("change, waits", [("", 1), ("PRAGMA synchronous = OFF", 0)])
def test_a_commit_waits_for_the_disk(database_url, db, change, waits):
    """strace counts the fsync calls; synchronous = OFF is the negative control."""
    engines.require("strace", "strace")
    script = f"""
import sys
from reservation.storage.database import connect, transaction
db = connect({database_url!r})
db.execute_sql({change or "SELECT 1"!r})
write = lambda: db.write("UPDATE typeutilisateur SET nom = nom WHERE id = 1")
transaction(db, write)
for _ in range(5):
    sys.stderr.write("before\\n")
    transaction(db, write)
    sys.stderr.write("after\\n")
    """
    done = subprocess.run(
        ["strace", "-f", "-e", "trace=write,fsync,fdatasync", sys.executable, "-c", script],
        capture_output=True, text=True,
    )
    if "ptrace" in done.stderr and done.returncode:
        engines.give_up("strace may not trace here")
    commits = done.stderr.split('write(2, "before')[1:]
    assert len(commits) == 5, done.stderr
    for commit in commits:
        assert commit.split('write(2, "after')[0].count("sync(") == waits, commit


def test_a_connection_is_opened_with_its_guards(database_url, db):
    assert db.rows("PRAGMA synchronous") == [(2,)]  # FULL
    assert db.rows("PRAGMA journal_mode") == [("wal",)]
    assert db.rows("PRAGMA foreign_keys") == [(1,)]
    again = connect(database_url)
    assert again.rows("PRAGMA synchronous") == [(2,)]
    forget(again)


def test_no_file_has_the_contents_of_a_deleted_row_after_the_log_is_emptied(
    database_url, path, monkeypatch
):
    turn_on_wal = files._turn_on_wal

    def elsewhere(connection, until):
        turn_on_wal(connection, until)
        connection.execute("PRAGMA secure_delete = 0")  # the default of most builds of SQLite

    monkeypatch.setattr(files, "_turn_on_wal", elsewhere)
    own = connect(database_url)
    own.write("INSERT INTO mot (texte, envers, racine) VALUES ('zornique', '', '')")
    own.write("DELETE FROM mot")
    assert b"zornique" in Path(f"{path}-wal").read_bytes()
    assert own.empty_log()
    assert not [end for end in ("", "-wal") if b"zornique" in Path(path + end).read_bytes()]
    forget(own)


def test_the_log_stays_without_a_long_wait_while_somebody_reads(db, path):
    rename_a_role(db, "new")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM typeutilisateur").fetchall()
        rename_a_role(db, "newer")
        began = time.monotonic()
        assert not db.empty_log()
        assert time.monotonic() - began < files.BUSY
    assert db.rows("PRAGMA busy_timeout") == [(files.BUSY * 1000,)]
    assert db.empty_log()


def test_the_worker_empties_the_log(db, path, work):
    rename_a_role(db, "new")
    assert os.path.getsize(path + "-wal") > 0
    assert work("--once").status() == 0
    assert os.path.getsize(path + "-wal") == 0


def test_a_transaction_has_the_write_lock_before_it_reads(db, path):
    """Otherwise another connection could change what the transaction has read."""

    def work():
        with closing(sqlite3.connect(path, timeout=0)) as other:
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")

    transaction(db, work)


def test_a_new_file_is_opened_by_several_at_once(tmp_path):
    def open_at_once(db):
        barrier.wait()
        db.rows("SELECT 1")
        db.close()

    barrier = Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        for number in range(100):
            path = str(tmp_path / f"{number}.db")
            with closing(sqlite3.connect(path)) as new:
                new.execute("CREATE TABLE one (id INTEGER)")
            list(pool.map(open_at_once, [SQLite(path) for _ in range(4)]))


def test_a_new_file_is_opened_after_another_process_has_written_to_it(tmp_path):
    """SQLite itself does not wait for the other process when it turns on WAL mode."""
    path = str(tmp_path / "new.db")

    def read():
        db = SQLite(path)
        read = db.rows("SELECT id FROM one")
        db.close()
        return read

    with closing(sqlite3.connect(path)) as new, ThreadPoolExecutor() as another:
        new.execute("CREATE TABLE one (id INTEGER)")
        new.execute("INSERT INTO one VALUES (1)")
        reading = another.submit(read)
        with pytest.raises(TimeoutError):
            reading.result(timeout=0.2)
        new.commit()
        assert list(reading.result()) == [(1,)]
