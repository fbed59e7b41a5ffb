"""The customer of a booking, and who may see the customer's details."""

import pytest

CALLER = {"email": "zoe@example.fr", "nom": "Blanc", "prenom": "Zoé", "telephone": "06 11 22"}


@pytest.fixture
def look(client):
    """Returns a booking as an account sees it. Asserts that the list shows the same values."""

    def look(by, number):
        alone = client.get(f"/api/reservations/{number}", token=by.token).json
        listed = client.get("/api/reservations", token=by.token).json
        assert [one for one in listed if one["id"] == number] == [alone]
        return alone

    return look


@pytest.fixture
def customer(db, chloe, visit):
    """Returns the record that Chloé's booking has created."""
    ((number,),) = db.rows("SELECT id FROM client WHERE utilisateur_id = ?", chloe.id)
    return {
        "id": number, "nom": "Martin", "prenom": "Chloé", "email": chloe.email, "telephone": "",
    }


def test_the_owner_and_an_admin_see_who_booked(look, alice, dora, visit, customer):
    assert look(alice, visit)["client"] == customer
    assert look(dora, visit)["client"] == customer


def test_the_customer_is_not_shown_to_himself(client, look, salon, chloe, visit, tuesday):
    assert "client" not in look(chloe, visit)
    assert "client" not in salon.book(chloe, salon.at(tuesday, "11:00"))
    change = {"commentaire": "Merci", "version": 1}
    path = f"/api/reservations/{visit}"
    assert "client" not in client.put(path, change, token=chloe.token).json


def test_an_owner_who_books_elsewhere_is_a_customer_there(
    look, salon, make_salon, alice, bob, chloe, tuesday
):
    other = make_salon(bob)
    mine = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    elsewhere = other.book(alice, other.at(tuesday, "10:00"))["id"]
    assert look(alice, mine)["client"]["email"] == chloe.email
    assert "client" not in look(alice, elsewhere)
    assert look(bob, elsewhere)["client"]["email"] == alice.email


def test_an_owner_who_books_for_a_caller_sees_the_caller(look, salon, alice, tuesday):
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=CALLER)
    assert booked["client"] == {"id": booked["client"]["id"], **CALLER}
    assert booked["utilisateurId"] is None
    assert look(alice, booked["id"]) == booked


def test_a_closure_names_those_whom_it_strands(client, salon, alice, visit, customer, tuesday):
    closure = {
        "type": "fermeture", "titre": "Congés", "debut": f"{tuesday}T00:00:00Z",
        "fin": f"{tuesday}T22:00:00Z",
    }
    path = f"/api/entreprises/{salon.id}/evenements"
    (stranded,) = client.post(path, closure, 201, token=alice.token).json["reservationsTouchees"]
    assert (stranded["id"], stranded["client"]) == (visit, customer)
