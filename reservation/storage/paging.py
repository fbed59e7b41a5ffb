"""The first keys of a long list, read through indexes that are in the order of the list."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from reservation.storage.database import Database

ENDLESS = 2**62  # above every id and every instant
_MOST_PARTS = 50  # of one statement
Conditions = dict[str, Any]  # such as {"debut >= ?": 1790000000}


class Part(NamedTuple):
    """The rows of a table that meet the conditions.

    The index `by` must have these rows in the order of the list; "" is the primary key. Both
    engines sometimes choose another index, and then read and sort the whole table.
    """

    by: str
    conditions: Conditions


def first_keys(
    db: Database, table: str, key: Sequence[str], parts: Sequence[Part], most: int,
    latest: bool = False,
) -> list[tuple[Any, ...]]:
    """Returns the first `most` keys of all parts, in order and each once; `latest` is descending.

    `key` has the columns of the order. Reads at most `most` keys of each part.
    """
    columns = ", ".join(key)
    order = ", ".join(f"{name} DESC" if latest else name for name in key)
    found: set[tuple[Any, ...]] = set()
    for at in range(0, len(parts), _MOST_PARTS):
        selects, values = [], []
        for by, conditions in parts[at : at + _MOST_PARTS]:
            index = db.BY_INDEX.format(by) if by else ""
            selects.append(
                f"SELECT * FROM (SELECT {columns} FROM {table} {index}"
                f" WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT ?) AS part"
            )
            values += [*conditions.values(), most]
        found.update(db.rows(" UNION ALL ".join(selects), *values))
    return sorted(found, reverse=latest)[:most]


def touching(
    db: Database, table: str, parts: Sequence[Part], most: int, *, since: int | None,
    until: int | None, longest: int, after: tuple[int, ...] | None, latest: bool = False,
) -> list[int]:
    """Returns the ids of the first rows of all parts that touch [since, until), by start.

    The order is (debut, id), after the key `after`; `latest` is descending. No row is longer than
    `longest`. Times are in seconds.
    """
    ids: list[int] = []
    for within in _ranges(since, until, longest, after, latest):
        some = [Part(by, {**conditions, **within}) for by, conditions in parts]
        keys = first_keys(db, table, ("debut", "id"), some, most - len(ids), latest)
        ids += [id for _, id in keys]
        if len(ids) == most:
            break
    return ids


def _ranges(
    since: int | None, until: int | None, longest: int, after: tuple[int, ...] | None,
    latest: bool,
) -> Iterator[Conditions]:
    """Yields the ranges of `debut` to read, in the order of the list.

    The rows that have begun before `since` are a range of their own, as long as the longest row.
    """
    end = ENDLESS if until is None else until
    ranges: list[tuple[int, int, Conditions]] = [(-ENDLESS, end, {})]
    if since is not None:
        begun = (since - longest + 1, min(since, end), {"fin > ?": since})
        ranges = [begun, (since, end, {})]
    for low, high, others in reversed(ranges) if latest else ranges:
        if after is not None:
            debut, id = after
            if low <= debut < high:
                yield {"debut = ?": debut, "id < ?" if latest else "id > ?": id, **others}
            low, high = (low, min(high, debut)) if latest else (max(low, debut + 1), high)
        if low < high:
            yield {"debut >= ?": low, "debut < ?": high, **others}
