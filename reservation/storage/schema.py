"""Making the nine tables from `schema.sql`, and telling whether they can be used."""

import re

import peewee

from reservation.settings import DATA
from reservation.storage.database import Database, MySQL, SQLite, transaction
from reservation.storage.models import MODELS

SCHEMA = DATA / "schema.sql"
_INDEX = re.compile(r"CREATE INDEX (\w+) ON (\w+)")
_NAME_TAKEN = 1061  # MySQL: another process made this index a moment ago


def statements() -> list[str]:
    """The statements of schema.sql, in its order, without its `--` comments."""
    text = re.sub(r"(?m)^--.*$", "", SCHEMA.read_text(encoding="utf-8"))
    return [part.strip() for part in text.split(";") if part.strip()]


def missing_tables(db: Database) -> list[str]:
    there = set() if isinstance(db, SQLite) and not db.has_file() else set(db.get_tables())
    return [
        model._meta.table_name for model in MODELS if model._meta.table_name not in there
    ]


def create(db: Database) -> None:
    """Make what is not there yet. Drops and changes nothing; several may run at once."""
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


def try_to_write(db: Database) -> None:
    """Commit a transaction that leaves nothing behind. Raises what the database raises."""

    def work() -> None:
        db.write("INSERT INTO typeutilisateur (id, nom) VALUES (0, '')")
        db.write("DELETE FROM typeutilisateur WHERE id = 0")

    transaction(db, work)


def _has_index(db: Database, name: str, table: str) -> bool:
    return any(index.name == name for index in db.get_indexes(table))
