"""`reservation check` finds every kind of fault, and no fault in sound data."""

import threading
from contextlib import nullcontext
from datetime import timedelta
from functools import partial

import pytest

from reservation.domain.booking import invariant
from reservation.storage import definitions, integrity
from reservation.storage.database import connect, forget, snapshot
from reservation.storage.models import MODELS, AncienneAdresse, PrestationRessource
from tests import engines
from tests.calendars import calendar_of
from tests.pictures import picture
from tests.races import guards, teams
from tests.races.clients import Asking, send
from tests.races.soundness import assert_sound, faults, taken

NOWHERE = 987654
PASSES, REQUESTS = 30, 120


@pytest.fixture
def plant(db, database_url):
    """Returns plant("UPDATE …", value, …), which writes without constraint checks."""
    careless = connect(database_url)
    yield partial(engines.write_unchecked, careless)
    forget(careless)


@pytest.fixture
def visit(salon, chloe, tuesday):
    """The id of a booking of three slots, and the ids of the slots."""
    starts = {one["debut"][11:16]: one["id"] for one in salon.free(tuesday)}
    slots = [starts[time] for time in ("10:00", "10:30", "11:00")]
    booked = salon.book(chloe, slots[0], prestationId=salon.couleur, key="once")
    return booked["id"], slots


@pytest.fixture
def free(salon, tuesday):
    """The ids of a free slot and of the slot after it."""
    return salon.at(tuesday, "15:00"), salon.at(tuesday, "15:30")


def test_counts_that_are_too_low_and_too_high_are_found(salon, visit, free, plant, db):
    plant("UPDATE creneau SET places_prises = 0 WHERE id = ?", visit[1][1])
    plant("UPDATE creneau SET places_prises = 1 WHERE id = ?", free[0])
    assert faults(db) == [
        f"business {salon.id}: slot {visit[1][1]} counts 0 places, its bookings hold 1",
        f"business {salon.id}: slot {free[0]} counts 1 places, its bookings hold 0",
    ]


def test_room_that_is_neither_planned_nor_taken_is_found(salon, free, plant, db):
    plant("UPDATE creneau SET capacite = 3 WHERE id = ?", free[0])
    said = f"business {salon.id}: slot {free[0]} has room for 3 places instead of 1"
    assert faults(db) == [said]


@pytest.mark.parametrize("places, wanted", [(0, 1), (2, 3)])
def test_room_that_is_less_than_planned_and_taken_is_found_and_repaired(
    salon, visit, plant, db, places, wanted
):
    slot = visit[1][0]
    change = "UPDATE creneau SET capacite_prevue = ?, capacite = ? WHERE id = ?"
    plant(change, wanted, places, slot)
    said = f"business {salon.id}: slot {slot} has room for {places} places instead of {wanted}"
    assert said in faults(db)
    invariant.repair(db, salon.id)
    assert faults(db) == []
    assert db.rows("SELECT capacite FROM creneau WHERE id = ?", slot) == [(wanted,)]


def test_an_oversold_slot_is_found(salon, visit, plant, db):
    slot = visit[1][0]
    plant("UPDATE creneau SET places_prises = 2 WHERE id = ?", slot)
    said = f"business {salon.id}: slot {slot} is oversold: 2 of 1 places are taken"
    assert said in faults(db)


def test_slots_that_overlap_are_found(salon, visit, free, plant, db):
    first, second = free
    plant("UPDATE creneau SET fin = fin + 60 WHERE id = ?", first)
    assert faults(db) == [f"business {salon.id}: slot {second} overlaps slot {first}"]


def test_a_slot_within_another_is_found_and_the_counts_are_still_those_of_each(
    salon, visit, free, plant, db
):
    """The long slot ends after the start of the booking; the short slot within the long slot
    ends before the start of the booking."""
    nine, half_past = salon_slots(db, salon, visit[1][0])
    plant("UPDATE creneau SET fin = fin + 3600 WHERE id = ?", nine)
    said = faults(db)
    assert f"business {salon.id}: slot {half_past} overlaps slot {nine}" in said
    assert f"business {salon.id}: slot {nine} counts 0 places, its bookings hold 1" in said
    assert not [one for one in said if f"slot {half_past} counts" in one]


def salon_slots(db, salon, before):
    sql = (
        "SELECT id FROM creneau WHERE ressource_id = ? AND debut <"
        " (SELECT debut FROM creneau WHERE id = ?) ORDER BY debut DESC LIMIT 2"
    )
    return [number for (number,) in db.rows(sql, calendar_of(db, salon.id), before)][::-1]


def test_a_visit_without_its_slot_is_found(salon, visit, plant, db):
    plant("UPDATE reservation SET creneau_id = NULL WHERE id = ?", visit[0])
    said = f"business {salon.id}: booking {visit[0]} has lost the slot that it starts with"
    assert faults(db) == [said]


def test_a_visit_that_starts_with_another_slot_is_found(salon, visit, plant, db):
    number, slots = visit
    plant("UPDATE reservation SET creneau_id = ? WHERE id = ?", slots[1], number)
    said = f"business {salon.id}: booking {number} does not start with slot {slots[1]}"
    assert faults(db) == [said]


def test_a_visit_that_belongs_to_another_account_than_its_customer_is_found(
    salon, visit, plant, db
):
    customer, account = db.rows("SELECT client_id, titulaire_id FROM reservation")[0]
    plant("UPDATE reservation SET titulaire_id = NULL WHERE id = ?", visit[0])
    said = f"booking {visit[0]} belongs to account None, customer {customer} to {account}"
    assert faults(db) == [f"business {salon.id}: {said}"]
    plant("UPDATE client SET utilisateur_id = NULL WHERE id = ?", customer)
    assert faults(db) == []


def test_a_visit_of_a_customer_of_another_business_is_found(
    salon, make_salon, bob, visit, plant, db
):
    rival = make_salon(bob)
    customer = db.rows("SELECT client_id FROM reservation")[0][0]
    plant("UPDATE client SET entreprise_id = ? WHERE id = ?", rival.id, customer)
    said = f"booking {visit[0]} has customer {customer} of business {rival.id}"
    assert faults(db) == [f"business {salon.id}: {said}"]


def test_a_visit_to_the_slot_of_another_business_is_found(
    salon, make_salon, bob, visit, plant, db, tuesday
):
    rival = make_salon(bob)
    slot = rival.at(tuesday, "10:00")
    plant("UPDATE reservation SET creneau_id = ? WHERE id = ?", slot, visit[0])
    assert faults(db) == [
        f"business {salon.id}: booking {visit[0]} starts with slot {slot}"
        f" of business {rival.id}"
    ]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_visit_over_a_gap_is_found(salon, visit, plant, db, which):
    number, slots = visit
    plant("DELETE FROM creneau WHERE id = ?", slots[which])
    said = f"business {salon.id}: booking {number} has no slot for a part of its time"
    assert said in faults(db)


def test_a_visit_that_was_cancelled_needs_no_slot(client, salon, chloe, visit, plant, db):
    client.delete(f"/api/reservations/{visit[0]}", token=chloe.token)
    plant("UPDATE reservation SET creneau_id = NULL WHERE id = ?", visit[0])
    plant("DELETE FROM creneau WHERE id = ?", visit[1][1])
    assert faults(db) == []


@pytest.mark.parametrize("table", ["reservation", "eventemail"])
def test_an_unknown_state_is_found(visit, plant, db, table):
    ((number,),) = db.rows(f"SELECT MIN(id) FROM {table}")
    plant(f"UPDATE {table} SET statut = 'perdue' WHERE id = ?", number)
    assert f"{table} {number} is in the unknown state 'perdue'" in faults(db)


REFERENCES = [
    (model._meta.table_name, field.column_name, target._meta.table_name)
    for model in MODELS
    for field, target in model._meta.refs.items()
]


@pytest.fixture
def one_of_each(db, client, salon, visit, tuesday):
    """Adds an event, a performer, a photo and a former address, so that every table has at least
    one row."""
    event = {
        "type": "information", "titre": "Fête",
        "debut": f"{tuesday}T00:00:00Z", "fin": f"{tuesday}T10:00:00Z",
    }
    path = f"/api/entreprises/{salon.id}/evenements"
    client.post(path, event, 201, token=salon.owner.token)
    mine = calendar_of(db, salon.id)
    PrestationRessource.insert(prestation=salon.coupe, ressource=mine).execute(db)
    picture_and_address(salon, db)


def picture_and_address(salon, db):
    path = f"/api/entreprises/{salon.id}/photos"
    salon.client.post(path, picture(), 201, token=salon.owner.token)
    AncienneAdresse.insert(entreprise=salon.id, adresse="salon-bob").execute(db)


@pytest.mark.parametrize(("table", "column", "target"), REFERENCES)
def test_a_reference_to_nothing_is_found(one_of_each, plant, db, table, column, target):
    ((number,),) = db.rows(f"SELECT MIN(id) FROM {table}")
    plant(f"UPDATE {table} SET {column} = ? WHERE id = ?", NOWHERE, number)
    said = f"{table} {number}: its {column} is {NOWHERE}, but there is no {target} {NOWHERE}"
    assert said in faults(db)


def test_there_are_references_and_every_table_is_looked_at():
    assert len(REFERENCES) >= 15
    without = {"typeutilisateur", "tentative", "code", "mot"}
    assert {table for table, *_ in REFERENCES} | without == {
        model._meta.table_name for model in MODELS
    }


KEYS = {
    ",\n    CONSTRAINT typeutilisateur_nom UNIQUE (nom)": ("typeutilisateur", "nom"),
    guards.ONE_EMAIL: ("utilisateur", "email"),
    "CONSTRAINT semainetype_entreprise_jour_debut"
    " UNIQUE (entreprise_id, ressource_id, jour, debut),": (
        "semainetype", "entreprise_id, ressource_id, jour, debut"
    ),
    guards.ONE_START: ("creneau", "ressource_id, debut"),
    "CONSTRAINT ressource_entreprise_utilisateur UNIQUE (entreprise_id, utilisateur_id),": (
        "ressource", "entreprise_id, utilisateur_id"
    ),
    "CONSTRAINT prestation_ressource_prestation_ressource"
    " UNIQUE (prestation_id, ressource_id),": (
        "prestation_ressource", "prestation_id, ressource_id"
    ),
    guards.ONE_KEY: ("reservation", "demandeur_id, cle_idempotence"),
    guards.ONE_ATTEMPT: ("tentative", "cle"),
    "CONSTRAINT client_entreprise_utilisateur UNIQUE (entreprise_id, utilisateur_id),": (
        "client", "entreprise_id, utilisateur_id"
    ),
    "CONSTRAINT code_cle UNIQUE (cle),": ("code", "cle"),
    "CONSTRAINT entreprise_adresse_courte UNIQUE (adresse_courte),": (
        "entreprise", "adresse_courte"
    ),
    "CONSTRAINT ancienne_adresse_adresse UNIQUE (adresse),": ("ancienne_adresse", "adresse"),
    ",\n    CONSTRAINT mot_texte UNIQUE (texte)": ("mot", "texte"),
    "CONSTRAINT occurrence_entreprise_mot UNIQUE (entreprise_id, mot),": (
        "occurrence", "entreprise_id, mot"
    ),
    "CONSTRAINT image_photo_taille UNIQUE (photo_id, taille),": ("image", "photo_id, taille"),
}


@pytest.mark.parametrize(
    ("database_url", "table", "columns"),
    [(line, *told) for line, told in KEYS.items()],
    indirect=["database_url"],
    ids=[table for table, _ in KEYS.values()],
)
def test_values_that_are_twice_in_a_unique_key_are_found(
    salon, chloe, visit, plant, db, table, columns
):
    db.write("INSERT INTO tentative (cle, nombre, depuis, bloque_jusqua) VALUES ('', 1, 1, 0)")
    db.write("INSERT INTO code (cle, empreinte, essais, jusqua) VALUES ('', '', 1, 0)")
    mine = calendar_of(db, salon.id)
    db.write("UPDATE semainetype SET ressource_id = ?", mine)
    db.write("UPDATE ressource SET utilisateur_id = ?", chloe.id)
    PrestationRessource.insert(prestation=salon.coupe, ressource=mine).execute(db)
    picture_and_address(salon, db)
    names = ", ".join(one.name for one in db.get_columns(table) if one.name != "id")
    ((number,),) = db.rows(f"SELECT MIN(id) FROM {table}")
    assert faults(db) == []  # empty idempotency keys are not duplicates
    copy = f"INSERT INTO {table} (id, {names}) SELECT {NOWHERE}, {names} FROM {table} WHERE id = ?"
    plant(copy, number)
    (said,) = faults(db, "rows have the same")
    assert said.startswith(f"{table}: 2 rows have the same {columns}: ")
    plant(f"DELETE FROM {table} WHERE id = {NOWHERE}")  # the other fixtures do not remove this row


def test_every_unique_key_of_the_schema_is_looked_at():
    keys = {
        (name, columns)
        for name, table in definitions.wanted().items()
        for columns in integrity.unique_keys(table)
    }
    assert keys == set(KEYS.values())


@engines.on_sqlite
def test_a_row_that_its_table_refuses_is_found(salon, plant, db):
    plant("UPDATE entreprise SET delai_annulation = -1")
    assert faults(db) == ["SQLite finds damage: CHECK constraint failed in entreprise"]


@engines.on_mariadb
def test_a_table_that_the_server_cannot_read_is_found(db):
    db.execute_sql("DROP TABLE eventemail")
    assert "the server finds damage in eventemail: " in "\n".join(integrity.damage(db))


# Persons and rooms.


@pytest.fixture
def massage(team, chloe, tuesday, db):
    """The id of a booking with the first person, in the first room, and the slots of the room."""
    start = team.salon.at(tuesday, "10:00")
    booked = team.salon.book(chloe, start, prestationId=team.massage)
    slots = db.rows(
        "SELECT id FROM creneau WHERE ressource_id = ? AND places_prises = 1 ORDER BY debut",
        team.rooms[0],
    )
    assert len(slots) == 3  # the visit and the buffer after it
    return booked["id"], [slot for (slot,) in slots]


def test_a_person_whom_two_bookings_hold_at_once_is_found(team, chloe, tuesday, plant, db):
    start = team.salon.at(tuesday, "10:00")
    first, second = (team.salon.book(chloe, start)["id"] for _ in range(2))
    assert faults(db) == []
    plant(
        "UPDATE reservation SET ressource_id = ?, creneau_id = ? WHERE id = ?",
        team.persons[0], start, second,
    )
    said = (
        f"business {team.salon.id}: slot {start} counts 1 places, its bookings hold 2,"
        f" more than its capacity of 1: bookings {first}, {second}"
    )
    assert said in faults(db)
    plant("UPDATE creneau SET places_prises = 2 WHERE id = ?", start)
    assert faults(db, f"slot {start} is oversold: 2 of 1 places are taken")


def test_a_room_that_two_bookings_hold_at_once_is_found_and_its_counts_are_repaired(
    team, massage, chloe, tuesday, plant, db
):
    start = team.salon.at(tuesday, "10:00")
    second = team.salon.book(chloe, start, prestationId=team.massage)["id"]
    plant("UPDATE reservation SET lieu_id = ? WHERE id = ?", team.rooms[0], second)
    number, slots = massage
    both = f"more than its capacity of 1: bookings {number}, {second}"
    assert len(faults(db, both)) == len(slots)
    assert len(faults(db, "counts 1 places, its bookings hold 0")) == len(slots)
    repaired = [str(breach) for breach in invariant.repair(db, team.salon.id)]
    assert len(repaired) == 2 * len(slots) and both in repaired[0]
    assert [taken(db, slot) for slot in slots] == [2] * len(slots)
    assert faults(db) == []


@pytest.mark.parametrize("count", [0, 2])
def test_slots_of_a_room_that_count_wrong_are_found_and_repaired(
    team, massage, plant, db, count
):
    slot = massage[1][1]
    plant("UPDATE creneau SET places_prises = ? WHERE id = ?", count, slot)
    said = f"business {team.salon.id}: slot {slot} counts {count} places, its bookings hold 1"
    assert said in faults(db)
    assert [breach.slot.id for breach in invariant.repair(db, team.salon.id)] == [slot]
    assert_sound(db)


def test_a_booking_without_the_room_that_counts_it_is_found(team, massage, plant, db):
    number, slots = massage
    plant("UPDATE reservation SET lieu_id = NULL WHERE id = ?", number)
    assert faults(db) == [
        f"business {team.salon.id}: slot {slot} counts 1 places, its bookings hold 0"
        for slot in slots
    ]


def test_a_booking_in_a_room_that_is_not_open_is_found(team, massage, plant, db):
    number, slots = massage
    plant("DELETE FROM creneau WHERE id = ?", slots[1])
    said = f"business {team.salon.id}: booking {number} has no slot for a part of its time"
    assert said in faults(db)


def test_a_person_as_the_room_and_a_room_as_the_person_are_found(team, massage, plant, db):
    person, room = team.persons[4], team.rooms[1]
    plant(
        "UPDATE reservation SET ressource_id = ?, lieu_id = ? WHERE id = ?",
        room, person, massage[0],
    )
    assert faults(db, ", which is ") == [
        f"business {team.salon.id}: booking {massage[0]} is in ressource {person},"
        " which is a person",
        f"business {team.salon.id}: booking {massage[0]} is performed by ressource {room},"
        " which is a room",
    ]


@pytest.mark.parametrize(
    "column, role", [("ressource_id", "is performed by"), ("lieu_id", "is in")]
)
def test_a_booking_with_a_person_or_a_room_of_another_business_is_found(
    team, massage, make_salon, bob, plant, db, column, role
):
    rival = teams.make(db, make_salon(bob))
    other = {"ressource_id": rival.persons[1], "lieu_id": rival.rooms[0]}[column]
    plant(f"UPDATE reservation SET {column} = ? WHERE id = ?", other, massage[0])
    assert faults(db, " of business ")[-1] == (
        f"business {team.salon.id}: booking {massage[0]} {role} ressource {other}"
        f" of business {rival.salon.id}"
    )


# While other connections write.


def book_between(db, monkeypatch, salon, chloe, creneau):
    """Books after a check has read the slots and before the check reads the bookings."""
    rows, booked = db.rows, []

    def interrupted(sql, *values):
        if "UNION ALL" in sql and not booked:
            booked.append(salon.book(chloe, creneau))
        return rows(sql, *values)

    monkeypatch.setattr(db, "rows", interrupted)
    found = faults(db)
    assert booked and taken(db, creneau) == 1
    return found


def test_a_booking_between_two_reads_of_a_check_is_no_fault(
    db, monkeypatch, salon, chloe, tuesday
):
    assert book_between(db, monkeypatch, salon, chloe, salon.at(tuesday, "10:00")) == []
    assert_sound(db)


def test_negative_control_without_the_snapshot_a_booking_between_two_reads_is_a_fault(
    db, monkeypatch, salon, chloe, tuesday
):
    monkeypatch.setattr(invariant, "snapshot", lambda _db: nullcontext())
    creneau = salon.at(tuesday, "10:00")
    assert book_between(db, monkeypatch, salon, chloe, creneau) == [
        f"business {salon.id}: slot {creneau} counts 0 places, its bookings hold 1"
    ]


@engines.on_mariadb
def test_a_transaction_after_a_snapshot_sees_what_others_commit_again(
    db, salon, chloe, tuesday
):
    creneau = salon.at(tuesday, "10:00")
    with snapshot(db):
        assert taken(db, creneau) == 0
    with db.transaction():
        assert taken(db, creneau) == 0
        salon.book(chloe, creneau)
        assert taken(db, creneau) == 1


def test_checks_of_a_service_at_work_find_nothing(hall, customers, port, db, tuesday):
    """The server books and cancels while the checks run."""
    days = (tuesday, tuesday + timedelta(days=1))
    creneaux = [one["id"] for day in days for one in hall.free(day)]
    done, stop = [], threading.Event()

    def work(token, own):
        while not stop.is_set():
            for creneau in own:
                body = {"creneauId": creneau, "prestationId": hall.coupe}
                made = send(port, Asking("POST", "/api/reservations", token, body))
                path = f"/api/reservations/{made.body['id']}"
                gone = send(port, Asking("DELETE", path, token))
                done.extend((made.status, gone.status))

    threads = [
        threading.Thread(target=work, args=(one.token, creneaux[number::4]))
        for number, one in enumerate(customers)
    ]
    for thread in threads:
        thread.start()
    passes, found = 0, []
    try:
        while not found and (passes < PASSES or len(done) < REQUESTS):
            assert all(thread.is_alive() for thread in threads)
            found, passes = faults(db), passes + 1
    finally:
        stop.set()
        for thread in threads:
            thread.join(timeout=60)
    assert found == []
    assert set(done) == {201, 204}
    assert_sound(db)
