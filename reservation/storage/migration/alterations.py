"""Changes a table of MySQL or MariaDB to its definition in schema.sql, by one ALTER TABLE."""

import re

from reservation.storage import definitions
from reservation.storage.definitions import Table
from reservation.storage.mysql import MySQL

# From a type as SHOW CREATE TABLE writes it to the same type in schema.sql.
_TYPES = {r"int(\(11\))?": "integer", r"bigint(\(20\))?": "bigint", r"tinyint\(1\)": "boolean"}
_UNSAID = re.compile(r" default null| (character set|collate) \w+")
_MARKS = re.compile(r"[\s`()\\]|_utf8mb4")


def differs(there: Table, table: Table) -> bool:
    return bool(_clauses(there, table))


def adjust(db: MySQL, table: Table) -> None:
    clauses = _clauses(definitions.existing(db)[table.name], table)
    if clauses:
        db.execute_sql(f"ALTER TABLE {table.name} {', '.join(clauses)}")


def _clauses(there: Table, table: Table) -> list[str]:
    rules = {name: _rule(rule) for name, rule in table.constraints.items()}
    gone = [n for n, rule in there.constraints.items() if rules.get(n) != _rule(rule)]
    new = [n for n in rules if n in gone or n not in there.constraints]
    gone_indexes = [n for n, keys in there.indexes.items() if _keys(table, n) != _rule(keys)]
    new_indexes = [n for n in table.indexes if n in gone_indexes or n not in there.indexes]
    return [
        *(f"DROP {_kind(there.constraints[name])} {name}" for name in gone),
        *(f"DROP INDEX {name}" for name in gone_indexes),
        *(f"DROP COLUMN {name}" for name in there.columns if name not in table.columns),
        *_columns(there, table),
        *(f"ADD INDEX {name} {table.indexes[name]}" for name in new_indexes),
        *(f"ADD CONSTRAINT {name} {table.constraints[name]}" for name in new),
    ]


def _columns(there: Table, table: Table) -> list[str]:
    """Returns MODIFY clauses for columns with another definition or position."""
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
    text = _UNSAID.sub("", definition.lower())
    for shown, said in _TYPES.items():
        text = re.sub(rf"^{shown}(?= |$)", said, text)
    return text


def _rule(rule: str) -> str:
    """Returns a constraint in a form that does not depend on the server."""
    return _MARKS.sub("", rule.lower())


def _keys(table: Table, name: str) -> str:
    return _rule(table.indexes.get(name, ""))


def _kind(rule: str) -> str:
    word = rule.split()[0].upper()
    return {"UNIQUE": "INDEX", "FOREIGN": "FOREIGN KEY", "CHECK": "CONSTRAINT"}[word]
