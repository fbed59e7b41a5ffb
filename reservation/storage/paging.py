"""The first keys of a long list, read through indexes that are in the order of the list."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from reservation.storage.database import Database

_MOST_PARTS = 50  # of one statement


class Part(NamedTuple):
    """The rows of a table that meet the conditions: `{"debut >= ?": 1790000000}`.

    `index` must have these rows in the order of the list; "" is the primary key. The planners of both engines sometimes
    choose another index, and then read and sort the whole table.
    """

    index: str
    conditions: dict[str, Any]


def first_keys(
    db: Database, table: str, key: Sequence[str], parts: Sequence[Part], most: int, latest: bool
) -> list[tuple[Any, ...]]:
    """Returns the first `most` keys of all parts, in order and each once; `latest` is descending.

    `key` has the columns of the order. Reads at most `most` keys of each part.
    """
    columns = ", ".join(key)
    order = ", ".join(f"{name} DESC" if latest else name for name in key)
    found: set[tuple[Any, ...]] = set()
    for at in range(0, len(parts), _MOST_PARTS):
        selects, values = [], []
        for index, conditions in parts[at : at + _MOST_PARTS]:
            by = db.BY_INDEX.format(index) if index else ""
            selects.append(
                f"SELECT * FROM (SELECT {columns} FROM {table} {by}"
                f" WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT ?) AS part"
            )
            values += [*conditions.values(), most]
        found.update(db.rows(" UNION ALL ".join(selects), *values))
    return sorted(found, reverse=latest)[:most]
