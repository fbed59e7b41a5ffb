"""Conditional deletions while another request changes the row.

The change comes after the version check and before the transaction, so the race is certain.
"""

import time
from datetime import datetime, timedelta

import pytest

from reservation.domain.calendar import calendar
from reservation.domain.planning import businesses, events, replanning, services
from reservation.storage.database import connect, forget
from tests.races import guards
from tests.resources.test_access import Scene

KINDS = {
    "prestation": (services, Scene.prestation),
    "evenement": (replanning, Scene.evenement),
    "reservation": (calendar, Scene.reservation),
}


@pytest.fixture
def before_transaction(monkeypatch, database_url):
    """before_transaction(module, act) runs act(db), on its own connection, just before the
    module's next transaction."""

    def arrange(module, act):
        inner = module.transaction

        def late(db, work):
            monkeypatch.setattr(module, "transaction", inner)
            own = connect(database_url)
            act(own)
            forget(own)
            return inner(db, work)

        monkeypatch.setattr(module, "transaction", late)

    return arrange


@pytest.fixture
def contested(client, salon, chloe, tuesday, db, alice, before_transaction):
    """contested(table, 412) deletes an object that changes after its version was checked.

    Returns the state and the version that remain.
    """

    def delete(table, expect, conditional=True):
        module, make = KINDS[table]
        number = make(Scene(salon, chloe, tuesday, db))
        path = f"/api/{table}s/{number}"
        tag = client.get(path, token=alice.token).headers["ETag"]
        change = f"UPDATE {table} SET version = version + 1 WHERE id = ?"
        before_transaction(module, lambda own: own.write(change, number))
        headers = {"If-Match": tag} if conditional else {}
        client.delete(path, expect, token=alice.token, headers=headers)
        left = client.get(path, expect="*", token=alice.token).json
        return left.get("error") or left.get("statut") or left.get("actif"), left.get("version")

    return delete


@pytest.mark.parametrize(
    ("table", "there"),
    [("prestation", (True, 2)), ("evenement", (None, 2)), ("reservation", ("confirmee", 2))],
)
def test_a_deletion_on_condition_is_refused_when_somebody_was_quicker(contested, table, there):
    assert contested(table, 412) == there


GONE = {"prestation": (False, 3), "evenement": ("Not found", None), "reservation": ("annulee", 3)}


@pytest.mark.parametrize("table", GONE)
def test_a_deletion_without_condition_is_done_when_somebody_was_quicker(contested, table):
    assert contested(table, 204, conditional=False) == GONE[table]


@pytest.mark.parametrize("table", ["prestation", "evenement"])
def test_negative_control_without_the_version_in_the_condition_a_change_is_lost(
    contested, monkeypatch, table
):
    guards.without_version(monkeypatch, table)
    assert contested(table, 204) == GONE[table]


def test_a_closure_that_is_moved_while_it_is_removed_closes_nothing(
    client, salon, alice, tuesday, before_transaction
):
    later = tuesday + timedelta(days=28)
    before = salon.free(tuesday), salon.free(later)
    path = f"/api/entreprises/{salon.id}/evenements"
    body = {
        "type": "fermeture", "titre": "Congés",
        "debut": before[0][0]["debut"], "fin": before[0][-1]["fin"],
    }
    number = client.post(path, body, 201, token=alice.token).json["id"]
    moved = {"type": "fermeture", "titre": "", "description": "", "pas_minutes": None,
             "capacite": None, **{name: seconds(before[1][-1][name]) for name in ("debut", "fin")}}

    def move(own):
        old = events.get(own, number)
        events.update(own, businesses.get(own, salon.id), old, moved, 1, int(time.time()))

    before_transaction(replanning, move)
    client.delete(f"/api/evenements/{number}", token=alice.token)
    assert (salon.free(tuesday), salon.free(later)) == before


def seconds(instant):
    return int(datetime.fromisoformat(instant).timestamp())
