"""Calendar files, written by hand: of RFC 5545 (and RFC 5546, for mails) what a visit needs.

Times are written in UTC, so that no file needs a VTIMEZONE. Nothing that somebody typed can
end its line or its quotes: a TEXT is escaped, a parameter quoted, an address percent-encoded.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
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
LONGEST = 75  # octets in a line, without its end: RFC 5545, section 3.1
_REFRESH = "PT1H"
_HEAD = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Reservation//Calendrier//FR")
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # all that some reader may take for a line's end
_TEXT = str.maketrans(
    {**_CONTROLS, **dict.fromkeys(_BREAKS, r"\n"), "\\": r"\\", ";": r"\;", ",": r"\,"}
)
# No parameter can hold a double quote, and to some readers a backslash escapes what follows.
# To RFC 6868 a circumflex does.
_PARAMETER = str.maketrans(
    {**_CONTROLS, **dict.fromkeys(_BREAKS, " "), '"': "'", "\\": "/", "^": "^^"}
)
_IN_ADDRESS = "@!$'*+"  # not "?" and "&", with which a mailto: goes on to other headers


class Person(NamedTuple):
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A visit as it stands in somebody's calendar. Times are Unix seconds.

    `reservation_id` and `host` make the UID, by which a calendar knows it again; of two with
    one UID the higher `sequence` holds. `stamp` is when it was last changed.
    """

    reservation_id: int
    host: str
    debut: int
    fin: int
    sequence: int
    statut: str
    stamp: int
    summary: str
    organizer: Person
    attendee: Person | None = None
    location: str = ""
    description: str = ""


def invitation(entry: Entry) -> str:
    """The file that puts a visit into its attendee's calendar, or moves it there."""
    return _file("REQUEST", _event(entry, entry.attendee))


def cancellation(entry: Entry) -> str:
    """The file that takes a visit out of its attendee's calendar."""
    return _file("CANCEL", _event(entry, entry.attendee, "CANCELLED"))


def publication(entry: Entry) -> str:
    """The file of one visit, to be imported; it asks nobody for an answer."""
    return _file("PUBLISH", _event(entry))


def feed(name: str, entries: Iterable[Entry]) -> str:
    """A calendar of this name, to be subscribed to."""
    lines = [
        f"X-WR-CALNAME:{_text(name)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{_REFRESH}",
        f"X-PUBLISHED-TTL:{_REFRESH}",
    ]
    for entry in entries:
        lines += _event(entry)
    return _file("PUBLISH", lines)


def _file(method: str, lines: list[str]) -> str:
    whole = (*_HEAD, f"METHOD:{method}", *lines, "END:VCALENDAR", "")
    return "\r\n".join([_folded(line) for line in whole])


def _event(entry: Entry, attendee: Person | None = None, status: str = "") -> list[str]:
    lines = [
        "BEGIN:VEVENT",
        f"UID:reservation-{entry.reservation_id}@{_text(entry.host)}",
        f"DTSTAMP:{_utc(entry.stamp)}",
        f"DTSTART:{_utc(entry.debut)}",
        f"DTEND:{_utc(entry.fin)}",
        f"SEQUENCE:{entry.sequence}",
        f"STATUS:{status or STATUSES[entry.statut]}",
        f"SUMMARY:{_text(entry.summary)}",
        f"ORGANIZER;{_address(entry.organizer)}",
    ]
    if attendee:  # who has booked needs no answering
        lines.append(f"ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE;{_address(attendee)}")
    if entry.location:
        lines.append(f"LOCATION:{_text(entry.location)}")
    if entry.description:
        lines.append(f"DESCRIPTION:{_text(entry.description)}")
    lines.append("END:VEVENT")
    return lines


def _utc(instant: int) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(instant))


def _text(text: str) -> str:
    return text.replace("\r\n", "\n").translate(_TEXT)


def _address(person: Person) -> str:
    name = person.name.translate(_PARAMETER)
    return f'CN="{name}":mailto:{quote(person.email, safe=_IN_ADDRESS)}'


def _folded(line: str) -> str:
    """The line in pieces of LONGEST octets at most, none of which splits a character."""
    octets = line.encode()
    if len(octets) <= LONGEST:
        return line
    pieces, start, room = [], 0, LONGEST
    while start < len(octets):
        end = start + room
        while end < len(octets) and octets[end] & 0xC0 == 0x80:  # within a character
            end -= 1
        pieces.append(octets[start:end].decode())
        start, room = end, LONGEST - 1  # after the space that a further piece begins with
    return "\r\n ".join(pieces)
