"""Migrates a database of an earlier version to schema.sql, in three phases.

1. Add tables and columns; a new column accepts NULL.
2. Run the data statements of each version: see `migrations`.
3. Give each table exactly the columns, constraints and indexes of schema.sql.

An interrupted migration can be repeated, because each run compares the database with schema.sql.
On SQLite, all steps are one transaction.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import peewee

from reservation.errors import WrongSchema
from reservation.storage import definitions, schema
from reservation.storage.database import ROW_REFUSED, Database, SQLite, transaction
from reservation.storage.definitions import Table
from reservation.storage.migration import alterations, rebuilding
from reservation.storage.migration.migrations import MIGRATIONS, Migration

PATIENCE = 3600.0  # seconds to wait for another process that migrates


class Step(NamedTuple):
    title: str
    run: Callable[[], None]


def steps(db: Database) -> list[Step]:
    """Returns the remaining steps in order.

    Raises WrongSchema if `schema.needs_migration` does.
    """
    if not schema.needs_migration(db):
        return []
    existing = definitions.existing(db, definitions.names(db))
    found = [*_additions(db, existing), *_data(db), *_adjustments(db, existing)]
    end = Step(f"record schema version {schema.VERSION}", partial(schema.finish, db))
    return [*found, end]


def migrate(db: Database, begin: Callable[[Step], None]) -> list[Step]:
    """Runs all steps, and returns the steps. Calls `begin(step)` before each step.

    On SQLite, the first step copies the database to a new file. Raises WrongSchema if the new
    schema refuses a row.
    """
    if isinstance(db, SQLite):
        return _migrate_file(db, begin)
    with db.alone(PATIENCE):
        return _run(steps(db), begin, "the earlier steps are done: correct")


def _migrate_file(db: SQLite, begin: Callable[[Step], None]) -> list[Step]:
    copies: list[Path] = []
    schema.needs_migration(db)  # raises WrongSchema if the file does not exist

    def work() -> list[Step]:
        todo = steps(db)
        if todo:
            at = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
            copies.append(Path(f"{db.database}.version-{schema.version(db)}-{at}"))
            keep = partial(rebuilding.keep, db, copies[-1])
            todo.insert(0, Step(f"copy the database to {copies[-1]}", keep))
        _run(todo, begin, "the database is unchanged: correct")
        rebuilding.check_references(db)
        return todo

    try:
        with rebuilding.without_foreign_keys(db):
            return transaction(db, work, PATIENCE)
    except BaseException:
        with suppress(peewee.PeeweeException, WrongSchema):
            if schema.needs_migration(db):  # the migration was rolled back: delete the copy
                for copy in copies:
                    copy.unlink(missing_ok=True)
        raise


def _run(todo: list[Step], begin: Callable[[Step], None], advice: str) -> list[Step]:
    for step in todo:
        begin(step)
        try:
            step.run()
        except ROW_REFUSED as ex:
            raise WrongSchema(
                f"{step.title}: the new schema refuses a row ({ex.args[-1]}); {advice} the row,"
                " and run `reservation migrate` again"
            ) from ex
    return todo


def _additions(db: Database, existing: dict[str, Table]) -> Iterator[Step]:
    wanted = definitions.wanted()
    absent = [name for name in wanted if name not in existing]
    if absent:
        yield Step(f"make {', '.join(absent)}", partial(_make, db, absent))
    for name, table in wanted.items():
        there = existing.get(name, table).columns
        new = [column for column in table.columns if column not in there]
        if new:
            yield Step(f"{name}: add {', '.join(new)}", partial(_add, db, table, new))


def _make(db: Database, tables: list[str]) -> None:
    for statement in definitions.statements():
        index = definitions.table_of_index(statement)
        if not index or index in tables:
            db.execute_sql(statement)


def _add(db: Database, table: Table, columns: list[str]) -> None:
    for column in columns:
        kind = table.types()[column]
        db.execute_sql(f"ALTER TABLE {table.name} ADD COLUMN {column} {kind}")


def _data(db: Database) -> Iterator[Step]:
    begun = schema.begun(db)
    for number, migration in enumerate(MIGRATIONS[begun:], begun + 1):
        title = f"version {number}: {migration.title}"
        yield Step(title, partial(_bring_into_order, db, number, migration))


def _bring_into_order(db: Database, number: int, migration: Migration) -> None:
    def work() -> None:
        for step in migration.data:
            if callable(step):
                step(db)
            else:
                db.execute_sql(step.replace("{now}", str(int(time.time()))))
        schema.record(db, number, migration.title)

    transaction(db, work)


def _adjustments(db: Database, existing: dict[str, Table]) -> Iterator[Step]:
    engine = rebuilding if isinstance(db, SQLite) else alterations
    for name, table in definitions.wanted().items():
        if name in existing and engine.differs(existing[name], table):
            title = f"{name}: adjust columns, constraints and indexes"
            yield Step(title, partial(engine.adjust, db, table))
