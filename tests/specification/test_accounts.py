"""Accounts: sections 2.1, 4.1, 7 and 8 of the specification, and the design's section 4."""

import pytest

from reservation.domain.people import accounts
from reservation.storage.models import Utilisateur
from tests.clock import now
from tests.specification.bodies import CREDENTIALS, LINE, PREFIXES, registration

ROLES = ("student", "company", "admin")
REQUIRED = ("email", "password", "first_name", "last_name", "role")
LONGEST = "é" * 36  # 72 bytes, the limit of bcrypt


@pytest.mark.parametrize("prefix", PREFIXES)
def test_registration_is_201_with_a_message_and_the_user_id(client, prefix):
    answer = client.post(f"{prefix}/register", LINE, expect=201).json
    assert set(answer) == {"message", "user_id"}
    assert isinstance(answer["message"], str) and answer["message"]
    assert type(answer["user_id"]) is int


@pytest.mark.parametrize("prefix", PREFIXES)
def test_login_is_200_with_a_token_and_the_user_object(client, prefix):
    user_id = client.post("/auth/register", LINE, expect=201).json["user_id"]
    answer = client.post(f"{prefix}/login", CREDENTIALS, expect=200).json
    assert set(answer) == {"token", "user"}
    assert isinstance(answer["token"], str)
    assert type(answer["user"]["id"]) is int
    assert answer["user"] == {
        "id": user_id,
        "email": "emile@example.fr",
        "first_name": "Émile",
        "last_name": "Lefèvre",
        "role": "student",
        "school": "Lycée Condorcet",
    }


@pytest.mark.parametrize("role", ROLES)
def test_each_of_the_three_roles_registers_and_is_told_at_login(client, role):
    client.post("/auth/register", registration(role=role), expect=201)
    assert client.post("/auth/login", CREDENTIALS).json["user"]["role"] == role


def test_school_and_phone_are_optional(client):
    client.post("/auth/register", registration("school", "phone"), expect=201)
    assert client.post("/auth/login", CREDENTIALS).json["user"]["school"] == ""


def test_the_phone_is_stored(client, db):
    client.post("/auth/register", LINE, expect=201)
    assert accounts.find(db, LINE["email"]).telephone == LINE["phone"]


def test_the_password_is_stored_as_a_hash_only(client, db):
    client.post("/auth/register", LINE, expect=201)
    columns = Utilisateur.select().dicts().get(db)
    assert columns["mot_de_passe_hash"].startswith("$2b$")
    assert not [name for name, value in columns.items() if LINE["password"] in str(value)]


def test_two_accounts_have_two_ids(client):
    first = client.post("/auth/register", LINE, expect=201).json["user_id"]
    other = registration(email="zoe@example.fr")
    assert client.post("/auth/register", other, expect=201).json["user_id"] != first


@pytest.mark.parametrize("email", ["emile@example.fr", "Emile@Example.FR"])
def test_registration_with_an_email_already_used_is_400_email_already_exists(client, db, email):
    client.post("/auth/register", LINE, expect=201)
    answer = client.post("/auth/register", registration(email=email), expect=400)
    assert answer.json == {"error": "Email already exists"}
    assert Utilisateur.select().count(db) == 1


def test_an_email_is_stored_and_compared_in_lower_case(client):
    client.post("/auth/register", registration(email="EMILE@Example.fr"), expect=201)
    credentials = {**CREDENTIALS, "email": "eMile@example.FR"}
    assert client.post("/auth/login", credentials).json["user"]["email"] == "emile@example.fr"


@pytest.mark.parametrize(
    "email",
    [
        "emile",
        "emile@",
        "@example.fr",
        "emile@@example.fr",
        "emile@example.fr@example.fr",
        "emile martin@example.fr",
        "emile@exam ple.fr",
        "emile\n@example.fr",
        "emile@example.fr, zoe@example.fr",
        "Émile <emile@example.fr>",
        "emile@example..fr",
    ],
)
def test_registration_with_an_invalid_email_is_400_invalid_email_format(client, db, email):
    answer = client.post("/auth/register", registration(email=email), expect=400)
    assert answer.json == {"error": "Invalid email format"}
    assert Utilisateur.select().count(db) == 0


# The limit counts characters, not bytes: the last password has 4 characters and 8 bytes.
@pytest.mark.parametrize("password", ["a", "1234567", "éàüéàüé", "éàüé"])
def test_a_password_under_8_characters_is_400(client, db, password):
    answer = client.post("/auth/register", registration(password=password), expect=400)
    assert answer.json == {"error": "Password must be at least 8 characters"}
    assert Utilisateur.select().count(db) == 0


@pytest.mark.parametrize("password", ["12345678", "éàüéàüéà", LONGEST])
def test_a_password_of_8_characters_up_to_72_bytes_registers_and_logs_in(client, password):
    client.post("/auth/register", registration(password=password), expect=201)
    client.post("/auth/login", {**CREDENTIALS, "password": password}, expect=200)


@pytest.mark.parametrize("password", ["a" * 73, LONGEST + "a", "é" * 37, "a" * 1000])
def test_a_password_over_72_bytes_is_400_at_registration(client, password):
    answer = client.post("/auth/register", registration(password=password), expect=400)
    assert (answer.json["code"], answer.json["max"]) == ("password_too_long", 72)


@pytest.mark.parametrize("password", [LONGEST + "a", LONGEST + "é" * 20])
def test_a_password_over_72_bytes_is_merely_wrong_at_login(client, password):
    client.post("/auth/register", registration(password=LONGEST), expect=201)
    answer = client.post("/auth/login", {**CREDENTIALS, "password": password}, expect=401)
    assert answer.json == {"error": "Invalid credentials"}


@pytest.mark.parametrize("field", REQUIRED)
def test_registration_without_a_required_field_is_400_and_names_it(client, db, field):
    answer = client.post("/auth/register", registration(field), expect=400)
    assert answer.json == {"error": f"Missing required field: {field}"}
    assert Utilisateur.select().count(db) == 0


@pytest.mark.parametrize("empty", [None, ""])
@pytest.mark.parametrize("field", REQUIRED)
def test_a_required_field_that_is_null_or_empty_counts_as_missing(client, field, empty):
    answer = client.post("/auth/register", registration(**{field: empty}), expect=400)
    assert answer.json == {"error": f"Missing required field: {field}"}


@pytest.mark.parametrize("count", range(1, 6))
def test_missing_fields_are_reported_in_the_order_of_the_table(client, count):
    body = registration(*REQUIRED[-count:])
    answer = client.post("/auth/register", body, expect=400)
    assert answer.json == {"error": f"Missing required field: {REQUIRED[-count]}"}


@pytest.mark.parametrize("role", ["teacher", "Student", "ADMIN", "student ", "1"])
def test_a_role_that_is_none_of_the_three_is_400_invalid_role(client, db, role):
    answer = client.post("/auth/register", registration(role=role), expect=400)
    assert answer.json == {"error": "Invalid role", "code": "invalid_role"}
    assert Utilisateur.select().count(db) == 0


def test_the_rules_of_registration_are_checked_in_their_order(client):
    client.post("/auth/register", LINE, expect=201)
    body = {"email": "emile", "password": "court", "first_name": "Émile", "role": "teacher"}
    answers = []
    for mend in (
        {"last_name": "Lefèvre"},
        {"email": "emile@example.fr"},
        {"password": "un mot de passe"},
        {"role": "student"},
    ):
        answers.append(client.post("/auth/register", body, expect=400).json["error"])
        body = {**body, **mend}
    answers.append(client.post("/auth/register", body, expect=400).json["error"])
    assert answers == [
        "Missing required field: last_name",
        "Invalid email format",
        "Password must be at least 8 characters",
        "Invalid role",
        "Email already exists",
    ]


@pytest.mark.parametrize("wrong", [7, True, ["student"], {"a": 1}, 1.5])
@pytest.mark.parametrize("field", [*REQUIRED, "school", "phone"])
def test_a_field_that_is_no_string_is_400(client, db, field, wrong):
    answer = client.post("/auth/register", registration(**{field: wrong}), expect=400)
    assert (answer.json["code"], answer.json["field"]) == ("field_not_text", field)
    assert Utilisateur.select().count(db) == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"email": "emile@example.fr"},
        {"password": "un mot de passe"},
        {"email": "emile@example.fr", "password": None},
        {"email": None, "password": "un mot de passe"},
        {"email": "emile@example.fr", "password": ""},
        {"email": "", "password": "un mot de passe"},
    ],
)
def test_login_without_email_or_password_is_400(client, body):
    client.post("/auth/register", LINE, expect=201)
    answer = client.post("/auth/login", body, expect=400)
    assert answer.json == {"error": "Missing email or password"}


@pytest.mark.parametrize(
    "changes", [{"password": "un autre mot"}, {"email": "personne@example.fr"}, {"email": "x"}]
)
def test_login_with_wrong_credentials_is_401_alike_for_email_and_password(client, changes):
    client.post("/auth/register", LINE, expect=201)
    answer = client.post("/auth/login", {**CREDENTIALS, **changes}, expect=401)
    assert answer.json == {"error": "Invalid credentials"}
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_login_to_a_disabled_account_is_403_account_disabled(client, db):
    client.post("/auth/register", LINE, expect=201)
    accounts.disable(db, LINE["email"], now())
    answer = client.post("/auth/login", CREDENTIALS, expect=403)
    assert answer.json == {"error": "Account disabled"}


def test_wrong_credentials_of_a_disabled_account_are_401_for_that_rule_comes_first(client, db):
    client.post("/auth/register", LINE, expect=201)
    accounts.disable(db, LINE["email"], now())
    client.post("/auth/login", {**CREDENTIALS, "password": "un autre mot"}, expect=401)


def test_login_to_an_account_enabled_again_works(client, db):
    client.post("/auth/register", LINE, expect=201)
    accounts.disable(db, LINE["email"], now())
    accounts.enable(db, LINE["email"])
    client.post("/auth/login", CREDENTIALS, expect=200)
