"""Explains to an operator how to resolve a failure of the database."""

import os
from contextlib import suppress
from pathlib import Path

import peewee

from reservation.errors import WrongSchema
from reservation.lib import folders
from reservation.storage import schema
from reservation.storage.database import UNAVAILABLE, Database, SQLite

_HEAD = b"SQLite format 3\0"  # the start of every database file that is not empty
# MySQL error codes for denied access and for an unknown database.
_REFUSED = {1044, 1045, 1049, 1698}
_ANOTHER = "or name another file in RESERVATION_DATABASE_URL"


def remedy(db: Database, ex: Exception | None = None) -> str:
    """Returns the problem and its remedy, or "" if an operator can only wait."""
    if isinstance(db, SQLite):
        found = _of_file(Path(db.database).absolute())
    else:
        found = _of_server(db.code(ex), ex) if ex else ""
    return found or _of_tables(db)


def _of_file(path: Path) -> str:
    # Checks the folder, too, because SQLite creates files beside the database.
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
    if code not in _REFUSED:
        return ""
    return (
        f"the database server refuses: {ex.args[1]}; correct the server, or"
        " RESERVATION_DATABASE_URL"
    )


def _of_tables(db: Database) -> str:
    with suppress(*UNAVAILABLE, peewee.DatabaseError):
        try:
            schema.require(db)
        except WrongSchema as ex:
            return str(ex)
    return ""
