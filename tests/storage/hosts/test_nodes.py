"""Nodes of a cluster that answer and are not ready."""

import peewee
import pymysql
import pytest

from reservation.storage.database import connect, forget
from tests import engines
from tests.storage.hosts.paths import port_of

pytestmark = [engines.on_mariadb, engines.knows_galera]


@pytest.fixture
def unsynchronized(monkeypatch):
    """Returns a list of ports and the state that the nodes at these ports report.

    The server is no Galera node, so the test changes its answers.
    """
    ports, state = [], {"wsrep_ready": "OFF", "wsrep_local_state": "0"}
    fetchone, fetchall = pymysql.cursors.Cursor.fetchone, pymysql.cursors.Cursor.fetchall

    def on(self):
        row = fetchone(self)
        asked = self.connection.port in ports and row and row[0] == "wsrep_on"
        return ("wsrep_on", "ON") if asked else row

    def reported(self):
        asked = self.connection.port in ports and "wsrep_ready" in str(self._executed)
        return list(state.items()) if asked else fetchall(self)

    monkeypatch.setattr(pymysql.cursors.Cursor, "fetchone", on)
    monkeypatch.setattr(pymysql.cursors.Cursor, "fetchall", reported)
    return ports, state


@pytest.mark.parametrize("ready, state", [("OFF", "0"), ("ON", "2")])
def test_a_node_that_is_not_synchronized_is_passed_over(db, paths, unsynchronized, ready, state):
    ports, reported = unsynchronized
    ports.append(paths[0].port)
    reported.update(wsrep_ready=ready, wsrep_local_state=state)
    assert port_of(db) == paths[1].port


def test_the_only_node_left_is_used_while_it_sends_its_data_to_another(
    db, paths, unsynchronized
):
    ports, reported = unsynchronized
    ports.extend(path.port for path in paths)
    reported.update(wsrep_ready="ON", wsrep_local_state="2")
    assert port_of(db) == paths[0].port
    forget(db)
    paths[0].refuse()
    assert port_of(db) == paths[1].port
    assert db._hosts.used == 1  # so other threads do not try the lost node first


def test_without_a_ready_node_the_failure_is_one_that_passes(db, paths, unsynchronized):
    unsynchronized[0].extend(path.port for path in paths)
    with pytest.raises(peewee.OperationalError, match="no node .* ready") as caught:
        db.rows("SELECT 1")
    assert db.is_passing(caught.value)


@pytest.mark.parametrize("inside", [True, False])
def test_a_node_that_refuses_statements_is_left(db, paths, monkeypatch, inside):
    query = pymysql.connections.Connection.query

    def refuse(self, sql, *more):
        if self.port == paths[0].port and "typeutilisateur" in sql:
            raise pymysql.err.OperationalError(1047, "WSREP has not yet prepared node")
        return query(self, sql, *more)

    monkeypatch.setattr(pymysql.connections.Connection, "query", refuse)
    count = "SELECT COUNT(*) FROM typeutilisateur"
    if inside:
        assert port_of(db) == paths[1].port
    else:
        assert db.rows(count) != []


def test_reads_wait_for_other_nodes_until_all_processes_use_this_node(
    db, paths, unsynchronized
):
    """With a single host, reads always wait: other processes may use other nodes."""
    ports, reported = unsynchronized
    ports.extend(path.port for path in paths)
    reported.update(wsrep_ready="ON", wsrep_local_state="4")
    waits = "SELECT @@wsrep_sync_wait"
    assert [db.rows(waits) for _ in range(2)] == [[(1,)]] * 2
    db._mine.waits_until = 0
    assert db.rows(waits) == [(0,)]
    db._hosts.used = 1
    assert db.rows(waits) == [(1,)]
    single = connect(f"mysql://root@127.0.0.1:{paths[0].port}/{db.database}")
    assert single.rows(waits) == [(1,)]
    single._mine.waits_until = 0
    assert single.rows(waits) == [(1,)]
    forget(single)
