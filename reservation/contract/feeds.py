"""Calendars to take along: the file of a reservation, and the private feeds."""

from reservation.contract.answers import Answer, refusals
from reservation.contract.operation import Operation
from reservation.http.schemas import shown
from reservation.lib import icalendar

_EXAMPLE = "https://reservation.example/flux/u1-1-mEWfCfOC3Bp0CW3YGuWXFA.ics"
_ADDRESS = shown("Feed", {"url": {"type": "string", "format": "uri", "examples": [_EXAMPLE]}})
_CALENDAR = {"type": "string", "examples": ["BEGIN:VCALENDAR\r\n…\r\nEND:VCALENDAR\r\n"]}
_KNOWN = {200: Answer("The private address.", _ADDRESS, headers=("ETag",))}
_RENEWED = {200: Answer("The new address; the old one ends.", _ADDRESS)}

FILE = Operation(
    "readReservationFile",
    "A reservation as a file for calendar programs",
    account=True,
    headers=("If-None-Match",),
    answers={200: Answer("iCalendar.", _CALENDAR, icalendar.MIME, headers=("ETag",))},
)
READ = Operation(
    "readFlux",
    "The private address of the calendar of all one's reservations",
    account=True,
    headers=("If-None-Match",),
    answers=_KNOWN,
)
RENEW = Operation("renewFlux", "Another address instead", account=True, answers=_RENEWED)
READ_OF_ENTREPRISE = Operation(
    "readFluxOfEntreprise",
    "The private address of the calendar of a business",
    account=True,
    headers=("If-None-Match",),
    answers=_KNOWN,
    refuses=refusals(403),
)
RENEW_OF_ENTREPRISE = Operation(
    "renewFluxOfEntreprise",
    "Another address instead",
    account=True,
    answers=_RENEWED,
    refuses=refusals(403),
)
FEED = Operation(
    "readFeed",
    "A calendar to subscribe to; its address is what opens it",
    headers=("If-None-Match",),
    answers={200: Answer("iCalendar.", _CALENDAR, icalendar.MIME, headers=("ETag",))},
)
