"""Negative controls: the same races with a guard removed.

A race test proves something only if the race is lost without the guard. Chance does not lose
a race reliably, so `everyone_looks_first` forces the worst interleaving.
"""

import re
import threading
from collections.abc import Callable
from typing import Any

import peewee
import pytest

from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Request
from reservation.domain.calendar import calendar, reconciling, stored_slots, terms
from reservation.domain.customers import records
from reservation.domain.people.sessions import Account
from reservation.domain.planning import replanning
from reservation.storage import definitions
from reservation.storage.connecting import files
from reservation.storage.database import Database, MySQL, connect, forget, transaction
from tests import engines
from tests.clock import now
from tests.conftest import Salon

CROWD = 12  # threads that book at once

# Lines of schema.sql. `parametrize("database_url", [ONE_OF_THEM], indirect=True)` creates the
# database of a test without that line.
CHECK = "CONSTRAINT creneau_places_prises_check CHECK (places_prises BETWEEN 0 AND capacite),"
ONE_KEY = "CONSTRAINT reservation_demandeur_cle UNIQUE (demandeur_id, cle_idempotence),"
ONE_EMAIL = "CONSTRAINT utilisateur_email UNIQUE (email),"
ONE_ATTEMPT = "CONSTRAINT tentative_cle UNIQUE (cle),"
ONE_START = "CONSTRAINT creneau_ressource_debut UNIQUE (ressource_id, debut),"


def without_line(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Removes a line of the schema from each table that has the line."""
    statements = definitions.statements()
    assert any(line in statement for statement in statements)
    rest = [statement.replace(line, "") for statement in statements]
    monkeypatch.setattr(definitions, "statements", lambda: rest)


def without_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the UPDATE that takes places succeed when too few places are free."""
    text = "places_prises + ? <= capacite"
    assert text in stored_slots._TAKE
    loose = stored_slots._TAKE.replace(text, "places_prises + ? > 0")
    monkeypatch.setattr(stored_slots, "_TAKE", loose)


def without_version(monkeypatch: pytest.MonkeyPatch, table: str = "reservation") -> None:
    """Lets an UPDATE or DELETE succeed when the row has changed since the row was read."""
    execute_sql = peewee.Database.execute_sql

    def loose(self: Any, sql: str, params: Any = None) -> Any:
        if re.match(f"(UPDATE|DELETE FROM) .{table}.", sql):
            sql, done = re.subn(r"(\S+version. = (?:\?|%s))\)\)?$", r"\1 OR 1 = 1))", sql)
            assert done == 1, sql
        return execute_sql(self, sql, params)

    monkeypatch.setattr(peewee.Database, "execute_sql", loose)


def without_transactions(monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
    """Makes every statement its own transaction."""
    monkeypatch.setattr(module, "transaction", lambda _db, work: work())


def wait_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a statement on SQLite wait longer for the lock of the file, because statements without
    a transaction have no queue."""
    monkeypatch.setattr(files, "BUSY", 30.0)


def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets calendar changes and bookings run without locks against each other.

    On MariaDB foreign keys also lock the business, so foreign keys are not checked either.
    """
    if engines.ENGINE == "sqlite":
        for module in (calendar, replanning):
            without_transactions(monkeypatch, module)
        wait_longer(monkeypatch)
    else:
        monkeypatch.setattr(MySQL, "FOR_UPDATE", "")
        monkeypatch.setattr(MySQL, "FOR_SHARE", "")
        monkeypatch.setattr(MySQL, "for_update", False)
        monkeypatch.setattr(terms, "_TOUCH", terms._TOUCH + " AND 1 = 0")
        connected = MySQL._initialize_connection

        def careless(self: Any, connection: Any) -> None:
            connected(self, connection)
            with connection.cursor() as cursor:
                cursor.execute("SET SESSION foreign_key_checks = 0")

        monkeypatch.setattr(MySQL, "_initialize_connection", careless)


def everyone_comes_to(
    monkeypatch: pytest.MonkeyPatch, people: int, module: Any, step: str, done: bool = False
) -> None:
    """Stops each thread at its first `step` until all threads have reached the step. With `done`,
    stops each thread after its first `step` until all threads have done the step."""
    barrier, been = threading.Barrier(people), threading.local()
    inner = getattr(module, step)

    def wait(*args: Any, **how: Any) -> Any:
        result = inner(*args, **how) if done else None
        if not hasattr(been, "here"):
            been.here = barrier.wait(timeout=10)
        return result if done else inner(*args, **how)

    monkeypatch.setattr(module, step, wait)


def everyone_looks_first(monkeypatch: pytest.MonkeyPatch, people: int, step: str) -> None:
    """Does the same for a step within a transaction that books or changes.

    On SQLite the transaction is also a guard, because no other transaction can run. So on
    SQLite transactions are removed too.
    """
    if engines.ENGINE == "sqlite":
        without_transactions(monkeypatch, calendar)
        wait_longer(monkeypatch)
    (of_step,) = (one for one in (stored_slots, booking, changing) if hasattr(one, step))
    everyone_comes_to(monkeypatch, people, of_step, step)


def together(url: str, people: int, work: Callable[[Database], Any]) -> list[Any]:
    """Runs work(db) in parallel threads; returns what each thread returned or raised."""
    results: list[Any] = []
    barrier = threading.Barrier(people)

    def run() -> None:
        own = connect(url)
        own.rows("SELECT 1")
        barrier.wait(timeout=10)
        try:
            results.append(work(own))
        except Exception as ex:
            results.append(ex)
        finally:
            forget(own)

    threads = [threading.Thread(target=run) for _ in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(results) == people, "a thread did not end"
    return results


def rush(
    url: str, account: Account, salon: Salon, creneau: int, prestation: int, people: int = CROWD
) -> list[Any]:
    """Books in parallel, without a preference; returns what each thread returned or raised."""
    own = connect(url)  # makes the customer's record, for which the threads would wait
    transaction(own, lambda: records.of_account(own, salon.id, account.id, 0))
    forget(own)
    request = Request(creneau, prestation)
    return together(url, people, lambda db: booking.book(db, account, request, now()))


def sold(results: list[Any]) -> list[int]:
    """Returns the ids of the bookings that succeeded."""
    return [one for one in results if isinstance(one, int)]


def amid_a_change(monkeypatch: Any, work: Callable[[], None]) -> list[threading.Thread]:
    """Runs `work` in a thread during the next change of a calendar: after the change has read the
    booked slots, and before it writes. Returns a list, to which the thread is then added."""
    inner, started = reconciling.difference, []

    def difference(*args: Any) -> Any:
        found = inner(*args)
        if not started:
            started.append(threading.Thread(target=work))
            started[0].start()
            started[0].join(timeout=0.5)  # with the guards, `work` waits for the change
        return found

    monkeypatch.setattr(reconciling, "difference", difference)
    return started
