"""The list of free times of a business."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from reservation.domain.calendar import availability, finding
from reservation.domain.calendar.terms import Visit
from reservation.domain.planning import businesses
from reservation.lib import instants
from tests.calendars import calendar_of
from tests.clock import now
from tests.conftest import MORNING, times

ALL_WEEK = [
    {"jour": jour, "debut": "00:00", "fin": "24:00", "pasMinutes": 60} for jour in range(1, 8)
]


def motifs(found):
    return {one["debut"][11:16]: one.get("motif") for one in found}


@pytest.fixture
def service(client, salon, alice):
    """Adds a service to the salon. Returns its id."""

    def add(minutes=30, **fields):
        body = {"nom": "Soin", "dureeMinutes": minutes, **fields}
        path = f"/api/entreprises/{salon.id}/prestations"
        return client.post(path, body, 201, token=alice.token).json["id"]

    return add


def test_a_free_time_has_its_id_start_end_and_places(salon, tuesday):
    first = salon.free(tuesday)[0]
    winter = datetime(tuesday.year, tuesday.month, tuesday.day, tzinfo=ZoneInfo("Europe/Paris"))
    offset = winter.isoformat()[-6:]
    assert first == {
        "id": first["id"],
        "debut": f"{tuesday}T09:00:00{offset}",
        "fin": f"{tuesday}T09:30:00{offset}",
        "placesRestantes": 1,
    }


def test_a_visit_that_ends_exactly_at_closing_fits(salon, tuesday):
    found = times(salon.free(tuesday, salon.couleur))
    assert found == [
        *("09:00", "09:30", "10:00", "10:30"),
        *("14:00", "14:30", "15:00", "15:30", "16:00", "16:30"),
    ]
    assert salon.free(tuesday, salon.couleur)[-1]["fin"][11:16] == "18:00"


def test_without_a_service_each_free_creneau_is_listed(client, salon, chloe, tuesday):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    query = f"/api/entreprises/{salon.id}/creneaux?du={tuesday}&au={tuesday}"
    found = client.get(query).json
    assert len(found) == 13
    assert {one["fin"][14:16] for one in found} == {"00", "30"}


def test_the_default_range_is_seven_days_from_today_on(client, make_salon, alice):
    salon = make_salon(alice, week=ALL_WEEK)
    today = datetime.now(ZoneInfo("Europe/Paris")).date()
    found = client.get(f"/api/entreprises/{salon.id}/creneaux?tous=1").json
    days = sorted({one["debut"][:10] for one in found})
    assert days == [str(today + timedelta(days=number)) for number in range(7)]
    found = client.get(f"/api/entreprises/{salon.id}/creneaux?tous=1&du={days[3]}").json
    assert (found[0]["debut"][:10], len({one["debut"][:10] for one in found})) == (days[3], 7)


def test_both_ends_of_the_range_are_included_and_31_days_at_most(client, make_salon, alice):
    salon = make_salon(alice, week=ALL_WEEK)
    du = date.today() + timedelta(days=2)
    path = f"/api/entreprises/{salon.id}/creneaux?du={du}&au="
    days = {one["debut"][:10] for one in client.get(f"{path}{du + timedelta(days=30)}").json}
    assert len(days) == 31
    assert len({one["debut"][:10] for one in client.get(f"{path}{du}").json}) == 1
    for au in (du + timedelta(days=31), du - timedelta(days=1)):
        assert set(client.get(f"{path}{au}", expect=400).json["champs"]) == {"au"}


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("du=demain", {"du"}), ("au=2026-02-30", {"au"}), ("places=0", {"places"}),
        ("places=-1", {"places"}), ("places=10001", {"places"}), ("tous=oui", {"tous"}),
        ("prochain=2", {"prochain"}), ("prestation=x", {"prestation"}),
        ("prestation=01", {"prestation"}), ("prestation=999999", {"prestation"}),
        (f"prestation={2**63 - 1}", {"prestation"}), (f"prestation={2**63}", {"prestation"}),
        ("du=x&au=y&places=z&tous=t", {"du", "au", "places", "tous"}),
    ],
)
def test_a_wrong_parameter_is_named(client, salon, query, wrong):
    path = f"/api/entreprises/{salon.id}/creneaux?{query}"
    assert set(client.get(path, expect=400).json["champs"]) == wrong


def test_a_service_of_another_business_or_a_retired_one_has_no_times(
    client, salon, make_salon, alice, bob
):
    other = make_salon(bob)
    client.delete(f"/api/prestations/{salon.coupe}", token=alice.token)
    for prestation in (other.coupe, salon.coupe):
        path = f"/api/entreprises/{salon.id}/creneaux?prestation={prestation}"
        client.get(path, expect=400)


@pytest.mark.parametrize("zone", ["Indian/Reunion", "America/Cayenne", "Pacific/Noumea"])
def test_dates_and_offsets_are_those_of_the_business(make_salon, alice, tuesday, zone):
    salon = make_salon(alice, week=ALL_WEEK, fuseau=zone)
    found = salon.free(tuesday)
    offset = datetime(2030, 1, 1, tzinfo=ZoneInfo(zone)).isoformat()[-6:]
    assert [one["debut"] for one in found] == [
        f"{tuesday}T{hour:02}:00:00{offset}" for hour in range(24)
    ]


def last_sunday(year, month):
    return max(date(year, month, day) for day in range(25, 32) if is_sunday(year, month, day))


def is_sunday(year, month, day):
    return date(year, month, day).weekday() == 6


@pytest.mark.parametrize(("month", "hours", "twice"), [(3, 23, 0), (10, 25, 2)])
def test_a_day_on_which_the_clock_changes_has_its_right_number_of_creneaux(
    make_salon, alice, month, hours, twice
):
    sunday = [opening for opening in ALL_WEEK if opening["jour"] == 7]
    salon = make_salon(alice, week=sunday, horizonJours=730)
    found = salon.free(last_sunday(date.today().year + 1, month))
    assert len(found) == hours
    assert times(found).count("02:00") == twice
    assert {one["debut"][-6:] for one in found} == {"+01:00", "+02:00"}
    starts = [datetime.fromisoformat(one["debut"]).timestamp() for one in found]
    assert {after - before for before, after in pairwise(starts)} == {3600}


def test_a_changed_zone_moves_the_calendar_with_its_wall_times(
    client, make_salon, alice, tuesday
):
    salon = make_salon(alice, week=[MORNING])
    assert times(salon.free(tuesday))[0] == "09:00"
    body = {"nom": "Salon", "ville": "Saint-Denis", "fuseau": "Indian/Reunion"}
    client.put(f"/api/entreprises/{salon.id}", body, token=alice.token)
    assert [one["debut"][11:] for one in salon.free(tuesday)][:2] == [
        "09:00:00+04:00", "09:30:00+04:00"
    ]


def test_tous_shows_what_is_booked_closed_or_too_short(client, salon, alice, chloe, tuesday):
    salon.book(chloe, salon.at(tuesday, "09:00"))
    closure = {
        "type": "fermeture", "titre": "Inventaire",
        "debut": salon.free(tuesday)[-1]["debut"], "fin": salon.free(tuesday)[-1]["fin"],
    }
    path = f"/api/entreprises/{salon.id}/evenements"
    client.post(path, closure, 201, token=alice.token)
    found = motifs(salon.free(tuesday, tous=1))
    reasons = {time: motif for time, motif in found.items() if motif}
    assert (len(found), reasons) == (14, {"09:00": "complet", "17:30": "ferme"})
    found = motifs(salon.free(tuesday, salon.couleur, tous=1))
    reasons = {time: motif for time, motif in found.items() if motif}
    assert reasons == {
        "09:00": "complet", "11:00": "trop_court", "11:30": "trop_court",
        "16:30": "ferme", "17:00": "ferme", "17:30": "ferme",
    }


@pytest.mark.parametrize(
    "change",
    ["ouvert = 0", "places_prises = 1", "prestation_id = {couleur}", "fin = fin - 900", "id = id"],
)
def test_the_free_times_are_the_times_without_a_motif(salon, service, db, tuesday, change):
    db.write(
        f"UPDATE creneau SET {change.format(couleur=salon.couleur)} WHERE id = ?",
        salon.at(tuesday, "09:00"),
    )
    for visit in (salon.coupe, salon.couleur, service(15), service(30, tamponApres=15)):
        everything = salon.free(tuesday, visit, tous=1)
        free = [one for one in everything if "motif" not in one]
        assert salon.free(tuesday, visit) == free
        assert salon.free(tuesday, visit, prochain=1) == free[:1]


def test_a_visit_may_end_on_the_day_after_the_range(make_salon, alice, tuesday):
    salon = make_salon(alice, week=ALL_WEEK)
    last = [salon.free(tuesday, salon.couleur, **tous)[-1] for tous in ({}, {"tous": 1})]
    assert last[0] == last[1] and last[0]["fin"][:10] == str(tuesday + timedelta(days=1))


def test_a_closed_business_has_no_free_time(client, salon, alice, tuesday):
    body = {"nom": "Salon", "ville": "Lyon", "actif": False}
    client.put(f"/api/entreprises/{salon.id}", body, token=alice.token)
    path = f"/api/entreprises/{salon.id}/creneaux?du={tuesday}&au={tuesday}"
    assert client.get(path).json == []
    assert {one["motif"] for one in client.get(f"{path}&tous=1").json} == {"ferme"}


def test_what_lies_beyond_a_shortened_horizon_says_so(client, salon, alice, tuesday):
    assert salon.free(tuesday)
    body = {"nom": "Salon", "ville": "Lyon", "horizonJours": 1}
    client.put(f"/api/entreprises/{salon.id}", body, token=alice.token)
    assert salon.free(tuesday) == []
    assert set(motifs(salon.free(tuesday, tous=1)).values()) == {"horizon"}


def test_the_last_day_of_the_horizon_is_free_and_the_next_is_not(make_salon, alice):
    salon = make_salon(alice, week=ALL_WEEK, horizonJours=10)
    today = datetime.now(ZoneInfo("Europe/Paris")).date()
    assert len(salon.free(today + timedelta(days=10))) >= 23
    assert salon.free(today + timedelta(days=11)) == []


def test_a_visit_of_the_last_day_may_end_after_the_horizon(make_salon, alice, chloe):
    evening = {"debut": "18:00", "fin": "02:00", "pasMinutes": 30}
    week = [{"jour": jour, **evening} for jour in range(1, 8)]
    salon = make_salon(alice, week=week, horizonJours=10)
    last = datetime.now(ZoneInfo("Europe/Paris")).date() + timedelta(days=10)
    for day in (last - timedelta(days=1), last):
        assert times(salon.free(day, salon.couleur))[-1] == "23:30"  # until 01:00
    assert salon.free(last + timedelta(days=1)) == []
    late = salon.free(last, salon.couleur)[-1]
    salon.book(chloe, late["id"], prestationId=salon.couleur)


def test_a_visit_ends_after_the_horizon_only_in_slots_of_the_present_hours(
    make_salon, alice, db
):
    evening = {"debut": "18:00", "fin": "02:00", "pasMinutes": 30}
    week = [{"jour": jour, **evening} for jour in range(1, 8)]
    salon = make_salon(alice, week=week, horizonJours=10)
    last = datetime.now(ZoneInfo("Europe/Paris")).date() + timedelta(days=10)
    assert times(salon.free(last, salon.couleur))[-1] == "23:30"
    # As after a shorter horizon: behind the mark are slots of earlier hours.
    until = availability.horizon(businesses.get(db, salon.id), now())
    db.write("UPDATE entreprise SET calendrier_jusqua = ?", until)
    db.write("UPDATE semainetype SET fin = 30")
    assert times(salon.free(last, salon.couleur))[-1] == "23:00"


@pytest.fixture
def at_noon(make_salon, alice, db, tuesday):
    """Returns a function that lists the motifs of a Tuesday morning at a wall time of that day."""

    def look(hour, minute=0, second=0, **rules):
        salon = make_salon(alice, week=[MORNING], **rules)
        zone = ZoneInfo("Europe/Paris")
        now = datetime(tuesday.year, tuesday.month, tuesday.day, hour, minute, second, tzinfo=zone)
        day = instants.midnight(tuesday, zone)
        found = finding.all_starts(
            db, businesses.get(db, salon.id), Visit(1800, persons=(calendar_of(db, salon.id),)),
            day, day + instants.DAY, int(now.timestamp()),
        )
        return [one.motif for one in found]

    return look


def test_what_has_begun_is_past(at_noon):
    assert at_noon(10) == ["passe", "passe", None, None, None, None]
    assert at_noon(10, second=1) == ["passe"] * 3 + [None] * 3


def test_a_start_exactly_at_the_end_of_the_notice_is_free(at_noon):
    assert at_noon(9, delaiReservation=60) == ["delai", "delai", None, None, None, None]
    assert at_noon(9, second=1, delaiReservation=60) == ["passe"] + ["delai"] * 2 + [None] * 3


def test_places_ask_for_starts_that_have_as_many_left(client, make_salon, alice, chloe, tuesday):
    salon = make_salon(alice, week=[{**MORNING, "fin": "10:30", "capacite": 3}])
    salon.book(chloe, salon.at(tuesday, "09:30"), places=2)
    assert [one["placesRestantes"] for one in salon.free(tuesday)] == [3, 1, 3]
    assert times(salon.free(tuesday, places=2)) == ["09:00", "10:00"]
    assert motifs(salon.free(tuesday, places=2, tous=1))["09:30"] == "complet"
    assert salon.free(tuesday, places=4) == []
    long = salon.free(tuesday, salon.couleur)
    assert [one["placesRestantes"] for one in long] == [1]


def test_buffers_run_past_opening_hours_and_keep_their_distance(
    salon, service, chloe, tuesday
):
    soin = service(30, tamponAvant=30, tamponApres=30)
    assert times(salon.free(tuesday, soin))[0] == "09:00"
    assert times(salon.free(tuesday, soin))[-1] == "17:30"
    salon.book(chloe, salon.at(tuesday, "10:00", soin), prestationId=soin)
    # The buffers of two adjacent visits add up.
    assert times(salon.free(tuesday))[:3] == ["09:00", "11:00", "11:30"]
    assert times(salon.free(tuesday, soin))[:2] == ["11:30", "14:00"]


def test_a_service_starts_at_its_interval_from_each_opening(salon, service, tuesday):
    hourly = service(30, intervalleMinutes=60)
    assert times(salon.free(tuesday, hourly, tous=1)) == [
        *("09:00", "10:00", "11:00"), *("14:00", "15:00", "16:00", "17:00"),
    ]
    between = salon.at(tuesday, "09:30")
    refused = salon.book(salon.owner, between, expect=409, prestationId=hourly)
    assert refused["motif"] == "ferme"


def test_prochain_is_the_first_free_time_from_du_on(client, salon, chloe, tuesday):
    def following(day):
        return salon.free(day, prochain=1)

    sunday = tuesday - timedelta(days=2)
    salon.book(chloe, salon.at(tuesday, "09:00"))
    assert following(sunday) == following(tuesday) == salon.free(tuesday)[:1]
    assert following(tuesday + timedelta(days=200)) == []
    path = f"/api/entreprises/{salon.id}/creneaux?prestation={salon.coupe}&prochain=1"
    assert len(client.get(path).json) == 1


def test_prochain_without_a_service_may_be_kept_for_one(client, db, salon, tuesday):
    first, *_ = salon.free(tuesday)
    db.write("UPDATE creneau SET prestation_id = ? WHERE id = ?", salon.couleur, first["id"])
    path = f"/api/entreprises/{salon.id}/creneaux?du={tuesday}&prochain=1"
    assert client.get(path).json[0]["debut"] == first["debut"]
