"""`essai=1`: what a change of the plan would do, without doing it."""

from datetime import timedelta

import pytest

from reservation.lib.holidays import public_holidays
from reservation.storage.models import MODELS
from tests import outboxes
from tests.conftest import HOUR_A_DAY

MORNING = {"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 15}


def everything(db):
    return {model.__name__: sorted(model.select().tuples().execute(db)) for model in MODELS}


@pytest.fixture
def call(client, alice, salon):
    """Returns a function that calls a path of the salon as Alice."""

    def call(method, path, body, expect=200, **how):
        path = path.format(salon=f"/api/entreprises/{salon.id}")
        return client.call(method, path, body, expect=expect, token=alice.token, **how)

    return call


@pytest.fixture
def closure(tuesday):
    return {
        "type": "fermeture", "titre": "Travaux", "debut": f"{tuesday}T00:00:00+01:00",
        "fin": f"{tuesday}T23:00:00+01:00",
    }


@pytest.fixture
def opening(call, tuesday):
    """Returns the id of an extra opening on the Sunday before, and a body that moves it."""
    sunday = tuesday - timedelta(days=2)
    extra = {
        "type": "ouverture", "titre": "Dimanche", "debut": f"{sunday}T10:00:00+00:00",
        "fin": f"{sunday}T12:00:00+00:00", "pasMinutes": 30, "capacite": 1,
    }
    number = call("POST", "{salon}/evenements", extra, 201).json["id"]
    return number, {**extra, "fin": f"{sunday}T11:00:00+00:00"}


def left_out(shown):
    return {k: v for k, v in shown.items() if k not in ("id", "entrepriseId", "version")}


def test_a_week_is_tried(call, salon, visit, db):
    before = everything(db)
    week = [{**MORNING, "fin": "10:00"}]
    tried = call("PUT", "{salon}/semainetype?essai=1", week)
    stays = {"If-Match": tried.headers["ETag"]}
    assert everything(db) == before
    assert [one["id"] for one in tried.json["reservationsTouchees"]] == [visit]
    assert min(tried.json["creneaux"].values()) > 0
    done = call("PUT", "{salon}/semainetype?essai=0", week, headers=stays)
    assert done.json == tried.json
    assert everything(db) != before


def test_an_event_is_tried_and_nobody_is_written_to(call, visit, closure, db):
    before = everything(db)
    tried = call("POST", "{salon}/evenements?essai=1", closure)
    assert "Location" not in tried.headers
    assert everything(db) == before
    assert [one["id"] for one in tried.json["reservationsTouchees"]] == [visit]
    done = call("POST", "{salon}/evenements", closure, 201)
    assert left_out(done.json) == tried.json
    assert [one.genre for one in outboxes.posts(db)] == ["fermeture"]


def test_the_change_of_an_event_is_tried(call, salon, opening, chloe, tuesday, db):
    number, moved = opening
    salon.book(chloe, salon.free(tuesday - timedelta(days=2))[-1]["id"])
    path, before = f"/api/evenements/{number}", everything(db)
    tried = call("PUT", f"{path}?essai=1", moved)
    assert (tried.json["version"], tried.headers["ETag"]) == (1, '"v1"')
    assert everything(db) == before
    assert len(tried.json["reservationsTouchees"]) == tried.json["creneaux"]["supprimes"] == 1
    done = call("PUT", path, {**moved, "version": tried.json["version"]})
    assert done.json == {**tried.json, "version": 2}


def test_the_holidays_of_a_year_are_tried(call, make_salon, alice, chloe, client, tuesday, db):
    year = tuesday.year + 1
    open_day = next(day for day in public_holidays(year) if day.isoweekday() in range(2, 7))
    salon = make_salon(alice, week=HOUR_A_DAY, horizonJours=730)
    booked = salon.book(chloe, salon.at(open_day, "10:00"))["id"]
    path, body = f"/api/entreprises/{salon.id}/evenements/feries", {"annee": year}
    before = everything(db)
    tried = call("POST", f"{path}?essai=1", body).json
    assert everything(db) == before
    assert {one["debut"][:10] for one in tried} == set(map(str, public_holidays(year)))
    touched = [one["id"] for closed in tried for one in closed["reservationsTouchees"]]
    assert touched == [booked]
    done = call("POST", path, body, 201).json
    assert list(map(left_out, done)) == tried
    assert call("POST", f"{path}?essai=1", body).json == []


def test_what_is_refused_is_refused_as_a_trial_too(call, closure, opening, db):
    number, moved = opening
    before = everything(db)
    call("PUT", "{salon}/semainetype?essai=1", [MORNING, MORNING], 400)
    call("PUT", "{salon}/semainetype?essai=1", [], 412, headers={"If-Match": '"v99"'})
    call("POST", "{salon}/evenements?essai=1", {**closure, "fin": closure["debut"]}, 400)
    call("PUT", f"/api/evenements/{number}?essai=1", {**moved, "version": 99}, 412)
    call("POST", "{salon}/evenements/feries?essai=1", {"annee": 1}, 400)
    champs = call("POST", "{salon}/evenements?essai=oui", closure, 400).json["champs"]
    assert set(champs) == {"essai"}
    assert everything(db) == before


def test_a_trial_is_for_the_owner(client, salon, bob, closure):
    path = f"/api/entreprises/{salon.id}"
    for method, noun, body in (
        ("PUT", "semainetype", []), ("POST", "evenements", closure),
        ("POST", "evenements/feries", {"annee": 2030}),
    ):
        client.call(method, f"{path}/{noun}?essai=1", body, expect=403, token=bob.token)
