"""Booking, moving, cancelling and approving through the API."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from reservation.conflicts import SlotTaken
from reservation.domain.booking import changing, reservations
from reservation.domain.booking.requests import Change
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.errors import DeadlinePassed
from reservation.operations import operation
from reservation.storage.models import Reservation
from tests import outboxes, teams
from tests.clock import now
from tests.conftest import MORNING, prove, times

STATES = ("demandee", "confirmee", "refusee", "annulee", "honoree", "absente")
MOVES = {
    ("demandee", "confirmee"), ("demandee", "refusee"), ("demandee", "annulee"),
    ("confirmee", "annulee"), ("confirmee", "honoree"), ("confirmee", "absente"),
    ("honoree", "absente"), ("absente", "honoree"),
}

PARIS = ZoneInfo("Europe/Paris")
CLIENT = {"email": "Nadia@Example.fr", "nom": "Petit", "prenom": "Nadia", "telephone": "06"}


@pytest.fixture
def put(client):
    """Sends a PUT of a booking with the version in `seen`, unless there are `headers`."""

    def put(by, seen, expect=200, headers=None, **body):
        body = {"version": seen["version"], **body} if headers is None else body
        path = f"/api/reservations/{seen['id']}"
        return client.put(path, body, expect, token=by.token, headers=headers).json

    return put


@pytest.fixture
def show(client):
    return lambda by, seen: client.get(f"/api/reservations/{seen['id']}", token=by.token).json


@pytest.fixture
def cancel(client):
    def cancel(by, seen, expect=204):
        return client.delete(f"/api/reservations/{seen['id']}", expect, token=by.token)

    return cancel


@pytest.fixture
def chairs(client, salon, alice):
    """Opens the salon on Tuesday mornings only, with this capacity: chairs(3)."""

    def change(capacite):
        week = [{**MORNING, "capacite": capacite}]
        client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)

    return change


def test_a_free_time_is_booked_and_gone(salon, chloe, tuesday):
    creneau = salon.at(tuesday, "10:00")
    booked = salon.book(chloe, creneau)
    assert booked["statut"] == "confirmee"
    assert booked["creneauId"] == creneau
    assert booked["debut"][:16] == f"{tuesday}T10:00"
    assert booked["entreprise"] == {"id": salon.id, "nom": "Salon alice"}
    assert "10:00" not in times(salon.free(tuesday))


def test_a_reservation_is_shown_whole_at_the_address_that_location_names(
    client, salon, chloe, tuesday
):
    first = salon.free(tuesday)[0]
    body = {"creneauId": first["id"], "prestationId": salon.coupe, "commentaire": "  Merci  "}
    answer = client.post("/api/reservations", body, 201, token=chloe.token)
    shown = client.get(answer.headers["Location"], token=chloe.token)
    assert answer.headers["ETag"] == '"v1"'
    assert shown.headers["ETag"].startswith('"v1.')
    made = datetime.fromisoformat(answer.json["creeLe"])
    assert abs(datetime.now(made.tzinfo) - made) < timedelta(minutes=1)
    assert shown.json == answer.json == {
        "id": answer.json["id"], "entrepriseId": salon.id, "prestationId": salon.coupe,
        "utilisateurId": chloe.id, "creneauId": first["id"], "debut": first["debut"],
        "fin": first["fin"], "places": 1, "prixCentimes": 0, "statut": "confirmee",
        "commentaire": "Merci",
        "version": 1, "creeLe": answer.json["creeLe"],
        "entreprise": {"id": salon.id, "nom": "Salon alice"},
        "prestation": {"id": salon.coupe, "nom": "Coupe femme"},
    }


def test_a_time_is_not_sold_twice(salon, chloe, bob, tuesday):
    creneau = salon.at(tuesday, "10:00")
    salon.book(chloe, creneau)
    refused = salon.book(bob, creneau, expect=409)
    assert refused["motif"] == "complet"
    assert times(refused["alternatives"]) in [
        ["09:00", "09:30", "10:30"], ["09:30", "10:30", "11:00"]
    ]


def test_the_owner_is_offered_times_within_the_notice(salon, rules, alice, chloe, bob, tuesday):
    slot = salon.at(tuesday, "10:00")
    salon.book(chloe, slot)
    rules(delaiReservation=366 * 1440)
    refused = salon.book(alice, slot, 409, client={"nom": "Petit", "telephone": "06"})
    assert len(refused["alternatives"]) == 3
    assert salon.book(bob, slot, 409)["alternatives"] == []


def test_alternatives_come_by_time_whenever_they_were_made(
    client, salon, alice, bob, chloe, tuesday
):
    path = f"/api/entreprises/{salon.id}/semainetype"
    client.put(path, [{**MORNING, "fin": "10:30"}], token=alice.token)
    creneau = salon.at(tuesday, "09:00")
    salon.book(chloe, creneau)
    client.put(path, [{**MORNING, "debut": "08:30", "fin": "10:00"}], token=alice.token)
    refused = salon.book(bob, creneau, expect=409)
    shown = [one["debut"] for one in refused["alternatives"]]
    assert len(shown) == 3
    assert shown == sorted(shown)


def test_a_time_that_is_not_there_any_more_is_closed(client, salon, alice, chloe, put, tuesday):
    gone = salon.at(tuesday, "10:00")
    booked = salon.book(chloe, salon.at(tuesday, "11:00"))
    path = f"/api/entreprises/{salon.id}"
    client.put(f"{path}/semainetype", [{**MORNING, "debut": "09:15"}], token=alice.token)
    query = f"prestation={salon.coupe}&du={tuesday - timedelta(days=7)}&au={tuesday}"
    free = client.get(f"{path}/creneaux?{query}").json
    for creneau in (gone, 999_999, 2**63 - 1):
        for refused in (
            salon.book(chloe, creneau, expect=409), put(chloe, booked, 409, creneauId=creneau),
        ):
            assert (refused["code"], refused["motif"]) == ("slot_taken", "ferme")
            assert refused["alternatives"] == free[:3]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"creneauId": None, "prestationId": 0}, {"creneauId", "prestationId"}),
        ({"creneauId": "1"}, {"creneauId"}),
        ({"prestationId": 999_999}, {"prestationId"}),
        ({"places": 0}, {"places"}),
        ({"places": 10_001, "commentaire": "x" * 2001}, {"places", "commentaire"}),
        ({"places": 1.5}, {"places"}),
        ({"commentaire": None}, {"commentaire"}),
        ({"statut": "confirmee", "version": 1}, {"statut", "version"}),
        ({"client": "chloe@example.fr"}, {"client"}),
        ({"client": {"email": "x", "nom": ""}}, {"client.email", "client.nom"}),
        ({"client": {"email": "a@example.fr", "nom": "A", "age": 3}}, {"client.age"}),
        ({"client": {}, "places": -1}, {"client.nom", "places"}),
    ],
)
def test_every_wrong_field_is_named(client, salon, alice, tuesday, changes, wrong):
    creneau = salon.at(tuesday, "10:00")
    assert set(salon.book(alice, creneau, expect=400, **changes)["champs"]) == wrong
    champs = client.post("/api/reservations", {}, 400, token=alice.token).json["champs"]
    assert set(champs) == {"creneauId", "prestationId"}
    assert "10:00" in times(salon.free(tuesday))


def test_a_time_and_a_service_of_two_businesses_are_refused(
    salon, make_salon, bob, chloe, tuesday
):
    other = make_salon(bob)
    refused = salon.book(chloe, other.at(tuesday, "10:00"), expect=400)
    assert set(refused["champs"]) <= {"creneauId", "prestationId"}
    assert refused["champs"]


@pytest.mark.parametrize(
    ("fields", "motif"),
    [({"delaiReservation": 366 * 1440}, "delai"), ({"horizonJours": 1}, "horizon"),
     ({"actif": False}, "ferme")],
)
def test_what_is_not_listed_cannot_be_booked(salon, rules, chloe, tuesday, fields, motif):
    creneau = salon.at(tuesday, "10:00")
    rules(**fields)
    assert salon.free(tuesday) == []
    assert salon.book(chloe, creneau, expect=409)["motif"] == motif


def test_a_visit_too_long_for_its_opening_cannot_be_booked(salon, chloe, tuesday):
    creneau = salon.at(tuesday, "11:00")
    refused = salon.book(chloe, creneau, expect=409, prestationId=salon.couleur)
    assert refused["motif"] == "trop_court"
    assert times(refused["alternatives"]) == ["09:30", "10:00", "10:30"]


def test_places_are_counted(salon, chairs, chloe, bob, tuesday):
    chairs(3)
    creneau = salon.at(tuesday, "10:00")
    assert salon.book(chloe, creneau, places=2)["places"] == 2
    assert salon.book(bob, creneau, expect=409, places=2)["motif"] == "complet"
    salon.book(bob, creneau)
    salon.book(chloe, creneau, expect=409)


def test_an_owner_books_for_a_customer_who_gets_a_record_and_no_account(
    client, salon, alice, tuesday
):
    first, second = (
        salon.book(alice, salon.at(tuesday, time), client=CLIENT) for time in ("10:00", "11:00")
    )
    assert first["client"] == second["client"]
    assert first["utilisateurId"] is second["utilisateurId"] is None
    who = {"email": "nadia@example.fr", "password": "un bon mot de passe", "role": "student",
           "first_name": "Nadia", "last_name": "Blanc"}
    client.post("/auth/register", who, 201)
    token = client.post("/auth/login", who).json["token"]
    assert client.get("/api/reservations", token=token).json == []  # not proven


def test_a_proven_e_mail_is_its_account(client, db, salon, alice, chloe, dora, tuesday):
    prove(db, chloe.id)
    about = {"email": "CHLOE@example.fr", "nom": "Autre"}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=about)
    assert booked["utilisateurId"] == chloe.id
    (mine,) = client.get("/api/reservations", token=chloe.token).json
    assert mine == {name: value for name, value in booked.items() if name != "client"}
    by_admin = salon.book(dora, salon.at(tuesday, "11:00"), client=about)
    assert by_admin["utilisateurId"] == chloe.id


def test_only_the_owner_books_for_others(salon, alice, bob, chloe, tuesday):
    creneau = salon.at(tuesday, "10:00")
    for stranger in (bob, chloe):
        salon.book(stranger, creneau, expect=403, client=CLIENT)
    unknown = salon.book(alice, creneau, expect=400, prestationId=999_999, client=CLIENT)
    assert set(unknown["champs"]) == {"prestationId"}


@pytest.mark.parametrize("validation", [False, True])
def test_a_customer_is_shown_the_booking_as_it_is_stored_without_another_query(
    client, salon, chloe, rules, show, tuesday, monkeypatch, validation
):
    rules(validationManuelle=validation)
    asked = {"commentaire": "Première %s visite", "places": 1}
    with monkeypatch.context() as patched:
        patched.setattr(reservations, "by_ids", None)
        made = salon.book(chloe, salon.at(tuesday, "10:00"), **asked)
    assert show(chloe, made) == made


def test_a_repeated_request_gets_the_first_answer_again(salon, alice, chloe, tuesday):
    creneau = salon.at(tuesday, "10:00")
    first = salon.book(chloe, creneau, key="k-1", commentaire="a")
    assert salon.book(chloe, creneau, key="k-1", commentaire="a") == first
    assert salon.book(chloe, creneau, 422, key="k-1")["code"] == "key_reused"
    salon.book(chloe, creneau, 409, key="K-1", commentaire="a")
    salon.book(alice, creneau, 409, key="k-1", commentaire="a")
    other = salon.book(alice, salon.at(tuesday, "11:00"), key="k-1")
    assert other["utilisateurId"] == alice.id


def test_a_key_of_a_refused_request_can_be_used_again(salon, chloe, bob, cancel, tuesday):
    creneau = salon.at(tuesday, "10:00")
    taken = salon.book(bob, creneau)
    salon.book(chloe, creneau, expect=409, key="k")
    cancel(bob, taken)
    salon.book(chloe, creneau, key="k")


@pytest.mark.parametrize("key", ["x" * 101, "a b", "é", "\t"])
def test_a_bad_key_is_refused_and_leaves_nothing(client, salon, db, alice, tuesday, key):
    salon.book(alice, salon.at(tuesday, "10:00"), expect=400, key=key, client=CLIENT)
    assert client.get("/api/reservations", token=alice.token).json == []
    assert accounts.find(db, CLIENT["email"]) is None


def test_a_request_waits_for_the_owner_and_holds_its_places(
    salon, rules, put, show, alice, chloe, bob, tuesday
):
    rules(validationManuelle=True)
    creneau = salon.at(tuesday, "10:00")
    asked = salon.book(chloe, creneau)
    assert asked["statut"] == "demandee"
    salon.book(bob, creneau, expect=409)
    assert put(alice, asked, statut="confirmee")["statut"] == "confirmee"
    refused = salon.book(bob, salon.at(tuesday, "11:00"))
    put(alice, refused, statut="refusee")
    assert "11:00" in times(salon.free(tuesday))
    assert show(chloe, asked)["statut"] == "confirmee"


@pytest.mark.parametrize(
    "more, less",
    [({"time": "11:00"}, {"commentaire": "Merci"}), ({"places": 3}, {"places": 1})],
)
def test_a_customer_needs_approval_again_for_another_time_or_more_places(
    db, salon, rules, chairs, put, show, alice, chloe, tuesday, more, less
):
    chairs(3)
    rules(validationManuelle=True)
    asked = salon.book(chloe, salon.at(tuesday, "10:00"), places=2)
    approved = put(alice, asked, statut="confirmee")
    unchanged = put(chloe, approved, **less)
    assert unchanged["statut"] == "confirmee"
    outboxes.empty(db)
    if "time" in more:
        more = {"creneauId": salon.at(tuesday, more["time"])}
    assert put(chloe, unchanged, **more)["statut"] == "demandee"
    kinds = db.rows("SELECT genre FROM eventemail ORDER BY genre")
    assert kinds == [("a_valider",), ("demandee",)]
    again = put(alice, show(alice, asked), statut="confirmee")
    moved = put(alice, again, creneauId=salon.at(tuesday, "09:00"))
    assert moved["statut"] == "confirmee"


def test_a_change_of_the_places_is_told(db, post, salon, chairs, put, alice, chloe, tuesday):
    chairs(3)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    for by, told in ((chloe, [alice.email, chloe.email]), (alice, [chloe.email])):
        outboxes.empty(db)
        post.received.clear()
        booked = put(by, booked, places=3 if by is chloe else 2)
        outboxes.delivery(db, post.port).deliver()
        mails = [one.mail for one in post.received]
        assert sorted(mail["To"] for mail in mails) == told
        assert all(f"{booked['places']} places" in mail["Subject"] for mail in mails)


def test_a_blocked_customer_may_cancel_but_not_move(
    db, salon, chairs, put, cancel, chloe, tuesday
):
    chairs(3)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"), places=2)
    db.write("UPDATE client SET bloque = 1")
    for more in ({"creneauId": salon.at(tuesday, "11:00")}, {"places": 3}):
        assert put(chloe, booked, 403, **more)["code"] == "customer_blocked"
    fewer = put(chloe, booked, places=1)
    cancel(chloe, fewer)


def test_a_service_that_has_changed_since_it_was_seen_is_not_booked(
    client, db, salon, chloe, alice, tuesday
):
    path, creneau = f"/api/prestations/{salon.coupe}", salon.at(tuesday, "10:00")
    seen = client.get(path).json["version"]
    dearer = {"nom": "Coupe femme", "dureeMinutes": 30, "prixCentimes": 9000}
    now = client.put(path, dearer, token=alice.token).json["version"]
    refused = salon.book(chloe, creneau, 409, key="a", prestationVersion=seen)
    assert refused["code"] == "service_changed"
    assert db.rows("SELECT COUNT(*) FROM reservation") == [(0,)]
    booked = salon.book(chloe, creneau, key="b", prestationVersion=now)
    assert booked["prixCentimes"] == 9000
    salon.book(chloe, salon.at(tuesday, "11:00"))  # a client that names no version


@pytest.mark.parametrize(
    ("rule", "motif"), [({"delaiReservation": 366 * 1440}, "delai"), ({"actif": False}, "ferme")]
)
def test_what_is_closed_to_customers_is_open_to_the_owner(
    client, salon, rules, put, alice, chloe, tuesday, rule, motif
):
    times = [salon.at(tuesday, time) for time in ("10:00", "11:00")]
    rules(**rule)
    assert salon.book(chloe, times[0], 409)["motif"] == motif
    path = f"/api/entreprises/{salon.id}/creneaux/internes?du={tuesday}&au={tuesday}"
    for query in (f"prestation={salon.coupe}", f"prestation={salon.coupe}&tous=1"):
        listed = client.get(f"{path}&{query}", token=alice.token).json
        assert set(times) <= {one["id"] for one in listed if "motif" not in one}
    booked = salon.book(alice, times[0], client=CLIENT)
    assert put(alice, booked, creneauId=times[1])["creneauId"] == times[1]
    refused = salon.book(alice, times[1], 409, client=CLIENT)
    assert refused["motif"] == "complet" and len(refused["alternatives"]) == 3


def test_the_business_also_books_a_time_of_today_that_has_passed(
    client, db, monkeypatch, salon, alice, chloe, tuesday
):
    nine, ten, half_past = (salon.at(tuesday, time) for time in ("09:00", "10:00", "10:30"))
    path = f"/api/entreprises/{salon.id}/creneaux"
    query = f"prestation={salon.coupe}&du={tuesday}&au={tuesday}"

    def at(day, time):
        moment = datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=PARIS).timestamp()
        monkeypatch.setattr(operation, "time", SimpleNamespace(time=lambda: moment))

    def told():
        return [genre for (genre,) in db.rows("SELECT genre FROM eventemail")]

    at(tuesday, "10:10:30")
    assert salon.book(chloe, ten, 409)["motif"] == "passe"
    outboxes.empty(db)
    for others in ("", "&tous=1"):
        listed = client.get(f"{path}/internes?{query}{others}", token=alice.token).json
        assert {nine, ten} <= {one["id"] for one in listed if "motif" not in one}
    (following,) = client.get(f"{path}/internes?{query}&prochain=1", token=alice.token).json
    assert following["id"] == half_past
    salon.book(alice, nine, client=CLIENT)
    assert told() == []  # nobody needs a message about a visit that is over
    salon.book(alice, ten, client=CLIENT)
    assert told() == ["confirmee"]
    refused = salon.book(alice, nine, 409, client=CLIENT)
    assert times(refused["alternatives"])[0] == "10:30"
    at(tuesday + timedelta(days=1), "00:00")
    assert salon.book(alice, half_past, 409, client=CLIENT)["motif"] == "passe"


def test_a_shorter_horizon_binds_only_a_new_time(
    db, salon, rules, chairs, put, chloe, tuesday
):
    chairs(3)
    first, second = (salon.at(tuesday, time) for time in ("10:00", "11:00"))
    booked = salon.book(chloe, first, places=2)
    rules(horizonJours=1)
    db.write("UPDATE entreprise SET calendrier_jusqua = ?", now())  # the calendar ends before
    for changes in ({"places": 1}, {"places": 3}, {"commentaire": "Merci"}):
        booked = put(chloe, booked, **changes)
    assert put(chloe, booked, 409, creneauId=second)["motif"] == "horizon"


def test_nobody_gets_a_message_about_a_visit_that_is_over(db, rules, put, show, alice, visit):
    past = now() - 3600
    db.write(
        "UPDATE reservation SET statut = 'demandee', debut = ?, occupe_debut = ?, fin = ?,"
        " occupe_fin = ?", past - 60, past - 60, past, past,
    )
    outboxes.empty(db)
    put(alice, show(alice, {"id": visit}), statut="confirmee")
    assert db.rows("SELECT genre FROM eventemail") == []


@pytest.mark.parametrize("before", STATES)
def test_statuses_move_only_as_the_design_says(
    salon, put, show, db, alice, chloe, tuesday, before
):
    for number, after in enumerate(STATES):
        seen = salon.book(chloe, salon.free(tuesday)[number]["id"])
        Reservation.update(statut=before).where(Reservation.id == seen["id"]).execute(db)
        if (before, after) in MOVES and after in STATES[4:]:
            assert put(alice, seen, 409, statut=after)["code"] == "visit_not_begun"
            db.write("UPDATE reservation SET occupe_debut = 0, debut = 1 WHERE id = ?", seen["id"])
        allowed = (before, after) in MOVES or before == after
        put(alice, seen, 200 if allowed else 409, statut=after)
        assert show(alice, seen)["statut"] == (after if allowed else before)


@pytest.mark.parametrize("before, after", [("honoree", "absente"), ("absente", "honoree")])
def test_a_mistaken_state_is_corrected_within_30_days_and_nobody_is_notified(
    put, show, db, alice, chloe, visit, before, after
):
    for past, expect in ((30 * 86400 + 60, 409), (30 * 86400 - 60, 200)):
        fin = now() - past
        db.write(
            "UPDATE reservation SET statut = ?, debut = ?, occupe_debut = ?, fin = ?,"
            " occupe_fin = ?", before, fin - 60, fin - 60, fin, fin,
        )
        outboxes.empty(db)
        seen = show(alice, {"id": visit})
        put(chloe, seen, 403, statut=after)
        answer = put(alice, seen, expect, statut=after)
        assert expect == 200 or (answer["code"], answer["max"]) == ("correction_too_late", 30)
    assert show(chloe, seen)["statut"] == after
    assert db.rows("SELECT id FROM eventemail") == []
    assert db.rows("SELECT SUM(places_prises) FROM creneau") == [(1,)]


@pytest.mark.parametrize("statut", STATES[1:])
def test_a_customer_sets_no_status(salon, rules, put, show, chloe, tuesday, statut):
    rules(validationManuelle=True)
    asked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put(chloe, asked, expect=403, statut=statut)
    assert show(chloe, asked) == asked


def test_a_visit_slides_by_one_creneau_over_itself(salon, put, chloe, tuesday):
    booked = salon.book(chloe, salon.at(tuesday, "09:30"), prestationId=salon.couleur)
    creneau = salon.at(tuesday, "10:00")
    moved = put(chloe, booked, creneauId=creneau)
    assert (moved["creneauId"], moved["version"]) == (creneau, 2)
    assert (moved["debut"][11:16], moved["fin"][11:16]) == ("10:00", "11:30")
    assert times(salon.free(tuesday))[:4] == ["09:00", "09:30", "11:30", "14:00"]


@pytest.mark.parametrize("old, new", [(30, 60), (60, 30)])
def test_a_visit_keeps_its_length_and_buffers_until_it_gets_a_new_time(
    client, db, salon, chairs, put, alice, chloe, tuesday, old, new
):
    def last(minutes):
        body = {"nom": "Coupe", "dureeMinutes": minutes, "tamponApres": minutes}
        client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)

    def length(seen):
        start, end = (datetime.fromisoformat(seen[name]) for name in ("debut", "fin"))
        return (end - start).seconds // 60

    chairs(3)
    last(old)
    seen = salon.book(chloe, salon.at(tuesday, "09:00"), places=2)
    taken = "SELECT id FROM creneau WHERE places_prises = ? ORDER BY id"
    before = db.rows(taken, 2)
    last(new)
    for places in (1, 3):
        seen = put(chloe, seen, places=places)
        assert length(seen) == old
        assert db.rows(taken, places) == before
    assert length(put(chloe, seen, creneauId=salon.at(tuesday, "10:00"))) == new


def test_a_visit_keeps_a_start_that_its_service_no_longer_has(
    client, salon, chairs, put, alice, chloe, tuesday
):
    chairs(3)
    seen = salon.book(chloe, salon.at(tuesday, "09:30"))
    body = {"nom": "Coupe", "dureeMinutes": 30, "intervalleMinutes": 60}
    client.put(f"/api/prestations/{salon.coupe}", body, token=alice.token)
    changed = put(chloe, seen, places=2)
    assert (changed["debut"], changed["places"]) == (seen["debut"], 2)


def test_a_move_to_a_taken_time_loses_nothing(salon, put, show, chloe, bob, tuesday):
    salon.book(bob, salon.at(tuesday, "11:00"))
    booked = salon.book(chloe, salon.at(tuesday, "09:00"), prestationId=salon.couleur)
    before = salon.free(tuesday)
    refused = put(chloe, booked, expect=409, creneauId=salon.at(tuesday, "10:30"), places=1)
    assert (refused["motif"], len(refused["alternatives"])) == ("complet", 3)
    assert show(chloe, booked) == booked
    assert salon.free(tuesday) == before


@pytest.mark.parametrize("statut", ["annulee", "honoree", "absente"])
def test_what_is_cancelled_or_over_is_not_moved(db, salon, put, alice, chloe, tuesday, statut):
    seen = salon.book(chloe, salon.at(tuesday, "10:00"))
    if statut == "annulee":
        seen = put(alice, seen, statut=statut)
    else:
        db.write("UPDATE reservation SET statut = ?", statut)
    before = salon.free(tuesday)
    for changes in ({"creneauId": salon.at(tuesday, "11:00")}, {"places": 2}):
        refused = put(alice, seen, expect=409, **changes)
        assert (refused["code"], refused["state"]) == ("not_movable", statut)
    assert salon.free(tuesday) == before


def test_places_go_up_and_down(salon, chairs, put, show, chloe, tuesday):
    chairs(3)
    seen = salon.book(chloe, salon.at(tuesday, "10:00"))
    for places, expect in ((3, 200), (4, 409), (2, 200)):
        put(chloe, seen, expect, places=places)
        seen = show(chloe, seen)
    assert seen["places"] == 2
    assert [one["placesRestantes"] for one in salon.free(tuesday)] == [3, 3, 1, 3, 3, 3]


def test_places_can_be_given_back_although_the_business_closes_then(
    client, db, salon, chairs, put, alice, chloe, tuesday
):
    chairs(3)
    seen = salon.book(chloe, salon.at(tuesday, "10:00"), places=3)
    client.put(f"/api/entreprises/{salon.id}/semainetype", [], token=alice.token)
    seen = put(chloe, seen, places=2)
    assert seen["places"] == 2
    taken = "SELECT SUM(places_prises), SUM(ouvert) FROM creneau WHERE places_prises > 0"
    assert db.rows(taken) == [(2, 0)]
    assert put(chloe, seen, 409, places=3)["motif"] == "ferme"


def test_no_places_are_given_back_after_the_start(db, salon, chairs, alice, chloe, tuesday):
    chairs(3)
    number = salon.book(chloe, salon.at(tuesday, "10:00"), places=3)["id"]
    (seen,) = reservations.by_ids(db, [number])
    owner, asked = Account(alice.id, "company"), Change(seen.version, places=2)
    with pytest.raises(SlotTaken) as refused:
        changing.change(db, owner, number, asked, seen.debut + 60, suggests=False)
    assert refused.value.motif == "passe"


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"places": 0, "commentaire": 1}, {"places", "commentaire"}),
        ({"statut": "perdue", "creneauId": None}, {"statut", "creneauId"}),
        ({"prestationId": 1, "utilisateurId": 1}, {"prestationId", "utilisateurId"}),
        ({"version": 0}, {"version"}),
        ({"version": None}, {"version"}),
    ],
)
def test_every_wrong_field_of_a_change_is_named(salon, put, show, alice, tuesday, changes, wrong):
    booked = salon.book(alice, salon.at(tuesday, "10:00"))
    assert set(put(alice, booked, expect=400, **changes)["champs"]) == wrong
    assert show(alice, booked) == booked


def test_a_move_to_another_business_is_refused(salon, make_salon, put, bob, chloe, tuesday):
    elsewhere = make_salon(bob).at(tuesday, "10:00")
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    assert set(put(chloe, booked, expect=400, creneauId=elsewhere)["champs"]) == {"creneauId"}


def test_a_change_needs_the_present_version(salon, put, show, chloe, tuesday):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    assert set(put(chloe, booked, 400, headers={}, places=1)["champs"]) == {"version"}
    kept = put(chloe, booked, headers={"If-Match": '"v1"'}, commentaire="Allergie")
    assert (kept["commentaire"], kept["version"], kept["places"]) == ("Allergie", 2, 1)
    put(chloe, booked, 412, commentaire="x")
    put(chloe, booked, 412, headers={"If-Match": '"v1"'}, commentaire="x")
    assert show(chloe, booked) == kept


def test_cancelling_gives_the_places_back_and_can_be_repeated(
    salon, cancel, put, show, chloe, tuesday
):
    before = salon.free(tuesday)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"), prestationId=salon.couleur)
    for _ in range(2):
        cancel(chloe, booked)
    assert salon.free(tuesday) == before
    seen = show(chloe, booked)
    assert seen["statut"] == "annulee"
    put(chloe, seen, expect=409, creneauId=salon.at(tuesday, "11:00"))


def test_after_the_deadline_the_owner_alone_moves_and_cancels(
    salon, rules, cancel, put, alice, chloe, tuesday
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    rules(delaiAnnulation=366 * 1440)
    cancel(chloe, booked, expect=403)
    creneau = salon.at(tuesday, "11:00")
    put(chloe, booked, expect=403, creneauId=creneau)
    seen = put(chloe, booked, commentaire="En retard")
    put(alice, seen, creneauId=creneau)
    cancel(alice, booked)


@pytest.mark.parametrize("change", ["cancel", "move"])
def test_the_deadline_does_not_apply_to_a_request(
    salon, rules, cancel, put, chloe, tuesday, change
):
    rules(validationManuelle=True, delaiAnnulation=366 * 1440)
    asked = salon.book(chloe, salon.at(tuesday, "10:00"))
    if change == "cancel":
        cancel(chloe, asked)
        return
    moved = put(chloe, asked, creneauId=salon.at(tuesday, "11:00"))
    assert (moved["statut"], moved["debut"][11:16]) == ("demandee", "11:00")


@pytest.mark.parametrize("whose", ["business", "person", "room"])
@pytest.mark.parametrize("change", ["cancel", "move"])
def test_the_deadline_does_not_apply_to_a_visit_during_a_closure(
    db, client, salon, rules, cancel, put, show, alice, chloe, lea, tuesday, change, whose
):
    cabin = teams.add(db, salon.id, "Cabine", "lieu")
    db.write("UPDATE prestation SET lieu_requis = 1")
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    rules(delaiAnnulation=366 * 1440)
    assert "ferme" not in show(chloe, booked)
    # Closed until the last minute of the visit.
    closure = {"type": "fermeture", "titre": "Malade", "debut": f"{tuesday}T00:00:00Z",
               "fin": booked["fin"].replace(":30:", ":01:")}
    ressource = {"business": None, "person": lea, "room": cabin}[whose]
    path = f"/api/entreprises/{salon.id}/evenements"
    client.post(path, {**closure, "ressourceId": ressource}, 201, token=alice.token)
    assert show(chloe, booked)["ferme"] is True
    if change == "cancel":
        cancel(chloe, booked)
        return
    moved = put(chloe, booked, creneauId=salon.at(tuesday, "11:00"))
    assert "ferme" not in show(chloe, moved)
    cancel(chloe, moved, expect=403)  # the deadline applies at the new time


def test_the_deadline_applies_to_a_visit_next_to_a_closure_or_of_another_person(
    client, salon, rules, cancel, show, alice, chloe, lea, ines, tuesday
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)
    rules(delaiAnnulation=366 * 1440)
    path = f"/api/entreprises/{salon.id}/evenements"
    start, end = f"{tuesday}T00:00:00Z", f"{tuesday}T20:00:00Z"
    for type, ressource, debut, fin in (
        ("fermeture", None, start, booked["debut"]),
        ("fermeture", None, booked["fin"], end),
        ("fermeture", ines, start, end),
        ("information", None, start, end),
    ):
        body = {"type": type, "titre": "x", "debut": debut, "fin": fin, "ressourceId": ressource}
        client.post(path, body, 201, token=alice.token)
    assert "ferme" not in show(chloe, booked)
    cancel(chloe, booked, expect=403)


@pytest.mark.parametrize("closed", [True, False])
def test_nobody_cancels_online_after_the_start(
    db, client, salon, rules, alice, chloe, tuesday, closed
):
    rules(validationManuelle=not closed)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    if closed:
        closure = {"type": "fermeture", "titre": "x", "debut": booked["debut"],
                   "fin": booked["fin"]}
        path = f"/api/entreprises/{salon.id}/evenements"
        client.post(path, closure, 201, token=alice.token)
    debut = int(datetime.fromisoformat(booked["debut"]).timestamp())
    asking = Account(chloe.id, "student")
    with pytest.raises(DeadlinePassed):
        changing.cancel(db, asking, booked["id"], debut + 1)
    changing.cancel(db, asking, booked["id"], debut)


def test_the_deadline_itself_is_still_in_time(salon, rules, db, chloe, tuesday):
    rules(delaiAnnulation=60)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    deadline = int(datetime.fromisoformat(booked["debut"]).timestamp()) - 3600
    asking = Account(chloe.id, "student")
    with pytest.raises(DeadlinePassed):
        changing.cancel(db, asking, booked["id"], deadline + 1)
    changing.cancel(db, asking, booked["id"], deadline)


def test_each_role_lists_what_it_sees(client, salon, make_salon, alice, bob, chloe, dora, tuesday):
    other = make_salon(bob)
    one = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    two = other.book(alice, other.at(tuesday, "11:00"))["id"]
    for who, seen in ((chloe, [one]), (alice, [one, two]), (bob, [two]), (dora, [one, two])):
        shown = client.get("/api/reservations", token=who.token).json
        assert [each["id"] for each in shown] == seen


def test_a_visit_that_goes_on_is_listed_after_its_service_was_shortened(
    client, make_salon, alice, chloe, tuesday
):
    night = {"jour": 2, "debut": "20:00", "fin": "04:00", "pasMinutes": 60}
    salon = make_salon(alice, week=[night])
    path = f"/api/prestations/{salon.couleur}"
    service = client.get(path).json
    body = {"nom": service["nom"], "dureeMinutes": 300}
    client.put(path, body, token=alice.token, headers={"If-Match": '"v1"'})
    start = salon.at(tuesday, "20:00", salon.couleur)
    booked = salon.book(chloe, start, prestationId=salon.couleur)
    for minutes, version in ((30, '"v2"'), (20, '"v3"')):
        body["dureeMinutes"] = minutes
        client.put(path, body, token=alice.token, headers={"If-Match": version})
    client.put(f"/api/prestations/{salon.coupe}", {**body, "version": 1}, token=alice.token)
    listed = client.get(f"/api/reservations?du={tuesday + timedelta(days=1)}", token=alice.token)
    assert [one["id"] for one in listed.json] == [booked["id"]]


def test_the_dates_of_a_list_are_local_to_the_business(
    client, db, make_salon, alice, bob, chloe, dora, tuesday
):
    night = [{"jour": 2, "debut": "00:00", "fin": "02:00", "pasMinutes": 60}]
    salon = make_salon(alice, week=night, fuseau="Pacific/Auckland")
    number = salon.book(chloe, salon.at(tuesday, "00:00"))["id"]  # on Monday in Paris
    (person, customer), = db.rows("SELECT ressource_id, client_id FROM reservation")

    def found(by, query=""):
        path = f"/api/reservations?du={tuesday}&au={tuesday}{query}"
        return [one["id"] for one in client.get(path, token=by.token).json] == [number]

    for query in (f"&entreprise={salon.id}", f"&ressource={person}", f"&client={customer}"):
        assert found(alice, query) and found(dora, query), query
    assert found(chloe, f"&ressource={person}")
    assert found(alice)
    assert not found(chloe) and not found(dora)
    make_salon(alice, week=night, fuseau="Pacific/Auckland")
    assert found(alice)
    make_salon(alice, week=night)
    assert not found(alice)
    assert not found(alice, "&ressource=999999")


def test_reservations_are_filtered(client, salon, cancel, alice, chloe, tuesday):
    ids = [
        salon.book(chloe, salon.at(day, "10:00"))["id"]
        for day in (tuesday, tuesday + timedelta(days=1))
    ]
    cancel(chloe, {"id": ids[0]})
    for query, found in {
        f"entreprise={salon.id}": ids,
        f"entreprise={salon.id + 1}": [],
        "statut=annulee": ids[:1],
        "statut=confirmee": ids[1:],
        f"du={tuesday}&au={tuesday}": ids[:1],
        f"du={tuesday + timedelta(days=1)}": ids[1:],
        f"au={tuesday}&statut=confirmee": [],
    }.items():
        shown = client.get(f"/api/reservations?{query}", token=alice.token).json
        assert [one["id"] for one in shown] == found
    for dates in ("", f"&du={tuesday}", f"&au={tuesday}"):
        query = f"entreprise={salon.id + 1}{dates}"
        assert client.get(f"/api/reservations?{query}", token=alice.token).json == []
    wrong = "entreprise=x&statut=perdue&du=hier&au=demain"
    champs = client.get(f"/api/reservations?{wrong}", 400, token=alice.token).json["champs"]
    assert set(champs) == {"entreprise", "statut", "du", "au"}
