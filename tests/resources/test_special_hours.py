"""Special hours for a date, and the limit on the slots of a day."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from reservation.domain.calendar import day_limit, stored_plans
from reservation.domain.planning import businesses
from reservation.lib import instants
from tests import outboxes
from tests.conftest import times
from tests.races.soundness import assert_sound

PARIS = ZoneInfo("Europe/Paris")


def wall(day: date, time_of_day: str) -> str:
    return datetime.combine(day, time.fromisoformat(time_of_day), PARIS).isoformat()


@pytest.fixture
def hours(tuesday):
    """Returns a valid body for some hours of the Tuesday."""

    def hours(debut="10:00", fin="12:00", day=tuesday, **fields):
        span = {"debut": wall(day, debut), "fin": wall(day, fin)}
        about = {"type": "horaires", "titre": "Veille de fête", "pasMinutes": 30, "capacite": 1}
        return {**about, **span, **fields}

    return hours


@pytest.fixture
def call(client, salon, alice):
    def call(method, path, body=None, expect=200, **how):
        path = path.format(salon=f"/api/entreprises/{salon.id}")
        answer = client.call(method, path, body, expect=expect, token=alice.token, **how)
        return answer.json if answer.body else None

    return call


def week_of(**changes):
    return [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, **changes}]


def test_special_hours_replace_those_of_the_week_and_are_listed(call, hours, salon, tuesday, db):
    week = salon.free(tuesday + timedelta(days=7))
    made = call("POST", "{salon}/evenements", hours(debut="10:10"), 201)
    assert (made["type"], made["pasMinutes"], made["capacite"]) == ("horaires", 30, 1)
    assert times(salon.free(tuesday)) == ["10:10", "10:40", "11:10"]
    assert salon.free(tuesday + timedelta(days=7)) == week
    (listed,) = call("GET", f"{{salon}}/evenements?du={tuesday}&au={tuesday}")
    assert listed == call("GET", f"/api/evenements/{made['id']}")
    call("DELETE", f"/api/evenements/{made['id']}", expect=204)
    assert times(salon.free(tuesday)) == times(week)
    assert_sound(db)


def test_a_morning_and_an_afternoon_both_count(call, hours, salon, tuesday):
    for span in (("09:00", "10:00"), ("16:00", "17:00")):
        call("POST", "{salon}/evenements", hours(*span), 201)
    assert times(salon.free(tuesday)) == ["09:00", "09:30", "16:00", "16:30"]


def test_starts_of_a_service_are_counted_from_the_special_hours(
    call, hours, client, alice, salon, tuesday
):
    body = {"nom": "Massage", "dureeMinutes": 40, "intervalleMinutes": 60}
    massage = client.post(
        f"/api/entreprises/{salon.id}/prestations", body, 201, token=alice.token
    ).json["id"]
    call("POST", "{salon}/evenements", hours(debut="10:10", fin="13:30"), 201)
    path = f"{{salon}}/creneaux?prestation={massage}&du={tuesday}&au={tuesday}"
    assert times(call("GET", path)) == ["10:10", "11:10", "12:10"]


def test_bookings_outside_special_hours_are_kept_and_listed_as_stranded(
    call, hours, salon, chloe, bob, client, tuesday, db
):
    out = salon.book(chloe, salon.at(tuesday, "09:30"))
    over = salon.book(bob, salon.at(tuesday, "10:30"))
    told = outboxes.posts(db)
    before = db.rows("SELECT id, statut, debut, version FROM reservation ORDER BY id")
    tried = call("POST", "{salon}/evenements?essai=1", hours(debut="10:10"))
    assert [one["id"] for one in tried["reservationsTouchees"]] == [out["id"]]
    done = call("POST", "{salon}/evenements", hours(debut="10:10"), 201)
    assert {key: done[key] for key in tried} == tried
    assert db.rows("SELECT id, statut, debut, version FROM reservation ORDER BY id") == before
    assert outboxes.posts(db) == told
    assert times(salon.free(tuesday)) == ["11:00", "11:30"]  # after Bob
    client.delete(f"/api/reservations/{out['id']}", token=chloe.token)
    client.delete(f"/api/reservations/{over['id']}", token=bob.token)
    assert times(salon.free(tuesday)) == ["10:10", "10:40", "11:10"]  # the new hours
    assert_sound(db)


def test_a_closure_wins_over_special_hours_and_an_opening_adds_to_them(
    call, hours, salon, tuesday
):
    call("POST", "{salon}/evenements", hours(), 201)
    call("POST", "{salon}/evenements", hours("11:00", "13:00", type="ouverture"), 201)
    closed = {"type": "fermeture", "pasMinutes": None, "capacite": None}
    call("POST", "{salon}/evenements", hours("10:00", "10:40", **closed), 201)
    assert times(salon.free(tuesday)) == ["11:00", "11:30", "12:00", "12:30"]


def test_an_event_becomes_special_hours(call, hours, salon, tuesday):
    number = call("POST", "{salon}/evenements", hours(type="ouverture"), 201)["id"]
    before = times(salon.free(tuesday))
    changed = {**hours(fin="11:00"), "version": 1}
    tried = call("PUT", f"/api/evenements/{number}?essai=1", changed)
    done = call("PUT", f"/api/evenements/{number}", changed)
    assert done == {**tried, "version": 2}
    assert before[0] == "09:00" and times(salon.free(tuesday)) == ["10:00", "10:30"]


@pytest.mark.parametrize(
    "left_out, wrong", [({"pasMinutes": None}, "pasMinutes"), ({"capacite": None}, "capacite")]
)
def test_special_hours_need_slots(call, hours, left_out, wrong):
    refused = call("POST", "{salon}/evenements", hours(**left_out), 400)
    assert {name: one["code"] for name, one in refused["champs"].items()} == {
        wrong: "only_for_openings"
    }


def test_special_hours_last_at_most_eight_days(call, hours, tuesday):
    late = tuesday + timedelta(days=8)
    call("POST", "{salon}/evenements", hours(fin="10:00") | {"fin": wall(late, "10:00")}, 201)
    refused = call(
        "POST", "{salon}/evenements", hours() | {"fin": wall(late, "10:01")}, 400
    )["champs"]["fin"]
    assert (refused["code"], refused["max"]) == ("too_far_from_start", 8)


def test_special_hours_of_more_than_a_year_are_told_their_own_limit(call, hours, tuesday):
    late = tuesday + timedelta(days=400)
    refused = call("POST", "{salon}/evenements", hours() | {"fin": wall(late, "10:00")}, 400)
    assert refused["champs"]["fin"]["max"] == 8


def test_a_long_slot_is_laid_out_alike_however_short_the_range_is(call, hours, salon, db, tuesday):
    """The slot would reach into a day whose weekly hours are replaced late on that day."""
    day = {"debut": "00:00", "fin": "24:00", "pasMinutes": 1000}
    call("PUT", "{salon}/semainetype", [{**day, "jour": 1}, {**day, "jour": 2}])
    entreprise = businesses.get(db, salon.id)
    monday = instants.from_iso(wall(tuesday - timedelta(days=1), "00:00"))
    end = monday + 1001 * 60

    def planned():
        (plan,) = stored_plans.read(db, entreprise, monday, end).values()
        return plan.slots(monday, end)

    before = planned()
    assert [one.debut for one in before] == [monday, monday + 1000 * 60]
    call("POST", "{salon}/evenements", hours("23:00", "23:30"), 201)
    assert planned() == before[:1]


# The limit of 500 slots a day


def test_a_slot_of_one_minute_is_booked(call, hours, client, alice, salon, chloe, tuesday, db):
    call("PUT", "{salon}/semainetype", week_of(fin="17:20", pasMinutes=1))
    body = {"nom": "Signature", "dureeMinutes": 1}
    path = f"/api/entreprises/{salon.id}/prestations"
    service = client.post(path, body, 201, token=alice.token).json["id"]
    free = call("GET", f"{{salon}}/creneaux?prestation={service}&du={tuesday}&au={tuesday}")
    assert len(free) == 500 and times(free)[:2] == ["09:00", "09:01"]
    booked = salon.book(chloe, free[7]["id"], prestationId=service)
    assert (booked["debut"][11:16], booked["fin"][11:16]) == ("09:07", "09:08")
    assert_sound(db)


@pytest.mark.parametrize("query", ["", "?essai=1"])
def test_a_week_or_an_event_of_too_many_slots_is_refused(call, hours, tuesday, query, db):
    def plan():
        return [db.rows(f"SELECT * FROM {table} ORDER BY id") for table in (
            "semainetype", "evenement", "creneau"
        )]

    call("PUT", "{salon}/semainetype", week_of(fin="17:19", pasMinutes=1))
    event = hours("20:00", "20:02", type="ouverture", pasMinutes=1)
    harmless = hours("20:00", "20:01", type="ouverture", pasMinutes=1)
    number = call("POST", "{salon}/evenements", harmless, 201)["id"]
    before = plan()
    for method, path, body in (
        ("PUT", f"{{salon}}/semainetype{query}", week_of(fin="17:20", pasMinutes=1)),
        ("POST", f"{{salon}}/evenements{query}", event),
        ("POST", f"{{salon}}/evenements{query}", hours("09:00", "17:21", pasMinutes=1)),
        ("PUT", f"/api/evenements/{number}{query}", {**event, "version": 1}),
    ):
        refused = call(method, path, body, 400)
        assert (refused["code"], refused["max"]) == ("too_many_slots", 500)
        assert refused["date"] in (str(tuesday), str(tuesday - timedelta(days=7)))
    assert plan() == before


@pytest.mark.parametrize("query", ["", "?essai=1"])
def test_events_beyond_the_horizon_count_with_a_new_week(call, hours, tuesday, query):
    late = tuesday + timedelta(days=7 * 60)
    event = hours("20:00", "20:05", day=late, type="ouverture", pasMinutes=1)
    call("POST", "{salon}/evenements", event, 201)
    week = week_of(fin="17:19", pasMinutes=1)
    refused = call("PUT", f"{{salon}}/semainetype{query}", week, 400)
    assert (refused["code"], refused["date"]) == ("too_many_slots", str(late))


def test_hours_that_come_back_and_another_time_zone_are_counted_too(
    call, hours, client, alice, salon, tuesday
):
    """Removing special hours brings the weekly hours back beside an ouverture."""
    call("PUT", "{salon}/semainetype", week_of(fin="17:19", pasMinutes=1))
    number = call("POST", "{salon}/evenements", hours(), 201)["id"]
    evening = hours("20:00", "21:00", type="ouverture", pasMinutes=1)
    added = call("POST", "{salon}/evenements", evening, 201)["id"]
    refused = call("DELETE", f"/api/evenements/{number}", expect=400)
    assert (refused["code"], refused["date"]) == ("too_many_slots", str(tuesday))
    call("DELETE", f"/api/evenements/{added}", expect=204)
    call("DELETE", f"/api/evenements/{number}", expect=204)
    # In Paris the event lies within the weekly hours, in London before them.
    event = hours("09:00", "09:20", type="ouverture", pasMinutes=1)
    call("POST", "{salon}/evenements", event, 201)
    about = call("GET", "{salon}")
    moved = {
        key: value for key, value in about.items()
        if key not in ("id", "actif", "proprietaireId", "creeLe")
    } | {"fuseau": "Europe/London"}
    refused = call("PUT", "{salon}", moved, 400)
    assert refused["code"] == "too_many_slots"


def test_two_changes_at_once_cannot_exceed_the_limit_together(
    call, hours, monkeypatch
):
    """The limit is checked within the transaction that has the lock of the business."""
    call("PUT", "{salon}/semainetype", week_of(fin="16:00", pasMinutes=1))
    inside = []
    inner = day_limit.check

    def check(found, *span):
        (plan,) = found
        inside.append(len(plan.events))
        return inner([plan], *span)

    monkeypatch.setattr(day_limit, "check", check)
    short = {"type": "ouverture", "pasMinutes": 1}
    call("POST", "{salon}/evenements", hours("20:00", "21:00", **short), 201)
    call("POST", "{salon}/evenements", hours("18:00", "19:00", **short), 400)
    assert inside == [1, 2]  # the stored plan, with the new event


def test_special_hours_of_a_person_replace_those_of_the_business(
    client, alice, call, hours, salon, tuesday, db
):
    lea = call("POST", "{salon}/ressources", {"nom": "Léa"}, 201)["id"]
    wednesday = tuesday + timedelta(days=1)
    until = wall(wednesday, "11:00")
    call("POST", "{salon}/evenements", {**hours(debut="10:00"), "fin": until}, 201)
    call("POST", "{salon}/evenements", hours(debut="14:00", fin="15:00", ressourceId=lea), 201)
    of_lea = {"ressource": lea}
    assert times(salon.free(tuesday, **of_lea)) == ["14:00", "14:30"]
    assert times(salon.free(wednesday, **of_lea))[:2] == ["00:00", "00:30"]
    assert times(salon.free(wednesday, **of_lea))[-1] == "10:30"
    (other,) = (
        one["id"] for one in call("GET", "{salon}/ressources") if one["id"] != lea
    )
    assert times(salon.free(tuesday, ressource=other))[0] == "10:00"
    assert_sound(db)


def test_special_hours_of_the_business_put_nobody_on_sale_on_a_day_off(
    call, hours, salon, tuesday, db
):
    """Léa works on Tuesdays for three customers at once. Nina works on Wednesdays."""
    lea, nina = (
        call("POST", "{salon}/ressources", {"nom": name}, 201)["id"] for name in ("Léa", "Nina")
    )

    def set_week(whose, *days, query=""):
        week = [row for jour in days for row in week_of(jour=jour, capacite=3)]
        version = call("GET", f"/api/ressources/{whose}?toutes=1")["version"]
        path = f"/api/ressources/{whose}/semainetype{query}"
        return call("PUT", path, {"semaine": week}, headers={"If-Match": f'"v{version}"'})

    set_week(lea, 2)
    set_week(nina, 3)
    wednesday = tuesday + timedelta(days=1)
    before = salon.free(wednesday, ressource=nina)
    body = hours("14:00", "16:00") | {"fin": wall(wednesday, "11:00")}
    tried = call("POST", "{salon}/evenements?essai=1", body)
    event = call("POST", "{salon}/evenements", body, 201)
    assert event["creneaux"] == tried["creneaux"]
    assert times(salon.free(tuesday, ressource=lea))[0] == "14:00"
    assert {one["placesRestantes"] for one in salon.free(tuesday, ressource=lea)} == {3}
    assert not salon.free(wednesday, ressource=lea) and not salon.free(tuesday, ressource=nina)
    assert times(salon.free(wednesday, ressource=nina)) != times(before)
    tried = set_week(nina, 2, 3, query="?essai=1")
    assert tried["creneaux"] == set_week(nina, 2, 3)["creneaux"]
    assert times(salon.free(tuesday, ressource=nina))[0] == "14:00"
    assert_sound(db)
