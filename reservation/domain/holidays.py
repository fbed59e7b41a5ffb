"""The public holidays of France, as the Code du travail lists them today."""

from collections.abc import Iterator
from datetime import date, timedelta

_FIXED = (
    (1, 1, "1er janvier"),
    (5, 1, "1er mai"),
    (5, 8, "8 mai"),
    (7, 14, "14 juillet"),
    (8, 15, "Assomption"),
    (11, 1, "Toussaint"),
    (11, 11, "11 novembre"),
    (12, 25, "Noël"),
)
_MOVING = ((1, "Lundi de Pâques"), (39, "Ascension"), (50, "Lundi de Pentecôte"))  # days
_GOOD_FRIDAY = (-2, "Vendredi saint")
_SECOND_CHRISTMAS_DAY = (12, 26, "26 décembre")


def public_holidays(year: int, alsace_moselle: bool = False) -> dict[date, str]:
    """The eleven holidays of article L3133-1 with their French names, in order of date.

    With `alsace_moselle` also the two of article L3134-13, of which the law grants the
    Vendredi saint only where there is a Protestant church or a mixed one. Two holidays on
    one date have one entry, `1er mai, Ascension` in 2008. The years are Gregorian ones.
    """
    holidays: dict[date, str] = {}
    for day, name in sorted(_dated(year, alsace_moselle)):
        holidays[day] = f"{holidays[day]}, {name}" if day in holidays else name
    return holidays


def _dated(year: int, alsace_moselle: bool) -> Iterator[tuple[date, str]]:
    sunday = _easter(year)
    for days, name in (*_MOVING, _GOOD_FRIDAY) if alsace_moselle else _MOVING:
        yield sunday + timedelta(days=days), name
    for month, day, name in (*_FIXED, _SECOND_CHRISTMAS_DAY) if alsace_moselle else _FIXED:
        yield date(year, month, day), name


def _easter(year: int) -> date:
    """Easter Sunday by the anonymous Gregorian algorithm.

    Jean Meeus, Astronomical Algorithms, chapter 8, after Butcher; from Nature, 20 April 1876.
    """
    a = year % 19
    b, c = divmod(year, 100)
    d, e = divmod(b, 4)
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)
