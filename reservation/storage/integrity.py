"""Finds damaged tables, duplicate keys and dangling references.

Another program may have changed a table while the constraints were turned off.
"""

from collections.abc import Iterator
from typing import Any

from reservation.storage.database import Database, SQLite
from reservation.storage.models import MODELS


def damage(db: Database) -> Iterator[str]:
    """Yields a sentence for each fault that the database engine finds. On MySQL, commits the open
    transaction."""
    if isinstance(db, SQLite):
        for (report,) in db.rows("PRAGMA integrity_check"):
            if report != "ok":
                yield f"SQLite finds damage: {report}"
        return
    for table in (model._meta.table_name for model in MODELS):
        for _, _, kind, report in db.rows(f"CHECK TABLE {table}"):
            if kind in ("error", "warning") or kind == "status" and report != "OK":
                yield f"the server finds damage in {table}: {report}"


def duplicates(db: Database, model: Any) -> Iterator[str]:
    """Yields a sentence for each duplicate value of a unique key. Ignores keys that contain
    NULL."""
    table = model._meta.table_name
    for names in _unique_keys(model):
        columns = ", ".join(names)
        filled = " AND ".join(f"{name} IS NOT NULL" for name in names)
        sql = f"SELECT COUNT(*), {columns} FROM {table} WHERE {filled} GROUP BY {columns}"
        for count, *values in db.rows(f"{sql} HAVING COUNT(*) > 1"):
            shown = ", ".join(map(repr, values))
            yield f"{table}: {count} rows have the same {columns}: {shown}"


def _unique_keys(model: Any) -> Iterator[list[str]]:
    for index in model._meta.fields_to_index():
        if index._unique:
            yield [field.column_name for field in index._expressions]


def dangling(db: Database, model: Any) -> Iterator[str]:
    table = model._meta.table_name
    for field, target in model._meta.refs.items():
        name, other = field.column_name, target._meta.table_name
        sql = (
            f"SELECT t.id, t.{name} FROM {table} t LEFT JOIN {other} o ON o.id = t.{name}"
            f" WHERE t.{name} IS NOT NULL AND o.id IS NULL ORDER BY t.id"
        )
        for row_id, value in db.rows(sql):
            yield f"{table} {row_id}: its {name} is {value}, but there is no {other} {value}"
