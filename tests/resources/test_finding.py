"""Real searches in the town of the demo, and the business that each finds first."""

import re
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import zip_longest
from urllib.parse import urlencode

import pytest

from reservation.demo import filling
from reservation.demo.town import town
from reservation.domain.catalogue import meaning, places
from reservation.lib import french
from reservation.lib.folding import search_key
from reservation.settings import DATA
from reservation.storage.models import Prestation
from tests.clock import now
from tests.resources.large import Observer

HAIR, BARBER, OSTEOPATH, YOGA = "Atelier des Pentes", "Rasoir", "Graslin", "Tapis Bleu"
VET, SPA, CARS, PIANO = "Krutenau", "Thiou", "Volcans", "Blanche"
NOTARY, PHOTOS, PADEL, DIVING = "Delmas", "Oberkampf", "Padel du Prado", "Lagon Bleu"
QUERIES = [  # what, where, the business that is found first
    ("coiffeuse", "", HAIR),
    ("coifeur", "", HAIR),
    ("salon de coiffure", "", HAIR),
    ("couleur", "", HAIR),
    ("69001", "", HAIR),
    ("Villeurbanne", "", HAIR),
    ("coiffeur", "Villeurbanne", HAIR),
    ("coiffeurs", "69001", HAIR),
    ("coiffeur lyon", "", HAIR),
    ("coiffeur 69001", "", HAIR),
    ("coiffeuse Villeurbanne", "", HAIR),
    ("coiffeur pas cher", "", HAIR),
    ("coupe femme", "", HAIR),
    ("coupes enfants", "", HAIR),
    ("chignon", "", HAIR),
    ("coloriste", "", HAIR),
    ("brushng", "", HAIR),
    ("coifure mariage", "", HAIR),
    ("l'atelier des pentes", "", HAIR),
    ("barbier", "", BARBER),
    ("babier", "", BARBER),
    ("tailler la barbe", "", BARBER),
    ("coiffeur pour homme", "", HAIR),
    ("barbier", "Roubaix", BARBER),
    ("rasage", "59800", BARBER),
    ("ostéo", "", OSTEOPATH),
    ("osteopathie", "", OSTEOPATH),
    ("ostéopate", "", OSTEOPATH),
    ("ostéo bébé", "Nantes", ""),
    ("ostéopathe nourrisson", "Saint-Herblain", OSTEOPATH),
    ("cours de yoga", "", YOGA),
    ("yoga prenatal", "", YOGA),
    ("professeur de yoga", "Rennes", YOGA),
    ("vinyassa", "", YOGA),
    ("véto", "", VET),
    ("veterinaire", "Schiltigheim", VET),
    ("clinique veterinaire", "", VET),
    ("vacin chat", "", VET),
    ("stérilisation de chatte", "", VET),
    ("masseuse", "", SPA),
    ("massages", "", SPA),
    ("mssage relaxant", "", SPA),
    ("massage suedois annecy", "", SPA),
    ("institut de massage", "74000", SPA),
    ("hamam", "", SPA),
    ("controle technique", "", CARS),
    ("contrôle technique moto", "", CARS),
    ("garagiste", "", CARS),
    ("auto controle", "63100", CARS),
    ("prof de piano", "", PIANO),
    ("pianiste", "", PIANO),
    ("cours de piano enfants", "Mérignac", PIANO),
    ("notaires", "", NOTARY),
    ("maître delmas", "", NOTARY),
    ("succesion", "", NOTARY),
    ("testament", "31000", NOTARY),
    ("photographie", "", PHOTOS),
    ("photos d'identité", "", PHOTOS),
    ("photographe", "Montreuil (93)", PHOTOS),
    ("portrait pro", "Paris", PHOTOS),
    ("padle", "", PADEL),
    ("terrains de padel", "13008", PADEL),
    ("plongé", "", DIVING),
    ("batpeme de plongée", "", DIVING),
]


@pytest.fixture
def shops(db):
    """Opens the shops of the town, without bookings."""
    for shop in town().shops:
        filling._add_account(db, 4, shop.gerant, "company", "un mot de passe", now())
        filling._open(db, shop, now())


def test_each_of_sixty_searches_finds_the_right_business_first(client, shops):
    assert len(QUERIES) >= 60
    wrong = {}
    for q, ville, expected in QUERIES:
        found = client.get(f"/api/entreprises?{urlencode({'q': q, 'ville': ville})}").json
        first = found[0]["nom"] if found else ""
        if expected not in first or bool(expected) != bool(first):
            wrong[q, ville] = first
    assert wrong == {}


def suggested(client, q=""):
    answer = client.get(f"/api/suggestions?{urlencode({'q': q})}").json
    return {**answer, "entreprises": [one["nom"] for one in answer["entreprises"]]}


def test_suggestions_are_trades_services_and_businesses_of_the_installation(client, shops):
    assert suggested(client, "COIF") == {
        "metiers": ["Coiffeur"],
        "prestations": ["Coiffure de mariage"],
        "entreprises": ["L'Atelier des Pentes, coiffeur"],
    }
    assert suggested(client, "atel")["entreprises"] == ["L'Atelier des Pentes, coiffeur"]
    assert suggested(client, "krutneau")["entreprises"] == []  # without an error
    assert suggested(client, "xyz") == {"metiers": [], "prestations": [], "entreprises": []}
    assert suggested(client, "%") == suggested(client)
    assert suggested(client, "Coiffeur.")["metiers"] == ["Coiffeur"]


def test_a_service_whose_name_has_two_lines_is_suggested(client, make_salon, alice):
    salon = make_salon(alice)
    service = {"nom": "Balinais\net soin", "dureeMinutes": 30}
    client.post(f"/api/entreprises/{salon.id}/prestations", service, 201, token=alice.token)
    assert suggested(client, "balin")["prestations"] == ["Balinais\net soin"]


def test_two_long_names_that_begin_alike_have_one_key(client, db, salon, alice):
    begin = "Consultation de suivi dietetique pour adultes adolescents"
    for nom in (begin, f"{begin} (30 minutes)"):
        body = {"nom": nom, "dureeMinutes": 30}
        client.post(f"/api/entreprises/{salon.id}/prestations", body, 201, token=alice.token)
    keys = db.rows("SELECT mot FROM occurrence WHERE mot LIKE ?", "s:consultation%")
    assert keys == [(f"s:{begin.lower()}",)]
    assert begin in suggested(client, begin)["prestations"][0]


def test_the_most_frequent_trades_are_suggested_without_a_text(client, make_salon, alice):
    for _ in range(2):
        make_salon(alice, metiers=["Coiffeur"])
    make_salon(alice, metiers=["Barbier", "École d'été"])
    make_salon(alice, metiers=["Fleuriste"], actif=False)
    answer = suggested(client)
    assert answer["metiers"] == ["Coiffeur", "Barbier", "École d'été"]
    assert answer["prestations"] == ["Coloration", "Coupe femme"]
    assert answer["entreprises"] == ["Salon alice"] * 3


@pytest.fixture
def names(client):
    def names(**query):
        return [one["nom"] for one in client.get(f"/api/entreprises?{urlencode(query)}").json]

    return names


def test_a_name_ranks_above_a_trade_a_service_and_a_description(
    client, make_salon, alice, names
):
    made = [
        make_salon(alice, nom="D", description="Barbe"), make_salon(alice, nom="S"),
        make_salon(alice, nom="M", metiers=["Barbier"]), make_salon(alice, nom="Barbe & Co"),
        make_salon(alice, nom="Barbe"), make_salon(alice, nom="P", metiers=["Barbecue"]),
    ]
    body = {"nom": "Taille de barbe", "dureeMinutes": 20}
    path = f"/api/entreprises/{made[1].id}/prestations"
    service = client.post(path, body, 201, token=alice.token).json["id"]
    assert names(q="barbe") == ["Barbe", "Barbe & Co", "M", "P", "S", "D"]
    walked, query = [], f"/api/entreprises?{urlencode({'q': 'barbe', 'limite': 2})}"
    while query:
        answer = client.get(query)
        walked += [one["nom"] for one in answer.json]
        query = answer.headers.get("Link", "")[1:].partition(">")[0]
    assert walked == ["Barbe", "Barbe & Co", "M", "P", "S", "D"]
    client.delete(f"/api/prestations/{service}", token=alice.token)
    assert names(q="taille") == []
    about = {"nom": "Barbe", "ville": "Lyon", "actif": False}
    client.put(f"/api/entreprises/{made[4].id}", about, token=alice.token)
    assert names(q="barbe") == ["Barbe & Co", "M", "P", "D"]


def test_a_right_word_ranks_above_a_wrong_one_and_one_of_two_words_is_not_enough(
    make_salon, alice, names
):
    make_salon(alice, nom="Masage Éric", description="Hammam")
    make_salon(alice, nom="Massage Zoé")
    assert names(q="massage") == ["Massage Zoé"]
    assert names(q="massge") == ["Masage Éric", "Massage Zoé"]
    assert names(q="massage hammam") == []
    assert names(q="masage hamam") == ["Masage Éric"]
    assert names(q="zo") == []
    assert names(q="zoe") == names(q="zoé massage") == ["Massage Zoé"]


def test_a_typing_error_may_be_in_any_alphabet(make_salon, alice, names):
    for word, wrong in (("Парикмахерская", "паракмахерская"), ("Κομμωτήριο", "κομωτηριο")):
        make_salon(alice, nom=word)
        assert names(q=wrong) == [word]


def test_a_search_knows_five_hundred_services_of_a_business(client, db, salon, alice):
    (row,) = Prestation.select().where(Prestation.id == salon.coupe).dicts().execute(db)
    (there,) = db.rows("SELECT COUNT(*) FROM prestation")[0]
    more = [row | {"id": None, "nom": f"Soin{number}"} for number in range(501 - there)]
    Prestation.insert_many(more).execute(db)
    body = {"nom": "Coupe femme", "dureeMinutes": 30}
    client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)
    assert db.rows("SELECT COUNT(*) FROM occurrence WHERE mot LIKE ?", "s:%") == [(500,)]


def test_few_misspelled_words_are_corrected_and_each_has_few_corrections(
    make_salon, alice, names, monkeypatch
):
    make_salon(alice, nom="Massage hammam")
    make_salon(alice, nom="Massafe")
    assert names(q="masage hamam") == ["Massage hammam"]
    assert sorted(names(q="massaje")) == ["Massafe", "Massage hammam"]
    monkeypatch.setattr(meaning, "_MOST_NEAR", 1)
    assert len(names(q="massaje")) == 1
    monkeypatch.setattr(meaning, "_MOST_CORRECTED", 1)
    assert names(q="masage hamam") == []
    assert names(q="masage hammam") == ["Massage hammam"]


GROUPS = [group.split() for group in french._SYNONYMS]


@pytest.fixture
def describe(client, alice):
    """Makes a business without services."""

    def describe(nom, description):
        body = {"nom": nom, "ville": "Nice", "description": description}
        client.post("/api/entreprises", body, 201, token=alice.token)

    return describe


@pytest.mark.parametrize("plural", ["", "s"])
def test_each_word_of_a_group_finds_all_its_synonyms(describe, names, plural):
    """The first business has the first word of each group, and so on."""
    for at, some in enumerate(zip_longest(*GROUPS, fillvalue="")):
        describe(f"S{at}", " ".join(word + plural for word in some if word))
    wrong = {}
    for group in GROUPS:
        for typed in (word + ending for word in group for ending in ("", "s")):
            if (found := sorted(names(q=typed))) != [f"S{at}" for at in range(len(group))]:
                wrong[typed] = found
    assert wrong == {}


def test_a_synonym_is_found_by_the_stem_that_an_earlier_version_wrote(db, describe, names):
    describe("A", "Docteur, ongles, teinturerie")
    for texte, racine in (("docteur", "medecin"), ("ongles", "manuc"), ("teinturerie", "color")):
        assert db.write("UPDATE mot SET racine = ? WHERE texte = ?", racine, texte).rowcount == 1
    for q in ("docteur", "docteurs", "médecin", "ongle", "ongles", "manucure", "teinturier"):
        assert names(q=q) == ["A"], q


def test_a_word_with_the_stem_of_a_synonym_is_no_synonym(describe, names):
    describe("A", "Éclat du teint")
    describe("B", "Teinture")
    describe("C", "Teinturerie")
    assert names(q="couleur") == names(q="coloration") == ["B"]


def test_businesses_near_by_come_after_those_of_the_city(make_salon, alice, names):
    near = make_salon(alice, nom="Brosse", ville="Villeurbanne", codePostal="69100")
    make_salon(alice, nom="Ciseaux", ville="Lyon", codePostal="69001")
    make_salon(alice, nom="Peigne", ville="Saint-Priest", codePostal="07000")  # in Ardèche
    make_salon(alice, nom="Rasoir", ville="Saint-Priest", codePostal="")
    assert near.id and names(ville="lyon") == ["Ciseaux", "Brosse", "Rasoir"]
    assert names(ville="69100") == names(ville="69100", q="coupe") == [
        "Brosse", "Ciseaux", "Rasoir"
    ]
    assert names(ville="69002") == ["Brosse", "Ciseaux", "Rasoir"]
    assert names(ville="Dijon") == names(ville="99999") == []
    assert names(q="coupe 69001") == ["Ciseaux", "Brosse", "Rasoir"]
    assert names(q="Villeurbanne") == names(q="coupe à Villeurbanne") == [
        "Brosse", "Ciseaux", "Rasoir"
    ]
    assert names(q="brosse villeurbanne") == ["Brosse"]


def test_a_word_of_a_business_is_not_read_as_a_village(make_salon, alice, names):
    """Ongles and École are French communes too."""
    make_salon(alice, nom="Brosse", ville="Lyon", metiers=["Styliste d'ongles"])
    make_salon(alice, nom="Peigne", ville="Lyon", metiers=["Auto-école"])
    assert names(q="Lyon ongles") == names(q="ongles Lyon") == ["Brosse"]
    assert names(q="Lyon auto-école") == names(q="auto-école Lyon") == ["Peigne"]


def test_words_may_name_a_district(make_salon, alice, names):
    make_salon(alice, nom="Brosse", ville="Lyon", codePostal="69003", metiers=["Barbier"])
    make_salon(alice, nom="Peigne", ville="Paris", codePostal="75011", metiers=["Barbier"])
    for district in ("Lyon 3", "lyon 3e", "Lyon 3ème arrondissement"):
        assert names(q=f"barbier {district}") == names(q=f"{district} barbier") == ["Brosse"]


@pytest.mark.parametrize(
    ("ville", "code"), [("Annecy-le-Vieux", "74940"), ("Lyon 2e", "69002"), ("Cergy", "95805")]
)
def test_a_business_is_found_by_its_post_code_whatever_its_town_is_called(
    make_salon, alice, names, ville, code
):
    make_salon(alice, nom="Peigne", ville=ville, codePostal=code)
    make_salon(alice, nom=f"Brosse {code}", ville="Nice", codePostal="06000")
    assert names(ville=code) == names(ville=code, q="coupe") == ["Peigne"]
    if code != "95805":  # a post code of no commune is an ordinary word
        assert names(q=f"coupe {code}") == ["Peigne"]


def test_a_place_with_a_preposition_is_a_place_alone(make_salon, alice, names):
    make_salon(alice, nom="Peigne", ville="Lyon", codePostal="69002")
    make_salon(alice, nom="Loin", ville="Brest", codePostal="29200")
    for q in ("à Lyon", "près de 69002", "autour de Lyon", "coupe autour de Lyon", "Lyon"):
        assert names(q=q) == ["Peigne"], q


DISTRICTS = ["Lyon 2e", "LYON 02", "Lyon 2ème arrondissement", "Lyon-1er"]


@pytest.mark.parametrize("ville", DISTRICTS)
def test_a_business_in_a_district_is_in_the_city(make_salon, alice, names, ville):
    make_salon(alice, nom="Peigne", ville=ville, codePostal="")
    make_salon(alice, nom="Brosse", ville="Lyon", codePostal="69001")
    for place in ("lyon", "Lyon 2"):
        assert sorted(names(ville=place)) == ["Brosse", "Peigne"]


@pytest.mark.parametrize("ville", ["69001 Lyon", "Lyon 69001", "Lyon (69001)", "69001, Lyon"])
def test_a_city_with_a_post_code_is_the_place_of_the_post_code(make_salon, alice, names, ville):
    make_salon(alice, nom="Peigne", ville="Lyon", codePostal="69001")
    make_salon(alice, nom="Brosse", ville="Lyon", codePostal="69003")
    assert names(ville=ville) == names(ville="69001") == ["Peigne", "Brosse"]


def test_a_city_is_found_with_a_post_code_that_no_commune_has(make_salon, alice, names):
    make_salon(alice, nom="Peigne", ville="Lyon", codePostal="69401")
    assert names(ville="69401 Lyon") == names(ville="99999 Lyon") == ["Peigne"]


@pytest.mark.parametrize(
    ("abbreviated", "full", "department"),
    [("St Denis", "Saint-Denis", "974"), ("ste foy-lès-lyon", "Sainte-Foy-lès-Lyon", "69")],
)
def test_a_saint_may_be_abbreviated(make_salon, alice, names, abbreviated, full, department):
    post_code = {"974": "97400", "69": "69110"}[department]
    make_salon(alice, nom="Peigne", ville=full, codePostal=post_code)
    make_salon(alice, nom="Brosse", ville=abbreviated, codePostal=post_code)
    for ville in (abbreviated, full, f"{abbreviated} ({department})", f"{full} ({department})"):
        assert sorted(names(ville=ville)) == ["Brosse", "Peigne"], ville
    assert names(ville=f"{abbreviated} (75)") == []


def test_a_post_code_is_a_whole_word():
    assert places.without_post_code("a 169001 69001") == ("a 169001", places.find("69001"))
    assert places.without_post_code("169001") == ("169001", None)


def test_a_city_may_have_a_typing_error(make_salon, alice, names, client):
    make_salon(alice, nom="Brosse", ville="Villeurbanne", codePostal="69100")
    make_salon(alice, nom="Ciseaux", ville="Lyon", codePostal="69001")
    make_salon(alice, nom="Peigne", ville="Lyonx", codePostal="")  # is in no list
    for wrong in ("Lyonn", "lyno", "Lypn", "lion", "loyn"):
        assert names(ville=wrong) == ["Ciseaux", "Brosse"], wrong
    assert names(ville="Vileurbanne", q="coupe") == ["Brosse", "Ciseaux"]
    assert names(ville="Lyonx") == ["Peigne"]
    assert names(ville="Lyn") == names(ville="Lyonn (69)") == names(ville="Lyoonn") == []
    services = client.get("/api/prestations?ville=Vileurbanne").json
    assert len(services) == 2


def test_each_commune_is_found_as_it_is_shown_and_without_its_brackets(monkeypatch):
    """Each commune has a business whose city is the name as shown, and one whose city is the name
    without the department."""
    monkeypatch.setattr(places, "find", places.find.__wrapped__)  # keeps the cache
    monkeypatch.setattr(places, "_near", lambda communes, around_only: ("", []))  # is slow
    names = (DATA / "cities.txt").read_text(encoding="utf-8").splitlines()
    typed, rows = [], []
    for at, (name, area) in enumerate(zip(names, places._communes().areas, strict=True)):
        shown = search_key(name)
        typed.append((name, at))
        cities = {shown}
        if "(" in name:
            typed += [(shown, at), (search_key(name.partition(" (")[0]), at)]
            cities.add(re.sub(r" \d[\dab]\d?$", "", shown))
        rows += [(at, french.without_district(city), area[-1]) for city in cities]
    expected, wrong = Counter(at for at, _, _ in rows), []
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE entreprise (at, ville_cle, code_postal)")
        db.executemany("INSERT INTO entreprise VALUES (?, ?, ?)", rows)
        db.execute("CREATE INDEX by_number ON entreprise (at)")
        for ville, at in typed:
            rest, place = places.split(ville, set(search_key(ville).split())) or (ville, None)
            place = place or places.find(ville)
            select = f"SELECT COUNT(*) FROM entreprise e WHERE e.at = ? AND {place.own}"
            ((count,),) = db.execute(select, [at, *place.own_values])
            if rest or count != expected[at]:
                wrong.append(ville)
    assert wrong == []


@pytest.mark.parametrize(
    "ville", ["Château-Chinon (Ville)", "chateau chinon ville", "Château-Chinon"]
)
def test_a_search_for_a_commune_with_brackets_finds_it_however_it_is_written(
    make_salon, alice, names, ville
):
    make_salon(alice, nom="Brosse", ville="Château-Chinon (Ville)", codePostal="58120")
    make_salon(alice, nom="Peigne", ville="Château-Chinon", codePostal="58120")
    make_salon(alice, nom="Rasoir", ville="Château-Chinon (Campagne)", codePostal="58120")
    make_salon(alice, nom="Ciseaux", ville="Lyon", codePostal="69001")
    expected = ["Brosse", "Peigne", "Rasoir"]
    assert sorted(names(ville=ville)) == sorted(names(q=f"coupe à {ville}")) == expected


def test_communes_of_the_same_name_are_apart(make_salon, alice, names):
    for nom, code in (("Nord", "93200"), ("Îles", "97400"), ("Cedex", "93205")):
        make_salon(alice, nom=nom, ville="Saint-Denis", codePostal=code)
    make_salon(alice, nom="API", ville="Saint-Denis (93)", codePostal="")
    for ville in ("Saint-Denis (93)", "saint-denis 93", "Saint-Denis (93"):
        assert names(ville=ville) == names(q=ville) == ["Nord", "Cedex", "API"], ville
    assert names(ville="Saint-Denis (974)") == names(q="coupe saint denis 974") == ["Îles"]
    assert names(ville="Saint-Denis") == ["Nord", "Îles", "Cedex", "API"]
    assert names(ville="Saint-Denis (69)") == []


def test_of_equal_matches_the_first_free_time_is_first(
    client, make_salon, alice, tuesday, names
):
    def week(debut):
        return [{"jour": 2, "debut": debut, "fin": "12:00", "pasMinutes": 30}]

    make_salon(alice, week("08:00"), nom="Chez Zoé", description="Barbier")
    make_salon(alice, week("11:00"), nom="Barbier")
    make_salon(alice, week("10:00"), nom="Un barbier")
    make_salon(alice, week("09:00"), nom="Le barbier de Lyon")
    make_salon(alice, week("08:00"), nom="Coupe courte")
    expected = ["Barbier", "Le barbier de Lyon", "Un barbier", "Chez Zoé"]
    assert names(q="barbier", disponible=tuesday) == expected
    walked, query = [], f"/api/entreprises?q=barbier&disponible={tuesday}&limite=1"
    while query:
        answer = client.get(query)
        walked += [one["nom"] for one in answer.json]
        query = answer.headers.get("Link", "")[1:].partition(">")[0]
    assert walked == expected


def test_the_service_that_was_asked_for_is_offered(client, make_salon, alice, tuesday):
    salon = make_salon(alice, metiers=["coiffeur", "salon de coiffure"])
    for nom, minutes in (("Coupe enfant", 20), ("Coupe homme", 15), ("Coiffure de mariage", 90)):
        service = {"nom": nom, "dureeMinutes": minutes}
        client.post(f"/api/entreprises/{salon.id}/prestations", service, 201, token=alice.token)
    for q, expected in (
        ("couleurs", "Coloration"), ("colration", "Coloration"), ("Coupe femme", "Coupe femme"),
        ("enfants coupes", "Coupe enfant"), ("coupe", "Coupe homme"), ("salon", "Coupe homme"),
        ("coiffeuse", "Coupe homme"), ("coifeur", "Coupe homme"), ("coiff", "Coiffure de mariage"),
        ("coiffures", "Coiffure de mariage"), ("mariages coiffeur", "Coiffure de mariage"),
    ):
        url = f"/api/entreprises?{urlencode({'q': q, 'disponible': tuesday})}"
        service = client.get(url).json[0]["prochainCreneau"]["prestation"]["nom"]
        assert service == expected, q


def test_a_search_by_words_takes_few_statements(
    monkeypatch, client, make_salon, alice, tuesday
):
    observer = Observer(monkeypatch)
    morning = {"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30}
    for number in range(5):
        make_salon(alice, [morning], nom=f"Barbier {number}").free(tuesday)
    for most, query in (
        (4, {"q": "barbiers"}), (5, {"q": "barbier 69001"}), (5, {"q": "babrier"}),
        (9, {"q": "barbiers", "disponible": tuesday, "ville": "Villeurbanne"}),
    ):
        with observer.observing() as seen:
            assert len(client.get(f"/api/entreprises?{urlencode(query)}").json) == 5
        assert len(seen.statements) <= most
