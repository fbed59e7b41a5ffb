"""The slots of all persons and rooms up to the horizon are limited."""

import pytest

from reservation.domain.calendar import size_limit
from reservation.storage.database import transaction

WEEK = [{"jour": day, "debut": "08:00", "fin": "18:00", "pasMinutes": 30} for day in range(1, 8)]
NIGHT = {"jour": 1, "debut": "22:00", "fin": "02:00", "pasMinutes": 60}


@pytest.fixture
def call(client, salon, alice):
    def call(method, path, body=None, expect=200):
        path = path.format(salon=f"/api/entreprises/{salon.id}")
        return client.call(method, path, body, expect=expect, token=alice.token).json

    return call


@pytest.fixture
def horizon(call):
    """Changes the horizon of the salon: horizon(30)."""

    def horizon(days, expect=200):
        about = call("GET", "{salon}")
        body = {key: about[key] for key in ("nom", "ville", "version")}
        return call("PUT", "{salon}", {**body, "horizonJours": days}, expect)

    return horizon


@pytest.fixture
def filled(call, horizon, monkeypatch, db, salon):
    """Fills the calendar up to the limit: 2 persons, 20 slots a day, 30 days."""
    horizon(30)
    call("PUT", "{salon}/semainetype", WEEK)
    lea = call("POST", "{salon}/ressources", {"nom": "Léa"}, 201)
    monkeypatch.setattr(size_limit, "MOST", 1200)
    assert sum(size_limit.sizes(db, salon.id).values()) == 7 * 1200
    return f"/api/ressources/{lea['id']}"


def refused(call, *asked):
    answer = call(*asked, 400)
    assert (answer["code"], answer["max"]) == ("calendar_too_large", 1200)


LARGER = [{**WEEK[0], "fin": "18:30"}, *WEEK[1:]]


@pytest.mark.parametrize("query", ["", "?essai=1"])
def test_a_week_that_would_fill_the_disk_is_refused(call, filled, query):
    refused(call, "PUT", f"{{salon}}/semainetype{query}", LARGER)
    call("PUT", f"{{salon}}/semainetype{query}", WEEK)
    refused(call, "PUT", f"{filled}/semainetype{query}", {"semaine": LARGER})
    call("PUT", f"{filled}/semainetype{query}", {"semaine": WEEK})


def test_a_horizon_that_would_fill_the_disk_is_refused(horizon, filled):
    assert horizon(31, 400)["code"] == "calendar_too_large"
    horizon(29)
    horizon(30)


def test_a_person_who_would_fill_the_disk_is_refused(call, filled):
    refused(call, "POST", "{salon}/ressources", {"nom": "Zoé"})
    call("DELETE", filled)
    call("POST", "{salon}/ressources", {"nom": "Zoé"}, 201)
    refused(call, "PUT", filled, {"nom": "Léa", "actif": True, "version": 2})


def test_a_calendar_from_before_the_limit_can_be_changed_but_not_enlarged(
    call, horizon, filled, monkeypatch
):
    monkeypatch.setattr(size_limit, "MOST", 1000)
    for query in ("?essai=1", ""):
        call("PUT", f"{{salon}}/semainetype{query}", WEEK)
        assert call("PUT", f"{{salon}}/semainetype{query}", LARGER, 400)["max"] == 1000
        call("PUT", f"{{salon}}/semainetype{query}", WEEK[1:])
        call("POST", f"{{salon}}/evenements{query}",
             {"type": "fermeture", "titre": "x", "debut": "2030-01-01T00:00:00Z",
              "fin": "2030-01-02T00:00:00Z"},
             200 if query else 201)
    assert horizon(40, 400)["code"] == "calendar_too_large"


def test_the_usual_slots_of_a_large_business_are_allowed(call, horizon, db, salon):
    week = [{**one, "debut": "08:00", "fin": "20:00", "pasMinutes": 10} for one in WEEK[:6]]
    horizon(180)
    call("PUT", "{salon}/semainetype", week)
    (size,) = size_limit.sizes(db, salon.id).values()
    assert 100 * size / 7 < size_limit.MOST / 2
    horizon(1)
    call("PUT", "{salon}/semainetype", [*WEEK[1:3], NIGHT])
    assert [*size_limit.sizes(db, salon.id).values()] == [20 + 20 + 4]
    transaction(db, lambda: db.write("UPDATE ressource SET semaine_propre = 1"))
    assert size_limit.sizes(db, salon.id) == {}
