"""A deadlock, lock timeout or lost connection at each statement of each step, and at COMMIT.

After a retry the step is complete, or the step has had no effect at all.
"""

import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import peewee
import pytest

from reservation.domain.booking import booking, changing, invariant
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import calendar
from reservation.domain.customers import records
from reservation.domain.planning import businesses, events, hours
from reservation.errors import DatabaseUnavailable
from reservation.storage.database import UNAVAILABLE
from tests import engines
from tests.clock import now
from tests.races import guards, teams
from tests.races.soundness import active, assert_sound, mails, taken
from tests.races.statements import Statements

NOTHING, DONE = "nothing", "done"


def deadlock(db, _run, _url):
    """Rolls the transaction back and fails, like MariaDB; Galera does so at COMMIT too."""
    db.rollback()
    raise peewee.OperationalError(1213, "Deadlock found when trying to get lock")


def lock_wait(_db, _run, _url):
    raise peewee.OperationalError(1205, "Lock wait timeout exceeded")


def lost_before(db, run, url):
    engines.kill_connection(db, url)
    return run()


def lost_after(db, run, url):
    """Runs the statement and loses only the response."""
    run()
    engines.kill_connection(db, url)
    raise peewee.OperationalError(2013, "Lost connection to MySQL server during query")


def busy(_db, _run, _url):
    inner = sqlite3.OperationalError("database is locked")
    inner.sqlite_errorcode = sqlite3.SQLITE_BUSY
    failure = peewee.OperationalError("database is locked")
    failure.orig = inner
    raise failure


FAULTS = {
    "sqlite": [busy],
    "mariadb": [deadlock, lock_wait, lost_before, lost_after],
}[engines.ENGINE]


class Step:
    """A step that can be repeated on one slot after another, and a check of its outcome."""

    def __init__(self, db, hall, account, creneaux: Iterator[dict[str, Any]]) -> None:
        self.db, self.hall, self.account, self.creneaux = db, hall, account, creneaux
        self.salon = businesses.get(db, hall.id)
        # Creates the customer record now. Otherwise, only the first booking would create it.
        records.of_account(db, hall.id, account.id, 0)

    def book(self, creneau: dict[str, Any]) -> int:
        key = f"key {creneau['id']}"
        request = Request(creneau["id"], self.hall.coupe, cle=key)
        return booking.book(self.db, self.account, request, now())

    def stand(self, creneau: dict[str, Any]) -> tuple[int, int]:
        """Returns the number of bookings that start in the slot and its number of places taken."""
        return active(self.db, creneau["id"]), taken(self.db, creneau["id"])

    def prepare(self) -> None:
        self.creneau = next(self.creneaux)

    def run(self) -> None:
        """Does the step."""

    def seen(self) -> str:
        """Returns NOTHING or DONE; any other value means that the step was done in part."""
        raise AssertionError("each step overrides this method")


class Book(Step):
    def run(self) -> None:
        self.book(self.creneau)

    def seen(self) -> str:
        sql = "SELECT COUNT(*) FROM eventemail m JOIN reservation r ON r.id = m.reservation_id"
        ((told,),) = self.db.rows(sql + " WHERE r.creneau_id = ?", self.creneau["id"])
        halves = {(0, 0, 0): NOTHING, (1, 1, 3): DONE}
        return halves[*self.stand(self.creneau), told]


class Move(Step):
    def prepare(self) -> None:
        self.creneau, self.target = next(self.creneaux), next(self.creneaux)
        self.number = self.book(self.creneau)

    def run(self) -> None:
        change = Change(1, creneau_id=self.target["id"])
        changing.change(self.db, self.account, self.number, change, now())

    def seen(self) -> str:
        left, reached = self.stand(self.creneau), self.stand(self.target)
        halves = {
            ((1, 1), (0, 0), ("confirmee",)): NOTHING,
            ((0, 0), (1, 1), ("confirmee", "deplacee")): DONE,
        }
        return halves[left, reached, tuple(mails(self.db, self.number))]


class Cancel(Step):
    def prepare(self) -> None:
        super().prepare()
        self.number = self.book(self.creneau)

    def run(self) -> None:
        changing.cancel(self.db, self.account, self.number, now())

    def seen(self) -> str:
        halves = {
            ((1, 1), ("confirmee",)): NOTHING,
            ((0, 0), ("confirmee", "annulee")): DONE,
        }
        return halves[self.stand(self.creneau), tuple(mails(self.db, self.number))]


class BookARoom(Step):
    """Books a massage with a person and a room of a team."""

    def prepare(self) -> None:
        # The visit ends at closing time at the latest.
        hours = ("09:00", "10:30", "14:00", "15:30")
        self.creneau = next(one for one in self.creneaux if one["debut"][11:16] in hours)
        if not hasattr(self, "team"):
            self.team = teams.make(self.db, self.hall)

    def run(self) -> None:
        request = Request(self.creneau["id"], self.team.massage, cle=f"key {self.creneau['id']}")
        booking.book(self.db, self.account, request, now())

    def seen(self) -> str:
        sql = "SELECT ressource_id, lieu_id, debut FROM reservation WHERE cle_idempotence = ?"
        found = self.db.rows(sql, f"key {self.creneau['id']}")
        assert invariant.breaches(self.db, self.hall.id) == []
        return DONE if found else NOTHING


class Close(Step):
    """Closes the hour of a free slot and of the booked slot after it."""

    def run(self) -> None:
        values = {
            "type": "fermeture", "titre": "", "description": "", "pas_minutes": None,
            "capacite": None, "debut": self.debut, "fin": self.debut + 1800,
        }
        events.add(self.db, self.salon, values, int(time.time()))

    @property
    def debut(self) -> int:
        sql = "SELECT debut FROM creneau WHERE id = ?"
        return int(self.db.rows(sql, self.creneau["id"])[0][0])

    def prepare(self) -> None:
        super().prepare()
        self.book(self.creneau)

    def seen(self) -> str:
        debut = self.debut
        sql = "SELECT COUNT(*) FROM evenement WHERE debut = ?"
        ((events,),) = self.db.rows(sql, debut)
        sql = "SELECT ouvert FROM creneau WHERE id = ?"
        ((is_open,),) = self.db.rows(sql, self.creneau["id"])
        return {(0, True): NOTHING, (1, False): DONE}[events, bool(is_open)]


class ReplaceTheWeek(Step):
    """Alternates between two slot lengths."""

    pas = 30

    def run(self) -> None:
        rows = [
            {
                "jour": jour, "debut": 540, "fin": 720, "pas_minutes": 90 - self.pas,
                "capacite": 1, "prestation_id": None,
            }
            for jour in range(2, 7)
        ]
        hours.replace(self.db, self.salon, rows, int(time.time()))

    def stored(self) -> tuple[set[int], set[int]]:
        """Returns the slot lengths in minutes, first of the weekly hours, then of the calendar."""
        week = self.db.rows("SELECT DISTINCT pas_minutes FROM semainetype")
        there = self.db.rows(
            "SELECT DISTINCT (fin - debut) / 60 FROM creneau WHERE debut > "
            "(SELECT MIN(debut) + 86400 FROM creneau)"
        )
        return {int(one) for (one,) in week}, {int(one) for (one,) in there}

    def prepare(self) -> None:
        (self.pas,) = self.stored()[0]

    def seen(self) -> str:
        now = self.stored()
        assert now[0] == now[1], "the calendar does not match the weekly hours"
        return NOTHING if now[0] == {self.pas} else DONE


@pytest.fixture
def statements(monkeypatch) -> Statements:
    counted = Statements()
    counted.install(monkeypatch.setattr)
    return counted


@pytest.fixture
def creneaux(hall, tuesday) -> Iterator[dict[str, Any]]:
    """Free slots of the whole horizon, in order."""
    path = f"/api/entreprises/{hall.id}/creneaux?prestation={hall.coupe}"
    return iter(hall.client.get(f"{path}&du={tuesday}&limit=500").json)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kind", [Book, BookARoom, Move, Cancel, Close, ReplaceTheWeek])
def test_a_step_that_fails_at_any_of_its_statements_is_done_whole_or_not_at_all(
    kind, fault, statements, database_url, db, hall, account, creneaux, alice
):
    step = kind(db, hall, account, creneaux)
    at, within = 0, 0
    while True:
        step.prepare()
        statements.arm(at, lambda db, run: fault(db, run, database_url))
        failed = None
        try:
            step.run()
        except (DatabaseUnavailable, *UNAVAILABLE) as ex:
            failed = ex
        statements.disarm()
        if statements.struck is None:
            break
        text, in_transaction = statements.struck
        unknown = text == "COMMIT" and fault in (lost_before, lost_after)
        if in_transaction and not unknown:
            assert failed is None, text  # the transaction was retried
        done = failed is None or text == "COMMIT" and fault is lost_after
        assert step.seen() == (DONE if done else NOTHING), (text, failed)
        if failed is not None and kind is Book:
            step.run()  # the client repeats the request with the same key
            assert step.seen() == DONE
        at, within = at + 1, within + in_transaction
    assert failed is None and step.seen() == DONE
    assert within >= 4, "too few statements were seen in the transaction"
    if kind is not ReplaceTheWeek:
        assert_sound(db)


def test_negative_control_without_a_transaction_half_of_a_booking_stays(
    statements, db, hall, account, creneaux, monkeypatch
):
    guards.without_transactions(monkeypatch, calendar)
    step = Book(db, hall, account, creneaux)
    step.prepare()
    statements.arm(0, None)
    step.run()
    writes = [n for n, (text, _) in enumerate(statements.seen) if "INTO reservation" in text]
    step.prepare()
    statements.arm(writes[0], lambda db, run: lock_wait(db, run, ""))
    with pytest.raises(UNAVAILABLE):
        step.run()
    statements.disarm()
    with pytest.raises(KeyError):
        step.seen()
    assert invariant.breaches(db, hall.id)
