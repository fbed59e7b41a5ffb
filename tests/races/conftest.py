"""A salon with room for a crowd, and databases from which a guard is missing."""

from collections.abc import Callable
from typing import Any

import pytest

from reservation.domain.people.sessions import Account
from reservation.storage.database import Database, connect, forget
from reservation.storage.schema import create
from tests import engines
from tests.conftest import WEEK, Person, Salon
from tests.races import guards, teams

CAPACITY = 7


@pytest.fixture
def database_url(
    database_url: str, make_database: Callable[[str], str], request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """The database; with a parameter, a database created without that line of schema.sql."""
    line = getattr(request, "param", None)
    if line is None:
        return database_url
    guards.without_line(monkeypatch, line)
    if engines.ENGINE == "sqlite":
        return database_url  # has no tables yet
    db = connect(url := make_database("bare"))
    create(db)
    forget(db)
    return url


@pytest.fixture
def hall(make_salon: Callable[..., Salon], alice: Person) -> Salon:
    """A salon with CAPACITY places in each slot."""
    return make_salon(alice, [{**row, "capacite": CAPACITY} for row in WEEK])


@pytest.fixture
def customers(person: Callable[..., Person]) -> list[Person]:
    """Four customers, one for each client process."""
    return [person(name, "student") for name in ("Chloé", "Emil", "Fanny", "Gus")]


@pytest.fixture
def account(chloe: Person) -> Account:
    """Chloé's account, as the domain functions expect an account."""
    return Account(chloe.id, "student")


@pytest.fixture
def port(client: Any, serve: Callable[..., Any]) -> int:
    """The port of a real gunicorn with two workers on the database of the test."""
    return int(serve("--workers", "2").port)


@pytest.fixture
def team(salon: Salon, db: Database) -> teams.Team:
    """The salon with five persons and two rooms."""
    return teams.make(db, salon)
