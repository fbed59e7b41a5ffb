"""The databases of the tests: SQLite, and a private server.

TEST_ENGINE is `sqlite` (default) or `mariadb`. With `mariadb`, the tests start a MariaDB server
or, if MYSQLD is the path of MySQL's program `mysqld`, a MySQL server.
"""

import os
import shutil
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import peewee
import pytest

from reservation.storage import definitions, schema
from reservation.storage.database import Database, MySQL, connect, forget, sqlite_path
from reservation.storage.models import MODELS

ENGINE = os.environ.get("TEST_ENGINE", "sqlite")
on_sqlite = pytest.mark.skipif(ENGINE != "sqlite", reason="is about SQLite")
on_mariadb = pytest.mark.skipif(ENGINE != "mariadb", reason="is about a server")
MYSQLD = os.environ.get("MYSQLD", "")
knows_galera = pytest.mark.skipif(bool(MYSQLD), reason="MySQL does not know Galera")
CI = os.environ.get("CI") == "true"
os.environ["PATH"] += ":/usr/sbin:/sbin"  # where packages install servers


def concerns(item: pytest.Item) -> bool:
    """Returns True if a test uses a database fixture or is about a database server."""
    fixtures = set(getattr(item, "fixturenames", ()))
    uses = fixtures & {"database_url", "make_database", "mariadb"}
    return bool(uses) or on_mariadb.mark in item.iter_markers("skipif")


def require(program: str, package: str) -> None:
    """Skips the test if a program or a file is missing; fails if CI=true."""
    if not shutil.which(program) and not Path(program).exists():
        give_up(f"{program} is missing: apt-get install {package}")


def give_up(reason: str) -> None:
    if CI:
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def drop(url: str) -> None:
    db = connect(url)
    db.execute_sql(f"DROP DATABASE IF EXISTS {db.database}")
    forget(db)


def load(url: str, sql: str) -> None:
    """Replaces the database at `url` with a new database, made by these SQLite statements."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        path = Path(sqlite_path(url))
        for old in path.parent.glob(f"{path.name}*"):
            old.unlink()
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(f"PRAGMA synchronous = OFF; BEGIN; {sql} COMMIT;")
        return
    name = parts.path.strip("/")
    new = f"DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name}; USE {name};"
    like = "SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SET autocommit = 0;"
    subprocess.run(
        ["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{parts.port}", "-uroot"],
        input=f"{new} {like}\n{sql}COMMIT;".encode(), check=True,
    )


def write_unchecked(db: Database, sql: str, *values: Any) -> Any:
    """Writes rows that violate constraints. Skips the test if MySQL refuses them: it has no
    setting that switches CHECK constraints off."""
    if isinstance(db, MySQL):
        checks = "" if MYSQLD else ", check_constraint_checks = 0"
        db.execute_sql(f"SET SESSION foreign_key_checks = 0{checks}")
    else:
        db.execute_sql("PRAGMA ignore_check_constraints = ON")
        db.execute_sql("PRAGMA foreign_keys = OFF")
    try:
        return db.write(sql, *values)
    except peewee.IntegrityError:
        if MYSQLD:
            pytest.skip("MySQL always checks")
        raise


def kill_connection(db: MySQL, url: str) -> None:
    """Makes the server close the connection, as an operator or an idle timeout does."""
    other = connect(url)
    other.execute_sql(f"KILL {db.connection().thread_id()}")
    forget(other)


def empty(db: Database) -> None:
    """Deletes all rows except those of schema.sql. Creates the tables if needed."""
    if schema.missing(db):
        for table in reversed(definitions.wanted()):
            db.execute_sql(f"DROP TABLE IF EXISTS {table}")
        schema.create(db)
        return
    tables = [model._meta.table_name for model in reversed(MODELS[1:])]
    has_rows = ", ".join(f"EXISTS (SELECT 1 FROM {name})" for name in tables)
    for name, filled in zip(tables, db.rows(f"SELECT {has_rows}")[0], strict=True):
        if filled:
            db.execute_sql(f"DELETE FROM {name}")
