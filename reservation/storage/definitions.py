"""Reads the definitions of tables from schema.sql or from a database."""

import re
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from reservation.settings import DATA
from reservation.storage.database import Database, SQLite, marks
from reservation.storage.mysql import Row

SCHEMA = DATA / "schema.sql"
_CREATE = re.compile(r'CREATE TABLE (?:IF NOT EXISTS )?["`]?(\w+)["`]? \((.*)\)[^)]*', re.DOTALL)
_INDEX = re.compile(r"CREATE INDEX (\w+) ON (\w+) (\(.*\))")
_COLUMNS_OF_SQLITE = (
    "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c"
    " WHERE t.type = 'table'"
)
_CREATED_IN_SQLITE = "SELECT sql FROM sqlite_master WHERE sql <> '' AND tbl_name IN ({})"
_COLUMNS_OF_MYSQL = (
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = DATABASE()"
)
_COMMA = re.compile(r",(?![^()]*\))")  # a comma outside parentheses
_ITEM = re.compile(
    r"CONSTRAINT (?P<constraint>\w+) (?P<rule>.+)"
    r"|UNIQUE KEY (?P<unique>\w+) (?P<keys>.+)"
    r"|KEY (?P<index>\w+) (?P<columns>.+)"
    r"|(?P<unnamed>PRIMARY KEY|UNIQUE|FOREIGN KEY|CHECK) ?\(.+"
    r"|(?P<column>\w+) (?P<definition>.+)"
)


class Table(NamedTuple):
    name: str
    create: str  # the CREATE TABLE statement
    columns: dict[str, str]  # such as {"email": "VARCHAR(254) NOT NULL"}, in order
    constraints: dict[str, str]  # such as {"utilisateur_email": "UNIQUE (email)"}
    indexes: dict[str, str]  # such as {"utilisateur_nom_cle": "(nom_cle)"}

    def types(self) -> dict[str, str]:
        """Returns {column: type}, such as {"email": "VARCHAR(254)"}."""
        return {name: definition.split()[0] for name, definition in self.columns.items()}


def statements() -> list[str]:
    """Returns the statements of schema.sql without comments."""
    text = re.sub(r"(?m)^--.*$", "", SCHEMA.read_text(encoding="utf-8"))
    return [part.strip() for part in text.split(";") if part.strip()]


@cache
def wanted() -> dict[str, Table]:
    """Returns the tables of schema.sql by name. Referenced tables come first."""
    return _tables(statements())


def names(db: Database) -> set[str]:
    """Returns the names of the tables of the database that are in schema.sql."""
    return wanted().keys() & set(db.get_tables())


def existing(db: Database, tables: Collection[str]) -> dict[str, Table]:
    """Returns these tables of the database by name. They must be tables of schema.sql, because
    the tables of another program may not be parsed."""
    if isinstance(db, SQLite):
        found = db.rows(_CREATED_IN_SQLITE.format(marks(tables)), *tables)
        return _tables([sql for (sql,) in found])
    return _tables([db.rows(f"SHOW CREATE TABLE {name}")[0][1] for name in tables])


def columns(db: Database) -> list[Row]:
    """Returns (table, column) for each column of the database."""
    return db.rows(_COLUMNS_OF_SQLITE if isinstance(db, SQLite) else _COLUMNS_OF_MYSQL)


def _tables(creating: list[str]) -> dict[str, Table]:
    tables = {table.name: table for table in map(parse, creating) if table}
    for index in filter(None, map(_INDEX.match, creating)):
        if index[2] in tables:
            tables[index[2]].indexes[index[1]] = index[3]
    return tables


def table_of_index(statement: str) -> str:
    """Returns the table of a CREATE INDEX statement, or "" for any other statement."""
    match = _INDEX.match(statement)
    return match[2] if match else ""


def parse(statement: str) -> Table | None:
    """Parses a CREATE TABLE statement. The statement may come from schema.sql, SQLite or MySQL.
    Returns None for any other statement."""
    match = _CREATE.fullmatch(statement)
    if not match:
        return None
    table = Table(match[1], statement, {}, {}, {})
    for line in _COMMA.split(re.sub(r"/\*.*?\*/", " ", match[2], flags=re.DOTALL)):
        item = _ITEM.fullmatch(" ".join(re.sub(r'["`]', "", line).split()))
        assert item, f"{table.name}: cannot parse {line!r}"
        if item["constraint"]:
            table.constraints[item["constraint"]] = item["rule"]
        elif item["unique"]:
            table.constraints[item["unique"]] = f"UNIQUE {item['keys']}"
        elif item["index"]:
            table.indexes[item["index"]] = item["columns"]
        elif item["column"]:
            table.columns[item["column"]] = item["definition"]
    return table
