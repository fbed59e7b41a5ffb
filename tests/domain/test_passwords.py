"""Common passwords, and the lane that limits concurrent hashing."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import bcrypt
import pytest

from reservation.domain.lanes import Lane
from reservation.domain.people import passwords
from reservation.errors import Overloaded


class Crowd:
    """Callers of a lane. Each caller keeps its place until `leave` is set."""

    def __init__(self, lane):
        self.lane, self.leave = lane, threading.Event()
        self.inside, self.most, self._lock = 0, 0, threading.Lock()

    def enter(self, _number=0):
        try:
            with self.lane.place():
                with self._lock:
                    self.inside += 1
                    self.most = max(self.most, self.inside)
                self.leave.wait(timeout=20)
                with self._lock:
                    self.inside -= 1
        except Overloaded:
            return "refused"
        return "done"


@pytest.mark.parametrize("places, waiting", [(1, 0), (1, 2), (2, 2), (4, 1)])
def test_so_many_are_inside_at_once_a_few_wait_and_the_others_are_refused(places, waiting):
    crowd = Crowd(Lane(places, waiting, patience=20))
    with ThreadPoolExecutor(12) as threads:
        asked = [threads.submit(crowd.enter) for _ in range(12)]
        refused = 12 - places - waiting
        while sum(one.done() for one in asked) < refused:
            threading.Event().wait(0.01)
        crowd.leave.set()
        answers = [one.result() for one in asked]
    assert answers.count("refused") == refused
    assert crowd.most == places


def test_who_waited_too_long_is_refused_and_leaves_room_for_another():
    crowd = Crowd(Lane(1, waiting=1, patience=0.05))
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(crowd.enter)
        while not crowd.inside:
            threading.Event().wait(0.01)
        began = time.monotonic()
        assert [crowd.enter() for _ in range(3)] == ["refused"] * 3
        assert time.monotonic() - began < 5
        crowd.leave.set()
        assert first.result() == "done"
    assert crowd.enter() == "done"


def test_a_failure_inside_leaves_the_place_to_others():
    lane = Lane(1, waiting=0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), lane.place():
            raise ZeroDivisionError
    with lane.place():
        """Somebody gets in."""


@pytest.mark.parametrize(
    "work",
    [lambda: passwords.hashed("un mot", 4), lambda: passwords.is_right("un mot", None, 4)],
    ids=["hash", "check"],
)
def test_hashing_and_checking_take_a_place(monkeypatch, work):
    work()
    monkeypatch.setattr(passwords, "lane", Lane(0, waiting=0))
    with pytest.raises(Overloaded):
        work()


@pytest.mark.parametrize("password", ["12345678", "password", "PassWord1", "qwertyuiop"])
def test_what_everybody_tries_first_is_common_in_any_case(password):
    assert passwords.is_common(password)


@pytest.mark.parametrize("password", ["", "\n", "un bon mot de passe", "passwords!"])
def test_another_password_is_not_common(password):
    assert not passwords.is_common(password)


def test_a_wrong_password_takes_as_long_for_a_hash_of_fewer_rounds(monkeypatch):
    stored, rounds, check = passwords.hashed("un mot", 4), [], bcrypt.checkpw

    def counting(password, against):
        rounds.append(int(against[4:6]))
        return check(password, against)

    monkeypatch.setattr(bcrypt, "checkpw", counting)
    assert not passwords.is_right("un autre", stored, 7)
    assert sum(2**one for one in rounds) == 2**7
    rounds.clear()
    assert passwords.is_right("un mot", stored, 7)
    assert rounds == [4]


def test_a_password_is_compared_with_a_hash_of_the_same_rounds_where_none_is_stored(
    monkeypatch
):
    """So that a login takes the same time with an unknown address as with a known address."""
    inner, compared = bcrypt.checkpw, []

    def checkpw(password, stored):
        compared.append(stored[:7])
        return inner(password, stored)

    monkeypatch.setattr(bcrypt, "checkpw", checkpw)
    stored = passwords.hashed("un mot", 5)
    for password, hash_ in (("un mot", stored), ("un mot", None), ("x" * 73, stored)):
        passwords.is_right(password, hash_, 5)
    assert compared == [b"$2b$05$"] * 3


@pytest.mark.parametrize("stored", ["", "x", "$2b$04$", "$2b$04$" + "é" * 53, "un mot"])
def test_a_stored_hash_that_is_none_is_no_password(stored):
    assert not passwords.is_right("un mot", stored, 4)
