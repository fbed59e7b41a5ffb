"""The databases of the tests: SQLite, and a private MariaDB server.

TEST_ENGINE is `sqlite` (default) or `mariadb`. The server has its own data folder, socket and
port, and does not touch a server of the system.
"""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import peewee
import pytest

from reservation.storage import definitions, schema
from reservation.storage.database import Database, MySQL, connect, forget, sqlite_path
from reservation.storage.models import MODELS

ENGINE = os.environ.get("TEST_ENGINE", "sqlite")
on_sqlite = pytest.mark.skipif(ENGINE != "sqlite", reason="is about SQLite")
on_mariadb = pytest.mark.skipif(ENGINE != "mariadb", reason="is about a server")
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


def make_data(*options: str) -> None:
    """Creates the data folder of a server that is started with these options."""
    access = "--auth-root-authentication-method=normal"
    command = ["mariadb-install-db", *options, access, "--skip-test-db"]
    subprocess.run(command, check=True, capture_output=True)


class MariaDB:
    """A private server that can be started and stopped repeatedly.

    Unless `durable`, no commit waits for the disk: the tests do not simulate power cuts.
    """

    def __init__(self, durable: bool = False) -> None:
        require("mariadbd", "mariadb-server")
        self.folder = Path(tempfile.mkdtemp(prefix="reservation-mariadb-"))
        self.port = free_port()
        self._durable = int(durable)
        self.process: subprocess.Popen[bytes] | None = None
        user = []
        if os.geteuid() == 0:  # mariadbd refuses to run as root
            shutil.chown(self.folder, "mysql")
            user = ["--user=mysql"]
        # A starting server removes the temporary tables of other servers in its tmpdir.
        places = [f"--datadir={self.folder}/data", f"--tmpdir={self.folder}"]
        self._options = ["--no-defaults", *user, *places]
        make_data(*self._options)

    def start(self) -> "MariaDB":
        assert self.process is None, "the server is already running"
        self.process = subprocess.Popen(
            [
                "mariadbd",
                *self._options,
                f"--socket={self.folder}/socket",
                f"--pid-file={self.folder}/pid",
                f"--port={self.port}",
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--innodb-buffer-pool-size=128M",
                f"--innodb-flush-log-at-trx-commit={self._durable}",
                f"--innodb-doublewrite={self._durable}",
                "--max-connections=300",
            ],
            stdout=subprocess.DEVNULL,
            stderr=(self.folder / "log").open("ab"),
        )
        until = time.monotonic() + 30
        while True:
            db = connect(self.url("mysql"))
            try:
                db.rows("SELECT 1")
                return self
            except peewee.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            finally:
                forget(db)

    def url(self, name: str) -> str:
        return f"mysql://root@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=30)
            self.process = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stops all threads of the server, which keep their connections and answer nothing."""
        assert self.process is not None
        pid = self.process.pid
        os.kill(pid, signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED)  # until then, some threads still answer
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def create(self, name: str) -> str:
        """Creates a database unless it exists. Returns its URL."""
        db = connect(self.url("mysql"))
        db.execute_sql(f"CREATE DATABASE IF NOT EXISTS {name}")
        forget(db)
        return self.url(name)


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
