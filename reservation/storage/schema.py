"""Making the tables from `schema.sql`, and telling whether they can be used."""

import re

import peewee

from reservation.settings import DATA
from reservation.storage.database import Database, MySQL, SQLite, transaction
from reservation.storage.models import MODELS
from reservation.storage.mysql import Row

SCHEMA = DATA / "schema.sql"
_INDEX = re.compile(r"CREATE INDEX (\w+) ON (\w+)")
_COLUMNS_SQLITE = (
    "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c"
    " WHERE t.type = 'table'"
)
_COLUMNS_MYSQL = (
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = DATABASE()"
)
_NAME_TAKEN = 1061  # MySQL: another process made this index a moment ago
_COLUMN_TAKEN = 1060  # or this column


def statements() -> list[str]:
    """The statements of schema.sql, in its order, without its `--` comments."""
    text = re.sub(r"(?m)^--.*$", "", SCHEMA.read_text(encoding="utf-8"))
    return [part.strip() for part in text.split(";") if part.strip()]


def missing(db: Database) -> list[str]:
    """Returns the tables, as `table`, and the columns, as `table.column`, that are not there."""
    there = set(_columns(db))
    tables = {table for table, _ in there}
    found = []
    for model in MODELS:
        table, columns = model._meta.table_name, model._meta.sorted_field_names
        if table not in tables:
            found.append(table)
            continue
        names = (model._meta.fields[name].column_name for name in columns)
        found += [f"{table}.{name}" for name in names if (table, name) not in there]
    return found


def _columns(db: Database) -> list[Row]:
    """Returns each table with each of its columns."""
    if isinstance(db, MySQL):
        return db.rows(_COLUMNS_MYSQL)
    return db.rows(_COLUMNS_SQLITE) if db.has_file() else []


def create(db: Database) -> None:
    """Make what is not there yet. Drops nothing; several processes may run this at once."""
    if isinstance(db, SQLite):
        db.make_file()
    # It is one transaction on SQLite; MySQL commits each statement by itself.
    transaction(db, lambda: _create(db))


def _create(db: Database) -> None:
    for statement in statements():
        index = _INDEX.match(statement)
        if index and _has_index(db, *index.groups()):
            continue
        try:
            db.execute_sql(statement)
        except peewee.IntegrityError:
            pass  # another process has just inserted this role
        except peewee.OperationalError as ex:
            if not (index and isinstance(db, MySQL) and _NAME_TAKEN in ex.args):
                raise
    for name in missing(db):
        _add_column(db, *name.split("."))


def _add_column(db: Database, table: str, column: str) -> None:
    """Add a column that is new since the table was made: nullable, or with a default."""
    (made,) = (one for one in statements() if f"CREATE TABLE IF NOT EXISTS {table} (" in one)
    definition = re.search(rf"(?m)^ +({column} .*),$", made)
    assert definition, f"{table}.{column} has no line of its own in schema.sql"
    try:
        db.execute_sql(f"ALTER TABLE {table} ADD COLUMN {definition[1]}")
    except peewee.OperationalError as ex:
        if not (isinstance(db, MySQL) and _COLUMN_TAKEN in ex.args):
            raise


def try_to_write(db: Database) -> None:
    """Commit a transaction that leaves nothing behind. Raises what the database raises."""

    def work() -> None:
        db.write("INSERT INTO typeutilisateur (id, nom) VALUES (0, '')")
        db.write("DELETE FROM typeutilisateur WHERE id = 0")

    transaction(db, work)


def _has_index(db: Database, name: str, table: str) -> bool:
    return any(index.name == name for index in db.get_indexes(table))
