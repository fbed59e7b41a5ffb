"""The application under other WSGI servers, and as an installed package."""

import json
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.validate import validator

import pytest
from falcon.testing import create_environ

from reservation import Settings, create_app
from reservation.errors import WrongSchema
from reservation.installation import mailer_of
from tests.client import Client, below

ROOT = Path(__file__).parent.parent.parent
ACCOUNT = {
    "email": "chloe@example.fr",
    "password": "un bon mot de passe",
    "first_name": "Chloé",
    "last_name": "Martin",
    "role": "student",
}


def app(folder: Path):
    return create_app(
        Settings.from_environ(
            {
                "RESERVATION_DATABASE_URL": f"sqlite:///{folder}/own.db",
                "RESERVATION_BCRYPT_ROUNDS": "4",
            }
        )
    )


@pytest.fixture
def two_folders(tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    return folders


def test_two_applications_with_two_databases_live_in_one_process(two_folders):
    one, two = (Client(app(folder)) for folder in two_folders)
    one.post("/auth/register", ACCOUNT, expect=201)
    one.post("/auth/register", ACCOUNT, expect=400)
    two.post("/auth/login", {k: ACCOUNT[k] for k in ("email", "password")}, expect=401)
    two.post("/auth/register", ACCOUNT, expect=201)


def test_a_change_of_the_working_folder_moves_neither_the_database_nor_the_mails(
    two_folders, monkeypatch
):
    monkeypatch.chdir(two_folders[0])
    client = Client(app(Path()))
    mails = mailer_of(Settings(database_url="sqlite:///own.db"))
    monkeypatch.chdir(two_folders[1])
    assert mails.there() == two_folders[0]
    with ThreadPoolExecutor() as others:  # a new thread opens a new connection
        others.submit(client.post, "/auth/register", ACCOUNT, expect=201).result()
    assert not list(two_folders[1].iterdir())


def test_a_token_of_one_application_is_none_of_the_other(two_folders):
    one, two = (Client(app(folder)) for folder in two_folders)
    for client in (one, two):
        client.post("/auth/register", ACCOUNT, expect=201)
    credentials = {k: ACCOUNT[k] for k in ("email", "password")}
    token = one.post("/auth/login", credentials).json["token"]
    one.get("/api/reservations", token=token)
    two.get("/api/reservations", token=token, expect=401)


def test_the_environment_is_not_read_by_itself(monkeypatch, tmp_path):
    monkeypatch.setenv("RESERVATION_NONSENSE", "1")
    Client(app(tmp_path)).get("/ready")


def test_it_works_below_a_path_prefix(tmp_path):
    client = Client(below("/agenda", app(tmp_path)))
    assert client.get("/agenda/api/villes?q=paris").json[0] == "Paris"
    client.post("/agenda/auth/register", ACCOUNT, expect=201)


def called(folder, *without, **changes):
    """Calls /health directly, without a WSGI validator; returns the status and the body."""
    environ = {**create_environ("/health"), **changes}
    told = []
    body = app(folder)(
        {name: value for name, value in environ.items() if name not in without},
        lambda status, _headers: told.append(status[:3]),
    )
    return int(told[0]), json.loads(b"".join(body))


@pytest.mark.parametrize("prefix", ["", "/agenda", "/a/b-c_d.e~1", "/@me:x+y,z=1%20"])
def test_a_well_formed_prefix_is_served(tmp_path, prefix):
    assert called(tmp_path, SCRIPT_NAME=prefix)[0] == 200


@pytest.mark.parametrize(
    "prefix",
    ["agenda", "/", "//evil.example", "/agenda/", "/a//b", "/a b", "/a\r\nSet-Cookie: b", "/a\0",
     "/a\n", "/é", "/a?b", "/a#b", "/a\\b", '/a"b', "/<script>", "/a'b", "/a;b", "/a\x7f"],
)
def test_an_odd_prefix_is_400(tmp_path, prefix):
    status, answer = called(tmp_path, SCRIPT_NAME=prefix)
    assert (status, answer["code"]) == (400, "malformed_prefix")


@pytest.mark.parametrize("protocol, status", [("HTTP/1.1", 400), ("HTTP/1.0", 200)])
def test_a_host_is_wanted_where_the_protocol_wants_one(tmp_path, protocol, status):
    answered, body = called(tmp_path, "HTTP_HOST", SERVER_PROTOCOL=protocol)
    assert answered == status
    assert status == 200 or body["code"] == "host_missing"


def test_a_chunked_body_that_the_server_does_not_hand_on_is_refused(tmp_path):
    """If the body counted as empty, a request could delete the weekly hours of a business."""
    client = Client(app(tmp_path))
    answer = client.post("/auth/login", headers={"Transfer-Encoding": "chunked"}, expect=400)
    assert answer.json["code"] == "length_required"


def test_wsgiref_serves_it_and_its_validator_finds_no_fault(tmp_path):
    class Quiet(WSGIRequestHandler):
        def log_message(self, *_):
            pass

    server = make_server("127.0.0.1", 0, validator(app(tmp_path)), handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/api/villes?q=lyon"
        with urllib.request.urlopen(url, timeout=10) as found:
            assert found.read().startswith(b'["Lyon"')
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_production_refuses_an_empty_database(tmp_path):
    settings = {
        "RESERVATION_ENV": "production",
        "RESERVATION_SECRET": "x" * 32,
        "RESERVATION_SMTP_URL": "smtp://127.0.0.1",
        "RESERVATION_DATABASE_URL": f"sqlite:///{tmp_path}/new.db",
    }
    with pytest.raises(WrongSchema, match="reservation init-db"):
        create_app(Settings.from_environ(settings))
