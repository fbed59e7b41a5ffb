"""What a change of the plan reads of the calendar."""

import pytest

from reservation.domain.calendar import reconciling
from reservation.storage.database import transaction
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
