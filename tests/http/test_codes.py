"""Codes of refusals: a real request causes each code, and the table lists all codes."""

import re
from pathlib import Path

import pytest

import reservation
from reservation.errors import Fault, InvalidInput
from reservation.http import codes
from reservation.http.codes import FAULTS, TABLE
from tests import refusals
from tests.http.causes import CAUSES, Scene

ROOT = Path(__file__).parents[2]
ELSEWHERE = {  # code: file that tests the code, if a single request cannot cause the code
    "calendar_not_ready": "tests/resources/test_caps.py",
    "wrong_schema": "tests/commands/test_migrate.py",
    "calendar_too_large": "tests/resources/test_calendar_size.py",
    "too_many_customers": "tests/resources/test_customer_transfer.py",
    **dict.fromkeys(
        ("photos_unavailable", "picture_invalid", "picture_too_large", "too_many_photos"),
        "tests/resources/test_photos.py",
    ),
    **dict.fromkeys(codes._OF_PROXY, "tests/deployment/test_nginx.py"),
}


@pytest.fixture
def scene(make_client, environ, db, salon, alice, chloe, tuesday, monkeypatch):
    return Scene(make_client, environ, db, salon, alice, chloe, tuesday, monkeypatch)


@pytest.mark.parametrize("code", CAUSES)
def test_a_request_is_refused_with_this_code(scene, code):
    assert CAUSES[code](scene) == code


SPECIFIED = {  # sections 5 (rule 4) and 7
    "account_disabled": "Account disabled",
    "contact_fields_missing": "Tous les champs sont requis",
    "credentials_missing": "Missing email or password",
    "email_taken": "Email already exists",
    "field_missing": "Missing required field: email",
    "invalid_credentials": "Invalid credentials",
    "invalid_email": "Invalid email format",
    "mail_not_sent": "Erreur lors de l'envoi du message",
    "password_too_short": "Password must be at least 8 characters",
    "server_error": "Server error",
    "token_expired": "Token has expired",
    "token_invalid": "Invalid token",
    "token_missing": "Token is missing",
    "user_not_found": "User not found",
}


@pytest.mark.parametrize("code", SPECIFIED)
def test_a_message_of_the_specification_is_the_whole_body(scene, code):
    CAUSES[code](scene)
    of_contact = code in ("contact_fields_missing", "mail_not_sent")
    shape = {"success": False} if of_contact else {}
    assert scene.answer.json == {**shape, "error": SPECIFIED[code]}


def test_every_other_message_comes_with_its_code():
    assert {code for code, row in TABLE.items() if row.specified} == set(SPECIFIED)


def test_every_code_of_the_table_is_raised_here_or_elsewhere():
    assert sorted([*CAUSES, *ELSEWHERE]) == list(TABLE)
    for code in ("calendar_not_ready", "wrong_schema"):
        assert f'"{code}"' in (ROOT / ELSEWHERE[code]).read_text()


def test_nginx_answers_with_the_codes_and_messages_of_the_table():
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    maps = {
        name: dict(re.findall(r'(\w+) +"?([^";]+)"?;', body))
        for name, body in re.findall(r"map \$status \$reservation_(\w+) \{(.*?)\n\}", text, re.S)
    }
    for status, code in maps["code"].items():
        assert TABLE[code].message.format(max="$reservation_most") == maps["error"][status]
        assert TABLE[code].status == (400 if status == "default" else int(status))
    assert set(codes._OF_PROXY) < set(maps["code"].values())
    assert maps["code"].keys() == maps["error"].keys()


def test_the_package_raises_exactly_the_faults_of_the_table():
    package = Path(reservation.__file__).parent
    sources = [path.read_text() for path in package.rglob("*.py")]
    found = {code for text in sources for code in re.findall(r'\bFault\(\s*"(\w+)"', text)}
    assert found == set(FAULTS)


def test_faults_carry_the_bounds_that_were_broken(client, salon, alice):
    wrong = {"nom": "x" * 151, "ville": " ", "horizonJours": 0, "email": 1, "couleur": "rouge"}
    champs = client.post("/api/entreprises", wrong, 400, token=alice.token).json["champs"]
    assert champs == {
        "nom": {"code": "too_long", "message": "must have at most 150 characters", "max": 150},
        "ville": {"code": "blank", "message": "must not be blank"},
        "horizonJours": {
            "code": "out_of_range", "message": "must be a whole number from 1 to 730",
            "min": 1, "max": 730,
        },
        "email": {"code": "invalid_email", "message": "must be an e-mail address"},
        "couleur": {"code": "unknown_field", "message": "unknown field"},
    }


def test_a_column_is_named_as_in_json_and_an_unknown_field_as_it_was_sent(
    client, salon, alice
):
    row = {"jour": 1, "debut": "09:00", "fin": "10:00", "pasMinutes": 90, "capacite": 1}
    path = f"/api/entreprises/{salon.id}/semainetype"
    champs = client.put(path, [row, {**row, "prestationId": 999}], 400, token=alice.token).json
    assert refusals.codes_of(champs["champs"]) == {
        "0.pasMinutes": "longer_than_opening", "1.pasMinutes": "longer_than_opening",
        "1.debut": "overlap", "1.prestationId": "unknown_service",
    }
    champs = client.put(path, [{**row, "pas_minutes": 5}], 400, token=alice.token).json["champs"]
    assert refusals.codes_of(champs) == {"0.pas_minutes": "unknown_field"}


def test_pages_of_other_origins_may_read_the_code(client):
    headers = {"Origin": "https://ailleurs.example"}
    answer = client.get("/nothing", expect=404, headers=headers)
    assert "*" in answer.headers["Access-Control-Expose-Headers"].split(", ")


@pytest.mark.parametrize(
    "status, code, body",
    [
        (404, None, b'{"error": "Not found", "code": "not_found"}'),
        (404, "no_such_code", b'{"error": "Not found", "code": "no_such_code"}'),
        (400, "not_found", b'{"error": "Not found", "code": "not_found"}'),
        (404, "not_found", b'{"error": "Not found", "code": "user_not_found"}'),
        (404, "user_not_found", b'{"error": "User not found", "code": "user_not_found"}'),
        (400, "invalid_input", b'{"error": "", "code": "invalid_input", "champs": {"a": "b"}}'),
        (400, "invalid_input", b'{"error": "x", "code": "invalid_input", "champs":'
                               b' {"a": {"code": "too_long", "message": "too long"}}}'),
    ],
)
def test_negative_control_a_refusal_that_breaks_the_rules_fails_the_suite(status, code, body):
    with pytest.raises((AssertionError, TypeError)):
        refusals.check(status, code, body)


def test_commands_print_a_refusal_as_one_sentence():
    blank, unknown = Fault("blank", "must not be blank"), Fault("unknown_field", "unknown field")
    faults = {"nom": blank, "x": unknown}
    assert str(InvalidInput(faults)) == "Invalid input: nom: must not be blank; x: unknown field"
    assert str(InvalidInput(faults, message="No name")) == "No name"
