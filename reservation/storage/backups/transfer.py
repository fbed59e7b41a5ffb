"""Saves all rows of a database to an archive, and restores an archive.

A restore takes several transactions, because a Galera cluster limits the size of a transaction.
A restore begins by writing a random name into schema_version. Each later transaction raises
Conflict if another restore has replaced the name.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from reservation.conflicts import Conflict
from reservation.lib.environment import BadSetting
from reservation.storage import definitions, schema
from reservation.storage.backups.archive import Archive, BadArchive, Rows, TableHead, Types, Writer
from reservation.storage.database import ROW_REFUSED, Database, MySQL, SQLite, marks, transaction

BATCH, SLICE = 1000, 5000  # number of rows per SELECT, and per transaction
FILES = 10  # number of rows per SELECT or transaction, if the rows contain files
Adjust = Callable[[TableHead, Rows], None]
Progress = Callable[[TableHead, Iterable[Rows]], Iterator[Rows]]


def types() -> Types:
    """Returns {table: {column: type}} for the tables of a backup: all but schema_version."""
    tables = definitions.wanted().items()
    return {name: table.types() for name, table in tables if name != "schema_version"}


def check_target(db: Database, path: Path) -> None:
    """Raises BadSetting if a backup at `path` would replace a file of the database, a device or a
    folder."""
    if path.exists() and not path.is_file():
        raise BadSetting(f"{path} is not a regular file: name another file")
    if not isinstance(db, SQLite):
        return
    main = Path(db.database).resolve()
    live = [Path(f"{main}{end}") for end in ("", "-wal", "-shm")]
    # A backup also writes two temporary files beside `path`.
    written = [Path(f"{path}{end}") for end in ("", ".partial", ".partial-copy")]
    if any(_is_same(one, other) for one in live for other in written):
        raise BadSetting(f"a backup at {path} would replace the database: name another file")


def _is_same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return one == other.resolve()


def save(db: Database, writer: Writer, progress: Progress) -> int:
    """Writes all rows. Returns the number of rows. The database must not change meanwhile."""
    for table, columns in types().items():
        part = TableHead(table, columns, _last_id(db, table))
        writer.begin(part)
        for rows in progress(part, _batches(db, part)):
            writer.rows(rows)
    return writer.end()


def _batches(db: Database, part: TableHead) -> Iterator[Rows]:
    columns, most = list(part.columns), FILES if part.files else BATCH
    sql = f"SELECT {', '.join(columns)} FROM {part.table} WHERE id > ? ORDER BY id LIMIT ?"
    last, place = -1, columns.index("id")
    while rows := db.rows(sql, last, most):
        yield rows
        last = rows[-1][place]


def _last_id(db: Database, table: str) -> int:
    """Returns the highest id that was ever used in the table, even by a deleted row."""
    highest = db.rows(f"SELECT COALESCE(MAX(id), 0) FROM {table}")[0][0]
    if isinstance(db, SQLite):
        counted = db.rows("SELECT seq FROM sqlite_sequence WHERE name = ?", table)
        return max(highest, counted[0][0] if counted else 0)
    # On MySQL 8, AUTO_INCREMENT in information_schema may be a day old.
    following = re.search(r" AUTO_INCREMENT=(\d+)", db.rows(f"SHOW CREATE TABLE {table}")[0][1])
    return max(highest, int(following[1]) - 1 if following else 0)


class Restore:
    """Restores a backup into a database that is empty or contains an interrupted restore."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.name = f"{schema.RESTORE} {secrets.token_hex(4)}"

    def begin(self) -> None:
        """Creates the tables, replacing the tables of an interrupted restore.

        Raises Conflict unless the database is empty or contains an interrupted restore. Turns off
        foreign keys: the restore is faster, and a backup with a broken reference can be restored.
        """
        if isinstance(self.db, SQLite):
            self.db.make_file()
            self.db.execute_sql("PRAGMA foreign_keys = OFF")
        else:  # strict mode: MySQL refuses a text that is too long, instead of truncating it
            modes = "sql_mode = 'STRICT_ALL_TABLES', foreign_key_checks = 0"
            self.db.execute_sql(f"SET SESSION {modes}")

        def make() -> None:
            if not schema.is_empty(self.db) and not schema.is_restoring(self.db):
                raise Conflict("the database is not empty: restore into one that has no tables")
            schema.make(self.db, self.name)

        transaction(self.db, make)

    def load(self, archive: Archive, adjust: Adjust, progress: Progress) -> None:
        """Inserts all rows. `adjust` changes rows in place before they are inserted. Raises
        BadArchive if the database refuses a row, or if a table has the wrong number of rows."""
        for part, batches in archive.parts():
            self._slice(partial(self._clear, part))
            number, waiting, most = 0, [], FILES if part.files else SLICE
            for rows in progress(part, batches):
                adjust(part, rows)
                number += len(rows)
                waiting += rows
                if len(waiting) >= most:
                    self._insert(part, waiting)
                    waiting = []
            self._insert(part, waiting)
            if number != archive.rows[part.table]:
                raise BadArchive(f"does not hold the announced number of rows of {part.table}")

    def end(self) -> None:
        self._slice(lambda: schema.finish(self.db))

    def _clear(self, part: TableHead) -> None:
        """Deletes the rows that schema.sql has inserted, and makes `part.last_id + 1` the next
        id."""
        self.db.write(f"DELETE FROM {part.table}")
        create = definitions.wanted()[part.table].create
        if isinstance(self.db, MySQL):
            if "AUTO_INCREMENT" in create:
                self.db.write(f"ALTER TABLE {part.table} AUTO_INCREMENT = {part.last_id + 1}")
        elif "AUTOINCREMENT" in create and part.last_id:
            self.db.write("INSERT INTO sqlite_sequence VALUES (?, ?)", part.table, part.last_id)

    def _insert(self, part: TableHead, rows: Rows) -> None:
        if not rows:
            return
        columns = ", ".join(part.columns)
        sql = f"INSERT INTO {part.table} ({columns}) VALUES ({marks(part.columns)})"
        try:
            self._slice(lambda: self.db.write_many(sql, rows))
        except ROW_REFUSED as ex:
            raise BadArchive(f"holds a row that {part.table} refuses: {ex}") from ex

    def _slice(self, work: Callable[[], None]) -> None:
        """Runs `work` in a transaction. Raises Conflict if another restore has begun."""

        def checked() -> None:
            if schema.unfinished(self.db) != [self.name]:
                raise Conflict("another restore into this database has begun")
            work()

        transaction(self.db, checked)
