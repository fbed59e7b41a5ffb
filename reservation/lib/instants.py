"""Instants: stored as whole seconds since 1970-01-01 UTC, shown as ISO 8601 with an offset."""

from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

DAY = 86400
FRANCE = "Europe/Paris"
_EARLIEST, _LATEST = 0, 253_402_214_400  # from 1970 up to the last day of the year 9999


def local(instant: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(instant, zone)


def to_iso(instant: int, zone: ZoneInfo) -> str:
    return local(instant, zone).isoformat()


def from_iso(text: str) -> int:
    """Raises ValueError for what is no ISO 8601 date and time with an offset."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time needs its offset")
    instant = int(moment.timestamp())
    if not _EARLIEST <= instant < _LATEST or moment.microsecond:
        raise ValueError("a time is in whole seconds, from 1970 to 9999")
    return instant


def local_date(instant: int, zone: ZoneInfo) -> date:
    return local(instant, zone).date()


def today(zone: ZoneInfo) -> date:
    return datetime.now(zone).date()


@lru_cache(maxsize=4096)
def midnight(day: date, zone: ZoneInfo) -> int:
    """The first instant of a local date; where a clock change skips midnight, what follows."""
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp())


def end_of(day: date, zone: ZoneInfo) -> int:
    return midnight(day + timedelta(days=1), zone)


def midnight_after(instant: int, zone: ZoneInfo, days: int) -> int:
    """Returns the end of the local day that comes `days` - 1 days after the one of `instant`."""
    return midnight(local_date(instant, zone) + timedelta(days=days), zone)


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    """Raises ValueError for a name that is no IANA zone."""
    try:
        return ZoneInfo(name)
    except (OSError, KeyError, ValueError):
        raise ValueError("is no IANA time zone") from None
