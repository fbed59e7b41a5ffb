"""The statistics of a business, compared with a count of single rows."""

import csv
import io
import random
from calendar import monthrange
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reservation.domain.booking.statistics import Period
from reservation.domain.states import STATES
from reservation.storage.models import Client, Creneau, Entreprise, Prestation, Reservation
from tests import teams
from tests.calendars import calendar_of
from tests.clock import now
from tests.resources.large import BUSY, START, Observer, Town

HOUR, DAY = 3600, 86400
PRICES = (0, 2500, 6050)


@pytest.fixture
def look(client, salon, alice):
    def look(query="", expect=200, suffix=""):
        path = f"/api/entreprises/{salon.id}/statistiques{suffix}{query}"
        return client.get(path, expect, token=alice.token)

    return look


def test_a_request_without_an_answer_counts_until_the_visit_begins(
    client, db, salon, look, alice, chloe, tuesday
):
    db.write("UPDATE entreprise SET validation_manuelle = 1")
    asked = salon.book(chloe, salon.at(tuesday, "10:00"))
    path, day = f"/api/reservations/{asked['id']}", now() - 3 * DAY
    counted = ("reservations", "reserveCentimes", "clients", "clientsRevenus")

    def figures(query=""):
        return [look(query).json["periode"][name] for name in counted]

    db.write("UPDATE reservation SET prix_centimes = 3900")
    assert figures(f"?du={tuesday}&au={tuesday}") == [1, 3900, 1, 0]
    times = "debut = ?, fin = ?, occupe_debut = ?, occupe_fin = ?"
    db.write(f"UPDATE reservation SET {times}", *(day, day + 1800) * 2)
    assert figures() == [0, 0, 0, 0]
    salon.book(chloe, salon.at(tuesday, "11:00"))
    assert figures(f"?du={tuesday}&au={tuesday}") == [1, 0, 1, 0]  # the first visit
    for version, statut in enumerate(("confirmee", "honoree"), 1):
        client.put(path, {"statut": statut, "version": version}, token=alice.token)
    assert figures() == [1, 3900, 1, 0]
    assert figures(f"?du={tuesday}&au={tuesday}") == [1, 0, 1, 1]


def reprice(db, prestation, **changes):
    Prestation.update(**changes).where(Prestation.id == prestation).execute(db)


@pytest.fixture
def people(db, salon):
    return teams.name(db, salon.id, "Léa"), teams.add(db, salon.id, "Sam")


@pytest.fixture
def rows(db, salon, people):
    """Returns the function that inserts slots and bookings of all kinds at random half hours."""

    def fill(zone, first, last):
        chance = random.Random(zone)
        start = int(datetime.combine(first, datetime.min.time(), ZoneInfo(zone)).timestamp())
        times = range(start - 400 * DAY, start + ((last - first).days + 20) * DAY, HOUR // 2)
        Creneau.delete().execute(db)
        # The calendar counts as complete, so that no slots are added.
        Entreprise.update(fuseau=zone, calendrier_jusqua=2**40).execute(db)
        empty = dict.fromkeys(("email", "prenom", "telephone", "telephone_cle", "note"), "")
        about = {**empty, "entreprise": salon.id, "nom": "x", "nom_cle": "x", "cree_le": 0,
                 "suit_compte": False}
        known = [int(Client.insert(about).execute(db)) for _ in range(60)]
        slots = [{
            "ressource": chance.choice(people), "debut": debut,
            "fin": debut + chance.randint(1, 4) * 900, "ouverture": debut, "capacite": 3,
            "capacite_prevue": 3, "places_prises": chance.randint(0, 3),
            "ouvert": chance.random() < 0.8,
        } for debut in chance.sample(times, 3000)]
        bookings = [{
            "client": chance.choice(known), "entreprise": salon.id,
            "prestation": chance.choice((salon.coupe, salon.couleur)),
            "ressource": chance.choice(people), "debut": debut, "fin": debut + HOUR,
            "occupe_debut": debut, "occupe_fin": debut + HOUR, "places": chance.randint(1, 3),
            "prix_centimes": chance.choice(PRICES), "statut": chance.choice(STATES),
            "cree_le": 0, "modifie_le": 0,
        } for debut in chance.sample(times, 900)]
        for model, filled in ((Creneau, slots), (Reservation, bookings)):
            for at in range(0, len(filled), 300):
                model.insert_many(filled[at : at + 300]).execute(db)
        return slots, bookings

    return fill


def naive(slots, bookings, zone, first, last):
    """Returns the expected figures from `first` to `last`, counted row by row."""
    def day(row):
        return datetime.fromtimestamp(row["debut"], ZoneInfo(zone)).date()

    def held(row):
        lapsed = row["statut"] == "demandee" and row["debut"] <= now()
        return row["statut"] not in ("annulee", "refusee") and not lapsed

    inside = [row for row in bookings if first <= day(row) <= last]
    customers = {row["client"] for row in inside if held(row)}
    visits = [row["client"] for row in bookings if held(row) and day(row) <= last]
    open_slots = [row for row in slots if first <= day(row) <= last]
    return {
        "du": str(first), "au": str(last),
        "reservations": sum(held(row) for row in inside),
        "honorees": sum(row["statut"] == "honoree" for row in inside),
        "absentes": sum(row["statut"] == "absente" for row in inside),
        "annulees": sum(row["statut"] == "annulee" for row in inside),
        "reserveCentimes": sum(
            row["prix_centimes"] * row["places"] for row in inside if held(row)
        ),
        "honoreCentimes": sum(
            row["prix_centimes"] * row["places"]
            for row in inside if row["statut"] == "honoree"
        ),
        "capaciteMinutes": sum(
            (row["fin"] - row["debut"]) // 60 * 3 for row in open_slots if row["ouvert"]
        ),
        "prisesMinutes": sum(
            (row["fin"] - row["debut"]) // 60 * row["places_prises"] for row in open_slots
        ),
        "clients": len(customers),
        "clientsRevenus": sum(visits.count(one) > 1 for one in customers),
    }  # fmt: skip


@pytest.mark.parametrize("zone", ["Europe/Paris", "Australia/Lord_Howe"])
@pytest.mark.parametrize(
    ("first", "last", "before", "parts"),
    [
        (date(2026, 10, 20), date(2026, 11, 8), (date(2026, 9, 30), date(2026, 10, 19)), 20),
        (date(2026, 9, 30), date(2026, 12, 31), (date(2026, 6, 29), date(2026, 9, 29)), 14),
        (date(2028, 1, 1), date(2028, 12, 31), (date(2027, 1, 1), date(2027, 12, 31)), 12),
    ],
)
def test_they_are_what_a_count_of_each_row_gives(
    look, rows, salon, people, zone, first, last, before, parts
):
    slots, bookings = rows(zone, first, last)

    def counted(*period, of=lambda row: True):
        return naive([*filter(of, slots)], [*filter(of, bookings)], zone, *period)

    shown = look(f"?du={first}&au={last}").json
    assert shown["periode"] == counted(first, last)
    assert shown["precedente"] == counted(*before)
    intervals = shown["intervalles"]
    assert len(intervals) == parts
    day = first
    for one in intervals:
        assert one["du"] == str(day)
        expected = counted(day, date.fromisoformat(one["au"]))
        assert one == {name: expected[name] for name in one}
        day = date.fromisoformat(one["au"]) + timedelta(days=1)
    assert day == last + timedelta(days=1)
    for key, column in (("prestations", "prestation"), ("ressources", "ressource")):
        for one in shown[key]:
            its = (column, one["id"])
            expected = counted(first, last, of=lambda row, its=its: row.get(its[0]) == its[1])
            assert one == {"nom": one["nom"], "id": one["id"]} | {
                name: expected[name] for name in one if name not in ("id", "nom")
            }
        amounts = [one["reserveCentimes"] for one in shown[key]]
        assert amounts == sorted(amounts, reverse=True) and sum(amounts) > 0
    assert {one["nom"] for one in shown["ressources"]} == {"Léa", "Sam"}
    of_one = look(f"?du={first}&au={last}&ressource={people[1]}").json["periode"]
    expected = counted(first, last, of=lambda row: row["ressource"] == people[1])
    whose = {row["client"] for row in bookings if row["ressource"] == people[1]}
    everywhere = counted(first, last, of=lambda row: row.get("client") in whose)
    assert expected["clientsRevenus"] <= of_one["clientsRevenus"] <= everywhere["clientsRevenus"]
    assert {**of_one, "clientsRevenus": 0} == {**expected, "clientsRevenus": 0}


def test_a_booking_counts_with_its_price_and_a_customer_returns(
    client, db, look, salon, chloe, tuesday
):
    reprice(db, salon.coupe, prix_centimes=3990)
    kept = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    gone = salon.book(chloe, salon.at(tuesday, "11:00"))["id"]
    client.delete(f"/api/reservations/{gone}", token=chloe.token)
    query = f"?du={tuesday}&au={tuesday}"
    whole = look(query).json["periode"]
    assert (whole["clients"], whole["clientsRevenus"]) == (1, 0)
    db.write("UPDATE reservation SET statut = 'honoree' WHERE id = ?", kept)
    salon.book(chloe, salon.at(tuesday, "14:00"))
    whole = look(query).json["periode"]
    assert whole == {
        "du": str(tuesday), "au": str(tuesday), "reservations": 2, "honorees": 1, "absentes": 0,
        "annulees": 1, "reserveCentimes": 7980, "honoreCentimes": 3990,
        "capaciteMinutes": 7 * 60, "prisesMinutes": 60, "clients": 1, "clientsRevenus": 1,
    }


def test_a_new_price_of_a_service_does_not_change_earlier_bookings(
    client, db, look, salon, chloe, tuesday
):
    reprice(db, salon.coupe, prix_centimes=3500)
    first = salon.book(chloe, salon.at(tuesday, "10:00"))
    assert first["prixCentimes"] == 3500
    reprice(db, salon.coupe, prix_centimes=4200)
    later = {"creneauId": salon.at(tuesday, "11:00"), "version": 1}
    moved = client.put(f"/api/reservations/{first['id']}", later, token=chloe.token).json
    assert moved["prixCentimes"] == 3500
    second = salon.book(chloe, salon.at(tuesday, "14:00"))
    assert second["prixCentimes"] == 4200
    whole = look(f"?du={tuesday}&au={tuesday}").json["periode"]
    assert whole["reserveCentimes"] == 3500 + 4200


def test_the_file_has_a_line_for_each_figure(db, look, salon, chloe, tuesday):
    reprice(db, salon.coupe, prix_centimes=3905, nom="=Coupe")
    salon.book(chloe, salon.at(tuesday, "10:00"))
    answer = look(f"?du={tuesday}&au={tuesday}", suffix=".csv")
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="statistiques-{tuesday}-{tuesday}.csv"'
    )
    text = answer.body.decode("utf-8-sig")
    header, whole, before, interval, service = csv.reader(
        io.StringIO(text), delimiter=";"
    )
    day = str(tuesday)
    assert header[8:10] == ["chiffre réservé", "chiffre honoré"]
    assert whole == [
        "période", day, day, "", "1", "0", "0", "0", "39,05", "0,00", "420", "30", "1", "0"
    ]
    assert before[0] == "précédente"
    assert interval[:3] == ["intervalle", day, day]
    assert service[:4] == ["prestation", "", "", "'=Coupe"]
    assert look(f"?du={tuesday}&au={tuesday}").json["ressources"] == []  # she works alone


def test_another_business_is_not_counted(make_salon, look, bob, chloe, tuesday, db):
    other = make_salon(bob)
    query = f"?du={tuesday}&au={tuesday}"
    before = look(query).json
    other.book(chloe, other.at(tuesday, "10:00"), prestationId=other.coupe)
    assert look(query).json == before
    look(f"{query}&ressource={calendar_of(db, other.id)}", 404)


def test_by_default_they_are_of_the_last_30_days(look):
    today = datetime.now(ZoneInfo("Europe/Paris")).date()
    shown = look().json
    assert (shown["periode"]["du"], shown["periode"]["au"]) == (
        str(today - timedelta(days=29)), str(today),
    )
    assert shown["precedente"]["au"] == str(today - timedelta(days=30))
    assert len(shown["intervalles"]) == 30
    assert look("?du=2027-03-02").json["periode"]["au"] == "2027-03-31"
    assert look("?au=2027-03-02").json["periode"]["du"] == "2027-02-01"


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("?du=2026-01-08&au=2026-01-07", {"au"}),
        ("?du=2026-01-05&au=2027-01-06", {"au"}),
        ("?du=hier&au=2026-13-01", {"du", "au"}),
    ],
)
def test_a_period_is_of_a_year_at_most(look, query, wrong):
    assert set(look(query, 400).json["champs"]) == wrong
    assert len(look("?du=2028-01-01&au=2028-12-31").json["intervalles"]) == 12


@pytest.mark.parametrize("months", [1, 3, 12])
@pytest.mark.parametrize("start", range(1, 13))
def test_before_whole_months_are_whole_months(months, start):
    def month(number):
        year, rest = divmod(number, 12)
        return date(year, rest + 1, 1), date(year, rest + 1, monthrange(year, rest + 1)[1])

    first = 2028 * 12 + start - 1
    period = Period(month(first)[0], month(first + months - 1)[1])
    assert period.before() == (month(first - months)[0], month(first - 1)[1])


def test_they_read_the_bookings_of_the_two_periods_through_an_index(
    client, db, dora, alice, bob, chloe, monkeypatch
):
    """Dora is the admin; Alice has the business BUSY, with half of all bookings."""
    Town(db, alice.id, bob.id, chloe.id).fill(4000)
    Entreprise.update(calendrier_jusqua=2**40).execute(db)
    du = date.fromtimestamp(START + 100 * DAY)
    path = f"/api/entreprises/{BUSY}/statistiques?du={du}&au={du + timedelta(days=6)}"
    observer = Observer(monkeypatch)
    client.get(path, token=alice.token)
    with observer.observing() as seen:
        shown = client.get(path, token=alice.token).json
    assert shown["periode"]["reservations"] and shown["precedente"]["reservations"]
    assert list(observer.scans(db, seen)) == []
    assert seen.read < 5000
