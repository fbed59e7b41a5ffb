"""Whether the tables are whole, and their rows keep to the keys and references of the models.

The engine enforces both; a table that was restored, edited or made by another hand may not.
"""

from collections.abc import Iterator
from typing import Any

from reservation.storage.database import Database, SQLite
from reservation.storage.models import MODELS


def damage(db: Database) -> Iterator[str]:
    """What the engine says is wrong with its own files. Ends a transaction on MySQL."""
    if isinstance(db, SQLite):
        for (said,) in db.rows("PRAGMA integrity_check"):
            if said != "ok":
                yield f"SQLite finds damage: {said}"
        return
    for model in MODELS:
        table = model._meta.table_name
        for _, _, kind, said in db.rows(f"CHECK TABLE {table}"):
            if kind in ("error", "warning") or kind == "status" and said != "OK":
                yield f"the server finds damage in {table}: {said}"


def duplicates(db: Database, model: Any) -> Iterator[str]:
    """Values that stand more than once in a unique key; NULL equals nothing."""
    table = model._meta.table_name
    for names in _unique_keys(model):
        columns = ", ".join(names)
        filled = " AND ".join(f"{name} IS NOT NULL" for name in names)
        sql = (
            f"SELECT COUNT(*), {columns} FROM {table} WHERE {filled} GROUP BY {columns}"
            " HAVING COUNT(*) > 1"
        )
        for count, *values in db.rows(sql):
            shown = ", ".join(map(repr, values))
            yield f"{table}: {count} rows have the same {columns}: {shown}"


def _unique_keys(model: Any) -> Iterator[list[str]]:
    for index in model._meta.fields_to_index():
        if index._unique:
            yield [field.column_name for field in index._expressions]


def dangling(db: Database, model: Any) -> Iterator[str]:
    """References to rows that are not there."""
    table = model._meta.table_name
    for field, target in model._meta.refs.items():
        name, other = field.column_name, target._meta.table_name
        sql = (
            f"SELECT t.id, t.{name} FROM {table} t LEFT JOIN {other} o ON o.id = t.{name}"
            f" WHERE t.{name} IS NOT NULL AND o.id IS NULL ORDER BY t.id"
        )
        for number, value in db.rows(sql):
            yield f"{table} {number}: its {name} is {value}, which is no {other}"
