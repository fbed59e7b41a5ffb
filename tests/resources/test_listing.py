"""Lists: searches of businesses, and the pages of every list."""

import random
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from reservation import Settings, create_app
from reservation.domain.catalogue import search
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses
from reservation.storage import paging
from tests import copies
from tests.client import Client, below
from tests.conftest import Salon
from tests.resources.test_access import EVENEMENT, PRESTATION, RESSOURCE

PATH = "/api/entreprises"


@pytest.fixture
def make(client, alice):
    def make(**fields):
        body = {"nom": "Salon", "ville": "Lyon", **fields}
        return client.post(PATH, body, expect=201, token=alice.token).json["id"]

    return make


@pytest.fixture
def found(client, make_salon, alice, bob):
    """Returns a function that lists the names found among four businesses."""
    make_salon(alice, nom="L'Écrin doré", ville="Lyon", codePostal="69002")
    make_salon(alice, nom="Œuvre d'art", ville="Saint-Étienne", codePostal="42000")
    other = make_salon(bob, nom="Cœur de Lyon", ville="Saint-Denis", codePostal="97400")
    body = {"nom": "Épilation à la cire", "dureeMinutes": 20}
    client.post(f"{PATH}/{other.id}/prestations", body, 201, token=bob.token)
    make_salon(bob, nom="Fermé", ville="Lyon", codePostal="69002", actif=False)
    return lambda query: [one["nom"] for one in client.get(f"{PATH}?{query}").json]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["L'Écrin doré", "Œuvre d'art", "Cœur de Lyon"]),
        ("q=", ["L'Écrin doré", "Œuvre d'art", "Cœur de Lyon"]),
        ("q=ECRIN", ["L'Écrin doré"]),
        ("q=l-ecrin+dor%C3%A9", ["L'Écrin doré"]),
        ("q=oeuvre", ["Œuvre d'art"]),
        ("q=epil", ["Cœur de Lyon"]),
        ("q=lyon", ["Cœur de Lyon"]),
        ("q=ferme", []),
        ("q=%25coupe%25", ["L'Écrin doré", "Œuvre d'art", "Cœur de Lyon"]),
        ("q=c_upe", []),
        ("ville=lyon", ["L'Écrin doré"]),
        ("ville=saint+etienne", ["Œuvre d'art"]),
        ("ville=SAINT-%C3%89TIENNE", ["Œuvre d'art"]),
        ("ville=saint", []),
        ("ville=Lyon+(69)", ["L'Écrin doré"]),
        ("ville=lyon+(42)", []),
        ("ville=Saint-Denis+(974)", ["Cœur de Lyon"]),
        ("ville=Saint-Denis+(93)", []),
        ("prestation=%C3%A9pilation", ["Cœur de Lyon"]),
        ("prestation=COLORATION&ville=Lyon", ["L'Écrin doré"]),
        ("prestation=epilation&ville=Lyon", []),
        ("q=dore&prestation=coupe", ["L'Écrin doré"]),
    ],
)
def test_a_search_ignores_case_accents_and_signs(found, query, names):
    assert found(query) == names


@pytest.mark.parametrize(
    ("ville", "code_postal"),
    [("Ajaccio (2A)", "20000"), ("Bastia (2B)", "20200"), ("Calvi (2B)", "20260")],
)
def test_a_city_of_corsica_is_found_by_its_departement(client, make, ville, code_postal):
    make(ville=ville[:-5], codePostal=code_postal)
    assert len(client.get(f"{PATH}?ville={ville.replace(' ', '+')}").json) == 1


def test_a_service_that_was_retired_finds_nobody(client, salon, alice):
    client.delete(f"/api/prestations/{salon.coupe}", token=alice.token)
    assert client.get(f"{PATH}?prestation=coupe").json == []
    assert client.get(f"{PATH}?q=coupe").json == []
    assert len(client.get(f"{PATH}?q=coloration").json) == 1


def test_disponible_finds_who_has_a_free_time_on_a_date_earliest_first(
    client, make_salon, alice, bob, tuesday
):
    late = make_salon(alice, week=[opening("11:00")])
    early = make_salon(bob, week=[opening("10:00")])
    shut = make_salon(bob, week=[{**opening("09:00"), "jour": 3}])
    answer = client.get(f"{PATH}?disponible={tuesday}").json
    assert [one["id"] for one in answer] == [early.id, late.id]
    free = early.free(tuesday)[0]
    coupe = {"id": early.coupe, "nom": "Coupe femme", "dureeMinutes": 30, "prixCentimes": 0,
             "version": 1}
    assert answer[0]["prochainCreneau"] == {
        **free, "prestationId": early.coupe, "prestation": coupe
    }
    wednesday = tuesday + timedelta(days=1)
    assert [one["id"] for one in client.get(f"{PATH}?disponible={wednesday}").json] == [shut.id]


def opening(debut):
    return {"jour": 2, "debut": debut, "fin": "12:00", "pasMinutes": 30}


def test_disponible_shows_the_first_time_of_the_service_that_is_asked_for(
    client, salon, chloe, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    query = f"{PATH}?disponible={tuesday}&prestation=coloration"
    first = client.get(query).json[0]["prochainCreneau"]
    assert (first["debut"][11:16], first["prestationId"]) == ("10:30", salon.couleur)


def test_a_search_finds_the_first_time_that_the_business_shows(
    client, make_salon, alice, chloe, tuesday
):
    draw = random.Random(5)
    salons = []
    for _ in range(40):
        zone = draw.choice(["Europe/Paris", "Europe/Paris", "Indian/Reunion"])
        notice = draw.choice([0, 0, 60, 14 * 1440])
        salon = make_salon(alice, [], fuseau=zone, delaiReservation=notice, horizonJours=40)
        for service, minutes in ((salon.coupe, 30), (salon.couleur, 90)):
            extra = {"tamponAvant": 10} if draw.random() < 0.2 else {}
            extra |= {"intervalleMinutes": 60} if draw.random() < 0.2 else {}
            body = {"nom": "Soin", "dureeMinutes": minutes, "version": 1, **extra}
            client.put(f"/api/prestations/{service}", body, token=alice.token)
        reserved = draw.choice([None, None, salon.coupe, salon.couleur])
        step = draw.choice([20, 30, 30])
        week = [
            {**opening("09:00"), "fin": "10:00", "pasMinutes": step, "prestationId": reserved},
            {**opening("10:00"), "pasMinutes": draw.choice([20, 30, 120])},
        ]
        path = f"{PATH}/{salon.id}/semainetype"
        client.put(path, week, token=alice.token, headers={"If-Match": "*"})
        free = salon.free(tuesday)
        taken = draw.sample(free, min(len(free), draw.choice([0, 1, 3])))
        for start in free[1:2] if step == 20 else taken:  # leaves a first slot that is too short
            salon.book(chloe, start["id"], expect="*")
        salons.append(salon)
    found = client.get(f"{PATH}?disponible={tuesday}&limite=200").json
    shown = {one["id"]: one["prochainCreneau"] for one in found}
    expected = {}
    for salon in salons:
        for service in (salon.couleur, salon.coupe):  # of two at the same time, the shorter
            free = salon.free(tuesday, service)
            if free and free[0]["debut"] <= expected.get(salon.id, free[0])["debut"]:
                expected[salon.id] = {**free[0], "prestationId": service}
    assert len(expected) > 12
    assert {id: {**one, "prestation": None} for id, one in expected.items()} == {
        id: {**one, "prestation": None} for id, one in shown.items()
    }


def test_disponible_finds_nobody_where_all_is_booked_or_beyond_the_horizon(
    client, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, week=[{**opening("11:30")}])
    salon.book(chloe, salon.at(tuesday, "11:30"))
    for day in (tuesday, tuesday + timedelta(days=364), tuesday - timedelta(days=28)):
        assert client.get(f"{PATH}?disponible={day}").json == []


def test_disponible_finds_nobody_who_offers_no_service(client, make, tuesday):
    make()
    assert client.get(f"{PATH}?disponible={tuesday}").json == []


def test_all_wrong_parameters_are_named_at_once(client):
    query = "limite=0&apres=x&disponible=hier&q=" + "x" * 201
    champs = client.get(f"{PATH}?{query}", expect=400).json["champs"]
    assert set(champs) == {"limite", "apres", "disponible", "q"}


@pytest.mark.parametrize(
    "day", ["2026-02-30", "2026-1-1", "20260101", "2026-W01-1", "0000-01-01", "9999-12-31", "x"]
)
def test_a_date_that_is_none_is_refused(client, day):
    champs = client.get(f"{PATH}?disponible={day}", expect=400).json["champs"]
    assert set(champs) == {"disponible"}


@pytest.mark.parametrize(
    "path",
    [
        "/api/evenements", "/api/reservations",
        *(
            f"{PATH}/{{id}}/{name}"
            for name in ("creneaux", "creneaux/internes", "evenements", "jours", "occupation",
                         "statistiques", "statistiques.csv")
        ),
    ],
)
def test_a_period_that_ends_before_it_begins_is_refused_everywhere(
    client, salon, alice, path
):
    query = "du=2030-06-30&au=2030-06-01"
    answer = client.get(f"{path.format(id=salon.id)}?{query}", expect=400, token=alice.token)
    assert answer.json["champs"]["au"]["code"] == "before_start"


def walk(client, path, token="", **query):
    """Returns the ids of each page of a list, following the Link headers."""
    ids, sizes = [], []
    address = f"{path}?{urlencode(query)}" if query else path
    asked = parameters(address)
    while address:
        answer = client.get(address, token=token)
        ids += [one["id"] for one in answer.json]
        sizes.append(len(answer.json))
        link = answer.headers.get("Link", "")
        assert not link or (link[0] == "<" and link.endswith('>; rel="next"'))
        address = link[1:].split(">")[0]
        assert not link or parameters(address) == asked
    return ids, sizes


def parameters(address):
    """Returns the query of an address without its page."""
    return {name: value for name, value in parse_qsl(urlsplit(address).query) if name != "apres"}


LISTS = {  # path: a query that selects all of `seven`, and their number
    "/api/entreprises": ("q=salon&ville=LYON", 7),
    "/api/entreprises/{id}/prestations": ("", 7),
    "/api/entreprises/{id}/evenements": ("du=2030-06-01&au=2030-06-01", 7),
    "/api/entreprises/{id}/ressources": ("toutes=1", 7),
    "/api/entreprises/{id}/emails": ("statut=attente", 21),
    "/api/prestations": ("ville=Lyon+(69)", 19),
    "/api/evenements": ("ville=lyon&du=2030-06-01", 7),
    "/api/reservations": ("entreprise={id}&statut=confirmee&du={day}&au={day}", 7),
    "/api/emails": ("statut=attente", 21),
    "/api/compte/entreprises": ("", 7),
    "/api/compte/ressources": ("", 7),
}
FREE = ("/api/entreprises", "disponible={day}&ville=Lyon&prestation=coupe", 7)
WALKS = [*((path, *about) for path, about in LISTS.items()), FREE]


@pytest.fixture
def seven(client, db, alice, chloe, dora, make_salon, tuesday):
    """Creates seven businesses, and seven of each entity that the lists of one business show.

    Dora runs the calendar of the first person of each business.

    The other businesses have two services each; a booking writes three messages.
    """
    def by_requests():
        *_, salon = [make_salon(alice) for _ in range(7)]
        path = f"{PATH}/{salon.id}"
        for _ in range(5):  # the salon has two already
            client.post(f"{path}/prestations", PRESTATION, 201, token=alice.token)
        for _ in range(6):  # the salon has one already
            client.post(f"{path}/ressources", RESSOURCE, 201, token=alice.token)
        return salon.id, salon.coupe, salon.couleur

    salon = Salon(client, alice, *copies.business(db, alice.id, "seven", by_requests))
    for one in salon.free(tuesday)[:-8:-1]:  # the last time first
        client.post(f"{PATH}/{salon.id}/evenements", EVENEMENT, 201, token=alice.token)
        salon.book(chloe, one["id"])
    for (number,) in db.rows("SELECT MIN(id) FROM ressource GROUP BY entreprise_id"):
        runs = "UPDATE ressource SET nom = 'Dora', utilisateur_id = ? WHERE id = ?"
        db.write(runs, dora.id, number)
    return salon


@pytest.mark.parametrize(("path", "query", "count"), WALKS)
def test_each_list_is_walked_to_its_end_in_order_without_loss_or_double(
    client, environ, seven, dora, tuesday, path, query, count
):
    about = {"id": seven.id, "day": tuesday}
    path, query = path.format(**about), dict(parse_qsl(query.format(**about)))
    whole, sizes = walk(client, path, dora.token, **query)
    assert (len(whole), sizes) == (count, [count])
    assert whole == sorted(set(whole), reverse=path.endswith(("/emails", "/reservations")))
    for limite in (3, count):
        sizes = [min(limite, count - start) for start in range(0, count, limite)]
        assert walk(client, path, dora.token, limite=limite, **query) == (whole, sizes)
    agenda = Client(below("/agenda", create_app(Settings.from_environ(environ))))
    one_by_one = walk(agenda, f"/agenda{path}", dora.token, limite=1, **query)
    assert one_by_one == (whole, [1] * count)


@pytest.mark.parametrize("path", ["/api/prestations", "/api/evenements"])
def test_a_city_with_many_businesses_is_listed_alike_with_few_statements(
    client, seven, make_salon, bob, path, monkeypatch
):
    elsewhere = make_salon(bob, ville="Nantes", codePostal="44000")
    client.post(f"{PATH}/{elsewhere.id}/evenements", EVENEMENT, 201, token=bob.token)
    salon = make_salon(bob)
    client.post(f"{PATH}/{salon.id}/evenements", EVENEMENT, 201, token=bob.token)
    read, parts = paging.first_keys, []

    def counted(db, table, key, some, *others):
        parts.append(len(some))
        return read(db, table, key, some, *others)

    monkeypatch.setattr(search, "first_keys", counted)
    monkeypatch.setattr(paging, "first_keys", counted)
    few, _ = walk(client, path, ville="Lyon", limite=3)
    assert set(parts) == {8}
    monkeypatch.setattr(search, "_MANY", 8)
    parts.clear()
    assert walk(client, path, ville="Lyon", limite=3)[0] == few
    assert set(parts) == ({1, 2} if path == "/api/evenements" else {1})  # before, after the cursor
    monkeypatch.setattr(search, "_MOST_TOGETHER", 3)
    parts.clear()
    assert walk(client, path, ville="Lyon", limite=3)[0] == few
    assert set(parts) == {3}


def test_reservations_are_listed_by_time(client, seven, chloe):
    for limite in (50, 2):
        ids, _ = walk(client, "/api/reservations", chloe.token, limite=limite)
        assert ids == sorted(ids, reverse=True)


@pytest.mark.parametrize("path", ["/api/evenements", "/api/entreprises/{id}/evenements"])
def test_events_are_listed_as_they_begin(client, seven, alice, path):
    for day in (9, 3, 3):
        times = {"debut": f"2030-05-0{day}T10:00:00Z", "fin": f"2030-06-0{day}T12:00:00Z"}
        client.post(
            f"{PATH}/{seven.id}/evenements", {**EVENEMENT, **times}, 201, token=alice.token
        )
    shown = client.get(path.format(id=seven.id)).json
    assert [one["debut"][5:10] for one in shown] == ["05-03"] * 2 + ["05-09"] + ["06-01"] * 7
    for limite in (1, 2):
        ids, _ = walk(client, path.format(id=seven.id), limite=limite)
        assert ids == [one["id"] for one in shown]


def test_the_latest_reservations_can_come_first(client, seven, chloe):
    forth, _ = walk(client, "/api/reservations", chloe.token)
    for limite in (1, 2, 7):
        back, _ = walk(client, "/api/reservations", chloe.token, limite=limite, recentes=1)
        assert back == forth[::-1]


def test_an_owner_can_list_the_visits_that_are_its_own(client, salon, alice, chloe, tuesday):
    salon.book(chloe, salon.at(tuesday, "09:00"))
    own = salon.book(alice, salon.at(tuesday, "10:00"))["id"]
    assert len(client.get("/api/reservations", token=alice.token).json) == 2
    answer = client.get("/api/reservations?miennes=1", token=alice.token).json
    assert [one["id"] for one in answer] == [own]


def test_a_walk_keeps_its_filters(client, make):
    wanted = [make(ville="Saint-Étienne", nom=nom) for nom in ("L'été & co", "L'été & fils")]
    make(ville="Saint-Étienne", nom="Hiver")
    make(nom="L'été à Lyon")
    query = {"q": "l'été", "ville": "Saint-Étienne", "limite": 1}
    assert walk(client, PATH, **query) == (wanted, [1, 1])


def test_a_walk_of_free_businesses_loses_none_at_the_same_time(
    client, make_salon, alice, tuesday
):
    for _ in range(4):
        make_salon(alice)
    whole, _ = walk(client, PATH, disponible=tuesday)
    assert len(set(whole)) == 4
    assert walk(client, PATH, disponible=tuesday, limite=1) == (whole, [1] * 4)


def test_what_is_added_or_gone_between_two_pages_shifts_nothing(client, make, seven, alice):
    answer = client.get(f"{PATH}?limite=3")
    seen = [one["id"] for one in answer.json]
    client.put(
        f"{PATH}/{seen[0]}", {"nom": "x", "ville": "x", "actif": False}, token=alice.token
    )
    new = make()
    rest, _ = walk(client, answer.headers["Link"][1:].split(">")[0])
    assert sorted({*seen, *rest}) == sorted([*seen, *rest])
    assert len(rest) == 5
    assert rest[-1] == new


@pytest.mark.parametrize(
    ("path", "table"),
    [("evenements", "evenement"), ("emails", "eventemail"), ("clients", "client")],
)
def test_a_row_that_is_deleted_while_its_page_is_read_does_not_end_the_walk(
    client, seven, alice, monkeypatch, path, table
):
    path = f"{PATH}/{seven.id}/{path}"
    for nom in ("Aubert", "Blanc", "Caron") if table == "client" else ():
        client.post(path, {"nom": nom, "telephone": "06 11"}, 201, token=alice.token)
    whole, _ = walk(client, path, alice.token)
    gone, inner = whole[0], paging._read

    def read(db, name, *others):
        found = inner(db, name, *others)
        if name == table:
            db.write(f"DELETE FROM {table} WHERE id = ?", gone)
        return found

    monkeypatch.setattr(paging, "_read", read)
    rest, sizes = walk(client, path, alice.token, limite=2)
    assert (rest, sizes[0]) == ([id for id in whole if id != gone], 1)


def test_a_list_holds_50_by_default_and_200_at_most(client, alice, db):
    row = {"nom": "Salon", "ville": "Lyon"}
    rest = {"description": "", "adresse": "", "code_postal": "", "telephone": "", "email": ""}
    for _ in range(201):
        businesses.create(db, Account(alice.id, "company"), {**row, **rest}, now=1)
    assert walk(client, PATH)[1] == [50, 50, 50, 50, 1]
    assert walk(client, PATH, limite=200)[1] == [200, 1]


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("limite", ["0", "-1", "201", "1.5", "x", "1_0", "+5", "٣", "1" * 30])
def test_limite_is_a_whole_number_from_1_to_200(client, salon, dora, path, limite):
    address = f"{path.replace('{id}', str(salon.id))}?{urlencode({'limite': limite})}"
    champs = client.get(address, expect=400, token=dora.token).json["champs"]
    assert set(champs) == {"limite"}


BAD_CURSORS = [
    "x", "1", "é", "MQ!", "MQ!!==", "====", "LTE", "MQ.MQ", "MS54", "eC4x", "MS4yLjM", "LjEu",
    "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "2aE", "MV8w", "MQ%3D%3D%00",
]  # some are base64 of -1, 1.x, x.1, 1.2.3, .1., 10^30 - 1, an Arabic digit, 1_0


@pytest.mark.parametrize("path", LISTS)
def test_a_cursor_that_no_list_gave_is_refused(client, salon, dora, path):
    accepted = []
    for cursor in BAD_CURSORS:
        sent = cursor if "%" in cursor else urlencode({"": cursor})[1:]
        address = f"{path.replace('{id}', str(salon.id))}?apres={sent}"
        answer = client.get(address, expect="*", token=dora.token)
        if answer.status_int != 400 or set(answer.json.get("champs", ())) != {"apres"}:
            accepted.append(cursor)
    assert accepted == []


def test_a_cursor_of_another_list_is_refused(client, seven, alice):
    link = client.get("/api/reservations?limite=1", token=alice.token).headers["Link"]
    cursor = link.split("apres=")[1].split(">")[0]
    client.get(f"{PATH}?apres={cursor}", expect=400)
