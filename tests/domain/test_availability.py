"""Free starts: literal days for each rule, and a naive model for the rest."""

from collections.abc import Sequence
from datetime import datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reservation.domain.calendar import performers
from reservation.domain.calendar.availability import (
    BookingWindow,
    Start,
    free_starts,
    refusal_of,
    starts,
)
from reservation.domain.calendar.terms import Visit
from tests.domain import naive
from tests.domain.naive import MINUTE, Asked, Creneau, Rules

PARIS = ZoneInfo("Europe/Paris")
DAY = "2026-06-15"  # a Monday; no clock change near it
FAR = 10**12


def at(wall: str, day: str = DAY) -> int:
    """Returns the instant of a wall time in Paris."""
    return int(datetime.fromisoformat(f"{day}T{wall}+02:00").timestamp())


def clock(instant: int) -> str:
    return f"{datetime.fromtimestamp(instant, PARIS):%H:%M}"


def opening(debut: str, fin: str, pas: int = 30, capacite: int = 1, **others) -> list[Creneau]:
    """Returns the slots of an opening on DAY; the ids follow the time."""
    first, step = at(debut), pas * MINUTE
    return [
        Creneau(start // MINUTE, start, start + step, first, capacite, 0, True, None)._replace(
            **others
        )
        for start in range(first, at(fin) - step + 1, step)
    ]


def changed(creneaux: list[Creneau], *walls: str, **changes) -> list[Creneau]:
    """Returns the slots, with changes to those that start at these times."""
    those = {at(wall) for wall in walls}
    return [one._replace(**changes) if one.debut in those else one for one in creneaux]


def rows_of(creneaux: Sequence[Creneau]) -> list[tuple]:
    """Returns rows as `stored_slots.between` does."""
    return [
        (one.id, one.debut, one.fin, one.ouverture, one.capacite - one.places_prises,
         one.prestation_id, int(one.ouvert))
        for one in creneaux
    ]


def visit_of(asked: Asked) -> Visit:
    prestation = SimpleNamespace(
        id=asked.prestation_id,
        duree_minutes=asked.duree,
        tampon_avant=asked.avant,
        tampon_apres=asked.apres,
        intervalle_minutes=asked.intervalle,
    )
    return Visit.of(prestation, asked.places, performers.of_members([]))


def business(rules: Rules) -> SimpleNamespace:
    return SimpleNamespace(
        fuseau=rules.fuseau,
        actif=rules.actif,
        delai_reservation=rules.delai,
        horizon_jours=rules.horizon,
    )


NO_RULES = Rules()
MIDNIGHT = at("00:00")


def all_of(
    creneaux: Sequence[Creneau], asked: Asked, rules: Rules = NO_RULES, now: int = MIDNIGHT
) -> list[Start]:
    window = BookingWindow.of(business(rules), now)
    return list(starts(rows_of(creneaux), visit_of(asked), window, 0, FAR))


def free(creneaux, asked: Asked, rules: Rules = NO_RULES, now: str = "00:00") -> str:
    """Returns the wall times of the free starts."""
    found = all_of(creneaux, asked, rules, at(now))
    return " ".join(clock(one.debut) for one in found if one.motif is None)


def motifs(creneaux, asked: Asked, rules: Rules = NO_RULES, now: str = "00:00") -> dict:
    return {clock(one.debut): one.motif for one in all_of(creneaux, asked, rules, at(now))}


# Length


def test_a_visit_that_ends_exactly_at_closing_fits():
    assert free(opening("09:00", "11:00"), Asked(None, 60)) == "09:00 09:30 10:00"
    assert free(opening("09:00", "11:00"), Asked(None, 61)) == "09:00 09:30"


def test_a_visit_does_not_go_on_over_a_gap():
    day = opening("09:00", "10:00") + opening("10:05", "11:05")
    assert free(day, Asked(None, 60)) == "09:00 10:05"
    assert motifs(day, Asked(None, 60))["09:30"] == "trop_court"


def test_a_visit_goes_on_from_one_opening_into_one_that_touches_it():
    day = opening("09:00", "10:00") + opening("10:00", "12:00", pas=60, capacite=3)
    assert free(day, Asked(None, 90)) == "09:00 09:30 10:00"


def test_without_a_service_a_visit_is_one_creneau_however_long():
    day = opening("09:00", "10:00") + opening("10:00", "12:00", pas=60)
    found = all_of(day, Asked(None, 0))
    assert [(one.fin - one.debut) // MINUTE for one in found] == [30, 30, 60, 60]


# Places


def test_a_visit_needs_its_places_in_every_creneau_that_it_touches():
    day = changed(opening("09:00", "11:00", capacite=3), "10:00", places_prises=2)
    assert free(day, Asked(None, 60, places=1)) == "09:00 09:30 10:00"
    assert free(day, Asked(None, 60, places=2)) == "09:00"
    assert [one.places_left for one in all_of(day, Asked(None, 60))] == [3, 1, 1, 3]


def test_a_creneau_kept_for_a_service_is_closed_to_the_others():
    day = changed(opening("09:00", "10:30"), "09:30", prestation_id=7)
    assert free(day, Asked(7, 60)) == "09:00 09:30"
    assert motifs(day, Asked(8, 60)) == dict.fromkeys(("09:00", "09:30"), "ferme") | {
        "10:00": "trop_court"
    }
    assert free(day, Asked(None, 0)) == "09:00 09:30 10:00"


# Buffers


def test_buffers_run_past_opening_hours():
    day = opening("09:00", "10:00")
    assert free(day, Asked(None, 60, avant=45, apres=600)) == "09:00"


def test_buffers_run_over_a_closed_creneau_and_one_kept_for_another_service():
    day = changed(opening("09:00", "11:00"), "09:00", ouvert=False)
    day = changed(day, "10:30", prestation_id=7)
    assert free(day, Asked(8, 60, avant=30, apres=30)) == "09:30"


@pytest.mark.parametrize(
    "avant, apres, expected",
    [
        (0, 0, "09:00 09:30 10:30 11:00"),
        (1, 0, "09:00 09:30 11:00"),
        (30, 0, "09:00 09:30 11:00"),
        (31, 0, "09:00 09:30"),
        (0, 1, "09:00 10:30 11:00"),
        (0, 30, "09:00 10:30 11:00"),
        (0, 31, "10:30 11:00"),
    ],
)
def test_a_buffer_needs_a_place_in_every_creneau_that_it_touches(avant, apres, expected):
    day = changed(opening("09:00", "11:30"), "10:00", places_prises=1)
    assert free(day, Asked(None, 30, avant, apres)) == expected


def test_the_buffers_of_two_visits_add_up():
    """10:00 to 10:30 is booked, with buffers of 15 minutes; slots have 15 minutes."""
    day = opening("09:00", "12:00", pas=15)
    day = changed(day, "09:45", "10:00", "10:15", "10:30", places_prises=1)
    found = free(day, Asked(None, 30, avant=15, apres=15)).split()
    assert ("09:00" in found, "09:15" in found) == (True, False)  # two buffers of 15 minutes
    assert ("10:45" in found, "11:00" in found) == (False, True)


def test_a_start_has_as_many_places_left_as_its_buffers():
    day = changed(opening("09:00", "11:30", capacite=3), "10:00", places_prises=2)
    for places in (1, 2):
        asked = Asked(None, 30, avant=15, apres=15, places=places)
        assert [one.places_left for one in all_of(day, asked)] == [3, 1, 1, 1, 3]
    full = changed(day, "10:00", places_prises=3)
    asked = Asked(None, 30, avant=15)
    assert [one.places_left for one in all_of(full, asked)] == [3, 3, 0, 0, 3]


# Interval


def test_starts_are_counted_from_the_opening_and_not_from_the_day():
    morning, afternoon = opening("09:10", "12:10"), opening("14:25", "16:25", pas=20)
    assert free(morning, Asked(None, 30, intervalle=60)) == "09:10 10:10 11:10"
    assert free(afternoon, Asked(None, 20, intervalle=30)) == "14:25 15:25"


def test_a_creneau_between_two_starts_is_not_listed_and_cannot_be_booked():
    day, asked = opening("09:00", "11:00"), Asked(None, 30, intervalle=60)
    assert list(motifs(day, asked)) == ["09:00", "10:00"]
    visit, salon = visit_of(asked), business(Rules())
    assert refusal_of(rows_of(day), visit, at("09:30"), salon, at("00:00")) == "ferme"


# Notice and horizon


def test_a_start_exactly_as_late_as_the_notice_asks_is_offered():
    day, rules = opening("09:00", "11:00"), Rules(delai=60)
    assert free(day, Asked(None, 30), rules, now="08:30") == "09:30 10:00 10:30"
    assert free(day, Asked(None, 30), rules, now="08:31") == "10:00 10:30"
    assert motifs(day, Asked(None, 30), rules, "08:31")["09:30"] == "delai"


def test_without_notice_a_visit_can_start_now():
    day = opening("09:00", "10:30")
    assert free(day, Asked(None, 30), now="09:30") == "09:30 10:00"
    assert motifs(day, Asked(None, 30), now="09:31")["09:30"] == "passe"


def test_the_horizon_ends_with_the_last_local_day():
    night = opening("23:00", "23:59", pas=15)
    after = [one._replace(debut=one.debut + 3600, fin=one.fin + 3600) for one in night]
    last, first = (
        [one._replace(debut=one.debut + days * 86400, fin=one.fin + days * 86400) for one in some]
        for days, some in ((2, night), (2, after))
    )
    found = all_of(last + first, Asked(None, 15), Rules(horizon=2), at("23:50"))
    assert [one.motif for one in found] == [None] * 3 + ["horizon"] * 3


def test_a_visit_may_end_after_the_horizon():
    first = at("22:00")
    night = [
        Creneau(number, start, start + 3600, first, 1, 0, True, None)
        for number, start in enumerate(range(first, first + 5 * 3600, 3600))
    ]
    found = all_of(night, Asked(None, 120), Rules(horizon=1), at("23:59") - 2 * 86400)
    assert [one.motif for one in found] == ["horizon"] * 5
    found = all_of(night, Asked(None, 120), Rules(horizon=1), at("00:00") - 86400)
    assert [one.motif for one in found] == [None, None, "horizon", "horizon", "horizon"]


# The first obstacle in this order is reported:
# passe, delai, horizon, ferme, trop_court, complet.


def obstructed(**changes) -> list[Creneau]:
    """Returns one slot of half an hour, closed, full and too short for a visit of an hour."""
    one = {"ouvert": False, "places_prises": 1, **changes}
    return changed(opening("09:00", "09:30"), "09:00", **one)


@pytest.mark.parametrize(
    "expected, now, changes, duree",
    [
        ("passe", "09:01", {}, 60),
        ("delai", "08:01", {}, 60),
        ("ferme", "08:00", {}, 60),
        ("trop_court", "08:00", {"ouvert": True}, 60),
        ("complet", "08:00", {"ouvert": True}, 30),
        (None, "08:00", {"ouvert": True, "places_prises": 0}, 30),
    ],
)
def test_the_first_obstacle_in_the_documented_order_is_told(expected, now, changes, duree):
    found = motifs(obstructed(**changes), Asked(None, duree), Rules(delai=60), now)
    assert found == {"09:00": expected}


def test_beyond_the_horizon_comes_before_closed_and_after_the_notice():
    early = at("00:00") - 5 * 86400
    found = all_of(obstructed(), Asked(None, 60), Rules(horizon=1), early)
    assert [one.motif for one in found] == ["horizon"]
    rules = Rules(horizon=1, delai=9 * 1440)
    assert [one.motif for one in all_of(obstructed(), Asked(None, 60), rules, early)] == ["delai"]


# All rules together

SERVICES = (None, 7, 8)


@st.composite
def calendars(draw: st.DrawFn) -> list[Creneau]:
    """Draws slots by start from 22:00 on: some touch, some are closed, reserved or taken."""
    rows: list[Creneau] = []
    reached = ouverture = at("22:00")
    for number in range(draw(st.integers(1, 16))):
        gap = draw(st.sampled_from((0, 0, 0, 5, 15, 60)))
        reached += gap * MINUTE
        if gap or draw(st.booleans()):
            ouverture = reached
        fin = reached + draw(st.sampled_from((5, 10, 15, 15, 30, 60))) * MINUTE
        capacite = draw(st.integers(1, 3))
        rows.append(Creneau(
            100 - number, reached, fin, ouverture, capacite,
            draw(st.sampled_from((0, 0, 0, capacite, draw(st.integers(0, capacite))))),
            draw(st.sampled_from((True, True, True, True, False))),
            draw(st.sampled_from((None, None, None, *SERVICES))),
        ))
        reached = fin
    return rows


requests = st.builds(
    Asked,
    prestation_id=st.sampled_from(SERVICES),
    duree=st.sampled_from((0, 1, 5, 15, 20, 30, 45, 60, 120)),
    avant=st.sampled_from((0, 0, 1, 10, 15, 60, 200)),
    apres=st.sampled_from((0, 0, 1, 10, 15, 60, 200)),
    intervalle=st.sampled_from((None, None, 5, 15, 30, 45)),
    places=st.integers(1, 3),
)
businesses = st.builds(
    Rules,
    fuseau=st.sampled_from(("Europe/Paris", "America/New_York", "Asia/Kathmandu")),
    delai=st.sampled_from((0, 0, 1, 45, 600, 1440)),
    horizon=st.sampled_from((1, 2, 90)),
    actif=st.just(True),
)
moments = st.builds(
    lambda ago, seconds: at("22:00") - ago * 5 * MINUTE + seconds,
    st.one_of(st.integers(-60, 12), st.integers(-60, 600)),
    st.sampled_from((0, 0, 1, 59)),
)
thorough = settings(max_examples=250, deadline=None)


def computed(creneaux, asked, rules, now) -> list[tuple]:
    there = naive.by_minute(creneaux)
    return [
        (one.id, one.debut, naive.motif(there, asked, rules, now, one))
        for one in creneaux
        if naive.is_start(one, asked)
    ]


@thorough
@given(calendars(), requests, businesses, moments)
@example(opening("09:00", "10:00"), Asked(None, 60), Rules(delai=60), at("08:00"))
def test_the_starts_agree_with_a_computation_minute_by_minute(creneaux, asked, rules, now):
    found = all_of(creneaux, asked, rules, now)
    assert [(one.id, one.debut, one.motif) for one in found] == (
        computed(creneaux, asked, rules, now)
    )
    there = naive.by_minute(creneaux)
    for one in found:
        assert one.fin - one.debut == (asked.duree or _length(creneaux, one.id)) * MINUTE
        if one.motif in (None, "complet"):
            left = naive.places_left(there, asked, one.debut, one.fin)
            assert one.places_left == left
            assert (left >= asked.places) == (one.motif is None)


def _length(creneaux: list[Creneau], number: int) -> int:
    return next((one.fin - one.debut) // MINUTE for one in creneaux if one.id == number)


@thorough
@given(calendars(), requests, businesses, moments)
def test_a_start_is_refused_for_the_motif_that_is_listed(creneaux, asked, rules, now):
    visit, salon = visit_of(asked), business(rules)
    listed = {one.debut: one.motif for one in all_of(creneaux, asked, rules, now)}
    for one in creneaux:
        expected = listed.get(one.debut, naive.NO_START)
        assert refusal_of(rows_of(creneaux), visit, one.debut, salon, now) == expected


@thorough
@given(calendars(), requests, businesses, moments, st.integers(-30, 600), st.integers(0, 600))
def test_the_free_starts_are_those_without_a_motif_in_the_range(
    creneaux, asked, rules, now, since, length
):
    start = at("22:00") + since * MINUTE
    end = start + length * MINUTE
    rows, visit = rows_of(creneaux), visit_of(asked)
    window = BookingWindow.of(business(rules), now)
    listed = list(starts(rows, visit, window, start, end))
    everything = all_of(creneaux, asked, rules, now)
    assert listed == [one for one in everything if start <= one.debut < end]
    assert list(free_starts(rows, visit, window, start, end)) == [
        one for one in listed if one.motif is None
    ]


def test_a_business_that_is_not_active_offers_nothing():
    day, salon = opening("09:00", "10:00"), business(Rules(actif=False))
    motif = refusal_of(rows_of(day), visit_of(Asked(None, 30)), at("09:00"), salon, at("00:00"))
    assert motif == "ferme"
