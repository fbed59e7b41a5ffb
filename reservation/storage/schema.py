"""The schema version of a database, and the tables of a new database."""

import time

import peewee

from reservation.errors import WrongSchema
from reservation.storage import definitions
from reservation.storage.database import PATIENCE, Database, SQLite, transaction
from reservation.storage.migration import migrations
from reservation.storage.mysql import Row

VERSION = len(migrations.MIGRATIONS)
_IN_EACH_VERSION = "typeutilisateur"  # a table
RESTORE = "restore"  # in schema_version, the names of restores begin with this word
# Parts of error messages about a missing table or column. SQLite has no error code for this.
_ABSENT = ("no such table", "no such column", "has no column", "doesn't exist", "unknown column")


def version(db: Database) -> int:
    """Returns the number of the last finished migration, or 0 if none is recorded."""
    return max((number for number, _, ended in _recorded(db) if ended is not None), default=0)


def begun(db: Database) -> int:
    """Returns the number of the last recorded migration, finished or not. Returns 0 if
    none is recorded."""
    return max((number for number, _, _ in _recorded(db)), default=0)


def unfinished(db: Database) -> list[str]:
    """Returns the names of the unfinished migrations and restores."""
    return [nom for _, nom, ended in _recorded(db) if ended is None]


def is_restoring(db: Database) -> bool:
    return any(nom.startswith(RESTORE) for nom in unfinished(db))


def _recorded(db: Database) -> list[Row]:
    if "schema_version" not in db.get_tables():
        return []
    return db.rows("SELECT version, nom, termine_le FROM schema_version")


def is_empty(db: Database) -> bool:
    """Returns whether the database has no table of schema.sql.

    An SQLite file that does not exist is empty. A database with only an empty schema_version is
    also empty, because an interrupted process may leave this table.
    """
    if isinstance(db, SQLite) and not db.has_file():
        return True
    there = definitions.names(db)
    return not there or (there == {"schema_version"} and not begun(db))


def missing(db: Database) -> list[str]:
    """Returns missing tables, as `table`, and missing columns, as `table.column`."""
    there, found = set(definitions.columns(db)), []
    for name, table in definitions.wanted().items():
        absent = [f"{name}.{column}" for column in table.columns if (name, column) not in there]
        found += [name] if len(absent) == len(table.columns) else absent
    return found


def require(db: Database) -> None:
    """Raises WrongSchema if this program cannot use the database. The message contains the
    remedy."""
    if needs_migration(db):
        raise WrongSchema(f"{_versions(version(db))}: run `reservation migrate`")
    if absent := missing(db):
        raise WrongSchema(
            f"the database lacks {', '.join(absent)} of schema version {VERSION}: restore it"
            " from a backup with `reservation restore`"
        )


def require_settled(db: Database) -> None:
    """Like `require`, but first waits while another process creates or migrates the tables."""
    try:
        require(db)
    except WrongSchema:
        with db.alone(PATIENCE):
            require(db)


def needs_migration(db: Database) -> bool:
    """Returns whether the database has an older version.

    Raises WrongSchema if the database is empty, has a newer version, holds an interrupted restore,
    or has tables of another program.
    """
    if isinstance(db, SQLite) and not db.has_file():
        create = "run `reservation init-db` to create it, or correct RESERVATION_DATABASE_URL"
        raise WrongSchema(f"there is no file {db.database}: {create}")
    if is_empty(db):
        raise WrongSchema("the database has no tables: run `reservation init-db`")
    if is_restoring(db):
        raise WrongSchema(
            "a restore into the database was interrupted: run `reservation restore` again"
        )
    there = version(db)
    if not (there or begun(db) or _IN_EACH_VERSION in db.get_tables()):
        # A migration would remove all columns of these tables that schema.sql does not have.
        raise WrongSchema(
            f"the database has tables of another program, such as {min(definitions.names(db))}:"
            " name another database in RESERVATION_DATABASE_URL"
        )
    if there > VERSION:
        raise WrongSchema(
            f"{_versions(there)}: install the newer program that migrated the database"
        )
    return there < VERSION


def _versions(there: int) -> str:
    return f"the database has schema version {there} and this program needs version {VERSION}"


def create(db: Database) -> None:
    """Creates the tables if the database is empty. Several processes may call this
    simultaneously."""
    if isinstance(db, SQLite):
        db.make_file()

    def work() -> None:
        if is_empty(db):
            make(db, "made by this version")
            finish(db)

    with db.alone(PATIENCE):
        transaction(db, work)


def make(db: Database, nom: str) -> None:
    """Creates all tables, replacing the tables of an interrupted call.

    First records the version as unfinished, with the name `nom`. MySQL commits each statement, so
    the version is still marked as unfinished after an interrupted call.
    """
    db.execute_sql(definitions.wanted()["schema_version"].create)
    if not db.write("UPDATE schema_version SET version = ?, nom = ?", VERSION, nom).rowcount:
        record(db, VERSION, nom)
    for table in reversed(definitions.wanted()):
        if table != "schema_version":
            db.execute_sql(f"DROP TABLE IF EXISTS {table}")
    for statement in definitions.statements():
        db.execute_sql(statement)


def record(db: Database, number: int, title: str) -> None:
    """Records a migration or a restore as unfinished, until `finish` is called."""
    db.write("INSERT INTO schema_version (version, nom) VALUES (?, ?)", number, title)


def finish(db: Database) -> None:
    now = int(time.time())
    db.write("UPDATE schema_version SET termine_le = ? WHERE termine_le IS NULL", now)


def record_backup(db: Database, now: int) -> None:
    transaction(db, lambda: db.write("UPDATE schema_version SET sauvegarde_le = ?", now))


def last_backup(db: Database) -> int | None:
    """Returns the time of the last backup in Unix seconds, or None if no backup is recorded."""
    ((latest,),) = db.rows("SELECT MAX(sauvegarde_le) FROM schema_version")
    return latest


def try_to_write(db: Database) -> None:
    """Raises an error if the database does not accept writes."""

    def work() -> None:
        db.write("INSERT INTO typeutilisateur (id, nom) VALUES (0, '')")
        db.write("DELETE FROM typeutilisateur WHERE id = 0")

    transaction(db, work)


def is_mismatch(ex: Exception) -> bool:
    """Returns whether `ex` reports a missing table or column."""
    text = str(ex).lower()
    return isinstance(ex, peewee.DatabaseError) and any(absent in text for absent in _ABSENT)
