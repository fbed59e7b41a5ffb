"""Private database servers of the tests. Each has its own data folder, socket and port. No test
touches a server of the system."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import peewee

from reservation.storage.database import connect, forget
from tests.engines import MYSQLD, free_port, require


def make_data(*options: str) -> None:
    """Creates the data folder of a MariaDB server that is started with these options."""
    access = "--auth-root-authentication-method=normal"
    command = ["mariadb-install-db", *options, access, "--skip-test-db"]
    subprocess.run(command, check=True, capture_output=True)


class MariaDB:
    """A private server that can be started and stopped repeatedly.

    Unless `durable`, no commit waits for the disk: the tests do not simulate power cuts.
    """

    program = ["mariadbd"]

    def __init__(self, durable: bool = False) -> None:
        require("mariadbd", "mariadb-server")
        self.folder = Path(tempfile.mkdtemp(prefix="reservation-server-"))
        self.port = free_port()
        self._durable = int(durable)
        self.process: subprocess.Popen[bytes] | None = None
        user = []
        if os.geteuid() == 0:  # the servers refuse to run as root
            shutil.chown(self.folder, "mysql")
            user = ["--user=mysql"]
        # A starting server removes the temporary tables of other servers in its tmpdir.
        places = [f"--datadir={self.folder}/data", f"--tmpdir={self.folder}"]
        self._options = ["--no-defaults", *user, *places]
        self._make_data()

    def _make_data(self) -> None:
        make_data(*self._options)

    def start(self) -> "MariaDB":
        assert self.process is None, "the server is already running"
        self.process = subprocess.Popen(
            [
                *self.program[:1],
                *self._options,
                *self.program[1:],
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
        until = time.monotonic() + 90
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
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:  # MySQL sometimes waits for ever
                self.process.kill()
                self.process.wait()
            self.process = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stops all threads of the server. Its connections stay open, but nothing is answered."""
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


class MySQL(MariaDB):
    """A private server of MySQL, with the setting that docs/deployment.md requires."""

    program = [
        MYSQLD, "--mysqlx=OFF", "--disable-log-bin", "--secure-file-priv=NULL",
        "--loose-innodb-native-foreign-keys=ON",
    ]

    def _make_data(self) -> None:
        account = self.folder / "account.sql"
        account.write_text(
            "CREATE USER IF NOT EXISTS root@'127.0.0.1';\n"
            "GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;\n"
        )
        account.chmod(0o644)  # the server runs as another user
        self.program = [*self.program, f"--init-file={account}"]
        command = [MYSQLD, *self._options, "--initialize-insecure", "--innodb-doublewrite=OFF"]
        subprocess.run(command, check=True, capture_output=True)


def server() -> MariaDB:
    """Returns a server, not started yet: MySQL if MYSQLD names its program, otherwise MariaDB."""
    return (MySQL if MYSQLD else MariaDB)()
