"""Storage: section 1 of the specification."""

from reservation.storage.models import TypeUtilisateur

TABLES = {
    "typeutilisateur",
    "utilisateur",
    "entreprise",
    "prestation",
    "creneau",
    "reservation",
    "evenement",
    "semainetype",
    "eventemail",
    # in addition to the specification's nine
    "ressource",
    "prestation_ressource",
    "mot",
    "occurrence",
    "image",
    "photo",
    "ancienne_adresse",
    "client",
    "code",
    "tentative",
    "schema_version",
}


def test_the_database_has_the_nine_tables_and_eleven_of_its_own(db):
    assert {name for name in db.get_tables() if name != "sqlite_sequence"} == TABLES


def test_the_account_roles_are_student_company_and_admin(db):
    roles = {kind.nom for kind in TypeUtilisateur.select().execute(db)}
    assert roles == {"student", "company", "admin"}


def test_what_is_registered_outlives_the_application(client, make_client):
    fields = {"email": "lea@example.fr", "password": "un mot de passe", "nom": "Lefèvre"}
    client.form("/register_form", fields, expect=200)
    body = {"email": fields["email"], "password": fields["password"]}
    make_client().post("/auth/login", body, expect=200)
