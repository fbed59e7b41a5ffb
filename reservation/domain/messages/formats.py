"""Formats times and prices in the languages of the messages."""

from datetime import datetime
from zoneinfo import ZoneInfo

from reservation.lib import instants

_DAYS = {
    "fr": ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
_MONTHS = {
    "fr": (
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
        "octobre", "novembre", "décembre",
    ),
    "en": (
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ),
}
_FRENCH = str.maketrans({",": "\u202f", ".": ","})  # decimal comma, spaces between thousands


def when(debut: int, fin: int, zone: ZoneInfo, langue: str) -> str:
    """Formats a period, such as `mardi 24 novembre 2026, 09:00–09:45 (Europe/Paris)`."""
    start, end = instants.local(debut, zone), instants.local(fin, zone)
    until = f"–{_clock(end)}"
    if end.date() != start.date():
        until = f" – {moment(fin, zone, langue)}"
    return f"{moment(debut, zone, langue)}{until} ({zone.key})"


def moment(instant: int, zone: ZoneInfo, langue: str) -> str:
    """Formats an instant, such as `mardi 24 novembre 2026, 09:00`."""
    local = instants.local(instant, zone)
    return f"{_day(local, langue)}, {_clock(local)}"


def price(cents: int, langue: str) -> str:
    """Formats a price as a line, such as `Tarif : 1 234,50 €`. Returns "" for 0: the service has
    no price."""
    if not cents:
        return ""
    amount = f"{cents / 100:,.2f}".removesuffix(".00")
    if langue == "en":
        return f"Price: €{amount}"
    return f"Tarif\u00a0: {amount.translate(_FRENCH)}\u00a0€"


def _day(local: datetime, langue: str) -> str:
    first = "1er" if langue == "fr" and local.day == 1 else str(local.day)
    day, month = _DAYS[langue][local.weekday()], _MONTHS[langue][local.month - 1]
    return f"{day} {first} {month} {local.year}"


def _clock(local: datetime) -> str:
    """Formats a time. Adds the zone's abbreviation if the time occurs twice on that day."""
    twice = local.replace(fold=1 - local.fold).utcoffset() != local.utcoffset()
    return f"{local:%H:%M} {local.tzname()}" if twice else f"{local:%H:%M}"
