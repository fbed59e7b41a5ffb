"""The version of the database's schema, and the making of a fresh database."""

import time

import peewee

from reservation.errors import WrongSchema
from reservation.storage import definitions
from reservation.storage.database import PATIENCE, Database, SQLite, transaction
from reservation.storage.migration import migrations

VERSION = len(migrations.MIGRATIONS)  # what this program needs
RESTORE = "restore"  # how the `nom` of a version begins into which a backup is being loaded
Recorded = list[tuple[int, str, int | None]]  # the rows of schema_version
_INSERT = "INSERT INTO schema_version (version, nom, termine_le) VALUES (?, ?, ?)"


def version(db: Database) -> int:
    """Returns the number of the last migration that has ended; 0 before versions were counted."""
    return _ended(_recorded(db))


def _ended(rows: Recorded) -> int:
    return max((number for number, _, ended in rows if ended is not None), default=0)


def _restoring(rows: Recorded) -> bool:
    return any(ended is None and nom.startswith(RESTORE) for _, nom, ended in rows)


def _recorded(db: Database) -> Recorded:
    if "schema_version" not in db.get_tables():
        return []
    return db.rows("SELECT version, nom, termine_le FROM schema_version")


def is_empty(db: Database) -> bool:
    """Whether the database has none of the tables. An SQLite file need not exist.

    On MySQL a process that was killed may have made nothing but an empty schema_version.
    """
    if isinstance(db, SQLite) and not db.has_file():
        return True
    there = definitions.wanted().keys() & set(db.get_tables())
    return not there or (there == {"schema_version"} and not begun(db))


def missing(db: Database) -> list[str]:
    """Returns the absent tables, as `table`, and the absent columns, as `table.column`."""
    there, found = set(definitions.columns(db)), []
    tables = {table for table, _ in there}
    for name, table in definitions.wanted().items():
        if name not in tables:
            found.append(name)
        else:
            lacking = (column for column in table.columns if (name, column) not in there)
            found += [f"{name}.{column}" for column in lacking]
    return found


def require(db: Database) -> None:
    """Raises WrongSchema, which says what to do, unless this program can use the database."""
    if needs_migration(db):
        raise WrongSchema(f"{_versions(version(db))}: run `reservation migrate`")
    lacking = missing(db)
    if lacking:
        raise WrongSchema(
            f"the database lacks {', '.join(lacking)} of schema version {VERSION}: restore it"
            " from a backup with `reservation restore`"
        )


def needs_migration(db: Database) -> bool:
    """Whether the database has an older version.

    Raises WrongSchema if it is empty, has a newer version, or if a restore was interrupted.
    """
    if is_empty(db):
        raise WrongSchema("the database has no tables: run `reservation init-db`")
    rows = _recorded(db)
    if _restoring(rows):
        raise WrongSchema(
            "a restore into the database was interrupted: run `reservation restore` again"
        )
    there = _ended(rows)
    if there > VERSION:
        raise WrongSchema(
            f"{_versions(there)}: install the newer program, whose `reservation migrate` was run"
        )
    return there < VERSION


def _versions(there: int) -> str:
    return f"the database has schema version {there} and this program needs version {VERSION}"


def unfinished(db: Database) -> list[str]:
    """Returns the names of the migrations that have begun and not ended."""
    return [nom for _, nom, ended in _recorded(db) if ended is None]


def is_restoring(db: Database) -> bool:
    """Whether a restore has begun and not ended."""
    return _restoring(_recorded(db))


def begun(db: Database) -> int:
    """Returns the number of the last migration whose data is in order."""
    return max((number for number, _, _ in _recorded(db)), default=0)


def create(db: Database) -> None:
    """Makes the tables of an empty database, with the present version.

    Does nothing where there are tables. Several processes may call it at once.
    """
    if isinstance(db, SQLite):
        db.make_file()

    def work() -> None:
        if is_empty(db):
            make(db, "made by this version")
            finish(db)

    with db.alone(PATIENCE):
        transaction(db, work)


def make(db: Database, nom: str) -> None:
    """Makes all tables, in place of those of an unfinished version, as an unfinished one.

    MySQL commits each statement by itself, so the version comes first.
    """
    db.execute_sql(definitions.wanted()["schema_version"].create)
    if not db.write("UPDATE schema_version SET version = ?, nom = ?", VERSION, nom).rowcount:
        db.write(_INSERT, VERSION, nom, None)
    for table in reversed(definitions.wanted()):
        if table != "schema_version":
            db.execute_sql(f"DROP TABLE IF EXISTS {table}")
    for statement in definitions.statements():
        db.execute_sql(statement)


def record(db: Database, number: int, title: str) -> None:
    """Records that the data of a migration is in order; `finish` then ends all of them."""
    db.write(_INSERT, number, title, None)


def finish(db: Database) -> None:
    now = int(time.time())
    db.write("UPDATE schema_version SET termine_le = ? WHERE termine_le IS NULL", now)


def try_to_write(db: Database) -> None:
    """Commits a transaction that leaves nothing behind. Raises what the database raises."""

    def work() -> None:
        db.write("INSERT INTO typeutilisateur (id, nom) VALUES (0, '')")
        db.write("DELETE FROM typeutilisateur WHERE id = 0")

    transaction(db, work)


# SQLite has one error code for all of these; MySQL's texts are stable since version 5.
_ABSENT = ("no such table", "no such column", "has no column", "doesn't exist", "unknown column")


def is_mismatch(ex: Exception) -> bool:
    """Whether a statement failed because a table or a column does not exist."""
    said = str(ex).lower()
    return isinstance(ex, peewee.DatabaseError) and any(one in said for one in _ABSENT)
