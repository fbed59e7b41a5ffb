"""The OpenAPI document is valid, complete, and agrees with the code."""

import json
import re

import pytest
from openapi_spec_validator import validate

from reservation.application import operations
from reservation.errors import Refusal
from reservation.operations import schemas
from reservation.operations.answers import ok
from reservation.operations.bodies import Body, TextBody
from reservation.operations.document import METHODS, document
from reservation.operations.operation import Operation, operation
from reservation.operations.resource import Resource
from reservation.resources.business.absences import AcceptedMove
from reservation.resources.one_reservation import ReservationChange
from reservation.resources.photos import PictureFile
from reservation.resources.reservations import ClientInput
from reservation.routes import ROUTES
from reservation.settings import Settings
from tests import contract as held
from tests.resources.test_access import ROWS

OPERATIONS: dict[str, Operation] = {
    responder.operation.id: responder.operation
    for _, cls in ROUTES
    for method in METHODS
    if (responder := getattr(cls, f"on_{method}", None))
}
BODIES = {
    one.body.__name__: one.body
    for one in OPERATIONS.values()
    if one.body and one.body not in (ReservationChange, PictureFile)
} | {"ClientInput": ClientInput, "AcceptedMove": AcceptedMove}
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


def documented(whole):
    return {
        (method.upper(), path): told
        for path, of_path in whole["paths"].items()
        for method, told in of_path.items()
    }


def test_the_document_is_openapi_3_1(whole):
    assert whole["openapi"].startswith("3.1.")
    validate(whole)


def test_its_operations_are_the_routes_of_the_application(whole):
    served = {
        (method.upper(), re.sub(r"\{(\w+):\w+\}", r"{\1}", path))
        for path, cls in ROUTES
        for method in METHODS
        if hasattr(cls, f"on_{method}")
    }
    assert set(documented(whole)) == served


def test_a_route_without_an_operation_cannot_be_documented():
    class Silent(Resource):
        def on_get(self, _req, _resp):
            """Declares no operation."""

    with pytest.raises(AttributeError):
        document([*ROUTES, ("/silent", Silent)])


def answering(schema):
    """Returns a resource class whose GET answers with this schema."""

    class Answering(Resource):
        @operation("read", "Reads", ok("A value.", schema))
        def on_get(self):
            """Is never called."""

    return Answering


def test_two_different_schemas_cannot_have_the_same_name():
    of_text, of_number = (
        answering(schemas.Named("Twin", {"type": kind, "examples": [1]}))
        for kind in ("string", "integer")
    )
    document([("/a", of_text), ("/b", of_text)])
    with pytest.raises(ValueError, match="Twin"):
        document([("/a", of_text), ("/b", of_number)])


def test_it_is_served_with_the_prefix_as_its_server(client):
    assert client.get("/openapi.json").json["servers"] == [{"url": "/"}]
    below = client.app.get("/openapi.json", extra_environ={"SCRIPT_NAME": "/agenda"}).json
    assert below["servers"] == [{"url": "/agenda"}]
    shown = json.loads(json.dumps(held.promised()))["paths"]
    optional = ("/metrics", "/api/pages/{nom}")
    assert below["paths"] == {path: of for path, of in shown.items() if path not in optional}
    assert [path for path, _ in operations(Settings())] == [
        path for path, _ in ROUTES if path not in optional
    ]


def test_what_wants_a_token_says_so(whole):
    wanting = {key for key, told in documented(whole).items() if "security" in told}
    refused = {
        (method, path.replace(":id", ""))
        for (method, path), (statuses, *_) in ROWS.items()
        if statuses.startswith("401")
    }
    assert wanting == refused


def test_the_operation_ids_stay_for_generated_clients_are_made_of_them(whole):
    found = [told["operationId"] for told in documented(whole).values()]
    assert " ".join(sorted(found)).split() == sorted(STABLE.split())
    assert len(set(found)) == len(found)


STABLE = """
apiAskCode apiChangePassword apiForgotPassword apiLogin apiLoginByCode apiLogout apiRefresh
apiRegister apiResetPassword askCode becomeCompany cancelReservation changePassword closeHolidays
completeServices completeVilles contact createCustomer createEntreprise createEvenement createPhoto
createPrestation createReservation createRessource eraseCompte eraseCustomer exportCompte
exportCustomers exportStatistics findUser forgotPassword health importCustomers listComptes
listCreneaux listCreneauxOfReservation listCustomers listEmails listEmailsOfEntreprise
listEntreprises listEvenements listFreeDays listManagedEntreprises listOwnCreneaux
listOwnRessources listPhotos
listPrestations listReservations listRessources login loginByCode loginForm logout mergeCustomers
moveAbsence proveCompte readAbsence readCompte readCustomer readDocument readEntreprise
readEvenement readFeed readFlux readFluxOfEntreprise readFluxOfRessource readInstallation
readMetrics readOccupation readPage readPrestation readReservation readReservationFile
readRessource readSemainetype readSemainetypeOfRessource readStatistics ready refresh register
registerForm removeEvenement removePhoto renewFlux renewFluxOfEntreprise renewFluxOfRessource
replaceSemainetype replaceSemainetypeOfRessource resetPassword retirePrestation retireRessource
searchEvenements searchPrestations sendEmailAgain sendResetToCompte setCompteState setQuota suggest
updateCompte updateCustomer updateEmail updateEntreprise updateEvenement updatePhoto
updatePrestation updateReservation updateRessource
"""


def contents(whole):
    """Yields the place and the content of each documented body and answer."""
    for key, told in documented(whole).items():
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


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_example_of_a_body_is_accepted(body):
    assert body.read(schemas.example(schemas.schema_of(body))).values


def accepts(body, name, value):
    good = schemas.example(schemas.schema_of(body))
    try:
        body.read({**good, name: value})
    except Refusal:
        return False
    return True


@pytest.mark.parametrize(
    ("body", "name"),
    [
        pytest.param(body, name, id=f"{of}-{name}")
        for of, body in BODIES.items()
        for name in body.fields
    ],
)
def test_a_field_accepts_what_its_schema_does(body, name):
    field = body.fields[name][1]
    schema = held.validator(json.dumps(schemas.schema_of_field(field), default=vars))
    for value in ODD:
        assert accepts(body, name, value) == schema.is_valid(value), repr(value)


def test_every_body_is_among_those_compared():
    known = {cls for kind in (Body, TextBody) for cls in kind.__subclasses__()}
    known |= {cls for parent in list(known) for cls in parent.__subclasses__()}
    below = {parent for cls in BODIES.values() for parent in cls.__mro__}
    assert {cls for cls in known if cls.__module__.startswith("reservation.")} <= below | {
        ReservationChange
    }


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


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Reservation", "statut"),
        ("ReservationChange", "statut"),
        ("Email", "statut"),
        ("Start", "motif"),
        ("SlotTaken", "motif"),
    ],
)
def test_each_state_and_each_reason_is_explained(whole, name, key):
    schema = whole["components"]["schemas"][name]["properties"][key]
    known = schema.get("anyOf", [schema])[0]
    assert [one for one in known["enum"] if f"`{one}`" not in known.get("description", "")] == []


@pytest.mark.parametrize("key", ["ajoutes", "supprimes", "conserves"])
def test_the_counts_of_a_change_of_the_calendar_say_which_slots_they_count(whole, key):
    change = whole["components"]["schemas"]["CalendarChange"]["properties"]
    assert "stored calendar" in change[key].get("description", "")


def test_every_operation_says_what_it_is_for(whole):
    for key, told in documented(whole).items():
        assert told["summary"] and told["tags"], key
