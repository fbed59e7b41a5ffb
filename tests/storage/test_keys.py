"""Which unique key refused a row: only the key of the e-mail means that the e-mail is taken."""

import peewee
import pytest

from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.customers import records
from reservation.domain.customers.records import CustomerRecord
from reservation.domain.people import accounts, attempts, credentials
from reservation.domain.people.sessions import Account
from reservation.errors import EmailTaken
from reservation.storage.database import MySQL, transaction
from reservation.storage.models import Utilisateur
from tests import engines
from tests.clock import now
from tests.conftest import PASSWORD, ROUNDS

BODY = {
    "email": "eve@example.fr", "password": PASSWORD, "first_name": "Ève", "last_name": "Petit",
    "role": "student",
}
TRIED = "INSERT INTO tentative (cle, nombre, depuis, bloque_jusqua) VALUES ('x', 1, 0, 0)"


def refused(db, sql):
    with pytest.raises(peewee.IntegrityError) as caught:
        db.write(sql)
    return caught.value


def test_a_key_is_told_by_its_table_and_first_column(db):
    twice = refused(db, "INSERT INTO typeutilisateur (id, nom) VALUES (9, 'admin')")
    assert db.violates(twice, "typeutilisateur", "nom")
    assert not db.violates(twice, "typeutilisateur", "id")
    assert not db.violates(twice, "utilisateur", "email")


def test_a_key_with_a_name_of_its_own_is_told_too(db):
    db.write(TRIED)
    twice = refused(db, TRIED)
    assert db.violates(twice, "tentative", "cle")
    assert not db.violates(twice, "tentative", "nombre")


@pytest.mark.parametrize(
    "name", ["email", "utilisateur_email", "utilisateur.email", "utilisateur.utilisateur_email"]
)
def test_every_server_names_the_key_in_its_own_way(name):
    db = MySQL("mysql://127.0.0.1/x")
    twice = peewee.IntegrityError(1062, f"Duplicate entry 'for key 'nom'' for key '{name}'")
    assert db.violates(twice, "utilisateur", "email")
    assert not db.violates(twice, "utilisateur", "nom")


def test_a_key_of_several_columns_is_told_by_the_first():
    db = MySQL("mysql://127.0.0.1/x")
    for name in ("demandeur_id", "reservation_demandeur_cle", "reservation.demandeur_id"):
        twice = peewee.IntegrityError(1062, f"Duplicate entry '1-k' for key '{name}'")
        assert db.violates(twice, "reservation", "demandeur_id")
        assert not db.violates(twice, "reservation", "demande")


@engines.on_sqlite
def test_a_key_of_several_columns_is_told_by_the_first_on_sqlite(db, visit):
    twice = refused(
        db, "INSERT INTO creneau SELECT id + 100000, ressource_id, debut, fin, ouverture,"
        " capacite, capacite_prevue, places_prises, ouvert, prestation_id FROM creneau LIMIT 1"
    )
    assert db.violates(twice, "creneau", "ressource_id")


def test_a_check_and_a_reference_are_no_unique_key(db, chloe):
    for wrong in ("langue = 'de'", "type_id = 77"):
        ex = refused(db, f"UPDATE utilisateur SET {wrong}")
        assert not db.violates(ex, "utilisateur", "email")


# The response.


def test_a_second_account_with_the_same_email_is_refused(db, chloe, monkeypatch):
    monkeypatch.setattr(accounts, "find", lambda *_: None)  # as if another registration came first
    with pytest.raises(EmailTaken):
        accounts.add(
            db, ROUNDS, email=chloe.email, password=PASSWORD, role="student", nom="x", now=now()
        )


@pytest.mark.parametrize("langue, role", [("de", "student"), ("fr", "ghost")])
def test_any_other_refused_row_is_no_taken_email(db, langue, role, monkeypatch):
    monkeypatch.setitem(accounts.ROLES, "ghost", 77)
    with pytest.raises(peewee.IntegrityError):
        accounts.add(
            db, ROUNDS, email="eve@example.fr", password=PASSWORD, role=role, nom="x",
            langue=langue, now=now(),
        )


def test_such_a_registration_is_500_with_an_entry_in_the_log(client, db, monkeypatch, caplog):
    monkeypatch.setitem(accounts.ROLES, "student", 77)
    answer = client.post("/auth/register", BODY, expect=500)
    assert answer.json == {
        "error": "Internal server error", "code": "internal_server_error"
    }
    assert "IntegrityError" in caplog.text
    assert Utilisateur.select().count(db) == 0


@engines.on_sqlite
def test_another_key_of_the_attempts_is_no_attempt_of_another_request(db):
    db.execute_sql("CREATE UNIQUE INDEX own ON tentative (depuis)")
    transaction(db, lambda: attempts.count(db, credentials.FAILURES, "a", 1000))
    with pytest.raises(peewee.IntegrityError):
        transaction(db, lambda: attempts.count(db, credentials.FAILURES, "b", 1000))


def test_a_booking_for_nobody_is_no_repeated_request(db, salon, chloe, tuesday, monkeypatch):
    """The Idempotency-Key was used for another booking in the meantime."""
    known = iter((None, 42))
    monkeypatch.setattr(booking, "_known", lambda *_: next(known))
    creneau = salon.at(tuesday, "10:00")
    monkeypatch.setattr(records, "of_account", lambda *_: CustomerRecord(999, chloe.id))
    request = Request(creneau, salon.coupe, cle="k")
    with pytest.raises(peewee.IntegrityError):
        booking.book(db, Account(chloe.id, "student"), request, now())
