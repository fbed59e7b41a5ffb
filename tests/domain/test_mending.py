"""Messages queued while the clock was a day ahead, after the clock was set back."""

import time

import pytest

from reservation.domain.messages import claims, mending
from reservation.domain.messages.claims import LEASE, PAUSES
from reservation.domain.messages.mending import CLAIMS, GRACE, INTERVAL, SETTLED, Mending
from tests import outboxes
from tests.outboxes import is_over, of, people, queue

DAY = 86400
NOW = 1_700_000_000


class Clock:
    """A wall clock that may jump, and a monotonic clock."""

    def __init__(self, wall=NOW):
        self.time, self.since = wall, 0.0

    def go_on(self, seconds):
        self.time += seconds
        self.since += seconds

    def mending(self, db):
        return Mending(db, wall=lambda: self.time, steady=lambda: self.since)


@pytest.fixture
def put(db, visit):
    """Puts a message in the outbox in a given state, due at a given time."""

    def into(name, due, statut="attente", essais=0, genre="confirmee"):
        queue(db, visit, [name], due)
        db.write(
            "UPDATE eventemail SET statut = ?, essais = ?, genre = ? WHERE destinataire = ?",
            statut, essais, genre, name,
        )

    return into


def due(db, name):
    return of(db, name).prochain_essai


def test_what_was_queued_or_put_off_under_the_wrong_clock_is_due_at_once(db, put):
    put("queued", NOW + DAY)
    for essais, pause in enumerate(PAUSES, 1):
        put(f"tried {essais}", NOW + DAY + pause, essais=essais)
    Clock().mending(db).look()
    assert {one.prochain_essai for one in outboxes.posts(db)} == {NOW}


def test_what_may_lie_ahead_stays_there(db, put):
    put("reminder", NOW + 30 * DAY, genre="rappel")
    for essais, pause in enumerate(PAUSES, 1):
        put(f"tried {essais}", NOW + pause, essais=essais)
    put("claimed", NOW + LEASE, statut="envoi", essais=1)
    before = outboxes.posts(db)
    clock = Clock()
    look = clock.mending(db).look
    look()
    clock.since += GRACE + 1
    look()
    assert outboxes.posts(db) == before


def test_a_reminder_that_was_tried_is_due_at_once_as_well(db, put):
    put("reminder", NOW + DAY, essais=1, genre="rappel")
    Clock().mending(db).look()
    assert due(db, "reminder") == NOW


def test_a_claim_is_free_within_a_minute_unless_its_worker_renews_it(db, put):
    clock = Clock()
    look = clock.mending(db).look
    for name in ("dead", "alive"):
        put(name, NOW + DAY + LEASE, statut="envoi", essais=1)
    for _ in range(4):
        look()
        clock.go_on(CLAIMS + 1)
        assert of(db, "dead").statut == of(db, "alive").statut == "envoi" or clock.since > GRACE
        if clock.since < 2 * CLAIMS:
            db.write(
                "UPDATE eventemail SET prochain_essai = ? WHERE destinataire = 'alive'",
                clock.time + LEASE,
            )
    assert clock.since <= 60
    assert (of(db, "dead").statut, of(db, "alive").statut) == ("attente", "envoi")
    assert due(db, "dead") <= clock.time


def test_the_fall_of_the_clock_is_seen_and_what_is_written_by_then_is_mended(db, put):
    clock = Clock(NOW + DAY)
    look = clock.mending(db).look
    look()
    put("queued", NOW + DAY)
    clock.time -= DAY
    clock.go_on(1)
    look()
    assert due(db, "queued") == NOW + DAY  # another request may still use the old time
    clock.go_on(SETTLED)
    look()
    assert due(db, "queued") == clock.time


@pytest.mark.parametrize("passed, seen", [(INTERVAL - 1, False), (INTERVAL, True)])
def test_what_another_machine_wrote_with_a_wrong_clock_is_mended_at_intervals(
    db, put, passed, seen
):
    """Also the negative control of the previous test: here the clock does not jump."""
    clock = Clock()
    look = clock.mending(db).look
    look()
    put("queued", NOW + DAY)
    clock.go_on(passed)
    look()
    assert (due(db, "queued") == clock.time) is seen


def test_more_than_one_look_can_mend_takes_several_in_a_row(db, visit, monkeypatch):
    monkeypatch.setattr(mending, "MOST", 2)
    queue(db, visit, people(5), NOW + DAY)
    look = Clock().mending(db).look
    for mended in (2, 4, 5):
        look()
        dues = [one.prochain_essai for one in outboxes.posts(db)]
        assert dues.count(NOW) == mended


def test_all_of_it_is_sent_by_a_worker_that_starts(db, put, post, work):
    now = int(time.time())
    put("queued@example.fr", now + DAY)
    put("tried@example.fr", now + DAY + PAUSES[2], essais=3)
    put("claimed@example.fr", now + DAY + LEASE, statut="envoi", essais=1)
    put("reminder@example.fr", now + DAY, genre="rappel")
    assert work("--once", SMTP_URL=post.url).status() == 0
    assert sorted(post.told) == ["claimed@example.fr", "queued@example.fr", "tried@example.fr"]
    assert due(db, "reminder@example.fr") == now + DAY


def test_a_waiting_claim_is_renewed_to_the_time_that_is_right(db, visit, monkeypatch):
    queue(db, visit, people(1), NOW)
    ahead = NOW + DAY + LEASE
    (row,) = claims.take(db, NOW, ahead)
    monkeypatch.setattr(time, "time", lambda: NOW)
    assert claims.renew(db, row, ahead) == NOW + LEASE == due(db, "0@example.fr")
    assert claims.renew(db, row, ahead) == ahead  # the claim is no longer valid
    assert due(db, "0@example.fr") == NOW + LEASE
    assert not is_over(db)
