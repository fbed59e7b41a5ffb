"""Cancellations, moves and approvals that race each other and bookings."""

import pytest

from reservation.conflicts import SlotTaken
from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Change, Request
from reservation.errors import StaleVersion
from tests import engines
from tests.clock import now
from tests.races import guards
from tests.races.clients import Asking, at_once, statuses
from tests.races.soundness import active, assert_sound, mails, taken, unannounced

CROWD = 6


def booking_of(salon, who, creneau):
    body = {"creneauId": creneau, "prestationId": salon.coupe}
    return Asking("POST", "/api/reservations", who.token, body)


def change_of(who, number, **body):
    return Asking("PUT", f"/api/reservations/{number}", who.token, {"version": 1, **body})


def times_of(salon, day):
    return [one["id"] for one in salon.free(day)]


def place_of(db, number):
    sql = "SELECT creneau_id, version FROM reservation WHERE id = ?"
    return db.rows(sql, number)[0]


def test_a_place_given_back_while_others_want_it_is_taken_once_at_most(
    salon, chloe, bob, port, db, tuesday
):
    creneau = salon.at(tuesday, "10:00")
    holder, number = chloe, salon.book(chloe, creneau)["id"]
    won, rounds = 0, 0
    while rounds < 12 or not won:
        rounds += 1
        assert rounds < 100, "no booking ran at the same time as the cancellation"
        path = f"/api/reservations/{number}"
        cancel = Asking("DELETE", path, holder.token)
        gone, *others = at_once(port, [cancel] + [booking_of(salon, bob, creneau)] * 4)
        assert gone.status == 204
        seen = statuses(others)
        assert set(seen) <= {201, 409} and seen[201] <= 1
        assert active(db, creneau) == taken(db, creneau) == seen[201]
        won += seen[201]
        ids = [one.body["id"] for one in others if one.status == 201]
        holder, number = bob, ids[0] if ids else salon.book(bob, creneau)["id"]
    assert_sound(db)


def test_a_move_and_a_booking_never_get_the_same_place(salon, chloe, bob, port, db, tuesday):
    creneaux = times_of(salon, tuesday)
    for source, target in zip(creneaux[::2], creneaux[1::2], strict=True):
        number = salon.book(chloe, source)["id"]
        moved, booked = at_once(
            port, [change_of(chloe, number, creneauId=target), booking_of(salon, bob, target)]
        )
        assert (moved.status, booked.status) in {(200, 409), (409, 201)}
        # A failed move leaves the booking unchanged.
        assert place_of(db, number) == ((target, 2) if moved.status == 200 else (source, 1))
        assert active(db, target) == taken(db, target) == 1
        assert taken(db, source) == (moved.status == 409)
    assert_sound(db)


def test_two_visits_that_change_places_never_share_one(salon, chloe, bob, port, db, tuesday):
    """Each move wants the other's slot: both are refused, without a deadlock."""
    first, second = times_of(salon, tuesday)[:2]
    one, other = salon.book(chloe, first)["id"], salon.book(bob, second)["id"]
    for _ in range(8):
        answers = at_once(
            port,
            [change_of(chloe, one, creneauId=second), change_of(bob, other, creneauId=first)],
        )
        assert statuses(answers) == {409: 2}
    assert_sound(db)


def test_of_two_moves_of_one_visit_one_wins_and_the_other_is_told(
    salon, chloe, port, db, tuesday
):
    creneaux = times_of(salon, tuesday)
    for source, *targets in zip(creneaux[::3], creneaux[1::3], creneaux[2::3], strict=False):
        number = salon.book(chloe, source)["id"]
        answers = at_once(
            port, [change_of(chloe, number, creneauId=target) for target in targets]
        )
        assert sorted(one.status for one in answers) == [200, 412]
        won = targets[answers[0].status != 200]
        assert place_of(db, number) == (won, 2)
        assert [taken(db, one) for one in (source, *targets)] == [
            0, *(int(target == won) for target in targets)
        ]
        assert mails(db, number) == ["confirmee", "deplacee"]
    assert_sound(db)


def test_of_approvals_at_once_one_is_done_and_one_mail_written(
    make_salon, alice, chloe, port, db, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    for creneau in times_of(salon, tuesday)[:6]:
        number = salon.book(chloe, creneau)["id"]
        answers = at_once(port, [change_of(alice, number, statut="confirmee")] * 2)
        assert sorted(one.status for one in answers) == [200, 412]
        assert mails(db, number) == ["demandee", "approuvee"]
    assert_sound(db)


def test_of_an_approval_and_a_refusal_at_once_one_is_done(
    make_salon, alice, chloe, port, db, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    for creneau in times_of(salon, tuesday)[:6]:
        number = salon.book(chloe, creneau)["id"]
        both = ("confirmee", "refusee")
        answers = at_once(port, [change_of(alice, number, statut=statut) for statut in both])
        assert sorted(one.status for one in answers) == [200, 412]
        won = both[answers[0].status != 200]
        told = {"confirmee": "approuvee", "refusee": "refusee"}[won]
        assert mails(db, number) == ["demandee", told]
        assert taken(db, creneau) == active(db, creneau) == int(won == "confirmee")
    assert_sound(db)


def change_together(url, account, number, changes):
    changes = list(changes)
    return guards.together(
        url, len(changes), lambda db: changing.change(db, account, number, changes.pop(), now())
    )


def kinds(results):
    return sorted(type(one).__name__ for one in results)


@engines.on_mariadb
def test_those_who_all_saw_the_same_version_move_it_once(
    database_url, hall, chloe, account, db, tuesday, monkeypatch
):
    source, *targets = times_of(hall, tuesday)[: CROWD + 1]
    number = hall.book(chloe, source)["id"]
    guards.everyone_looks_first(monkeypatch, CROWD, "_check_change")
    moves = [Change(1, creneau_id=target) for target in targets]
    results = change_together(database_url, account, number, moves)
    assert kinds(results) == ["NoneType"] + [StaleVersion.__name__] * (CROWD - 1)
    assert sum(taken(db, target) for target in targets) == 1
    assert_sound(db)


@engines.on_mariadb
def test_of_two_moves_of_one_visit_to_one_time_the_second_is_told_that_it_changed(
    database_url, salon, chloe, account, db, tuesday, monkeypatch
):
    """The first move of the same booking took the slot, so the error is not SlotTaken."""
    target = salon.at(tuesday, "10:00")  # earlier than the old slot, so locked first
    number = salon.book(chloe, salon.at(tuesday, "15:00"))["id"]
    guards.everyone_looks_first(monkeypatch, 2, "_shift")
    moves = [Change(1, creneau_id=target)] * 2
    results = change_together(database_url, account, number, moves)
    assert kinds(results) == ["NoneType", StaleVersion.__name__]
    assert_sound(db)


def test_negative_control_without_the_version_in_the_condition_it_holds_several_times(
    database_url, hall, chloe, account, db, tuesday, monkeypatch
):
    source, *targets = times_of(hall, tuesday)[: CROWD + 1]
    # Other bookings hold the slot too, so its places can be released more than once.
    number, *_ = [hall.book(chloe, source)["id"] for _ in range(CROWD)]
    guards.without_version(monkeypatch)
    guards.everyone_looks_first(monkeypatch, CROWD, "_check_change")
    moves = [Change(1, creneau_id=target) for target in targets]
    assert change_together(database_url, account, number, moves) == [None] * CROWD
    assert [taken(db, target) for target in targets] == [1] * CROWD
    assert taken(db, source) == 0


def test_negative_control_without_the_version_in_the_condition_each_approval_writes(
    database_url, make_salon, alice, chloe, db, tuesday, monkeypatch
):
    salon = make_salon(alice, validationManuelle=True)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    guards.without_version(monkeypatch)
    guards.everyone_looks_first(monkeypatch, 2, "_check_change")
    owner = booking.Account(alice.id, "company")
    approvals = [Change(1, statut="confirmee")] * 2
    assert change_together(database_url, owner, number, approvals) == [None] * 2
    assert mails(db, number) == ["demandee", "approuvee", "approuvee"]
    assert unannounced(db)


def move_against_booking(url, account, bob, salon, source, target, number):
    """Runs a move and a booking that both saw the target free; returns both results."""
    works = [
        lambda db: changing.change(db, account, number, Change(1, creneau_id=target), now()),
        lambda db: booking.book(
            db, booking.Account(bob.id, "company"), Request(target, salon.coupe), now()
        ),
    ]
    return guards.together(url, 2, lambda db: works.pop()(db))


@engines.on_mariadb
def test_a_move_and_a_booking_that_both_saw_the_place_free_do_not_share_it(
    database_url, salon, chloe, bob, account, db, tuesday, monkeypatch
):
    source, target = salon.at(tuesday, "15:00"), salon.at(tuesday, "10:00")
    number = salon.book(chloe, source)["id"]
    guards.everyone_looks_first(monkeypatch, 2, "_shift")
    results = move_against_booking(
        database_url, account, bob, salon, source, target, number
    )
    assert sum(isinstance(one, SlotTaken) for one in results) == 1
    assert_sound(db)


@pytest.mark.parametrize("database_url", [guards.CHECK], indirect=True)
def test_negative_control_without_both_walls_a_move_and_a_booking_share_a_place(
    database_url, salon, chloe, bob, account, db, tuesday, monkeypatch
):
    source, target = salon.at(tuesday, "15:00"), salon.at(tuesday, "10:00")
    number = salon.book(chloe, source)["id"]
    guards.without_condition(monkeypatch)
    guards.everyone_looks_first(monkeypatch, 2, "_shift")
    move_against_booking(database_url, account, bob, salon, source, target, number)
    assert active(db, target) == 2
