"""Rebuilds a table of SQLite to match its definition in schema.sql.

SQLite's ALTER TABLE cannot change a constraint or the order of columns, so a new table replaces
the old table. See "Making Other Kinds Of Table Schema Changes" in
https://www.sqlite.org/lang_altertable.html.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import peewee

from reservation.errors import Refusal, WrongSchema
from reservation.storage import definitions
from reservation.storage.definitions import Table
from reservation.storage.sqlite import SQLite

_COUNTED = "SELECT seq FROM sqlite_sequence WHERE name = ?"
_SEQUENCE = (
    "INSERT INTO sqlite_sequence (name, seq) SELECT ?, seq FROM sqlite_sequence WHERE name = ?"
)


def differs(there: Table, table: Table) -> bool:
    return _text(there) != _text(table) or there.indexes != table.indexes


def adjust(db: SQLite, table: Table) -> None:
    there = definitions.existing(db, [table.name])[table.name]
    if _text(there) != _text(table):
        _rebuild(db, table, [name for name in table.columns if name in there.columns])
        there = there._replace(indexes={})  # the indexes were dropped with the old table
    for name in there.indexes:
        if there.indexes[name] != table.indexes.get(name):
            db.execute_sql(f"DROP INDEX {name}")
    for name, columns in table.indexes.items():
        if columns != there.indexes.get(name):
            db.execute_sql(f"CREATE INDEX {name} ON {table.name} {columns}")


def _text(table: Table) -> str:
    """Returns the CREATE TABLE statement without comments and formatting, for comparison."""
    text = re.sub(r"/\*.*?\*/", " ", table.create, flags=re.DOTALL)
    return " ".join(text.replace("IF NOT EXISTS ", "").replace('"', "").split())


def _rebuild(db: SQLite, table: Table, columns: list[str]) -> None:
    name, new = table.name, f"new_{table.name}"
    listed = ", ".join(columns)
    db.execute_sql(table.create.replace(f"IF NOT EXISTS {name} ", f"{new} ", 1))
    try:
        db.execute_sql(f"INSERT INTO {new} ({listed}) SELECT {listed} FROM {name}")
    except peewee.IntegrityError as ex:  # the message must not show the temporary name
        raise peewee.IntegrityError(str(ex).replace(new, name)) from ex
    if "AUTOINCREMENT" in table.create and db.rows(_COUNTED, name):
        db.write("DELETE FROM sqlite_sequence WHERE name = ?", new)
        db.write(_SEQUENCE, new, name)  # so that no id of a deleted row is used again
    db.execute_sql(f"DROP TABLE {name}")
    db.execute_sql(f"ALTER TABLE {new} RENAME TO {name}")


@contextmanager
def without_foreign_keys(db: SQLite) -> Iterator[None]:
    """Turns off foreign keys, so that DROP TABLE does not delete rows in other tables.

    Call outside a transaction, because SQLite ignores PRAGMA foreign_keys within a transaction.
    """
    db.execute_sql("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        db.execute_sql("PRAGMA foreign_keys = ON")


def check_references(db: SQLite) -> None:
    """Raises WrongSchema if a row references a row that does not exist."""
    for table, number, parent, _ in db.rows("PRAGMA foreign_key_check"):
        raise WrongSchema(
            f"{table} {number} references a row of {parent} that does not exist: delete or"
            f" correct {table} {number}, and run `reservation migrate` again"
        )


def keep(db: SQLite, path: Path) -> None:
    """Copies the database to `path`. The file appears under this name only when the copy is
    complete. Raises Refusal if the file cannot be written, for example on a full disk.

    First removes incomplete copies, left by processes that were killed. Call in a transaction,
    so that no other process is writing a copy.
    """
    partial = Path(f"{path}.partial")
    try:
        for left in _incomplete(Path(db.database)):
            left.unlink(missing_ok=True)
        db.copy(partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.rename(path)
    except (OSError, sqlite3.Error) as ex:
        raise Refusal(f"{path} cannot be written: {ex}") from ex
    finally:
        partial.unlink(missing_ok=True)  # exists only after a failure


def _incomplete(path: Path) -> list[Path]:
    """Returns incomplete copies of the file `path`, and SQLite's journals of these copies."""
    name = re.compile(rf"{re.escape(path.name)}\.version-\d+-\w+\.partial(-\w+)?")
    return [one for one in path.parent.iterdir() if name.fullmatch(one.name)]
