"""A backup contains all rows as of one moment; its file is complete or absent."""

import fcntl
import gzip
import hashlib
import json
import os
import re
from pathlib import Path

from reservation.storage import schema
from reservation.storage.backups.archive import Archive
from reservation.storage.database import connect, forget
from tests import engines, outboxes
from tests.clock import now
from tests.commands.rows import fill_awkwardly, rows, without_tokens
from tests.races import teams

PAGE = Path(__file__).parents[2] / "docs" / "backup-format.md"


def test_each_row_comes_back_as_it_was(
    run, file, database_url, elsewhere, salon, visit, chloe, db, tuesday
):
    team = teams.make(db, salon)
    salon.book(chloe, salon.at(tuesday, "16:00"), prestationId=team.massage)
    db.write("UPDATE ressource SET utilisateur_id = ? WHERE id = ?", chloe.id, team.persons[1])
    db.write("UPDATE semainetype SET ressource_id = ? WHERE jour = 2", team.persons[1])
    outboxes.queue(db, visit, [f"{n}@example.fr" for n in range(3)])
    fill_awkwardly(db, salon.id, chloe.id)
    before = rows(database_url)
    assert all(before.values())
    said = run("backup", file)
    assert f"{sum(map(len, before.values()))} rows" in said and "RESERVATION_SECRET" in said
    copies = [elsewhere]
    if engines.ENGINE == "mariadb":  # MariaDB to SQLite and back
        copies.insert(0, f"sqlite:///{file}.db")
    for url in copies:
        run("restore", file, "--send-queued", url=url, status=1)  # the booking has no slot
        assert without_tokens(rows(url)) == without_tokens(rows(database_url))
        run("backup", file, "--force", url=url)


def test_the_time_of_the_last_complete_backup_is_recorded(run, file, db):
    db.write("UPDATE schema_version SET sauvegarde_le = NULL")
    run("backup", file)
    assert abs(schema.last_backup(db) - now()) < 60


def test_a_complete_backup_succeeds_even_if_its_time_cannot_be_recorded(
    run, file, database_url, db, monkeypatch
):
    monkeypatch.setattr("reservation.storage.database.PATIENCE", 0.1)
    other = connect(database_url)
    other.begin()
    other.write("UPDATE schema_version SET sauvegarde_le = NULL")
    said = run("backup", file)
    other.rollback()
    forget(other)
    assert "The time of the backup is not recorded: " in said
    assert Archive(file.open("rb")).schema_version == schema.VERSION


def test_more_rows_than_one_batch_come_back(run, file, elsewhere, database_url, visit, db):
    outboxes.queue(db, visit, [f"{n}@example.fr" for n in range(5500)])
    run("backup", file)
    run("restore", file, "--send-queued", url=elsewhere)
    assert without_tokens(rows(elsewhere)) == without_tokens(rows(database_url))


def test_a_backup_can_be_read_without_this_program(run, file, database_url, visit):
    run("backup", file)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    header, *body, trailer = map(json.loads, lines)
    assert (header["format"], header["schemaVersion"]) == ("reservation backup", schema.VERSION)
    assert trailer["sha256"] == hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    found = {}
    for line in body:
        if isinstance(line, dict):
            columns, table = line["columns"], found.setdefault(line["table"], [])
        else:
            table += [dict(zip(columns, row, strict=True)) for row in line]
    assert found == rows(database_url)
    assert trailer["rows"] == {table: len(some) for table, some in found.items()}
    page = PAGE.read_text()
    for key in (*header, *body[0], *trailer):
        assert f"`{key}`" in page


def test_a_file_is_replaced_only_with_force(run, file, db):
    file.write_text("precious")
    assert f"{file} exists" in run("backup", file, status=1)
    assert file.read_text() == "precious"
    run("backup", file, "--force")
    assert Archive(file.open("rb")).schema_version == schema.VERSION


def test_the_folder_of_a_backup_is_named(run, tmp_path, db, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("backup", "here.backup").startswith(f"{tmp_path}/here.backup: ")


def test_only_its_owner_may_read_a_backup(run, file, db):
    ends = ["", ".partial"]
    if engines.ENGINE == "sqlite":
        ends += [".partial-copy", ".partial-copy-journal", ".partial-copy-wal"]
    for end in ends:
        Path(f"{file}{end}").write_text("left by a process that was killed" * 1000)
    run("backup", file, "--force")
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.glob("a.backup*")) == [file]


def test_two_backups_do_not_write_one_file(run, file, db):
    with open(f"{file}.partial", "w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "another backup is writing" in run("backup", file, status=1)
    assert not file.exists()
    run("backup", file)


def test_a_backup_that_cannot_be_written_leaves_nothing(run, tmp_path, db):
    said = run("backup", tmp_path / "absent" / "file", status=2)
    assert "file cannot be written: No such file or directory; create the folder" in said
    (tmp_path / "file").touch()
    said = run("backup", tmp_path / "file" / "x", status=2)
    assert "x cannot be written: Not a directory; create the folder" in said
    assert not list(tmp_path.glob("*.partial*"))


def test_a_backup_replaces_no_folder_and_no_device(run, tmp_path, db):
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(pipe)
    for path in (folder, pipe):
        assert f"{path} is not a regular file" in run("backup", path, "--force", status=2)
    assert folder.is_dir() and pipe.is_fifo()
    assert not list(tmp_path.glob("*.partial*"))


@engines.on_sqlite
def test_a_backup_does_not_replace_the_database(run, tmp_path, db, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.link("reservation.db", "same.partial")
    before = (tmp_path / "reservation.db").read_bytes()
    names = ["reservation.db", "reservation.db-wal", "reservation.db-shm", "same"]
    for name in names:
        said = run("backup", name, "--force", status=2)
        assert said == (
            f"reservation: a backup at {name} would replace the database: name another file\n"
        )
    assert (tmp_path / "reservation.db").read_bytes() == before
    absent = tmp_path / "absent.db"
    said = run("backup", f"{absent}-wal", url=f"sqlite:///{absent}", status=2)
    assert "would replace the database" in said
    assert not list(tmp_path.glob("absent*"))


def test_a_full_disk_is_one_sentence_and_leaves_nothing(file, visit, reservation):
    done = reservation("backup", str(file), status=1, most=1024)
    assert re.fullmatch(f"reservation: {file} cannot be written: .*\n", done.stderr)
    assert not list(file.parent.glob("a.backup*"))


def test_a_database_that_cannot_be_used_is_not_backed_up(run, file, elsewhere, tmp_path):
    run("backup", file, url=elsewhere, status=2)
    run("init-db", url=elsewhere)
    other = connect(elsewhere)
    other.write("UPDATE schema_version SET version = 99")
    forget(other)
    assert "has schema version 99" in run("backup", file, url=elsewhere, status=2)
    assert not list(tmp_path.glob("a.backup*"))


def test_a_backup_that_is_killed_at_any_step_leaves_no_file(dying, run, file, database_url, visit):
    found = dying("backup", file, database_url, 1)
    # Header, ten tables with their rows, trailer, fsync, rename, fsync of the folder.
    assert len(found) > 20
    assert found == ["False"] * (len(found) - 1) + ["True"]
    assert list(file.parent.glob("a.backup*")) == [file]
    Archive(file.open("rb"))
