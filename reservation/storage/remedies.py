"""Explains to an operator how to resolve a failure of the database."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

import peewee

from reservation.errors import DatabaseUnavailable, WrongSchema
from reservation.lib import folders
from reservation.storage import schema
from reservation.storage.connecting.driver import CLIENT_ERRORS
from reservation.storage.database import UNAVAILABLE, Database, SQLite

_HEAD = b"SQLite format 3\0"  # the start of every database file that is not empty
# MySQL error codes for denied access and for an unknown database.
_REFUSED = {1044, 1045, 1049, 1698}
# MySQL error codes for a missing privilege on a table, a column or the whole server.
_NOT_GRANTED = {1142, 1143, 1227}
# MySQL error codes for a server or a transaction that accepts no writes.
_READ_ONLY = {1290, 1792, 1836}
# {SQLite error code: probable state of the disk}
_DISK = {
    sqlite3.SQLITE_FULL: "is full",
    sqlite3.SQLITE_IOERR: "is full or faulty (disk I/O error)",
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_ANOTHER = "or name another file in RESERVATION_DATABASE_URL"


def remedy(db: Database, ex: Exception, changes_schema: bool = False) -> str:
    """Returns the problem and its remedy, or "" if no known problem explains `ex`.

    With `changes_schema`, does not check the tables, because the failed command changes the
    schema.
    """
    if isinstance(db, SQLite):
        found = _of_file(Path(db.real_path()))
        if not found and db.code(ex) in _DAMAGED:
            found = f"the database {db.database} is damaged: move it away, and restore a backup"
    else:
        found = _of_server(db.code(ex), ex)
    return found or ("" if changes_schema else _of_tables(db, ex))


def failure(db: Database, ex: Exception) -> str:
    """Returns a sentence about a failure for which `remedy` returns ""."""
    if disk := _of_disk(db, ex):
        return f"{disk}, and try again"
    code = db.code(ex)
    if not code or db.is_passing(ex) or code in CLIENT_ERRORS:
        return f"the database does not answer: {ex}; check that it runs, and try again"
    return f"the database refuses: {ex}"


def outage(db: Database, ex: Exception) -> str:
    """Returns a sentence for the log of a process that tries again."""
    if isinstance(ex, DatabaseUnavailable) and isinstance(ex.__cause__, Exception):
        ex = ex.__cause__
    return remedy(db, ex) or _of_disk(db, ex) or f"the database does not answer: {ex}"


def _of_disk(db: Database, ex: Exception) -> str:
    if not isinstance(db, SQLite) or db.code(ex) not in _DISK:
        return ""
    disk = f"the disk of the database {db.database} or of temporary files"
    return f"{disk} {_DISK[db.code(ex)]}; free disk space"


def _of_file(path: Path) -> str:
    # Checks the folder first, because SQLite creates files beside the database.
    if fault := folders.fault(path.parent, "database"):
        return f"{fault}, {_ANOTHER}"
    if not path.exists():
        return ""
    if not folders.may(path, os.R_OK | os.W_OK):
        return f"this user may not read and write the database {path}: allow it, {_ANOTHER}"
    if not _is_database(path):
        return f"{path} is not an SQLite database: move it away, {_ANOTHER}"
    return ""


def _is_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_HEAD)) in (b"", _HEAD)


def _of_server(code: int, ex: Exception) -> str:
    if code in _NOT_GRANTED:
        advice = "grant this privilege to the user of RESERVATION_DATABASE_URL"
    elif code in _READ_ONLY:
        advice = "let it accept writes, or name another server in RESERVATION_DATABASE_URL"
    elif code in _REFUSED:
        advice = "correct the server, or RESERVATION_DATABASE_URL"
    else:
        return ""
    return f"the database server refuses: {ex.args[1]}; {advice}"


def _of_tables(db: Database, ex: Exception) -> str:
    no_file = isinstance(db, SQLite) and not db.has_file()
    if not no_file and not schema.is_mismatch(ex):
        return ""
    with suppress(*UNAVAILABLE, peewee.DatabaseError):
        try:
            schema.require(db)
        except WrongSchema as wrong:
            return str(wrong)
    return ""
