"""Limits on attempts: how long a lock lasts, which attempts count together, what is deleted."""

import pytest

from reservation.domain.people import attempts
from reservation.lib.instants import DAY
from reservation.storage.database import transaction
from reservation.storage.models import Tentative

NOW = 1_900_000_000
LIMIT = attempts.Limit("test", most=3, period=100, shortest=10, longest=60)
LONG = attempts.Limit("test", most=3, period=1000, shortest=10, longest=60)


@pytest.fixture
def count(db):
    def one(now=NOW, about="a", limit=LIMIT):
        return transaction(db, lambda: attempts.count(db, limit, about, now))

    return one


@pytest.mark.parametrize(
    "client, network",
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("", ""),
        ("unix:", ""),
        ("\0", ""),
    ],
)
def test_the_network_of_a_client_is_what_one_customer_has_at_hand(client, network):
    assert attempts.network(client) == network


def test_so_many_attempts_are_counted_and_the_next_one_has_to_wait(db, count):
    assert [count() for _ in range(5)] == [0, 0, 0, 10, 10]
    assert attempts.wait(db, LIMIT, "a", NOW + 9) == 1
    assert attempts.wait(db, LIMIT, "a", NOW + 10) == 0
    assert count(NOW + 10) == 0


def test_each_further_attempt_locks_for_twice_as_long_up_to_the_longest(count):
    now, waits = NOW, []
    for _ in range(2):
        count(now, limit=LONG)
    for _ in range(6):
        assert count(now, limit=LONG) == 0
        waits.append(count(now, limit=LONG))
        now += waits[-1]
    assert waits == [10, 20, 40, 60, 60, 60]


def test_the_attempts_of_a_lockout_are_all_used(db, count):
    limit = attempts.Limit.flat("test", most=3, period=100)
    for then in (NOW, NOW + 90):
        count(then, limit=limit)
    assert attempts.used(db, limit, "a", NOW + 99) == 2
    assert attempts.used(db, limit, "a", NOW + 100) == 0
    count(NOW + 99, limit=limit)
    assert attempts.used(db, limit, "a", NOW + 198) == 3
    assert attempts.used(db, limit, "a", NOW + 199) == 0


def test_after_the_period_the_count_starts_anew(count):
    assert [count(NOW + 10 * number) for number in (0, 1, 10, 11, 12)] == [0] * 5
    assert count(NOW + 120) == 10


def test_attempts_of_another_purpose_or_about_something_else_are_counted_apart(db, count):
    for _ in range(3):
        count()
    assert count(about="b") == 0
    other = attempts.Limit("other", most=3, period=100, shortest=10, longest=60)
    assert attempts.wait(db, other, "a", NOW) is None


def test_what_is_forgotten_is_counted_from_the_first_attempt_on(db, count):
    for _ in range(3):
        count()
    attempts.forget(db, LIMIT, "a")
    assert attempts.wait(db, LIMIT, "a", NOW) is None
    assert [count() for _ in range(4)] == [0, 0, 0, 10]


def test_what_was_counted_under_a_clock_that_was_wrong_does_not_lock(db, count):
    for _ in range(3):
        count(NOW + 10_000_000)
    assert attempts.wait(db, LIMIT, "a", NOW) == 0
    assert [count() for _ in range(4)] == [0, 0, 0, 10]


@pytest.mark.parametrize("late", [1, attempts.SKEW])
def test_a_lock_holds_for_a_request_whose_clock_is_a_little_late(db, count, late):
    """Of two requests at once, the one that began earlier may come second."""
    always = attempts.Limit("test", most=3, period=100, shortest=60, longest=60)
    for _ in range(3):
        count(limit=always)
    assert attempts.wait(db, always, "a", NOW - late) == 60
    assert count(NOW - late, limit=always) == 60
    assert attempts.wait(db, always, "a", NOW - attempts.SKEW - 1) == 0


def test_nothing_of_an_address_is_stored(db, count):
    count(about=attempts.pair("chloe@example.fr", "192.0.2.7"))
    row = Tentative.select().dicts().get(db)
    assert len(row["cle"]) == 64
    assert [v for v in map(str, row.values()) if "chloe" in v or "192.0" in v] == []


def test_counts_older_than_a_day_are_deleted_in_batches_and_locks_are_kept(
    db, count, monkeypatch
):
    monkeypatch.setattr(attempts, "BATCH", 2)
    old, young = [f"o{n}" for n in range(5)], ["y1", "y2"]
    for about in old:
        count(NOW - DAY, about)
    for about in young:
        count(NOW - DAY + 1, about)
    count(NOW + 2 * DAY, "ahead")
    for about, until in (("locked", NOW + 1), ("lock of a wrong clock", NOW + 10_000_000)):
        count(NOW - DAY, about)
        key = Tentative.cle == LIMIT.key(about)
        Tentative.update(bloque_jusqua=until).where(key).execute(db)
    list(attempts.purge(db, NOW))
    left = {cle for (cle,) in db.rows("SELECT cle FROM tentative")}
    assert left == {LIMIT.key(about) for about in (*young, "locked")}


def test_a_worker_that_is_told_to_end_deletes_no_more(db, count):
    count(NOW - DAY)
    next(attempts.purge(db, NOW))
    assert Tentative.select().count(db) == 1
