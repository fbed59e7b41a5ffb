"""A day has at most 500 slots."""

from collections import Counter
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reservation.domain.calendar import day_limit
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.timetable import Event, Opening
from reservation.errors import TooManySlots
from reservation.lib import instants
from tests.domain.test_timetable import (
    DAY,
    MONDAY,
    PARIS,
    at,
    calendars,
    closure,
    computed,
    extra,
    midnight,
    special,
    unhurried,
)

MIDNIGHT = at("00:00")


def crowded(week, *dated, start=MIDNIGHT, end=MIDNIGHT + DAY, zone=PARIS):
    """Returns the day that is refused, None if the plan is accepted."""
    try:
        day_limit.check([Plan([], [], zone), Plan(week, dated, zone)], start, end)
    except TooManySlots as refused:
        assert refused.bounds["max"] == 500
        return refused.bounds["date"]


@pytest.mark.parametrize(
    "minutes, pas, refused",
    [(500, 1, False), (501, 1, True), (1001, 2, False), (1002, 2, True), (1440, 3, False)],
)
def test_a_day_has_at_most_500_slots(minutes, pas, refused):
    week = [Opening(1, 0, minutes, pas, 1, None)]
    assert crowded(week) == (MONDAY if refused else None)
    assert crowded([], extra("00:00", "08:00", 1)) is None
    assert crowded([], extra("00:00", "08:21", 1)) == MONDAY
    assert crowded([], special("00:00", "08:21", 1)) == MONDAY


def test_the_openings_of_a_day_count_together():
    week = [Opening(1, 0, 250, 1, 1, None), Opening(1, 600, 850, 1, 1, 7)]
    assert crowded(week) is None
    assert crowded([*week, Opening(1, 900, 910, 10, 1, None)]) == MONDAY


def test_each_calendar_has_slots_of_its_own():
    full = Plan([Opening(1, 0, 500, 1, 1, None)], [], PARIS)
    fuller = full._replace(events=[extra("12:00", "12:01", 1)])
    day_limit.check([full, full], MIDNIGHT, MIDNIGHT + DAY)
    with pytest.raises(TooManySlots):
        day_limit.check([full, fuller], MIDNIGHT, MIDNIGHT + DAY)


def test_an_opening_over_midnight_counts_on_both_days():
    night = [Opening(jour, 1140, 300, 1, 1, None) for jour in (7, 1)]  # 19:00 to 05:00
    assert crowded(night[:1]) is None and crowded(night[1:]) is None
    assert crowded(night) == MONDAY
    evening, morning = Opening(7, 1190, 0, 1, 1, None), Opening(1, 0, 251, 1, 1, None)
    assert crowded([evening, morning]) is None


def test_an_ouverture_counts_with_the_weekly_hours_that_stay():
    week = [Opening(1, 480, 900, 1, 1, None)]
    assert crowded(week, extra("07:00", "09:00", 1)) is None
    assert crowded(week, extra("06:39", "09:00", 1)) == MONDAY
    assert crowded(week, extra("06:39", "09:00", 1), special("10:00", "11:00", 60)) is None


def test_closed_slots_count():
    """A closure may be removed."""
    assert crowded([Opening(1, 0, 501, 1, 1, None)], closure("00:00", "24:00")) == MONDAY


def test_the_longest_day_of_the_year_counts():
    week = [Opening(7, 0, 480, 1, 1, None)]
    start = midnight("2026-06-01")
    assert crowded(week, start=start, end=start + 100 * DAY) is None
    assert crowded(week, start=start, end=start + 200 * DAY) == "2026-10-25"


def test_a_range_counts_whole_days():
    week = [Opening(1, 0, 501, 1, 1, None)]
    for start in (at("00:00"), at("12:00")):
        assert crowded(week, start=start, end=start + 60) == MONDAY
    assert crowded(week, start=at("00:00") - 60, end=at("00:00")) is None
    assert crowded(week, start=at("00:00"), end=at("00:00")) is None


def test_slots_of_four_minutes_are_never_too_many():
    troll = ZoneInfo("Antarctica/Troll")  # its clocks change by two hours
    days = [midnight("2026-01-01", troll) + hour * 3600 for hour in range(0, 366 * 24, 6)]
    lengths = {b - a for a, b in pairwise(instants.midnight_after(day, troll, 0) for day in days)}
    assert max(lengths) == 26 * 3600 <= day_limit.MOST * day_limit._SAFE * 60


@unhurried
@given(st.data(), calendars(), st.sampled_from((1, 2, 3)))
def test_the_limit_agrees_with_a_computation_minute_by_minute(data, calendar, pas):
    """Some openings and events have short slots, the others long slots."""
    week, dated, zone, start, _, _ = calendar
    short = data.draw(st.sets(st.sampled_from((15, 50, 240)), min_size=1))
    week = [one._replace(pas_minutes=pas) if one.pas_minutes in short else one for one in week]
    dated = [one._replace(pas_minutes=pas) if one.pas_minutes in short else one for one in dated]
    start = instants.midnight_after(start, zone, 0)
    end = instants.midnight_after(start + 2 * DAY, zone, 0)
    # Until 2011, the clocks of St. John's went back at 00:01: one day began twice. The limit
    # counts the hour between as part of this day.
    days = [instants.local_date(minute, zone) for minute in range(start, end, 60)]
    assume(days == sorted(days))
    starts = (one.debut for one in computed(week, dated, zone, start, end, ()))
    counts = Counter(str(instants.local_date(debut, zone)) for debut in starts)
    full = sorted(day for day, slots in counts.items() if slots > day_limit.MOST)
    assert crowded(week, *dated, start=start, end=end, zone=zone) == next(iter(full), None)


# Slices


def test_a_slice_has_at_most_500_slots_or_one_day():
    """Only some days are full, and an event of many short slots is on one day."""
    week = [Opening(1, 0, 434, 1, 1, None), Opening(3, 0, 440, 20, 1, None)]
    event = Event("horaires", at("00:00") + 4 * DAY, at("00:00") + 4 * DAY + 30_000, 1, 1)
    plan, start, last = Plan(week, [event], PARIS), at("00:00"), at("00:00") + 28 * DAY
    ends = []
    while start < last:
        end = plan.end_of_slice(start, last, 500)
        made = plan.slots(start, end)
        assert start < end and len(made) <= 500
        ends.append(end)
        start = end
    days = [(end - at("00:00")) // DAY for end in ends]
    assert days == [4, 7, 14, 21, 28]


def test_a_slice_without_slots_reaches_the_end():
    start, end = at("12:00"), at("00:00") + 700 * DAY
    assert Plan([], [], PARIS).end_of_slice(start, end, 500) == end
    full = [Opening(jour, 0, 1440, 3, 1, None) for jour in range(1, 8)]
    tomorrow = instants.midnight_after(start, PARIS, 1)
    assert Plan(full, [], PARIS).end_of_slice(start, end, 100) == tomorrow
    assert Plan(full, [], PARIS).end_of_slice(start, start + 60, 100) == start + 60
