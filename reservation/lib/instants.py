"""Instants: Unix seconds, and ISO 8601 texts with an offset.

Wall seconds are a local date and time as a number: seconds since 1970-01-01 00:00 local time.
"""

from bisect import bisect_left
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

DAY = 86400
FRANCE = "Europe/Paris"
_EARLIEST, _LATEST = 0, 253_370_764_800  # 1970-01-01 and 9999-01-01, at 00:00 UTC


def local(instant: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(instant, zone)


def to_iso(instant: int, zone: ZoneInfo) -> str:
    return local(instant, zone).isoformat()


def from_iso(text: str) -> int:
    """Returns the Unix seconds of an ISO 8601 date and time.

    Raises ValueError if `text` is invalid, lacks an offset, has a fraction of a second, is
    before 1970, or is after 9998 (UTC).
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("must have an offset")
    instant = int(moment.timestamp())
    if not _EARLIEST <= instant < _LATEST or moment.microsecond:
        raise ValueError("must be in whole seconds, from 1970 to 9998")
    return instant


def local_date(instant: int, zone: ZoneInfo) -> date:
    return local(instant, zone).date()


@lru_cache(maxsize=4096)
def midnight(day: date, zone: ZoneInfo) -> int:
    """Returns the start of a local day, even if a clock change skips midnight."""
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp())


def end_of(day: date, zone: ZoneInfo) -> int:
    return midnight(day + timedelta(days=1), zone)


@lru_cache(maxsize=1024)
def midnight_after(instant: int, zone: ZoneInfo, days: int) -> int:
    """Returns the start of the local day that is `days` days after `instant`."""
    return midnight(local_date(instant, zone) + timedelta(days=days), zone)


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    """Raises ValueError if there is no IANA time zone `name`."""
    try:
        return ZoneInfo(name)
    except (OSError, KeyError, ValueError):
        raise ValueError("must be an IANA time zone") from None


def shown(instant: int | None, name: str) -> str | None:
    """Returns the ISO 8601 text in the time zone `name`, or None for None. Uses UTC if the zone is
    unknown: one business with an unknown time zone must not break a list of several."""
    if instant is None:
        return None
    try:
        zone = zone_of(name)
    except ValueError:
        zone = zone_of("UTC")
    return to_iso(instant, zone)


def wall(instant: int, zone: ZoneInfo) -> int:
    """Returns the local date and time as seconds since 1970-01-01 00:00 local time."""
    return instant + _offset(instant, zone)


@lru_cache(maxsize=4096)
def of_wall(start: int, end: int, zone: ZoneInfo) -> tuple[tuple[int, int], ...]:
    """Returns the periods, in Unix seconds, in which the local clock shows times in [start, end).

    `start` and `end` are seconds since 1970-01-01 00:00 local time. Usually there is one
    period. A clock change can result in two periods, or in none if all these times are skipped.
    """
    before, after = start - DAY, end + DAY  # at most one clock change is between these instants
    old, new = _offset(before, zone), _offset(after, zone)
    if old == new:
        return ((start - old, end - old),)
    between = range(before, after)
    change = before + bisect_left(between, True, key=lambda at: _offset(at, zone) != old)
    parts = (start - old, min(end - old, change)), (max(start - new, change), end - new)
    return tuple((first, last) for first, last in parts if first < last)


def _offset(instant: int, zone: ZoneInfo) -> int:
    offset = local(instant, zone).utcoffset()
    return (offset or timedelta()) // timedelta(seconds=1)
