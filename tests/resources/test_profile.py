"""The caller's own account: reading and changing its fields."""

import time
from datetime import date, timedelta

import pytest

from reservation.domain.people import accounts
from reservation.errors import StaleVersion
from reservation.storage.models import Utilisateur
from tests.races import guards
from tests.specification.bodies import CREDENTIALS, PREFIXES, registration

PATH = "/api/compte"
FULL = {
    "nom": "Œil-de-Bœuf", "prenom": "Zoé", "telephone": "06 11 22 33 44",
    "dateNaissance": "2001-05-17", "ecole": "Lycée Condorcet", "langue": "en",
}
# Not tomorrow: a run of the tests may begin before midnight and end after midnight.
FUTURE = date.today() + timedelta(days=2)


def test_an_account_is_shown_whole_to_its_holder_and_changed(client, chloe, db):
    assert client.get(PATH, token=chloe.token).json == {
        "id": chloe.id, "email": chloe.email, "nom": "Martin", "prenom": "Chloé",
        "telephone": "", "dateNaissance": None, "ecole": "", "langue": "fr", "role": "student",
        "emailProuve": False,
    }
    fixed = {"id": chloe.id, "email": chloe.email, "role": "student", "emailProuve": False}
    changed = {**fixed, **FULL}
    assert client.put(PATH, FULL, token=chloe.token).json == changed
    assert client.get(PATH, token=chloe.token).json == changed


def test_what_is_left_out_takes_its_default(client, chloe):
    client.put(PATH, FULL, token=chloe.token)
    left = client.put(PATH, {"nom": "Martin"}, token=chloe.token).json
    assert [left[name] for name in FULL] == ["Martin", "", "", None, "", "fr"]


def test_characters_that_override_the_direction_of_text_are_removed(client, chloe):
    overrides = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    body = {"nom": f"{overrides}Mar{overrides}tin\u202e ", "ecole": "\u202e"}
    shown = client.put(PATH, body, token=chloe.token).json
    assert (shown["nom"], shown["ecole"]) == ("Martin", "")
    refused = client.put(PATH, {"nom": overrides}, 400, token=chloe.token).json
    assert refused["champs"]["nom"]["code"] == "blank"


def test_scripts_from_right_to_left_and_joined_letters_are_kept(client, chloe):
    for nom in ("שרה\u200e (Sarah)", "می\u200cخواهم", "क्\u200dष", "👩\u200d🦰"):
        assert client.put(PATH, {"nom": nom}, token=chloe.token).json["nom"] == nom


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, {"nom"}),
        ({"nom": " ", "prenom": None, "telephone": "0" * 41, "ecole": 1, "langue": "de"},
         {"nom", "prenom", "telephone", "ecole", "langue"}),
        *(({"nom": "x", "dateNaissance": day}, {"dateNaissance"})
          for day in ("17/05/2001", "2001-02-29", "1899-12-31", str(FUTURE), "", 2001, [])),
        ({"nom": "x", "email": "autre@example.fr", "role": "admin", "id": 1},
         {"email", "role", "id"}),
    ],
)
def test_every_wrong_field_is_named_and_nothing_is_changed(client, chloe, changes, wrong):
    before = client.get(PATH, token=chloe.token).json
    assert set(client.put(PATH, changes, 400, token=chloe.token).json["champs"]) == wrong
    assert client.get(PATH, token=chloe.token).json == before


def test_a_change_is_to_ones_own_account_alone(client, chloe, alice, db):
    def others():
        return list(Utilisateur.select().where(Utilisateur.id != chloe.id).tuples().execute(db))

    before = others()
    client.put(PATH, FULL, token=chloe.token)
    assert len(before) == 1
    assert others() == before


def test_a_new_name_is_found_and_the_old_one_is_not(client, chloe):
    client.put(PATH, FULL, token=chloe.token)
    assert client.form("/teste", {"username": "oeil-de-boeuf"}).json["id"] == chloe.id
    client.form("/teste", {"username": "Martin"}, expect=404)


def test_an_owner_sees_the_new_name_of_a_customer(client, chloe, alice, visit):
    client.put(PATH, FULL, token=chloe.token)
    shown = client.get(f"/api/reservations/{visit}", token=alice.token).json["client"]
    assert (shown["nom"], shown["telephone"]) == (FULL["nom"], FULL["telephone"])


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(
    ("header", "langue"), [(None, "fr"), ("en-GB,en;q=0.9,fr;q=0.8", "en"), ("fr,en;q=0.9", "fr")]
)
def test_a_new_account_has_the_language_that_its_browser_prefers(client, prefix, header, langue):
    headers = {"Accept-Language": header} if header else {}
    client.post(f"{prefix}/register", registration(), 201, headers=headers)
    token = client.post("/auth/login", CREDENTIALS).json["token"]
    assert client.get(PATH, token=token).json["langue"] == langue


def test_only_the_profile_that_the_client_has_read_is_replaced_or_erased(client, chloe):
    stale = client.get(PATH, token=chloe.token).headers["ETag"]
    client.put(PATH, FULL, token=chloe.token)
    present = client.get(PATH, token=chloe.token)
    tag = present.headers["ETag"]
    for refused in ({"If-Match": stale}, {"If-Match": '"x"'}, {"If-None-Match": tag}):
        for method, body in (("PUT", {"nom": "Autre"}), ("DELETE", {"password": chloe.password})):
            answer = client.call(
                method, PATH, body, expect=412, token=chloe.token, headers=refused
            )
            assert answer.json["code"] == "stale_version"
    assert client.get(PATH, token=chloe.token).body == present.body
    for allowed in ({"If-Match": tag}, {"If-Match": "*"}, {"If-None-Match": stale}):
        client.put(PATH, FULL, token=chloe.token, headers=allowed)
    body = {"password": chloe.password}
    client.call(
        "DELETE", PATH, body, expect=204, token=chloe.token, headers={"If-Match": tag}
    )


def test_of_two_changes_of_one_profile_at_once_only_the_first_is_made(database_url, chloe, db):
    def replace(own):
        def check(present):
            if present.nom != "Martin":
                raise StaleVersion()
            time.sleep(0.3)  # so that the other thread reads before this thread writes

        accounts.update_profile(own, chloe.id, {"nom": "Petit"}, check)

    results = guards.together(database_url, 2, replace)
    assert sorted(map(type, results), key=str) == [type(None), StaleVersion]
    assert accounts.get(db, chloe.id).nom == "Petit"
