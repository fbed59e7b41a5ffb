"""The form endpoints: sections 2.2, 4.2 and 7 of the specification, in both environments."""

import datetime

import pytest

from reservation.storage.models import Utilisateur
from tests.specification.bodies import NO_DATABASE

FORM = {"email": "lea@example.fr", "password": "un mot de passe", "nom": "Lefèvre"}
LOGIN = {"email": FORM["email"], "password": FORM["password"]}
RECORD = {"id", "nom", "prenom", "dateNaissance", "email", "motDePasseHash", "telephone"}


def form(*without, **changes):
    return {k: v for k, v in {**FORM, **changes}.items() if k not in without}


@pytest.fixture
def production(client, make_client):
    return make_client(ENV="production")


def test_register_form_is_200_with_the_plain_text_ok(client):
    answer = client.form("/register_form", FORM, expect=200)
    assert answer.body == b"OK"
    assert answer.content_type == "text/plain"


def test_register_form_stores_a_student_without_a_given_name_who_can_log_in(client):
    client.form("/register_form", FORM, expect=200)
    user = client.post("/auth/login", LOGIN, expect=200).json["user"]
    del user["id"]
    assert user == {
        "email": "lea@example.fr",
        "first_name": "",
        "last_name": "Lefèvre",
        "role": "student",
        "school": "",
    }


def test_register_form_stores_an_account_that_teste_finds_by_its_nom(client):
    client.form("/register_form", FORM, expect=200)
    record = client.form("/teste", {"username": "Lefèvre"}, expect=200).json
    assert (record["nom"], record["prenom"]) == ("Lefèvre", "")
    assert record["email"] == FORM["email"]


@pytest.mark.parametrize("change", [None, ""])
@pytest.mark.parametrize("field", ["email", "password", "nom"])
def test_register_form_without_a_required_field_is_a_plain_text_400(client, db, field, change):
    fields = form(field) if change is None else form(**{field: change})
    answer = client.form("/register_form", fields, expect=400)
    assert answer.content_type == "text/plain"
    assert field in answer.text
    assert Utilisateur.select().count(db) == 0


@pytest.mark.parametrize("email", ["lea@example.fr", "LEA@Example.fr"])
def test_register_form_with_a_taken_email_is_a_plain_text_400(client, db, email):
    client.form("/register_form", FORM, expect=200)
    answer = client.form("/register_form", form(email=email), expect=400)
    assert answer.content_type == "text/plain"
    assert answer.text.strip() == "Email already exists"
    assert Utilisateur.select().count(db) == 1


def test_register_form_takes_an_email_that_the_token_group_has_for_taken(client, alice):
    client.form("/register_form", form(email=alice.email), expect=400)


@pytest.mark.parametrize("password", ["a", "1234567"])
def test_register_form_takes_a_password_under_8_characters_in_development(client, password):
    client.form("/register_form", form(password=password), expect=200)
    client.post("/auth/login", {**LOGIN, "password": password}, expect=200)


@pytest.mark.parametrize("password", ["a", "1234567", "éàüéàüé"])
def test_register_form_refuses_a_password_under_8_characters_in_production(
    production, db, password
):
    answer = production.form("/register_form", form(password=password), expect=400)
    assert answer.content_type == "text/plain"
    assert Utilisateur.select().count(db) == 0


def test_register_form_is_open_in_production(production):
    assert production.form("/register_form", FORM, expect=200).text == "OK"


@pytest.mark.parametrize("password", ["a" * 73, "é" * 37])
def test_register_form_refuses_a_password_over_72_bytes(client, password):
    client.form("/register_form", form(password=password), expect=400)


@pytest.mark.parametrize("password", [FORM["password"], "p&q=1+1 é%20€ <b>"])
def test_login_form_echoes_the_submitted_values_and_nothing_else(client, password):
    fields = {"email": "personne@example.fr", "password": password}
    answer = client.form("/login_form", fields, expect=200)
    assert answer.content_type == "application/json"
    assert answer.json == fields


@pytest.mark.parametrize("field", ["email", "password"])
def test_login_form_without_a_required_field_is_400(client, field):
    answer = client.form("/login_form", {k: v for k, v in LOGIN.items() if k != field}, expect=400)
    assert set(answer.json) == {"error"}


def test_teste_answers_the_record_with_the_hash_as_stored(client, db, person):
    chloe = person("Chloé", "student", telephone="0612345678")
    born = {"date_naissance": datetime.date(1990, 5, 7)}
    Utilisateur.update(born).where(Utilisateur.id == chloe.id).execute(db)
    stored = Utilisateur.select().where(Utilisateur.id == chloe.id).get(db)
    answer = client.form("/teste", {"username": "Martin"}, expect=200)
    assert answer.content_type == "application/json"
    assert answer.json == {
        "id": chloe.id,
        "nom": "Martin",
        "prenom": "Chloé",
        "dateNaissance": "1990-05-07",
        "email": chloe.email,
        "motDePasseHash": stored.mot_de_passe_hash,
        "telephone": "0612345678",
    }


def test_teste_names_every_field_of_an_account_that_gave_few(client):
    client.form("/register_form", FORM, expect=200)
    record = client.form("/teste", {"username": "Lefèvre"}, expect=200).json
    assert set(record) == RECORD
    assert record["telephone"] == ""


@pytest.mark.parametrize(
    "username", ["Lefèvre", "lefevre", "LEFÈVRE", "LEFEVRE", "lefe\N{COMBINING GRAVE ACCENT}vre"]
)
def test_teste_compares_without_regard_to_case_or_accents(client, username):
    client.form("/register_form", FORM, expect=200)
    record = client.form("/teste", {"username": username}, expect=200).json
    assert record["nom"] == "Lefèvre"


def test_teste_finds_an_accented_name_that_was_stored_without_accents(client):
    client.form("/register_form", form(nom="LEFEVRE"), expect=200)
    assert client.form("/teste", {"username": "Lefèvre"}, expect=200).json["nom"] == "LEFEVRE"


def test_teste_answers_the_first_by_id_of_several(client):
    for number, nom in enumerate(["Autre", "lefevre", "Lefèvre", "LEFÈVRE"]):
        fields = form(email=f"lea{number}@example.fr", nom=nom)
        client.form("/register_form", fields, expect=200)
    record = client.form("/teste", {"username": "Lefèvre"}, expect=200).json
    assert record["email"] == "lea1@example.fr"


@pytest.mark.parametrize("username", ["Lefèvr", "Lefèvres", "efèvre", "%", "Lef%", "L' OR 1=1 --"])
def test_teste_is_404_when_no_user_is_found(client, username):
    client.form("/register_form", FORM, expect=200)
    answer = client.form("/teste", {"username": username}, expect=404)
    assert answer.json == {"error": "User not found"}


def test_teste_without_a_username_is_400(client):
    assert set(client.form("/teste", {}, expect=400).json) == {"error"}


def test_teste_is_500_when_the_database_is_unavailable(make_client):
    client = make_client(DATABASE_URL=NO_DATABASE)
    answer = client.form("/teste", {"username": "Lefèvre"}, expect=500)
    assert answer.json == {"error": "Server error"}


@pytest.mark.parametrize(
    "path, fields", [("/login_form", LOGIN), ("/teste", {"username": "Lefèvre"})]
)
def test_the_unsafe_forms_are_403_in_production(production, path, fields):
    production.form("/register_form", FORM, expect=200)
    answer = production.form(path, fields, expect=403)
    assert answer.json["code"] == "not_permitted"
    assert FORM["password"] not in answer.text


def test_the_unsafe_forms_open_in_production_where_so_set(client, make_client):
    production = make_client(ENV="production", UNSAFE_FORMS="on")
    production.form("/register_form", FORM, expect=200)
    assert production.form("/login_form", LOGIN, expect=200).json == LOGIN
    record = production.form("/teste", {"username": "Lefèvre"}, expect=200).json
    assert set(record) == RECORD


@pytest.mark.parametrize("path", ["/register_form", "/login_form", "/teste"])
def test_the_forms_need_no_token(client, path):
    client.form("/register_form", form(email="autre@example.fr"), expect=200)
    client.form(path, {**FORM, "username": "Lefèvre"}, expect=200)
