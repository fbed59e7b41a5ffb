"""The cluster of this run, with the service's tables."""

from collections.abc import Iterator

import pytest

from reservation.storage.database import connect, forget
from tests import engines
from tests.cluster.nodes import Node
from tests.galera import Galera


@pytest.fixture(scope="session")
def cluster() -> Iterator[Galera]:
    """Three nodes. Each process of pytest-xdist that runs such a test has a cluster of its
    own; with `--dist loadgroup` only one does."""
    galera = Galera()
    yield galera.start()
    galera.remove()


@pytest.fixture
def urls(cluster: Galera) -> list[str]:
    """The URL of an empty database at each node."""
    urls = cluster.create("reservation")
    db = connect(urls[0])
    engines.empty(db)
    forget(db)
    return urls


@pytest.fixture
def database_url(urls: list[str]) -> str:
    """The application of a test, its people and its salon are at the first node."""
    return urls[0]


@pytest.fixture
def nodes(urls: list[str]) -> Iterator[list[Node]]:
    """A connection to each node."""
    nodes = [Node(url) for url in urls]
    yield nodes
    for node in nodes:
        node.close()
