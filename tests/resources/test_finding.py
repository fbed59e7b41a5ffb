"""Real searches in the town of the demo, and the business that each finds first."""

from urllib.parse import urlencode

import pytest

from reservation.demo import filling
from reservation.demo.town import town
from tests.clock import now

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
    ("coiffeur pour homme", "", BARBER),
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
