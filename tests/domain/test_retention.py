"""Removal of old data: the texts of sent messages, messages to accounts, past slots that nobody
booked, and words that no business has any more."""

import threading
import time
from datetime import timedelta

import pytest

from reservation.commands.worker import Retention
from reservation.domain.calendar import upkeep
from reservation.domain.outbox import outbox
from reservation.domain.privacy import retention
from reservation.storage import words
from reservation.storage.database import connect, forget, transaction
from tests import outboxes
from tests.calendars import calendar_of
from tests.races.soundness import assert_sound, faults

DAY, DAY_AFTER = 86400, timedelta(days=1)


def texts(db):
    return db.rows("SELECT sujet, corps, piece_jointe, message FROM eventemail ORDER BY id")


@pytest.fixture
def sent(db, visit, post):
    """Sends three messages: the first two 100 days ago, the third 10 days ago."""
    outboxes.queue(db, visit, outboxes.people(3))
    assert outboxes.delivery(db, post.port).deliver() == 3
    now = int(time.time())

    def age() -> None:
        for id, days in ((1, 100), (2, 100), (3, 10)):
            db.write(
                "UPDATE eventemail SET prochain_essai = ?, message = 'À bientôt'"
                " WHERE destinataire = ?", now - days * DAY, f"{id - 1}@example.fr",
            )

    transaction(db, age)
    return now


def clear(db, before):
    return len(list(outbox.clear_texts(db, before)))


def test_the_texts_of_messages_sent_long_ago_are_removed(db, sent):
    assert clear(db, sent - 50 * DAY) == 1
    *old, young = texts(db)
    assert old == [("", "", None, None)] * 2
    assert all(young)


def test_a_text_is_removed_once(db, sent):
    clear(db, sent - 50 * DAY)
    assert clear(db, sent - 50 * DAY) == 0
    assert clear(db, sent) == 1
    assert texts(db) == [("", "", None, None)] * 3


def test_many_texts_are_removed_in_small_transactions(db, sent, monkeypatch):
    monkeypatch.setattr(outbox, "CLEARED", 1)
    assert clear(db, sent) == 3


@pytest.mark.parametrize("statut", ["attente", "envoi", "abandonne", "retenu"])
def test_messages_that_were_not_sent_keep_their_texts(db, sent, statut):
    transaction(db, lambda: db.write("UPDATE eventemail SET statut = ?", statut))
    assert clear(db, sent) == 0
    assert all(all(row) for row in texts(db))


def test_a_message_without_its_text_is_listed_and_can_be_sent_again(
    db, sent, client, salon, alice, post
):
    clear(db, sent - 50 * DAY)
    db.write("UPDATE client SET email = '0@example.fr'")
    path = f"/api/entreprises/{salon.id}/emails"
    first = client.get(path, token=alice.token).json[-1]
    assert (first["sujet"], first["corps"]) == ("", "")
    assert (first["statut"], first["destinataire"]) == ("envoye", "0@example.fr")
    assert first["prochainEssai"] is None and first["envoyeLe"]
    client.post(f"/api/emails/{first['id']}/renvoi", {}, 202, token=alice.token)
    assert outboxes.delivery(db, post.port).deliver() == 1
    assert "rendez-vous" in outboxes.of(db, "0@example.fr").sujet.lower()


@pytest.fixture
def codes(client, db, sent, post):
    """Sends two codes to strangers. All messages but the second code were queued 100 days ago."""
    for name in ("old", "young"):
        client.post("/auth/code", {"email": f"{name}@example.fr"}, 202)
    assert outboxes.delivery(db, post.port).deliver() == 2
    old = "UPDATE eventemail SET cree_le = ? WHERE destinataire <> 'young@example.fr'"
    db.write(old, sent - 100 * DAY)


def addresses(db):
    return [post.destinataire for post in outboxes.posts(db)]


def test_old_messages_to_accounts_are_deleted_with_their_addresses(db, codes, sent):
    list(Retention(db, 0).remove_old(sent))
    assert addresses(db) == [*outboxes.people(3), "old@example.fr", "young@example.fr"]
    list(Retention(db, 50).remove_old(sent))
    assert addresses(db) == [*outboxes.people(3), "young@example.fr"]


@pytest.mark.parametrize("statut, stays", [
    ("attente", True), ("envoi", True), ("abandonne", False), ("retenu", False),
])
def test_a_message_to_an_account_is_deleted_unless_it_is_queued(db, codes, sent, statut, stays):
    db.write("UPDATE eventemail SET statut = ? WHERE genre = 'code'", statut)
    list(retention.delete_messages(db, sent - 50 * DAY))
    assert ("old@example.fr" in addresses(db)) is stays


def test_a_message_to_an_account_that_is_queued_again_meanwhile_is_kept(db, codes, sent):
    for _ in retention.delete_messages(db, sent - 50 * DAY):
        db.write("UPDATE eventemail SET statut = 'attente'")
    assert "old@example.fr" in addresses(db)


def test_messages_to_accounts_are_deleted_in_small_transactions(db, codes, sent, monkeypatch):
    monkeypatch.setattr(retention, "DELETED", 1)
    left = [len(addresses(db)) for _ in retention.delete_messages(db, sent + DAY)]
    assert (left, addresses(db)) == ([5, 4], outboxes.people(3))


def slots(db):
    return [id for (id,) in db.rows("SELECT id FROM creneau ORDER BY debut")]


def remove(db, before):
    return list(upkeep.remove_empty(db, 0, before))


@pytest.fixture
def wednesday(salon, tuesday, db):
    """Returns a time in the middle of the calendar, before which slots count as past."""
    wednesday = salon.at(tuesday + DAY_AFTER, "09:00")
    return db.rows("SELECT debut FROM creneau WHERE id = ?", wednesday)[0][0]


def test_past_slots_that_nobody_booked_are_removed(
    db, salon, visit, wednesday, tuesday, chloe
):
    salon.book(chloe, salon.at(tuesday, "14:00"), prestationId=salon.couleur)  # three slots
    rows = db.rows("SELECT id, debut, places_prises FROM creneau ORDER BY debut")
    kept = [id for id, debut, taken in rows if debut >= wednesday or taken]
    assert len(kept) < len(slots(db))
    remove(db, wednesday)
    assert slots(db) == kept
    assert_sound(db)


def test_the_slot_of_a_cancelled_booking_stays(
    db, client, salon, visit, wednesday, tuesday, chloe
):
    client.delete(f"/api/reservations/{visit}", token=chloe.token)
    first = salon.at(tuesday, "10:00")
    remove(db, wednesday)
    assert slots(db)[0] == first
    assert db.rows("SELECT creneau_id FROM reservation") == [(first,)]


def test_slots_before_the_last_removal_are_not_read_again(db, salon, visit, wednesday):
    before = slots(db)
    list(upkeep.remove_empty(db, wednesday, wednesday))
    assert slots(db) == before


@pytest.fixture
def old(db, salon):
    """Makes 5,000 empty slots that began more than 100 days ago. Returns the time of the last."""
    last = int(time.time()) - 100 * DAY
    starts = range(last - 60 * 4999, last + 1, 60)
    mine = calendar_of(db, salon.id)
    rows = [(mine, debut, debut + 60, debut) for debut in starts]
    transaction(db, lambda: db.write_many(
        "INSERT INTO creneau (ressource_id, debut, fin, ouverture, capacite, capacite_prevue,"
        " places_prises, ouvert) VALUES (?, ?, ?, ?, 1, 1, 0, 1)", rows,
    ))
    return last


def test_slots_are_removed_in_small_transactions(db, old):
    number = len(slots(db))
    for _ in upkeep.remove_empty(db, 0, old + 1):
        left = len(slots(db))
        assert number - left <= 2 * upkeep.SLOTS
        number = left
    assert db.rows("SELECT COUNT(*) FROM creneau WHERE debut <= ?", old) == [(0,)]


def test_bookings_go_on_while_old_data_is_removed(
    database_url, db, salon, sent, old, chloe, tuesday
):
    days = [tuesday + index * DAY_AFTER for index in range(3)]
    free = [one["id"] for day in days for one in salon.free(day)]
    ended, waits = threading.Event(), []

    def purge() -> None:
        own = connect(database_url)
        list(outbox.clear_texts(own, old))
        list(upkeep.remove_empty(own, 0, old + 1))
        forget(own)
        ended.set()

    thread = threading.Thread(target=purge)
    thread.start()
    for creneau in free:
        began = time.monotonic()
        salon.book(chloe, creneau)
        waits.append(time.monotonic() - began)
        if ended.is_set():
            break
    thread.join()
    assert len(waits) > 3
    assert max(waits) < 1
    assert db.rows("SELECT COUNT(*) FROM creneau WHERE debut <= ?", old) == [(0,)]
    assert faults(db) == []


def test_the_worker_removes_what_is_older_than_the_setting(db, sent, old, work):
    number = len(slots(db))
    assert work("--once", RETENTION_DAYS="0").status() == 0
    assert len(slots(db)) >= number
    assert all(all(row) for row in texts(db))
    assert work("--once", RETENTION_DAYS="110").status() == 0
    assert len(slots(db)) >= number
    assert work("--once", RETENTION_DAYS="50").status() == 0
    assert db.rows("SELECT COUNT(*) FROM creneau WHERE debut <= ?", old) == [(0,)]
    *cleared, young = texts(db)
    assert cleared == [("", "", None, None)] * 2
    assert all(young)


def known(db):
    """Returns the words that searches know."""
    return {texte for (texte,) in db.rows("SELECT texte FROM mot")}


@pytest.fixture
def changed(client, make_salon, alice, bob):
    """Alice's salon had a description. The salon of Bob has a word of this description too."""
    salon = make_salon(alice, description="Chez Zornique, sur rendez-vous au 0611223344")
    make_salon(bob, description="Rendez-vous conseillé")
    body = {"nom": "Salon alice", "ville": "Lyon"}
    client.put(f"/api/entreprises/{salon.id}", body, token=alice.token)


def test_words_that_no_business_has_any_more_are_removed(db, changed):
    assert {"zornique", "0611223344", "rendez"} <= known(db)
    list(words.remove_unused(db))
    assert known(db).isdisjoint({"zornique", "0611223344"})
    assert {"salon", "alice", "lyon", "coupe", "rendez"} <= known(db)


def test_the_words_of_an_inactive_business_stay(db, make_salon, alice):
    make_salon(alice, nom="Zornique", actif=False)
    list(words.remove_unused(db))
    assert {"zornique", "coupe"} <= known(db)


def test_words_are_removed_in_small_transactions(db, changed, monkeypatch):
    monkeypatch.setattr(words, "REMOVED", 1)
    left = [len(known(db)) for _ in words.remove_unused(db)]
    assert max(before - after for before, after in zip(left, left[1:], strict=False)) == 1
