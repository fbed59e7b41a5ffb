"""Services and events of a business with several persons and rooms."""

import pytest

from reservation.domain.planning import ressources
from reservation.lib.holidays import public_holidays
from tests import outboxes

SERVICE = {"nom": "Coupe", "dureeMinutes": 30}


@pytest.fixture
def add(client, salon, alice):
    """Adds a person or a room to the salon, and returns its id: add("Léa", genre="lieu")."""

    def add(nom, **fields):
        path = f"/api/entreprises/{salon.id}/ressources"
        return client.post(path, {"nom": nom, **fields}, 201, token=alice.token).json["id"]

    return add


@pytest.fixture
def team(client, salon, add):
    """Adds Léa. Returns the ids of Alice's own ressource and of Léa."""
    lea = add("Léa")
    return client.get(f"/api/entreprises/{salon.id}/ressources").json[0]["id"], lea


@pytest.fixture
def offer(client, salon, alice):
    """Replaces the service `coupe`: offer(ressources=[1])."""

    def offer(expect=200, **fields):
        path = f"/api/prestations/{salon.coupe}"
        return client.put(path, {**SERVICE, **fields}, expect, token=alice.token).json

    return offer


@pytest.fixture
def close(client, salon, alice, tuesday):
    """Adds an event on the Tuesday, by default a closure of the whole day."""

    def close(expect=201, query="", **fields):
        body = {
            "type": "fermeture", "titre": "Congé", "debut": f"{tuesday}T00:00:00+01:00",
            "fin": f"{tuesday}T23:00:00+01:00", **fields,
        }
        path = f"/api/entreprises/{salon.id}/evenements{query}"
        return client.post(path, body, expect, token=alice.token).json

    return close


def retire(client, alice, number):
    client.call("DELETE", f"/api/ressources/{number}", expect=200, token=alice.token)


def ids(rows):
    return [row["id"] for row in rows]


def test_a_service_shows_who_performs_it_and_a_person_what_she_performs(
    client, salon, team, offer
):
    own, lea = team
    assert offer(ressources=[lea, own, lea])["ressources"] == [own, lea]
    assert client.get(f"/api/prestations/{salon.coupe}").json["ressources"] == [own, lea]
    for path in (f"/api/entreprises/{salon.id}/prestations", "/api/prestations"):
        shown = {one["id"]: one["ressources"] for one in client.get(path).json}
        assert shown == {salon.coupe: [own, lea], salon.couleur: []}
    assert client.get(f"/api/ressources/{lea}").json["prestations"] == [salon.coupe]
    assert offer()["ressources"] == []
    assert client.get(f"/api/ressources/{lea}").json["prestations"] == []


def test_a_service_names_the_kinds_of_which_it_lists_only_retired_ones(
    client, salon, alice, team, add, offer
):
    lea, sam, room = team[1], add("Sam"), add("Cabine", genre="lieu")
    offer(ressources=[lea, sam, room])
    for number, kinds in ((lea, None), (sam, ["personne"]), (room, ["lieu", "personne"])):
        retire(client, alice, number)
        shown = client.get(f"/api/entreprises/{salon.id}/prestations").json
        assert {one["id"]: one.get("genresRetires") for one in shown} == {
            salon.coupe: kinds, salon.couleur: None
        }
        assert client.get(f"/api/prestations/{salon.coupe}").json.get("genresRetires") == kinds


def test_a_person_does_not_show_retired_services(client, salon, alice, team, offer):
    offer(ressources=[team[1]])
    client.delete(f"/api/prestations/{salon.coupe}", token=alice.token)
    assert client.get(f"/api/ressources/{team[1]}").json["prestations"] == []


def test_only_those_who_are_listed_perform_a_service(salon, tuesday, team, offer, close):
    own, lea = team
    offer(ressources=[lea])
    close(ressourceId=lea)
    assert salon.free(tuesday) == []
    assert salon.free(tuesday, salon.couleur)


def test_a_new_service_lists_its_persons(client, salon, alice, team):
    path = f"/api/entreprises/{salon.id}/prestations"
    made = client.post(path, {**SERVICE, "ressources": [team[1]]}, 201, token=alice.token).json
    assert made["ressources"] == [team[1]]
    refused = client.post(path, {**SERVICE, "ressources": [99]}, 400, token=alice.token).json
    assert refused["champs"]["ressources"]["code"] == "unknown_ressource"
    assert len(client.get(path).json) == 3


@pytest.mark.parametrize("wrong", [[0], ["1"], [None], 1, None, [1] * 201])
def test_the_list_of_a_service_has_ids(offer, wrong):
    assert {key.partition(".")[0] for key in offer(400, ressources=wrong)["champs"]} == {
        "ressources"
    }


def test_a_service_lists_only_active_named_ressources_of_its_business(
    client, db, make_salon, bob, alice, team, offer, add
):
    other = make_salon(bob)
    theirs = db.rows("SELECT id FROM ressource WHERE entreprise_id = ?", other.id)[0][0]
    gone = add("Zoé")
    retire(client, alice, gone)
    for number in (theirs, gone, 10**6):
        champs = offer(400, ressources=[team[1], number])["champs"]
        assert champs["ressources"]["code"] == "unknown_ressource"


def test_a_service_keeps_a_person_who_has_retired(client, alice, team, offer):
    offer(ressources=[team[1]])
    retire(client, alice, team[1])
    assert offer(ressources=[team[1]], nom="Coupe longue")["ressources"] == [team[1]]
    assert offer()["ressources"] == []
    offer(400, ressources=[team[1]])


def test_a_nameless_person_cannot_be_listed(db, salon, offer):
    (number,) = db.rows("SELECT id FROM ressource WHERE entreprise_id = ?", salon.id)[0]
    champs = offer(400, ressources=[number])["champs"]
    assert champs["ressources"]["code"] == "unknown_ressource"


def test_a_service_that_needs_a_room_needs_an_active_room(
    client, salon, alice, tuesday, offer, add
):
    assert offer(400, lieuRequis=True)["champs"]["lieuRequis"]["code"] == "no_room"
    assert offer(lieuRequis=True, actif=False)["lieuRequis"] is True
    cabin = add("Cabine", genre="lieu")
    assert offer(lieuRequis=True)["lieuRequis"] is True
    assert salon.free(tuesday)
    refused = client.call(
        "DELETE", f"/api/ressources/{cabin}", expect=409, token=alice.token
    ).json
    assert refused["code"] == "last_room"
    offer()
    retire(client, alice, cabin)
    assert offer(400, lieuRequis=True)["champs"]["lieuRequis"]["code"] == "no_room"


def test_a_service_that_lists_persons_waits_for_the_lock_of_its_business(
    db, salon, team, offer, monkeypatch
):
    sql = "SELECT calendrier_version FROM entreprise"
    before = db.rows(sql)[0][0]
    offer()
    assert db.rows(sql)[0][0] == before
    offer(ressources=[team[1]])
    assert db.rows(sql)[0][0] == before + 1


def test_an_event_of_a_person_closes_only_the_calendar_of_this_person(
    client, salon, chloe, tuesday, team, close
):
    own, lea = team
    made = close(ressourceId=lea)
    assert made["ressourceId"] == lea
    assert client.get(f"/api/evenements/{made['id']}").json["ressourceId"] == lea
    assert salon.free(tuesday)
    close(ressourceId=own)
    assert salon.free(tuesday) == []


def test_an_event_of_a_person_strands_only_bookings_of_this_person(
    db, salon, chloe, tuesday, team, offer, close
):
    own, lea = team
    offer(ressources=[lea])
    hers = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    offer(ressources=[own])
    salon.book(chloe, salon.at(tuesday, "10:00"))
    outboxes.empty(db)
    for query, expect in (("?essai=1", 200), ("", 201)):
        answer = close(expect, query, ressourceId=lea)
        assert ids(answer["reservationsTouchees"]) == [hers]
    told = db.rows("SELECT reservation_id FROM eventemail WHERE genre = 'fermeture'")
    assert told == [(hers,)]


def test_an_event_moves_from_one_person_to_another(client, salon, alice, tuesday, team, close):
    own, lea = team
    made = close(ressourceId=lea)
    close(ressourceId=own)
    body = {key: made[key] for key in ("type", "titre", "debut", "fin")}
    path = f"/api/evenements/{made['id']}"
    tried = client.put(f"{path}?essai=1", {**body, "ressourceId": own}, token=alice.token).json
    assert (tried["ressourceId"], salon.free(tuesday)) == (own, [])
    changed = client.put(path, {**body, "ressourceId": own}, token=alice.token).json
    assert changed["ressourceId"] == own
    assert salon.free(tuesday)


def test_an_event_names_a_ressource_of_its_business(client, db, make_salon, bob, alice, close):
    for (number,) in db.rows("SELECT id FROM ressource"):  # the nameless one
        close(400, ressourceId=number)
    other = make_salon(bob)
    path = f"/api/entreprises/{other.id}/ressources"
    theirs = client.post(path, {"nom": "Zoé"}, 201, token=bob.token).json["id"]
    for number in (theirs, 10**6):
        for query in ("", "?essai=1"):
            champs = close(400, query, ressourceId=number)["champs"]
            assert champs["ressourceId"]["code"] == "unknown_ressource"


def test_events_are_filtered_by_person(client, salon, team, close):
    own, lea = team
    made = {who: close(ressourceId=who)["id"] for who in (None, own, lea)}
    path = f"/api/entreprises/{salon.id}/evenements"
    assert ids(client.get(path).json) == [*made.values()]
    assert ids(client.get(f"{path}?ressource={lea}").json) == [made[None], made[lea]]
    assert ids(client.get(f"{path}?ressource={own}&limite=1").json) == [made[None]]
    client.get(f"{path}?ressource=x", 400)


def test_a_holiday_of_one_person_is_not_that_of_the_business(client, salon, alice, team):
    day, name = next(iter(public_holidays(2030).items()))
    body = {
        "type": "fermeture", "titre": name, "debut": f"{day}T00:00:00+01:00",
        "fin": f"{day}T23:00:00+01:00", "ressourceId": team[1],
    }
    path = f"/api/entreprises/{salon.id}/evenements"
    client.post(path, body, 201, token=alice.token)
    assert len(client.post(f"{path}/feries", {"annee": 2030}, 201, token=alice.token).json) == 11


def test_the_kinds_of_active_ressources_decide(db, salon, team, add):
    add("Cabine", genre="lieu")
    kinds = ressources.active_kinds(db, salon.id)
    assert sorted(kinds) == ["lieu", "personne", "personne"]
    assert sorted(ressources.active_kinds(db, salon.id, team[1])) == ["lieu", "personne"]
