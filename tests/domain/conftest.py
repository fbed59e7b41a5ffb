"""What several tests of the domain share."""

import pytest


@pytest.fixture
def change(client):
    """Changes a booking as a person: change(alice, booked, version, statut="confirmee")."""

    def put(by, booked, version, **changes):
        path = f"/api/reservations/{booked['id']}"
        return client.put(path, {"version": version, **changes}, token=by.token).json

    return put
