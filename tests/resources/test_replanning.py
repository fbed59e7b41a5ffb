"""What a change of the plan reads of the calendar."""

import pytest

from reservation.domain.calendar import reconciling, stored_plans
from reservation.domain.planning import businesses
from reservation.storage.database import transaction
from tests import teams
from tests.clock import now
from tests.conftest import WEEK
from tests.resources.large import Observer

HOUR, DAY = 3600, 86_400
FAR = 4_000_000_000  # later than any horizon
SLOTS = 4_000  # a person's stored slots after FAR


@pytest.fixture
def observer(monkeypatch):
    return Observer(monkeypatch)


@pytest.fixture
def far_slots(observer, salon, db):
    """Stores free slots, one an hour, as a longer horizon would have left them."""
    insert = (
        "INSERT INTO creneau (ressource_id, debut, fin, ouverture, capacite, capacite_prevue,"
        " places_prises, ouvert) VALUES (?, ?, ?, ?, 1, 1, 0, 1)"
    )
    ((person,),) = db.rows("SELECT id FROM ressource WHERE entreprise_id = ?", salon.id)
    starts = range(FAR, FAR + SLOTS * HOUR, HOUR)
    slots = [(person, at, at + HOUR, at) for at in starts]
    transaction(db, lambda: db.write_many(insert, slots))


def test_the_end_of_the_stored_slots_is_found_without_reading_them(
    observer, far_slots, salon, db
):
    with observer.observing() as seen:
        assert reconciling.end_of_stored(db, salon.id) == FAR + (SLOTS - 1) * HOUR + 1
    assert seen.read < 20


def test_the_plan_of_one_person_is_read_alone(client, alice, salon, db):
    lea, sam = (teams.add(db, salon.id, name) for name in ("Léa", "Sam"))
    event = {
        "type": "ouverture", "titre": "Foire", "debut": "2090-05-01T09:00:00+02:00",
        "fin": "2090-05-01T12:00:00+02:00", "pasMinutes": 30, "capacite": 1,
    }
    for id in (lea, sam):
        body = {"semaine": WEEK[:2]}
        client.put(f"/api/ressources/{id}/semainetype", body, token=alice.token)
    for owner in (None, lea, sam):
        path = f"/api/entreprises/{salon.id}/evenements"
        client.post(path, {**event, "ressourceId": owner}, 201, token=alice.token)
    mine, end = businesses.get(db, salon.id), FAR + 100 * DAY
    every = stored_plans.read(db, mine, now(), end)
    assert len(every[lea].events) == 2
    assert all(stored_plans.read(db, mine, now(), end, id) == {id: every[id]} for id in every)
    week = stored_plans.read_week(db, salon.id, lea)
    events = stored_plans.read_events(db, salon.id, now(), end, ressource_id=lea)
    assert {owner for owner, _ in (*week, *events)} == {None, lea}
