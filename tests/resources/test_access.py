"""Who may call what: one row for each path and method of the application's own routes."""

import re
import time
from urllib.parse import urlsplit

import pytest

from reservation import Settings
from reservation.application import routes
from reservation.domain.people import resetting
from tests.conftest import PASSWORD, WEEK
from tests.specification.bodies import MESSAGE, registration

METHODS = ("get", "post", "put", "patch", "delete")
# Nobody has no token; the student and the company are strangers to the salon and its booking.
PEOPLE = ("nobody", "student", "company", "owner", "customer", "admin")
ALL_200 = "200 200 200 200 200 200"
ALL_201 = "201 201 201 201 201 201"
ALL_202 = "202 202 202 202 202 202"
OWNER_200 = "401 403 403 200 403 200"
OWNER_201 = "401 403 403 201 403 201"
OWNER_204 = "401 403 403 204 403 204"
ACCOUNTS_200 = "401 200 200 200 200 200"

ENTREPRISE = {"nom": "Salon", "ville": "Lyon"}
PRESTATION = {"nom": "Brushing", "dureeMinutes": 30}
EVENEMENT = {
    "type": "information",
    "titre": "Soirée",
    "debut": "2030-06-01T18:00:00+02:00",
    "fin": "2030-06-01T22:00:00+02:00",
}


class Scene:
    """What a call needs: the id for its path and a body that is valid, new ones each time."""

    def __init__(self, salon, customer, tuesday, db):
        self.salon, self.customer, self.tuesday, self.db = salon, customer, tuesday, db
        self.calls = 0

    def entreprise(self):
        return self.salon.id

    def prestation(self):
        return self._made("prestations", PRESTATION)

    def evenement(self):
        return self._made("evenements", EVENEMENT)

    def _made(self, noun, body):
        path = f"/api/entreprises/{self.salon.id}/{noun}"
        return self.salon.client.post(path, body, 201, token=self.salon.owner.token).json["id"]

    def reservation(self):
        return self.salon.book(self.customer, self.free())["id"]

    def email(self):
        number = self.reservation()
        sql = "SELECT id FROM eventemail WHERE reservation_id = ? ORDER BY id"
        return self.db.rows(sql, number)[0][0]

    def jeton(self):
        url = self.salon.client.get("/api/flux", token=self.customer.token).json["url"]
        return urlsplit(url).path.removeprefix("/flux/").removesuffix(".ics")

    def free(self):
        return self.salon.free(self.tuesday)[0]["id"]

    def registration(self):
        self.calls += 1
        return registration(email=f"nouveau{self.calls}@example.fr")

    def form(self):
        self.calls += 1
        return {"email": f"forme{self.calls}@example.fr", "password": PASSWORD, "nom": "Forme"}

    def booking(self):
        return {"creneauId": self.free(), "prestationId": self.salon.coupe}

    def login(self):
        return {"email": self.customer.email, "password": PASSWORD}

    def reset(self):
        token = resetting.issue(self.db, self.customer.email, int(time.time()))
        return {"token": token, "password": PASSWORD}


def always(body):
    return lambda _scene: body


CHANGE = always({"current_password": PASSWORD, "new_password": PASSWORD})
FORGOTTEN = always({"email": "perdue@example.fr"})


# (method, path): (statuses in the order of PEOPLE, what makes the id, what makes the body)
ROWS = {
    ("POST", "/auth/register"): (ALL_201, None, Scene.registration),
    ("POST", "/api/auth/register"): (ALL_201, None, Scene.registration),
    ("POST", "/auth/login"): (ALL_200, None, Scene.login),
    ("POST", "/api/auth/login"): (ALL_200, None, Scene.login),
    ("POST", "/auth/refresh"): (ACCOUNTS_200, None, None),
    ("POST", "/api/auth/refresh"): (ACCOUNTS_200, None, None),
    ("POST", "/auth/password"): (ACCOUNTS_200, None, CHANGE),
    ("POST", "/api/auth/password"): (ACCOUNTS_200, None, CHANGE),
    ("POST", "/auth/password/forgot"): (ALL_202, None, FORGOTTEN),
    ("POST", "/api/auth/password/forgot"): (ALL_202, None, FORGOTTEN),
    ("POST", "/auth/password/reset"): (ALL_200, None, Scene.reset),
    ("POST", "/api/auth/password/reset"): (ALL_200, None, Scene.reset),
    ("POST", "/register_form"): (ALL_200, None, Scene.form),
    ("POST", "/login_form"): (ALL_200, None, Scene.login),
    ("POST", "/teste"): (ALL_200, None, always({"username": "Martin"})),
    ("POST", "/contact"): (ALL_200, None, always(MESSAGE)),
    ("GET", "/api/services"): (ALL_200, None, None),
    ("GET", "/api/villes"): (ALL_200, None, None),
    ("GET", "/api/compte"): (ACCOUNTS_200, None, None),
    ("PUT", "/api/compte"): (ACCOUNTS_200, None, always({"nom": "Martin"})),
    ("GET", "/api/compte/entreprises"): (ACCOUNTS_200, None, None),
    ("GET", "/api/entreprises"): (ALL_200, None, None),
    ("POST", "/api/entreprises"): ("401 403 201 201 403 201", None, always(ENTREPRISE)),
    ("GET", "/api/entreprises/{id:id}"): (ALL_200, Scene.entreprise, None),
    ("PUT", "/api/entreprises/{id:id}"): (OWNER_200, Scene.entreprise, always(ENTREPRISE)),
    ("GET", "/api/entreprises/{id:id}/prestations"): (ALL_200, Scene.entreprise, None),
    ("GET", "/api/entreprises/{id:id}/emails"): (OWNER_200, Scene.entreprise, None),
    ("GET", "/api/entreprises/{id:id}/occupation"): (OWNER_200, Scene.entreprise, None),
    ("GET", "/api/emails"): ("401 403 403 403 403 200", None, None),
    ("POST", "/api/emails/{id:id}/renvoi"): ("401 403 403 202 403 202", Scene.email, None),
    ("POST", "/api/entreprises/{id:id}/prestations"): (
        OWNER_201, Scene.entreprise, always(PRESTATION)
    ),
    ("GET", "/api/entreprises/{id:id}/semainetype"): (ALL_200, Scene.entreprise, None),
    ("PUT", "/api/entreprises/{id:id}/semainetype"): (OWNER_200, Scene.entreprise, always(WEEK)),
    ("GET", "/api/entreprises/{id:id}/creneaux"): (ALL_200, Scene.entreprise, None),
    ("GET", "/api/entreprises/{id:id}/evenements"): (ALL_200, Scene.entreprise, None),
    ("POST", "/api/entreprises/{id:id}/evenements"): (
        OWNER_201, Scene.entreprise, always(EVENEMENT)
    ),
    ("POST", "/api/entreprises/{id:id}/evenements/feries"): (
        OWNER_201, Scene.entreprise, always({"annee": 2030})
    ),
    ("GET", "/api/entreprises/{id:id}/flux"): (OWNER_200, Scene.entreprise, None),
    ("POST", "/api/entreprises/{id:id}/flux"): (OWNER_200, Scene.entreprise, None),
    ("GET", "/api/prestations"): (ALL_200, None, None),
    ("GET", "/api/prestations/{id:id}"): (ALL_200, Scene.prestation, None),
    ("PUT", "/api/prestations/{id:id}"): (OWNER_200, Scene.prestation, always(PRESTATION)),
    ("DELETE", "/api/prestations/{id:id}"): (OWNER_204, Scene.prestation, None),
    ("GET", "/api/evenements"): (ALL_200, None, None),
    ("GET", "/api/evenements/{id:id}"): (ALL_200, Scene.evenement, None),
    ("PUT", "/api/evenements/{id:id}"): (OWNER_200, Scene.evenement, always(EVENEMENT)),
    ("DELETE", "/api/evenements/{id:id}"): (OWNER_204, Scene.evenement, None),
    ("GET", "/api/reservations"): (ACCOUNTS_200, None, None),
    ("POST", "/api/reservations"): ("401 201 201 201 201 201", None, Scene.booking),
    ("GET", "/api/reservations/{id:id}"): ("401 404 404 200 200 200", Scene.reservation, None),
    ("PUT", "/api/reservations/{id:id}"): (
        "401 404 404 200 200 200", Scene.reservation, always({"commentaire": "x", "version": 1})
    ),
    ("DELETE", "/api/reservations/{id:id}"): ("401 404 404 204 204 204", Scene.reservation, None),
    ("GET", "/api/reservations/{id:id}.ics"): (
        "401 404 404 200 200 200", Scene.reservation, None
    ),
    ("GET", "/api/flux"): (ACCOUNTS_200, None, None),
    ("POST", "/api/flux"): (ACCOUNTS_200, None, None),
    ("GET", "/flux/{jeton}.ics"): (ALL_200, Scene.jeton, None),
    ("GET", "/health"): (ALL_200, None, None),
    ("GET", "/ready"): (ALL_200, None, None),
    ("GET", "/openapi.json"): (ALL_200, None, None),
}
PARAMETER = re.compile(r"\{.*?\}")
FORMS = ("/register_form", "/login_form", "/teste")


@pytest.fixture
def tokens(person, alice, bob, chloe, dora):
    """Who is who in PEOPLE."""
    people = (person("Eva", "student"), bob, alice, chloe, dora)
    return dict(zip(PEOPLE, ["", *(one.token for one in people)], strict=True))


def answered(client, method, path, body, token):
    if path not in FORMS:
        return client.call(method, path, body, expect="*", token=token).status_int
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return client.app.post(path, body, headers=headers, status="*").status_int


def test_every_path_and_method_of_the_application_has_its_row(environ, db):
    served = {
        (method.upper(), path)
        for path, resource in routes(Settings.from_environ(environ), db)
        for method in METHODS
        if hasattr(resource, f"on_{method}")
    }
    assert served == set(ROWS)


@pytest.mark.parametrize(("method", "path"), ROWS)
def test_each_role_is_answered_as_its_row_says(
    client, db, salon, chloe, tuesday, tokens, method, path
):
    statuses, make_id, make_body = ROWS[method, path]
    scene, seen = Scene(salon, chloe, tuesday, db), {}
    for who in PEOPLE:
        address = PARAMETER.sub(str(make_id(scene)), path) if make_id else path
        body = make_body(scene) if make_body else None
        seen[who] = answered(client, method, address, body, tokens[who])
    assert seen == dict(zip(PEOPLE, map(int, statuses.split()), strict=True))


def addresses_with(number):
    return [(method, PARAMETER.sub(number, path)) for method, path in ROWS if "{" in path]


@pytest.mark.parametrize(
    "odd", ["0", "-1", "+1", "01", "1_0", "1.0", "%D9%A1", "1%20", "x", f"{2**63}", f"{10**30}"]
)
def test_what_is_no_plain_positive_decimal_below_2_to_the_63_is_not_found(client, odd):
    for method, address in addresses_with(odd):
        answer = client.call(method, address, expect=404)
        assert answer.json == {"error": "Not found", "code": "not_found"}


@pytest.mark.parametrize("number", [999_999, 2**31, 2**63 - 1])
@pytest.mark.parametrize(("method", "path"), [row for row in ROWS if "{id:id}" in row[1]])
def test_an_id_that_nothing_has_is_not_found(client, dora, method, path, number):
    make_body = ROWS[method, path][2]
    address = path.replace("{id:id}", str(number))
    body = make_body(None) if make_body else None
    answer = client.call(method, address, body, expect=404, token=dora.token)
    assert answer.json == {"error": "Not found", "code": "not_found"}
