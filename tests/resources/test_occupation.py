"""How full a calendar is, week by week, compared with a count of single rows."""

import random
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reservation.domain.calendar import occupation
from reservation.domain.customers import records
from reservation.domain.states import STATES
from reservation.storage.models import Creneau, Entreprise, Reservation
from tests.calendars import calendar_of
from tests.clock import now

HOUR, DAY = 3600, 86400
KEYS = (
    "capaciteMinutes", "prisesMinutes", "reservations", "honorees", "absentes", "annulees"
)


@pytest.fixture
def look(client, salon, alice):
    def look(query="", expect=200):
        path = f"/api/entreprises/{salon.id}/occupation{query}"
        return client.get(path, expect, token=alice.token).json

    return look


def monday(day):
    return day - timedelta(days=day.weekday())


def filled(db, salon, person, zone, first, last):
    """Inserts slots and reservations of all kinds, at random half hours from the day before
    `first` on. Returns the rows as dicts."""
    chance = random.Random(zone)
    start = int(datetime.combine(first, datetime.min.time(), ZoneInfo(zone)).timestamp())
    times = range(start - 30 * DAY, start + ((last - first).days + 31) * DAY, HOUR // 2)
    creneaux, reservations, mine = [], [], calendar_of(db, salon.id)
    record = records.of_account(db, salon.id, person.id, 0)
    for debut in chance.sample(times, len(times) // 3):
        capacite = chance.randint(1, 4)
        creneaux.append({
            "ressource": mine, "debut": debut, "fin": debut + chance.randint(1, 4) * 900,
            "ouverture": debut, "capacite": capacite, "capacite_prevue": capacite,
            "places_prises": chance.randint(0, capacite), "ouvert": chance.random() < 0.8,
        })
    for debut in chance.sample(times, len(times) // 6):
        reservations.append({
            "client": record.id, "demandeur": person.id, "entreprise": salon.id,
            "prestation": salon.coupe, "ressource": mine, "debut": debut, "fin": debut + HOUR,
            "occupe_debut": debut, "occupe_fin": debut + HOUR, "statut": chance.choice(STATES),
            "cree_le": 0, "modifie_le": 0,
        })
    for model, rows in ((Creneau, creneaux), (Reservation, reservations)):
        for at in range(0, len(rows), 500):
            model.insert_many(rows[at : at + 500]).execute(db)
    return creneaux, reservations


def naive(creneaux, reservations, zone, first, last):
    """Returns the expected answer, counted row by row."""
    counted = {}
    day = first
    while day <= last:
        counted.setdefault("{0}-W{1:02}".format(*day.isocalendar()), dict.fromkeys(KEYS, 0))
        day += timedelta(days=1)

    def of(row):
        local = datetime.fromtimestamp(row["debut"], ZoneInfo(zone)).isocalendar()
        return counted.get("{0}-W{1:02}".format(*local), dict.fromkeys(KEYS, 0))

    for row in creneaux:
        minutes, week = (row["fin"] - row["debut"]) // 60, of(row)
        week["capaciteMinutes"] += minutes * row["capacite"] if row["ouvert"] else 0
        week["prisesMinutes"] += minutes * row["places_prises"]
    for row in reservations:
        week, statut = of(row), row["statut"]
        unlapsed = statut == "demandee" and row["debut"] > now()
        week["reservations"] += statut in ("confirmee", "honoree", "absente") or unlapsed
        week["honorees"] += statut == "honoree"
        week["absentes"] += statut == "absente"
        week["annulees"] += statut == "annulee"
    return counted


@pytest.mark.parametrize("zone", ["Europe/Paris", "Australia/Lord_Howe", "America/New_York"])
@pytest.mark.parametrize(
    ("first", "last"),
    [
        (date(2026, 10, 20), date(2027, 1, 10)),  # the clocks go back; 2026 has 53 weeks
        (date(2027, 3, 1), date(2027, 4, 18)),
        (date(2026, 2, 4), date(2026, 2, 4)),
    ],
)
def test_it_is_what_a_count_of_each_row_gives(
    make_salon, look, salon, chloe, db, zone, first, last
):
    Creneau.delete().execute(db)
    # The calendar counts as complete, so that no slots are added.
    Entreprise.update(fuseau=zone, calendrier_jusqua=2**40).execute(db)
    rows = filled(db, salon, chloe, zone, first, last)
    counted = naive(*rows, zone, first, last)
    shown = look(f"?du={first}&au={last}")
    assert {one["semaine"]: {key: one[key] for key in KEYS} for one in shown} == counted
    assert [one["semaine"] for one in shown] == sorted(counted)
    begun = [monday(first) + timedelta(weeks=number) for number in range(len(counted))]
    assert [one["du"] for one in shown] == [str(day) for day in begun]


def test_another_business_is_not_counted(make_salon, look, bob, chloe, tuesday):
    other = make_salon(bob)
    query = f"?du={tuesday}&au={tuesday}"
    (before,) = look(query)
    other.book(chloe, other.at(tuesday, "10:00"), prestationId=other.coupe)
    assert look(query) == [before]


def test_a_week_is_told_from_its_opening_hours_and_its_bookings(
    client, db, look, salon, chloe, tuesday
):
    kept = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    salon.book(chloe, salon.at(tuesday, "14:00"), prestationId=salon.couleur)
    gone = salon.book(chloe, salon.at(tuesday, "11:00"))["id"]
    client.delete(f"/api/reservations/{gone}", token=chloe.token)
    db.write("UPDATE reservation SET statut = 'honoree' WHERE id = ?", kept)
    (week,) = look(f"?du={tuesday}&au={tuesday + timedelta(days=5)}")
    year, number, _ = tuesday.isocalendar()
    assert week == {
        "semaine": f"{year}-W{number:02}", "du": str(monday(tuesday)),
        "capaciteMinutes": 5 * 7 * 60, "prisesMinutes": 30 + 90,
        "reservations": 2, "honorees": 1, "absentes": 0, "annulees": 1,
    }


def test_by_default_it_tells_of_the_last_eight_weeks_this_one_and_the_next_four(look):
    this = monday(datetime.now(ZoneInfo("Europe/Paris")).date())
    shown = look()
    assert [one["du"] for one in shown] == [
        str(this + timedelta(weeks=number)) for number in range(-8, 5)
    ]
    # A calendar that was never read is created up to the end of the range.
    assert {one["capaciteMinutes"] for one in shown[:8]} == {0}
    assert {one["capaciteMinutes"] for one in shown[9:]} == {5 * 7 * 60}


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("?du=2026-01-08&au=2026-01-07", {"au"}),
        ("?du=2026-01-05&au=2027-01-11", {"au"}),
        ("?du=hier&au=2026-13-01", {"du", "au"}),
        ("?au=1999-01-01", {"au"}),
    ],
)
def test_a_range_is_of_53_weeks_at_most(look, query, wrong):
    assert set(look(query, 400)["champs"]) == wrong
    assert len(look("?du=2026-01-05&au=2027-01-10")) == 53
    assert len(look("?du=9998-12-31")) == 13


def test_it_takes_two_statements_however_many_weeks(db, salon, selects):
    Entreprise.update(calendrier_jusqua=2**40).execute(db)
    entreprise = Entreprise.select().get(db)
    selects.clear()
    found = occupation.weeks(db, entreprise, date(2026, 1, 5), date(2027, 1, 10), now=0)
    assert len(found) == 53
    assert len(selects) == 2
