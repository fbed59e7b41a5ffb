"""The people, databases and servers of the tests."""

import lzma
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import pytest

from reservation import Settings, application, create_app
from reservation.domain.people import accounts, passwords, proving
from reservation.domain.people.sessions import Tokens
from reservation.storage import definitions, schema
from reservation.storage.database import Database, connect, forget, transaction
from tests import (
    copies,
    database_servers,
    descriptions,
    engines,
    memory,
    outboxes,
    routers,
    teams,
)
from tests.client import Client
from tests.clock import now
from tests.database_servers import MariaDB
from tests.domain import relays
from tests.servers import Gunicorn, variables
from tests.workers import Worker

PASSWORD = "un bon mot de passe"
ROUNDS = 4  # bcrypt's minimum, to keep the tests fast
HASHED = cache(passwords.hashed)  # even with few rounds, a hash is a tenth of a small test
STATEMENTS = definitions.statements  # which a test may replace, to make tables without a guard


def pytest_configure() -> None:
    memory.use()
    routers.share()
    descriptions.share()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Runs tests that use no database on SQLite only."""
    if engines.ENGINE == "mariadb":
        once = [item for item in items if not engines.concerns(item)]
        config.hook.pytest_deselected(items=once)
        items[:] = [item for item in items if item not in set(once)]


@pytest.fixture(scope="session")
def mariadb() -> Iterator[MariaDB]:
    """Starts the private database server of this process."""
    server = database_servers.server().start()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def server_url(mariadb: MariaDB) -> str:
    """Returns the URL of the database that the tests of this process use in turn."""
    return mariadb.create("reservation")


@pytest.fixture(scope="session")
def cleaner(server_url: str) -> Iterator[Database]:
    """Returns a connection that stays open, because to open one for each test would take 3 ms."""
    db = connect(server_url)
    yield db
    forget(db)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Returns the URL of an empty database of TEST_ENGINE. On SQLite it has no tables."""
    if engines.ENGINE == "sqlite":
        return f"sqlite:///{tmp_path}/reservation.db"
    engines.empty(request.getfixturevalue("cleaner"))
    return str(request.getfixturevalue("server_url"))


@pytest.fixture
def make_database(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[[str], str]]:
    """Returns the URL of another database without tables: make_database("name")."""
    made = set()

    def make(name: str) -> str:
        if engines.ENGINE == "sqlite":
            return f"sqlite:///{tmp_path}/{name}.db"
        url: str = request.getfixturevalue("mariadb").create(name)
        made.add(url)
        return url

    yield make
    for url in made:
        engines.drop(url)


# The row of a slot without bookings. The pattern leaves out the rows of the first business. It
# also leaves out the last row of each INSERT, because that row ends with a semicolon.
FREE = re.compile(r"^\((\d+), (?!1,)\d+(?:, \d{10}){3}, \d+, \d+, 0, .*\),\n", re.MULTILINE)


def without_most_slots(sql: str) -> str:
    bookings = sql.partition("INSERT INTO reservation ")[2]
    named = set(re.findall(r" (\d+)(?:, \d{10}){4}", bookings))  # also by a cancelled booking
    return FREE.sub(lambda slot: slot[0] if slot[1] in named else "", sql)


@pytest.fixture
def load(make_database: Callable[[str], str]) -> Callable[..., str]:
    """Returns the URL of a database as an old commit left it: load("8e0db7b").

    Most slots without bookings are left out unless whole=True, because a migration takes longer
    with them. With small=True, the database has no slots, bookings or messages.
    """

    def load(commit: str, small: bool = False, whole: bool = False) -> str:
        url = make_database("earlier")
        packed = Path(__file__).parent / "earlier" / f"{commit}.sql.xz"
        sql = lzma.decompress(packed.read_bytes()).decode()
        if small:
            sql = re.split(r"INSERT INTO (?:creneau|reservation|eventemail) ", sql)[0]
        engines.load(url, sql if whole else without_most_slots(sql))
        return url

    return load


@pytest.fixture
def environ(database_url: str, tmp_path: Path) -> dict[str, str]:
    """Returns the settings of the tests, a development environment, as environment variables."""
    return {
        "RESERVATION_DATABASE_URL": database_url,
        "RESERVATION_BCRYPT_ROUNDS": str(ROUNDS),
        "RESERVATION_SECRET": outboxes.SECRET,
        "RESERVATION_SMTP_URL": f"file://{tmp_path}/mails",
    }


@pytest.fixture(scope="session")
def empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the files of an SQLite database that has all tables."""
    folder = tmp_path_factory.mktemp("empty")
    db = connect(f"sqlite:///{folder}/reservation.db")
    schema.create(db)
    forget(db)
    return folder


@pytest.fixture
def make_client(
    environ: dict[str, str], tmp_path: Path, empty_folder: Path
) -> Callable[..., Client]:
    """Returns a client with changed settings: make_client(EXPIRED_STATUS="419")."""
    # A copy takes a twentieth of the time of the statements, but has all constraints.
    if engines.ENGINE == "sqlite" and definitions.statements is STATEMENTS:
        for file in empty_folder.iterdir():
            shutil.copy(file, tmp_path)

    def make(**changes: str) -> Client:
        return Client(create_app(Settings.from_environ({**environ, **variables(changes)})))

    return make


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    if definitions.statements is not STATEMENTS:
        return make_client()  # makes the tables
    # The tables are there. To check this again would take a tenth of an ordinary test.
    with patch.object(application, "prepare"):
        return make_client()


@pytest.fixture
def db(client: Client, database_url: str) -> Iterator[Database]:
    """Returns the application's database, with its tables."""
    database = connect(database_url)
    yield database
    forget(database)


@pytest.fixture
def selects(db: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collects the SQL of all calls of `db.rows` in this test."""
    selects, rows = [], db.rows

    def noted(sql: str, *values: Any) -> Any:
        selects.append(sql)
        return rows(sql, *values)

    monkeypatch.setattr(db, "rows", noted)
    return selects


@pytest.fixture
def serve(environ: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Gunicorn]]:
    """Starts a real gunicorn: serve("--threads", "8", prefix="/agenda", EXPIRED_STATUS="419")."""
    started = []

    def start(
        *options: str, worker: bool = False, prefix: str = "", fresh: bool = False, **changes: str
    ) -> Gunicorn:
        settings = {**environ, **variables(changes)}
        started.append(Gunicorn(tmp_path, settings, options, worker, prefix, fresh))
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture
def work(environ: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Starts a real worker: work("--once", SMTP_URL="smtp://127.0.0.1:25")."""
    started = []

    def start(*options: str, **changes: str) -> Worker:
        started.append(Worker(tmp_path, {**environ, **variables(changes)}, options))
        return started[-1]

    yield start
    for worker in started:
        worker.stop()


@dataclass
class Person:
    id: int
    email: str
    token: str
    password: str = PASSWORD


def log_in(
    client: Client, person: Person, password: str = "", expect: int = 200,
    path: str = "/auth/login", **how: Any,
) -> Any:
    """Logs in with the person's password, or with another one. Returns the response."""
    body = {"email": person.email, "password": password or person.password}
    return client.post(path, body, expect=expect, **how)


def prove(db: Database, *account_ids: int) -> None:
    """Records that the addresses of these accounts are proven."""
    transaction(db, lambda: [proving.prove(db, one, now()) for one in account_ids])


@pytest.fixture
def person(db: Database) -> Callable[..., Person]:
    """Makes an account with a token: person("Chloé", "student")."""
    tokens = Tokens(outboxes.SECRET, Settings().token_lifetime)

    def make(first_name: str, role: str, **others: Any) -> Person:
        email = f"{first_name.lower().replace('é', 'e')}@example.fr"
        with patch.object(passwords, "hashed", HASHED):
            user_id = accounts.add(
                db, ROUNDS, email=email, password=PASSWORD, role=role, nom="Martin",
                prenom=first_name, now=now(), **others,
            )
        return Person(user_id, email, tokens.issue(user_id, email, role, now()))

    return make


@pytest.fixture
def alice(person: Callable[..., Person]) -> Person:
    """Owns a salon."""
    return person("Alice", "company")


@pytest.fixture
def bob(person: Callable[..., Person]) -> Person:
    """Owns a rival salon."""
    return person("Bob", "company")


@pytest.fixture
def chloe(person: Callable[..., Person]) -> Person:
    """Books as a customer."""
    return person("Chloé", "student")


@pytest.fixture
def dora(person: Callable[..., Person]) -> Person:
    """Administers the deployment."""
    return person("Dora", "admin")


# A customer without an account, whom the owner books during a telephone call.
ROSE = {"nom": "Petit", "prenom": "Rose", "email": "rose@example.fr", "telephone": "06 11"}
WEEK = [
    {"jour": jour, "debut": debut, "fin": fin, "pasMinutes": 30, "capacite": 1}
    for jour in range(2, 7)  # Tuesday to Saturday
    for debut, fin in (("09:00", "12:00"), ("14:00", "18:00"))
]
MORNING = {"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30}  # of a Tuesday
# Few slots, so that a request extends the calendar by two years within its budget.
HOUR_A_DAY = [
    {"jour": jour, "debut": "10:00", "fin": "11:00", "pasMinutes": 60} for jour in range(2, 7)
]


def times(slots: list[Any]) -> list[str]:
    """Returns the wall time at which each slot starts."""
    return [one["debut"][11:16] for one in slots]


@dataclass
class Salon:
    """A business: Tuesday to Saturday, 9 to 12 and 14 to 18, half-hour slots of capacity 1."""

    client: Client
    owner: Person
    id: int
    coupe: int  # the id of the 30-minute service
    couleur: int  # the id of the 90-minute service

    def free(self, day: date, prestation: int | None = None, **query: Any) -> list[Any]:
        """Returns the free starts of a service on a local date."""
        parameters = {"prestation": prestation or self.coupe, "du": day, "au": day, **query}
        path = f"/api/entreprises/{self.id}/creneaux?{urlencode(parameters)}"
        return list(self.client.get(path).json)

    def at(self, day: date, time: str, prestation: int | None = None) -> int:
        """Returns the id of the slot that starts at a wall time."""
        found = {one["debut"][11:16]: one["id"] for one in self.free(day, prestation, tous=1)}
        return int(found[time])

    def book(
        self, by: Person, creneau: int, expect: int = 201, key: str = "", **body: Any
    ) -> Any:
        """Books `coupe`, or the service `prestationId`, with POST /api/reservations."""
        return self.client.post(
            "/api/reservations",
            {"creneauId": creneau, "prestationId": self.coupe, **body},
            expect=expect,
            token=by.token,
            headers={"Idempotency-Key": key} if key else {},
        ).json


@pytest.fixture
def make_salon(client: Client, db: Database) -> Callable[..., Salon]:
    """Makes a business with two services: make_salon(alice, week=[…], delaiReservation=60)."""

    def make(owner: Person, week: list[Any] = WEEK, **rules: Any) -> Salon:
        about = {"nom": f"Salon {owner.email[:5]}", "ville": "Lyon", "codePostal": "69002"} | rules

        def by_requests() -> tuple[int, ...]:
            entreprise = client.post("/api/entreprises", about, 201, token=owner.token).json["id"]
            path = f"/api/entreprises/{entreprise}"
            services = [
                client.post(
                    f"{path}/prestations", {"nom": nom, "dureeMinutes": minutes}, 201,
                    token=owner.token,
                ).json["id"]
                for nom, minutes in (("Coupe femme", 30), ("Coloration", 90))
            ]
            client.put(f"{path}/semainetype", week, token=owner.token)
            return entreprise, *services

        ids = copies.business(db, owner.id, repr((about, week)), by_requests)
        return Salon(client, owner, *ids)

    return make


@pytest.fixture
def salon(make_salon: Callable[..., Salon], alice: Person) -> Salon:
    return make_salon(alice)


@pytest.fixture
def rules(client: Client, salon: Salon, alice: Person) -> Callable[..., None]:
    """Changes the settings of the salon: rules(validationManuelle=True)."""

    def change(**fields: Any) -> None:
        body = {"nom": "Salon alice", "ville": "Lyon", **fields}
        client.put(f"/api/entreprises/{salon.id}", body, token=alice.token)

    return change


@pytest.fixture
def lea(db: Database, salon: Salon) -> int:
    """Names the only person of the salon. Returns the id of the person."""
    return teams.name(db, salon.id, "Léa")


@pytest.fixture
def ines(db: Database, salon: Salon, lea: int) -> int:
    """Adds a second person to the salon. Returns the id of the person."""
    return teams.add(db, salon.id, "Inès")


@pytest.fixture
def lina(person: Callable[..., Person], db: Database) -> Person:
    """Returns somebody who works in the salon and has proven her address."""
    lina = person("Lina", "student")
    prove(db, lina.id)
    return lina


@pytest.fixture
def staff(client: Client, salon: Salon, alice: Person, lina: Person) -> Any:
    """Adds a person whose calendar Lina runs. Returns the id of the person."""
    body = {"nom": "Lina", "compte": lina.email}
    path = f"/api/entreprises/{salon.id}/ressources"
    return client.post(path, body, 201, token=alice.token).json["id"]


@pytest.fixture
def visit(salon: Salon, chloe: Person, db: Database, tuesday: date) -> int:
    """Returns the id of a booking of Chloé. The outbox is empty."""
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    outboxes.empty(db)
    return int(number)


@pytest.fixture
def called(salon: Salon, alice: Person, tuesday: date) -> Any:
    """Returns a booking that the owner made for Rose."""
    return salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)


@pytest.fixture
def post() -> Iterator[relays.Moody]:
    """Starts an SMTP relay that stores the messages it receives; its port is `post.port`."""
    handler = relays.Moody()
    relay = relays.started(handler)
    handler.port = relay.port
    yield handler
    handler.over.set()
    relay.stop()


@pytest.fixture
def tuesday() -> date:
    """Returns the Tuesday of the second next week: in the future, and within the horizon."""
    today = date.today()
    return today + timedelta(days=7 + (1 - today.weekday()) % 7)
