"""Conditional changes and deletions while another request changes the row.

The change comes after the version check and before the transaction, so the race is certain.
"""

import time
from datetime import datetime, timedelta

import pytest

from reservation.domain.calendar import calendar
from reservation.domain.customers import file
from reservation.domain.planning import businesses, events, photos, replanning, services
from reservation.errors import StaleVersion
from reservation.storage import deadline
from reservation.storage.database import connect, forget
from tests.races import guards
from tests.resources.test_access import ENTREPRISE, EVENEMENT, PRESTATION, RESSOURCE, Scene

KINDS = {
    "prestation": (services, Scene.prestation),
    "evenement": (replanning, Scene.evenement),
    "reservation": (calendar, Scene.reservation),
}
CHANGES = {
    "client": (file, Scene.client, {"nom": "Petit", "telephone": "06"}),
    "entreprise": (replanning, Scene.entreprise, ENTREPRISE),
    "evenement": (replanning, Scene.evenement, EVENEMENT),
    "photo": (photos, Scene.photo, {"texte": "", "ordre": 0}),
    "prestation": (services, Scene.prestation, PRESTATION),
    "ressource": (replanning, Scene.ressource, RESSOURCE),
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


@pytest.mark.parametrize("match, by_body, expect", [
    ("", False, 200), ("*", False, 200), ('"v{}"', False, 412), ("", True, 412),
])
@pytest.mark.parametrize("table", CHANGES)
def test_a_change_without_condition_is_made_when_somebody_was_quicker(
    client, salon, chloe, tuesday, db, alice, before_transaction, table, match, by_body, expect
):
    module, make, body = CHANGES[table]
    number = make(Scene(salon, chloe, tuesday, db))
    sql = f"SELECT version FROM {table} WHERE id = ?"
    seen = db.rows(sql, number)[0][0]
    change = f"UPDATE {table} SET version = version + 1 WHERE id = ?"
    before_transaction(module, lambda own: own.write(change, number))
    headers = {"If-Match": match.format(seen)} if match else {}
    body = body | ({"version": seen} if by_body else {})
    client.put(f"/api/{table}s/{number}", body, expect, token=alice.token, headers=headers)
    assert db.rows(sql, number) == [(seen + (2 if expect == 200 else 1),)]


def test_a_change_without_condition_gives_up_when_others_are_always_quicker(
    client, salon, chloe, tuesday, db, alice, monkeypatch
):
    def update(*_args):
        raise StaleVersion()

    number = Scene(salon, chloe, tuesday, db).client()
    monkeypatch.setattr(file, "update", update)
    monkeypatch.setattr(deadline, "passed", lambda _until: True)
    refused = client.put(f"/api/clients/{number}", CHANGES["client"][2], 503, token=alice.token)
    assert refused.json["code"] == "database_unavailable"


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
