"""Finds damaged tables, duplicate keys and dangling references.

Another program may have changed a table while the constraints were turned off.
"""

import re
from collections.abc import Iterator

from reservation.storage import definitions
from reservation.storage.database import Database, SQLite
from reservation.storage.definitions import Table

_UNIQUE = re.compile(r"UNIQUE \((.+)\)")
_REFERENCE = re.compile(r"FOREIGN KEY \((\w+)\) REFERENCES (\w+)")


def damage(db: Database) -> Iterator[str]:
    """Yields a sentence for each fault that the database engine finds. On MySQL, commits the open
    transaction."""
    if isinstance(db, SQLite):
        for (report,) in db.rows("PRAGMA integrity_check"):
            if report != "ok":
                yield f"SQLite finds damage: {report}"
        return
    for table in definitions.wanted():
        for _, _, kind, report in db.rows(f"CHECK TABLE {table}"):
            if kind in ("error", "warning") or kind == "status" and report != "OK":
                yield f"the server finds damage in {table}: {report}"


def unique_keys(table: Table) -> list[str]:
    """Returns the columns of each unique key, such as `ressource_id, debut`."""
    return [key[1] for key in map(_UNIQUE.match, table.constraints.values()) if key]


def duplicates(db: Database, table: Table) -> Iterator[str]:
    """Yields a sentence for each duplicate value of a unique key. Ignores keys that contain
    NULL."""
    for columns in unique_keys(table):
        filled = " AND ".join(f"{name} IS NOT NULL" for name in columns.split(", "))
        sql = f"SELECT COUNT(*), {columns} FROM {table.name} WHERE {filled} GROUP BY {columns}"
        for count, *values in db.rows(f"{sql} HAVING COUNT(*) > 1"):
            shown = ", ".join(map(repr, values))
            yield f"{table.name}: {count} rows have the same {columns}: {shown}"


def dangling(db: Database, table: Table) -> Iterator[str]:
    for reference in filter(None, map(_REFERENCE.match, table.constraints.values())):
        name, other = reference.groups()
        sql = (
            f"SELECT t.id, t.{name} FROM {table.name} t LEFT JOIN {other} o ON o.id = t.{name}"
            f" WHERE t.{name} IS NOT NULL AND o.id IS NULL ORDER BY t.id"
        )
        for row_id, value in db.rows(sql):
            yield f"{table.name} {row_id}: its {name} is {value}, but there is no {other} {value}"
