"""Businesses: their fields, limits and versions."""

import pytest

from reservation.domain.planning import businesses
from reservation.lib.instants import DAY

PATH = "/api/entreprises"
LEAST = {"nom": "Chez Zoé", "ville": "Lyon"}
DEFAULTS = {
    "description": "",
    "adresse": "",
    "codePostal": "",
    "telephone": "",
    "email": "",
    "metiers": [],
    "fuseau": "Europe/Paris",
    "delaiReservation": 0,
    "horizonJours": 90,
    "delaiAnnulation": 0,
    "validationManuelle": False,
    "rappelHeures": 24,
    "maxAVenir": None,
    "actif": True,
}
FULL = {
    "nom": "Chez Zoé",
    "description": "Coiffure\net barbier",
    "adresse": "3 rue de la République",
    "codePostal": "69002",
    "ville": "Lyon",
    "telephone": "04 78 00 00 00",
    "email": "zoe@example.fr",
    "metiers": ["Coiffeur", "Barbier & perruquier"],
    "fuseau": "Indian/Reunion",
    "delaiReservation": 120,
    "horizonJours": 30,
    "delaiAnnulation": 1440,
    "validationManuelle": True,
    "rappelHeures": 48,
    "maxAVenir": 5,
    "actif": False,
    "adresseCourte": "zoe-coiffure",
}
LIMITS = [  # field, least value, greatest value, values beyond
    ("nom", "x", "é" * 150, ["", "  ", "x" * 151]),
    ("description", "", "é" * 5000, ["x" * 5001]),
    ("adresse", "", "x" * 200, ["x" * 201]),
    ("codePostal", "", "x" * 10, ["x" * 11]),
    ("ville", "x", "é" * 100, ["", "\t", "x" * 101]),
    ("telephone", "", "x" * 40, ["x" * 41]),
    ("email", "", "a@b.fr", ["a", "a@b", "a b@c.fr", "a@b.fr\nBcc: c@d.fr"]),
    ("metiers", [], ["é" * 60] * 5, ["Coiffeur", {}, ["x"] * 6]),
    ("fuseau", "UTC", "America/Argentina/ComodRivadavia", ["", "Paris", "../etc/passwd", "x" * 9]),
    ("delaiReservation", 0, 366 * 1440, [-1, 366 * 1440 + 1, 2**62]),
    ("horizonJours", 1, 730, [0, -1, 731]),
    ("delaiAnnulation", 0, 366 * 1440, [-1, 366 * 1440 + 1]),
    ("rappelHeures", 0, 720, [-1, 721]),
    ("maxAVenir", 1, 1000, [0, 1001]),
    ("adresseCourte", "a-b", "x" * 60, ["", "ab", "x" * 61, "Zoé", "a--b", "abc\n", "compte"]),
]
WRONG_TYPES = {
    **dict.fromkeys(("nom", "description", "adresse", "codePostal", "ville", "telephone"), 1),
    **{"email": [], "metiers": 1, "fuseau": {}, "validationManuelle": 1, "actif": "true"},
    **{"delaiReservation": "0", "horizonJours": 1.5, "delaiAnnulation": True, "rappelHeures": []},
}


@pytest.fixture
def make(client, alice):
    def make(expect=201, **fields):
        return client.post(PATH, {**LEAST, **fields}, expect=expect, token=alice.token)

    return make


@pytest.fixture
def put(client, alice):
    def put(number, body, expect=200, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        path = f"{PATH}/{number}"
        return client.put(path, body, expect=expect, token=alice.token, headers=headers)

    return put


def test_what_is_left_out_takes_its_default(make, alice):
    made = make().json
    about = {"id": made["id"], "proprietaireId": alice.id, "version": 1}
    assert made == {**about, **LEAST, **DEFAULTS, "adresseCourte": "chez-zoe-lyon"}


def test_every_field_is_kept_and_shown_at_the_address_that_location_names(client, make):
    answer = make(**FULL)
    shown = client.get(answer.headers["Location"])
    assert answer.json["id"] == int(answer.headers["Location"].rsplit("/", 1)[1])
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
    assert set(answer) == {"error", "code", "champs"}
    assert set(answer["champs"]) == {field}


@pytest.mark.parametrize(
    "zone", ["right/Europe/Paris", "posix/Europe/Paris", "posixrules", "localtime", "Factory"]
)
def test_a_time_zone_that_browsers_do_not_know_is_refused(make, zone):
    champs = make(expect=400, fuseau=zone).json["champs"]
    assert champs["fuseau"]["code"] == "invalid_time_zone"


def test_each_wrong_trade_is_named_and_a_trade_has_one_line(make):
    champs = make(expect=400, metiers=["x", "", "x" * 61, None]).json["champs"]
    assert set(champs) == {"metiers.1", "metiers.2", "metiers.3"}
    assert make(metiers=[" Bar\u2028bier  à\nLyon "]).json["metiers"] == ["Bar bier à Lyon"]


def test_all_wrong_fields_are_named_at_once(client, make, alice):
    assert set(make(expect=400, **WRONG_TYPES).json["champs"]) == set(WRONG_TYPES)
    nothing = make(expect=400, **dict.fromkeys(FULL)).json["champs"]
    assert set(nothing) == set(FULL) - {"maxAVenir"}
    body = {"horizonJours": 0, "couleur": "rouge"}
    champs = client.post(PATH, body, expect=400, token=alice.token).json["champs"]
    assert set(champs) == {"nom", "ville", "horizonJours", "couleur"}
    assert client.get(PATH).json == []


@pytest.mark.parametrize("field", ["couleur", "id", "proprietaireId", "version", "nom_cle", ""])
def test_an_unknown_field_is_refused(make, field):
    assert set(make(expect=400, **{field: 1}).json["champs"]) == {field}


@pytest.mark.parametrize("letter", ["œ", "ß", "ﷺ"])
def test_a_name_whose_searchable_form_is_longer_is_kept_whole(client, make, put, letter):
    nom, ville = letter * 150, letter * 100
    made = make(nom=nom, ville=ville).json
    assert (made["nom"], made["ville"]) == (nom, ville)
    assert put(made["id"], {"nom": nom, "ville": ville}).json["nom"] == nom


def test_put_takes_the_whole_resource(make, put):
    number = make(**FULL).json["id"]
    replaced = put(number, {"nom": "Chez Léa", "ville": "Nice"}).json
    assert replaced.pop("proprietaireId")
    about = {"id": number, "version": 2, "nom": "Chez Léa", "ville": "Nice"}
    assert replaced == {**about, **DEFAULTS, "adresseCourte": FULL["adresseCourte"]}


def test_put_asks_for_what_post_asks_for(make, put):
    number = make().json["id"]
    champs = put(number, {"actif": 1, "couleur": 2}, expect=400).json["champs"]
    assert set(champs) == {"nom", "ville", "actif", "couleur"}


def test_an_admin_changes_a_business_that_keeps_its_owner(client, make, alice, dora):
    number = make().json["id"]
    changed = client.put(f"{PATH}/{number}", LEAST, token=dora.token).json
    assert changed["proprietaireId"] == alice.id


def test_the_version_is_the_etag_and_grows_with_each_change(client, make, put):
    number = make().json["id"]
    assert client.get(f"{PATH}/{number}").headers["ETag"].startswith('"v1.')
    answer = put(number, {**LEAST, "version": 1})
    assert (answer.json["version"], answer.headers["ETag"]) == (2, '"v2"')
    assert put(number, LEAST, If_Match='"v2"').json["version"] == 3
    assert put(number, LEAST, If_Match="*").json["version"] == 4


@pytest.mark.parametrize(
    ("version", "if_match"),
    [
        (1, None), (3, None), (2**31 - 1, None), (None, '"v1"'), (None, '"v3"'), (None, "v2"),
        (None, '"2"'), (None, 'W/"v1"'), (1, '"v2"'), (2, '"v1"'), (1, "*"),
    ],
)
def test_a_stale_version_changes_nothing(client, make, put, version, if_match):
    number = make().json["id"]
    put(number, LEAST)
    body = {**LEAST, "nom": "Autre"} | ({"version": version} if version else {})
    headers = {"If_Match": if_match} if if_match else {}
    assert put(number, body, expect=412, **headers).json["code"] == "stale_version"
    assert client.get(f"{PATH}/{number}").json["nom"] == LEAST["nom"]


@pytest.mark.parametrize("version", [0, -1, "1", 1.5, True, 2**31])
def test_a_version_that_is_none_is_a_wrong_field(make, put, version):
    number = make().json["id"]
    answer = put(number, {**LEAST, "version": version}, expect=400)
    assert set(answer.json["champs"]) == {"version"}


def test_everybody_lists_the_businesses_that_he_manages_inactive_ones_too(
    client, make_salon, alice, bob, chloe, dora
):
    one, two = make_salon(alice), make_salon(alice, actif=False)
    other = make_salon(bob)
    for who, managed in (
        (alice, [one, two]), (bob, [other]), (chloe, []), (dora, [one, two, other]),
    ):
        shown = client.get("/api/compte/entreprises", token=who.token).json
        assert shown == [client.get(f"/api/entreprises/{salon.id}").json for salon in managed]


def test_an_account_creates_only_so_many_businesses_in_a_day(
    make_client, alice, bob, dora, db, monkeypatch
):
    monkeypatch.setattr(businesses, "NEW", businesses.NEW._replace(most=3))
    client = make_client(LIMITS="on")

    def create(owner, expect=201, **fields):
        return client.post(PATH, {**LEAST, **fields}, expect, token=owner.token)

    for _ in range(2):
        create(alice)
    for _ in range(3):
        create(alice, 400, adresseCourte="compte")  # not created, so not counted
    create(alice)
    refused = create(alice, 429)
    assert refused.json["code"] == "too_many_attempts"
    assert DAY - 10 < int(refused.headers["Retry-After"]) <= DAY
    create(bob)
    for _ in range(4):
        create(dora)
    db.write("UPDATE tentative SET depuis = depuis - ?, bloque_jusqua = 0", DAY)
    create(alice)


def test_in_development_an_account_creates_any_number_of_businesses(client, alice):
    for _ in range(businesses.NEW.most + 1):
        client.post(PATH, LEAST, 201, token=alice.token)
