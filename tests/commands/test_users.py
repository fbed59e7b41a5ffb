"""`reservation user` takes effect on the next request."""

import getpass
import io

import pytest

from reservation.storage.database import connect, forget
from tests.conftest import PASSWORD

WHO = ["ops@example.fr", "--first-name", "Odile", "--last-name", "Petit"]
ACTIONS = {
    "add": WHO,
    "disable": ["a@example.fr"],
    "enable": ["a@example.fr"],
    "password": ["a@example.fr"],
    "prove": ["--owners"],
    "list": [],
}


def login(client, password, expect=200, email="ops@example.fr"):
    body = {"email": email, "password": password}
    return client.post("/auth/login", body, expect=expect).json


def test_a_user_is_added_with_a_password_from_standard_input(reservation, client):
    done = reservation("user", "add", *WHO, "--role", "admin", stdin="ouvre-toi sesame\n")
    assert "added ops@example.fr as admin" in done.stdout
    assert login(client, "ouvre-toi sesame")["user"]["role"] == "admin"


def test_a_short_password_is_refused(reservation, client):
    done = reservation("user", "add", *WHO, stdin="court\n", status=1)
    assert "Password must be at least 8 characters" in done.stderr
    assert reservation("user", "list").stdout == ""


def test_the_end_of_a_line_of_windows_is_no_part_of_a_password(reservation, client):
    reservation("user", "add", *WHO, stdin="ouvre-toi sesame\r\n")
    login(client, "ouvre-toi sesame")
    reservation("user", "password", WHO[0], stdin="un tout autre mot\r\n")
    login(client, "un tout autre mot")


def test_a_blank_password_is_refused(reservation, client, chloe):
    for words in (("add", *WHO), ("password", chloe.email)):
        done = reservation("user", *words, stdin=" \t" * 4 + "\n", status=1)
        assert done.stderr == "reservation: the password is blank\n"
    login(client, PASSWORD, email=chloe.email)


def test_ctrl_d_instead_of_a_password_is_refused_without_a_traceback(run, db, monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr("sys.stdin", terminal)
    monkeypatch.setattr(terminal, "isatty", lambda: True)

    def ended(_prompt):
        raise EOFError

    monkeypatch.setattr(getpass, "getpass", ended)
    assert run("user", "add", *WHO, status=1) == "reservation: the password is blank\n"


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_password_that_is_not_utf_8_is_refused(run, db, monkeypatch, errors):
    line = io.BytesIO("un mot passé\n".encode("latin-1"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(line, "utf-8", errors=errors))
    said = run("user", "add", *WHO, status=1)
    assert said == "reservation: the password is not text in UTF-8\n"


@pytest.mark.parametrize("words", [
    ["add", WHO[0], "--first-name", "Zo\udceb", "--last-name", "Petit"],
    ["add", "zo\udceb@b.fr", *WHO[1:]],
    *([action, "zo\udceb@b.fr"] for action in ("disable", "enable", "password", "prove")),
])
def test_a_name_or_an_address_that_is_not_utf_8_is_refused(reservation, db, words):
    done = reservation("user", *words, stdin="ouvre-toi sesame\n", status=2)
    assert "must be text in UTF-8" in done.stderr and "Traceback" not in done.stderr


def test_production_refuses_a_common_password(reservation, client, chloe):
    for words in (("add", *WHO, "--role", "admin"), ("password", chloe.email)):
        done = reservation("user", *words, stdin="Password1\n", status=1, ENV="production")
        assert "Password is too common" in done.stderr


def test_a_taken_email_is_refused(reservation, chloe):
    words = [chloe.email, *WHO[1:]]
    done = reservation("user", "add", *words, stdin="ouvre-toi sesame\n", status=1)
    assert "Email already exists" in done.stderr


def test_a_password_cannot_be_given_on_the_command_line(reservation):
    reservation("user", "add", *WHO, "--password", "ouvre-toi sesame", status=2)


def test_a_disabled_user_is_shut_out_from_the_next_request_on(reservation, client, chloe):
    client.get("/api/reservations", token=chloe.token)
    reservation("user", "disable", chloe.email)
    assert client.get("/api/reservations", token=chloe.token, expect=401).json == {
        "error": "Invalid token"
    }
    assert login(client, PASSWORD, 403, chloe.email) == {"error": "Account disabled"}


def test_an_enabled_user_is_let_in_again_but_not_by_an_old_token(reservation, client, chloe):
    reservation("user", "disable", chloe.email)
    reservation("user", "enable", chloe.email)
    client.get("/api/reservations", token=chloe.token, expect=401)
    token = login(client, PASSWORD, email=chloe.email)["token"]
    client.get("/api/reservations", token=token)


def test_a_new_password_ends_the_older_tokens_and_the_next_one_works_at_once(
    reservation, client, chloe
):
    reservation("user", "password", chloe.email, stdin="un tout autre mot\n")
    client.get("/api/reservations", token=chloe.token, expect=401)
    login(client, PASSWORD, 401, chloe.email)
    token = login(client, "un tout autre mot", email=chloe.email)["token"]
    client.get("/api/reservations", token=token)


def test_an_operator_proves_addresses(reservation, db, salon, alice, bob, make_salon):
    make_salon(bob)
    proven = "SELECT email FROM utilisateur WHERE email_prouve_le IS NOT NULL ORDER BY id"
    assert reservation("user", "prove", alice.email).stdout == f"proved {alice.email}\n"
    assert db.rows(proven) == [(alice.email,)]
    assert reservation("user", "prove", "--owners").stdout == f"proved {bob.email}\n"
    assert db.rows(proven) == [(alice.email,), (bob.email,)]
    for words in ([], [bob.email, "--owners"]):
        assert "EMAIL" in reservation("user", "prove", *words, status=2).stderr
    reservation("user", "add", *WHO, "--role", "admin", stdin="ouvre-toi sesame\n")
    assert db.rows(proven)[2:] == [("ops@example.fr",)]


def test_an_owner_who_was_erased_is_not_proved(reservation, db, salon, alice):
    db.write("UPDATE utilisateur SET email = '1@efface' WHERE id = ?", alice.id)
    assert reservation("user", "prove", "--owners").stdout == ""


def test_an_unknown_user_is_named(reservation, db):
    for action in ("disable", "enable", "password"):
        done = reservation("user", action, "x@example.fr", stdin="un tout autre mot\n", status=1)
        assert "No account has the e-mail x@example.fr" in done.stderr


def test_users_are_listed_with_their_role_and_state(reservation, alice, chloe):
    reservation("user", "disable", chloe.email)
    rows = [line.split() for line in reservation("user", "list").stdout.splitlines()]
    assert rows == [
        [str(alice.id), "company", alice.email],
        [str(chloe.id), "student", chloe.email, "disabled"],
    ]


@pytest.mark.parametrize("action", ACTIONS)
def test_a_database_in_which_a_restore_was_interrupted_is_refused(run, elsewhere, action):
    run("init-db", url=elsewhere)
    db = connect(elsewhere)
    db.write("UPDATE schema_version SET nom = 'restore 1234', termine_le = NULL")
    forget(db)
    said = run("user", action, *ACTIONS[action], url=elsewhere, status=2)
    assert "a restore into the database was interrupted" in said


def test_a_database_of_an_earlier_version_is_refused(run, load):
    earlier = load("a30f556", small=True)
    for action, words in ACTIONS.items():
        said = run("user", action, *words, url=earlier, status=2)
        assert "run `reservation migrate`" in said
