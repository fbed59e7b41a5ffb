"""A Galera cluster with the tables of the service."""

from collections.abc import Iterator

import pytest

from reservation.storage import schema
from tests import engines
from tests.cluster.nodes import Node
from tests.galera import Galera


@pytest.fixture(scope="session")
def cluster() -> Iterator[Galera]:
    """Three nodes.

    Each pytest-xdist process that runs such a test starts its own cluster; with `--dist loadgroup`
    only one process does.
    """
    galera = Galera()
    try:
        yield galera.start()
    finally:
        galera.remove()


@pytest.fixture(scope="session")
def connections(cluster: Galera) -> Iterator[list[Node]]:
    """One thread and connection per node, to a database with tables."""
    nodes = [Node(url) for url in cluster.create("reservation")]
    schema.create(nodes[0].db)
    yield nodes
    for node in nodes:
        node.close()


@pytest.fixture
def nodes(connections: list[Node]) -> list[Node]:
    """The same connections; the database is empty."""
    engines.empty(connections[0].db)
    return connections


@pytest.fixture
def database_url(cluster: Galera, nodes: list[Node]) -> str:
    """Connects the application and the fixtures of a test to the first node."""
    return cluster.url(0, "reservation")
