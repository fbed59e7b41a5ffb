"""The short addresses of businesses: made, changed, and still leading there later."""

import threading

import pytest

from reservation.domain.people.sessions import Account
from reservation.domain.planning import addresses, businesses
from reservation.errors import InvalidInput, NotFound
from reservation.storage.database import connect, forget

PATH = "/api/entreprises"


@pytest.fixture
def make(client):
    def make(owner, nom="Salon Alice", expect=201, **fields):
        body = {"nom": nom, "ville": "Lyon", **fields}
        return client.post(PATH, body, expect, token=owner.token).json

    return make


@pytest.fixture
def rename(client):
    def rename(owner, made, adresse, expect=200):
        body = {"nom": made["nom"], "ville": "Lyon", "adresseCourte": adresse}
        return client.put(f"{PATH}/{made['id']}", body, expect, token=owner.token).json

    return rename


@pytest.mark.parametrize(
    "nom, ville, address",
    [
        ("Salon Alice", "Lyon", "salon-alice-lyon"),
        ("L’Atelier d'Élodie & Cœur", "Saint-Étienne", "l-atelier-d-elodie-coeur-saint-etienne"),
        ("x" * 150, "Lyon", "x" * 60),
        ("美容", "東京", "rdv"),
        ("Nous", "Écrire", "rdv-nous-ecrire"),
    ],
)
def test_an_address_is_made_from_the_name_and_the_city(make, alice, nom, ville, address):
    assert make(alice, nom, ville=ville)["adresseCourte"] == address


def test_each_business_has_an_address_of_its_own(make, alice):
    found = [make(alice)["adresseCourte"] for _ in range(12)]
    assert found[:3] == ["salon-alice-lyon", "salon-alice-lyon-2", "salon-alice-lyon-3"]
    assert len(set(found)) == 12


def test_an_address_of_another_business_is_refused(make, rename, alice, bob):
    make(alice)
    other = make(bob, "Salon Bob")
    assert make(bob, expect=400, adresseCourte="salon-alice-lyon")["champs"]["adresseCourte"] == {
        "code": "address_taken", "message": "is the address of another page",
    }
    assert rename(bob, other, "salon-alice-lyon", 400)["champs"]["adresseCourte"]["code"] == (
        "address_taken"
    )
    assert rename(bob, other, "inscription", 400)["champs"]["adresseCourte"]["code"] == (
        "address_taken"
    )


def test_a_former_address_still_leads_to_its_business(client, make, rename, alice, bob):
    made = make(alice)
    rename(alice, made, "alice")
    moved = client.app.get("/salon-alice-lyon?prestation=3", status=302)
    assert moved.headers["Location"].endswith("/alice?prestation=3")
    assert f'data-entreprise="{made["id"]}"' in client.app.get("/alice").text
    other = make(bob, "Salon Bob")
    rename(bob, other, "salon-alice-lyon", 400)
    assert make(bob)["adresseCourte"] == "salon-alice-lyon-2"
    rename(alice, made, "salon-alice-lyon")  # its own former address
    moved = client.app.get("/alice", status=302)
    assert moved.headers["Location"].endswith("/salon-alice-lyon")


def test_a_business_keeps_ten_former_addresses(db, make, rename, alice, bob):
    made, other = make(alice), make(bob, "Salon Bob")
    rename(bob, other, "chez-bob")
    for number in range(11):
        rename(alice, made, f"alice-{number}")
    rename(alice, made, "alice-5")  # its own former address
    rename(bob, other, "salon-alice-lyon")
    for kept in ("alice-0", "alice-10"):
        rename(bob, other, kept, 400)
    rename(alice, made, "alice")
    rename(bob, other, "alice-0")
    assert addresses.find(db, "chez-bob") == other["id"]
    count = "SELECT COUNT(*) FROM ancienne_adresse WHERE entreprise_id = ?"
    assert db.rows(count, made["id"]) == [(addresses.FORMER,)]


def test_an_address_that_looks_official_is_refused_but_stays_with_who_has_it(
    db, make, rename, alice
):
    for adresse in ("support", "aide", "securite", "paiement", "cgu", "cgv", "privacy"):
        make(alice, expect=400, adresseCourte=adresse)
    made = make(alice)
    db.write("UPDATE entreprise SET adresse_courte = 'support'")
    assert rename(alice, made, "support")["adresseCourte"] == "support"


def test_an_address_that_nothing_has_is_not_found(db):
    for adresse in ("salon-bob", "x", "x" * 5000, "%00", "é"):
        with pytest.raises(NotFound):
            addresses.find(db, adresse)


def test_of_two_businesses_at_once_each_gets_an_address(database_url, db, alice):
    barrier, made = threading.Barrier(2), []

    def create():
        own = connect(database_url)
        barrier.wait()
        about = {"nom": "Salon", "ville": "Lyon"}
        made.append(businesses.create(own, Account(alice.id, "company"), about, now=0))
        forget(own)

    threads = [threading.Thread(target=create) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 2
    assert len({one for (one,) in db.rows("SELECT adresse_courte FROM entreprise")}) == 2


def test_an_address_that_was_taken_since_the_check_is_refused(db, alice, monkeypatch):
    about = {"nom": "Salon", "ville": "Lyon", "adresse_courte": "salon"}
    businesses.create(db, Account(alice.id, "company"), about, now=0)
    monkeypatch.setattr(addresses, "check", lambda *_: None)
    with pytest.raises(InvalidInput):
        businesses.create(db, Account(alice.id, "company"), about, now=0)
