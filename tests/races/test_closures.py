"""The same closure, requested twice at once."""

import pytest

from reservation.domain.budget import Budget
from reservation.domain.planning import absences, businesses, closures, events, ressources
from reservation.domain.planning.absences import Absence
from reservation.storage.models import Evenement
from tests import outboxes
from tests.clock import now
from tests.races import guards

DAY = 86400


@pytest.fixture
def at_once(database_url, monkeypatch):
    """Runs work(db) in two threads, which both reach the transaction before either adds a
    closure."""

    def at_once(work):
        guards.everyone_comes_to(monkeypatch, 2, events, "add")
        return guards.together(database_url, 2, work)

    return at_once


def test_an_absence_closes_once_and_tells_each_customer_once(
    db, salon, chloe, lea, tuesday, at_once
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    outboxes.empty(db)
    absence = Absence(ressources.get(db, lea), now(), now() + 30 * DAY)
    first, second = at_once(
        lambda own: absences.close(own, absence, "Absence", now(), Budget())
    )
    assert first.id == second.id
    assert Evenement.select().count(db) == 1
    assert db.rows("SELECT genre FROM eventemail") == [("fermeture",)]


def test_holidays_are_closed_once(db, salon, at_once):
    salon = businesses.get(db, salon.id)
    missing = closures.missing_holidays(db, salon, 2030, "metropole")
    made = at_once(
        lambda own: closures.close_holidays(own, salon, missing, now(), Budget())
    )
    assert sum(map(len, made)) == Evenement.select().count(db) == len(missing) == 11
