"""Planned slots: literal times for known edge cases, and a naive model for the rest."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from reservation.domain.calendar import stored_plans
from reservation.domain.calendar.plans import LONGEST_HOURS, REACH, Plan, PlannedSlot
from reservation.domain.calendar.timetable import (
    WEEK,
    Event,
    Opening,
    outside,
    overlapping,
    within,
)
from reservation.domain.planning import events
from tests.domain.naive_timetable import closed_minutes, computed, events_of, walk

MINUTE, DAY = 60, 86400
PARIS, LORD_HOWE = ZoneInfo("Europe/Paris"), ZoneInfo("Australia/Lord_Howe")
FULL_WEEK = [Opening(jour, 0, 1440, 60, 1, None) for jour in range(1, 8)]
MONDAY = "2026-06-15"  # no clock change near it


def midnight(day: str, zone: ZoneInfo = PARIS) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=zone).timestamp())


def at(wall: str) -> int:
    """Returns the instant of a wall time of Monday 15 June 2026 in Paris."""
    if wall == "24:00":
        return at("00:00") + DAY
    return int(datetime.fromisoformat(f"{MONDAY}T{wall}+02:00").timestamp())


def slots(week, events, zone, start: int, end: int, kept: Sequence = ()) -> list[PlannedSlot]:
    return Plan(week, events, zone).slots(start, end, kept)


def on(day: str, *week: Opening, days: int = 1, zone: ZoneInfo = PARIS) -> list[PlannedSlot]:
    """Returns the slots of `days` local days."""
    last = date.fromisoformat(day) + timedelta(days=days)
    return slots(week, (), zone, midnight(day, zone), midnight(str(last), zone))


def on_monday(week: list[Opening], *exceptions: Event, frozen: Sequence = ()) -> list[PlannedSlot]:
    return slots(week, exceptions, PARIS, at("00:00"), at("00:00") + DAY, frozen)


def starts(made: list[PlannedSlot], zone: ZoneInfo = PARIS, form: str = "%H:%M") -> str:
    return " ".join(datetime.fromtimestamp(one.debut, zone).strftime(form) for one in made)


def starts_with_offset(made: list[PlannedSlot]) -> str:
    return " ".join(starts([one], form="%H:%M%z")[:8] for one in made)


def closure(debut: str, fin: str) -> Event:
    return Event("fermeture", at(debut), at(fin), None, None)


def extra(debut: str, fin: str, pas: int, capacite: int = 1) -> Event:
    return Event("ouverture", at(debut), at(fin), pas, capacite)


def special(debut: str, fin: str, pas: int, capacite: int = 1) -> Event:
    return extra(debut, fin, pas, capacite)._replace(type="horaires")


# Clock changes: 29 March and 25 October in Paris; half an hour at Lord Howe.


@pytest.mark.parametrize(
    "debut, fin, expected",
    [
        (0, 300, "00:00+01 00:30+01 01:00+01 01:30+01 03:00+02 03:30+02 04:00+02 04:30+02"),
        (150, 270, "03:00+02 03:30+02 04:00+02"),
        (60, 150, "01:00+01 01:30+01"),
        (120, 180, ""),
    ],
)
def test_wall_times_that_the_spring_change_skips_do_not_exist(debut, fin, expected):
    assert starts_with_offset(on("2026-03-29", Opening(7, debut, fin, 30, 1, None))) == expected


@pytest.mark.parametrize(
    "debut, fin, pas, expected",
    [
        (60, 240, 30, "01:00+02 01:30+02 02:00+02 02:30+02 02:00+01 02:30+01 03:00+01 03:30+01"),
        (150, 300, 30, "02:30+02 02:30+01 03:00+01 03:30+01 04:00+01 04:30+01"),
        (150, 300, 60, "02:30+01 03:30+01"),
        (120, 150, 30, "02:00+02 02:00+01"),
        (60, 240, 90, "01:00+02 02:30+02"),
    ],
)
def test_wall_times_that_the_autumn_change_doubles_exist_twice(debut, fin, pas, expected):
    assert starts_with_offset(on("2026-10-25", Opening(7, debut, fin, pas, 1, None))) == expected


def test_a_change_of_half_an_hour_is_no_different():
    opening = Opening(7, 60, 210, 30, 1, None)
    back, forth = (on(day, opening, zone=LORD_HOWE) for day in ("2026-04-05", "2026-10-04"))
    assert starts(back, LORD_HOWE, "%H:%M%z") == (
        "01:00+1100 01:30+1100 01:30+1030 02:00+1030 02:30+1030 03:00+1030"
    )
    assert starts(forth, LORD_HOWE, "%H:%M%z") == "01:00+1030 01:30+1030 02:30+1100 03:00+1100"


def test_a_change_off_the_hour_is_found_to_the_minute():
    made = on("2026-10-04", Opening(7, 120, 180, 30, 1, None), zone=LORD_HOWE)
    assert starts(made, LORD_HOWE) == "02:30"  # 02:00 to 02:30 does not exist
    st_johns = ZoneInfo("America/St_Johns")  # the clock goes back from 00:01 to 23:01
    made = on("2010-11-06", Opening(6, 1320, 1440, 30, 1, None), days=2, zone=st_johns)
    assert starts(made, st_johns) == "22:00 22:30 23:00 23:30 23:01"


@pytest.mark.parametrize(
    "day, zone, pas, count",
    [
        *(("2026-03-28", PARIS, 60, 24), ("2026-03-29", PARIS, 60, 23)),
        *(("2026-10-25", PARIS, 60, 25), ("2026-10-26", PARIS, 60, 24)),
        *(("2026-04-05", LORD_HOWE, 30, 49), ("2026-10-04", LORD_HOWE, 30, 47)),
    ],
)
def test_a_day_has_as_many_slots_as_it_is_long(day, zone, pas, count):
    jour = date.fromisoformat(day).isoweekday()
    for opening in (Opening(jour, 0, 1440, pas, 1, None), Opening(jour, 0, 0, pas, 1, None)):
        assert len(on(day, opening, zone=zone)) == count


def test_slots_are_elapsed_time_over_a_clock_change():
    week = [opening._replace(pas_minutes=180) for opening in FULL_WEEK]
    assert starts(on("2026-03-29", *week)) == "00:00 04:00 07:00 10:00 13:00 16:00 19:00"


# Runs


def test_openings_that_touch_and_are_alike_are_one_run():
    one = Opening(1, 540, 600, 50, 1, None)
    assert starts(on(MONDAY, one, one._replace(debut=600, fin=660))) == "09:00 09:50"


@pytest.mark.parametrize("other", [{"pas_minutes": 25}, {"capacite": 2}, {"prestation_id": 7}])
def test_openings_that_touch_and_differ_are_two_runs(other):
    one = Opening(1, 540, 600, 50, 1, None)
    two = one._replace(debut=600, fin=650, **other)
    assert starts(on(MONDAY, one, two)).startswith("09:00 10:00")
    assert on(MONDAY, one, two)[1][3:5] == (two.capacite, two.prestation_id)


def test_a_run_goes_on_over_midnight():
    evening, morning = Opening(1, 1320, 1440, 50, 1, None), Opening(2, 0, 120, 50, 1, None)
    assert starts(on(MONDAY, evening, morning, days=2)) == "22:00 22:50 23:40 00:30"
    assert starts(on(MONDAY, evening._replace(fin=120), days=2)) == "22:00 22:50 23:40 00:30"


def test_two_openings_part_at_midnight_from_sunday_to_monday():
    evening, morning = Opening(7, 1320, 1440, 50, 1, None), Opening(1, 0, 120, 50, 1, None)
    assert starts(on("2026-06-14", evening, morning, days=2)) == "22:00 22:50 00:00 00:50"


def test_one_opening_over_midnight_from_sunday_to_monday_stays_whole():
    night = Opening(7, 1320, 120, 50, 1, None)
    before, after = night._replace(debut=1290, fin=1320), Opening(1, 120, 180, 50, 1, None)
    assert starts(on("2026-06-14", night, days=2)) == "22:00 22:50 23:40 00:30"
    made = on("2026-06-14", before, night, after, days=2)
    assert starts(made) == "21:30 22:20 23:10 00:00 00:50 02:00"


def test_a_week_without_a_break_starts_anew_each_monday():
    week = [opening._replace(pas_minutes=500) for opening in FULL_WEEK]
    made = on("2026-03-23", *week, days=14)
    at_midnight = [one for one in made if starts([one]) == "00:00"]
    assert starts(at_midnight, form="%a %d %b") == "Mon 23 Mar Mon 30 Mar"
    assert len(made) == 20 + 20  # in 167 and 168 hours


def test_twenty_four_hours_from_ten_to_ten_are_a_week_from_monday_at_ten():
    week = [Opening(jour, 600, 600, 500, 1, None) for jour in range(1, 8)]
    at_ten = [one for one in on(MONDAY, *week, days=15) if starts([one]) == "10:00"]
    assert starts(at_ten, form="%a %d") == "Mon 15 Mon 22 Mon 29"


# Events.


def test_a_closure_closes_the_slots_that_it_touches_and_moves_none():
    made = on_monday([Opening(1, 540, 720, 30, 1, None)], closure("10:15", "11:00"))
    assert starts(made) == "09:00 09:30 10:00 10:30 11:00 11:30"
    assert [one.ouvert for one in made] == [True, True, False, False, True, True]


def test_an_ouverture_adds_only_what_the_week_leaves_closed():
    week = [Opening(1, 540, 720, 60, 1, 7)]
    made = on_monday(week, extra("08:00", "13:00", 20, 3), closure("08:00", "08:30"))
    assert starts(made) == "08:00 08:20 08:40 09:00 10:00 11:00 12:00 12:20 12:40"
    assert [one.capacite for one in made] == [3] * 3 + [1] * 3 + [3] * 3
    assert [one.prestation_id for one in made] == [None] * 3 + [7] * 3 + [None] * 3
    assert [one.ouvert for one in made] == [False, False] + [True] * 7


def test_an_ouverture_alike_carries_the_run_on():
    week = [Opening(1, 540, 720, 45, 1, None)]
    assert starts(on_monday(week, extra("11:00", "14:00", 45))) == (
        "09:00 09:45 10:30 11:15 12:00 12:45"
    )


def test_an_ouverture_too_parts_from_sunday_at_midnight():
    evening, night = Opening(7, 1320, 1440, 50, 1, None), Opening(1, 120, 180, 50, 1, None)
    added = extra("00:00", "02:00", 50)
    made = slots([evening, night], [added], PARIS, at("00:00") - DAY, at("00:00") + DAY)
    assert starts(made) == "22:00 22:50 00:00 00:50 01:40"


def test_of_two_ouvertures_the_earlier_wins():
    late, early = extra("09:30", "11:00", 30, 2), extra("09:00", "10:15", 15, 1)
    made = on_monday([], late, early)
    assert starts(made) == "09:00 09:15 09:30 09:45 10:00 10:15"
    assert [one.capacite for one in made] == [1] * 5 + [2]


@pytest.mark.parametrize(
    "one, other, expected",
    [
        (extra("09:00", "11:00", 60, 1), extra("09:30", "10:00", 30, 2), [1, 1]),
        (extra("09:00", "11:00", 60, 1), extra("09:00", "10:00", 30, 2), [2, 2, 1]),
    ],
)
def test_the_earlier_ouverture_begins_earlier_or_else_ends_earlier(one, other, expected):
    assert [made.capacite for made in on_monday([], one, other)] == expected
    assert [made.capacite for made in on_monday([], other, one)] == expected


def test_special_hours_replace_the_weekly_openings_that_begin_on_their_day():
    week = [Opening(1, 540, 720, 30, 1, 7), Opening(1, 840, 1080, 30, 1, 7)]
    made = on_monday(week, special("10:10", "11:30", 40, 2), special("15:00", "16:00", 20, 3))
    assert starts(made) == "10:10 10:50 15:00 15:20 15:40"
    assert [one.capacite for one in made] == [2, 2, 3, 3, 3]
    assert {one.prestation_id for one in made} == {None}
    assert [one.ouverture for one in made] == [at("10:10")] * 2 + [at("15:00")] * 3


def test_special_hours_leave_other_days_alone():
    week = [Opening(jour, 540, 600, 30, 1, None) for jour in (7, 1, 2)]
    event = special("11:00", "12:00", 30)
    made = slots(week, [event], PARIS, at("00:00") - DAY, at("00:00") + 2 * DAY)
    assert starts(made, form="%d %H:%M") == "14 09:00 14 09:30 15 11:00 15 11:30 16 09:00 16 09:30"


def test_an_evening_that_began_on_the_day_before_stays_beside_special_hours():
    nights = [Opening(jour, 1320, 120, 60, 1, None) for jour in (7, 1)]
    made = on_monday(nights, special("00:30", "04:00", 45, 2))
    assert starts(made) == "00:00 01:00 02:00 02:45"  # that of Monday at 22:00 is replaced
    assert [one.capacite for one in made] == [1, 1, 2, 2]
    assert made[2].ouverture == at("02:00")


def test_special_hours_over_midnight_replace_the_openings_of_both_days():
    week = [Opening(jour, 540, 600, 60, 1, None) for jour in (1, 2, 3)]
    event = Event("horaires", at("20:00"), at("00:00") + DAY + 7200, 60, 1)
    made = slots(week, [event], PARIS, at("00:00"), at("00:00") + 3 * DAY)
    assert starts(made) == "20:00 21:00 22:00 23:00 00:00 01:00 09:00"
    until_midnight = event._replace(fin=at("00:00") + DAY)
    made = slots(week, [until_midnight], PARIS, at("00:00"), at("00:00") + 3 * DAY)
    assert starts(made) == "20:00 21:00 22:00 23:00 09:00 09:00"


def test_slots_of_special_hours_are_counted_from_their_start_even_if_the_week_touches_them():
    evening = Opening(7, 1320, 1440, 50, 1, None)
    event, later = special("00:00", "02:00", 50), special("02:00", "03:00", 50)
    made = slots([evening], [event, later], PARIS, at("00:00") - DAY, at("00:00") + DAY)
    assert starts(made) == "22:00 22:50 00:00 00:50 02:00"
    assert [one.ouverture for one in made[2:]] == [at("00:00")] * 2 + [at("02:00")]
    made = on_monday([], event, extra("02:00", "03:00", 50), extra("23:00", "24:00", 50))
    assert starts(made) == "00:00 00:50 02:00 23:00"


def test_a_closure_wins_over_special_hours_and_an_ouverture_adds_to_them():
    week = [Opening(1, 540, 1080, 60, 1, None)]
    made = on_monday(
        week, extra("11:00", "13:00", 60, 2), special("10:00", "12:00", 30, 3),
        closure("10:00", "10:30"),
    )
    assert starts(made) == "10:00 10:30 11:00 11:30 12:00"
    assert [one.capacite for one in made] == [3] * 4 + [2]
    assert [one.ouvert for one in made] == [False] + [True] * 4


def test_of_two_special_hours_the_earlier_wins():
    made = on_monday([], special("09:30", "11:00", 30, 2), special("09:00", "10:15", 15, 1))
    assert starts(made) == "09:00 09:15 09:30 09:45 10:00 10:15"


@pytest.mark.parametrize(
    "day, expected",
    [
        ("2026-03-29", "01:00+01 01:30+01 03:00+02 03:30+02"),
        ("2026-10-25", "01:00+02 01:30+02 02:00+02 02:30+02 02:00+01 02:30+01 03:00+01 03:30+01"),
    ],
)
def test_special_hours_are_elapsed_time_over_a_clock_change(day, expected):
    debut, fin = midnight(day) + 3600, midnight(day) + 3600 * len(expected.split()) // 2 + 3600
    week = [Opening(7, 0, 1440, 30, 1, None)]
    event = Event("horaires", debut, fin, 30, 1)
    made = slots(week, [event], PARIS, midnight(day), midnight(day) + 26 * 3600)
    assert starts_with_offset(made) == expected


def test_a_day_before_that_the_clock_shows_again_is_touched_too():
    st_johns = ZoneInfo("America/St_Johns")  # the clock goes back from Sunday 00:01 to 23:01
    week = [Opening(jour, 600, 660, 60, 1, None) for jour in (6, 7)]
    sunday = midnight("2010-11-07", st_johns)
    start, end = sunday - DAY, sunday + DAY
    assert starts(slots(week, [], st_johns, start, end), st_johns, "%a") == "Sat Sun"
    minute = Event("horaires", sunday, sunday + 60, 1, 1)
    made = slots(week, [minute], st_johns, start, end)
    assert starts(made, st_johns, "%a %H:%M") == "Sat 10:00 Sun 00:00"
    hour = minute._replace(fin=sunday + 120)  # ends on Saturday at 23:02, on the second round
    made = slots(week, [hour], st_johns, start, end)
    assert starts(made, st_johns, "%a %H:%M") == "Sun 00:00 Sat 23:01"


def test_special_hours_beside_those_of_a_person_are_cut_only_at_the_days_of_these():
    """On 29 March the clock goes forward."""
    event = Event("horaires", midnight("2026-03-28") + 3600, midnight("2026-04-01"), 50, 1)
    day = date(2026, 3, 30).toordinal() - date(1970, 1, 1).toordinal()
    assert list(outside(event, {day}, PARIS)) == [
        event._replace(fin=midnight("2026-03-30")),
        event._replace(debut=midnight("2026-03-31")),
    ]
    assert list(outside(event, {day - 2, day + 1}, PARIS)) == [
        event._replace(debut=midnight("2026-03-29"), fin=midnight("2026-03-31"))
    ]


def test_special_hours_beside_the_week_of_a_person_keep_to_its_days_and_places():
    """The openings of Tuesday are for one service. Nobody works on Wednesday and Thursday."""
    week = [Opening(1, 540, 600, 30, 3, None), Opening(1, 660, 720, 30, 2, None)]
    week += [Opening(1, 780, 840, 30, 1, 7), Opening(2, 540, 600, 30, 8, 7)]
    week += [Opening(5, 540, 600, 30, 2, None)]
    until = at("00:00") + 5 * DAY
    event = special("10:00", "12:00", 50, 4)._replace(fin=until)
    tuesday, wednesday, friday = (at("00:00") + days * DAY for days in (1, 2, 4))
    assert sorted(within(event, week, PARIS)) == [
        event._replace(fin=tuesday, capacite=2), event._replace(debut=tuesday, fin=wednesday),
        event._replace(debut=friday, capacite=2),
    ]
    assert not list(within(event, [], PARIS))


def test_an_information_changes_nothing():
    week = [Opening(1, 540, 720, 60, 1, None)]
    event = closure("09:00", "18:00")._replace(type="information")
    assert on_monday(week, event) == on_monday(week)


def test_frozen_creneaux_are_left_out_and_the_slots_start_anew_after_each():
    week = [Opening(1, 540, 720, 45, 1, None)]
    frozen = [(at("11:00"), at("11:10")), (at("09:30"), at("10:00"))]
    assert starts(on_monday(week, frozen=frozen)) == "10:00 11:10"
    assert starts(on_monday(week)) == "09:00 09:45 10:30 11:15"


# Capacities, and openings that overlap.


def test_the_capacity_is_the_least_of_the_whole_time():
    week = [Opening(1, 540, 720, 30, 3, None), Opening(1, 720, 840, 20, 2, 7)]
    exceptions = [extra("13:00", "15:00", 15, 1), closure("09:00", "09:30")]
    expected = {
        ("09:30", "12:00"): 3,
        ("11:00", "13:00"): 2,
        ("13:50", "14:10"): 1,
        ("09:30", "15:00"): 1,
        ("09:15", "10:00"): 0,
        ("08:00", "10:00"): 0,
        ("14:30", "15:01"): 0,
        ("20:00", "21:00"): 0,
    }
    for debut, fin in expected:
        (terms,) = Plan(week, exceptions, PARIS).terms([(at(debut), at(fin))])
        assert terms.capacite * terms.ouvert == expected[debut, fin], (debut, fin)


@pytest.mark.parametrize(
    "one, other, shared",
    [
        ((1, 540, 720), (1, 720, 840), False),
        ((1, 540, 720), (1, 719, 840), True),
        ((1, 540, 720), (2, 540, 720), False),
        ((1, 1320, 120), (2, 60, 180), True),
        ((1, 1320, 120), (2, 120, 180), False),
        ((7, 1320, 120), (1, 0, 60), True),
        ((7, 1320, 0), (1, 0, 60), False),
        ((7, 600, 600), (1, 599, 660), True),
        ((7, 600, 600), (1, 600, 660), False),
        ((3, 0, 1440), (3, 600, 601), True),
    ],
)
def test_openings_that_overlap_are_found(one, other, shared):
    week = [Opening(*part, 15, 1, None) for part in (one, (5, 0, 1), other)]
    assert overlapping(week) == ([(0, 2)] if shared else [])
    assert overlapping(week[::-1]) == ([(0, 2)] if shared else [])


# Everything at once. Each day is near a clock change or tests a zone without one. In Tehran the
# clocks change at midnight from Sunday to Monday, and Apia skipped a whole Friday.

TIMES = {
    "Europe/Paris": ("2026-03-29", "2026-10-25"),
    "America/New_York": ("2026-03-08", "2026-11-01"),
    "Australia/Lord_Howe": ("2026-04-05", "2026-10-04"),
    "America/Sao_Paulo": ("2018-02-18", "2018-11-04"),
    "America/St_Johns": ("2010-11-07",),
    "Asia/Tehran": ("2014-09-22", "2021-03-22"),
    "Pacific/Apia": ("2011-12-30",),
    "Asia/Kathmandu": ("2026-06-14",),
    "Asia/Kolkata": ("2026-06-14",),
    "Indian/Reunion": ("2026-06-14",),
    "UTC": ("2026-06-14",),
}
PLACES = [(ZoneInfo(name), day) for name, days in TIMES.items() for day in days]
TERMS = [(15, 1, None), (50, 2, None), (50, 2, 7), (240, 1, None)]  # pas, capacite, prestation


@st.composite
def weeks(draw: st.DrawFn) -> list[Opening]:
    """Draws openings that do not overlap; many of them touch."""
    unit = draw(st.sampled_from((10, 30, 120)))
    weekend = st.integers(6 * 1440 - 120, 7 * 1440 + 240)  # when most clocks change
    minutes = draw(st.sets(st.integers(0, 10079) | weekend, max_size=12))
    cuts = sorted({minute % 10080 // unit for minute in minutes})
    week: list[Opening] = []
    for cut, after in zip(cuts, [*cuts[1:], *(cut + 10080 // unit for cut in cuts[:1])]):
        debut, fin = cut * unit, after * unit
        terms = draw(st.sampled_from([None, *TERMS]))
        while terms and debut < fin:
            part = min(fin - debut, draw(st.sampled_from((360, 1440, 1440))))
            jour, minute = divmod(debut % 10080, 1440)
            # Midnight may be written as 0 or 1440
            until = (minute + part) % 1440 or draw(st.sampled_from((0, 1440)))
            week.append(Opening(jour + 1, minute, until, *terms))
            debut += part
    return week


@st.composite
def exceptions(draw: st.DrawFn, start: int, before: int, longest: int) -> list[Event]:
    """Draws at most five events from `before` minutes before `start` on; some bounds coincide."""
    dated = []
    for _ in range(draw(st.integers(0, 5))):
        kinds = "ouverture", "ouverture", "horaires", "horaires", "fermeture", "information"
        kind = draw(st.sampled_from(kinds))
        debut = draw(st.integers(-before // 360, 8 * 4)) * 360 + draw(st.sampled_from((0, 0, 17)))
        most = min(longest, LONGEST_HOURS // MINUTE - 23) if kind == "horaires" else longest
        length = draw(st.integers(1, most // 360)) * 360 + draw(st.sampled_from((0, 0, 23)))
        span = start + debut * MINUTE, start + (debut + length) * MINUTE
        dated.append(Event(kind, *span, *draw(st.sampled_from(TERMS))[:2]))
    return dated


@st.composite
def creneaux(draw: st.DrawFn, start: int) -> list[tuple[int, int]]:
    """Draws at most five intervals of at most three hours that do not overlap."""
    found = sorted(draw(st.sets(st.integers(-4 * 1440, 7 * 1440), max_size=10)))
    pairs = zip(found[::2], found[1::2])
    return [(start + a * MINUTE, start + min(b, a + 180) * MINUTE) for a, b in pairs]


@st.composite
def calendars(draw: st.DrawFn) -> tuple:
    """Draws the arguments of `slots`."""
    zone, day = draw(st.sampled_from(PLACES))
    noon = int(datetime.fromisoformat(day + "T12:00+00:00").timestamp())
    start = noon + draw(st.integers(-5 * 1440, 2 * 1440)) * MINUTE
    end = start + draw(st.integers(0, 6 * 1440)) * MINUTE
    dated = draw(exceptions(start, before=4 * 1440, longest=4 * 1440))
    return draw(weeks()), dated, zone, start, end, draw(creneaux(start))


unhurried = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(unhurried, max_examples=100)
@given(calendars())
def test_slots_agree_with_a_computation_minute_by_minute(calendar):
    made = slots(*calendar)
    assert made == computed(*calendar)
    assert not overlapping(calendar[0])


@settings(unhurried, max_examples=40)
@given(calendars(), st.integers(1, 600))
def test_the_capacity_agrees_with_a_computation_minute_by_minute(calendar, length):
    week, dated, zone, debut, *_ = calendar
    fin = debut + length * MINUTE
    terms = [terms for now, terms in walk(week, dated, zone, debut, fin) if debut <= now < fin]
    closed = not closed_minutes(dated).isdisjoint(range(debut, fin, MINUTE))
    least = 0 if closed or None in terms else min(capacite for _, capacite, *_ in terms)
    (found,) = Plan(week, dated, zone).terms([(debut, fin)])
    assert found.capacite * found.ouvert == least


@settings(unhurried, max_examples=60)
@given(calendars(), st.lists(st.sampled_from((None, None, 1, 2)), min_size=5), st.booleans())
def test_the_events_of_a_person_agree_with_a_computation_minute_by_minute(
    calendar, owners, has_own_week
):
    week, dated, zone, *_ = calendar
    rows = list(zip(owners, dated))
    weekly = [(1 if has_own_week else None, opening) for opening in week]
    plan = stored_plans.plan_of(1, 1, has_own_week, weekly, rows, zone)
    due = events_of(1, week if has_own_week else None, rows, zone)
    assert sorted(plan.events) == sorted(due)


@settings(unhurried, max_examples=80)
@given(calendars(), st.integers(0, 1000))
def test_two_ranges_make_the_whole(calendar, share):
    week, dated, zone, start, end, frozen = calendar
    middle = start + (end - start) * share // 1000
    before = slots(week, dated, zone, start, middle, frozen)
    assert before + slots(week, dated, zone, middle, end, frozen) == slots(*calendar)


@settings(unhurried, max_examples=50)
@given(st.data(), calendars(), st.integers(0, 60))
def test_what_ended_long_before_a_range_does_not_matter(data, calendar, days):
    week, _, zone, start, end, _ = calendar
    assume(week)  # an empty week does not cut an ouverture of any length
    dated = data.draw(exceptions(start, before=100 * 1440, longest=70 * 1440))
    frozen = data.draw(creneaux(start - days * DAY))
    whole = slots(week, dated, zone, start - 20 * WEEK, end, frozen)
    recent = [one for one in dated if one.fin > start - REACH]
    kept = [one for one in frozen if one[1] > start - REACH]
    assert slots(week, recent, zone, start, end, kept) == [
        one for one in whole if one.debut >= start
    ]


def test_special_hours_after_midnight_change_the_slots_of_a_week_and_a_day():
    """They replace an opening of Monday with which the run of the week began."""
    week = [Opening(jour, 600, 600, 70, 1, None) for jour in range(1, 8)]
    event = special("00:00", "00:30", 30)
    _, until = events._span(0, {"debut": event.debut, "fin": event.fin})
    start, end = at("00:00") + WEEK, at("00:00") + 2 * WEEK
    before, after = (set(slots(week, dated, PARIS, start, end)) for dated in ([], [event]))
    changed = before ^ after
    assert start + 3600 < max(one.debut for one in changed) < until


@settings(unhurried, max_examples=80)
@given(st.data(), calendars())
def test_an_event_changes_nothing_outside_its_span(data, calendar):
    week, dated, zone, start, *_ = calendar
    for event in data.draw(exceptions(start, before=4 * 1440, longest=8 * 1440)):
        since, until = events._span(0, {"debut": event.debut, "fin": event.fin})
        for low, high in ((since - 2 * DAY, since), (until, until + 2 * DAY)):
            without = slots(week, dated, zone, low, high)
            assert slots(week, [*dated, event], zone, low, high) == without


@pytest.mark.parametrize("zone, day", PLACES)
def test_slots_never_overlap_even_where_a_week_contradicts_itself(zone, day):
    week = [Opening(jour, 60 * jour, 50 * jour, 40 - jour, 1, None) for jour in range(1, 8)]
    start = midnight(day, zone) - 4 * DAY
    made = slots([*week, *FULL_WEEK], [], zone, start, start + 9 * DAY)
    assert made and all(one.fin <= other.debut for one, other in pairwise(made))


@pytest.mark.parametrize(
    "week, dated",
    [
        ([one._replace(pas_minutes=7) for one in FULL_WEEK], []),
        (
            [Opening(7, 600, 660, 30, 1, None)],
            [Event("ouverture", at("00:00") - 5 * DAY, at("00:00") + 5 * DAY, 7, 1)],
        ),
        ([Opening(jour, 1080, 120, 7, 1, None) for jour in range(1, 8)], []),
    ],
    ids=["openings that touch", "an ouverture", "nights"],
)
@pytest.mark.parametrize("day", range(-4, 4))
def test_a_short_range_has_the_slots_of_a_long_range(week, dated, day):
    start, first, last = (at("00:00") + days * DAY for days in (day, -50, 30))
    whole = slots(week, dated, PARIS, first, last)
    here = [one for one in whole if start <= one.debut < start + DAY]
    assert here and slots(week, dated, PARIS, start, start + DAY) == here
