"""Alters a table of MySQL or MariaDB to match its definition in schema.sql."""

import re

from reservation.storage import definitions
from reservation.storage.definitions import Table
from reservation.storage.mysql import MySQL

# Maps a type in SHOW CREATE TABLE to the same type in schema.sql.
_TYPES = {r"int(\(11\))?": "integer", r"bigint(\(20\))?": "bigint", r"tinyint\(1\)": "boolean"}
_IMPLICIT = re.compile(r" default null| (character set|collate) \w+")
_MARKS = re.compile(r"[\s`()\\]|_utf8mb4")


def differs(there: Table, table: Table) -> bool:
    return bool(_clauses(there, table))


def adjust(db: MySQL, table: Table) -> None:
    clauses = _clauses(definitions.existing(db, [table.name])[table.name], table)
    if clauses:
        db.execute_sql(f"ALTER TABLE {table.name} {', '.join(clauses)}")


def _clauses(there: Table, table: Table) -> list[str]:
    gone, new = _changes(there.constraints, table.constraints)
    gone_indexes, new_indexes = _changes(there.indexes, table.indexes)
    return [
        *(f"DROP {_kind(there.constraints[name])} {name}" for name in gone),
        *(f"DROP INDEX {name}" for name in gone_indexes),
        *(f"DROP COLUMN {name}" for name in there.columns if name not in table.columns),
        *_columns(there, table),
        *(f"ADD INDEX {name} {table.indexes[name]}" for name in new_indexes),
        *(f"ADD CONSTRAINT {name} {table.constraints[name]}" for name in new),
    ]


def _changes(there: dict[str, str], wanted: dict[str, str]) -> tuple[list[str], list[str]]:
    """Returns the names to drop and the names to add. A changed definition is in both lists."""
    gone = [name for name, rule in there.items() if _rule(wanted.get(name, "")) != _rule(rule)]
    return gone, [name for name in wanted if name in gone or name not in there]


def _columns(there: Table, table: Table) -> list[str]:
    kept = [name for name in there.columns if name in table.columns]
    clauses, before = [], ""
    for place, (name, definition) in enumerate(table.columns.items()):
        moved = kept[place : place + 1] != [name]
        same = name in there.columns and _column(there.columns[name]) == _column(definition)
        if "PRIMARY KEY" not in definition and (moved or not same):
            clauses.append(f"MODIFY {name} {definition} AFTER {before}")
        before = name
    return clauses


def _column(definition: str) -> str:
    text = _IMPLICIT.sub("", definition.lower())
    for shown, kind in _TYPES.items():
        text = re.sub(rf"^{shown}(?= |$)", kind, text)
    return text


def _rule(rule: str) -> str:
    """Normalises the definition of a constraint or an index for comparison. In SHOW CREATE TABLE,
    the spaces and parentheses differ from schema.sql."""
    return _MARKS.sub("", rule.lower())


def _kind(rule: str) -> str:
    word = rule.split()[0].upper()
    return {"UNIQUE": "INDEX", "FOREIGN": "FOREIGN KEY", "CHECK": "CONSTRAINT"}[word]
