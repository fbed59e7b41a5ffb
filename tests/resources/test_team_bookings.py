"""Booking with a person of a team: free times, choice, moves, and alternatives."""

import random
from datetime import timedelta

import pytest

from reservation.domain.booking.requests import Request
from reservation.domain.calendar import availability
from reservation.domain.customers.records import Details
from reservation.storage.models import Creneau, Prestation, Reservation, Ressource
from tests import outboxes, teams
from tests.conftest import ROSE


@pytest.fixture
def paul(db, salon, ines):
    return teams.add(db, salon.id, "Paul")


@pytest.fixture
def put(client):
    def put(by, seen, expect=200, **body):
        path = f"/api/reservations/{seen['id']}"
        return client.put(path, {"version": seen["version"], **body}, expect, token=by.token).json

    return put


@pytest.fixture
def taken(db):
    """Returns the number of places taken in the calendar of a person or a room."""

    def taken(ressource_id):
        rows = Creneau.select().where(Creneau.ressource == ressource_id).execute(db)
        return sum(row.places_prises for row in rows)

    return taken


def who(starts, time):
    return {one["debut"][11:16]: one["ressources"] for one in starts}[time]


def test_a_business_with_one_person_mentions_nobody(salon, lea, tuesday):
    assert "ressources" not in salon.free(tuesday)[0]
    assert "ressources" not in salon.free(tuesday, tous=1)[0]


def test_each_free_time_says_who_is_free(salon, chloe, lea, ines, tuesday):
    assert who(salon.free(tuesday), "10:00") == [lea, ines]
    assert len(salon.free(tuesday)) == 14
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=ines)
    assert who(salon.free(tuesday), "10:00") == [lea]
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)
    assert "10:00" not in [one["debut"][11:16] for one in salon.free(tuesday)]
    everything = salon.free(tuesday, tous=1)
    assert who(everything, "10:00") == []
    assert who(everything, "10:30") == [lea, ines]
    assert salon.free(tuesday, prochain=1)[0]["ressources"] == [lea, ines]


@pytest.mark.parametrize("step", [20, 30])
def test_the_free_times_of_a_team_are_those_of_its_persons(
    client, db, salon, alice, chloe, lea, ines, paul, tuesday, step
):
    """With slots of 20 minutes, a visit of 30 minutes needs two."""
    chance = random.Random(step)
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": step, "capacite": 2}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    own = {"semaine": [{"jour": 2, "debut": "10:00", "fin": "13:00", "pasMinutes": 60}]}
    client.put(f"/api/ressources/{paul}/semainetype", own, token=alice.token)
    salon.free(tuesday)
    for slot in Creneau.select().where(Creneau.ressource.in_([lea, ines, paul])).execute(db):
        taken = chance.randint(0, slot.capacite)
        Creneau.update(places_prises=taken).where(Creneau.id == slot.id).execute(db)
    for places in (1, 2):
        expected = {}
        for person in (lea, ines, paul):
            for one in salon.free(tuesday, ressource=person, places=places):
                entry = expected.setdefault(one["debut"], [one["fin"], 0, []])
                entry[1] = max(entry[1], one["placesRestantes"])
                entry[2].append(person)
        found = salon.free(tuesday, places=places)
        assert len(found) > 3 // places
        assert {
            one["debut"]: [one["fin"], one["placesRestantes"], one["ressources"]] for one in found
        } == expected
        assert [one["debut"] for one in found] == sorted(expected)
        judged = salon.free(tuesday, places=places, tous=1)  # slot by slot, not by the database
        assert [(one["debut"], one["ressources"]) for one in judged if "motif" not in one] == [
            (one["debut"], one["ressources"]) for one in found
        ]


@pytest.mark.parametrize("how", [{}, {"tous": 1}, {"prochain": 1}])
def test_a_time_has_as_many_places_left_as_the_room_and_the_buffers(
    client, db, salon, alice, chloe, lea, ines, tuesday, how
):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 5}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    rooms = [teams.add(db, salon.id, f"Cabine {number}", "lieu") for number in (1, 2)]
    Prestation.update(lieu_requis=True, tampon_apres=30).where(
        Prestation.id == salon.coupe
    ).execute(db)
    salon.free(tuesday)
    Creneau.update(places_prises=3).where(Creneau.ressource == rooms[0]).execute(db)
    Creneau.update(places_prises=4).where(Creneau.ressource == rooms[1]).execute(db)
    half_past = Creneau.select().where(Creneau.id == salon.at(tuesday, "09:30")).first(db)
    Creneau.update(places_prises=4).where(
        Creneau.ressource.in_([lea, ines]) & (Creneau.debut == half_past.debut)
    ).execute(db)
    first = salon.free(tuesday, **how)[0]
    assert (first["debut"][11:16], first["placesRestantes"]) == ("09:00", 1)
    if "prochain" not in how:
        left = {one["debut"][11:16]: one["placesRestantes"] for one in salon.free(tuesday, **how)}
        assert left == {
            "09:00": 1, "09:30": 1, "10:00": 2, "10:30": 2, "11:00": 2, "11:30": 2,
        }
    salon.book(chloe, salon.at(tuesday, "10:00"), places=3, expect=409)
    salon.book(chloe, salon.at(tuesday, "10:00"), places=2)


def test_a_business_moves_a_visit_to_another_room_and_a_customer_does_not(
    db, salon, alice, chloe, lea, tuesday, put, taken
):
    rooms = [teams.add(db, salon.id, name, "lieu") for name in ("Cabine 1", "Cabine 2")]
    Prestation.update(lieu_requis=True).execute(db)
    seen = salon.book(chloe, salon.at(tuesday, "10:00"))
    assert put(chloe, seen, 403, lieuId=rooms[1])["code"] == "not_permitted"
    refused = put(alice, seen, 400, lieuId=lea)
    assert refused["champs"]["lieuId"]["code"] == "cannot_perform"
    assert put(alice, seen, lieuId=rooms[1])["lieu"] == {"id": rooms[1], "nom": "Cabine 2"}
    assert [taken(room) for room in rooms] == [0, 1]


def test_a_business_books_in_the_room_that_it_names_and_a_customer_names_none(
    db, client, salon, alice, chloe, lea, ines, tuesday, taken
):
    rooms = [teams.add(db, salon.id, name, "lieu") for name in ("Cabine 1", "Cabine 2")]
    Prestation.update(lieu_requis=True).execute(db)
    ten = salon.at(tuesday, "10:00")
    refused = salon.book(chloe, ten, expect=403, lieuId=rooms[1])
    assert refused["code"] == "not_permitted"
    refused = salon.book(alice, ten, expect=400, client=ROSE, lieuId=lea)
    assert refused["champs"]["lieuId"]["code"] == "cannot_perform"
    made = salon.book(alice, ten, client=ROSE, lieuId=rooms[1])
    assert made["lieu"] == {"id": rooms[1], "nom": "Cabine 2"}
    assert [taken(room) for room in rooms] == [0, 1]
    path = f"/api/entreprises/{salon.id}/creneaux/internes?prestation={salon.coupe}"
    path += f"&du={tuesday}&au={tuesday}"
    for room, is_free in zip(rooms, (True, False), strict=True):
        found = client.get(f"{path}&lieu={room}", token=alice.token).json
        assert ("10:00" in [one["debut"][11:16] for one in found]) == is_free
    client.get(f"{path}&lieu={lea}", 400, token=alice.token)
    refused = salon.book(alice, ten, expect=409, client=ROSE, lieuId=rooms[1])
    assert "10:00" not in [one["debut"][11:16] for one in refused["alternatives"]]


def test_the_owner_gets_the_slots_of_a_room_itself(
    db, client, salon, alice, bob, lea, ines, tuesday
):
    room = teams.add(db, salon.id, "Cabine", "lieu")
    morning = {"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 60, "capacite": 1}
    week = {"semaine": [morning]}
    client.put(f"/api/ressources/{room}/semainetype", week, token=alice.token)
    Prestation.update(lieu_requis=True, tampon_apres=30).execute(db)
    salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    path = f"/api/entreprises/{salon.id}/creneaux/internes?du={tuesday}&au={tuesday}&tous=1"
    found = client.get(f"{path}&lieu={room}", token=alice.token).json
    assert [(one["debut"][11:16], one.get("motif")) for one in found] == [
        ("09:00", None), ("10:00", "complet"), ("11:00", None),
    ]
    assert all("ressources" not in one for one in found)
    for other in (lea, room + 1):
        client.get(f"{path}&lieu={other}", 400, token=alice.token)
    client.get(f"{path}&lieu={room}&ressource={lea}", 400, token=alice.token)
    client.get(f"{path}&lieu={room}", 403, token=bob.token)
    teams.retire(db, room)
    client.get(f"{path}&lieu={room}", 400, token=alice.token)


@pytest.mark.parametrize("name", ["ressourceId", "lieuId"])
def test_a_repeated_request_that_names_somebody_or_a_room_makes_one_booking(
    db, salon, alice, lea, tuesday, name
):
    room = teams.add(db, salon.id, "Cabine", "lieu")
    Prestation.update(lieu_requis=True).execute(db)
    body = {
        "creneau": salon.at(tuesday, "10:00"), "client": ROSE,
        name: {"ressourceId": lea, "lieuId": room}[name],
    }
    made, again = (salon.book(alice, key="once", **body)["id"] for _ in range(2))
    assert made == again
    del body[name]
    salon.book(alice, key="once", expect=422, **body)


def test_the_next_time_of_a_list_has_the_places_of_the_room(client, db, salon, alice, tuesday):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 5}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    room = teams.add(db, salon.id, "Cabine", "lieu")
    Prestation.update(lieu_requis=True).execute(db)
    salon.free(tuesday)
    Creneau.update(places_prises=3).where(Creneau.ressource == room).execute(db)
    shown = client.get(f"/api/entreprises?disponible={tuesday}").json[0]["prochainCreneau"]
    assert shown["placesRestantes"] == 2


@pytest.mark.parametrize("buffer", [0, 30])  # with a buffer, the search checks all slots
@pytest.mark.parametrize("small", [0, 1])
def test_the_next_time_of_a_list_has_the_places_of_the_person_with_the_most(
    client, db, salon, alice, lea, ines, tuesday, small, buffer
):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 5}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    Prestation.update(tampon_apres=buffer).execute(db)
    salon.free(tuesday)
    Creneau.update(places_prises=4).where(Creneau.ressource == (lea, ines)[small]).execute(db)
    shown = client.get(f"/api/entreprises?disponible={tuesday}").json[0]["prochainCreneau"]
    assert (shown["debut"][11:16], shown["placesRestantes"]) == ("09:00", 5)


def test_a_refused_time_has_the_places_of_the_best_person_or_room(
    client, db, salon, alice, lea, ines, tuesday
):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 5}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    salon.free(tuesday)
    Creneau.update(places_prises=4).where(Creneau.ressource == lea).execute(db)
    Creneau.update(places_prises=2).where(Creneau.ressource == ines).execute(db)
    refused = salon.free(tuesday, places=4, tous=1)[0]
    assert (refused["motif"], refused["placesRestantes"]) == ("complet", 3)
    teams.add(db, salon.id, "Cabine", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    salon.free(tuesday)
    Creneau.update(places_prises=5).where(Creneau.ressource.not_in([lea, ines])).execute(db)
    refused = salon.free(tuesday, tous=1)[0]
    assert (refused["motif"], refused["placesRestantes"]) == ("complet", 0)


@pytest.mark.parametrize("how", [{}, {"tous": 1}, {"prochain": 1}])
def test_the_times_of_one_person_are_only_those_of_the_person(
    salon, chloe, lea, ines, tuesday, how
):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=ines)
    of_lea = salon.free(tuesday, ressource=lea, **how)
    of_ines = salon.free(tuesday, ressource=ines, **how)
    assert (of_lea[0]["debut"][11:16], of_lea[0]["ressources"]) == ("09:00", [lea])
    if "tous" in how:
        assert (of_ines[0]["motif"], of_ines[0]["ressources"]) == ("complet", [])
    else:
        assert (of_ines[0]["debut"][11:16], of_ines[0]["ressources"]) == ("09:30", [ines])


def test_a_person_who_does_not_perform_the_service_is_refused(
    client, db, salon, make_salon, bob, chloe, lea, ines, tuesday
):
    teams.performs(db, salon.couleur, ines)
    stranger = teams.name(db, make_salon(bob).id, "Zoé")
    cabin = teams.add(db, salon.id, "Cabine 1", "lieu")
    path = f"/api/entreprises/{salon.id}/creneaux?prestation={salon.couleur}"
    creneau = salon.at(tuesday, "10:00")
    for person in (lea, stranger, cabin, 10**6):
        told = client.get(f"{path}&ressource={person}", expect=400).json["champs"]
        assert told["ressource"]["code"] == "cannot_perform"
        refused = salon.book(
            chloe, creneau, expect=400, prestationId=salon.couleur, ressourceId=person
        )
        assert refused["champs"]["ressourceId"]["code"] == "cannot_perform"
    assert who(salon.free(tuesday, salon.couleur), "10:00") == [ines]
    booked = salon.book(chloe, creneau, prestationId=salon.couleur)
    assert booked["ressource"] == {"id": ines, "nom": "Inès"}
    champs = client.get(
        f"/api/entreprises/{salon.id}/creneaux?ressource={stranger}", expect=400
    ).json["champs"]
    assert set(champs) == {"ressource"}


def test_nobody_performs_a_service_whose_only_person_is_retired(db, salon, lea, ines, tuesday):
    teams.performs(db, salon.couleur, ines)
    teams.retire(db, ines)
    assert salon.free(tuesday, salon.couleur) == []
    assert salon.free(tuesday, salon.couleur, prochain=1) == []
    assert len(salon.free(tuesday)) == 14


def test_the_slot_of_a_request_may_be_that_of_another_person(salon, chloe, lea, ines, tuesday):
    creneau = salon.at(tuesday, "10:00")  # Léa's
    booked = salon.book(chloe, creneau, ressourceId=ines)
    assert booked["ressource"] == {"id": ines, "nom": "Inès"}
    assert booked["creneauId"] != creneau
    assert salon.book(chloe, creneau, ressourceId=None)["ressource"]["id"] == lea


def test_a_booking_without_a_preference_goes_to_who_has_least_to_do_that_day(
    salon, chloe, lea, ines, paul, tuesday
):
    def booked(time, **body):
        return salon.book(chloe, salon.at(tuesday, time), **body)["ressource"]["id"]

    assert [booked("09:00"), booked("09:30"), booked("10:00")] == [lea, ines, paul]
    assert booked("14:00", ressourceId=lea, prestationId=salon.couleur) == lea
    assert [booked("10:30"), booked("11:00"), booked("11:30")] == [ines, paul, ines]
    assert booked("14:00") == paul
    assert salon.book(chloe, salon.at(tuesday + timedelta(days=1), "09:00"))["ressource"][
        "id"] == lea  # the other day does not count


def test_the_person_and_the_room_are_shown_once_they_have_names(
    client, db, salon, alice, chloe, tuesday
):
    plain = salon.book(chloe, salon.at(tuesday, "09:00"))
    assert not {"ressource", "lieu"} & set(plain)
    lea = teams.name(db, salon.id, "Léa")
    cabin = teams.add(db, salon.id, "Cabine 1", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.couleur).execute(db)
    both = salon.book(chloe, salon.at(tuesday, "10:00"), prestationId=salon.couleur)
    names = {"ressource": {"id": lea, "nom": "Léa"}, "lieu": {"id": cabin, "nom": "Cabine 1"}}
    assert names.items() <= both.items()
    for person in (alice, chloe):
        one = client.get(f"/api/reservations/{both['id']}", token=person.token).json
        assert names.items() <= one.items()
        first, second = client.get("/api/reservations", token=person.token).json
        assert first["ressource"] == names["ressource"] and "lieu" not in first
        assert second == one


def test_a_visit_is_refused_while_every_room_is_taken(db, salon, chloe, lea, ines, tuesday, taken):
    cabin = teams.add(db, salon.id, "Cabine 1", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.couleur).execute(db)
    creneau = salon.at(tuesday, "10:00")
    salon.book(chloe, creneau, prestationId=salon.couleur, ressourceId=lea)
    refused = salon.book(
        chloe, creneau, expect=409, prestationId=salon.couleur, ressourceId=ines
    )
    assert refused["motif"] == "complet"
    assert (taken(ines), taken(cabin)) == (0, 3)
    assert "10:00" not in [one["debut"][11:16] for one in salon.free(tuesday, salon.couleur)]
    assert salon.book(chloe, creneau, ressourceId=ines)["statut"] == "confirmee"  # no room needed


def test_alternatives_for_a_person_are_her_times_and_the_same_time_with_somebody_else(
    salon, chloe, bob, lea, ines, tuesday
):
    creneau = salon.at(tuesday, "10:00")
    salon.book(chloe, creneau, ressourceId=lea)
    salon.book(chloe, salon.at(tuesday, "10:30"), ressourceId=ines)
    for time in ("09:30", "10:30"):
        salon.book(chloe, salon.at(tuesday, time), ressourceId=lea)
    refused = salon.book(bob, creneau, expect=409, ressourceId=lea)
    shown = {one["debut"][11:16]: one["ressources"] for one in refused["alternatives"]}
    assert shown == {"09:00": [lea, ines], "10:00": [ines], "11:00": [lea, ines]}
    salon.book(chloe, creneau, ressourceId=ines)
    anybody = salon.book(bob, creneau, expect=409)
    shown = {one["debut"][11:16]: one["ressources"] for one in anybody["alternatives"]}
    assert shown == {"09:00": [lea, ines], "09:30": [ines], "11:00": [lea, ines]}


def test_a_person_without_any_free_time_leaves_the_times_of_the_others(
    db, salon, chloe, bob, lea, ines, tuesday
):
    Ressource.update(semaine_propre=True).where(Ressource.id == lea).execute(db)  # no hours
    creneau = salon.at(tuesday, "10:00")
    salon.book(chloe, creneau, ressourceId=ines)
    refused = salon.book(bob, creneau, expect=409, ressourceId=lea)
    assert {tuple(one["ressources"]) for one in refused["alternatives"]} == {(ines,)}


def test_a_move_to_another_person_gives_the_old_place_back(
    salon, chloe, lea, ines, tuesday, put, taken, db
):
    seen = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)
    outboxes.empty(db)
    moved = put(chloe, seen, ressourceId=ines)
    assert moved["ressource"] == {"id": ines, "nom": "Inès"}
    assert (moved["debut"], moved["version"]) == (seen["debut"], 2)
    assert (taken(lea), taken(ines)) == (0, 1)
    assert {post.genre for post in outboxes.posts(db)} == {"deplacee", "deplacement", "rappel"}
    later = put(chloe, moved, ressourceId=lea, creneauId=salon.at(tuesday, "11:00"))
    assert (later["ressource"]["id"], later["debut"][11:16]) == (lea, "11:00")
    assert (taken(lea), taken(ines)) == (1, 0)


def test_a_move_that_fails_changes_nothing(
    db, salon, chloe, bob, lea, ines, tuesday, put, taken
):
    creneau = salon.at(tuesday, "10:00")
    seen = salon.book(chloe, creneau, ressourceId=lea)
    salon.book(bob, creneau, ressourceId=ines)
    before = list(Reservation.select().tuples().execute(db))
    outboxes.empty(db)
    refused = put(chloe, seen, expect=409, ressourceId=ines)
    assert refused["motif"] == "complet"
    assert "10:00" not in [one["debut"][11:16] for one in refused["alternatives"]]
    assert {ines} <= set(refused["alternatives"][0]["ressources"])
    assert put(chloe, seen, expect=400, ressourceId=10**6)["champs"].keys() == {"ressourceId"}
    assert list(Reservation.select().tuples().execute(db)) == before
    assert (taken(lea), taken(ines)) == (1, 1)
    assert outboxes.posts(db) == []


def test_what_a_person_lacks_is_not_taken_in_part(
    salon, chloe, lea, ines, tuesday, taken, monkeypatch
):
    """Another request takes a slot of Léa between the check and the UPDATE."""
    salon.book(chloe, salon.at(tuesday, "11:00"), ressourceId=lea)
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=ines)
    salon.book(chloe, salon.at(tuesday, "09:30"), ressourceId=ines)  # Léa is chosen first
    monkeypatch.setattr(availability, "refusal_of", lambda *_: None)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"), prestationId=salon.couleur)
    assert booked["ressource"]["id"] == ines
    assert (taken(lea), taken(ines)) == (1, 5)


def test_a_moved_visit_keeps_its_person_who_is_free_then(salon, chloe, lea, ines, tuesday, put):
    for time in ("09:00", "09:30"):
        salon.book(chloe, salon.at(tuesday, time), ressourceId=ines)
    seen = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=ines)
    moved = put(chloe, seen, creneauId=salon.at(tuesday, "11:00"))  # Inès has most to do
    assert moved["ressource"]["id"] == ines
    taken_time = salon.at(tuesday, "09:00")
    assert put(chloe, moved, creneauId=taken_time)["ressource"]["id"] == lea


def test_a_moved_visit_keeps_its_room(db, salon, chloe, lea, ines, tuesday, put):
    first, second = (teams.add(db, salon.id, f"Cabine {n}", "lieu") for n in (1, 2))
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    other = salon.book(chloe, salon.at(tuesday, "10:00"))
    seen = salon.book(chloe, salon.at(tuesday, "10:00"))
    assert (other["lieu"]["id"], seen["lieu"]["id"]) == (first, second)
    moved = put(chloe, seen, creneauId=salon.at(tuesday, "11:00"))
    assert moved["lieu"]["id"] == second


def test_a_visit_beyond_a_shorter_horizon_gets_another_person_and_room(
    client, db, salon, alice, chloe, lea, ines, tuesday, put
):
    first, second = (teams.add(db, salon.id, f"Cabine {n}", "lieu") for n in (1, 2))
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    seen = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)
    rules = {"nom": "Salon alice", "ville": "Lyon", "horizonJours": 1}
    client.put(f"/api/entreprises/{salon.id}", rules, token=alice.token)
    moved = put(chloe, seen, ressourceId=ines)
    assert (moved["ressource"]["id"], moved["lieu"]["id"]) == (ines, first)
    client.delete(f"/api/ressources/{first}?vers={second}", 200, token=alice.token)
    kept = client.get(f"/api/reservations/{seen['id']}", token=chloe.token).json
    assert (kept["lieu"]["id"], kept["debut"]) == (second, seen["debut"])


def test_the_booking_of_who_performs_no_longer_stays_until_it_is_moved(
    client, db, salon, chloe, lea, ines, paul, tuesday, put
):
    seen = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=paul)
    teams.performs(db, salon.coupe, lea, ines)
    same = put(chloe, seen, commentaire="Merci", ressourceId=paul)
    assert same["ressource"]["id"] == paul
    assert put(chloe, same, expect=400, ressourceId=paul, creneauId=salon.at(tuesday, "11:00"))
    moved = put(chloe, same, creneauId=salon.at(tuesday, "11:00"))
    assert moved["ressource"]["id"] in (lea, ines)


def test_a_repeated_request_is_the_same_across_the_upgrade():
    """Digests of earlier versions: before there were persons, and before versions of services."""
    plain, of_person = Request(4, 5), Request(4, 5, ressource_id=9)
    full = Request(4, 5, 2, "é", Details("Petit", "Nadia", "nadia@example.fr", "06"), "k")
    assert plain.digest() == "a6a10fc86f31cfaf19dacf506b1cd2407f45c5ce261c51c4fd9dbeb8cb778ff2"
    assert full.digest() == "df81c4ebdcb500244848282bc3585b28067d0c4864f75ab95e7f156a1a3111a5"
    digest = "1baa47a43df233947e29be64630de0008d662e788956c67f529a20d1b0371c23"
    assert of_person.digest() == of_person._replace(prestation_version=2).digest() == digest


def test_a_repeated_request_for_another_person_is_another_request(
    salon, chloe, lea, ines, tuesday
):
    creneau = salon.at(tuesday, "10:00")
    first = salon.book(chloe, creneau, key="k", ressourceId=ines)
    assert salon.book(chloe, creneau, key="k", ressourceId=ines) == first
    salon.book(chloe, creneau, expect=422, key="k", ressourceId=lea)
    salon.book(chloe, creneau, expect=422, key="k")


def test_more_places_at_the_same_time_need_notice(client, salon, alice, chloe, tuesday, put):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 3}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    seen = salon.book(chloe, salon.at(tuesday, "10:00"), places=2)
    rules = {"nom": "Salon alice", "ville": "Lyon", "delaiReservation": 30 * 1440}
    client.put(f"/api/entreprises/{salon.id}", rules, token=alice.token)
    assert put(chloe, seen, 409, places=3)["motif"] == "delai"
    assert put(chloe, seen, places=1)["places"] == 1
