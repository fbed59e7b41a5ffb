"""One real gunicorn per test file. Every request must leave the server working."""

from collections.abc import Callable, Iterator

import pytest

from tests import engines
from tests.conftest import PASSWORD, ROUNDS
from tests.http.wire import Wire
from tests.servers import Gunicorn, variables

SECRET = "the secret of the tests at the door, over 32 bytes"


@pytest.fixture(scope="module")
def open_wire(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Wire]]:
    """Starts a server on this folder's own database: open_wire(LOG="json")."""
    started: list[Gunicorn] = []
    folder = tmp_path_factory.mktemp("door")
    url = f"sqlite:///{folder}/reservation.db"
    if engines.ENGINE == "mariadb":
        url = request.getfixturevalue("mariadb").create("door")

    def start(*options: str, **changes: str) -> Wire:
        settings = {
            "DATABASE_URL": url,
            "BCRYPT_ROUNDS": str(ROUNDS),
            "SECRET": SECRET,
            "SMTP_URL": f"file://{folder}/mails",
            **changes,
        }
        started.append(Gunicorn(folder, variables(settings), options))
        return Wire(started[-1])

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="module")
def wire(open_wire: Callable[..., Wire]) -> Wire:
    return open_wire()


@pytest.fixture(scope="module")
def registered(open_wire: Callable[..., Wire], wire: Wire) -> dict[str, str]:
    """Returns the credentials of an account."""
    body = {"email": "rose@example.fr", "password": PASSWORD}
    others = {"first_name": "Rose", "last_name": "Petit", "role": "student"}
    answer = wire.post_json("/auth/register", {**body, **others})
    known = (400, {"error": "Email already exists"})  # registered by another file of this folder
    assert answer.status == 201 or (answer.status, answer.json) == known
    return body


@pytest.fixture(scope="module")
def token(wire: Wire, registered: dict[str, str]) -> str:
    return str(wire.post_json("/auth/login", registered).json["token"])
