"""A database URL with two hosts. Each host is a path to the same server."""

from urllib.parse import urlsplit

import pytest

from reservation.storage.connecting import hosts
from reservation.storage.database import connect, forget
from tests.storage.hosts.paths import Path


@pytest.fixture
def paths(client, mariadb):
    """Two ports that lead to the server."""
    made = [Path(mariadb.port) for _ in range(2)]
    yield made
    for path in made:
        path.close()


@pytest.fixture
def db(paths, database_url):
    """A connection to the test database by the first path, with the second in reserve."""
    listed = ",".join(f"127.0.0.1:{path.port}" for path in paths)
    made = connect(f"mysql://root@{listed}{urlsplit(database_url).path}")
    yield made
    forget(made)


@pytest.fixture
def quick(monkeypatch):
    """Looks for the first ready host often."""
    monkeypatch.setattr(hosts, "LOOK", 0.05)
    monkeypatch.setattr(hosts, "TRY", 0.3)
