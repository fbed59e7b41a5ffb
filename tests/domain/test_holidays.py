"""The public holidays, compared with known dates and with the package `holidays`."""

from datetime import date, timedelta

import holidays
import pytest

from reservation.lib.holidays import METROPOLE, REGIONS, public_holidays

SUBDIVISIONS = {  # names of the package
    "metropole": None,
    "alsace-moselle": "57",
    "guadeloupe": "971",
    "guyane": "973",
    "martinique": "972",
    "mayotte": "976",
    "nouvelle-caledonie": "NC",
    "polynesie-francaise": "PF",
    "reunion": "974",
    "saint-barthelemy": "BL",
    "saint-martin": "MF",
    "saint-pierre-et-miquelon": "PM",
    "wallis-et-futuna": "WF",
}


def day_of(name: str, year: int, region: str = METROPOLE) -> date:
    found = [day for day, names in public_holidays(year, region).items() if name in names]
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


def only_in_the_package(region: str, year: int) -> set[date]:
    """Returns customary days off, which are not legal holidays, and a former holiday."""
    easter = day_of("Lundi de Pâques", year) - timedelta(days=1)
    mi_careme, good_friday = easter - timedelta(days=24), easter - timedelta(days=2)
    schoelcher = date(year, 7, 21)
    return {
        "guadeloupe": {mi_careme, good_friday, schoelcher},
        "martinique": {schoelcher},
        "saint-martin": {schoelcher},
        "polynesie-francaise": {date(year, 6, 29)} if year < 2025 else set(),
    }.get(region, set())


def only_here(region: str, year: int) -> set[date]:
    """Returns what replaces the former holiday: the law of today applies to all years."""
    earlier = region == "polynesie-francaise" and year < 2025
    return {date(year, 11, 20)} if earlier else set()


@pytest.mark.parametrize("region", REGIONS)
def test_the_days_of_2020_to_2040_are_those_of_the_package_but_for_customs(region):
    for year in range(2020, 2041):
        ours = set(public_holidays(year, region))
        theirs = set(
            holidays.France(
                subdiv=SUBDIVISIONS[region], years=year, categories=holidays.PUBLIC
            )
        )
        assert theirs - ours == only_in_the_package(region, year)
        assert ours - theirs == only_here(region, year)


def test_alsace_moselle_adds_two_days_in_order():
    here, there = public_holidays(2026), public_holidays(2026, "alsace-moselle")
    added = {date(2026, 4, 3): "Vendredi saint", date(2026, 12, 26): "26 décembre"}
    assert there == here | added
    assert list(there) == sorted(there) and len(there) == 13


# 1818 and 2285 have the earliest possible Easter, 1943 and 2038 the latest. 1954, 1981, 2049 and
# 2076 need the exceptions of Gauss's shorter formula.
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
    assert day_of("Vendredi saint", year, "alsace-moselle") == easter_monday - timedelta(days=3)


@pytest.mark.parametrize("day, names", [("2008-05-01", "1er mai"), ("1997-05-08", "8 mai")])
def test_two_holidays_on_one_date_are_one_entry_with_both_names(day, names):
    shared = date.fromisoformat(day)
    found = public_holidays(shared.year)
    assert found[shared] == f"{names}, Ascension"
    assert len(found) == 10


def test_every_year_of_this_century_names_all_days_and_sorts_them():
    for year in range(2001, 2101):
        for region, added in REGIONS.items():
            found = public_holidays(year, region)
            assert sum(len(names.split(", ")) for names in found.values()) == 11 + len(added)
            assert list(found) == sorted(found)
            assert {day.year for day in found} == {year}
