"""A salon for a crowd, and databases from which a guard is missing."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from reservation.domain.people.sessions import Account
from reservation.storage.database import connect, forget
from reservation.storage.schema import create
from tests import engines
from tests.conftest import WEEK, Person, Salon
from tests.races import guards

CAPACITY = 7


@pytest.fixture
def database_url(
    database_url: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The database; as a parameter, a line of schema.sql that it is made without."""
    line = getattr(request, "param", None)
    if line is None:
        yield database_url
        return
    guards.without_line(monkeypatch, line)
    if engines.ENGINE == "sqlite":
        yield database_url  # has no tables yet
        return
    url = database_url + "_bare"
    server, name = request.getfixturevalue("mariadb"), url.rpartition("/")[2]
    db = connect(server.create(name))
    create(db)
    yield url
    db.execute_sql(f"DROP DATABASE {name}")
    forget(db)


@pytest.fixture
def hall(make_salon: Callable[..., Salon], alice: Person) -> Salon:
    """A salon with CAPACITY places at each time."""
    return make_salon(alice, [{**row, "capacite": CAPACITY} for row in WEEK])


@pytest.fixture
def customers(person: Callable[..., Person]) -> list[Person]:
    """Four, one for each client process."""
    return [person(name, "student") for name in ("Chloé", "Emil", "Fanny", "Gus")]


@pytest.fixture
def account(chloe: Person) -> Account:
    """Chloé, as the domain knows her."""
    return Account(chloe.id, "student")


@pytest.fixture
def port(client: Any, serve: Callable[..., Any]) -> int:
    """Of a real gunicorn with two workers, on the database of this test."""
    return int(serve("--workers", "2").port)
