"""Every list reads a page through an index, and nothing is missing from a list."""

from itertools import product
from urllib.parse import urlencode

import pytest

from reservation.domain.booking.lists import Filter, listed
from reservation.domain.people.sessions import Account
from reservation.lib import instants
from reservation.operations.queries import PageQuery
from reservation.routes import ROUTES
from reservation.storage.database import transaction
from tests import engines, teams
from tests.conftest import MORNING
from tests.engines import on_sqlite
from tests.resources.large import BUSY, CITIES, DAY, ROOM, START, Observer, Town

# A search for a part of a name reads the names; `disponible` is tested with the search.
UNTESTED = {"q", "prestation", "disponible", "limite", "apres"}
FRANCE = instants.zone_of(instants.FRANCE)
MIDDLE, WEEK = START + 200 * DAY, 7 * DAY
MOST_VISITS = 30  # rows of the bookings of a customer at one business
VALUES = {
    "entreprise": [None, BUSY, 5],
    "client": [None, 1],
    "ressource": [None, BUSY, ROOM],
    "bloque": [None, 1],
    "statut": [None, "confirmee", "demandee"],
    "du": [None, instants.local(MIDDLE, FRANCE).date()],
    "au": [None, instants.local(MIDDLE + WEEK, FRANCE).date()],
    "miennes": [None, 1],
    "recentes": [None, 1],
    "ville": [None, CITIES[0]],
    "toutes": [None, 1],
}
OF_MESSAGES = {**VALUES, "statut": [None, "envoye", "abandonne"]}


@pytest.fixture
def observer(monkeypatch):
    return Observer(monkeypatch)


@pytest.fixture
def town(db, dora, alice, bob, chloe):
    """Dora is the admin; see Town for the others."""
    return Town(db, alice.id, bob.id, chloe.id)


def lists():
    """Yields the path and the operation of each list."""
    for path, cls in ROUTES:
        operation = getattr(getattr(cls, "on_get", None), "operation", None)
        if operation and operation.query and issubclass(operation.query, PageQuery):
            yield path.replace("{id:id}", str(BUSY)), operation


def queries(path, operation):
    names = [name for name in operation.query.fields if name not in UNTESTED]
    values = OF_MESSAGES if path.endswith("emails") else VALUES
    for chosen in product(*(values[name] for name in names)):
        yield {name: value for name, value in zip(names, chosen, strict=True) if value}


def pages(observer, client, url, token):
    """Yields the first two pages of a list: the address, the rows, and what the request read."""
    for _ in range(2):
        with observer.observing() as seen:
            answer = client.get(url, expect="*", token=token)
        if answer.status_int == 200:  # not the list of another role
            yield url, answer.json, seen
        if "Link" not in answer.headers:
            return
        url = answer.headers["Link"][1:].partition(">")[0]


def allowed(town, path, query, person, answered):
    """Returns how many rows a page may read."""
    most = 6 * answered + 40  # the key, and a row of each of four tables
    if path == "/api/reservations":
        most += answered + 5  # the room, and the calendars that the caller runs
    if path == "/api/reservations" and engines.ENGINE == "mariadb":
        most += 2 * answered + 5  # the keys, which are copied to merge and to join them
    if path == "/api/reservations" and not query.keys() & {"miennes", "entreprise"}:
        # A few keys of each business, and the caller's own.
        most += 40 * town.count("entreprise", proprietaire_id=person.id)
    if path == "/api/reservations" and query.keys() & {"statut", "entreprise", "ressource"}:
        # No index has the visits of a customer by state, business, person or room.
        most += town.count("reservation", titulaire_id=person.id)
    if "client" in query:
        most += town.count("reservation", client_id=query["client"])
    if path.endswith("clients"):
        # The bookings of each customer are counted.
        most += 2 * answered * MOST_VISITS
        if "bloque" in query:  # no index has the blocked customers
            most += 2 * town.count("client", entreprise_id=BUSY)
    if path.endswith("entreprises/1/emails") or path == "/api/evenements":
        most += 2 * answered  # the keys of several states, or whether a business is active
    if "ville" in query:
        most += 20 * town.count("entreprise", ville=query["ville"])
    elif path == "/api/evenements":
        most += 60 * 10  # a few of each range
    return most


def test_every_list_reads_a_page_through_an_index(
    observer, client, db, town, dora, alice, bob, chloe
):
    town.fill(16_000)
    seen_pages = 0
    for path, operation in lists():
        for query in queries(path, operation):
            for person in (dora, alice, bob, chloe) if operation.account else (None,):
                token = person.token if person else ""
                address = f"{path}?{urlencode(query)}"
                for url, rows, seen in pages(observer, client, address, token):
                    told = f"{url} as {person and person.email}: {len(rows)} rows"
                    assert list(observer.scans(db, seen)) == [], told
                    assert seen.read <= allowed(town, path, query, person, len(rows)), told
                    seen_pages += 1
    assert seen_pages > 700


def test_a_search_for_a_free_day_takes_six_statements_however_many_are_found(
    observer, client, make_salon, alice, tuesday
):
    salons = [make_salon(alice, [MORNING]) for _ in range(12)]
    for salon in salons:
        salon.free(tuesday)  # makes its calendar
    salons[3].book(alice, salons[3].at(tuesday, "09:00"))
    numbers = set()
    for limit in (1, 5, 50):
        with observer.observing() as seen:
            found = client.get(f"/api/entreprises?disponible={tuesday}&limite={limit}").json
        assert len(found) == min(limit, 12)
        numbers.add(len(seen.statements))
    assert numbers <= {1, 2, 3, 4, 5, 6}
    assert found[-1]["id"] == salons[3].id  # its first time is taken
    assert found[-1]["prochainCreneau"]["debut"][11:16] == "09:30"


def test_a_search_for_a_free_day_does_not_read_past_slots(
    observer, client, db, make_salon, alice, tuesday
):
    for _ in range(2):
        make_salon(alice, [MORNING]).free(tuesday)  # makes its calendar
    insert = (
        "INSERT INTO creneau (ressource_id, debut, fin, ouverture, capacite, capacite_prevue,"
        " places_prises, ouvert) VALUES (?, ?, ?, ?, 1, 1, 0, 1)"
    )
    persons = [id for (id,) in db.rows("SELECT id FROM ressource")]
    past = [(id, at, at + 60, at) for id in persons for at in range(0, 2_000 * 3600, 3600)]
    transaction(db, lambda: db.write_many(insert, past))
    with observer.observing() as seen:
        found = client.get(f"/api/entreprises?disponible={tuesday}").json
    assert [one["prochainCreneau"]["debut"][11:16] for one in found] == ["09:00"] * 2
    assert seen.read < 200


@on_sqlite  # MariaDB chooses by the size of the tables
@pytest.mark.parametrize("count", [2, 10, 50])
def test_the_free_times_of_a_team_are_read_through_the_index_of_its_persons(
    observer, client, db, make_salon, alice, tuesday, count
):
    salon = make_salon(alice, [MORNING])
    for number in range(1, count):
        teams.add(db, salon.id, f"Personne {number}")
    salon.free(tuesday)  # makes the calendars
    query = {"prestation": salon.coupe, "du": tuesday, "au": tuesday}
    with observer.observing() as seen:
        free = client.get(f"/api/entreprises/{salon.id}/creneaux?{urlencode(query)}").json
    assert len(free) == 6
    assert any("GROUP BY debut" in sql for sql, _ in seen.statements)
    assert list(observer.scans(db, seen)) == []


@pytest.mark.parametrize("role", ["admin", "owner", "manager", "regular"])
def test_the_pages_of_a_list_hold_each_booking_once_and_in_order(town, db, dora, role):
    if role == "manager":  # of the business with most bookings, too
        town.owner = town.manager
    town.fill(700)
    caller = dora.id if role == "admin" else getattr(town, role)
    account = Account(caller, {"admin": "admin", "regular": "student"}.get(role, "company"))
    for filter in (Filter(*values) for values in product(
        (None, BUSY, 5), ("", "confirmee"), (None, MIDDLE), (None, MIDDLE + 40 * DAY),
        (False, True), (False, True), (None,), (None, BUSY, ROOM),
    )):
        expected = [
            (visit["debut"], visit["id"])
            for visit in town.visits
            if (
                visit["titulaire_id"] == caller
                or not filter.own and role != "regular"
                and (role == "admin" or town.owner_of(visit["entreprise_id"]) == caller)
            )
            and filter.entreprise_id in (None, visit["entreprise_id"])
            and filter.statut in ("", visit["statut"])
            and filter.ressource_id in (None, visit["ressource_id"], visit["lieu_id"])
            and (filter.since is None or visit["fin"] > filter.since)
            and (filter.until is None or visit["debut"] < filter.until)
        ]
        found, after = [], None
        while page := [(row.debut, row.id) for row in listed(db, account, filter, after, 9)]:
            found += page
            after = page[-1]
        assert found == sorted(expected, reverse=filter.latest), filter
