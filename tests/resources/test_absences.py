"""The absence of a person: proposals for the visits, moves, and a closure."""

from datetime import timedelta

import pytest

from reservation.domain.budget import Budget
from reservation.domain.planning import absences
from reservation.storage.models import Creneau, Evenement, Prestation, Reservation, Ressource
from tests import outboxes, teams
from tests.clock import now


@pytest.fixture
def ask(client, alice, lea, tuesday):
    """Returns the proposals for an absence of Léa on Tuesday."""

    def ask(expect=200, **dates):
        du, au = dates.get("du", tuesday), dates.get("au", tuesday)
        path = f"/api/ressources/{lea}/absence?du={du}&au={au}"
        return client.get(path, expect, token=alice.token).json

    return ask


@pytest.fixture
def apply(client, alice, lea, tuesday):
    """Accepts proposals for an absence of Léa on Tuesday."""

    def apply(proposals, expect=200, **body):
        moves = [
            {
                "reservation": one["reservation"]["id"],
                "version": one["reservation"]["version"],
                "ressourceId": one["proposition"]["ressource"]["id"],
                "creneauId": one["proposition"]["creneauId"],
            }
            for one in proposals
        ]
        path = f"/api/ressources/{lea}/absence?du={tuesday}"
        body = {"deplacements": moves, **body}
        return client.post(path, body, expect, token=alice.token).json

    return apply


def places(proposals):
    """Returns (time, person) of each proposal."""
    found = [one.get("proposition") for one in proposals]
    return [one and (one["debut"][:16], one["ressource"]["nom"]) for one in found]


def book_all(salon, by, person, tuesday, *times):
    return [salon.book(by, salon.at(tuesday, time), ressourceId=person) for time in times]


def test_each_visit_gets_the_same_time_with_somebody_else_or_the_nearest(
    salon, chloe, lea, ines, tuesday, ask
):
    book_all(salon, chloe, lea, tuesday, "09:00", "09:30", "10:00")
    book_all(salon, chloe, ines, tuesday, "09:30")
    assert places(ask()) == [
        (f"{tuesday}T09:00", "Inès"), (f"{tuesday}T10:30", "Inès"), (f"{tuesday}T10:00", "Inès")
    ]


def test_a_shorter_horizon_leaves_the_same_time_with_somebody_else(
    salon, chloe, lea, ines, tuesday, ask, rules
):
    book_all(salon, chloe, lea, tuesday, "09:00")
    rules(horizonJours=1)
    assert places(ask()) == [(f"{tuesday}T09:00", "Inès")]


def test_the_same_time_with_somebody_else_has_the_length_of_the_booking(
    client, salon, alice, chloe, lea, ines, tuesday, ask, apply
):
    book_all(salon, chloe, lea, tuesday, "09:00", "10:00")
    book_all(salon, chloe, ines, tuesday, "09:30", "10:00")
    body = {"nom": "Coupe", "dureeMinutes": 60}
    client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)
    proposals = ask()
    assert places(proposals) == [(f"{tuesday}T09:00", "Inès"), (f"{tuesday}T10:30", "Inès")]
    ends = [one["proposition"]["fin"][11:16] for one in proposals]
    assert ends == ["09:30", "11:30"]
    assert [one["deplacee"] for one in apply(proposals)["deplacements"]] == [True, True]


def test_the_same_time_is_not_proposed_for_a_part_of_the_booking(
    client, salon, alice, chloe, lea, ines, tuesday, ask
):
    path = f"/api/prestations/{salon.coupe}"
    client.put(path, {"nom": "Coupe", "dureeMinutes": 60}, token=alice.token)
    book_all(salon, chloe, lea, tuesday, "09:00")
    client.put(path, {"nom": "Coupe", "dureeMinutes": 30}, token=alice.token)
    book_all(salon, chloe, ines, tuesday, "09:30")
    assert places(ask()) == [(f"{tuesday}T10:00", "Inès")]


def test_a_proposal_can_be_accepted_as_it_is(
    salon, chloe, lea, ines, tuesday, ask, apply, db
):
    book_all(salon, chloe, lea, tuesday, "09:00", "09:30", "10:00")
    book_all(salon, chloe, ines, tuesday, "09:30")
    outboxes.empty(db)
    proposals = ask()
    answer = apply(proposals, message="Léa est malade.")
    numbers = [one["reservation"]["id"] for one in proposals]
    assert answer == {
        "deplacements": [{"reservation": id, "deplacee": True} for id in numbers],
        "reservationsTouchees": [],
    }
    assert ask() == []
    told = [post for post in outboxes.posts(db) if post.genre != "rappel"]
    assert [post.genre for post in told] == ["deplacee"] * 3  # one for each, none to the owner
    messages = db.rows("SELECT DISTINCT message FROM eventemail WHERE genre <> 'rappel'")
    assert messages == [("Léa est malade.",)]
    held = Reservation.select().where(Reservation.ressource == ines).order_by(Reservation.debut)
    assert len({row.debut for row in held.execute(db)}) == 4


def test_two_visits_keep_the_room_that_they_share(
    client, db, salon, alice, chloe, lea, ines, tuesday, ask
):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 2}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    teams.add(db, salon.id, "Cabine 1", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    book_all(salon, chloe, lea, tuesday, "09:00", "09:00")
    assert places(ask()) == [(f"{tuesday}T09:00", "Inès")] * 2


def test_a_visit_without_any_other_time_has_no_proposal(salon, chloe, lea, tuesday, ask, db):
    cabin = teams.add(db, salon.id, "Cabine 1", "lieu")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    book_all(salon, chloe, lea, tuesday, "09:00")
    Ressource.update(semaine_propre=True).where(Ressource.id == cabin).execute(db)
    Creneau.update(ouvert=False).where(Creneau.ressource == cabin).execute(db)
    (only,) = ask()
    assert only["reservation"]["ressource"] == {"id": lea, "nom": "Léa"}
    assert "proposition" not in only


def test_who_is_alone_gets_times_after_the_absence(salon, chloe, lea, tuesday, ask):
    book_all(salon, chloe, lea, tuesday, "14:00", "14:30")
    wednesday, monday = tuesday + timedelta(days=1), tuesday - timedelta(days=1)
    for_tuesday = places(ask())
    assert [one[0][:10] for one in for_tuesday] == [str(wednesday)] * 2
    assert len(set(for_tuesday)) == 2
    longer = places(ask(du=monday, au=wednesday))
    assert {one[0][:10] for one in longer} == {str(tuesday + timedelta(days=2))}


def test_a_substitute_can_perform_the_service_and_has_least_to_do(
    salon, db, chloe, lea, ines, tuesday, ask
):
    paul = teams.add(db, salon.id, "Paul")
    teams.performs(db, salon.couleur, lea, paul)
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=lea, prestationId=salon.couleur)
    book_all(salon, chloe, lea, tuesday, "10:30", "11:00")
    assert places(ask()) == [
        (f"{tuesday}T09:00", "Paul"), (f"{tuesday}T10:30", "Inès"), (f"{tuesday}T11:00", "Inès")
    ]


def test_a_substitute_has_a_room_and_two_do_not_share_it(
    salon, db, chloe, lea, ines, tuesday, ask, apply
):
    for number in (1, 2):
        teams.add(db, salon.id, f"Cabine {number}", "lieu")
    teams.add(db, salon.id, "Paul")
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    first = salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=lea)
    other = salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=ines)
    assert first["lieu"] != other["lieu"]
    proposals = ask()
    assert places(proposals) == [(f"{tuesday}T09:00", "Paul")]  # in the room that it holds
    apply(proposals)
    row = Reservation.select().where(Reservation.id == first["id"]).get(db)
    assert row.lieu_id == first["lieu"]["id"]


def test_a_visit_needs_no_notice_for_the_same_time(
    salon, chloe, lea, ines, tuesday, ask, apply, rules
):
    book_all(salon, chloe, lea, tuesday, "09:00")
    rules(delaiReservation=30 * 1440)
    proposals = ask()
    assert places(proposals) == [(f"{tuesday}T09:00", "Inès")]
    assert apply(proposals)["deplacements"][0]["deplacee"]


def test_the_nearest_time_may_be_within_the_notice_because_the_business_moves_the_visit(
    salon, chloe, bob, lea, ines, tuesday, ask, apply, rules
):
    book_all(salon, chloe, lea, tuesday, "09:00")
    book_all(salon, bob, ines, tuesday, "09:00")
    rules(delaiReservation=30 * 1440)
    proposals = ask()
    assert places(proposals) == [(f"{tuesday}T09:30", "Inès")]
    assert apply(proposals)["deplacements"][0]["deplacee"]


def test_a_business_that_is_closed_to_online_bookings_moves_visits_too(
    client, salon, alice, chloe, lea, ines, tuesday, ask, rules
):
    (visit,) = book_all(salon, chloe, lea, tuesday, "09:00")
    rules(actif=False)
    assert places(ask()) == [(f"{tuesday}T09:00", "Inès")]
    path = f"/api/ressources/{lea}?vers={ines}"
    tried = client.delete(f"{path}&essai=1", 200, token=alice.token).json
    done = client.delete(path, 200, token=alice.token).json
    moved = [[one["id"] for one in some["reservationsDeplacees"]] for some in (tried, done)]
    assert moved == [[visit["id"]], [visit["id"]]]


def test_a_move_that_is_no_longer_possible_is_refused_alone(
    client, salon, alice, chloe, bob, lea, ines, tuesday, ask, apply
):
    book_all(salon, chloe, lea, tuesday, "09:00", "09:30", "10:00", "10:30")
    proposals = ask()
    book_all(salon, bob, ines, tuesday, "09:00")
    moved = proposals[1]["reservation"]
    client.put(
        f"/api/reservations/{moved['id']}", {"version": 1, "commentaire": "Oui"}, token=alice.token
    )
    proposals[2]["proposition"]["ressource"]["id"] = 10**6
    done = apply(proposals)
    assert [(one["deplacee"], one.get("code")) for one in done["deplacements"]] == [
        (False, "slot_taken"), (False, "stale_version"), (False, "invalid_input"), (True, None)
    ]
    assert [one["id"] for one in done["reservationsTouchees"]] == [
        one["reservation"]["id"] for one in proposals[:3]
    ]
    again = apply(proposals)["deplacements"]
    assert [one.get("code") for one in again] == [
        "slot_taken", "stale_version", "invalid_input", None
    ]


def test_a_repeated_request_moves_nothing_and_says_that_the_visits_have_moved(
    client, salon, alice, chloe, lea, ines, tuesday, ask, apply, db
):
    """The second visit moves to another time of Léa's own calendar."""
    book_all(salon, chloe, lea, tuesday, "09:00", "09:30")
    proposals = ask()
    proposals[1]["proposition"]["ressource"]["id"] = lea
    proposals[1]["proposition"]["creneauId"] = client.get(
        f"/api/entreprises/{salon.id}/creneaux?prestation={salon.coupe}&ressource={lea}"
        f"&du={tuesday + timedelta(days=1)}"
    ).json[0]["id"]
    first = apply(proposals)
    assert [one["deplacee"] for one in first["deplacements"]] == [True, True]
    told = outboxes.posts(db)
    assert apply(proposals) == first
    assert outboxes.posts(db) == told
    for one in proposals:
        client.delete(f"/api/reservations/{one['reservation']['id']}", token=alice.token)
    codes = [one.get("code") for one in apply(proposals)["deplacements"]]
    assert codes == ["not_found", "stale_version"]


def test_only_bookings_of_the_absent_person_are_moved(
    salon, chloe, lea, ines, tuesday, apply, db
):
    (other,) = book_all(salon, chloe, ines, tuesday, "09:00")
    wanted = {"ressource": {"id": lea}, "creneauId": salon.at(tuesday, "10:00")}
    for number in (other["id"], 10**6):
        move = {"reservation": {"id": number, "version": 1}, "proposition": wanted}
        assert apply([move])["deplacements"][0]["code"] == "not_found"
    assert Reservation.select().get(db).version == 1


def test_a_closure_tells_only_those_who_were_not_moved(
    salon, chloe, bob, lea, ines, tuesday, ask, apply, db
):
    book_all(salon, chloe, lea, tuesday, "09:00")
    book_all(salon, bob, lea, tuesday, "09:30")
    outboxes.empty(db)
    answer = apply(ask()[:1], fermeture="Absence")
    assert [one["debut"][11:16] for one in answer["reservationsTouchees"]] == ["09:30"]
    event = answer["evenement"]
    assert (event["type"], event["titre"], event["ressourceId"]) == ("fermeture", "Absence", lea)
    assert (event["debut"][:16], event["fin"][:10]) == (
        f"{tuesday}T00:00", str(tuesday + timedelta(days=1))
    )
    told = [(p.genre, p.destinataire) for p in outboxes.posts(db) if p.genre != "rappel"]
    assert told == [("deplacee", chloe.email), ("fermeture", bob.email)]
    assert lea not in salon.free(tuesday)[0]["ressources"]
    again = apply([], fermeture="Absence")
    assert again["evenement"] == event
    assert Evenement.select().count(db) == 1
    assert len(outboxes.posts(db)) == 3  # with a reminder


def test_visits_of_the_past_and_cancelled_visits_are_not_proposed(
    client, salon, db, chloe, lea, ines, tuesday, ask
):
    first, second = book_all(salon, chloe, lea, tuesday, "09:00", "09:30")
    client.delete(f"/api/reservations/{first['id']}", 204, token=chloe.token)
    assert [one["reservation"]["id"] for one in ask()] == [second["id"]]
    row = Ressource.select().where(Ressource.id == lea).get(db)
    start = Reservation.select().where(Reservation.id == second["id"]).get(db).debut
    absence = absences.Absence(row, start, start + 86400)
    assert len(absences.visits(db, absence, start)) == 1
    assert absences.visits(db, absence, start + 1) == []


def test_the_search_stops_when_its_time_is_over(salon, db, chloe, lea, ines, tuesday):
    book_all(salon, chloe, lea, tuesday, "09:00", "09:30", "10:00")
    row = Ressource.select().where(Ressource.id == lea).get(db)
    start = Reservation.select().order_by(Reservation.debut).first(db).debut
    absence = absences.Absence(row, start, start + 86400)
    few = absences.propose(db, absence, now(), Budget(0, steps=2))
    assert [bool(one.substitute) for one in few] == [True, True, False]


@pytest.mark.parametrize("dates", [
    {"du": "2030-01-02", "au": "2030-01-01"}, {"du": "2030-01-01", "au": "2030-02-01"},
])
def test_the_days_of_an_absence_are_limited(ask, dates):
    assert set(ask(expect=400, **dates)["champs"]) == {"au"}


def test_a_room_is_not_absent(client, salon, alice, lea, db):
    cabin = teams.add(db, salon.id, "Cabine 1", "lieu")
    client.get(f"/api/ressources/{cabin}/absence", 404, token=alice.token)


def test_at_most_a_hundred_moves_are_taken(apply):
    one = {"reservation": {"id": 1, "version": 1},
           "proposition": {"ressource": {"id": 1}, "creneauId": 1}}
    assert apply([one] * 101, expect=400)["champs"]["deplacements"]["max"] == 100
