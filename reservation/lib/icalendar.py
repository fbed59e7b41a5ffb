"""Calendar files (iCalendar): RFC 5545, and RFC 5546 for e-mails.

Times are in UTC, so no file needs a VTIMEZONE. User input is escaped, so that a name cannot add a
line or a parameter to a file.
"""

import re
import time
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

MIME = "text/calendar"
STATUSES = {
    "demandee": "TENTATIVE",
    "confirmee": "CONFIRMED",
    "honoree": "CONFIRMED",
    "absente": "CONFIRMED",
    "refusee": "CANCELLED",
    "annulee": "CANCELLED",
}
LONGEST = 75  # maximum number of octets in a line, not counting CRLF: RFC 5545, section 3.1
_REFRESH = "PT1H"
_HEAD = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Reservation//Calendrier//FR")
_CONTROLS = dict.fromkeys(map(chr, (*range(0x20), *range(0x7F, 0xA0))), " ")
_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # some programs read these as line ends
_TEXT = {**_CONTROLS, **dict.fromkeys(_BREAKS, r"\n"), "\\": r"\\", ";": r"\;", ",": r"\,"}
# `re.sub` is faster than `translate`, because texts have few of these characters.
_IN_TEXT = re.compile(f"\r\n|[{re.escape(''.join(_TEXT))}]")
# In a parameter, a double quote is not allowed, and "^" is an escape character (RFC 6868). Some
# programs also read a backslash as an escape character.
_PARAMETER = str.maketrans(
    {**_CONTROLS, **dict.fromkeys(_BREAKS, " "), '"': "'", "\\": "/", "^": "^^"}
)
# These characters are not percent-encoded in a `mailto:` URL. "?" and "&" are encoded, because
# they would begin parameters such as `subject`.
_IN_ADDRESS = "@!$'*+"


class Participant(NamedTuple):
    name: str
    email: str


class CalendarEntry(NamedTuple):
    """A visit in a calendar. Times are Unix seconds; `stamp` is the time of the last change.

    `reservation_id` and `host` identify the entry. Calendars keep the version with the highest
    `sequence`.
    """

    reservation_id: int
    host: str
    debut: int
    fin: int
    sequence: int
    statut: str
    stamp: int
    summary: str
    organizer: Participant
    attendee: Participant | None = None
    location: str = ""
    description: str = ""


def invitation(entry: CalendarEntry) -> str:
    """Returns the file that adds or updates the visit in the attendee's calendar."""
    return _file("REQUEST", _event(entry, entry.attendee))


def cancellation(entry: CalendarEntry) -> str:
    """Returns the file that removes the visit from the attendee's calendar."""
    return _file("CANCEL", _event(entry, entry.attendee, "CANCELLED"))


def publication(entry: CalendarEntry) -> str:
    """Returns a file that can be imported into any calendar. The file names no attendee."""
    return _file("PUBLISH", _event(entry))


def feed(name: str, entries: Iterable[CalendarEntry]) -> str:
    lines = [
        _folded(f"X-WR-CALNAME:{_text(name)}"),
        f"REFRESH-INTERVAL;VALUE=DURATION:{_REFRESH}",
        f"X-PUBLISHED-TTL:{_REFRESH}",
    ]
    for entry in entries:
        lines += _event(entry)
    return _file("PUBLISH", lines)


def _file(method: str, lines: list[str]) -> str:
    return "\r\n".join((*_HEAD, f"METHOD:{method}", *lines, "END:VCALENDAR", ""))


def _event(
    entry: CalendarEntry, attendee: Participant | None = None, status: str = ""
) -> list[str]:
    lines = [
        "BEGIN:VEVENT",
        _folded(f"UID:reservation-{entry.reservation_id}@{_text(entry.host)}"),
        f"DTSTAMP:{_utc(entry.stamp)}",  # these five lines are too short to need folding
        f"DTSTART:{_utc(entry.debut)}",
        f"DTEND:{_utc(entry.fin)}",
        f"SEQUENCE:{entry.sequence}",
        f"STATUS:{status or STATUSES[entry.statut]}",
        _folded(f"SUMMARY:{_text(entry.summary)}"),
        _organizer(entry.organizer),
    ]
    if attendee:
        lines.append(_folded(f"ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE;{_address(attendee)}"))
    if entry.location:
        lines.append(_location(entry.location))
    if entry.description:
        lines.append(_folded(f"DESCRIPTION:{_text(entry.description)}"))
    lines.append("END:VEVENT")
    return lines


# `_organizer` and `_location` are cached, because entries of a business share these lines.
@lru_cache(maxsize=100)
def _organizer(person: Participant) -> str:
    return _folded(f"ORGANIZER;{_address(person)}")


@lru_cache(maxsize=100)
def _location(text: str) -> str:
    return _folded(f"LOCATION:{_text(text)}")


@lru_cache(maxsize=1000)  # many visits begin or end at the same time
def _utc(instant: int) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(instant))


def _text(text: str) -> str:
    return _IN_TEXT.sub(lambda found: _TEXT[found[0][0]], text)


def _address(person: Participant) -> str:
    name = person.name.translate(_PARAMETER)
    return f'CN="{name}":mailto:{quote(person.email, safe=_IN_ADDRESS)}'


def _folded(line: str) -> str:
    if len(line) <= LONGEST and line.isascii():
        return line
    octets = line.encode()
    if len(octets) <= LONGEST:
        return line
    pieces, start, room = [], 0, LONGEST
    while start < len(octets):
        end = start + room
        while end < len(octets) and octets[end] & 0xC0 == 0x80:  # do not split a UTF-8 character
            end -= 1
        pieces.append(octets[start:end].decode())
        start, room = end, LONGEST - 1  # a continuation line begins with a space
    return "\r\n ".join(pieces)
