"""The public holidays, against known dates."""

from datetime import date, timedelta

import pytest

from reservation.domain.holidays import public_holidays


def day_of(name: str, year: int, alsace_moselle: bool = False) -> date:
    found = [day for day, names in public_holidays(year, alsace_moselle).items() if name in names]
    assert len(found) == 1
    return found[0]


def test_it_lists_the_eleven_days_of_the_code_du_travail_in_order():
    assert list(public_holidays(2026).items()) == [
        (date(2026, 1, 1), "1er janvier"),
        (date(2026, 4, 6), "Lundi de Pâques"),
        (date(2026, 5, 1), "1er mai"),
        (date(2026, 5, 8), "8 mai"),
        (date(2026, 5, 14), "Ascension"),
        (date(2026, 5, 25), "Lundi de Pentecôte"),
        (date(2026, 7, 14), "14 juillet"),
        (date(2026, 8, 15), "Assomption"),
        (date(2026, 11, 1), "Toussaint"),
        (date(2026, 11, 11), "11 novembre"),
        (date(2026, 12, 25), "Noël"),
    ]


def test_alsace_moselle_adds_two_days_in_order():
    here, there = public_holidays(2026), public_holidays(2026, alsace_moselle=True)
    added = {date(2026, 4, 3): "Vendredi saint", date(2026, 12, 26): "26 décembre"}
    assert there == here | added
    assert list(there) == sorted(there) and len(there) == 13


# 1818 and 2285 have the earliest Easter there is, 1943 and 2038 the latest. 1954, 1981, 2049
# and 2076 are the years in which Gauss's shorter formula needs its exceptions.
@pytest.mark.parametrize(
    "monday",
    [
        *("1818-03-23", "1900-04-16", "1943-04-26", "1954-04-19", "1961-04-03", "1981-04-20"),
        *("2000-04-24", "2008-03-24", "2011-04-25", "2016-03-28", "2019-04-22", "2020-04-13"),
        *("2021-04-05", "2022-04-18", "2023-04-10", "2024-04-01", "2025-04-21", "2026-04-06"),
        *("2027-03-29", "2028-04-17", "2029-04-02", "2030-04-22", "2035-03-26", "2038-04-26"),
        *("2049-04-19", "2076-04-20", "2285-03-23"),
    ],
)
def test_easter_and_what_hangs_on_it_fall_on_the_known_days(monday):
    easter_monday = date.fromisoformat(monday)
    year = easter_monday.year
    assert day_of("Lundi de Pâques", year) == easter_monday
    assert day_of("Ascension", year) == easter_monday + timedelta(days=38)  # a Thursday
    assert day_of("Lundi de Pentecôte", year) == easter_monday + timedelta(weeks=7)
    assert day_of("Vendredi saint", year, alsace_moselle=True) == easter_monday - timedelta(days=3)


@pytest.mark.parametrize("day, names", [("2008-05-01", "1er mai"), ("1997-05-08", "8 mai")])
def test_two_holidays_on_one_date_are_one_entry_with_both_names(day, names):
    shared = date.fromisoformat(day)
    holidays = public_holidays(shared.year)
    assert holidays[shared] == f"{names}, Ascension"
    assert len(holidays) == 10


def test_every_year_of_this_century_names_all_days_and_sorts_them():
    for year in range(2001, 2101):
        for alsace_moselle, count in ((False, 11), (True, 13)):
            holidays = public_holidays(year, alsace_moselle)
            assert sum(len(names.split(", ")) for names in holidays.values()) == count
            assert list(holidays) == sorted(holidays)
            assert {day.year for day in holidays} == {year}
