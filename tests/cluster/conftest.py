"""The cluster of this run, with the service's tables."""

from collections.abc import Iterator

import pytest

from reservation.storage import schema
from tests import engines
from tests.cluster.nodes import Node
from tests.galera import Galera


@pytest.fixture(scope="session")
def cluster() -> Iterator[Galera]:
    """Three nodes. Each process of pytest-xdist that runs such a test has a cluster of its
    own; with `--dist loadgroup` only one does."""
    galera = Galera()
    try:
        yield galera.start()
    finally:
        galera.remove()


@pytest.fixture(scope="session")
def connections(cluster: Galera) -> Iterator[list[Node]]:
    """A thread with a connection to each node, to a database with tables."""
    nodes = [Node(url) for url in cluster.create("reservation")]
    schema.create(nodes[0].db)
    yield nodes
    for node in nodes:
        node.close()


@pytest.fixture
def nodes(connections: list[Node]) -> list[Node]:
    """The same, and the database is empty."""
    engines.empty(connections[0].db)
    return connections


@pytest.fixture
def database_url(cluster: Galera, nodes: list[Node]) -> str:
    """The application of a test, its people and its salon are at the first node."""
    return cluster.url(0, "reservation")
