"""All processes write to the first node that is synchronized, with HAProxy or without."""

import pytest

from reservation.errors import DatabaseUnavailable
from reservation.storage.database import connect, forget, transaction
from reservation.storage.models import TypeUtilisateur
from tests.cluster.haproxy import HAProxy
from tests.cluster.nodes import on_cluster
from tests.outboxes import wait_for

pytestmark = on_cluster


@pytest.fixture
def databases(cluster, connections, tmp_path):
    """A connection whose URL lists the nodes, and a connection through HAProxy."""
    connections[0].db.execute_sql("CREATE USER IF NOT EXISTS haproxy")
    proxy = HAProxy(tmp_path, cluster)
    urls = (
        cluster.failover_url("reservation"), f"mysql://root@127.0.0.1:{proxy.port}/reservation"
    )
    made = [connect(url) for url in urls]
    yield made
    for db in made:
        forget(db)
    proxy.stop()


def node_of(db):
    """Returns the number of the node to which a new transaction writes; None if none answers."""

    def write():
        TypeUtilisateur.update(nom="student").where(TypeUtilisateur.id == 1).execute(db)
        return int(db.rows("SELECT @@server_id")[0][0])

    try:
        return transaction(db, write)
    except DatabaseUnavailable:
        return None


def test_the_first_synchronized_node_is_used_while_nodes_leave_and_return(
    cluster, connections, databases
):
    def both_use(node):
        wait_for(lambda: [node_of(db) for db in databases] == [node, node])

    def desynchronize(value):
        connections[0].db.execute_sql(f"SET GLOBAL wsrep_desync = {value}")

    both_use(1)
    desynchronize("ON")
    both_use(2)
    desynchronize("OFF")
    both_use(1)
    cluster.kill(0)
    try:
        both_use(2)
    finally:
        cluster.restart(0)
        forget(connections[0].db)
    both_use(1)
