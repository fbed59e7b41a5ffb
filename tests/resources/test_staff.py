"""A person with an account of her own: she runs her calendar, and nothing else."""

from urllib.parse import urlsplit

import pytest

from reservation.domain.people import accounts
from tests import outboxes, teams
from tests.clock import now

LEA = {"nom": "Léa"}
ZOE = {"nom": "Petit", "prenom": "Zoé", "telephone": "06 11 22 33 44"}
PATH = "/api/reservations"


@pytest.fixture
def other(db, salon, staff):
    """Returns the id of the first person of the salon, its owner."""
    sql = "SELECT MIN(id) FROM ressource WHERE entreprise_id = ?"
    return db.rows(sql, salon.id)[0][0]


@pytest.fixture
def visits(salon, db, chloe, bob, tuesday, staff, other):
    """Returns the ids of a booking of Chloé with Lina, and of one of Bob with Alice."""
    slot = salon.at(tuesday, "10:00")
    made = [
        salon.book(chloe, slot, ressourceId=staff)["id"],
        salon.book(bob, slot, ressourceId=other)["id"],
    ]
    outboxes.empty(db)
    return made


def listed(client, who, /, **query):
    words = "&".join(f"{name}={value}" for name, value in query.items())
    return [one["id"] for one in client.get(f"{PATH}?{words}", token=who.token).json]


def test_she_finds_the_calendar_that_she_runs(client, salon, alice, lina, bob, staff):
    (shown,) = client.get("/api/compte/ressources", token=lina.token).json
    assert (shown["id"], shown["entrepriseId"], shown["compte"]) == (staff, salon.id, lina.email)
    for person in (alice, bob):
        assert client.get("/api/compte/ressources", token=person.token).json == []


@pytest.mark.parametrize("role", ["student", "company"])
def test_she_sees_the_bookings_of_her_calendar_with_their_customers(
    client, db, salon, alice, lina, chloe, visits, staff, other, role, tuesday
):
    if role == "company":
        client.post("/api/compte/entreprise", token=lina.token)
        body = {"email": lina.email, "password": lina.password}
        lina.token = client.post("/auth/login", body).json["token"]
    mine = salon.book(lina, salon.at(tuesday, "15:00"), ressourceId=other)["id"]
    assert listed(client, lina) == [visits[0], mine]
    assert listed(client, lina, recentes=1) == [mine, visits[0]]
    assert listed(client, lina, entreprise=salon.id, statut="confirmee") == [visits[0], mine]
    assert listed(client, lina, statut="annulee") == []
    assert listed(client, lina, ressource=staff) == [visits[0]]
    assert listed(client, lina, ressource=other) == [mine]
    assert listed(client, lina, miennes=1) == [mine]
    shown = client.get(f"{PATH}/{visits[0]}", token=lina.token).json
    assert shown == client.get(f"{PATH}/{visits[0]}", token=alice.token).json
    assert shown["client"]["email"] == chloe.email
    assert client.get(f"{PATH}?entreprise={salon.id}", token=lina.token).json[0] == shown


def test_she_sees_the_bookings_of_a_customer_only_on_her_calendar(
    client, db, salon, alice, chloe, lina, visits, other, tuesday
):
    salon.book(chloe, salon.at(tuesday, "11:00"), ressourceId=other)
    (number,) = db.rows("SELECT client_id FROM reservation WHERE id = ?", visits[0])[0]
    assert len(listed(client, alice, client=number)) == 2
    assert listed(client, lina, client=number) == [visits[0]]


def test_a_booking_of_a_colleague_is_none_to_her(client, lina, visits):
    path = f"{PATH}/{visits[1]}"
    for method, body in (("GET", None), ("PUT", {"version": 1, "places": 1}), ("DELETE", None)):
        client.call(method, path, body, expect=404, token=lina.token)
    client.get(f"{path}.ics", 404, token=lina.token)
    assert client.get(f"{PATH}/{visits[0]}.ics", token=lina.token)


def test_she_books_for_a_customer_on_her_calendar_only(
    client, db, salon, alice, lina, staff, other, tuesday
):
    db.write("UPDATE entreprise SET validation_manuelle = 1")
    slot = salon.at(tuesday, "10:00")
    assert salon.book(lina, slot, 403, client=ZOE, ressourceId=other)["code"] == "not_permitted"
    made = salon.book(lina, slot, client=ZOE)
    assert (made["ressource"]["id"], made["statut"]) == (staff, "confirmee")
    assert made["client"]["nom"] == "Petit"
    assert salon.book(lina, slot, 409, client=ZOE)["motif"] == "complet"
    assert salon.book(lina, salon.at(tuesday, "11:00"), client=ZOE, ressourceId=staff)
    told = db.rows("SELECT genre FROM eventemail WHERE destinataire = ?", alice.email)
    assert told == []


def test_the_times_that_she_can_book_are_those_of_her_calendar(
    client, db, salon, lina, staff, other, tuesday
):
    path = f"/api/entreprises/{salon.id}/creneaux/internes?du={tuesday}&au={tuesday}"
    hers = client.get(path, token=lina.token).json
    assert len(hers) == 14 and all(one["ressources"] == [staff] for one in hers)
    assert client.get(f"{path}&ressource={staff}", token=lina.token).json == hers
    client.get(f"{path}&ressource={other}", 400, token=lina.token)
    room = teams.add(db, salon.id, "Cabine", "lieu")
    client.get(f"{path}&lieu={room}", 400, token=lina.token)


def test_a_booking_that_she_makes_for_a_known_customer_only_adds_what_is_missing(
    client, db, salon, alice, lina, staff, tuesday
):
    path = f"/api/entreprises/{salon.id}/clients"
    for about, email in ({"nom": "Rose Roux"}, "rose@example.fr"), (ZOE, "zoe@example.fr"):
        client.post(path, {**about, "email": email}, 201, token=alice.token)
    typed = {"nom": "Roux", "prenom": "Rose", "telephone": "07"}
    for time, email in (("10:00", "rose@example.fr"), ("11:00", "zoe@example.fr")):
        slot = salon.at(tuesday, time)
        made = salon.book(lina, slot, client=typed | {"email": email})
        assert made["client"]["email"] == email
    sql = "SELECT nom, prenom, telephone, telephone_cle FROM client ORDER BY id"
    assert db.rows(sql) == [
        ("Rose Roux", "", "07", "07"), ("Petit", "Zoé", ZOE["telephone"], "0611223344"),
    ]


def test_she_learns_no_address_and_adds_none_by_a_telephone_and_a_name(
    client, db, salon, alice, lina, staff, tuesday
):
    """An address of her own would show her all bookings of the customer."""
    path = f"/api/entreprises/{salon.id}/clients"
    rose = {"nom": "Roux", "prenom": "Rose", "telephone": "07"}
    for about in ({**ZOE, "email": "zoe@example.fr"}, rose):
        client.post(path, about, 201, token=alice.token)
    for time, about in (("10:00", ZOE), ("11:00", {**rose, "email": lina.email})):
        salon.book(lina, salon.at(tuesday, time), client=about)
    assert db.rows("SELECT nom, email FROM client ORDER BY id") == [
        ("Petit", "zoe@example.fr"), ("Roux", ""), ("Petit", ""), ("Roux", lina.email),
    ]


def test_others_book_for_nobody_else(db, salon, chloe, bob, staff, tuesday):
    for person in (chloe, bob):
        salon.book(person, salon.at(tuesday, "10:00"), 403, client=ZOE, ressourceId=staff)
    assert db.rows("SELECT COUNT(*) FROM client") == [(0,)]


def test_she_is_offered_other_times_of_her_calendar_only(
    salon, chloe, bob, lina, staff, other, tuesday
):
    slot = salon.at(tuesday, "10:00")
    for person in (chloe, bob):
        salon.book(person, slot)
    refused = salon.book(lina, slot, 409, client=ZOE, ressourceId=staff)
    assert {tuple(one["ressources"]) for one in refused["alternatives"]} == {(staff,)}
    anybody = salon.book(bob, slot, 409, client=None, ressourceId=staff)
    offered = {one for time in anybody["alternatives"] for one in time["ressources"]}
    assert offered == {other, staff}


def test_she_books_for_herself_as_a_customer(db, salon, lina, staff, other, tuesday):
    db.write("UPDATE entreprise SET validation_manuelle = 1")
    made = salon.book(lina, salon.at(tuesday, "10:00"), ressourceId=other)
    assert (made["statut"], "client" in made) == ("demandee", False)


def test_she_moves_and_cancels_on_her_calendar(
    client, salon, lina, staff, other, visits, tuesday
):
    path = f"{PATH}/{visits[0]}"
    body = {"version": 1, "creneauId": salon.at(tuesday, "11:00")}
    client.put(path, {**body, "ressourceId": other}, 403, token=lina.token)
    client.put(path, {"version": 1, "ressourceId": other}, 403, token=lina.token)
    moved = client.put(path, {**body, "message": "Désolée"}, token=lina.token).json
    assert (moved["ressource"]["id"], moved["debut"][11:16]) == (staff, "11:00")
    client.delete(path, token=lina.token)
    assert listed(client, lina, statut="annulee") == [visits[0]]


def test_a_visit_that_she_moves_stays_with_her(client, salon, chloe, lina, staff, visits, tuesday):
    salon.book(chloe, salon.at(tuesday, "11:00"), ressourceId=staff)
    body = {"version": 1, "creneauId": salon.at(tuesday, "11:00")}  # Alice would be free
    refused = client.put(f"{PATH}/{visits[0]}", body, 409, token=lina.token).json
    assert refused["code"] == "slot_taken"


def test_she_approves_what_waits_on_her_calendar(client, db, lina, visits):
    db.write("UPDATE reservation SET statut = 'demandee'")
    body = {"version": 1, "statut": "confirmee"}
    done = client.put(f"{PATH}/{visits[0]}", body, token=lina.token).json
    assert done["statut"] == "confirmee"


def test_who_has_left_sees_no_more_of_the_calendar(
    client, salon, alice, lina, staff, visits, tuesday
):
    url = client.get(f"/api/ressources/{staff}/flux", token=lina.token).json["url"]
    feed = "/flux/" + url.rpartition("/flux/")[2]
    client.get(feed)
    client.call("DELETE", f"/api/ressources/{staff}", expect=200, token=alice.token)
    assert client.get("/api/compte/ressources", token=lina.token).json == []
    assert listed(client, lina) == listed(client, lina, ressource=staff) == []
    client.get(f"{PATH}/{visits[0]}", 404, token=lina.token)
    client.get(feed, 404)
    client.get(f"/api/ressources/{staff}/flux", 403, token=lina.token)
    salon.book(lina, salon.at(tuesday, "11:00"), 403, client=ZOE)


def test_she_reads_the_feed_of_her_calendar_until_another_account_runs_it(
    client, alice, lina, staff, other, visits
):
    url = client.get(f"/api/ressources/{staff}/flux", token=lina.token).json["url"]
    client.get(f"/api/ressources/{other}/flux", 403, token=lina.token)
    feed = "/flux/" + url.rpartition("/flux/")[2]
    assert "DTSTART" in client.get(feed).text
    client.put(f"/api/ressources/{staff}", {**LEA, "compte": lina.email}, token=alice.token)
    client.get(feed)
    client.put(f"/api/ressources/{staff}", LEA, token=alice.token)
    client.get(feed, 404)


def test_the_feed_of_somebody_who_left_stays_revoked_after_her_return(
    client, alice, lina, staff
):
    url = client.get(f"/api/ressources/{staff}/flux", token=lina.token).json["url"]
    feed = "/flux/" + url.rpartition("/flux/")[2]
    client.get(feed)
    body = {**LEA, "compte": lina.email}
    for actif in (False, True):
        client.put(f"/api/ressources/{staff}", {**body, "actif": actif}, token=alice.token)
        client.get(feed, 404)


def test_the_feed_of_her_calendar_is_not_found_while_her_account_is_disabled(
    client, db, lina, staff, other, alice, visits
):
    paths = [
        urlsplit(client.get(f"/api/ressources/{one}/flux", token=alice.token).json["url"]).path
        for one in (staff, other)
    ]
    accounts.disable(db, lina.email, now())
    for path, expect in zip(paths, (404, 200), strict=True):
        client.get(path, expect)
    accounts.enable(db, lina.email)
    for path in paths:
        client.get(path)
