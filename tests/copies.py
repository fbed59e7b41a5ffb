"""A business that the API has made once in this process is copied into the databases of later
tests, because a copy takes a tenth of the time of the requests."""

from collections.abc import Callable

from reservation.storage import definitions
from reservation.storage.database import Database, marks, transaction
from reservation.storage.mysql import Row

TABLES = ("entreprise", "prestation", "mot", "occurrence", "ressource", "semainetype")
Ids = tuple[int, ...]
Rows = dict[str, list[Row]]  # by table

_made: dict[str, tuple[Ids, Rows]] = {}  # by description


def business(db: Database, owner_id: int, description: str, make: Callable[[], Ids]) -> Ids:
    """Makes a business with `make`, and returns the ids that `make` returns.

    If the database has no business yet, and an earlier one had the same description, copies the
    earlier one with its ids.
    """
    if any(db.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in TABLES):
        return make()
    if description not in _made:
        ids = make()
        _made[description] = ids, {table: _read(db, table) for table in TABLES}
        return ids
    ids, rows = _made[description]
    transaction(db, lambda: _write(db, rows, owner_id))
    return ids


def _columns(table: str) -> list[str]:
    return list(definitions.wanted()[table].columns)


def _read(db: Database, table: str) -> list[Row]:
    return db.rows(f"SELECT {', '.join(_columns(table))} FROM {table}")


def _write(db: Database, rows: Rows, owner_id: int) -> None:
    for table, its_rows in rows.items():
        columns = _columns(table)
        if "proprietaire_id" in columns:
            owner = columns.index("proprietaire_id")
            its_rows = [(*row[:owner], owner_id, *row[owner + 1:]) for row in its_rows]
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks(columns)})"
        db.write_many(sql, its_rows)
