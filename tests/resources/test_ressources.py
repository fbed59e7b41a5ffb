"""The persons and rooms of a business: fields, who sees what, retirement and moves."""

import pytest

from reservation.domain.booking import alternatives, reservations
from reservation.domain.budget import Budget
from reservation.domain.calendar import calendar
from reservation.domain.people.sessions import Account
from reservation.domain.planning import ressources, retiring
from reservation.domain.planning import team as teams
from reservation.errors import StaleVersion
from reservation.lib.instants import to_iso, zone_of
from tests import outboxes
from tests.clock import now
from tests.conftest import WEEK, prove

LEA = {"nom": "Léa"}
DEFAULTS = {"genre": "personne", "description": "", "ordre": 0, "compte": None, "actif": True}
LIMITS = [  # field, least value, greatest value, values beyond
    ("nom", "x", "é" * 100, ["", " ", "x" * 101, None, 1]),
    ("description", "", "é" * 5000, ["x" * 5001, None]),
    ("ordre", 0, 10_000, [-1, 10_001, None, 1.5]),
    ("genre", "lieu", "personne", ["salle", "", None]),
    ("compte", None, None, ["lea", "", 1, "personne@example.fr"]),
]


@pytest.fixture
def path(salon):
    return f"/api/entreprises/{salon.id}/ressources"


@pytest.fixture
def add(client, path, alice):
    """Adds a person or a room to the salon: add("Léa", genre="lieu")."""

    def add(nom="Léa", expect=201, **fields):
        return client.post(path, {"nom": nom, **fields}, expect, token=alice.token).json

    return add


@pytest.fixture
def change(client, alice):
    def change(method, number, body=None, expect=200, query="", **headers):
        path = f"/api/ressources/{number}{query}"
        return client.call(
            method, path, body, expect=expect, token=alice.token, headers=headers
        ).json

    return change


@pytest.fixture
def team(client, path, alice, add):
    """Adds Léa. Returns the ids of Alice's own ressource and of Léa."""
    lea = add()["id"]
    return client.get(path).json[0]["id"], lea


def names(client, path, **how):
    return [one["nom"] for one in client.get(path, **how).json]


def test_a_business_with_one_nameless_person_mentions_nobody(client, db, path, salon, alice):
    (number,) = db.rows("SELECT id FROM ressource WHERE entreprise_id = ?", salon.id)[0]
    for query in ("", "?toutes=1"):
        assert client.get(path + query, token=alice.token).json == []
    for method, sub in (("GET", ""), ("PUT", ""), ("DELETE", ""), ("GET", "/semainetype")):
        address = f"/api/ressources/{number}{sub}"
        client.call(method, address, LEA, expect=404, token=alice.token)


def test_with_the_second_person_the_first_gets_the_first_name_of_the_owner(client, path, add):
    add("Léa")
    assert names(client, path) == ["Alice", "Léa"]
    add("Zoé")
    assert names(client, path) == ["Alice", "Léa", "Zoé"]


def test_without_a_first_name_the_first_person_gets_the_name_of_the_business(
    client, db, salon, path, alice, add
):
    db.write("UPDATE utilisateur SET prenom = ''")
    about = {"nom": "S" * 150, "ville": "Lyon"}
    client.put(f"/api/entreprises/{salon.id}", about, token=alice.token)
    add("Cabine", genre="lieu")
    assert names(client, path) == ["S" * 100, "Cabine"]


def test_what_is_left_out_takes_its_default(client, salon, add):
    made = add("Léa")
    assert made == {
        "id": made["id"], "entrepriseId": salon.id, "prestations": [], "version": 1, **LEA,
        **DEFAULTS,
    }
    shown = client.get(f"/api/ressources/{made['id']}").json
    assert shown == {name: value for name, value in made.items() if name != "compte"}


@pytest.mark.parametrize(("field", "least", "most", "_beyond"), LIMITS)
def test_a_field_takes_its_least_and_its_most(add, field, least, most, _beyond):
    for value in (least, most):
        assert add(**{field: value})[field] == value


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, _, _, beyond in LIMITS for value in beyond]
)
def test_a_field_refuses_what_is_beyond_its_limits(client, path, add, field, value):
    assert set(add(expect=400, **{field: value})["champs"]) == {field}
    assert names(client, path) == []


def test_a_change_takes_the_whole_and_never_the_kind(add, change):
    number = add("Cabine", genre="lieu", ordre=3, description="Au fond")["id"]
    changed = change("PUT", number, {"nom": "Salle"})
    assert changed == {
        **DEFAULTS, "id": number, "entrepriseId": changed["entrepriseId"], "nom": "Salle",
        "genre": "lieu", "prestations": [], "version": 2,
    }
    assert set(change("PUT", number, {**LEA, "genre": "lieu"}, 400)["champs"]) == {"genre"}


def test_the_list_follows_ordre(client, path, add, change, team):
    alice, lea = team
    change("PUT", alice, {"nom": "Alice", "ordre": 2})
    add("Zoé", ordre=1)
    assert names(client, path) == ["Léa", "Zoé", "Alice"]
    first = client.get(f"{path}?limite=2")
    following = first.headers["Link"][1:].split(">")[0]
    assert names(client, following) == ["Alice"]


def test_only_who_manages_the_business_sees_the_retired_and_the_accounts(
    client, path, alice, bob, dora, team, change
):
    _, lea = team
    change("DELETE", lea)
    one = f"/api/ressources/{lea}"
    assert names(client, path) == names(client, path, token=alice.token) == ["Alice"]
    client.get(one, 404, token=alice.token)
    for person in (alice, dora):
        shown = client.get(f"{path}?toutes=1", token=person.token).json
        assert [(row["nom"], row["actif"], row["compte"]) for row in shown] == [
            ("Alice", True, None), ("Léa", False, None),
        ]
        assert client.get(f"{one}?toutes=1", token=person.token).json == shown[1]
    for address in (path, one):
        client.get(f"{address}?toutes=1", 401)
        client.get(f"{address}?toutes=1", 403, token=bob.token)
    (shown,) = client.get(f"{path}?toutes=0").json
    assert "compte" not in shown


def test_a_business_has_at_most_100_active_persons_and_rooms(
    client, path, add, change, monkeypatch
):
    assert teams.MOST == 100
    monkeypatch.setattr(teams, "MOST", 3)
    lea = add("Léa")["id"]
    add("Cabine", genre="lieu")
    refused = add("Zoé", expect=409)
    assert (refused["code"], refused["max"]) == ("too_many_ressources", 3)
    change("DELETE", lea)
    add("Zoé")
    assert change("PUT", lea, LEA, 409)["code"] == "too_many_ressources"
    assert names(client, path) == ["Alice", "Cabine", "Zoé"]


def test_the_only_active_person_stays(client, path, add, change, team):
    alice, lea = team
    add("Cabine", genre="lieu")
    change("DELETE", lea)
    for query in ("", "?essai=1"):
        assert change("DELETE", alice, None, 409, query)["code"] == "last_person"
    assert change("PUT", alice, {"nom": "Alice", "actif": False}, 409)["code"] == "last_person"
    assert names(client, path) == ["Alice", "Cabine"]


def test_a_new_person_takes_bookings_at_once_and_a_retired_one_none(
    salon, chloe, tuesday, add, change
):
    times = len(salon.free(tuesday))
    salon.book(chloe, salon.at(tuesday, "09:00"))
    assert len(salon.free(tuesday)) == times - 1
    lea = add("Léa")["id"]
    assert len(salon.free(tuesday)) == times
    change("DELETE", lea)
    assert len(salon.free(tuesday)) == times - 1
    change("PUT", lea, LEA)
    assert len(salon.free(tuesday)) == times


@pytest.fixture
def booked(client, db, salon, chloe, tuesday, alice, team):
    """Returns the ids of two bookings of Léa, at 10:00 and at 11:00, and the ids of the team."""
    own, lea = team
    service = {"nom": "Coupe", "dureeMinutes": 30}
    path = f"/api/prestations/{salon.coupe}"
    client.put(path, {**service, "ressources": [lea]}, token=alice.token)
    bookings = [
        salon.book(chloe, salon.at(tuesday, time))["id"] for time in ("10:00", "11:00")
    ]
    client.put(path, service, token=alice.token)
    outboxes.empty(db)
    return bookings, own, lea


def ids(rows):
    return [row["id"] for row in rows]


def performer(db, number):
    return db.rows("SELECT ressource_id, creneau_id FROM reservation WHERE id = ?", number)[0]


def test_retirement_lists_the_upcoming_bookings_and_keeps_them(
    client, db, chloe, booked, change
):
    bookings, _, lea = booked
    before = [performer(db, number) for number in bookings]
    client.delete(f"/api/reservations/{bookings[1]}", token=chloe.token)
    tried = change("DELETE", lea, query="?essai=1")
    assert change("GET", lea)["actif"]
    retired = change("DELETE", lea)
    assert retired == {**tried, "version": tried["version"] + 1}
    assert not retired["actif"]
    assert ids(retired["reservationsTouchees"]) == bookings[:1]
    assert retired["reservationsDeplacees"] == []
    assert retired["creneaux"]["conserves"] == 1 and retired["creneaux"]["supprimes"] > 0
    assert [performer(db, number) for number in bookings[:1]] == before[:1]
    assert ids(change("DELETE", lea)["reservationsTouchees"]) == bookings[:1]


def test_the_slots_of_a_retired_person_are_gone_but_for_those_that_are_booked(
    db, booked, change
):
    bookings, _, lea = booked
    change("DELETE", lea)
    sql = (
        "SELECT places_prises, ouvert FROM creneau WHERE ressource_id = ? AND debut > ?"
        " ORDER BY debut"
    )
    assert db.rows(sql, lea, now()) == [(1, 0), (1, 0)]


def test_retirement_moves_the_bookings_to_whom_they_fit(
    db, salon, chloe, alice, tuesday, booked, change, monkeypatch
):
    monkeypatch.setattr(alternatives, "add", None)  # the search for other times is slow
    bookings, own, lea = booked
    third = salon.book(chloe, salon.at(tuesday, "11:00"))["id"]  # with Alice, who is then taken
    assert performer(db, third)[0] == own
    outboxes.empty(db)
    query = f"?vers={own}"
    tried = change("DELETE", lea, query=f"{query}&essai=1")
    assert [performer(db, number)[0] for number in bookings] == [lea, lea]
    moved = change("DELETE", lea, query=query)
    for answer in (tried, moved):
        assert ids(answer["reservationsDeplacees"]) == bookings[:1]
        assert ids(answer["reservationsTouchees"]) == bookings[1:]
    assert [performer(db, number)[0] for number in bookings] == [own, lea]
    assert db.rows("SELECT SUM(places_prises) FROM creneau WHERE ressource_id = ?", own) == [(2,)]
    again = change("DELETE", lea, query=query)
    assert (again["reservationsDeplacees"], ids(again["reservationsTouchees"])) == (
        [], bookings[1:],
    )


def test_a_trial_of_a_retirement_promises_a_place_once(
    client, salon, chloe, tuesday, team, change
):
    own, lea = team
    week = [{**one, "capacite": 2} for one in WEEK]
    change("PUT", f"{lea}/semainetype", {"semaine": week})
    bookings = [
        salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)["id"] for _ in range(2)
    ]
    for trial in ("&essai=1", ""):
        answer = change("DELETE", lea, query=f"?vers={own}{trial}")
        assert ids(answer["reservationsDeplacees"]) == bookings[:1]
        assert ids(answer["reservationsTouchees"]) == bookings[1:]


def test_a_trial_of_a_retirement_ends_in_time(booked, change, monkeypatch):
    bookings, own, lea = booked
    monkeypatch.setattr(retiring, "Budget", lambda: Budget(seconds=0, steps=1))
    answer = change("DELETE", lea, query=f"?vers={own}&essai=1")
    assert ids(answer["reservationsDeplacees"]) == bookings[:1]
    assert ids(answer["reservationsTouchees"]) == bookings[1:]


@pytest.mark.parametrize("rule", [{"delaiReservation": 40 * 1440}, {"horizonJours": 1}])
def test_bookings_move_to_another_person_without_notice_or_horizon(
    client, salon, alice, booked, change, rule
):
    bookings, own, lea = booked
    about = {"nom": "Salon", "ville": "Lyon", **rule}
    client.put(f"/api/entreprises/{salon.id}", about, token=alice.token)
    for trial in ("&essai=1", ""):
        answer = change("DELETE", lea, query=f"?vers={own}{trial}")
        assert ids(answer["reservationsDeplacees"]) == bookings


def test_bookings_move_to_another_person_with_the_length_that_was_booked(
    client, salon, chloe, alice, tuesday, booked, change
):
    bookings, own, lea = booked
    salon.book(chloe, salon.at(tuesday, "10:30"), ressourceId=own)
    body = {"nom": "Coupe", "dureeMinutes": 60}
    client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)
    for trial in ("&essai=1", ""):
        answer = change("DELETE", lea, query=f"?vers={own}{trial}")
        assert ids(answer["reservationsDeplacees"]) == bookings


def test_a_repeated_retirement_moves_what_fits_by_now(
    client, db, salon, chloe, tuesday, booked, change
):
    bookings, own, lea = booked
    third = salon.book(chloe, salon.at(tuesday, "11:00"))["id"]
    change("DELETE", lea, query=f"?vers={own}")
    client.delete(f"/api/reservations/{third}", token=chloe.token)
    answer = change("DELETE", lea, query=f"?vers={own}")
    assert ids(answer["reservationsDeplacees"]) == bookings[1:]
    assert [performer(db, number)[0] for number in bookings] == [own, own]


def test_repeated_retirements_move_the_bookings_of_a_long_calendar_one_after_another(
    client, salon, chloe, tuesday, booked, change, monkeypatch
):
    """A request updates a few slots only, as on the calendar of a large team."""
    bookings, own, lea = booked
    bookings.append(salon.book(chloe, salon.at(tuesday, "17:00"), ressourceId=lea)["id"])
    monkeypatch.setattr(calendar, "SLICE", 8)
    for module in (calendar, retiring):
        monkeypatch.setattr(module, "Budget", lambda: Budget(seconds=0, steps=3))
    query, moved = f"?vers={own}", []
    for _ in range(30):
        answer = change("DELETE", lea, query=query)
        moved.append(ids(answer["reservationsDeplacees"]))
        stayed = ids(answer["reservationsTouchees"])
        if not stayed:
            break
    assert moved[0] == [] and sorted(sum(moved, [])) == sorted(bookings)


def test_bookings_move_only_to_who_can_perform_the_service(
    client, salon, alice, booked, change, add
):
    bookings, own, lea = booked
    body = {"nom": "Coupe", "dureeMinutes": 30, "ressources": [lea, add("Zoé")["id"]]}
    client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)
    answer = change("DELETE", lea, query=f"?vers={own}")
    assert ids(answer["reservationsTouchees"]) == bookings


def test_bookings_move_only_to_an_active_one_of_the_same_kind_and_business(
    client, make_salon, bob, booked, change, add
):
    _, own, lea = booked
    other = make_salon(bob)
    theirs = client.post(
        f"/api/entreprises/{other.id}/ressources", LEA, 201, token=bob.token
    ).json["id"]
    room, gone = add("Cabine", genre="lieu")["id"], add("Zoé")["id"]
    change("DELETE", gone)
    for to in (theirs, room, gone, lea, 10**6):
        for trial in ("", "&essai=1"):
            refused = change("DELETE", lea, None, 400, f"?vers={to}{trial}")
            assert refused["champs"]["vers"]["code"] == "unknown_ressource"
    assert change("GET", lea)["actif"]


@pytest.fixture
def rooms(client, salon, alice, add):
    """Adds two rooms, one of which the service needs. Returns their ids."""
    added = [add(f"Cabine {number}", genre="lieu")["id"] for number in (1, 2)]
    body = {"nom": "Massage", "dureeMinutes": 30, "lieuRequis": True}
    client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)
    return added


@pytest.fixture
def massage(db, salon, chloe, tuesday, rooms, team):
    """A visit to Léa in the first room."""
    visit = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=team[1])
    assert visit["lieu"]["id"] == rooms[0]
    return reservations.by_ids(db, [visit["id"]])[0]


@pytest.fixture
def close(client, salon, alice, massage):
    """Closes the calendar of a person or a room during the visit."""

    def close(number):
        during = (to_iso(at, zone_of("UTC")) for at in (massage.debut, massage.fin))
        closure = dict(zip(("debut", "fin"), during), type="fermeture", titre="Travaux")
        path = f"/api/entreprises/{salon.id}/evenements"
        client.post(path, {**closure, "ressourceId": number}, 201, token=alice.token)

    return close


def test_the_visits_of_a_retired_room_move_to_another_room(
    db, salon, chloe, tuesday, rooms, change
):
    first, second = rooms
    booking = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    places = "SELECT ressource_id, lieu_id FROM reservation"
    (person, room), = db.rows(places)
    assert room == first
    answer = change("DELETE", first, query=f"?vers={second}")
    assert ids(answer["reservationsDeplacees"]) == [booking]
    assert db.rows(places) == [(person, second)]
    taken = "SELECT ressource_id, SUM(places_prises) FROM creneau GROUP BY ressource_id"
    assert {id: sum_ for id, sum_ in db.rows(taken) if sum_} == {person: 1, second: 1}


def test_a_trial_promises_no_other_room_to_a_visit_in_progress(db, alice, massage, rooms):
    first, to = rooms
    for act in (retiring.rehearse, retiring.retire):
        room, later = ressources.get(db, first), massage.debut + 600
        done = act(db, Account(alice.id, "company"), room, to, None, later)
        assert (done.moved, [one.id for one in done.stranded]) == ([], [massage.id])


def test_a_trial_promises_no_other_room_to_a_visit_whose_person_is_absent(
    massage, rooms, team, change, close
):
    close(team[1])
    for trial in ("&essai=1", ""):
        answer = change("DELETE", rooms[0], query=f"?vers={rooms[1]}{trial}")
        assert answer["reservationsDeplacees"] == []
        assert ids(answer["reservationsTouchees"]) == [massage.id]


def test_a_trial_promises_no_other_person_to_a_visit_without_a_room(
    massage, rooms, team, change, close
):
    own, lea = team
    for room in rooms:
        close(room)
    for trial in ("&essai=1", ""):
        answer = change("DELETE", lea, query=f"?vers={own}{trial}")
        assert answer["reservationsDeplacees"] == []
        assert ids(answer["reservationsTouchees"]) == [massage.id]


def test_a_trial_counts_the_places_that_stay_with_a_person_once(
    client, salon, alice, chloe, tuesday, team, rooms, change
):
    week = [{**one, "capacite": 2} for one in WEEK]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    bookings = [
        salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=team[1])["id"]
        for _ in range(2)
    ]
    for trial in ("&essai=1", ""):
        answer = change("DELETE", rooms[0], query=f"?vers={rooms[1]}{trial}")
        assert ids(answer["reservationsDeplacees"]) == bookings


def test_a_trial_refuses_what_the_retirement_refuses(team, change):
    _, lea = team
    for query in ("", "?essai=1"):
        change("DELETE", lea, None, 412, query, **{"If-Match": '"v9"'})
    change("DELETE", lea, None, 400, "?essai=oui")


@pytest.mark.parametrize("act", [retiring.retire, retiring.rehearse])
def test_a_retirement_requires_the_version_that_was_read(db, alice, team, act):
    """As after another request that was faster."""
    person = ressources.get(db, team[1])
    with pytest.raises(StaleVersion):
        act(db, Account(alice.id, "company"), person, None, person.version + 1, now())
    assert ressources.get(db, person.id) == person


def test_a_change_requires_the_present_version(client, team, change):
    _, lea = team
    before = client.get(f"/api/ressources/{lea}").json
    change("PUT", lea, {"nom": "Zoé", "version": 9}, 412)
    assert client.get(f"/api/ressources/{lea}").json == before


def test_an_account_is_that_of_one_proven_person_of_the_business(
    client, db, add, change, person, team
):
    own, lea = team
    eva = person("Eva", "student")
    body = {**LEA, "compte": eva.email}
    champs = change("PUT", lea, body, 400)["champs"]
    assert champs["compte"]["code"] == "unknown_account"
    prove(db, eva.id)
    assert change("PUT", lea, body)["compte"] == eva.email
    db.write("UPDATE utilisateur SET email_prouve_le = NULL, actif = 0 WHERE id = ?", eva.id)
    assert change("PUT", lea, body)["compte"] == eva.email  # the account may stay
    db.write("UPDATE utilisateur SET email_prouve_le = 1, actif = 1 WHERE id = ?", eva.id)
    assert add("Eva", 400, compte=eva.email)["champs"]["compte"]["code"] == "account_taken"
    room = add("Cabine", 400, genre="lieu", compte=eva.email)
    assert room["champs"]["compte"]["code"] == "only_for_persons"
    assert change("PUT", lea, LEA)["compte"] is None
    assert change("PUT", own, {"nom": "Alice", "compte": eva.email})["compte"] == eva.email


def test_the_account_of_a_retired_person_moves_to_the_person_who_gets_it(
    client, db, add, change, person, team
):
    _, lea = team
    eva = person("Eva", "student")
    prove(db, eva.id)
    body = {**LEA, "compte": eva.email}
    stale = change("PUT", lea, body)["version"] + 1
    change("DELETE", lea)
    again = add("Eva", compte=eva.email)
    assert again["compte"] == eva.email
    shown = change("GET", lea, query="?toutes=1")
    assert (shown["compte"], shown["version"]) == (None, stale + 1)
    change("PUT", lea, {**LEA, "version": stale}, 412)
    assert change("PUT", lea, {**body, "version": stale + 1}, 400)["champs"]["compte"]["code"] == (
        "account_taken"
    )
    change("PUT", lea, {**LEA, "version": stale + 1})
    run = client.get("/api/compte/ressources", token=eva.token).json
    assert [one["id"] for one in run] == [again["id"]]


def test_an_owner_tries_no_list_of_addresses_for_accounts(add, change, team, monkeypatch):
    limit = teams._NAMED._replace(most=3)
    monkeypatch.setattr(teams, "_NAMED", limit)
    _, lea = team
    tried = [{**LEA, "compte": f"{n}@example.fr"} for n in range(4)]
    for body in tried[:2]:
        assert change("PUT", lea, body, 400)["champs"]["compte"]["code"] == "unknown_account"
    add("Eva", 400, compte="eva@example.fr")
    assert change("PUT", lea, tried[3], 429)["code"] == "too_many_attempts"
    add("Eva", 429, compte="eva@example.fr")
    change("PUT", lea, LEA)
    add("Eva")


def test_the_account_of_a_person_can_be_erased(client, db, change, person, team):
    eva = person("Eva", "student")
    prove(db, eva.id)
    change("PUT", team[1], {**LEA, "compte": eva.email})
    client.call(
        "DELETE", "/api/compte", {"password": eva.password}, expect=204, token=eva.token
    )
    assert change("GET", team[1], query="?toutes=1")["compte"] is None


def test_own_hours_replace_those_of_the_business(client, salon, tuesday, team, change):
    _, lea = team
    path = f"/api/ressources/{lea}/semainetype"
    assert client.get(path).json == {"semaine": None}
    evening = {"jour": 2, "debut": "20:00", "fin": "21:00", "pasMinutes": 30}
    shown = {**evening, "capacite": 1, "prestationId": None}
    before = salon.free(tuesday)
    answer = change("PUT", f"{lea}/semainetype", {"semaine": [evening]})
    counts = answer.pop("creneaux")
    assert answer == {"semaine": [shown], "reservationsTouchees": []}
    assert counts["ajoutes"] and counts["supprimes"] > 10 * counts["ajoutes"]
    assert client.get(path).json == {"semaine": [shown]}
    times = [one["debut"][11:16] for one in salon.free(tuesday)]
    assert times[-2:] == ["20:00", "20:30"] and len(times) == len(before) + 2
    gone = change("PUT", f"{lea}/semainetype", {"semaine": []})["creneaux"]
    assert gone == {"ajoutes": 0, "supprimes": counts["ajoutes"], "conserves": 0}
    assert client.get(path).json == {"semaine": []}
    back = change("PUT", f"{lea}/semainetype", {"semaine": None})
    assert (back["semaine"], back["creneaux"]["ajoutes"]) == (None, counts["supprimes"])
    assert len(salon.free(tuesday)) == len(before)


def test_the_hours_of_the_business_are_not_those_of_a_person_with_own_hours(
    client, salon, alice, tuesday, team, change
):
    _, lea = team
    change("PUT", f"{lea}/semainetype", {"semaine": WEEK[:1]})
    client.put(f"/api/entreprises/{salon.id}/semainetype", [], token=alice.token)
    assert [one["debut"][11:16] for one in salon.free(tuesday)] == [
        "09:00", "09:30", "10:00", "10:30", "11:00", "11:30",
    ]


def test_own_hours_are_tried(db, booked, change):
    bookings, _, lea = booked
    before = db.rows("SELECT COUNT(*), SUM(ouvert) FROM creneau")
    body = {"semaine": [{"jour": 2, "debut": "10:00", "fin": "11:00", "pasMinutes": 30}]}
    tried = change("PUT", f"{lea}/semainetype", body, query="?essai=1")
    assert db.rows("SELECT COUNT(*), SUM(ouvert) FROM creneau") == before
    assert change("GET", f"{lea}/semainetype") == {"semaine": None}
    assert ids(tried["reservationsTouchees"]) == bookings[1:]
    assert change("PUT", f"{lea}/semainetype", body) == tried
    tried = change("PUT", f"{lea}/semainetype", {"semaine": None}, query="?essai=1")
    assert change("PUT", f"{lea}/semainetype", {"semaine": None}) == tried


def test_only_the_slots_of_the_changed_person_are_counted(salon, chloe, booked, tuesday, change):
    _, own, lea = booked
    salon.book(chloe, salon.at(tuesday, "15:00"), ressourceId=own)
    for method, path, body in (
        ("PUT", f"{lea}/semainetype", {"semaine": []}), ("DELETE", lea, None)
    ):
        tried = change(method, path, body, query="?essai=1")["creneaux"]
        assert change(method, path, body)["creneaux"] == tried
        assert tried["conserves"] == 2


@pytest.mark.parametrize("trial", ["", "?essai=1"])
def test_own_hours_obey_the_rules_of_a_week(team, change, trial):
    row = {"jour": 1, "debut": "09:00", "fin": "10:00", "pasMinutes": 30}
    wrong = [row, row, {**row, "jour": 2, "prestationId": 10**6}]
    answer = change("PUT", f"{team[1]}/semainetype", {"semaine": wrong}, 400, trial)
    assert {key: one["code"] for key, one in answer["champs"].items()} == {
        "semaine.1.debut": "overlap", "semaine.2.prestationId": "unknown_service",
    }
    for body, field in (
        ({}, "semaine"), ({"semaine": {}}, "semaine"), ({"semaine": [row] * 201}, "semaine"),
        ({"semaine": [{**row, "jour": 8}]}, "semaine.0.jour"),
    ):
        answer = change("PUT", f"{team[1]}/semainetype", body, 400, trial)
        assert set(answer["champs"]) == {field}
    headers = {"If-Match": '"v9"'}
    change("PUT", f"{team[1]}/semainetype", {"semaine": []}, 412, trial, **headers)
