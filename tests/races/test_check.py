"""`reservation check` finds every kind of fault, and no fault in sound data."""

import threading
from contextlib import nullcontext
from datetime import timedelta

import pytest

from reservation.domain.booking import invariant
from reservation.storage import integrity
from reservation.storage.database import connect, forget, snapshot
from reservation.storage.models import MODELS, PrestationRessource
from tests import engines
from tests.calendars import calendar_of
from tests.races import guards
from tests.races.clients import Asking, send
from tests.races.soundness import assert_sound, faults, taken

NOWHERE = 987654
PASSES, REQUESTS = 30, 120
OFF = {
    "sqlite": ("PRAGMA ignore_check_constraints = on", "PRAGMA foreign_keys = off"),
    "mariadb": ("SET SESSION check_constraint_checks = 0, foreign_key_checks = 0",),
}[engines.ENGINE]


@pytest.fixture
def plant(db, database_url):
    """Returns plant("UPDATE …", value, …), which writes without constraint checks."""
    careless = connect(database_url)
    for statement in OFF:
        careless.execute_sql(statement)
    yield careless.write
    forget(careless)


@pytest.fixture
def visit(salon, chloe, tuesday):
    """The id of a booking of three slots, and the ids of the slots."""
    slots = [salon.at(tuesday, time) for time in ("10:00", "10:30", "11:00")]
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
    said = f"business {salon.id}: slot {free[0]} has room for 3 places, planned are 1"
    assert faults(db) == [said]


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
    said = f"business {salon.id}: booking {number} is not covered by slots without a gap"
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
    """Adds an event and a performer, so that every table has at least one row."""
    event = {
        "type": "information", "titre": "Fête",
        "debut": f"{tuesday}T00:00:00Z", "fin": f"{tuesday}T10:00:00Z",
    }
    path = f"/api/entreprises/{salon.id}/evenements"
    client.post(path, event, 201, token=salon.owner.token)
    mine = calendar_of(db, salon.id)
    PrestationRessource.insert(prestation=salon.coupe, ressource=mine).execute(db)


@pytest.mark.parametrize(("table", "column", "target"), REFERENCES)
def test_a_reference_to_nothing_is_found(one_of_each, plant, db, table, column, target):
    ((number,),) = db.rows(f"SELECT MIN(id) FROM {table}")
    plant(f"UPDATE {table} SET {column} = ? WHERE id = ?", NOWHERE, number)
    said = f"{table} {number}: its {column} is {NOWHERE}, but there is no {target} {NOWHERE}"
    assert said in faults(db)


def test_there_are_references_and_every_table_is_looked_at():
    assert len(REFERENCES) >= 15
    assert {table for table, *_ in REFERENCES} | {"typeutilisateur", "tentative", "code"} == {
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
    names = ", ".join(one.name for one in db.get_columns(table) if one.name != "id")
    ((number,),) = db.rows(f"SELECT MIN(id) FROM {table}")
    assert faults(db) == []  # empty idempotency keys are not duplicates
    copy = f"INSERT INTO {table} (id, {names}) SELECT {NOWHERE}, {names} FROM {table} WHERE id = ?"
    plant(copy, number)
    (said,) = faults(db, "rows have the same")
    assert said.startswith(f"{table}: 2 rows have the same {columns}: ")
    plant(f"DELETE FROM {table} WHERE id = {NOWHERE}")  # the other fixtures do not remove this row


def test_every_unique_key_of_the_models_is_looked_at():
    keys = {
        (model._meta.table_name, ", ".join(names))
        for model in MODELS
        for names in integrity._unique_keys(model)
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
