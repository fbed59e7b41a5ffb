"""The services of a business: fields, version, retirement, search."""

import pytest

from reservation.domain.calendar import calendar

LEAST = {"nom": "Brushing", "dureeMinutes": 30}
DEFAULTS = {
    "categorie": "",
    "description": "",
    "tamponAvant": 0,
    "tamponApres": 0,
    "intervalleMinutes": None,
    "prixCentimes": 0,
    "ressources": [],
    "lieuRequis": False,
    "actif": True,
}
FULL = {
    "nom": "Brushing",
    "categorie": "Coiffage",
    "description": "Cheveux\nlongs",
    "dureeMinutes": 45,
    "tamponAvant": 5,
    "tamponApres": 10,
    "intervalleMinutes": 15,
    "prixCentimes": 3550,
    "actif": False,
}
LIMITS = [  # field, least value, greatest value, values beyond
    ("nom", "x", "é" * 150, ["", " ", "x" * 151, None, 1]),
    ("categorie", "", "é" * 100, ["x" * 101, None, 1]),
    ("description", "", "é" * 5000, ["x" * 5001, None]),
    ("dureeMinutes", 1, 14 * 1440, [0, -30, 14 * 1440 + 1, 2**63 - 1, 30.5, "30", True, None]),
    ("tamponAvant", 0, 1440, [-1, 1441, None]),
    ("tamponApres", 0, 1440, [-1, 1441, "5"]),
    ("intervalleMinutes", 1, 1440, [0, -1, 1441, 7.5]),
    ("prixCentimes", 0, 10**9, [-1, 10**9 + 1, 35.5, "35"]),
    ("actif", False, True, [0, 1, "oui", None]),
]


@pytest.fixture
def make(client, salon, alice):
    def make(expect=201, **fields):
        path = f"/api/entreprises/{salon.id}/prestations"
        return client.post(path, {**LEAST, **fields}, expect=expect, token=alice.token)

    return make


@pytest.fixture
def put(client, alice):
    def put(number, body, expect=200, **headers):
        return client.put(
            f"/api/prestations/{number}", body, expect=expect, token=alice.token, headers=headers
        )

    return put


def names(client, path):
    return [one["nom"] for one in client.get(path).json]


def test_what_is_left_out_takes_its_default(make, salon):
    made = make().json
    about = {"id": made["id"], "entrepriseId": salon.id, "version": 1}
    assert made == {**about, **LEAST, **DEFAULTS}


def test_every_field_is_kept_and_shown_at_the_address_that_location_names(client, make):
    answer = make(**FULL)
    shown = client.get(answer.headers["Location"])
    assert shown.json == answer.json
    assert {name: shown.json[name] for name in FULL} == FULL


@pytest.mark.parametrize(("field", "least", "most", "_beyond"), LIMITS)
def test_a_field_takes_its_least_and_its_most(make, field, least, most, _beyond):
    for value in (least, most):
        assert make(**{field: value}).json[field] == value


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, _, _, beyond in LIMITS for value in beyond]
)
def test_a_field_refuses_what_is_beyond_its_limits(make, field, value):
    answer = make(expect=400, **{field: value}).json
    assert set(answer["champs"]) == {field}


def test_all_wrong_fields_are_named_at_once(client, make, salon, alice):
    wrong = {field: beyond[0] for field, _, _, beyond in LIMITS}
    champs = make(expect=400, **wrong, couleur="rouge").json["champs"]
    assert set(champs) == {*FULL, "couleur"}
    path = f"/api/entreprises/{salon.id}/prestations"
    champs = client.post(path, {"tamponAvant": -1}, 400, token=alice.token).json["champs"]
    assert set(champs) == {"nom", "dureeMinutes", "tamponAvant"}
    assert names(client, path) == ["Coupe femme", "Coloration"]


@pytest.mark.parametrize("field", ["id", "entrepriseId", "version", "duree_minutes"])
def test_an_unknown_field_is_refused(make, field):
    assert set(make(expect=400, **{field: 1}).json["champs"]) == {field}


def test_a_name_whose_searchable_form_is_longer_is_kept_whole(client, make, put):
    number = make(nom="œ" * 150).json["id"]
    assert put(number, {**LEAST, "nom": "æ" * 150}).json["nom"] == "æ" * 150


def test_put_takes_the_whole_resource(make, put, salon):
    number = make(**FULL).json["id"]
    replaced = put(number, {"nom": "Barbe", "dureeMinutes": 20}).json
    about = {"id": number, "entrepriseId": salon.id, "version": 2}
    assert replaced == {**about, "nom": "Barbe", "dureeMinutes": 20, **DEFAULTS}


def test_put_asks_for_what_post_asks_for(put, salon):
    champs = put(salon.coupe, {"entrepriseId": 1, "actif": 1}, expect=400).json["champs"]
    assert set(champs) == {"nom", "dureeMinutes", "entrepriseId", "actif"}


def test_the_version_is_the_etag_and_grows_with_each_change(client, put, salon):
    shown = client.get(f"/api/prestations/{salon.coupe}")
    assert shown.headers["ETag"].startswith('"v1.')
    answer = put(salon.coupe, {**LEAST, "version": 1})
    assert (answer.json["version"], answer.headers["ETag"]) == (2, '"v2"')
    assert put(salon.coupe, LEAST, **{"If-Match": '"v2"'}).json["version"] == 3


@pytest.mark.parametrize(
    ("version", "if_match"), [({"version": 1}, {}), ({}, {"If-Match": '"v1"'})]
)
def test_a_stale_version_changes_nothing(client, put, salon, version, if_match):
    put(salon.coupe, LEAST)
    put(salon.coupe, {**LEAST, "nom": "Autre", **version}, expect=412, **if_match)
    assert client.get(f"/api/prestations/{salon.coupe}").json["nom"] == LEAST["nom"]


def test_delete_retires_a_service_and_can_be_repeated(client, salon, alice):
    for _ in range(2):
        client.delete(f"/api/prestations/{salon.coupe}", 204, token=alice.token)
    shown = client.get(f"/api/prestations/{salon.coupe}").json
    assert (shown["actif"], shown["version"]) == (False, 2)
    assert names(client, f"/api/entreprises/{salon.id}/prestations") == ["Coloration"]
    assert names(client, "/api/prestations") == ["Coloration"]


def test_the_bookings_of_a_retired_service_stay_and_no_new_one_is_taken(
    client, salon, alice, chloe, tuesday
):
    creneau = salon.at(tuesday, "10:00")
    booked = salon.book(chloe, salon.at(tuesday, "09:00"))
    client.delete(f"/api/prestations/{salon.coupe}", token=alice.token)
    path = f"/api/reservations/{booked['id']}"
    assert client.get(path, token=chloe.token).json == booked
    refused = salon.book(chloe, creneau, expect=400)
    assert set(refused["champs"]) == {"prestationId"}


def test_a_service_that_is_retired_while_it_is_booked_is_refused(
    client, db, salon, alice, chloe, tuesday, monkeypatch
):
    """Retires the service between its first check and the transaction."""
    creneau, inner = salon.at(tuesday, "10:00"), calendar.run

    def late(*args):
        client.delete(f"/api/prestations/{salon.coupe}", token=alice.token)
        return inner(*args)

    monkeypatch.setattr(calendar, "run", late)
    assert salon.book(chloe, creneau, expect=409)["motif"] == "ferme"
    assert db.rows("SELECT COUNT(*) FROM reservation") == [(0,)]


def test_a_retired_service_comes_back_by_put(client, put, salon, alice):
    client.delete(f"/api/prestations/{salon.coupe}", token=alice.token)
    assert put(salon.coupe, LEAST).json["actif"] is True
    assert "Brushing" in names(client, "/api/prestations")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Coupe femme", "Coloration", "Épilation à la cire"]),
        ("q=EPILATION+A", ["Épilation à la cire"]),
        ("q=co", ["Coupe femme", "Coloration"]),
        ("q=femme", ["Coupe femme"]),
        ("q=inconnu", []),
        ("ville=lyon", ["Coupe femme", "Coloration", "Épilation à la cire"]),
        ("ville=Lyon+(69)&q=cire", ["Épilation à la cire"]),
        ("ville=Lyon+(13)", []),
        ("ville=Nice", []),
    ],
)
def test_services_are_searched_by_name_and_city(client, make, query, found):
    make(nom="Épilation à la cire")
    assert names(client, f"/api/prestations?{query}") == found


def test_the_services_of_a_closed_business_are_shown_by_itself_alone(client, salon, alice):
    body = {"nom": "Salon", "ville": "Lyon", "actif": False}
    client.put(f"/api/entreprises/{salon.id}", body, token=alice.token)
    assert names(client, "/api/prestations") == []
    own = names(client, f"/api/entreprises/{salon.id}/prestations")
    assert own == ["Coupe femme", "Coloration"]
