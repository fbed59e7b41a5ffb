"""A real request that causes each code of the table of refusals."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from typing import Any
from wsgiref.util import setup_testing_defaults

from reservation import Settings, create_app
from reservation.domain.lanes import Lane
from reservation.domain.people import accounts, passwords
from reservation.domain.people.sessions import Tokens
from reservation.domain.planning import team
from tests.codes import issued
from tests.specification.bodies import CREDENTIALS, LINE, MESSAGE, NO_DATABASE, PROTECTED

FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}


@dataclass
class Scene:
    make_client: Any
    environ: dict[str, str]
    db: Any
    salon: Any
    alice: Any
    chloe: Any
    tuesday: date
    monkeypatch: Any

    def __post_init__(self) -> None:
        self.client = self.salon.client

    def call(self, method: str, path: str, body: Any = None, by: Any = None, **how: Any) -> str:
        client, token = how.pop("client", self.client), by.token if by else ""
        self.answer = client.call(method, path, body, expect="*", token=token, **how)
        return str(self.answer.headers["X-Error-Code"])

    def post(self, path: str, body: Any = None, by: Any = None, **how: Any) -> str:
        return self.call("POST", path, body, by, **how)

    def login(self, body: bytes = b"{}", *without: str, **changes: Any) -> str:
        """Calls the application directly, so that no server or client checks the environ."""
        environ = {
            "REQUEST_METHOD": "POST", "PATH_INFO": "/auth/login", "wsgi.input": BytesIO(body),
            "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body)), **changes,
        }
        setup_testing_defaults(environ)
        sent = {name: value for name, value in environ.items() if name not in without}
        found: dict[str, str] = {}
        create_app(Settings.from_environ(self.environ))(
            sent, lambda _status, headers: found.update({k.lower(): v for k, v in headers})
        )
        return found["x-error-code"]

    def book(self, time: str = "10:00", key: str = "a", **more: int) -> str:
        slot = self.salon.at(self.tuesday, time)
        body = {"creneauId": slot, "prestationId": self.salon.coupe, **more}
        return self.post(PROTECTED, body, self.chloe, headers={"Idempotency-Key": key})

    def visit(self) -> str:
        """Books as Chloé. Returns the path of her booking."""
        slot = self.salon.at(self.tuesday, "10:00")
        return f"{PROTECTED}/{self.salon.book(self.chloe, slot, key='a')['id']}"

    def change(self, was: str = "confirmee", **body: Any) -> str:
        """Changes a booking with the status `was`, as the owner of the salon."""
        path = self.visit()
        self.db.write("UPDATE reservation SET statut = ?", was)
        return self.call("PUT", path, {"version": 1, **body}, self.alice)

    def cancel(self, sql: str) -> str:
        """Runs a statement on the database, then cancels a booking as its customer."""
        path = self.visit()
        self.db.write(sql)
        return self.call("DELETE", path, by=self.chloe)

    def form(self, path: str, **how: Any) -> str:
        self.answer = how.get("client", self.client).form(path, {"username": "x"}, expect="*")
        return str(self.answer.headers["X-Error-Code"])

    def without_database(self) -> Any:
        return self.make_client(DATABASE_URL=NO_DATABASE)

    def patched(self, thing: Any, name: str, value: Any) -> "Scene":
        self.monkeypatch.setattr(thing, name, value)
        return self

    def written(self, sql: str) -> "Scene":
        self.db.write(sql)
        return self


def register(**changes: Any) -> Callable[[Scene], str]:
    return lambda s: s.post("/auth/register", {**LINE, **changes})


def contact(**changes: Any) -> Callable[[Scene], str]:
    return lambda s: s.post("/contact", {**MESSAGE, **changes})


def _message_being_sent(s: Scene) -> str:
    s.visit()
    s.db.write("UPDATE eventemail SET statut = 'envoi'")
    number = s.db.rows("SELECT MAX(id) FROM eventemail")[0][0]
    return s.post(f"/api/emails/{number}/renvoi", by=s.alice)


def _no_address(s: Scene) -> str:
    s.visit()
    s.db.write("UPDATE client SET email = ''")
    s.db.write("UPDATE eventemail SET destinataire = ''")
    number = s.db.rows("SELECT id FROM eventemail WHERE genre = 'confirmee'")[0][0]
    return s.post(f"/api/emails/{number}/renvoi", by=s.alice)


def _token_expired(s: Scene) -> str:
    past = Tokens(s.environ["RESERVATION_SECRET"], -60)
    s.chloe.token = past.issue(s.chloe.id, s.chloe.email, "student", int(time.time()))
    return s.call("GET", PROTECTED, by=s.chloe)


def _too_many_attempts(s: Scene) -> str:
    ask = [{"email": f"a{number}@example.fr"} for number in range(21)]
    for body in ask[:20]:
        s.client.post("/auth/password/forgot", body, 202, source="192.0.2.7")
    return s.post("/auth/password/forgot", ask[20], source="192.0.2.7")


def _book_after(sql: str) -> Callable[[Scene], str]:
    """Books twice, with a statement on the database in between."""

    def cause(s: Scene) -> str:
        s.visit()
        s.db.write(sql)
        return s.book("11:00", key="b")

    return cause


def _address_unproven(s: Scene) -> str:
    s.client = s.make_client(VERIFY_EMAIL="on")
    return s.book()


def _correction_too_late(s: Scene) -> str:
    path = s.visit()
    s.db.write("UPDATE reservation SET statut = 'absente', debut = 1, fin = 2, occupe_debut = 1")
    return s.call("PUT", path, {"version": 1, "statut": "honoree"}, s.alice)


def _customer_has_upcoming(s: Scene) -> str:
    s.visit()
    number = s.db.rows("SELECT id FROM client")[0][0]
    return s.call("DELETE", f"/api/clients/{number}", by=s.alice)


def _customer_known(s: Scene) -> str:
    about = {"nom": "Petit", "telephone": "06 11"}
    path = f"/api/entreprises/{s.salon.id}/clients"
    s.client.post(path, about, 201, token=s.alice.token)
    return s.post(path, about, s.alice)


def _different_accounts(s: Scene) -> str:
    s.visit()
    slot = s.salon.at(s.tuesday, "11:00")
    s.salon.book(s.alice, slot)
    (one, other) = s.db.rows("SELECT id FROM client ORDER BY id")
    return s.post(f"/api/clients/{one[0]}/fusion", {"client": other[0]}, s.alice)


def _last_person(s: Scene) -> str:
    path = _ressource(s, nom="Léa")
    s.db.write("UPDATE ressource SET actif = 0 WHERE nom = 'Alice'")
    return s.call("DELETE", path, by=s.alice)


def _own_account(s: Scene) -> str:
    s.db.write("UPDATE utilisateur SET type_id = 3 WHERE email = ?", s.alice.email)
    s.alice.token = s.client.post(
        "/auth/login", {"email": s.alice.email, "password": s.alice.password}
    ).json["token"]
    return s.call("PUT", f"/api/comptes/{s.alice.id}", {"actif": False}, s.alice)


def _last_room(s: Scene) -> str:
    path = _ressource(s, nom="Cabine", genre="lieu")
    body = {"nom": "Massage", "dureeMinutes": 30, "lieuRequis": True}
    s.client.post(f"/api/entreprises/{s.salon.id}/prestations", body, 201, token=s.alice.token)
    return s.call("DELETE", path, by=s.alice)


def _too_many_ressources(s: Scene) -> str:
    s.patched(team, "MOST", 2)
    _ressource(s, nom="Léa")
    return s.post(f"/api/entreprises/{s.salon.id}/ressources", {"nom": "Zoé"}, s.alice)


def _ressource(s: Scene, **body: Any) -> str:
    """Adds a person or a room. Returns the path."""
    path = f"/api/entreprises/{s.salon.id}/ressources"
    made = s.client.post(path, body, 201, token=s.alice.token)
    return f"/api/ressources/{made.json['id']}"


CAUSES: dict[str, Callable[[Scene], str]] = {
    "account_disabled": lambda s: s.written("UPDATE utilisateur SET actif = 0").post(
        "/auth/login", {"email": s.chloe.email, "password": s.chloe.password}
    ),
    "address_unproven": _address_unproven,
    "bad_request": lambda s: s.login(CONTENT_LENGTH="many"),
    "body_too_large": lambda s: s.login(b" " * 65_537),
    "body_truncated": lambda s: s.login(CONTENT_LENGTH="3"),
    "body_unreadable": lambda s: s.login(**{"wsgi.input": None}),
    "business_open": lambda s: s.call(
        "DELETE", "/api/compte", {"password": s.alice.password}, s.alice
    ),
    "code_invalid": lambda s: s.post(
        "/auth/code/login", {"email": s.chloe.email, "code": "271828"}
    ),
    "contact_email_invalid": contact(email="zoe"),
    "contact_fields_missing": contact(name=""),
    "contact_fields_not_text": contact(name=1),
    "correction_too_late": _correction_too_late,
    "credentials_missing": lambda s: s.post("/auth/login", {}),
    "credentials_not_text": lambda s: s.post("/auth/login", {**CREDENTIALS, "email": 1}),
    "visit_not_begun": lambda s: s.call(
        "PUT", s.visit(), {"version": 1, "statut": "honoree"}, s.alice
    ),
    "customer_blocked": _book_after("UPDATE client SET bloque = 1"),
    "customer_has_upcoming": _customer_has_upcoming,
    "customer_known": _customer_known,
    "database_unavailable": lambda s: s.post(
        "/auth/login", CREDENTIALS, client=s.without_database()
    ),
    "deadline_passed": lambda s: s.cancel("UPDATE entreprise SET delai_annulation = 525600"),
    "different_accounts": _different_accounts,
    "duplicate_form_field": lambda s: s.login(b"a=1&a=2", PATH_INFO="/teste", **FORM),
    "duplicate_query_parameter": lambda s: s.call("GET", "/api/villes?q=a&q=b"),
    "email_taken": lambda s: register(email=s.chloe.email)(s),
    "field_missing": register(email=""),
    "field_not_text": register(school=1),
    "host_missing": lambda s: s.login(b"{}", "HTTP_HOST", SERVER_PROTOCOL="HTTP/1.1"),
    "impossible_transition": lambda s: s.change("annulee", statut="confirmee"),
    "internal_server_error": lambda s: register()(s.patched(accounts, "ROLES", {"student": 77})),
    "invalid_credentials": lambda s: s.post("/auth/login", CREDENTIALS),
    "invalid_email": register(email="emile"),
    "invalid_idempotency_key": lambda s: s.book(key="x" * 101),
    "invalid_input": lambda s: s.post("/api/entreprises", {}, s.alice),
    "invalid_query": lambda s: s.call("GET", "/api/entreprises?limite=0"),
    "invalid_role": register(role="teacher"),
    "key_reused": lambda s: [s.visit(), s.book("11:00")][1],
    "last_person": _last_person,
    "last_room": _last_room,
    "length_required": lambda s: s.login(b"", "CONTENT_LENGTH", HTTP_TRANSFER_ENCODING="chunked"),
    "own_account": _own_account,
    "mail_not_sent": lambda s: s.post(
        "/contact", MESSAGE, client=s.make_client(SMTP_URL="smtp://127.0.0.1:1")
    ),
    "malformed_form": lambda s: s.login(b"a=%ff", PATH_INFO="/teste", **FORM),
    "malformed_json": lambda s: s.login(b"{"),
    "malformed_prefix": lambda s: s.login(SCRIPT_NAME="//evil.example"),
    "message_being_sent": _message_being_sent,
    "method_not_allowed": lambda s: s.call("DELETE", "/health"),
    "name_required": lambda s: s.post(
        "/auth/code/login", {"email": "zoe@example.fr", "code": issued(s.db, "zoe@example.fr")}
    ),
    "no_address": _no_address,
    "not_found": lambda s: s.call("GET", "/nothing/here"),
    "not_movable": lambda s: s.change("honoree", places=2),
    "not_permitted": lambda s: s.post("/api/entreprises", {}, s.chloe),
    "not_utf8": lambda s: s.login(b"\xff"),
    "nul_character": lambda s: s.login(b"\0"),
    "overloaded": lambda s: s.patched(passwords, "lane", Lane(0, waiting=0)).post(
        "/auth/login", CREDENTIALS
    ),
    "password_too_common": lambda s: s.post(
        "/auth/register",
        {**LINE, "password": "PassWord1"},
        client=s.make_client(ENV="production"),
    ),
    "password_too_long": register(password="é" * 37),
    "password_too_short": register(password="1234567"),
    "places_not_held": lambda s: s.cancel("UPDATE creneau SET places_prises = 0"),
    "reset_token_invalid": lambda s: s.post(
        "/auth/password/reset", {"token": "x", "password": "un mot tout neuf"}
    ),
    "server_error": lambda s: s.form("/teste", client=s.without_database()),
    "service_changed": lambda s: s.book(prestationVersion=9),
    "slot_taken": lambda s: [s.visit(), s.book(key="b")][1],
    "stale_version": lambda s: s.change(version=7),
    "token_expired": _token_expired,
    "token_invalid": lambda s: s.call("GET", PROTECTED, headers={"Authorization": "Basic a"}),
    "token_missing": lambda s: s.call("GET", PROTECTED),
    "too_many_attempts": _too_many_attempts,
    "too_many_entries": lambda s: s.call(
        "PUT", f"/api/entreprises/{s.salon.id}/semainetype", [{}] * 201, s.alice
    ),
    "too_many_failures": lambda s: [
        s.post("/auth/login", CREDENTIALS, source="192.0.2.7") for _ in range(11)
    ][-1],
    "too_many_ressources": _too_many_ressources,
    "too_many_slots": lambda s: s.call(
        "PUT",
        f"/api/entreprises/{s.salon.id}/semainetype",
        [{"jour": 1, "debut": "08:00", "fin": "17:00", "pasMinutes": 1}],
        s.alice,
    ),
    "too_many_upcoming": _book_after("UPDATE entreprise SET max_a_venir = 1"),
    "unsupported_media_type": lambda s: s.login(CONTENT_TYPE="text/plain"),
    "user_not_found": lambda s: s.form("/teste"),
    "wrong_json_type": lambda s: s.login(b"[]"),
}
