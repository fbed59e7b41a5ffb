"""One record for each customer of a business, and its limit of upcoming bookings."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from reservation.conflicts import TooManyUpcoming
from reservation.domain.booking import booking, choosing
from reservation.domain.booking.requests import Request
from reservation.domain.calendar import calendar
from reservation.domain.customers import file, importing, limits, linking, recognising, records
from reservation.domain.customers.candidates import Described
from reservation.domain.customers.records import Details
from reservation.domain.people import code_login
from reservation.domain.people.code_login import Newcomer
from reservation.domain.privacy import erasing
from reservation.storage.database import connect, forget, transaction
from tests import engines, outboxes
from tests.clock import now
from tests.codes import issued
from tests.conftest import prove
from tests.races import guards
from tests.races.clients import Asking, patient, send, statuses, storm
from tests.races.soundness import assert_sound, faults, mails

TIMES = ("09:00", "09:30", "10:00", "10:30", "11:00", "11:30")
RECORDS = "SELECT COUNT(*) FROM client WHERE utilisateur_id = ?"


def test_the_first_bookings_of_a_customer_at_once_make_one_record(
    chloe, port, db, bookings
):
    assert statuses(storm(port, bookings, ask=patient)) == {201: 24}
    assert db.rows(RECORDS, chloe.id) == [(1,)]
    assert_sound(db)


@engines.on_mariadb
def test_those_who_all_found_no_record_make_one(
    database_url, hall, account, db, tuesday, monkeypatch
):
    slots = iter([hall.at(tuesday, time) for time in TIMES])
    guards.everyone_comes_to(monkeypatch, len(TIMES), records, "insert")
    results = guards.together(
        database_url, len(TIMES),
        lambda own: booking.book(own, account, Request(next(slots), hall.coupe), now()),
    )
    assert len(guards.sold(results)) == len(TIMES)
    assert db.rows(RECORDS, account.id) == [(1,)]
    assert_sound(db)


@pytest.fixture
def bookings(hall, chloe, tuesday):
    """Returns 24 requests of Chloé for bookings."""
    return [
        Asking("POST", "/api/reservations", chloe.token,
               {"creneauId": hall.at(tuesday, time), "prestationId": hall.coupe})
        for time in TIMES * 4
    ]


@pytest.mark.parametrize("reached", [{"email": "nora@example.fr"}, {"telephone": "06 11 22"}])
def test_bookings_at_once_for_a_new_customer_make_one_record(
    hall, port, db, bookings, reached
):
    about = {"client": {"nom": "Petit", **reached}}
    mine = [
        one._replace(token=hall.owner.token, body=one.body | about) for one in bookings
    ]
    assert statuses(storm(port, mine, ask=patient)) == {201: 24}
    assert db.rows("SELECT COUNT(*) FROM client") == [(1,)]
    assert faults(db) == []


def test_a_merge_among_bookings_keeps_all_bookings(hall, chloe, port, db, bookings):
    about = {"nom": "Petit", "telephone": "06"}
    path = f"/api/entreprises/{hall.id}/clients"
    kept = hall.client.post(path, about, 201, token=hall.owner.token).json["id"]
    assert send(port, bookings[0]).status == 201
    gone = db.rows("SELECT id FROM client WHERE utilisateur_id = ?", chloe.id)[0][0]
    merge = Asking("POST", f"/api/clients/{kept}/fusion", hall.owner.token, {"client": gone})
    found = statuses(storm(port, [*bookings[1:12], merge, *bookings[12:]], ask=patient))
    assert found == {201: 23, 200: 1}
    assert db.rows("SELECT DISTINCT client_id FROM reservation") == [(kept,)]
    assert_sound(db)


def test_a_booking_during_a_merge_gets_the_merged_record(
    hall, chloe, port, db, bookings, monkeypatch
):
    kept = described(hall, db)
    assert send(port, bookings[0]).status == 201
    gone = db.rows("SELECT id FROM client WHERE utilisateur_id = ?", chloe.id)[0][0]
    give, waiting = linking.give, []

    def slowly(own, of, *to):
        give(own, of, *to)
        if of == gone:
            waiting.append(thread.submit(send, port, bookings[1]))
            time.sleep(0.5)  # until the booking waits for the merge

    monkeypatch.setattr(linking, "give", slowly)
    with ThreadPoolExecutor(1) as thread:
        file.merge(db, file.get(db, kept, now()), gone, None, now())
        assert waiting[0].result().status == 201
    assert db.rows("SELECT client_id FROM reservation") == [(kept,)] * 2
    assert_sound(db)


@pytest.mark.parametrize("kind, told", [("PUT", "deplacee"), ("DELETE", "annulee")])
def test_a_change_during_a_merge_tells_the_merged_customer(
    hall, chloe, port, db, bookings, monkeypatch, kind, told
):
    kept = described(hall, db)
    path = f"/api/reservations/{send(port, bookings[0]).body['id']}"
    gone = db.rows("SELECT id FROM client WHERE utilisateur_id = ?", chloe.id)[0][0]
    body = {"creneauId": bookings[1].body["creneauId"], "version": 1}
    merge, waiting = linking.merge, []

    def slowly(*args):
        merge(*args)
        asking = Asking(kind, path, chloe.token, body if kind == "PUT" else None)
        waiting.append(thread.submit(send, port, asking))
        time.sleep(0.5)  # until the change waits for the merge

    monkeypatch.setattr(linking, "merge", slowly)
    with ThreadPoolExecutor(1) as thread:
        file.merge(db, file.get(db, kept, now()), gone, None, now())
        assert waiting[0].result().status < 300
    assert mails(db, int(path.rpartition("/")[2])) == ["confirmee", told]


def test_an_erasure_among_bookings_leaves_none(hall, chloe, port, db, bookings):
    erasure = Asking("DELETE", "/api/compte", chloe.token, {"password": chloe.password})
    found = statuses(storm(port, [*bookings[:12], erasure, *bookings[12:]], ask=patient))
    assert found.pop(204) == 1
    assert set(found) <= {201, 401}
    assert db.rows("SELECT id FROM utilisateur WHERE id = ?", chloe.id) == []
    open_ = "SELECT id FROM reservation WHERE statut IN ('demandee', 'confirmee')"
    assert db.rows(open_) == []
    assert faults(db) == []


def described(hall, own):
    about = {"nom": "Martin", "prenom": "", "email": "chloe@example.fr", "telephone": ""}
    return file.add(own, hall.id, about | {"note": "", "bloque": False}, now())


def imported(hall, own):
    lines = [Described(Details("Martin", email="chloe@example.fr"))]
    return importing.load(own, hall.id, lines, now(), False).nouveaux


def addressed(hall, own):
    """Books for a caller who gives a first address."""
    own.write("DELETE FROM client")
    called = Details("Martin", telephone="06")
    number = records.add(own, hall.id, None, called, False, now())
    known = called._replace(email="chloe@example.fr")

    def work():
        calendar.lock(own, hall.id)
        return recognising.described(own, hall.id, known, now())

    assert transaction(own, work).id == number


def corrected(hall, own):
    """Corrects the address in the record of a customer."""
    own.write("DELETE FROM client")
    about = {"nom": "Martin", "prenom": "", "email": "", "telephone": "06", "note": ""}
    number = file.add(own, hall.id, about | {"bloque": False}, now())
    new = about | {"bloque": False, "email": "chloe@example.fr"}
    file.update(own, file.get(own, number, now()), new, 1, now())


@engines.on_mariadb
@pytest.mark.parametrize("make", [described, imported])
def test_a_record_for_an_address_whose_account_is_being_erased_has_no_account(
    database_url, hall, chloe, db, make
):
    prove(db, chloe.id)
    own = connect(database_url)
    with ThreadPoolExecutor(1) as thread:
        with db.transaction():
            assert erasing.erase(db, chloe.id, now())
            made = thread.submit(make, hall, own)
            time.sleep(0.5)  # until the other transaction waits for the account
            assert not made.done()
        assert made.result() > 0
    forget(own)
    assert db.rows("SELECT utilisateur_id FROM client") == [(None,)]


@engines.on_mariadb
@pytest.mark.parametrize("step", ["add", "_change"])
def test_a_change_of_the_address_during_a_booking_reaches_the_record_and_the_messages(
    client, hall, chloe, db, account, tuesday, monkeypatch, step
):
    if step == "_change":  # the business knows the customer without an address
        booking.book(db, account, Request(hall.at(tuesday, "09:00"), hall.coupe), now())
        db.write("UPDATE client SET suit_compte = 0, email = ''")
        outboxes.empty(db)
    new = "chloe@ailleurs.example"
    proof = {"email": new, "code": issued(db, new), "password": chloe.password}
    inner, changes = getattr(records, step), []

    def late(*args, **kwargs):
        changing = thread.submit(client.put, "/api/compte/email", proof, token=chloe.token)
        changes.append(changing)
        time.sleep(0.5)  # until the change waits for the booking
        return inner(*args, **kwargs)

    monkeypatch.setattr(records, step, late)
    with ThreadPoolExecutor(1) as thread:
        booking.book(db, account, Request(hall.at(tuesday, "10:00"), hall.coupe), now())
        changes[0].result()
    assert db.rows("SELECT email FROM client") == [(new,)]
    told = f"SELECT DISTINCT destinataire FROM eventemail WHERE genre IN {('confirmee', 'rappel')}"
    assert db.rows(told) == [(new,)]


@engines.on_mariadb
def test_a_message_that_is_sent_again_during_a_correction_goes_to_the_new_address(
    hall, client, chloe, db, account, tuesday, monkeypatch
):
    booking.book(db, account, Request(hall.at(tuesday, "09:00"), hall.coupe), now())
    db.write("UPDATE eventemail SET statut = 'abandonne'")
    where = "FROM eventemail WHERE genre = 'confirmee'"
    ((number, record),) = db.rows(f"SELECT id, (SELECT id FROM client) {where}")
    about = {"nom": "Martin", "prenom": "", "email": "chloe@exact.fr", "telephone": "06"}
    path, inner, sent = f"/api/emails/{number}/renvoi", file.readdress, []

    def late(*args):
        inner(*args)
        sent.append(thread.submit(client.post, path, None, 202, token=hall.owner.token))
        time.sleep(0.5)  # until the other request waits for the correction

    monkeypatch.setattr(file, "readdress", late)
    with ThreadPoolExecutor(1) as thread:
        new = about | {"note": "", "bloque": False}
        file.update(db, file.get(db, record, now()), new, 1, now())
    assert sent[0].result().json["destinataire"] == "chloe@exact.fr"


def test_an_import_matches_a_record_that_is_created_after_the_first_look(
    hall, db, monkeypatch
):
    inner, made = importing.Records, []

    def late(*args):
        if not made:
            made.append(described(hall, db))
        return inner(*args)

    monkeypatch.setattr(importing, "Records", late)
    assert imported(hall, db) == 0
    assert db.rows("SELECT id FROM client") == [(made[0],)]


@pytest.fixture
def at_once(database_url, hall, account, db, tuesday):
    """Books all TIMES at once, of which the business allows 2. Returns how many succeed."""
    booking.book(db, account, Request(hall.at(tuesday, "17:00"), hall.coupe), now())
    db.write("UPDATE entreprise SET max_a_venir = 3")

    def at_once():
        slots = iter([hall.at(tuesday, time) for time in TIMES])
        results = guards.together(
            database_url, len(TIMES),
            lambda own: booking.book(own, account, Request(next(slots), hall.coupe), now()),
        )
        refused = [one for one in results if isinstance(one, TooManyUpcoming)]
        return len(results) - len(refused)

    return at_once


def test_a_customer_who_books_at_once_stays_below_the_limit(at_once):
    assert at_once() == 2


@engines.on_mariadb
def test_negative_control_without_the_write_a_customer_exceeds_the_limit(at_once, monkeypatch):
    class Unchanged:
        @staticmethod
        def execute(_db):
            return 0

        where = staticmethod(lambda *_: Unchanged)

    monkeypatch.setattr(limits.Client, "update", lambda **_: Unchanged)
    guards.everyone_comes_to(monkeypatch, len(TIMES), choosing, "take")
    assert at_once() > 2


@engines.on_mariadb
@pytest.mark.parametrize("make, module, step", [
    (described, records, "insert"),
    (described, records, "check_unproven"),
    (imported, importing, "_store"),
    (corrected, file, "update_row"),
    (addressed, recognising, "update_row"),
])
@pytest.mark.parametrize("first", [True, False], ids=["proven-first", "stored-first"])
def test_a_record_for_an_address_that_is_proven_meanwhile_gets_the_account(
    database_url, hall, db, make, module, step, first, monkeypatch
):
    own, proofs, inner = connect(database_url), [], getattr(module, step)
    newcomer = Newcomer("Martin", "Chloé", "")

    def sign_up():
        other, email = connect(database_url), "chloe@example.fr"
        transaction(other, lambda: code_login._create(
            other, email, newcomer, "fr", now()
        ))
        forget(other)

    def late(*args, **kwargs):
        result = None if first else inner(*args, **kwargs)
        if not proofs:
            proofs.append(thread.submit(sign_up))
            time.sleep(0.5)  # until the account is proven, or waits for the record
        return inner(*args, **kwargs) if first else result

    monkeypatch.setattr(module, step, late)
    with ThreadPoolExecutor(1) as thread:
        make(hall, own)
        proofs[0].result()
    forget(own)
    sql = "SELECT u.email FROM client c JOIN utilisateur u ON u.id = c.utilisateur_id"
    assert db.rows(sql) == [("chloe@example.fr",)]
