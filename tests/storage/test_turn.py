"""The processes that write to an SQLite file take turns. The queue of requests."""

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from types import SimpleNamespace

import pytest

from reservation.errors import DatabaseUnavailable
from reservation.http.middleware import Admission
from reservation.storage import deadline, gate, turn
from reservation.storage.database import connect, forget, transaction
from reservation.storage.gate import Gate
from reservation.storage.turn import Turn
from tests import engines

pytestmark = engines.on_sqlite
_WRITING = """
import sys, time
from reservation.storage.database import connect, transaction
url, seconds = sys.argv[1], float(sys.argv[2])
db, done = connect(url), 0
print("begun", flush=True)
until = time.monotonic() + seconds
while time.monotonic() < until:
    transaction(db, lambda: db.write("UPDATE typeutilisateur SET nom = nom WHERE id = 1"))
    done += 1
print(done)
"""


@pytest.fixture
def path(db) -> str:
    return str(db.database)


@pytest.fixture(autouse=True)
def without_deadline():
    yield
    deadline.end()


def soon(seconds=0.2):
    return time.monotonic() + seconds


def writing(url, seconds):
    command = [sys.executable, "-c", _WRITING, url, str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    return process


def test_a_turn_of_another_process_is_waited_for_and_given_up_in_time(path):
    """Two Turn objects exclude each other like two processes, because each opens the file."""
    mine, theirs = Turn(path), Turn(path)
    with mine.by(soon()):
        began = time.monotonic()
        with pytest.raises(DatabaseUnavailable), theirs.by(soon()):
            pass
        assert 0.2 <= time.monotonic() - began < 2
    with theirs.by(soon()):
        pass


def test_negative_control_without_the_files_both_have_it_at_once(path, monkeypatch):
    monkeypatch.setattr(turn, "_lock_in_order", lambda _files, _until: None)
    with Turn(path).by(soon()), Turn(path).by(soon()):
        pass


def test_a_file_that_cannot_be_opened_leaves_no_other_file_open(path):
    os.remove(path + "-turn")
    os.mkdir(path + "-turn")
    before = len(os.listdir("/proc/self/fd"))
    with Turn(path).by(soon()):
        assert len(os.listdir("/proc/self/fd")) == before
    os.rmdir(path + "-turn")


def is_refused(one):
    with suppress(DatabaseUnavailable), one.by(soon()):
        return False
    return True


def test_processes_that_write_without_pause_get_about_as_many_turns(database_url, db):
    both = [writing(database_url, 2) for _ in range(2)]
    few, many = sorted(int(one.communicate(timeout=30)[0]) for one in both)
    assert few > many / 4 > 5


def test_three_processes_write_in_the_order_of_their_arrival(path, monkeypatch):
    """The third process sleeps while the first tries again, but writes before the first."""
    first, second, third, again = (Turn(path) for _ in range(4))
    came, attempts, awake = [], Counter(), threading.Event()

    def sleep(seconds):
        name = threading.current_thread().name
        attempts[name] += 1
        awake.wait(10) if name == "third" else time.sleep(seconds)

    def write(one, name):
        with one.by(soon(10)):
            came.append(name)

    monkeypatch.setattr(turn, "time", SimpleNamespace(sleep=sleep))
    threads = []
    with first.by(soon()):
        for one, name in ((second, "second"), (third, "third"), (again, "first again")):
            threads.append(threading.Thread(target=write, args=(one, name), name=name))
            threads[-1].start()
            wait_until(lambda: attempts[name])  # noqa: B023
    threads[0].join()
    before = attempts["first again"]
    wait_until(lambda: attempts["first again"] > before + 2 or len(came) > 1)
    assert came == ["second"]
    awake.set()
    for thread in threads:
        thread.join()
    assert came == ["second", "third", "first again"]


def wait_until(condition):
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.001)


def test_a_child_process_does_not_share_the_turn_of_its_parent(db):
    """If parent and child shared a file opened before the fork, both would hold the lock."""
    transaction(db, lambda: None)  # opens the files
    read, write = os.pipe()
    with db._turn.by(soon()):
        child = os.fork()
        if not child:
            os.write(write, b"refused" if is_refused(Turn(db.database)) else b"let in")
            os.write(write, b" refused" if is_refused(db._turn) else b" let in")
            os._exit(0)
        os.waitpid(child, 0)
    assert os.read(read, 100) == b"refused refused"
    os.close(read)
    os.close(write)


def test_the_files_belong_to_whom_the_database_belongs_to(path):
    if os.geteuid() != 0:
        pytest.skip("only root makes files for others")
    os.chown(path, 1, 1)
    os.chmod(path, 0o640)
    with Turn(path).by(soon()):
        pass
    for end in turn.FILES:
        os.unlink(path + end)
    with Turn(path).by(soon()):
        pass
    for end in turn.FILES:
        made = os.stat(path + end)
        assert (made.st_uid, made.st_mode & 0o777) == (1, 0o640)


def test_a_write_ends_by_the_deadline_of_its_request(db, database_url):
    holder = connect(database_url)
    holder.begin()
    deadline.begin(0.3)
    began = time.monotonic()
    with pytest.raises(DatabaseUnavailable):
        transaction(db, lambda: None)
    assert time.monotonic() - began < 3
    deadline.end()
    holder.rollback()
    forget(holder)
    transaction(db, lambda: None)


# The queue within a process.


def test_a_place_is_handed_to_who_has_waited_longest():
    one, order = Gate(1), []
    one.enter(soon())

    def wait(number):
        one.enter(soon(10))
        order.append(number)
        one.leave(well=True)

    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(one._waiting) <= number:
            time.sleep(0.001)
    one.leave(well=True)
    for thread in threads:
        thread.join()
    assert order == list(range(5))


def test_in_a_jam_newcomers_are_refused_at_once_and_one_at_a_time_may_try(monkeypatch):
    monkeypatch.setattr(gate, "JAM", 0.1)
    one = Gate(2)
    one.enter(soon())
    one.enter(soon())
    time.sleep(0.2)
    began = time.monotonic()
    with pytest.raises(DatabaseUnavailable):
        one.enter(soon(20))
    assert time.monotonic() - began < 15
    one.leave(well=False)
    with pytest.raises(DatabaseUnavailable):
        one.enter(soon())  # a place is free, but no request has succeeded yet
    one.leave(well=False)
    one.enter(soon())
    with pytest.raises(DatabaseUnavailable):
        one.enter(soon())
    one.leave(well=True)
    one.enter(soon())
    one.enter(soon())


def test_a_request_that_was_slow_ends_a_jam_and_one_that_timed_out_does_not(monkeypatch):
    monkeypatch.setattr(gate, "JAM", 0.05)
    monkeypatch.setattr(Admission, "DEADLINE", 60.0)
    resource = SimpleNamespace(on_get=SimpleNamespace(operation=SimpleNamespace(database=True)))
    admission = Admission(2)

    def request(seconds_ago=0.0):
        req = SimpleNamespace(method="GET", context=SimpleNamespace())
        admission.process_resource(req, None, resource, {})
        req.context.entered -= seconds_ago
        return req

    timed_out, slow = request(Admission.DEADLINE), request(Admission.DEADLINE / 2)
    time.sleep(0.1)
    with pytest.raises(DatabaseUnavailable):
        request()
    admission.process_response(timed_out)
    with pytest.raises(DatabaseUnavailable):
        request()
    admission.process_response(slow)
    request()
    request()


def test_places_that_change_hands_are_no_jam(monkeypatch):
    monkeypatch.setattr(gate, "JAM", 0.1)
    one = Gate(1)
    for _ in range(5):
        one.enter(soon())
        time.sleep(0.05)
        one.leave(well=True)
    one.enter(soon())
