"""Which of several hosts is used."""

import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import peewee
import pytest

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline
from reservation.storage.database import connect, forget, transaction
from tests import engines
from tests.outboxes import wait_for
from tests.storage.hosts.paths import port_of, update

pytestmark = engines.on_mariadb


def test_the_first_of_two_ready_hosts_is_used(db, paths):
    assert port_of(db) == paths[0].port
    assert paths[1].accepted == 0


def test_a_host_that_refuses_connections_is_passed_over(db, paths):
    paths[0].refuse()
    assert db.rows("SELECT 1") == [(1,)]
    assert port_of(db) == paths[1].port


def test_a_host_that_hangs_costs_its_time_once(db, paths, database_url):
    """Not each thread, and not each connection."""
    paths[0].hang()
    began = time.monotonic()
    assert port_of(db) == paths[1].port
    assert time.monotonic() - began < 3
    tried = paths[0].accepted
    for _ in range(5):
        forget(db)
        assert port_of(db) == paths[1].port
    with ThreadPoolExecutor(5) as threads:
        def read(_):
            try:
                return port_of(db)
            finally:
                forget(db)

        assert set(threads.map(read, range(5))) == {paths[1].port}
    assert paths[0].accepted - tried <= 1  # by the search for the first ready host


def test_all_hosts_that_hang_are_given_up_by_the_deadline(db, paths):
    for path in paths:
        path.hang()
    deadline.begin(0.5)
    try:
        began = time.monotonic()
        with pytest.raises((DatabaseUnavailable, peewee.OperationalError)):
            transaction(db, lambda: update(db))
        assert time.monotonic() - began < 4
    finally:
        deadline.end()


def test_a_connection_that_is_lost_in_a_transaction_continues_at_the_next_host(db, paths):
    runs = []

    def work():
        runs.append(db.connection().port)
        update(db)
        if len(runs) == 1:
            paths[0].refuse()
        return db.rows("SELECT 1")

    assert transaction(db, work) == [(1,)]
    assert runs == [path.port for path in paths]


def test_a_read_on_a_lost_connection_continues_at_the_next_host(db, paths):
    db.rows("SELECT 1")
    paths[0].refuse()
    assert db.rows("SELECT 7") == [(7,)]


def test_a_connection_lost_during_commit_leaves_the_outcome_to_the_caller(db, paths):
    runs = []

    def work():
        runs.append(1)
        update(db)
        paths[0].refuse()

    with pytest.raises(DatabaseUnavailable):
        transaction(db, work)
    assert len(runs) == 1


def test_the_first_host_is_used_again_when_it_is_back(quick, db, paths):
    paths[0].refuse()
    assert port_of(db) == paths[1].port
    paths[0].forward()
    wait_for(lambda: port_of(db) == paths[0].port)


def test_a_transaction_ends_at_the_host_where_it_began(db, paths):
    """A COMMIT on another connection would succeed and lose the changes."""

    def work():
        update(db)
        db._hosts.used = 1
        db.rows("SELECT 1")
        return db.connection()

    assert transaction(db, work).port == paths[0].port
    assert port_of(db) == paths[1].port


def test_an_exclusive_connection_stays_at_its_host(db, paths):
    """The server forgets a lock when the connection is closed."""
    with db.alone(5):
        db._hosts.used = 1
        assert port_of(db) == paths[0].port
    assert port_of(db) == paths[1].port


def test_a_wrong_password_is_told_instead_of_a_host_that_is_unreachable(paths, database_url):
    paths[0].refuse()
    listed = ",".join(f"127.0.0.1:{path.port}" for path in paths)
    db = connect(f"mysql://nobody:wrong@{listed}{urlsplit(database_url).path}")
    with pytest.raises(peewee.OperationalError, match="Access denied"):
        db.rows("SELECT 1")
