"""The weekly hours: their rules, and what new hours do to the calendar."""

import pytest

from reservation.domain.calendar.timetable import Opening
from reservation.domain.planning import businesses, hours
from tests import outboxes
from tests.conftest import MORNING, WEEK

DAY = 86400
DEFAULTS = {"capacite": 1, "prestationId": None}


@pytest.fixture
def put(client, salon, alice):
    def put(week, expect=200, **headers):
        path = f"/api/entreprises/{salon.id}/semainetype"
        return client.put(path, week, expect=expect, token=alice.token, headers=headers).json

    return put


@pytest.fixture
def open_times(salon, tuesday):
    """Returns a function that lists the wall times of a Tuesday that can be booked."""
    return lambda **query: [one["debut"][11:16] for one in salon.free(tuesday, **query)]


def opening(**changes):
    return {**MORNING, **changes}


def without(field):
    return {name: value for name, value in MORNING.items() if name != field}


def test_a_week_is_replaced_whole_and_shown_by_day_and_time(client, put, salon):
    week = [opening(jour=7), opening(debut="14:00", fin="24:00", capacite=3), opening()]
    answer = put(week)
    shown = [{**DEFAULTS, **one} for one in (week[2], week[1], week[0])]
    assert answer == {
        "semaine": shown,
        "creneaux": {"ajoutes": 0, "supprimes": 0, "conserves": 0},
        "reservationsTouchees": [],
    }
    assert client.get(f"/api/entreprises/{salon.id}/semainetype").json == shown


def test_an_empty_week_closes_the_business(put, open_times):
    assert open_times()
    assert put([])["semaine"] == []
    assert open_times() == []


@pytest.mark.parametrize(
    ("row", "field"),
    [(without(field), field) for field in MORNING]
    + [(opening(jour=value), "jour") for value in (0, 8, "2", None, 1.5)]
    + [
        (opening(debut=value), "debut")
        for value in ("9:00", "24:00", "25:00", "09:60", "09:00:00", "", 9, None, "٠٩:٠٠")
    ]
    + [(opening(fin=value), "fin") for value in ("24:01", "12h", 720, "12:00\n")]
    + [(opening(pasMinutes=value), "pasMinutes") for value in (0, -30, 1441, 181, "30", None)]
    + [(opening(capacite=value), "capacite") for value in (0, 10_001, None, 1.5)]
    + [(opening(prestationId=value), "prestationId") for value in (0, "1", 10**6, 2**63 - 1)]
    + [(opening(couleur="rouge"), "couleur"), (opening(id=1), "id")],
)
def test_a_wrong_field_is_named_with_the_number_of_its_row(put, row, field):
    champs = put([opening(jour=5), row], expect=400)["champs"]
    assert set(champs) == {f"1.{field}"}


def test_all_wrong_fields_of_all_rows_are_named_at_once(put):
    champs = put([opening(jour=0, pasMinutes=0), "lundi", {"jour": 1}], expect=400)["champs"]
    missing = {f"2.{field}" for field in ("debut", "fin", "pasMinutes")}
    assert set(champs) == {"0.jour", "0.pasMinutes", "1", *missing}


@pytest.mark.parametrize("body", [{}, {"semaine": []}, [MORNING] * 201, "x", 1])
def test_a_week_is_a_list_of_200_openings_at_most(put, body):
    assert put(body, expect=400)["error"]


def test_a_week_of_201_openings_is_refused_for_their_number(put):
    refused = put([MORNING] * 201, expect=400)
    assert (refused["code"], refused["max"]) == ("too_many_entries", 200)


def test_a_refused_week_leaves_the_old_one(client, put, salon):
    put([opening(), opening(debut="11:30", fin="13:00")], expect=400)
    assert len(client.get(f"/api/entreprises/{salon.id}/semainetype").json) == len(WEEK)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (opening(), opening()),
        (opening(), opening(debut="11:59", fin="13:00")),
        (opening(), opening(debut="10:00", fin="11:00")),
        (opening(debut="22:00", fin="02:00"), opening(jour=3, debut="01:00", fin="03:00")),
        (opening(jour=7, debut="22:00", fin="02:00"), opening(jour=1, debut="00:00", fin="01:00")),
        (opening(jour=1, debut="00:00", fin="01:00"), opening(jour=7, debut="23:00", fin="00:30")),
    ],
)
def test_openings_that_overlap_are_refused(put, one, other):
    assert set(put([one, other], expect=400)["champs"]) == {"1.debut"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (opening(), opening(debut="12:00", fin="13:00")),
        (opening(debut="22:00", fin="24:00"), opening(jour=3, debut="00:00", fin="03:00")),
        (opening(debut="22:00", fin="02:00"), opening(jour=3, debut="02:00", fin="03:00")),
        (opening(jour=7, debut="22:00", fin="02:00"), opening(jour=1, debut="02:00", fin="03:00")),
        (opening(), opening(jour=3)),
    ],
)
def test_openings_that_only_touch_are_taken(put, one, other):
    assert len(put([one, other])["semaine"]) == 2


def test_an_opening_runs_to_midnight_and_over_it(put, open_times, salon, tuesday):
    put([opening(debut="23:00", fin="24:00")])
    assert open_times() == ["23:00", "23:30"]
    assert salon.free(tuesday)[-1]["fin"][11:16] == "00:00"
    put([opening(jour=1, debut="23:00", fin="01:00")])
    assert open_times() == ["00:00", "00:30"]


def test_a_rest_shorter_than_a_grain_is_left_out(put, open_times):
    put([opening(fin="10:50")])
    assert open_times() == ["09:00", "09:30", "10:00"]


def test_an_opening_kept_for_a_service_is_for_no_other(put, salon, tuesday, chloe, bob):
    put([opening(prestationId=salon.couleur)])
    assert salon.free(tuesday, salon.coupe) == []
    assert {one["motif"] for one in salon.free(tuesday, salon.coupe, tous=1)} == {"ferme"}
    creneau = salon.free(tuesday, salon.couleur)[0]["id"]
    assert salon.book(bob, creneau, expect=409)["motif"] == "ferme"
    salon.book(chloe, creneau, prestationId=salon.couleur)


def test_a_service_of_another_business_is_refused(put, make_salon, bob):
    champs = put([opening(prestationId=make_salon(bob).coupe)], expect=400)["champs"]
    assert set(champs) == {"0.prestationId"}


def test_a_retired_service_is_refused_unless_an_opening_is_for_it(client, put, salon, alice):
    week = [opening(prestationId=salon.coupe)]
    put(week)
    for service in (salon.coupe, salon.couleur):
        client.delete(f"/api/prestations/{service}", token=alice.token)
    put([*week, opening(jour=3)])
    refused = put([*week, opening(jour=3, prestationId=salon.couleur)], expect=400)
    assert refused["champs"]["1.prestationId"]["code"] == "unknown_service"
    put([opening()])
    put(week, expect=400)


def test_a_new_week_answers_what_it_did_to_the_calendar(db, put, salon, chloe, tuesday):
    put([opening(fin="10:30")])
    salon.book(chloe, salon.at(tuesday, "09:30"))
    before = starts(db)
    done = put([opening(debut="09:30", fin="11:00")])["creneaux"]
    after = starts(db)
    assert done == {
        "ajoutes": len(after - before), "supprimes": len(before - after), "conserves": 1,
    }
    assert done["ajoutes"] > 0
    assert done["supprimes"] > 0
    assert put([opening(debut="09:30", fin="11:00")])["creneaux"] == {
        "ajoutes": 0, "supprimes": 0, "conserves": 1,
    }


def starts(db):
    return {debut for (debut,) in db.rows("SELECT debut FROM creneau")}


def test_the_id_of_a_time_that_is_gone_never_books_another_time(put, salon, chloe, tuesday):
    put([opening()])
    creneau = salon.free(tuesday)[-1]["id"]
    put([opening(debut="14:00", fin="18:00")])
    assert salon.free(tuesday)
    salon.book(chloe, creneau, expect=409)


def test_a_new_week_keeps_what_is_booked_and_fills_around_it(
    client, put, salon, open_times, chloe, tuesday
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put([opening(pasMinutes=60)])
    assert open_times() == ["09:00", "10:30"]
    shown = client.get(f"/api/reservations/{booked['id']}", token=chloe.token).json
    assert shown == booked


def test_what_is_booked_outside_the_new_week_takes_no_other_booking(put, salon, chloe, tuesday):
    put([opening(capacite=2)])
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put([opening(debut="14:00", fin="16:00")])
    seen = {one["id"]: one for one in salon.free(tuesday, tous=1)}
    assert seen[booked["creneauId"]]["motif"] == "ferme"
    assert salon.book(chloe, booked["creneauId"], expect=409)["motif"] == "ferme"


def test_a_new_week_lists_the_bookings_that_it_leaves_outside(
    client, put, salon, alice, chloe, bob, tuesday, db
):
    put([opening(), opening(debut="14:00", fin="18:00")])
    times = ("09:00", "10:30", "14:00", "17:30")
    early, late, kept, gone = (
        salon.book(chloe, salon.at(tuesday, time))["id"] for time in times
    )
    client.delete(f"/api/reservations/{gone}", token=chloe.token)
    long = salon.book(bob, salon.at(tuesday, "15:00"), prestationId=salon.couleur)["id"]
    outboxes.empty(db)
    done = put([opening(debut="09:15", fin="10:45"), opening(debut="14:00", fin="16:00")])
    assert [one["id"] for one in done["reservationsTouchees"]] == [early, late, long]
    assert done["reservationsTouchees"][2]["client"]["email"] == bob.email
    assert done["creneaux"]["conserves"] == 6
    again = put([opening(debut="14:00", fin="16:00")])
    assert again["reservationsTouchees"] == []  # they were stranded before
    for number in (early, late, kept, long):
        shown = client.get(f"/api/reservations/{number}", token=alice.token).json
        assert (shown["statut"], shown["version"]) == ("confirmee", 1)
    assert outboxes.posts(db) == []


def test_a_buffer_outside_of_the_new_week_leaves_its_booking_inside(
    client, put, salon, alice, chloe, tuesday
):
    path = f"/api/entreprises/{salon.id}/prestations"
    body = {"nom": "Soin", "dureeMinutes": 30, "tamponApres": 60}
    soin = client.post(path, body, 201, token=alice.token).json["id"]
    put([opening()])
    salon.book(chloe, salon.at(tuesday, "10:30", soin), prestationId=soin)
    done = put([opening(fin="11:00")])
    assert (done["creneaux"]["conserves"], done["reservationsTouchees"]) == (3, [])


def test_capacity_falls_no_lower_than_what_is_taken(put, salon, chloe, tuesday):
    put([opening(capacite=4)])
    creneau = salon.at(tuesday, "10:00")
    booked = salon.book(chloe, creneau, places=3)
    put([opening(capacite=2)])
    seen = {one["id"]: one for one in salon.free(tuesday, tous=1)}
    assert (seen[creneau]["placesRestantes"], seen[creneau]["motif"]) == (0, "complet")
    assert booked["creneauId"] == creneau
    put([opening(capacite=5)])
    assert {one["id"]: one for one in salon.free(tuesday)}[creneau]["placesRestantes"] == 2


def test_places_given_back_above_the_new_capacity_are_not_sold_again(
    client, put, salon, chloe, bob, tuesday
):
    put([opening(capacite=3)])
    creneau = salon.at(tuesday, "10:00")
    salon.book(chloe, creneau, places=2)
    other = salon.book(bob, creneau)
    put([opening(capacite=1)])
    client.delete(f"/api/reservations/{other['id']}", token=bob.token)
    salon.book(bob, creneau, expect=409)


def test_a_stale_if_match_is_refused(put):
    put([opening()], expect=412, **{"If-Match": '"v999"'})


def test_a_week_that_is_refused_has_no_tag(client, salon, alice):
    body = [{**MORNING, "prestationId": 999}]
    path = f"/api/entreprises/{salon.id}/semainetype"
    assert "ETag" not in client.put(path, body, 400, token=alice.token).headers


def test_a_new_opening_under_the_buffer_of_a_booking_is_taken(
    client, put, salon, alice, chloe, tuesday, open_times
):
    path = f"/api/entreprises/{salon.id}/prestations"
    body = {"nom": "Soin", "dureeMinutes": 30, "tamponApres": 60}
    soin = client.post(path, body, 201, token=alice.token).json["id"]
    put([opening(fin="11:00")])
    salon.book(chloe, salon.at(tuesday, "10:30", soin), prestationId=soin)
    put([opening(fin="13:00")])
    assert open_times() == ["09:00", "09:30", "10:00", "12:00", "12:30"]


def test_a_booked_time_in_an_opening_for_another_service_takes_no_other_booking(
    put, salon, chloe, bob, tuesday
):
    put([opening(capacite=1)])
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    put([opening(capacite=10, prestationId=salon.couleur)])
    assert salon.free(tuesday) == []
    assert salon.book(bob, booked["creneauId"], expect=409)["motif"] == "ferme"
    assert "10:00" in [one["debut"][11:16] for one in salon.free(tuesday, salon.couleur)]


def test_equal_hours_that_are_saved_again_when_a_slot_begins_move_no_slot(put, salon, db, tuesday):
    """The hours changed earlier that day, during a slot. The later slots follow that slot."""
    put([opening()])
    first = salon.at(tuesday, "09:00")
    ((begin,),) = db.rows("SELECT debut FROM creneau WHERE id = ?", first)
    sql = "SELECT debut FROM creneau WHERE debut >= ? AND debut < ? ORDER BY debut"
    for minutes in (40, 60):
        row = Opening(2, 9 * 60, 12 * 60, 45, 1, None)._asdict()
        hours.replace(db, businesses.get(db, salon.id), [row], begin + minutes * 60)
        starts = db.rows(sql, begin, begin + DAY)
        assert [(debut - begin) // 60 for (debut,) in starts] == [0, 30, 60, 105]
