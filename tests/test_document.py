"""The OpenAPI document: it is valid, whole, and says what the code does."""

import json
import re

import pytest
from openapi_spec_validator import validate

from reservation import Settings, contract
from reservation.application import routes
from reservation.contract import (
    accounts,
    businesses,
    contact,
    events,
    forms,
    passwords,
    profile,
    reservations,
    services,
    weeks,
)
from reservation.contract.document import METHODS, document
from reservation.errors import Refusal
from reservation.http import schemas
from reservation.http.fields import Field, read, read_in_turn
from tests import contract as held
from tests.resources.test_access import ROWS

READ_AT_ONCE = {
    "entreprise": businesses.CHANGE,
    "prestation": services.CHANGE,
    "evenement": events.CHANGE,
    "feries": events.FERIES,
    "opening": weeks.OPENING,
    "booking": reservations.BOOKING,
    "client": reservations.CLIENT,
    "compte": profile.PROFILE,
}
READ_IN_TURN = {
    "registration": accounts.REGISTRATION,
    "credentials": accounts.CREDENTIALS,
    "forgotten": passwords.FORGOTTEN,
    "reset": passwords.RESET,
    "change": passwords.CHANGE,
    "contact": contact.MESSAGE,
    "register_form": forms.registration(1),
    "login_form": forms.CREDENTIALS,
    "teste": forms.SEARCH,
}
ODD = (
    None, True, False, 0, 1, -1, 5, 7, 8, 10_000, 10_001, 2**31, 2**63 - 1, 2**63, 10**30, 1.0,
    1.5, 1e300, [], {}, "", " ", "\u2003", "\x1f", "\x85", "x", "1_0", "é" * 40, "x" * 41,
    "x" * 100, "x" * 101, "x" * 201, "x" * 5001, " " + "x" * 150, "student", "root", "fermeture",
    "24:00", "24:01", "00:00", "9:00", "09:30", "09:30 ", "Europe/Paris", "Europe/Atlantis",
    "alice@example.fr", "alice@", "2030-06-04T09:00:00+02:00", "2030-06-04T09:00:00", "hier",
    "2001-05-17", "2001-02-29", "20010517", "fr", "de",
)  # fmt: skip


@pytest.fixture(scope="module")
def whole():
    return held.promised()


def operations(whole):
    return {
        (method.upper(), path): told
        for path, of_path in whole["paths"].items()
        for method, told in of_path.items()
    }


def test_the_document_is_openapi_3_1(whole):
    assert whole["openapi"].startswith("3.1.")
    validate(whole)


def test_its_operations_are_the_routes_of_the_application(whole, environ, db, tmp_path):
    settings = Settings.from_environ({**environ, "RESERVATION_METRICS": str(tmp_path)})
    served = {
        (method.upper(), re.sub(r"\{(\w+):\w+\}", r"{\1}", path))
        for path, resource in routes(settings, db)
        for method in METHODS
        if hasattr(resource, f"on_{method}")
    }
    assert set(operations(whole)) == served


def test_a_path_that_says_nothing_of_itself_cannot_be_documented(environ, db):
    class Silent:
        def on_get(self, _req, _resp):
            """Carries no operation."""

    with pytest.raises(AttributeError):
        document([*routes(Settings.from_environ(environ), db), ("/silent", Silent())])


def test_it_is_served_with_the_prefix_as_its_server(client):
    assert client.get("/openapi.json").json["servers"] == [{"url": "/"}]
    below = client.app.get("/openapi.json", extra_environ={"SCRIPT_NAME": "/agenda"}).json
    assert below["servers"] == [{"url": "/agenda"}]
    shown = json.loads(json.dumps(held.promised()))["paths"]
    assert below["paths"] == {path: of for path, of in shown.items() if path != "/metrics"}


def test_what_wants_a_token_says_so(whole):
    wanting = {key for key, told in operations(whole).items() if "security" in told}
    refused = {
        (method, path.replace(":id", ""))
        for (method, path), (statuses, *_) in ROWS.items()
        if statuses.startswith("401")
    }
    assert wanting == refused


def test_the_operation_ids_stay_for_generated_clients_are_made_of_them(whole):
    found = [told["operationId"] for told in operations(whole).values()]
    assert " ".join(sorted(found)).split() == sorted(STABLE.split())
    assert len(set(found)) == len(found)


STABLE = """
apiChangePassword apiForgotPassword apiLogin apiRefresh apiRegister apiResetPassword
cancelReservation changePassword closeHolidays completeServices completeVilles contact
createEntreprise createEvenement createPrestation createReservation findUser forgotPassword
health listCreneaux listEmails listEmailsOfEntreprise listEntreprises listEvenements
listManagedEntreprises listPrestations listReservations login loginForm readCompte readDocument
readEntreprise readEvenement readFeed readFlux readFluxOfEntreprise readMetrics readOccupation
readPrestation readReservation readReservationFile readSemainetype ready refresh register
registerForm removeEvenement renewFlux renewFluxOfEntreprise replaceSemainetype resetPassword
retirePrestation searchEvenements searchPrestations sendEmailAgain updateCompte updateEntreprise
updateEvenement updatePrestation updateReservation
"""


def contents(whole):
    """Where each body and answer stands, with its media type's content."""
    for key, told in operations(whole).items():
        for status, answer in told["responses"].items():
            for content in answer.get("content", {}).values():
                yield (*key, status), content
        for content in told.get("requestBody", {}).get("content", {}).values():
            yield (*key, "body"), content
    for name, answer in whole["components"]["responses"].items():
        for content in answer["content"].values():
            yield name, content


def test_every_example_is_what_its_schema_describes(whole):
    shown = list(contents(whole))
    assert len(shown) > 90
    for where, content in shown:
        faults = held.validator(json.dumps(content["schema"])).iter_errors(content["example"])
        assert not [(where, fault.message) for fault in faults]


@pytest.mark.parametrize("table", READ_AT_ONCE.values(), ids=READ_AT_ONCE)
def test_the_example_of_a_body_is_accepted(table):
    assert read(table, schemas.example(schemas.of_table("", table)))


@pytest.mark.parametrize("table", READ_IN_TURN.values(), ids=READ_IN_TURN)
def test_the_example_of_an_account_is_accepted(table):
    assert read_in_turn(table, schemas.example(schemas.of_table("", table)))


def accepts(table, name, value):
    good = schemas.example(schemas.of_table("", table))
    reader = read_in_turn if table in READ_IN_TURN.values() else read
    try:
        reader(table, {**good, name: value})
    except Refusal:
        return False
    return True


@pytest.mark.parametrize(
    ("table", "name"),
    [
        pytest.param(table, name, id=f"{of}-{name}")
        for of, table in {**READ_AT_ONCE, **READ_IN_TURN}.items()
        for name in table
    ],
)
def test_a_field_accepts_what_its_schema_does(table, name):
    schema = held.validator(json.dumps(schemas.of_field(table[name])))
    for value in ODD:
        assert accepts(table, name, value) == schema.is_valid(value), repr(value)


def test_every_table_of_the_contract_is_among_those_compared():
    compared = {id(field) for table in (*READ_AT_ONCE.values(), *READ_IN_TURN.values())
                for field in table.values()}
    for module in vars(contract).values():
        for name, table in vars(module).items() if hasattr(module, "__file__") else ():
            if name in ("QUERY", "SEARCH", "PAGE", "TRIAL") or table is reservations.CHANGE:
                continue
            if isinstance(table, dict) and isinstance(next(iter(table.values())), Field):
                assert {id(field) for field in table.values()} <= compared, (module, name)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (418, b'{"error": "x", "code": "not_found"}'),
        (404, b'{"error": "x", "code": "not_found", "trace": "x"}'),
        (404, b'{"message": "x", "code": "not_found"}'),
        (200, b'{"id": "one"}'),
    ],
)
def test_an_answer_that_is_not_promised_fails_the_suite(status, body):
    def app(_environ, start_response):
        headers = [("Content-Type", "application/json"), ("X-Error-Code", "not_found")]
        start_response(f"{status} Whatever", headers)
        return [body]

    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/api/prestations/1"}
    with pytest.raises(AssertionError):
        held.checked(app)(environ, lambda *_: None)


def test_every_operation_says_what_it_is_for(whole):
    for key, told in operations(whole).items():
        assert told["summary"] and told["tags"], key
