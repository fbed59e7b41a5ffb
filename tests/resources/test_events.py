"""Events: closures, extra openings, announcements, public holidays."""

from datetime import datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from reservation.domain.calendar import stored_plans
from reservation.domain.planning import businesses, closures, events
from reservation.lib import instants
from reservation.lib.holidays import public_holidays
from tests import outboxes, teams
from tests.calendars import calendar_of
from tests.clock import now
from tests.conftest import HOUR_A_DAY, times

NOTHING = {"ajoutes": 0, "supprimes": 0, "conserves": 0}


@pytest.fixture
def body(tuesday):
    """Returns a valid body for some hours of the Tuesday, with the offset of Paris."""

    def body(kind="fermeture", debut="10:00", fin="11:30", **fields):
        extra = {"pasMinutes": 30, "capacite": 1} if kind in ("ouverture", "horaires") else {}
        day = {"type": kind, "titre": "Exception", "debut": wall(tuesday, debut),
               "fin": wall(tuesday, fin)}
        return {**day, **extra, **fields}

    return body


def wall(day, time_of_day):
    paris = ZoneInfo("Europe/Paris")
    return datetime.combine(day, time.fromisoformat(time_of_day), paris).isoformat()


@pytest.fixture
def post(client, salon, alice):
    def post(body, expect=201):
        path = f"/api/entreprises/{salon.id}/evenements"
        return client.post(path, body, expect=expect, token=alice.token)

    return post


@pytest.fixture
def put(client, alice):
    def put(number, body, expect=200, **headers):
        path = f"/api/evenements/{number}"
        return client.put(path, body, expect=expect, token=alice.token, headers=headers)

    return put


@pytest.fixture
def delete(client, alice):
    return lambda number, expect=204: client.delete(
        f"/api/evenements/{number}", expect, token=alice.token
    )


def test_an_event_is_shown_at_the_address_that_location_names(client, post, body, salon):
    answer = post(body("information", description="Portes ouvertes"))
    shown = client.get(answer.headers["Location"])
    assert shown.headers["ETag"].startswith('"v1.')
    assert shown.json == {
        **body("information", description="Portes ouvertes"),
        "id": answer.json["id"],
        "entrepriseId": salon.id,
        "pasMinutes": None,
        "capacite": None,
        "ressourceId": None,
        "version": 1,
    }
    assert answer.json == {**shown.json, "creneaux": NOTHING, "reservationsTouchees": []}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"type": "vacances"}, {"type"}),
        ({"type": []}, {"type"}),
        ({"titre": ""}, {"titre"}),
        ({"titre": "x" * 151}, {"titre"}),
        ({"description": "x" * 5001}, {"description"}),
        ({"debut": "2030-01-01T10:00:00"}, {"debut"}),
        ({"debut": "2030-01-01"}, {"debut"}),
        ({"debut": 1893488400}, {"debut"}),
        ({"debut": "0001-01-01T00:00:00+14:00", "fin": "9999-12-31T23:59:59-14:00"},
         {"debut", "fin"}),
        ({"debut": "9999-01-01T10:00:00Z", "fin": "9999-01-01T11:00:00Z"}, {"debut", "fin"}),
        ({"debut": "2030-01-01T10:00:00.5Z"}, {"debut"}),
        ({"fin": "2020-01-01T10:00:00Z"}, {"fin"}),
        ({"debut": "2030-01-01T10:00:00Z", "fin": "2030-01-01T11:00:00+01:00"}, {"fin"}),
        ({"debut": "2030-01-01T10:00:00Z", "fin": "2031-01-03T10:00:00Z"}, {"fin"}),
        ({"pasMinutes": 30, "capacite": 1}, {"pasMinutes", "capacite"}),
        ({"type": "information", "capacite": 1}, {"capacite"}),
        ({"type": "ouverture"}, {"pasMinutes", "capacite"}),
        ({"type": "horaires"}, {"pasMinutes", "capacite"}),
        ({"type": "horaires", "pasMinutes": 30, "capacite": 1, "debut": "2030-01-01T10:00:00Z",
          "fin": "2030-01-09T10:00:01Z"}, {"fin"}),
        ({"type": "ouverture", "pasMinutes": 0, "capacite": 0}, {"pasMinutes", "capacite"}),
        ({"couleur": 1, "id": 1, "titre": None}, {"couleur", "id", "titre"}),
    ],
)
def test_every_wrong_field_is_named(post, body, changes, wrong):
    assert set(post({**body(), **changes}, expect=400).json["champs"]) == wrong


def test_a_refused_time_names_the_years_that_are_accepted(post, body):
    champs = post({**body(), "fin": "9999-12-31T23:59:59Z"}, expect=400).json["champs"]
    assert "from 1970 to 9998" in champs["fin"]["message"]


def test_all_that_is_required_is_named_at_once(post):
    champs = post({}, expect=400).json["champs"]
    assert set(champs) == {"type", "titre", "debut", "fin"}


def test_times_are_answered_in_the_offset_of_the_business(post, body):
    sent = {"debut": "2030-07-01T00:00:00-05:00", "fin": "2030-07-01T06:00:00Z"}
    shown = post({**body(), **sent}).json
    assert shown["debut"] == "2030-07-01T07:00:00+02:00"
    assert shown["fin"] == "2030-07-01T08:00:00+02:00"


def test_a_closure_takes_away_every_time_that_it_touches(post, body, salon, tuesday):
    before = times(salon.free(tuesday))
    done = post(body(debut="10:15", fin="11:15")).json
    closed = ["10:00", "10:30", "11:00"]
    assert times(salon.free(tuesday)) == [start for start in before if start not in closed]
    assert done["reservationsTouchees"] == []


def test_a_closure_lists_what_it_strands_and_takes_no_new_booking(
    post, body, salon, client, alice, chloe, bob, tuesday
):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 2}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    creneau = salon.at(tuesday, "10:30")
    stranded = salon.book(chloe, creneau)
    salon.book(chloe, salon.at(tuesday, "09:30"))  # ends when the closure begins
    salon.book(chloe, salon.at(tuesday, "11:30"))  # begins when the closure ends
    gone = salon.book(bob, creneau)
    client.delete(f"/api/reservations/{gone['id']}", token=bob.token)
    done = post(body()).json
    assert [one["id"] for one in done["reservationsTouchees"]] == [stranded["id"]]
    refused = salon.book(bob, creneau, expect=409)
    assert refused["motif"] == "ferme"
    shown = client.get(f"/api/reservations/{stranded['id']}", token=chloe.token).json
    assert shown == {**stranded, "ferme": True}


def test_a_closure_that_is_removed_opens_again(post, body, delete, salon, chloe, tuesday, bob):
    salon.book(chloe, salon.at(tuesday, "10:30"))
    before = salon.free(tuesday)
    number = post(body(debut="09:00", fin="18:00")).json["id"]
    assert salon.free(tuesday) == []
    delete(number)
    assert times(salon.free(tuesday)) == times(before)
    salon.book(bob, salon.at(tuesday, "10:00"))


def test_an_event_that_is_gone_is_not_found(post, body, put, delete, client):
    number = post(body()).json["id"]
    delete(number)
    delete(number, expect=404)
    put(number, body(), expect=404)
    client.get(f"/api/evenements/{number}", expect=404)


def test_an_opening_adds_to_the_week_and_leaves_what_is_there(post, body, salon, tuesday):
    before = salon.free(tuesday)
    done = post(body("ouverture", debut="11:00", fin="14:30", capacite=3)).json
    assert done["creneaux"]["ajoutes"] == 4
    free = {one["debut"][11:16]: one["placesRestantes"] for one in salon.free(tuesday)}
    added = {"12:00": 3, "12:30": 3, "13:00": 3, "13:30": 3}
    assert {start: free[start] for start in added} == added
    assert [one for one in salon.free(tuesday) if one["debut"][11:16] not in added] == before


def test_a_closure_wins_over_an_opening(post, body, salon, tuesday):
    for kind in ("fermeture", "ouverture"):
        post(body(kind, debut="12:00", fin="14:00"))
    assert not {"12:00", "12:30", "13:00", "13:30"} & set(times(salon.free(tuesday)))


def test_an_opening_on_a_closed_day_can_be_booked(post, body, salon, chloe, tuesday):
    sunday = tuesday - timedelta(days=2)
    span = {"debut": wall(sunday, "10:00"), "fin": wall(sunday, "12:00")}
    post({**body("ouverture"), **span})
    assert times(salon.free(sunday)) == ["10:00", "10:30", "11:00", "11:30"]
    salon.book(chloe, salon.at(sunday, "11:30"))


def test_an_opening_that_moves_lists_the_bookings_that_it_leaves_and_tells_nobody(
    put, post, body, salon, chloe, tuesday, db
):
    number = post(body("ouverture", debut="12:00", fin="14:00")).json["id"]
    left = salon.book(chloe, salon.at(tuesday, "12:00"))["id"]
    salon.book(chloe, salon.at(tuesday, "13:30"))
    outboxes.empty(db)
    done = put(number, body("ouverture", debut="13:00", fin="14:00")).json
    assert [one["id"] for one in done["reservationsTouchees"]] == [left]
    assert outboxes.posts(db) == []


def test_an_information_leaves_the_calendar_alone(post, body, salon, tuesday):
    before = salon.free(tuesday, tous=1)
    assert post(body("information", debut="09:00", fin="18:00")).json["creneaux"] == NOTHING
    assert salon.free(tuesday, tous=1) == before


def test_put_takes_the_whole_event_and_the_calendar_follows(put, post, body, salon, tuesday):
    before = times(salon.free(tuesday))
    number = post(body(description="x")).json["id"]
    answer = put(number, body(debut="14:00", fin="15:00"), **{"If-Match": '"v1"'})
    assert (answer.json["description"], answer.json["version"]) == ("", 2)
    assert answer.headers["ETag"] == '"v2"'
    assert [start for start in before if start not in times(salon.free(tuesday))] == [
        "14:00", "14:30"
    ]
    put(number, body("information"))
    assert times(salon.free(tuesday)) == before


@pytest.mark.parametrize(
    ("version", "if_match"), [({"version": 1}, {}), ({}, {"If-Match": '"v1"'})]
)
def test_a_stale_version_changes_nothing(client, put, post, body, version, if_match):
    number = post(body()).json["id"]
    put(number, body())
    put(number, {**body(titre="Autre"), **version}, expect=412, **if_match)
    assert client.get(f"/api/evenements/{number}").json["titre"] == "Exception"


@pytest.mark.parametrize(
    ("place", "region", "count"),
    [
        ({}, "metropole", 11), ({"region": "metropole"}, "metropole", 11),
        ({"region": "alsace-moselle"}, "alsace-moselle", 13),
        ({"region": "guadeloupe", "alsaceMoselle": False}, "guadeloupe", 12),
        ({"alsaceMoselle": True}, "alsace-moselle", 13),
        ({"region": "alsace-moselle", "alsaceMoselle": True}, "alsace-moselle", 13),
    ],
)
def test_the_holidays_of_a_year_are_closed_once(client, salon, alice, place, region, count):
    path = f"/api/entreprises/{salon.id}/evenements/feries"
    asked = {"annee": 2030, **place}
    made = client.post(path, asked, 201, token=alice.token).json
    days = {one["debut"][:10]: one["titre"] for one in made}
    expected = public_holidays(2030, region)
    assert len(made) == count
    assert days == {str(day): name for day, name in expected.items()}
    assert {(one["type"], one["debut"][11:19]) for one in made} == {("fermeture", "00:00:00")}
    assert client.post(path, asked, 201, token=alice.token).json == []
    shown = client.get(f"/api/entreprises/{salon.id}/evenements").json
    assert len(shown) == count


def test_a_holiday_that_is_over_is_not_closed(client, salon, alice):
    path = f"/api/entreprises/{salon.id}/evenements/feries"
    today = datetime.now(ZoneInfo("Europe/Paris")).date()
    year = today.year
    assert client.post(path, {"annee": year - 1}, 201, token=alice.token).json == []
    made = client.post(path, {"annee": year}, 201, token=alice.token).json
    coming = [str(day) for day in public_holidays(year) if day >= today]
    assert [one["debut"][:10] for one in made] == coming


def test_a_holiday_closes_the_whole_local_day(client, make_salon, alice, tuesday):
    salon = make_salon(alice, week=HOUR_A_DAY, fuseau="Indian/Reunion", horizonJours=730)
    path = f"/api/entreprises/{salon.id}/evenements/feries"
    year = tuesday.year + 1
    for one in client.post(path, {"annee": year}, 201, token=alice.token).json:
        assert (one["debut"][10:], one["fin"][10:]) == ("T00:00:00+04:00", "T00:00:00+04:00")
    open_days = [d for d in public_holidays(year) if d.isoweekday() in range(2, 7)]
    assert salon.free(open_days[0]) == []
    assert {one["motif"] for one in salon.free(open_days[0], tous=1)} == {"ferme"}


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({}, {"annee"}), ({"annee": "2030"}, {"annee"}), ({"annee": 1970}, {"annee"}),
        ({"annee": 9999}, {"annee"}), ({"annee": 2030, "pays": "fr"}, {"pays"}),
        ({"annee": None, "alsaceMoselle": 1}, {"annee", "alsaceMoselle"}),
        ({"annee": 2030, "region": "971"}, {"region"}),
        ({"annee": 2030, "region": ""}, {"region"}),
        ({"annee": 2030, "region": None}, {"region"}),
        ({"annee": 2030, "region": ["guadeloupe"]}, {"region"}),
        ({"annee": 2030, "region": "guadeloupe", "alsaceMoselle": True}, {"region"}),
    ],
)
def test_a_year_or_region_that_is_none_is_refused(client, salon, alice, asked, wrong):
    path = f"/api/entreprises/{salon.id}/evenements/feries"
    champs = client.post(path, asked, 400, token=alice.token).json["champs"]
    assert set(champs) == wrong


def test_events_are_found_by_city_and_local_dates(client, post, body, make_salon, bob, tuesday):
    mine = post(body(debut="10:00", fin="23:30")).json["id"]
    other = make_salon(bob, ville="Nice", codePostal="06000")
    theirs = client.post(
        f"/api/entreprises/{other.id}/evenements", body(), 201, token=bob.token
    ).json["id"]
    day = timedelta(days=1)
    for query, found in {
        "": [mine, theirs],
        "ville=LYON": [mine],
        "ville=Nice+(06)": [theirs],
        f"du={tuesday}&au={tuesday}": [mine, theirs],
        f"du={tuesday + day}": [],
        f"au={tuesday - day}": [],
        f"du={tuesday - day}&au={tuesday + day}&ville=nice": [theirs],
    }.items():
        assert [one["id"] for one in client.get(f"/api/evenements?{query}").json] == found
    assert set(client.get("/api/evenements?du=x&au=y", 400).json["champs"]) == {"du", "au"}


def test_the_events_of_a_closed_business_are_not_public(client, post, body, salon, alice):
    post(body())
    closed = {"nom": "Salon", "ville": "Lyon", "actif": False}
    client.put(f"/api/entreprises/{salon.id}", closed, token=alice.token)
    assert client.get("/api/evenements").json == []


@pytest.mark.parametrize("extended", [False, True])
def test_a_change_within_a_long_opening_moves_all_later_slots_of_the_opening(
    client, make_salon, alice, db, tuesday, extended
):
    """Without weekly hours, nothing else ends the run of the opening."""
    salon = make_salon(alice, [], horizonJours=120)
    tenth, last = tuesday + timedelta(days=10), tuesday + timedelta(days=83)

    def add(first, last, **fields):
        body = {"titre": "Été", "debut": wall(first, "00:10"), "fin": wall(last, "23:00"),
                "capacite": 1, **fields}
        path = f"/api/entreprises/{salon.id}/evenements"
        client.post(path, body, 201, token=alice.token)

    def seams():
        """Returns the ends of the slots that the next slot does not follow without a gap."""
        for days in range(0, 84, 7):  # extends the calendar week by week
            salon.free(tuesday + timedelta(days=days))
        slots = db.rows("SELECT debut, fin FROM creneau ORDER BY debut")
        return [one[1] for one, following in pairwise(slots) if one[1] != following[0]]

    add(tuesday, last, type="ouverture", pasMinutes=50)
    if extended:
        assert seams() == []
    add(tenth, tenth, type="horaires", pasMinutes=35)
    assert len(seams()) <= 2 and max(seams()) < instants.from_iso(wall(tenth, "23:01"))
    # Without stored slots, for example of a new person, the slots have the same times.
    start, late, end = (
        instants.from_iso(wall(tuesday + timedelta(days=days), "00:00")) for days in (0, 60, 80)
    )
    entreprise, number = businesses.get(db, salon.id), calendar_of(db, salon.id)
    all_slots, late_slots = (
        stored_plans.read(db, entreprise, first, end)[number].slots(first, end)
        for first in (start, late)
    )
    assert late_slots == [slot for slot in all_slots if slot.debut >= late]


def close(db, salon, start):
    values = closures.values_of("Pont", start, start + instants.DAY)
    return events.add(db, businesses.get(db, salon.id), values, now())


def test_a_closure_of_a_large_team_takes_no_more_reads(db, salon, selects):
    """The closures are far ahead, where no slots are stored yet, because slots are read person by
    person."""
    counts = []
    for far in (500, 510):
        selects.clear()
        close(db, salon, now() + far * instants.DAY)
        counts.append(len(selects))
        for name in ("Léa", "Inès", "Zoé"):
            teams.add(db, salon.id, name)
    assert counts[0] == counts[1] > 0


def test_a_closure_reads_the_hours_once(db, salon, selects, tuesday):
    assert salon.free(tuesday)
    close(db, salon, instants.from_iso(wall(tuesday, "00:00")))
    assert len([sql for sql in selects if "semainetype" in sql]) == 1
    assert len([sql for sql in selects if "FROM creneau" in sql]) > 1  # slots of that day changed
    assert salon.free(tuesday) == []
