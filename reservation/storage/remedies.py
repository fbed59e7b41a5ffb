"""What an operator must do about a failure of the database, as one sentence."""

import os
from contextlib import suppress
from pathlib import Path

import peewee

from reservation.errors import WrongSchema
from reservation.storage import schema
from reservation.storage.database import UNAVAILABLE, Database, SQLite

_HEAD = b"SQLite format 3\0"  # of a file that is not empty
# MySQL: access to the server or to the database denied, no database of this name.
_REFUSED = {1044, 1045, 1049, 1698}

_ANOTHER = "name another file in RESERVATION_DATABASE_URL"
_ALLOW = f"allow it, or {_ANOTHER}"


def remedy(db: Database, ex: Exception | None = None) -> str:
    """Returns what is wrong and what to do; "" where nothing but waiting is known to help."""
    if isinstance(db, SQLite):
        said = _about_file(Path(db.database).absolute())
    else:
        said = _about_server(db.code(ex), ex) if ex else ""
    return said or _about_tables(db)


def may_write(folder: Path) -> bool:
    """Whether this process may make files in a folder."""
    return may(folder, os.W_OK | os.X_OK)


def may(path: Path, mode: int) -> bool:
    """Returns `os.access` for the effective user and capabilities, where the system can tell:
    a server may have been started by another user."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _about_file(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder} for the database: make it, or {_ANOTHER}"
    if not may_write(folder):
        # SQLite makes files beside the database.
        return f"this user may not write to {folder}, the database's folder: {_ALLOW}"
    if not path.exists():
        return ""
    if not may(path, os.R_OK | os.W_OK):
        return f"this user may not read and write {path}, the database: {_ALLOW}"
    if not _is_database(path):
        return f"{path} is no SQLite database: move it away, or {_ANOTHER}"
    return ""


def _is_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_HEAD)) in (b"", _HEAD)


def _about_server(code: int, ex: Exception) -> str:
    if code not in _REFUSED:
        return ""
    return f"the database server refuses: {ex.args[1]}; correct it, or RESERVATION_DATABASE_URL"


def _about_tables(db: Database) -> str:
    with suppress(*UNAVAILABLE, peewee.DatabaseError):
        try:
            schema.require(db)
        except WrongSchema as ex:
            return str(ex)
    return ""
