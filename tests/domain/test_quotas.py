"""What a business may send to others."""

from functools import partial
from threading import Thread

import pytest

from reservation.domain.messages import claims, quotas, releasing
from reservation.domain.messages.quotas import Quotas
from reservation.domain.messages.rendering import VISIT_CHANGED
from reservation.domain.outbox.holding import OF_BUSINESS, TO_ADDRESS, UNPROVEN
from reservation.domain.people import attempts, resetting
from reservation.lib.instants import DAY
from reservation.storage.database import forget, transaction
from tests import outboxes
from tests.clock import now
from tests.codes import issued
from tests.conftest import ROSE, prove
from tests.outboxes import people, posts, queue
from tests.races.statements import Statements

BOTH = Quotas(proof=True, limits=True)
LIMITS = Quotas(limits=True)


@pytest.fixture
def deliver(db, post):
    """Delivers under these quotas, and returns the recipients of all messages so far."""

    def deliver(rules):
        delivery = outboxes.delivery(db, post.port)
        delivery.quotas = rules
        delivery.deliver()
        return post.told

    return deliver


def held(db):
    return [(one.destinataire, one.derniere_erreur) for one in posts(db) if one.statut == "retenu"]


def test_an_unproven_owner_writes_to_the_owner_alone_until_the_proof(
    db, salon, alice, chloe, deliver, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    assert deliver(BOTH) == [alice.email]
    assert held(db) == [(chloe.email, UNPROVEN)]
    assert deliver(BOTH) == [alice.email]
    prove(db, alice.id)
    assert deliver(BOTH) == [alice.email, chloe.email]


def test_who_claims_an_account_sends_no_message_that_a_stranger_has_caused(
    client, db, salon, alice, chloe, deliver, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver(BOTH)
    token = resetting.issue(db, alice.email, now())
    client.post("/auth/password/reset", {"token": token, "password": "un mot tout neuf"})
    assert deliver(BOTH) == [alice.email]
    (message,) = db.rows("SELECT id FROM eventemail WHERE statut = 'retenu'")
    body = {"email": alice.email, "password": "un mot tout neuf"}
    token = client.post("/auth/login", body).json["token"]
    body |= {"email": "alice@example.net", "code": issued(db, "alice@example.net")}
    token = client.put("/api/compte/email", body, token=token).json["token"]
    assert chloe.email not in deliver(BOTH)
    client.post(f"/api/emails/{message[0]}/renvoi", None, 202, token=token)
    assert deliver(BOTH)[-1] == chloe.email


def test_a_proof_releases_a_message_that_is_being_held(db, salon, alice, visit):
    queue(db, visit, people(1))

    def proof():
        prove(db, alice.id)
        forget(db)

    proving_thread = Thread(target=proof)

    def exceeded(*args):
        found = BOTH.exceeded(*args)
        if not proving_thread.ident:
            proving_thread.start()
            proving_thread.join(0.5)
        return found

    claims.take(db, now(), now() + claims.LEASE, exceeded)
    proving_thread.join()
    assert held(db) == []


def test_another_address_of_a_business_is_no_way_around(
    client, db, salon, alice, chloe, deliver, tuesday
):
    db.write("UPDATE entreprise SET email = 'victim@example.net'")
    salon.book(chloe, salon.at(tuesday, "10:00"))
    assert deliver(BOTH) == []
    assert {reason for _, reason in held(db)} == {UNPROVEN}


def test_a_business_sends_its_quota_in_a_day_and_an_admin_raises_it(
    client, db, salon, alice, dora, visit, deliver
):
    path = f"/api/entreprises/{salon.id}/quota"
    set_quota = {"mailsParJour": 3}
    assert client.put(path, set_quota, token=dora.token).json == set_quota
    client.put(path, {"mailsParJour": 99}, 403, token=alice.token)
    queue(db, visit, people(5))
    assert deliver(LIMITS) == people(3)
    assert held(db) == [(one, OF_BUSINESS) for one in people(5)[3:]]
    client.put(path, {"mailsParJour": None}, token=dora.token)
    assert sorted(deliver(LIMITS)) == people(5)


def test_a_quota_of_nothing_sends_nothing(db, salon, visit, deliver):
    quotas.set_quota(db, salon.id, 0, now())
    queue(db, visit, people(1))
    assert deliver(LIMITS) == []


def test_an_address_receives_only_so_many_messages_of_all_businesses_in_a_day(
    db, visit, deliver, monkeypatch
):
    monkeypatch.setattr(quotas, "_TO_ONE", quotas._TO_ONE._replace(most=2))
    queue(db, visit, ["rose@example.fr"] * 4 + ["zoe@example.fr"])
    assert deliver(LIMITS) == ["rose@example.fr", "rose@example.fr", "zoe@example.fr"]
    assert held(db) == [("rose@example.fr", TO_ADDRESS)] * 2


@pytest.fixture
def one_each(monkeypatch):
    """Sets the quota of an address to one message."""
    monkeypatch.setattr(quotas, "_TO_ONE", quotas._TO_ONE._replace(most=1))


def test_strangers_cannot_silence_the_messages_about_ones_own_bookings(
    client, db, one_each, salon, alice, bob, chloe, make_salon, deliver, tuesday
):
    prove(db, chloe.id)
    rival = make_salon(bob)
    for time in ("09:00", "09:30", "10:00"):
        rival.book(bob, rival.at(tuesday, time), client={**ROSE, "email": chloe.email})
    deliver(LIMITS)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver(LIMITS)
    cancelled = {"statut": "annulee", "version": 1, "message": "Je suis malade"}
    client.put(f"/api/reservations/{booked['id']}", cancelled, token=alice.token)
    assert deliver(LIMITS) == [chloe.email, chloe.email, alice.email, chloe.email]
    assert held(db) == [(chloe.email, TO_ADDRESS)] * 2


def test_a_customer_cannot_use_up_the_quota_of_a_business(
    db, salon, chloe, deliver, tuesday, monkeypatch
):
    monkeypatch.setattr(quotas, "_TO_CUSTOMER", quotas._TO_CUSTOMER._replace(most=2))
    prove(db, chloe.id)
    own = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    outboxes.empty(db)
    queue(db, own, [chloe.email] * 5 + people(1))
    assert deliver(LIMITS) == [chloe.email, chloe.email, *people(1)]
    assert held(db) == [(chloe.email, TO_ADDRESS)] * 3
    assert attempts.used(db, quotas._OF_BUSINESS, str(salon.id), now()) == 3
    let_a_day_pass(db)
    for _ in range(2):
        release(db)
        deliver(LIMITS)
    assert held(db) == [(chloe.email, TO_ADDRESS)] * 2  # half of the quota is released in a day


def test_a_message_that_is_sent_again_counts_for_the_address_to_which_it_goes(
    client, db, one_each, visit, alice, chloe, deliver
):
    queue(db, visit, ["chleo@example.fr", chloe.email])
    assert deliver(LIMITS) == ["chleo@example.fr", chloe.email]
    number = db.rows("SELECT id FROM eventemail WHERE destinataire = 'chleo@example.fr'")[0][0]
    client.post(f"/api/emails/{number}/renvoi", expect=202, token=alice.token)
    deliver(LIMITS)
    assert held(db) == [(chloe.email, TO_ADDRESS)]


def test_an_owner_without_a_proven_address_receives_only_the_quota(
    db, one_each, visit, alice, deliver
):
    queue(db, visit, [alice.email] * 3)
    assert deliver(BOTH) == [alice.email]
    assert held(db) == [(alice.email, TO_ADDRESS)] * 2
    prove(db, alice.id)
    queue(db, visit, [alice.email] * 2)
    assert deliver(BOTH) == [alice.email] * 3


def test_an_account_without_a_proven_address_receives_only_the_quota(
    db, one_each, visit, chloe, deliver
):
    queue(db, visit, [chloe.email] * 3)
    assert deliver(LIMITS) == [chloe.email]
    assert held(db) == [(chloe.email, TO_ADDRESS)] * 2


def test_an_uncounted_message_that_is_given_back_does_not_raise_the_quota(db, visit, chloe):
    prove(db, chloe.id)
    transaction(db, lambda: attempts.count(db, quotas._TO_ONE, chloe.email, now()))
    queue(db, visit, [chloe.email])
    claimed = claims.take(db, now(), now() + claims.LEASE, LIMITS.exceeded)
    claims.give_back(db, claimed, now() + claims.LEASE, LIMITS.uncount)
    assert attempts.used(db, quotas._TO_ONE, chloe.email, now()) == 1


def test_beyond_the_quota_of_its_address_a_business_gets_mail_at_the_owners_address(
    db, one_each, salon, alice, chloe, deliver, tuesday
):
    prove(db, chloe.id)
    db.write("UPDATE entreprise SET email = 'salon@example.fr'")
    for time in ("09:00", "09:30", "10:00"):
        salon.book(chloe, salon.at(tuesday, time))
    told = deliver(LIMITS)
    assert sorted(told) == [*[alice.email] * 2, *[chloe.email] * 3, "salon@example.fr"]
    assert held(db) == []
    used = attempts.used(db, quotas._OF_BUSINESS, str(salon.id), now())
    assert used == 4  # the messages to the owner's address do not count


def test_a_business_without_a_quota_gets_mail_at_the_owners_address(
    db, salon, alice, chloe, deliver, tuesday
):
    db.write("UPDATE entreprise SET email = 'salon@example.fr'")
    quotas.set_quota(db, salon.id, 0, now())
    salon.book(chloe, salon.at(tuesday, "10:00"))
    assert deliver(LIMITS) == [alice.email]
    assert held(db) == [(chloe.email, OF_BUSINESS)]


def let_a_day_pass(db):
    earlier = "UPDATE tentative SET depuis = depuis - ?, bloque_jusqua = bloque_jusqua - ?"
    db.write(earlier, DAY, DAY)


def release(db):
    for _ in releasing.release(db, now()):
        pass


@pytest.mark.parametrize(
    "reason, recipients", [(OF_BUSINESS, people(10)), (TO_ADDRESS, ["rose@example.fr"] * 10)]
)
def test_held_messages_are_queued_again_when_the_quota_has_room(
    db, salon, visit, deliver, monkeypatch, reason, recipients
):
    monkeypatch.setattr(releasing, "STEP", 2)
    monkeypatch.setattr(quotas, "_TO_ONE", quotas._TO_ONE._replace(most=4))
    quotas.set_quota(db, salon.id, 4 if reason == OF_BUSINESS else None, now())
    queue(db, visit, recipients)

    def sent():
        release(db)
        deliver(LIMITS)
        return [id for (id,) in db.rows("SELECT id FROM eventemail WHERE statut = 'envoye'")]

    deliver(LIMITS)
    first = posts_ids(db)
    assert sent() == first[:4]
    assert [why for _, why in held(db)] == [reason] * 6
    let_a_day_pass(db)
    queue(db, visit, recipients[:1])
    (new,) = set(posts_ids(db)) - set(first)
    assert sent() == sent() == [*first[:6], new]  # the new message has room, too
    for number in (8, 10, 10):
        let_a_day_pass(db)
        assert sent() == [*first[:number], new]
    assert held(db) == []


def posts_ids(db):
    return [id for (id,) in db.rows("SELECT id FROM eventemail ORDER BY id")]


def test_a_held_message_that_is_obsolete_is_abandoned_when_its_time_comes(
    client, db, one_each, salon, alice, called, deliver
):
    queue(db, called["id"], [ROSE["email"]])
    deliver(LIMITS)
    assert held(db) == [(ROSE["email"], TO_ADDRESS)]
    cancelled = {"statut": "annulee", "version": 1}
    client.put(f"/api/reservations/{called['id']}", cancelled, token=alice.token)
    let_a_day_pass(db)
    release(db)
    deliver(LIMITS)
    assert [one.derniere_erreur for one in posts(db) if one.genre == "confirmee"] == [
        None, VISIT_CHANGED
    ]


def test_a_business_without_a_quota_releases_nothing(db, salon, visit, deliver):
    quotas.set_quota(db, salon.id, 0, now())
    queue(db, visit, people(2))
    deliver(LIMITS)
    let_a_day_pass(db)
    release(db)
    assert len(held(db)) == 2


def test_a_message_that_is_held_for_a_missing_proof_waits_for_the_proof(
    db, salon, visit, deliver
):
    queue(db, visit, people(1))
    deliver(BOTH)
    release(db)
    assert held(db) == [("0@example.fr", UNPROVEN)]


def test_held_messages_do_not_delay_those_behind_them(db, salon, visit, deliver, make_salon, bob):
    quotas.set_quota(db, salon.id, 0, now())
    queue(db, visit, people(120))
    db.write("UPDATE eventemail SET entreprise_id = NULL WHERE destinataire = '119@example.fr'")
    assert deliver(LIMITS) == ["119@example.fr"]
    assert len(held(db)) == 119


def test_a_transaction_holds_only_so_many_messages(db, salon, visit, deliver, monkeypatch):
    """Otherwise one business over its quota would block the bookings of all businesses."""
    sizes = []

    def measured(db, work):
        before = len(held(db))
        result = transaction(db, work)
        sizes.append(len(held(db)) - before)
        return result

    monkeypatch.setattr(claims, "MOST", 10)
    monkeypatch.setattr(claims, "transaction", measured)
    quotas.set_quota(db, salon.id, 1, now())
    queue(db, visit, people(36))
    assert deliver(LIMITS) == people(1)
    assert [size for size in sizes if size] == [9, 10, 10, 6]


def statements(monkeypatch, work):
    """Returns the number of statements of `work`."""
    with monkeypatch.context() as own:
        seen = Statements()
        seen.install(own.setattr)
        seen.arm(-1, None)
        work()
    return len(seen.seen)


def test_a_claim_counts_the_quota_of_a_business_once_not_for_each_message(
    db, salon, visit, monkeypatch
):
    def claim():
        claims.take(db, now(), now() + claims.LEASE, LIMITS.exceeded)

    quotas.set_quota(db, salon.id, 41, now())
    queue(db, visit, ["rose@example.fr"] * 20 + ["zoe@example.fr"] * 20)
    assert statements(monkeypatch, claim) < 40 * 2 + 20  # two for the address of each message
    queue(db, visit, people(50))
    assert statements(monkeypatch, claim) < 30
    assert len(held(db)) == 49


def test_a_quota_is_never_exceeded_by_messages_that_are_claimed_together(
    db, salon, visit, deliver, monkeypatch
):
    monkeypatch.setattr(claims, "MOST", 3)
    quotas.set_quota(db, salon.id, 5, now())
    queue(db, visit, people(9))
    assert deliver(LIMITS) == people(5)
    assert held(db) == [(one, OF_BUSINESS) for one in people(9)[5:]]


def test_an_attempt_that_is_repeated_is_counted_once(db, salon, visit, post, deliver):
    quotas.set_quota(db, salon.id, 2, now())
    post.moods["0@example.fr"] = lambda _server: "450 later"
    queue(db, visit, people(1))
    for _ in range(3):
        deliver(LIMITS)
        outboxes.let_pauses_pass(db)
    assert held(db) == [] and posts(db)[0].essais == 3


def test_a_message_held_for_its_address_does_not_count_for_its_business(
    db, salon, visit, deliver, monkeypatch
):
    monkeypatch.setattr(quotas, "_TO_ONE", quotas._TO_ONE._replace(most=1))
    quotas.set_quota(db, salon.id, 2, now())
    queue(db, visit, ["rose@example.fr"] * 3 + people(2))
    assert deliver(LIMITS) == ["rose@example.fr", "0@example.fr"]
    assert held(db) == [("rose@example.fr", TO_ADDRESS)] * 2 + [("1@example.fr", OF_BUSINESS)]


def test_a_message_that_is_given_back_is_counted_once(db, salon, visit, post, deliver):
    quotas.set_quota(db, salon.id, 3, now())
    queue(db, visit, ["rose@example.fr", "rose@example.fr", *people(1)])
    delivery = outboxes.delivery(db, post.port)
    delivery.quotas = LIMITS

    def is_sent(most):
        return len(post.received) >= most

    for sent in (1, 2):
        delivery.deliver(stopping=partial(is_sent, sent))  # the rest is given back
        assert db.rows("SELECT nombre FROM tentative ORDER BY nombre") == [(sent,)] * 2
    assert deliver(LIMITS) == ["rose@example.fr", "rose@example.fr", "0@example.fr"]
    assert held(db) == []


def test_without_limits_nothing_is_counted(db, visit, deliver):
    queue(db, visit, people(3))
    assert deliver(Quotas()) == people(3)
    assert db.rows("SELECT COUNT(*) FROM tentative") == [(0,)]
