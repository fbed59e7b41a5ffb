"""A URL with several hosts: the first ready host is used."""

import signal
import socket
import threading
import time
from contextlib import closing
from urllib.parse import urlsplit

import peewee
import psutil
import pymysql
import pytest

from reservation.errors import DatabaseUnavailable
from reservation.lib.readers import database_url as read_url
from reservation.lib.readers import each_host, without_password
from reservation.storage import deadline, hosts
from reservation.storage.database import connect, forget, transaction
from reservation.storage.models import TypeUtilisateur
from tests import engines
from tests.outboxes import wait_for

LIST = "mysql://user:p%40ss@db1,db2:3307,[::1]:3308/name"


# The URL.


def test_each_host_of_a_url_has_a_url_of_its_own():
    assert each_host(LIST) == [
        "mysql://user:p%40ss@db1/name",
        "mysql://user:p%40ss@db2:3307/name",
        "mysql://user:p%40ss@[::1]:3308/name",
    ]
    for single in ("mysql://u:a,b@host/name?x=1,2", "mysql:///name", "mysql://[::1]:33/n"):
        assert each_host(single) == [single]


def test_several_hosts_are_a_valid_url_whose_password_is_hidden():
    assert read_url(LIST) == LIST
    assert without_password(LIST) == "mysql://user:(hidden)@db1,db2:3307,[::1]:3308/name"
    connect(LIST)


@pytest.mark.parametrize("listed", ["a,,b", "a,", ",a", "a,:3306", "a,b:99999", "a,b:x", "a,[::1"])
def test_a_wrong_host_is_refused_without_the_password(listed):
    with pytest.raises(ValueError) as caught:
        read_url(f"mysql://user:hunter2@{listed}/name")
    assert "hunter2" not in str(caught.value)


# Choosing a host. Both names of the list lead to the same server.


class Nowhere:
    """A port that refuses connections, or that accepts them and never answers."""

    def __init__(self):
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def hang(self):
        self._listener.listen(100)

    def close(self):
        self._listener.close()


@pytest.fixture
def nowhere():
    with closing(Nowhere()) as port:
        yield port


@pytest.fixture
def several(client, database_url):
    """several(3306, 3307) connects to the test database at the ports of this machine."""
    made = []

    def make(*ports):
        parts = urlsplit(database_url)
        listed = ",".join(f"127.0.0.1:{port}" for port in ports)
        made.append(connect(f"mysql://root@{listed}{parts.path}"))
        return made[-1]

    yield make
    for db in made:
        forget(db)


@pytest.fixture
def quick(monkeypatch):
    """Looks for the first ready host ten times a second."""
    monkeypatch.setattr(hosts, "LOOK", 0.1)


def port_of(db):
    return db.connection().port


def update(db):
    TypeUtilisateur.update(nom="student").where(TypeUtilisateur.id == 1).execute(db)


@engines.on_mariadb
def test_a_host_that_refuses_connections_is_passed_over(mariadb, several, nowhere):
    db = several(nowhere.port, mariadb.port)
    assert db.rows("SELECT 1") == [(1,)]
    assert port_of(db) == mariadb.port


@engines.on_mariadb
def test_the_first_of_two_ready_hosts_is_used(mariadb, several, nowhere):
    db = several(mariadb.port, nowhere.port)
    transaction(db, lambda: update(db))
    assert port_of(db) == mariadb.port
