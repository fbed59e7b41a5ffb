"""Delivery of messages through a relay that works, refuses, hangs or is down."""

import re
import time
from datetime import timedelta

import pytest

from reservation.domain.messages import claims, delivery, senders
from reservation.domain.messages.claims import PAUSES
from reservation.domain.outbox import outbox
from reservation.domain.people import resetting
from reservation.lib import smtp
from reservation.storage.database import forget
from tests import outboxes
from tests.clock import now
from tests.conftest import ROUNDS
from tests.domain import relays
from tests.domain.relays import BrokenRelay
from tests.engines import free_port
from tests.outboxes import (
    is_over,
    let_pauses_pass,
    of,
    people,
    posts,
    queue,
    wait_for,
    without_tokens,
)


@pytest.fixture
def deliver(db, post):
    """Delivers the due messages through this test's relay, or the relay at another port."""
    made = {}

    def run(port=None, time_limit=5.0, **how):
        where = port or post.port, time_limit
        if where not in made:
            made[where] = outboxes.delivery(db, *where)
        return made[where].deliver(**how)

    return run


def test_a_booking_is_told_to_both_sides_and_what_was_sent_is_kept(
    salon, chloe, alice, db, deliver, post, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    assert deliver() == 2
    assert post.told == [chloe.email, alice.email]
    for one, received in zip([posts(db)[0], posts(db)[2]], post.received, strict=True):
        assert (one.statut, one.essais, one.derniere_erreur) == ("envoye", 1, None)
        assert time.time() - one.envoye_le < 10
        assert one.sujet == received.mail["Subject"]
        text = received.mail.get_body("plain").get_content()
        assert one.corps == without_tokens(text)
    assert deliver() == 0


@pytest.fixture
def patient(monkeypatch):
    """Shortens the limits: a relay may take 1 second to reply, and delays other mail by 0.2
    seconds."""

    def limit(seconds=1.0, patience=0.2, renewal=0.2):
        monkeypatch.setattr(senders, "ANSWER_LIMIT", seconds)
        monkeypatch.setattr(senders, "PATIENCE", patience)
        monkeypatch.setattr(senders, "RENEWAL", renewal)

    limit()
    return limit


def refuse(reply):
    return lambda _server: reply


def hang(_server):
    time.sleep(4)
    return "250 too late"


def close(server):
    server.loop.call_soon_threadsafe(server.transport.abort)
    return "250 not heard"


MOODS = {"450": refuse("450 later"), "554": refuse("554 no"), "hangs": hang, "closes": close}


@pytest.mark.parametrize("mood", MOODS)
def test_a_message_that_fails_holds_up_no_other_and_is_sent_later(
    db, visit, deliver, post, patient, mood
):
    queue(db, visit, people(5))
    post.moods["2@example.fr"] = MOODS[mood]
    before = int(time.time())
    assert deliver(time_limit=1.5) == 5
    assert post.told == [who for who in people(5) if who != "2@example.fr"]
    wait_for(lambda: of(db, "2@example.fr").statut != "envoi")
    failed = of(db, "2@example.fr")
    assert (failed.statut, failed.essais, failed.envoye_le) == ("attente", 1, None)
    assert before + PAUSES[0] <= failed.prochain_essai <= time.time() + PAUSES[0]
    assert mood in failed.derniere_erreur if mood.isdigit() else failed.derniere_erreur

    post.moods.clear()
    assert deliver() == 0
    let_pauses_pass(db)
    assert deliver() == 1
    assert post.told[4:] == ["2@example.fr"]
    sent = of(db, "2@example.fr")
    assert (sent.statut, sent.essais, sent.derniere_erreur) == ("envoye", 2, None)


def test_the_pauses_grow_until_a_message_is_given_up_for_all_to_see(db, visit, deliver, post):
    queue(db, visit, ["x@example.fr"])
    post.replies["RCPT"] = "554 no such box"
    waited = []
    for _ in PAUSES:
        deliver()
        assert posts(db)[0].statut == "attente"
        waited.append(posts(db)[0].prochain_essai - int(time.time()))
        let_pauses_pass(db)
    assert all(abs(was - wanted) <= 1 for was, wanted in zip(waited, PAUSES, strict=True))
    assert list(PAUSES) == sorted(PAUSES) and sum(PAUSES) == 24 * 3600
    deliver()
    (given_up,) = posts(db)
    assert (given_up.statut, given_up.essais) == ("abandonne", len(PAUSES) + 1)
    assert "554" in given_up.derniere_erreur and "no such box" in given_up.derniere_erreur
    assert deliver() == 0

    post.replies.clear()
    (number,) = db.rows("SELECT id FROM eventemail")[0]
    outbox.send_again(db, number, int(time.time()))
    assert deliver() == 1
    assert posts(db)[0].statut == "envoye"


DOWN = {
    "is not there": None,
    "hangs": ("greeting", relays.hang),
    "turns everybody down": ("greeting", relays.says(b"421 later\r\n")),
    "closes in the middle of a message": ("DATA", relays.close),
    "closes behind a message": ("end", relays.close),
    "hangs behind a message": ("end", relays.hang),
}


@pytest.mark.parametrize("how", DOWN)
def test_nothing_is_lost_to_a_relay_that_does_not_work_and_all_is_sent_afterwards(
    db, visit, deliver, post, patient, how
):
    queue(db, visit, people(3))
    broken = BrokenRelay(*DOWN[how]) if DOWN[how] else None
    assert deliver(broken.port if broken else free_port(), time_limit=0.3) == 3
    wait_for(lambda: "envoi" not in {one.statut for one in posts(db)})
    if broken:
        broken.stop()
    assert [(one.statut, one.essais) for one in posts(db)] == [("attente", 1)] * 3
    assert all(one.derniere_erreur for one in posts(db))
    let_pauses_pass(db)
    assert deliver() == 3
    assert post.told == people(3)
    assert [one.statut for one in posts(db)] == ["envoye"] * 3


def test_the_reason_in_the_greeting_of_a_relay_is_kept(db, visit, deliver):
    queue(db, visit, people(1))
    broken = BrokenRelay("greeting", relays.says(b"554 5.7.1 192.0.2.1 is on a block list\r\n"))
    assert deliver(broken.port) == 1
    broken.stop()
    assert posts(db)[0].derniere_erreur == "554 5.7.1 192.0.2.1 is on a block list"


# A relay that stores the message long before its reply


def short_steps(monkeypatch, seconds=0.3):
    """Limits each SMTP step, except the reply to the data."""
    monkeypatch.setattr(smtp, "_STEP_LIMIT", seconds)


def test_a_slow_answer_brings_no_message_twice_and_holds_up_no_other(
    db, visit, deliver, post, patient, monkeypatch
):
    short_steps(monkeypatch)
    patient(10.0)
    post.moods["1@example.fr"] = post.keeps_and_answers_after(1.5)
    queue(db, visit, people(4))
    assert deliver() == 4
    assert [one.statut for one in posts(db)] == ["envoye", "envoi", "envoye", "envoye"]
    wait_for(lambda: is_over(db))
    assert deliver() == 0
    assert post.told == people(4)
    assert {one.essais for one in posts(db)} == {1}


def test_negative_control_without_the_wait_a_slow_answer_brings_a_message_twice(
    db, visit, deliver, post, patient, monkeypatch
):
    short_steps(monkeypatch)
    patient(0.0)
    post.moods["1@example.fr"] = post.keeps_and_answers_after(1.5)
    queue(db, visit, people(2))
    deliver()
    wait_for(lambda: of(db, "1@example.fr").statut == "attente")
    let_pauses_pass(db)
    deliver()
    assert post.told == [*people(2), "1@example.fr"]


def outlast_a_lease(db, visit, deliver, post, patient, monkeypatch):
    """Delivers in a loop: the relay replies after 3 seconds, and a claim lasts 2 seconds."""
    patient(10.0)
    monkeypatch.setattr(claims, "LEASE", 2)
    monkeypatch.setattr(claims, "MARGIN", 0)
    post.moods["0@example.fr"] = post.keeps_and_answers_after(3)
    queue(db, visit, people(1))
    wait_for(lambda: (deliver() == 0 and is_over(db)) or len(post.told) > 1)
    return post.told


def test_a_claim_outlasts_its_lease_while_the_relay_is_silent(
    db, visit, deliver, post, patient, monkeypatch
):
    told = outlast_a_lease(db, visit, deliver, post, patient, monkeypatch)
    assert told == people(1)


def test_negative_control_without_renewals_the_claim_is_lost_and_the_message_repeated(
    db, visit, deliver, post, patient, monkeypatch
):
    monkeypatch.setattr(claims, "renew", lambda _db, _row, lease: lease)
    monkeypatch.setattr(delivery, "MOST_SENDERS", 2)
    told = outlast_a_lease(db, visit, deliver, post, patient, monkeypatch)
    assert len(told) > 1


def test_so_many_wait_for_an_answer_and_nothing_more_is_claimed(
    db, visit, deliver, post, patient, monkeypatch
):
    patient(10.0)
    monkeypatch.setattr(delivery, "MOST_SENDERS", 2)
    post.moods = {who: post.keeps_and_answers_after(30) for who in people(2)}
    queue(db, visit, people(4))
    assert deliver() == 2
    with monkeypatch.context() as nothing_is_claimed:
        nothing_is_claimed.setattr(claims, "take", None)
        assert deliver() == 0
    assert [(one.statut, one.essais) for one in posts(db)] == [
        *[("envoi", 1)] * 2, *[("attente", 0)] * 2,
    ]
    post.over.set()
    wait_for(lambda: deliver() == 0 and is_over(db))
    assert post.told == people(4)


def test_what_is_silent_for_too_long_is_sent_again_under_the_same_id(
    db, visit, deliver, post, patient
):
    post.moods["0@example.fr"] = post.keeps_and_answers_after(30)
    queue(db, visit, people(1))
    assert deliver() == 1
    wait_for(lambda: of(db, "0@example.fr").statut == "attente")
    post.moods.clear()
    let_pauses_pass(db)
    assert deliver() == 1
    first, second = post.received
    assert first.mail["Message-ID"] == second.mail["Message-ID"]


# Messages claimed together


def test_messages_go_in_the_order_of_their_time(db, visit, deliver, post, monkeypatch):
    monkeypatch.setattr(claims, "MOST", 2)
    now = int(time.time())
    for name, due in (("c", -1), ("a", -9), ("d", -1), ("b", -5), ("late", 60)):
        queue(db, visit, [f"{name}@example.fr"], now + due)
    assert deliver() == 4
    assert post.told == [f"{name}@example.fr" for name in "abcd"]


def test_what_was_not_come_to_goes_back_as_it_was(db, visit, deliver, post):
    queue(db, visit, people(5), due=1000)
    assert deliver(stopping=lambda: len(post.received) == 2) == 2
    left = [(one.statut, one.essais, one.prochain_essai) for one in posts(db)[2:]]
    assert left == [("attente", 0, 1000)] * 3
    assert deliver() == 3
    assert post.told == people(5)


def test_a_claim_ends_before_a_slow_relay_outlasts_it(db, visit, deliver, post, monkeypatch):
    """The lease leaves 1 second for a batch. Unsent messages are claimed again."""
    monkeypatch.setattr(claims, "LEASE", claims.MARGIN + 1)
    post.then = lambda: time.sleep(0.3)
    tried = []
    claim = claims.take
    monkeypatch.setattr(
        claims, "take", lambda *when: tried.append(claim(*when)) or tried[-1]
    )
    queue(db, visit, people(6))
    deliver(seconds=60)
    assert post.told == people(6)
    assert len(tried) > 2  # several claims, because the lease was near its end
    assert [one.essais for one in posts(db)] == [1] * 6


def test_what_falls_due_meanwhile_is_left_for_the_next_time(
    db, visit, deliver, post, monkeypatch
):
    """Otherwise a slow relay with temporary refusals would occupy a worker forever."""
    monkeypatch.setattr(claims, "PAUSES", (1, 1))
    post.moods = dict.fromkeys(people(5), lambda _server: time.sleep(0.4) or "450 later")
    queue(db, visit, people(5))
    assert deliver() == 5


def test_a_sender_does_not_begin_a_message_whose_claim_is_about_to_end(db, visit, post):
    """The sender reached the message late, because marking the previous message failed."""
    queue(db, visit, people(1), due=1000)
    ours = outboxes.delivery(db, post.port)
    lease = int(time.time()) + claims.MARGIN - 1
    (row,) = claims.take(db, 1000, lease)
    sender = senders.Sender(db, ours.mailer, ours.quotas, lambda: False)
    sender.send(row, ours._renderer.render(row), lease)
    sender.end()
    assert sender.is_free() and sender.join(5)
    (left,) = posts(db)
    assert (left.statut, left.essais, left.prochain_essai) == ("attente", 0, 1000)
    assert post.received == []


def test_a_delivery_ends_although_more_is_due(db, visit, deliver, post, monkeypatch):
    monkeypatch.setattr(claims, "MOST", 1)
    queue(db, visit, people(3))
    assert [deliver(seconds=0), deliver()] == [1, 2]


def test_a_link_does_not_wait_for_the_messages_of_businesses(
    db, visit, chloe, deliver, post, monkeypatch
):
    """The relay takes 0.1 seconds for a message. The link is requested after 1.5 seconds."""
    monkeypatch.setattr(delivery, "ROUND", 0.3)

    def then():
        time.sleep(0.1)
        if len(post.received) == 15:
            resetting.ask(db, chloe.email, "", int(time.time()))
            forget(db)

    post.then = then
    queue(db, visit, people(40))
    assert deliver(seconds=60) == 41
    assert 15 <= post.told.index(chloe.email) < 22
    assert sorted(post.told) == sorted([*people(40), chloe.email])
    assert {one.essais for one in posts(db)} == {1}


def test_a_slow_relay_is_not_given_more_than_it_accepts_in_a_round(
    db, visit, deliver, post, monkeypatch
):
    monkeypatch.setattr(delivery, "ROUND", 0.3)
    given_back, give_back = [], claims.give_back

    def note(db, rows, *how):
        given_back.extend(rows)
        give_back(db, rows, *how)

    monkeypatch.setattr(claims, "give_back", note)
    post.then = lambda: time.sleep(0.1)
    queue(db, visit, people(30))
    assert deliver(seconds=60) == 30
    assert 20 <= len(given_back) < 40  # nearly all of the first claim, and few of later claims


def test_a_claim_ends_when_the_clock_falls_back(db, visit, deliver, post, monkeypatch):
    real, steps = time.time, []
    monkeypatch.setattr(time, "time", lambda: real() - (86400 if steps else 0))
    post.then = lambda: steps.append(1) if len(post.received) == 2 else None
    queue(db, visit, people(5), due=1000)
    assert deliver() == 2
    assert [(one.statut, one.essais) for one in posts(db)] == [
        *[("envoye", 1)] * 2, *[("attente", 0)] * 3,
    ]


def test_one_message_that_cannot_be_written_holds_up_no_other(db, visit, deliver, post):
    queue(db, visit, people(3))
    db.write("UPDATE eventemail SET reservation_id = NULL WHERE destinataire = '1@example.fr'")
    assert deliver() == 3
    assert post.told == ["0@example.fr", "2@example.fr"]
    assert of(db, "1@example.fr").statut == "attente"


# Reminders


def reminded(db):
    return [(one.statut, one.essais) for one in posts(db) if one.genre == "rappel"]


def make_the_reminder_due(db, due=1):
    due_then = "UPDATE eventemail SET prochain_essai = ?"
    db.write(f"{due_then} WHERE genre = 'rappel' AND statut = 'attente'", due)


@pytest.fixture
def booked(salon, chloe, db, deliver, tuesday):
    """Returns the id of a booking whose messages are sent, except the reminder."""
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    deliver()
    return number


def test_a_reminder_is_sent_when_it_is_due_and_not_before(db, booked, deliver, post):
    now = int(time.time())
    for due, expected in ((now + 60, 0), (now, 1)):
        make_the_reminder_due(db, due)
        assert deliver() == expected
    assert reminded(db) == [("envoye", 1)]
    assert post.received[2].mail["Subject"].startswith("Rappel")


def claim_the_reminder(db):
    """Claims the reminder as a worker that dies. Claimed messages stay when a booking changes."""
    db.write("UPDATE eventemail SET statut = 'envoi', essais = 1 WHERE genre = 'rappel'")


def test_the_reminder_of_a_cancelled_visit_is_not_sent(
    db, booked, client, chloe, deliver, post
):
    claim_the_reminder(db)
    client.delete(f"/api/reservations/{booked}", token=chloe.token)
    let_pauses_pass(db)
    deliver()
    assert reminded(db) == [("abandonne", 2)]
    assert not [one for one in post.received if one.mail["Subject"].startswith("Rappel")]


def test_the_reminder_of_the_time_before_a_move_is_not_sent(
    db, booked, client, salon, chloe, deliver, post, tuesday
):
    claim_the_reminder(db)
    later = salon.at(tuesday + timedelta(days=1), "11:00")
    client.put(
        f"/api/reservations/{booked}", {"version": 1, "creneauId": later}, token=chloe.token
    )
    let_pauses_pass(db)
    deliver()
    assert reminded(db) == [("abandonne", 2), ("attente", 0)]
    make_the_reminder_due(db)
    deliver()
    (reminder,) = [one for one in post.received if one.mail["Subject"].startswith("Rappel")]
    assert "11:00" in reminder.mail.get_body("plain").get_content()


def test_nobody_is_reminded_of_a_visit_that_has_begun(db, booked, deliver, post):
    """A long failure of the relay delayed the reminder."""
    begun = int(time.time()) - 60
    db.write("UPDATE eventemail SET debut = ?, fin = ?", begun, begun + 1)
    db.write("UPDATE reservation SET occupe_debut = ?, debut = ?, fin = ?", 0, begun, begun + 1)
    make_the_reminder_due(db)
    deliver()
    assert reminded(db) == [("abandonne", 1)]
    assert len(post.received) == 2


# Forgotten passwords


def test_the_link_of_a_forgotten_password_is_sent_and_not_stored(db, chloe, deliver, post):
    resetting.ask(db, chloe.email, "", int(time.time()))
    assert deliver() == 1
    (received,) = post.received
    text = received.mail.get_body("plain").get_content()
    (token,) = re.findall(rf"{outboxes.PUBLIC}/mot-de-passe#(\S+)", text)
    (row,) = db.rows("SELECT * FROM eventemail")
    assert "envoye" in row
    assert not [value for value in row if token in str(value)]
    resetting.redeem(db, token, "un mot tout neuf", ROUNDS, "", now())


def test_the_answer_of_a_relay_is_kept_as_the_relay_wrote_it(db, visit, deliver, post):
    queue(db, visit, ["x@example.fr"])
    post.replies["RCPT"] = "550 5.1.1 adresse refusée"
    deliver()
    assert posts(db)[0].derniere_erreur == "550 5.1.1 adresse refusée"


def test_what_a_relay_quotes_of_a_link_is_not_kept(db, visit, deliver, post):
    queue(db, visit, ["x@example.fr"])
    post.replies["RCPT"] = "554 spam: https://a.example/mot-de-passe#the-token, sorry"
    deliver()
    reason = posts(db)[0].derniere_erreur
    assert "the-token" not in reason
    assert "https://a.example/mot-de-passe#" in reason


def test_a_stranger_who_forgot_a_password_gets_nothing_and_no_row_stays(db, deliver, post):
    resetting.ask(db, "nobody@example.fr", "", int(time.time()))
    assert len(posts(db)) == 1
    assert deliver() == 1
    assert posts(db) == []
    assert post.received == []


def test_the_next_messages_are_claimed_after_the_last_message_is_marked(
    db, visit, post, monkeypatch
):
    steps, take, mark = [], claims.take, claims.mark_sent

    def note_take(*args):
        steps.append("claim")
        return take(*args)

    def note_mark(*args):
        time.sleep(0.3)
        mark(*args)
        steps.append("mark")

    monkeypatch.setattr(claims, "MOST", 1)
    monkeypatch.setattr(claims, "take", note_take)
    monkeypatch.setattr(claims, "mark_sent", note_mark)
    queue(db, visit, people(2))
    assert outboxes.delivery(db, post.port).deliver() == 2
    assert steps == ["claim", "mark", "claim", "mark", "claim"]


def test_all_messages_are_sent_over_one_connection(db, visit, post, monkeypatch):
    opened, connect_ = [], smtp.Relay.connect
    monkeypatch.setattr(claims, "MOST", 2)
    monkeypatch.setattr(
        smtp.Relay, "connect", lambda *args: opened.append(1) or connect_(*args)
    )
    queue(db, visit, people(5))
    assert outboxes.delivery(db, post.port).deliver() == 5
    assert len(opened) == 1
