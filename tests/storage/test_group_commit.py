"""On SQLite, the transactions of threads that wait for their turn are committed together. The
failure of one does not affect the others."""

import threading
import time
from types import SimpleNamespace

import peewee
import pytest

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline, gate, group_commit
from reservation.storage.database import forget, transaction
from reservation.storage.group_commit import GroupCommit
from reservation.storage.turn import Turn
from tests import engines
from tests.storage.test_turn import wait_until

pytestmark = engines.on_sqlite


class Writers:
    """Threads that write while another process has the turn. They begin in this order."""

    def __init__(self, db):
        self.db, self.outcomes, self.threads, self.commits = db, {}, [], 0
        self.other = Turn(db.database).by(time.monotonic() + 10)
        db.write("CREATE TABLE done (name TEXT)")

    def __enter__(self):
        self.other.__enter__()
        return self

    def begin(self, name, work=lambda: None, seconds=60.0):
        def write():
            deadline.begin(seconds)
            try:
                self.outcomes[name] = transaction(self.db, lambda: self._noted(name, work))
            except Exception as ex:
                self.outcomes[name] = ex
            forget(self.db)

        group = self.db.commits
        waiting, was_led = len(group._waiting), group._is_led
        self.threads.append(threading.Thread(target=write, daemon=True))
        self.threads[-1].start()
        wait_until(lambda: len(group._waiting) > waiting or not was_led and group._is_led)
        if not was_led:
            wait_until(lambda: not group._waiting)

    def _noted(self, name, work):
        self.db.write("INSERT INTO done VALUES (?)", name)
        work()
        return name

    def __exit__(self, *failure):
        self.go()

    def go(self):
        """Lets the other process end its turn, and waits for all threads."""
        if self.other:
            self.other.__exit__(None, None, None)
            self.other = None
        for thread in self.threads:
            thread.join(timeout=10)

    def done(self):
        return [name for (name,) in self.db.rows("SELECT name FROM done ORDER BY rowid")]


@pytest.fixture
def writers(db, monkeypatch):
    with Writers(db) as some:
        commit = db.commit

        def counted():
            some.commits += 1
            commit()

        monkeypatch.setattr(db, "commit", counted)
        yield some
    db.write("DROP TABLE done")


@pytest.fixture
def pass_time(monkeypatch):
    """Moves the clock of the deadlines: pass_time(30)."""
    passed = []
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + sum(passed))
    monkeypatch.setattr(deadline, "time", clock)
    monkeypatch.setattr(gate, "LOOK", 0.01)
    return passed.append


@pytest.fixture
def first_commit_fails(writers, db, monkeypatch):
    commit, failures = db.commit, [peewee.OperationalError("disk I/O error")]

    def failing():
        if failures:
            raise failures.pop()
        commit()

    monkeypatch.setattr(db, "commit", failing)


def raising(ex):
    def work():
        raise ex

    return work


def test_threads_that_wait_are_committed_together_in_their_order(writers):
    for name in "abcde":
        writers.begin(name)
    writers.go()
    assert writers.outcomes == {name: name for name in "abcde"}
    assert writers.done() == list("abcde")
    assert writers.commits == 1


def test_an_exception_undoes_the_writes_of_its_own_thread_only(writers, db):
    repeated = partial_row(db)
    failures = {"a": KeyError("a"), "c": ValueError("c"), "e": KeyError("e")}
    for name in "abcde":
        writers.begin(name, raising(failures[name]) if name in failures else lambda: None)
    writers.begin("f", repeated)
    writers.go()
    refused = writers.outcomes.pop("f")
    assert isinstance(refused, peewee.IntegrityError)
    assert writers.outcomes == {"b": "b", "d": "d", **failures}
    assert (writers.done(), writers.commits) == (["b", "d"], 1)


def partial_row(db):
    """Returns work that writes one row, and fails with the second row."""

    def work():
        db.write("INSERT INTO done VALUES ('half')")
        db.write("UPDATE typeutilisateur SET nom = 'admin'")

    return work


def test_a_statement_that_fails_is_the_failure_of_its_own_thread_only(writers):
    failure = peewee.OperationalError("disk I/O error")
    for name in "abcd":
        writers.begin(name, raising(failure) if name == "c" else lambda: None)
    writers.go()
    assert writers.outcomes == {"a": "a", "b": "b", "c": failure, "d": "d"}
    assert sorted(writers.done()) == ["a", "b", "d"]


def test_a_full_disk_in_a_group_undoes_it_and_each_thread_does_its_own_work(writers, db):
    """As on a full disk, SQLite itself undoes the whole transaction."""
    failures = [peewee.OperationalError("database or disk is full")]

    def filling():
        if failures:
            db.connection().rollback()
            raise failures.pop()

    writers.begin("a")
    writers.begin("b", filling)
    writers.begin("c")
    writers.go()
    assert writers.outcomes == {name: name for name in "abc"}
    assert sorted(writers.done()) == list("abc")


def test_if_the_common_commit_fails_each_thread_commits_alone(writers, first_commit_fails):
    for name in "abc":
        writers.begin(name)
    writers.go()
    assert writers.outcomes == {name: name for name in "abc"}
    assert sorted(writers.done()) == list("abc")


def test_a_refusal_because_of_writes_that_were_undone_is_forgotten(
    writers, first_commit_fails
):
    refusals = [KeyError("the place is taken")]

    def refused_once():
        if refusals:
            raise refusals.pop()

    writers.begin("a", refused_once)
    writers.begin("b")
    refusals.append(KeyError("the place is taken"))
    writers.begin("c", refused_once)
    writers.go()
    assert writers.outcomes == {name: name for name in "abc"}
    assert sorted(writers.done()) == list("abc")


def test_who_has_waited_too_long_is_refused_and_writes_nothing(writers, pass_time):
    writers.begin("a")
    writers.begin("b", seconds=20)
    writers.begin("c")
    pass_time(30)
    writers.threads[1].join(timeout=10)
    assert isinstance(writers.outcomes["b"], DatabaseUnavailable)
    writers.go()
    assert writers.done() == ["a", "c"]


def test_whose_work_has_begun_in_time_gets_its_result(writers, pass_time):
    def late():
        pass_time(30)
        for _ in range(40):  # the waiting thread looks at its deadline
            time.sleep(0.01)

    writers.begin("a")
    writers.begin("b", late, seconds=20)
    writers.go()
    assert (writers.outcomes, writers.done()) == ({"a": "a", "b": "b"}, ["a", "b"])


def test_a_leader_that_gets_no_turn_leaves_it_to_the_next_thread(writers, pass_time):
    writers.begin("a", seconds=20)
    writers.begin("b")
    pass_time(30)
    writers.threads[0].join(timeout=10)
    assert isinstance(writers.outcomes["a"], DatabaseUnavailable)
    writers.go()
    assert (writers.outcomes["b"], writers.done()) == ("b", ["b"])


def test_a_group_takes_no_more_jobs_after_a_while(writers, monkeypatch):
    monkeypatch.setattr(group_commit, "MOST", 0)
    for name in "abc":
        writers.begin(name)
    writers.go()
    assert (writers.done(), writers.commits) == (list("abc"), 3)


def test_a_thread_alone_needs_no_savepoint(db, monkeypatch):
    monkeypatch.setattr(GroupCommit, "_do", lambda *_: pytest.fail("no other thread waits"))
    assert transaction(db, lambda: 42) == 42


def test_during_a_jam_newcomers_are_refused_at_once(writers, monkeypatch):
    monkeypatch.setattr(gate, "JAM", 0.1)
    writers.begin("a")
    time.sleep(0.2)
    began = time.monotonic()
    with pytest.raises(DatabaseUnavailable):
        transaction(writers.db, lambda: None)
    assert time.monotonic() - began < 3
    writers.go()
    assert transaction(writers.db, lambda: 42) == 42


def test_where_the_lock_files_cannot_be_made_one_thread_writes_at_a_time(db, tmp_path):
    lonely = GroupCommit(db, Turn(str(tmp_path / "nowhere" / "reservation.db")))
    inside: list[int] = []
    most: list[int] = []

    def work():
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()

    def write():
        lonely.run(work, lambda one: one(), time.monotonic() + 10)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert most == [1, 1, 1]
