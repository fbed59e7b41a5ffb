"""transaction() is atomic and retries after transient failures."""

import threading
from collections.abc import Callable

import peewee
import pytest

from reservation.errors import DatabaseUnavailable
from reservation.storage import database
from reservation.storage.database import MySQL, connect, forget, transaction, undone_by
from reservation.storage.models import TypeUtilisateur
from tests import engines


@pytest.fixture(autouse=True)
def names_put_back(db):
    yield
    for number, nom in enumerate(("student", "company", "admin"), start=1):
        rename(db, number, nom)


def rename(db, number: int, nom: str) -> None:
    TypeUtilisateur.update(nom=nom).where(TypeUtilisateur.id == number).execute(db)


def names(db) -> list[str]:
    return [nom for (nom,) in db.rows("SELECT nom FROM typeutilisateur ORDER BY id")]


def together(*works: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)


def test_what_work_returns_is_returned(db):
    assert transaction(db, lambda: 42) == 42


def test_a_failure_leaves_nothing_behind(db):
    def work():
        rename(db, 1, "x")
        raise KeyError

    with pytest.raises(KeyError):
        transaction(db, work)
    assert names(db) == ["student", "company", "admin"]


def test_a_refused_row_is_no_passing_failure(db):
    runs = []

    def work():
        runs.append(1)
        rename(db, 1, "admin")

    with pytest.raises(peewee.IntegrityError):
        transaction(db, work)
    assert len(runs) == 1


def test_writers_that_meet_both_get_through(db, database_url):
    """Two writers lock two rows in opposite order: a deadlock on MariaDB, a queue on SQLite."""
    barrier = threading.Barrier(2)
    runs: list[int] = []

    def writer(first: int, second: int) -> None:
        own = connect(database_url)
        met = []

        def work():
            runs.append(first)
            rename(own, first, f"{first} of {first}")
            if not met and isinstance(own, MySQL):
                met.append(barrier.wait(timeout=10))
            rename(own, second, f"{second} of {first}")

        transaction(own, work)
        forget(own)

    together(lambda: writer(1, 2), lambda: writer(2, 1))
    assert names(db)[:2] in (["1 of 1", "2 of 1"], ["1 of 2", "2 of 2"])
    assert len(runs) == (3 if engines.ENGINE == "mariadb" else 2)


def test_negative_control_without_running_again_one_of_them_is_lost(
    db, database_url, monkeypatch
):
    if engines.ENGINE != "mariadb":
        pytest.skip("SQLite's writers queue")
    monkeypatch.setattr(MySQL, "is_passing", lambda *_: False)
    barrier = threading.Barrier(2)
    lost = []

    def writer(first: int, second: int) -> None:
        own = connect(database_url)

        def work():
            rename(own, first, "x%d" % first)
            barrier.wait(timeout=10)
            rename(own, second, "y%d" % first)

        try:
            transaction(own, work)
        except peewee.OperationalError as ex:
            lost.append(ex)
        forget(own)

    together(lambda: writer(1, 2), lambda: writer(2, 1))
    assert len(lost) == 1


@engines.on_mariadb
def test_a_deadlock_within_a_part_of_a_transaction_is_retried(db, database_url):
    both = threading.Barrier(2)
    done = []

    def crossing(first: int, second: int) -> None:
        other = connect(database_url)
        runs = []

        def work() -> None:
            runs.append(1)
            with undone_by(other, KeyError):
                touch(other, first)
                if len(runs) == 1:
                    both.wait(10)
                touch(other, second)

        transaction(other, work)
        done.append(len(runs))
        forget(other)

    together(lambda: crossing(1, 2), lambda: crossing(2, 1))
    assert sorted(done) == [1, 2]


def touch(db, number: int) -> None:
    db.write("UPDATE typeutilisateur SET nom = CONCAT(nom, '+') WHERE id = ?", number)


def test_a_part_that_is_undone_leaves_the_rest_of_the_transaction(db):
    def work() -> None:
        rename(db, 1, "kept")
        for _ in range(2):
            with pytest.raises(KeyError), undone_by(db, KeyError):
                rename(db, 2, "undone")
                raise KeyError
        with undone_by(db, KeyError):
            rename(db, 3, "kept too")

    transaction(db, work)
    assert names(db) == ["kept", "company", "kept too"]


@engines.on_mariadb
def test_what_stays_on_this_machine_is_encrypted_only_where_that_is_asked_for(database_url):
    for url, encrypts in ((database_url, False), (f"{database_url}?ssl_disabled=false", True)):
        db = connect(url)
        assert db.connection().ssl == encrypts
        forget(db)


@engines.on_mariadb
def test_a_connection_lost_between_requests_is_replaced(db, database_url):
    assert names(db)
    engines.kill_connection(db, database_url)
    assert names(db)
    engines.kill_connection(db, database_url)
    assert transaction(db, lambda: names(db))


@engines.on_mariadb
def test_a_connection_lost_within_a_transaction_runs_it_again_whole(db, database_url):
    runs = []

    def work():
        runs.append(1)
        rename(db, 1, "x")
        if len(runs) == 1:
            engines.kill_connection(db, database_url)
        rename(db, 2, "y")

    transaction(db, work)
    assert len(runs) == 2
    assert names(db) == ["x", "y", "admin"]


@engines.on_mariadb
def test_a_connection_lost_at_commit_leaves_it_to_the_caller(db, database_url, monkeypatch):
    """The commit may have succeeded, so a retry might repeat the work."""
    commit, runs = db.commit, []

    def lost_commit():
        engines.kill_connection(db, database_url)
        commit()

    def work():
        runs.append(1)
        rename(db, 1, "x")

    monkeypatch.setattr(db, "commit", lost_commit)
    with pytest.raises(DatabaseUnavailable):
        transaction(db, work)
    monkeypatch.undo()
    assert len(runs) == 1
    assert names(db)[0] in ("student", "x")


def test_a_database_that_stays_busy_is_given_up_after_a_while(db, database_url, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.3)
    holder = connect(database_url)
    runs = []

    def work():
        runs.append(1)
        if isinstance(db, MySQL):
            db.execute_sql("SET SESSION innodb_lock_wait_timeout = 1")
        rename(db, 1, "x")

    if not isinstance(db, MySQL):
        forget(db)
        db._timeout = 0.1
    holder.begin()
    try:
        rename(holder, 1, "held")
        with pytest.raises(DatabaseUnavailable):
            transaction(db, work)
    finally:
        holder.rollback()
        forget(holder)
    assert names(db)[0] == "student"


@engines.on_mariadb
def test_a_server_that_is_not_there_is_given_up_at_once(mariadb):
    db = connect("mysql://root@127.0.0.1:1/nothing")
    with pytest.raises(peewee.OperationalError):
        transaction(db, lambda: None)


@engines.on_mariadb
def test_an_update_that_changes_nothing_counts_its_row_as_on_sqlite(db):
    query = TypeUtilisateur.update(nom="student").where(TypeUtilisateur.id == 1)
    assert query.execute(db) == 1


@engines.on_mariadb
def test_reads_within_a_transaction_see_what_others_committed(db):
    # MySQL has another name for the variable than MariaDB.
    (level,) = {value for _, value in db.rows("SHOW VARIABLES LIKE 't%%_isolation'")}
    assert level == "READ-COMMITTED"
