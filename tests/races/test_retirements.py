"""Two persons who retire at once."""

import pytest

from reservation.conflicts import LastPerson
from reservation.domain.people.sessions import Account
from reservation.domain.planning import ressources, retiring, team
from tests import engines
from tests.clock import now
from tests.races import guards

ACTIVE = "SELECT COUNT(*) FROM ressource WHERE actif = 1"


@pytest.fixture
def at_once(database_url, client, db, salon, alice):
    """Retires both persons of the salon at once. Returns how many succeed."""
    path = f"/api/entreprises/{salon.id}/ressources"
    client.post(path, {"nom": "Léa"}, 201, token=alice.token)
    owner, numbers = Account(alice.id, "company"), [one["id"] for one in client.get(path).json]

    def at_once():
        persons = iter([ressources.get(db, number) for number in numbers])
        results = guards.together(
            database_url, 2,
            lambda own: retiring.retire(own, owner, next(persons), None, None, now()),
        )
        return len([one for one in results if not isinstance(one, LastPerson)])

    return at_once


def test_of_two_persons_who_retire_at_once_one_stays(at_once, db):
    assert at_once() == 1
    assert db.rows(ACTIVE) == [(1,)]


@engines.on_mariadb  # SQLite has one writer at a time
def test_negative_control_without_the_lock_nobody_stays(at_once, db, monkeypatch):
    guards.without_locks(monkeypatch)
    guards.everyone_comes_to(monkeypatch, 2, team, "check_team", done=True)
    assert at_once() == 2
    assert db.rows(ACTIVE) == [(0,)]
