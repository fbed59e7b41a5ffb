"""Reads one page of a long list in the order of an index, without sorting the whole table."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from reservation.storage.database import Database

ENDLESS = 2**62  # greater than every id and every instant
FEW = 4  # parts for which `first_of` reads at most four times the rows that it returns
_MOST_PARTS = 50  # at most this many SELECTs are in one UNION
# {SQL condition: value of its placeholder}, such as {"debut >= ?": 1790000000}. If a condition has
# no placeholder or several placeholders, the value is a list: {"actif = 1": []}.
Conditions = dict[str, Any]
Key = tuple[int, ...]
Row = TypeVar("Row")


class Part(NamedTuple):
    """The rows of a table that meet `conditions`.

    `by` is the index to use. The index must return the rows in the order of the columns that
    `first_keys` receives as `key`. If `by` is "", the engine chooses an index, but may sort the
    whole table. `longest` is an upper bound of `fin - debut` in these rows, in seconds, and is
    needed only for `touching`.
    """

    by: str
    conditions: Conditions
    longest: int = 0


def first_keys(
    db: Database, table: str, key: Sequence[str], parts: Sequence[Part], most: int,
    latest: bool = False, joined: str = "", further: Sequence[str] = (),
) -> list[tuple[Any, ...]]:
    """Returns the first `most` keys of the rows in `parts`, sorted and without duplicates.

    Each key has the columns in `key`, then those in `further`. With `latest`, the order is
    descending. `joined` is SQL that joins the table of the columns in `further`.
    """
    # Rounded up, so that two rounds read a usual page if one of five parts has nearly all rows.
    each = most if len(parts) < 3 else -(-2 * most // len(parts)) + 5
    while True:
        found = _read(db, table, joined, key, further, parts, each, latest)
        # LIMIT may have cut off some parts. `ends` has the last key of every such part. `keys` is
        # complete up to the first of `ends` in the sort order.
        ends = [keys[-1] for keys in found if len(keys) == each]
        keys = sorted(set(chain.from_iterable(found)), reverse=latest)
        if ends and each < most:
            end = max(ends) if latest else min(ends)
            keys = keys[: keys.index(end) + 1]
            if len(keys) < most:
                each = min(2 * each, most)
                continue
        return keys[:most]


def first_of(
    db: Database, table: str, key: Sequence[str], parts: Sequence[Part], most: int,
    latest: bool = False,
) -> tuple[str, list[Any]]:
    """Returns SQL that selects the keys that `first_keys` returns, and the values of its
    placeholders. The SQL reads `most` rows of each part, so use it for at most FEW parts."""
    columns = [", ".join(key)] * len(parts)
    selects, values = _selects(db, table, "", columns, key, parts, most, latest)
    if len(parts) == 1:
        return selects[0], values
    return f"{' UNION '.join(selects)} ORDER BY {_order(key, latest)} LIMIT ?", [*values, most]


def _read(
    db: Database, table: str, joined: str, key: Sequence[str], further: Sequence[str],
    parts: Sequence[Part], each: int, latest: bool,
) -> list[list[tuple[Any, ...]]]:
    names = [f"c{number}" for number in range(len(key))]
    named = ", ".join([*(f"{column} AS {name}" for column, name in zip(key, names)), *further])
    columns = [f"{number} AS part, {named}" for number in range(len(parts))]
    found: list[list[tuple[Any, ...]]] = [[] for _ in parts]
    for at in range(0, len(parts), _MOST_PARTS):
        some = slice(at, at + _MOST_PARTS)
        selects, values = _selects(
            db, table, joined, columns[some], key, parts[some], each, latest
        )
        union = " UNION ALL ".join(selects)
        if further:
            rows: Sequence[Sequence[Any]] = db.rows(union, *values)
        else:
            rows = db.many_rows(", ".join(["part", *names]), f"FROM ({union}) AS found", *values)
        for number, *rest in rows:
            found[number].append(tuple(rest))
    return [sorted(keys, reverse=latest) for keys in found]


def _selects(
    db: Database, table: str, joined: str, columns: Sequence[str], key: Sequence[str],
    parts: Sequence[Part], most: int, latest: bool,
) -> tuple[list[str], list[Any]]:
    """Returns a SELECT for each part, and the values of all placeholders."""
    selects: list[str] = []
    values: list[Any] = []
    for selected, (by, conditions, _) in zip(columns, parts, strict=True):
        index = db.BY_INDEX.format(by) if by else ""
        where, bound = together(conditions)
        selects.append(
            f"SELECT {selected} FROM {table} {index} {joined}"
            f" WHERE {where} ORDER BY {_order(key, latest)} LIMIT ?"
        )
        values += [*bound, most]
    if len(selects) > 1:
        selects = [db.IN_UNION.format(select) for select in selects]
    return selects, values


def _order(key: Sequence[str], latest: bool) -> str:
    return ", ".join(f"{name} DESC" if latest else name for name in key)


def together(conditions: Conditions) -> tuple[str, list[Any]]:
    """Joins the conditions with AND. Returns the SQL and the values of its placeholders."""
    values: list[Any] = []
    for some in conditions.values():
        values += some if isinstance(some, list) else [some]
    return " AND ".join(conditions), values


def touching(
    read: Callable[[Sequence[Part], int], Sequence[Row]], parts: Sequence[Part], most: int, *,
    since: int | None, until: int | None, after: Key | None, latest: bool = False,
) -> list[Row]:
    """Returns the first `most` rows in `parts` whose time from `debut` to `fin` overlaps
    [since, until).

    `read(parts, most)` returns the first `most` rows in some parts, in the order of (debut, id).
    With `latest`, `read` must use the descending order. `after` is the key of the last row of the
    previous page. `since` and `until` are Unix seconds, or None for no bound.
    """
    ranges = [
        [part._replace(conditions=part.conditions | within.of(part)) for part in parts]
        for within in _ranges(since, until, after, latest)
    ]
    if len(ranges) * len(parts) <= FEW:
        ranges = [[*chain.from_iterable(ranges)]]
    rows: list[Row] = []
    for some in ranges:
        rows += read(some, most - len(rows))
        if len(rows) == most:
            break
    return rows


class _Range(NamedTuple):
    """The rows with low <= debut < high. With `since`, only the rows with fin > since. `others`
    are further conditions."""

    low: int
    high: int
    since: int | None = None
    others: Conditions = {}

    def of(self, part: Part) -> Conditions:
        low, others = self.low, self.others
        if self.since is not None:
            low = max(low, self.since - part.longest + 1)
            others = {**others, "fin > ?": self.since}
        if self.high == low + 1:
            return {"debut = ?": low, **others}
        return {"debut >= ?": low, "debut < ?": self.high, **others}


def _ranges(
    since: int | None, until: int | None, after: Key | None, latest: bool
) -> Iterator[_Range]:
    end = ENDLESS if until is None else until
    ranges = [_Range(-ENDLESS, end)]
    if since is not None:
        ranges = [_Range(-ENDLESS, min(since, end), since), _Range(since, end)]
    for one in reversed(ranges) if latest else ranges:
        if after is not None:
            debut, id = after
            if one.low <= debut < one.high:
                beyond = {"id < ?" if latest else "id > ?": id}
                yield one._replace(low=debut, high=debut + 1, others=beyond)
            if latest:
                one = one._replace(high=min(one.high, debut))
            else:
                one = one._replace(low=max(one.low, debut + 1))
        if one.low < one.high:
            yield one
