"""`reservation backup` and `reservation restore`: the whole database as one file."""

import argparse
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import peewee

import reservation
from reservation.commands.arguments import command
from reservation.commands.database import report
from reservation.domain.booking import invariant
from reservation.domain.outbox import holding, outbox
from reservation.errors import DatabaseUnavailable, Refusal
from reservation.lib.environment import BadSetting
from reservation.lib.progress import progress
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.backups import transfer
from reservation.storage.backups.archive import Archive, BadArchive, Rows, TableHead, Writer
from reservation.storage.database import PATIENCE, Database, SQLite, connect, forget, snapshot

SECRET = (
    "A backup does not contain the secret (RESERVATION_SECRET): keep a copy of it elsewhere."
    " Without the same secret, the addresses of calendar feeds and the links in earlier messages"
    " stop working."
)


def add_to(commands: Any) -> None:
    saving = command(commands, backup)
    saving.add_argument("file", metavar="FILE")
    saving.add_argument("--force", action="store_true", help="replace FILE if it exists")
    loading = command(commands, restore, changes_schema=True)
    loading.add_argument("file", metavar="FILE", nargs="?")
    loading.add_argument(
        "--send-queued", action="store_true",
        help="do not hold queued messages; without FILE, release the messages that an earlier"
        " restore has held",
    )


def backup(options: argparse.Namespace, settings: Settings) -> None:
    """Write a snapshot of the whole database into one compressed file. The server and the worker
    may run meanwhile. `reservation restore` can restore the file into an SQLite, MySQL or MariaDB
    database."""
    path, db = Path(options.file), connect(settings.database_url)
    transfer.check_target(db, path)
    if path.exists() and not options.force:
        raise Refusal(f"{path} exists: name another file, or replace it with --force")
    try:
        with _replacement(path) as file, _frozen(db, path) as source:
            schema.require(source)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            writer = Writer(file, schema.VERSION, now, reservation.__version__)
            rows = transfer.save(source, writer, _progress)
    except (FileNotFoundError, NotADirectoryError, PermissionError) as ex:
        problem = f"{path} cannot be written: {ex.strerror}"
        remedy = "create the folder, let this user write there, or name another file"
        raise BadSetting(f"{problem}; {remedy}") from ex
    except (OSError, sqlite3.Error) as ex:
        raise Refusal(f"{path} cannot be written: {ex}") from ex
    print(f"{path.absolute()}: {rows} rows, {path.stat().st_size} bytes")
    print(SECRET)
    try:
        schema.record_backup(db, int(time.time()))
    except (peewee.PeeweeException, DatabaseUnavailable) as ex:  # e.g. the database is read-only
        print(f"The time of the backup is not recorded: {ex.__cause__ or ex}")


@contextmanager
def _replacement(path: Path) -> Iterator[BinaryIO]:
    """Yields a new file with the mode 0600. If the `with` block succeeds, the file replaces
    `path`."""
    beside = Path(f"{path}.partial")
    number = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    with open(number, "wb") as file:
        _lock(file, beside)
        try:
            os.chmod(beside, 0o600)
            file.truncate()
            yield file
            file.flush()
            os.fsync(number)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return
    except (BlockingIOError, FileNotFoundError):
        pass
    raise Refusal(f"another backup is writing {path}: wait until it ends")


@contextmanager
def _frozen(db: Database, path: Path) -> Iterator[Database]:
    """Yields a database in which later writes are not visible.

    For SQLite, yields a copy, because a long read of the original file would make the write-ahead
    log grow.
    """
    if not isinstance(db, SQLite):
        with snapshot(db):
            yield db
        return
    copy = f"{path}.partial-copy"
    _remove(copy)
    try:
        db.copy(Path(copy))
        source = SQLite(copy)
        yield source
        forget(source)
    finally:
        _remove(copy)


def _remove(copy: str) -> None:
    for end in ("-journal", "-wal", "-shm", ""):
        Path(copy + end).unlink(missing_ok=True)


def restore(options: argparse.Namespace, settings: Settings) -> int:
    """Fill an empty database from a backup. The backup may come from another database engine.
    Revokes all access tokens, codes, and links in messages to accounts. Queued messages are not
    sent until `restore --send-queued` releases them. If interrupted, run it again."""
    db = connect(settings.database_url)
    if options.file is None:
        if not options.send_queued:
            raise BadSetting("restore needs a FILE, or --send-queued alone")
        schema.require(db)
        print(f"messages released to the worker: {holding.release_restored(db)}")
        return 0
    try:
        with open(options.file, "rb") as file:
            archive = Archive(file)
            archive.verify(schema.VERSION, transfer.types())
            with db.alone(PATIENCE):
                faults = _fill(db, archive, hold=not options.send_queued)
    except BadArchive as ex:
        raise BadArchive(f"{options.file} {ex}") from ex
    except OSError as ex:
        raise BadArchive(f"{options.file} cannot be read: {ex.strerror or ex}") from ex
    print(f"{options.file}: {sum(archive.rows.values())} rows of {archive.made_at}")
    print("All access tokens, codes, and links in messages to accounts are revoked.")
    if held := holding.restored(db):
        said = "1 message is" if held == 1 else f"{held} messages are"
        print(f"{said} held until `reservation restore --send-queued`.")
    print(SECRET)
    return 1 if faults else 0


def _fill(db: Database, archive: Archive, hold: bool) -> int:
    filling = transfer.Restore(db)
    filling.begin()
    filling.load(archive, partial(_adjust, hold, int(time.time())), _progress)
    faults = report(invariant.faults(db, progress))
    filling.end()
    return faults


def _adjust(hold: bool, now: int, part: TableHead, rows: Rows) -> None:
    """Revokes the tokens and codes in `rows`, before the rows are inserted. With `hold`, also
    holds all messages that a worker would send."""
    place = {name: at for at, name in enumerate(part.columns)}
    if part.table == "utilisateur":
        for row in rows:
            issued = row[place["jetons_depuis"]], row[place["dernier_jeton_le"]]
            row[place["jetons_depuis"]] = max(*issued, now) + 1  # as `sessions.revocation` does
            row[place["reinit_empreinte"]], row[place["reinit_jusqua"]] = None, 0
    elif part.table == "code":
        for row in rows:
            row[place["jusqua"]] = 0
    elif part.table == "eventemail" and hold:
        for row in rows:
            if holding.is_pending(row[place["statut"]], row[place["derniere_erreur"]]):
                row[place["statut"]], row[place["derniere_erreur"]] = outbox.HELD, None


def _progress(part: TableHead, batches: Iterable[Rows]) -> Iterator[Rows]:
    place = list(part.columns).index("id")
    return progress(part.table, batches, part.last_id, lambda rows: rows[-1][place])
