"""Connections to MySQL or MariaDB: time limits and retries."""

import socket
import struct
import sys
import threading
import time
import warnings
from contextlib import closing, contextmanager
from urllib.parse import quote

import peewee
import pymysql
import pytest

from reservation.errors import DatabaseUnavailable
from reservation.lib.environment import BadSetting
from reservation.storage import deadline, preparing
from reservation.storage.connecting.driver import driver
from reservation.storage.database import UNAVAILABLE, connect, forget, transaction
from tests import engines
from tests.storage.hosts.paths import update

pytestmark = engines.on_mariadb
AGAIN = [1020, 1047, 1205, 1213]
LOST = [1180, 1927, 2006, 2013, 2014, 2055, 4031]
FULL = [1021, 1114, 28, 3]


@pytest.fixture
def within():
    """within(0.5) begins a request with a deadline of 0.5 seconds."""
    yield deadline.begin
    deadline.end()


@contextmanager
def seconds_below(most):
    began = time.monotonic()
    yield
    assert time.monotonic() - began < most


# Passwords.


@pytest.fixture
def wants_encryption(monkeypatch):
    """The server refuses an unencrypted password, as MySQL does. MariaDB accepts it, so the driver
    pretends."""
    plain = pymysql.connect

    def connect(**options):
        if options.get("ssl_disabled"):
            raise RuntimeError("'cryptography' package is required")
        return plain(**options)

    monkeypatch.setattr(pymysql, "connect", connect)


def test_a_server_on_this_machine_may_want_an_encrypted_password(database_url, wants_encryption):
    db = connect(database_url)
    assert db.connection().ssl and db.rows("SELECT 1") == [(1,)]
    forget(db)


def test_a_password_that_must_not_be_encrypted_is_refused(database_url, wants_encryption):
    db = connect(f"{database_url}?ssl_disabled=true")
    with pytest.raises(peewee.OperationalError, match="cryptography"):
        db.rows("SELECT 1")
    forget(db)


@pytest.mark.parametrize("option, expected", [("?ssl_verify_cert=false", True), ("", False)])
def test_a_connection_within_this_machine_is_encrypted_if_the_url_asks(
    database_url, option, expected
):
    db = connect(database_url + option)
    assert db.connection().ssl is expected
    forget(db)


def test_a_password_may_have_any_characters_and_the_driver_warns_of_nothing(database_url, db):
    db.write("CREATE USER 'anna'@'127.0.0.1' IDENTIFIED BY 'à€/@ b'")
    db.write("GRANT SELECT ON *.* TO 'anna'@'127.0.0.1'")
    url = database_url.replace("//root", f"//anna:{quote('à€/@ b', safe='')}")
    own = connect(url)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert own.rows("SELECT CURRENT_USER()") == [("anna@127.0.0.1",)]
    finally:
        forget(own)
        db.write("DROP USER 'anna'@'127.0.0.1'")


# Time limits.


def test_a_connection_has_its_limits(database_url, db, within):
    connection = db.connection()
    assert connection.connect_timeout == 5
    db.rows("SELECT 1")
    assert (connection._read_timeout, connection._write_timeout) == (15, 15)
    limits = "SELECT @@innodb_lock_wait_timeout, @@lock_wait_timeout"
    assert db.rows(limits) == [(3, 3)]
    within(2)
    db.rows("SELECT 1")
    assert 1 < connection._read_timeout <= 2
    assert 1 < connection._write_timeout <= 2
    other = connect(database_url)
    assert 1 < other.connection().connect_timeout <= 2
    forget(other)
    deadline.end()
    db.rows("SELECT 1")
    assert connection._read_timeout == 15


def test_a_longer_time_limit_in_the_url_ends_by_the_deadline_too(database_url, client, within):
    db = connect(f"{database_url}?read_timeout=60&write_timeout=60")
    within(2)
    db.rows("SELECT 1")
    connection = db.connection()
    assert connection._read_timeout <= 2 and connection._write_timeout <= 2
    forget(db)


def test_a_statement_without_an_answer_ends_by_the_deadline_and_is_not_sent_again(db, within):
    db.rows("SELECT 1")
    within(0.5)
    with seconds_below(4), pytest.raises(peewee.OperationalError, match="timed out"):
        db.rows("SELECT SLEEP(20)")
    with seconds_below(1), pytest.raises(peewee.OperationalError, match="time .* is up"):
        db.rows("SELECT 1")
    deadline.end()
    assert db.rows("SELECT 1") == [(1,)]


def test_a_transaction_on_a_server_that_hangs_ends_by_the_deadline(mariadb, db, within):
    db.rows("SELECT 1")
    with mariadb.hanging():
        within(0.5)
        with seconds_below(4), pytest.raises((DatabaseUnavailable, peewee.OperationalError)):
            transaction(db, lambda: update(db))


@pytest.fixture
def silent():
    """A port whose queue holds one connection: the first client waits, others cannot connect."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        yield listening.getsockname()[1]


def test_a_server_that_does_not_greet_is_given_up_by_the_deadline(silent, within):
    within(0.5)
    db = connect(f"mysql://root@127.0.0.1:{silent}/nothing")
    with seconds_below(4), pytest.raises(peewee.OperationalError):
        db.rows("SELECT 1")


def test_a_server_that_cannot_be_reached_is_given_up_by_the_deadline(silent, within):
    with closing(socket.create_connection(("127.0.0.1", silent))):
        within(0.5)
        db = connect(f"mysql://root@127.0.0.1:{silent}/nothing")
        with seconds_below(4), pytest.raises(peewee.OperationalError):
            db.rows("SELECT 1")


def test_a_server_that_reads_nothing_is_given_up_by_the_deadline(mariadb, db, within):
    db.rows("SELECT 1")
    large = "x" * 15_000_000  # more than the kernel's buffers hold
    with mariadb.hanging():
        within(0.5)
        with seconds_below(4), pytest.raises(peewee.OperationalError):
            db.rows("SELECT LENGTH(?)", large)


def test_a_lock_that_is_held_is_waited_for_3_seconds(db, database_url):
    holder = connect(database_url)
    holder.begin()
    update(holder)
    try:
        with seconds_below(10), pytest.raises(peewee.OperationalError) as caught:
            update(db)
        assert caught.value.args[0] == 1205
    finally:
        holder.rollback()
        forget(holder)


def test_a_table_that_is_being_altered_is_waited_for_3_seconds(db, database_url):
    holder = connect(database_url)
    holder.execute_sql("LOCK TABLES typeutilisateur WRITE")
    try:
        with seconds_below(10), pytest.raises(peewee.OperationalError) as caught:
            db.rows("SELECT nom FROM typeutilisateur")
        assert caught.value.args[0] == 1205
    finally:
        holder.execute_sql("UNLOCK TABLES")
        forget(holder)


# Retries.


def failing_once(code, step):
    """Returns a function that fails with this code at the first call, then runs `step`."""
    runs = []

    def work():
        runs.append(1)
        if len(runs) == 1:
            raise peewee.OperationalError(code, "injected")
        return step()

    return work, runs


@pytest.mark.parametrize("code", AGAIN + LOST)
def test_a_passing_failure_runs_the_transaction_again(db, code):
    work, runs = failing_once(code, lambda: "done")
    before = db.connection()
    assert transaction(db, work) == "done"
    assert len(runs) == 2
    assert (db.connection() is before) == (code in AGAIN)


@pytest.mark.parametrize("code", [1054, 1064, 1114, 1142])
def test_any_other_failure_does_not(db, code):
    work, runs = failing_once(code, lambda: "done")
    with pytest.raises(peewee.OperationalError):
        transaction(db, work)
    assert len(runs) == 1


@pytest.mark.parametrize("code", AGAIN)
def test_a_commit_that_was_refused_runs_the_transaction_again(db, code, monkeypatch):
    commit, commits = failing_once(code, db.commit)
    monkeypatch.setattr(db, "commit", commit)
    transaction(db, lambda: update(db))
    assert len(commits) == 2


@pytest.mark.parametrize("code", LOST)
def test_a_commit_whose_outcome_is_unknown_is_left_to_the_caller(db, code, monkeypatch):
    commit, commits = failing_once(code, db.commit)
    monkeypatch.setattr(db, "commit", commit)
    with pytest.raises(DatabaseUnavailable):
        transaction(db, lambda: update(db))
    assert len(commits) == 1


@pytest.mark.parametrize("code", sorted(set(LOST) - {1180}))
def test_a_read_on_a_lost_connection_is_sent_again_once(db, code, monkeypatch):
    db.rows("SELECT 1")
    query, sent = pymysql.connections.Connection.query, []

    def fail_once(self, sql, *more):
        sent.append(sql)
        if len(sent) == 1:
            raise_as_the_driver_does(code)
        return query(self, sql, *more)

    monkeypatch.setattr(pymysql.connections.Connection, "query", fail_once)
    assert db.rows("SELECT 7") == [(7,)]
    assert sent.count("SELECT 7") == 2


def test_a_write_on_a_lost_connection_is_not_sent_again(db, monkeypatch):
    """The server may have executed the statement."""
    db.rows("SELECT 1")
    query, sent = pymysql.connections.Connection.query, []

    def lose_the_answer(self, sql, *more):
        done = query(self, sql, *more)
        if not sql.startswith("UPDATE"):
            return done
        sent.append(sql)
        raise_as_the_driver_does(2013)

    monkeypatch.setattr(pymysql.connections.Connection, "query", lose_the_answer)
    with pytest.raises(peewee.OperationalError):
        update(db)
    assert len(sent) == 1


def raise_as_the_driver_does(code):
    pymysql.err.raise_mysql_exception(b"\xff" + struct.pack("<h", code) + b"#HY000injected")


@pytest.mark.parametrize("code", FULL)
def test_a_full_disk_is_503_in_one_line(client, db, code, monkeypatch, caplog):
    def fail(*_):
        raise_as_the_driver_does(code)

    client.get("/api/entreprises")
    monkeypatch.setattr(pymysql.cursors.Cursor, "execute", fail)
    for _ in range(3):
        answer = client.get("/api/entreprises", expect=503)
        assert int(answer.headers["Retry-After"]) > 0
    monkeypatch.undo()
    told = [one.getMessage() for one in caplog.records if one.levelname == "ERROR"]
    assert told == [f"database unavailable: ({code}, 'injected')"]


# A Galera node.


@engines.knows_galera
@pytest.mark.parametrize("wsrep, waits", [("ON", 1), ("OFF", 0)])
def test_on_a_node_of_a_cluster_reads_wait_for_what_others_committed(
    database_url, wsrep, waits, monkeypatch
):
    """The server is no Galera node, so the test changes its answer."""
    fetchone = pymysql.cursors.Cursor.fetchone

    def of_a_cluster(self):
        row = fetchone(self)
        return ("wsrep_on", wsrep) if row and row[0] == "wsrep_on" else row

    monkeypatch.setattr(pymysql.cursors.Cursor, "fetchone", of_a_cluster)
    db = connect(database_url)
    assert db.rows("SELECT @@wsrep_sync_wait") == [(waits,)]
    forget(db)


def test_threads_that_hang_on_a_server_do_not_hold_each_other_up(mariadb, db, database_url):
    """Each request waits only until its own deadline."""
    took = []

    def read():
        own = connect(database_url)
        deadline.begin(0.5)
        began = time.monotonic()
        with pytest.raises(peewee.OperationalError):
            own.rows("SELECT SLEEP(20)")
        took.append(time.monotonic() - began)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(took) == 4 and max(took) < 4


def test_a_silent_server_does_not_hold_up_the_start(monkeypatch):
    monkeypatch.setattr(preparing, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        db = connect(f"mysql://root@127.0.0.1:{silent.getsockname()[1]}/reservation")
        with seconds_below(3), pytest.raises(UNAVAILABLE):
            preparing.prepare(db, production=True)


def test_a_missing_driver_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymysql", None)
    with pytest.raises(BadSetting, match=r"reservation\[mysql\]"):
        driver()
