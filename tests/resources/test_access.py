"""Permissions: which account may call each method and path of the API."""

import re
import time
from itertools import count
from urllib.parse import urlsplit

import pytest

from reservation import Settings
from reservation.application import operations
from reservation.domain.people import accounts, resetting
from reservation.domain.people.links import Links
from reservation.domain.people.sessions import Tokens
from tests import engines
from tests.codes import issued
from tests.conftest import PASSWORD, WEEK
from tests.pictures import picture
from tests.specification.bodies import FORM_POSTS, MESSAGE, registration

METHODS = ("get", "post", "put", "patch", "delete")
# "nobody" sends no token. "student" and "company" have no link to the salon or its booking.
# "staff" runs the calendar of the salon's only person.
PEOPLE = ("nobody", "student", "company", "owner", "customer", "admin", "staff")
# The expected statuses of a call, in the order of PEOPLE. "ok" stands for the operation's success
# status.
EVERYBODY = "ok ok ok ok ok ok ok"
ACCOUNTS = "401 ok ok ok ok ok ok"
STUDENTS = "401 ok 403 403 ok 403 ok"
COMPANIES = "401 403 ok ok 403 ok 403"
OWNER = "401 403 403 ok 403 ok 403"
ADMIN = "401 403 403 403 403 ok 403"
RECORD = "401 404 404 ok 404 ok 404"  # what a business records about a customer
PARTIES = "401 404 404 ok ok ok ok"  # the customer and the business of a booking

ENTREPRISE = {"nom": "Salon", "ville": "Lyon"}
PRESTATION = {"nom": "Brushing", "dureeMinutes": 30}
RESSOURCE = {"nom": "Léa"}
EVENEMENT = {
    "type": "information",
    "titre": "Soirée",
    "debut": "2030-06-01T18:00:00+02:00",
    "fin": "2030-06-01T22:00:00+02:00",
}


class Scene:
    """Makes the resource for the path of a call, and a valid body; new ones for each call."""

    def __init__(self, salon, customer, tuesday, db):
        self.salon, self.customer, self.tuesday, self.db = salon, customer, tuesday, db
        self.calls = 0

    def entreprise(self):
        return self.salon.id

    def prestation(self):
        return self._made("prestations", PRESTATION)

    def evenement(self):
        return self._made("evenements", EVENEMENT)

    def ressource(self):
        return self._made("ressources", RESSOURCE)

    def _made(self, noun, body):
        path = f"/api/entreprises/{self.salon.id}/{noun}"
        return self.salon.client.post(path, body, 201, token=self.salon.owner.token).json["id"]

    def reservation(self):
        return self.salon.book(self.customer, self.free())["id"]

    def photo(self):
        path = f"/api/entreprises/{self.salon.id}/photos"
        token = self.salon.owner.token
        return self.salon.client.post(path, picture(), 201, token=token).json["id"]

    def client(self):
        return self.salon.client.get(
            f"/api/reservations/{self.reservation()}", token=self.salon.owner.token
        ).json["client"]["id"]

    def other_client(self):
        self.calls += 1
        about = {"nom": "Petit", "email": f"fiche{self.calls}@example.fr"}
        path = f"/api/entreprises/{self.salon.id}/clients"
        return self.salon.client.post(path, about, 201, token=self.salon.owner.token).json["id"]

    def email(self):
        number = self.reservation()
        sql = "SELECT id FROM eventemail WHERE reservation_id = ? ORDER BY id"
        return self.db.rows(sql, number)[0][0]

    def compte(self):
        return self.customer.id

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

    def email_change(self):
        self.calls += 1
        email = f"autre{self.calls}@example.fr"
        return {"email": email, "code": issued(self.db, email), "password": PASSWORD}

    def code_login(self):
        return {**self.email_change(), "last_name": "Nouveau"}


CUSTOMERS = ({"nom": "Petit", "telephone": f"06 {number}"} for number in count())


def always(body):
    return lambda _scene: body


CHANGE = always({"current_password": PASSWORD, "new_password": PASSWORD})
FORGOTTEN = always({"email": "perdue@example.fr"})


# operationId: (statuses in the order of PEOPLE, function that returns the id, function that
# returns the body)
RULES = {
    "register": (EVERYBODY, None, Scene.registration),
    "login": (EVERYBODY, None, Scene.login),
    "refresh": (ACCOUNTS, None, None),
    "changePassword": (ACCOUNTS, None, CHANGE),
    "forgotPassword": (EVERYBODY, None, FORGOTTEN),
    "logout": (ACCOUNTS, None, None),
    "askCode": (EVERYBODY, None, FORGOTTEN),
    "loginByCode": (EVERYBODY, None, Scene.code_login),
    "resetPassword": (EVERYBODY, None, Scene.reset),
    "registerForm": (EVERYBODY, None, Scene.form),
    "loginForm": (EVERYBODY, None, Scene.login),
    "findUser": (EVERYBODY, None, always({"username": "Martin"})),
    "contact": (EVERYBODY, None, always(MESSAGE)),
    "completeServices": (EVERYBODY, None, None),
    "completeVilles": (EVERYBODY, None, None),
    "suggest": (EVERYBODY, None, None),
    "readCompte": (ACCOUNTS, None, None),
    "updateEmail": (ACCOUNTS, None, Scene.email_change),
    "becomeCompany": (STUDENTS, None, None),
    "updateCompte": (ACCOUNTS, None, always({"nom": "Martin"})),
    "listManagedEntreprises": (ACCOUNTS, None, None),
    "listOwnRessources": (ACCOUNTS, None, None),
    "listEntreprises": (EVERYBODY, None, None),
    "createEntreprise": (COMPANIES, None, always(ENTREPRISE)),
    "readEntreprise": (EVERYBODY, Scene.entreprise, None),
    "updateEntreprise": (OWNER, Scene.entreprise, always(ENTREPRISE)),
    "listPrestations": (EVERYBODY, Scene.entreprise, None),
    "createPrestation": (OWNER, Scene.entreprise, always(PRESTATION)),
    "listRessources": (EVERYBODY, Scene.entreprise, None),
    "createRessource": (OWNER, Scene.entreprise, always(RESSOURCE)),
    "readRessource": (EVERYBODY, Scene.ressource, None),
    "updateRessource": (OWNER, Scene.ressource, always(RESSOURCE)),
    "retireRessource": (OWNER, Scene.ressource, None),
    "readSemainetypeOfRessource": (EVERYBODY, Scene.ressource, None),
    "replaceSemainetypeOfRessource": (OWNER, Scene.ressource, always({"semaine": WEEK})),
    "readSemainetype": (EVERYBODY, Scene.entreprise, None),
    "replaceSemainetype": (OWNER, Scene.entreprise, always(WEEK)),
    "listOwnCreneaux": ("401 403 403 ok 403 ok ok", Scene.entreprise, None),
    "listCreneaux": (EVERYBODY, Scene.entreprise, None),
    "listEvenements": (EVERYBODY, Scene.entreprise, None),
    "createEvenement": (OWNER, Scene.entreprise, always(EVENEMENT)),
    "closeHolidays": (OWNER, Scene.entreprise, always({"annee": 2030})),
    "readOccupation": (OWNER, Scene.entreprise, None),
    "readStatistics": (OWNER, Scene.entreprise, None),
    "exportStatistics": (OWNER, Scene.entreprise, None),
    "listEmailsOfEntreprise": (OWNER, Scene.entreprise, None),
    "listEmails": (ADMIN, None, None),
    "listComptes": (ADMIN, None, None),
    "setCompteState": (ADMIN, Scene.compte, always({"actif": True})),
    "proveCompte": (ADMIN, Scene.compte, None),
    "sendResetToCompte": (ADMIN, Scene.compte, None),
    "readInstallation": (ADMIN, None, None),
    "setQuota": (ADMIN, Scene.entreprise, always({"mailsParJour": 9})),
    "sendEmailAgain": (OWNER, Scene.email, None),
    "readFluxOfRessource": (OWNER, Scene.ressource, None),
    "renewFluxOfRessource": (OWNER, Scene.ressource, None),
    "readAbsence": (OWNER, Scene.ressource, None),
    "moveAbsence": (OWNER, Scene.ressource, always({"deplacements": []})),
    "readFluxOfEntreprise": (OWNER, Scene.entreprise, None),
    "renewFluxOfEntreprise": (OWNER, Scene.entreprise, None),
    "listCustomers": (OWNER, Scene.entreprise, None),
    "createCustomer": (OWNER, Scene.entreprise, lambda _: next(CUSTOMERS)),
    "exportCustomers": (OWNER, Scene.entreprise, None),
    "importCustomers": (OWNER, Scene.entreprise, always({"texte": "nom;email\nA;a@example.fr"})),
    "eraseCustomer": (RECORD, Scene.other_client, None),
    "exportCompte": (ACCOUNTS, None, None),
    "eraseCompte": (
        "401 ok ok 409 ok ok ok", None, always({"password": PASSWORD})
    ),
    "readCustomer": (RECORD, Scene.client, None),
    "updateCustomer": (RECORD, Scene.client, always({"nom": "Petit", "telephone": "06 11"})),
    "mergeCustomers": (
        RECORD, Scene.client, lambda scene: {"client": scene.other_client() if scene else 1}
    ),
    "searchPrestations": (EVERYBODY, None, None),
    "readPrestation": (EVERYBODY, Scene.prestation, None),
    "updatePrestation": (OWNER, Scene.prestation, always(PRESTATION)),
    "retirePrestation": (OWNER, Scene.prestation, None),
    "searchEvenements": (EVERYBODY, None, None),
    "readEvenement": (EVERYBODY, Scene.evenement, None),
    "updateEvenement": (OWNER, Scene.evenement, always(EVENEMENT)),
    "removeEvenement": (OWNER, Scene.evenement, None),
    "listReservations": (ACCOUNTS, None, None),
    "createReservation": (ACCOUNTS, None, Scene.booking),
    "readReservation": (PARTIES, Scene.reservation, None),
    "updateReservation": (
        PARTIES, Scene.reservation, always({"commentaire": "x", "version": 1})
    ),
    "cancelReservation": (PARTIES, Scene.reservation, None),
    "readReservationFile": (PARTIES, Scene.reservation, None),
    "listCreneauxOfReservation": (PARTIES, Scene.reservation, None),
    "readFlux": (ACCOUNTS, None, None),
    "renewFlux": (ACCOUNTS, None, None),
    "readFeed": (EVERYBODY, Scene.jeton, None),
    "health": (EVERYBODY, None, None),
    "ready": (EVERYBODY, None, None),
    "readDocument": (EVERYBODY, None, None),
    "listFreeDays": (EVERYBODY, Scene.entreprise, None),
    "listPhotos": (EVERYBODY, Scene.entreprise, None),
    "createPhoto": (OWNER, Scene.entreprise, always(picture())),
    "updatePhoto": (OWNER, Scene.photo, always({"texte": "L'entrée"})),
    "removePhoto": (OWNER, Scene.photo, None),
}


def rows():
    """Yields ((method, path), row of RULES) for each operation of the application."""
    for path, cls in operations(Settings()):
        for method in METHODS:
            if responder := getattr(cls, f"on_{method}", None):
                who, make_id, make_body = RULES[responder.operation.id]
                success = str(next(iter(responder.operation.answers)))
                yield (method.upper(), path), (who.replace("ok", success), make_id, make_body)


# (method, path): (statuses in the order of PEOPLE, function that returns the id, function that
# returns the body)
ROWS = dict(rows())
PARAMETER = re.compile(r"\{.*?\}")


@pytest.fixture
def tokens(person, db, salon, alice, bob, chloe, dora):
    """Returns the token of each person in PEOPLE."""
    staff = person("Lina", "student")
    runs = "UPDATE ressource SET nom = 'Lina', utilisateur_id = ? WHERE entreprise_id = ?"
    db.write(runs, staff.id, salon.id)
    people = (person("Eva", "student"), bob, alice, chloe, dora, staff)
    return dict(zip(PEOPLE, ["", *(one.token for one in people)], strict=True))


def answered(client, method, path, body, token):
    if path not in FORM_POSTS:
        return client.call(method, path, body, expect="*", token=token).status_int
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return client.app.post(path, body, headers=headers, status="*").status_int


def test_every_rule_is_of_an_operation():
    served = {
        responder.operation.id
        for _, cls in operations(Settings())
        for method in METHODS
        if (responder := getattr(cls, f"on_{method}", None))
    }
    assert served == set(RULES)


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


class Credential:
    """Makes a credential that is no access token, or no longer."""

    def __init__(self, scene, environ):
        self.scene, self.db, self.environ = scene, scene.db, environ

    def feed(self, _id):
        return self.scene.jeton()

    def expired(self, _id):
        past = Tokens(self.environ["RESERVATION_SECRET"], -60)
        customer = self.scene.customer
        return past.issue(customer.id, customer.email, "student", int(time.time()))

    def of_another_secret(self, _id):
        return Tokens("x" * 32, 60).issue(self.scene.customer.id, "", "admin", int(time.time()))

    def link(self, id):
        rows = self.db.rows(
            "SELECT c.email, COALESCE(u.jetons_depuis, 0) FROM reservation r"
            " JOIN client c ON c.id = r.client_id"
            " LEFT JOIN utilisateur u ON u.id = r.titulaire_id WHERE r.id = ?", id,
        )
        email, since = rows[0] if rows else ("", 0)
        links = Links(self.environ["RESERVATION_SECRET"], "")
        return links.token(id, email, since)

    def reset(self, _id):
        return resetting.issue(self.db, self.scene.customer.email, int(time.time()))

    def code(self, _id):
        return issued(self.db, self.scene.customer.email)

    def disabled(self, _id):  # the last
        accounts.disable(self.db, self.scene.customer.email, int(time.time()))
        return self.scene.customer.token


CREDENTIALS = [name for name in vars(Credential) if name[0] != "_"]
# What is open to all, yet not for the account of the body or of the path.
OF_DISABLED = {"login": 403, "resetPassword": 400, "readFeed": 404, "loginForm": 200}


@engines.on_sqlite  # access does not depend on the database
@pytest.mark.parametrize(("method", "path"), ROWS)
def test_what_is_no_access_token_opens_only_what_is_open_to_all(
    client, db, salon, chloe, tuesday, environ, method, path
):
    statuses, make_id, make_body = ROWS[method, path]
    scene, seen = Scene(salon, chloe, tuesday, db), {}
    for kind in CREDENTIALS:
        number = make_id(scene) if make_id else 0
        credential = Credential(scene, environ)
        if kind == "disabled":
            body = make_body(scene) if make_body else None
        token = getattr(credential, kind)(number)
        if kind != "disabled":
            body = make_body(scene) if make_body else None
        address = PARAMETER.sub(str(number), path) if make_id else path
        seen[kind] = answered(client, method, address, body, token)
    wanted = dict.fromkeys(CREDENTIALS, int(statuses.split()[0]))
    if path in OF_LINKS:
        wanted["link"] = int(statuses.split()[PEOPLE.index("customer")])
    responder = getattr(dict(operations(Settings()))[path], f"on_{method.lower()}")
    wanted["disabled"] = OF_DISABLED.get(responder.operation.id, wanted["disabled"])
    assert seen == wanted


OF_LINKS = tuple(f"/api/reservations/{{id:id}}{end}" for end in ("", ".ics", "/creneaux"))


@engines.on_sqlite  # access does not depend on the database
@pytest.mark.parametrize(("method", "path"), ROWS)
def test_an_account_with_an_unproven_address_does_everything_but_book(
    make_client, person, db, salon, chloe, tuesday, method, path
):
    statuses, make_id, make_body = ROWS[method, path]
    scene, eva = Scene(salon, chloe, tuesday, db), person("Eva", "student")
    address = PARAMETER.sub(str(make_id(scene)), path) if make_id else path
    body = make_body(scene) if make_body else None
    wanted = statuses.split()[PEOPLE.index("student")]
    if (method, path) == ("POST", "/api/reservations"):
        wanted = "403"
    client = make_client(VERIFY_EMAIL="on")
    assert answered(client, method, address, body, eva.token) == int(wanted)


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
