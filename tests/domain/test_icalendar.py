"""Calendar files, parsed with the icalendar library as another program would."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reservation.domain.states import STATES
from reservation.lib import icalendar as lib
from reservation.lib.icalendar import (
    LONGEST,
    STATUSES,
    CalendarEntry,
    Participant,
    cancellation,
    feed,
    invitation,
    publication,
)

SALON = Participant("Salon Alice", "salon@example.fr")
CHLOE = Participant("Chloé", "chloe@example.fr")
PROPERTIES = [
    "BEGIN", "VERSION", "PRODID", "METHOD", "BEGIN", "UID", "DTSTAMP", "DTSTART", "DTEND",
    "SEQUENCE", "STATUS", "SUMMARY", "ORGANIZER", "ATTENDEE", "LOCATION", "DESCRIPTION", "END",
    "END",
]
# Characters that some readers treat as a line break.
BREAKS = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
TYPED = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from('\\;,":^nN= \t\r\n\x1b\u2028')
)
ATTACKS = [
    *(f"Zoé{line}ATTENDEE:mailto:mallory@example.fr{line}" for line in BREAKS),
    'Zoé":mailto:mallory@example.fr\r\nATTENDEE;CN="x',
    'Zoé";ROLE=CHAIR;X="', "Zoé^nATTENDEE:x", "Zoé^'^^", "Zoé\\nATTENDEE:x", "Zoé\\", "Zoé\\;",
    "Zoé;ROLE=CHAIR", "Zoé:mailto:mallory@example.fr", "a,b", "\0\x07\x1b[31m\x7f\x9b",
    "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "é" * 40 + "\r\n ATTENDEE:x", " \r\n\tX:y",
    "=?utf-8?q?x?=",
]


def entry(**changes):
    made = {
        "reservation_id": 7, "host": "reservation.example", "debut": 1_774_749_600,
        "fin": 1_774_753_200, "sequence": 2, "statut": "confirmee", "stamp": 1_770_000_000,
        "summary": "Coupe – Salon Alice", "organizer": SALON, "attendee": CHLOE,
        "location": "3 rue de la Paix, 69002 Lyon", "description": "Salon Alice\n04 00 00 00 00",
    }
    return CalendarEntry(**{**made, **changes})


def parsed(text):
    """Returns the parsed calendar. Asserts that the parser found no errors."""
    calendar = icalendar.Calendar.from_ical(text)
    assert [part.errors for part in calendar.walk()] == [[] for _ in calendar.walk()]
    return calendar


def event_of(text):
    (event,) = parsed(text).events
    return event


def calname(text):
    """Returns the calendar's name, unescaped.

    The library does not unescape unknown properties, so the function renames the property to
    COMMENT, also a TEXT.
    """
    return str(parsed(text.replace("\r\nX-WR-CALNAME:", "\r\nCOMMENT:"))["COMMENT"])


def names(text):
    """Returns the name of each property, in the order of the file."""
    unfolded = text.replace("\r\n ", "")
    return [re.match("[A-Z-]*", line)[0] for line in unfolded.split("\r\n")[:-1]]


def one_line_each(text):
    """Returns a text as a parser returns it: breaks as LF, controls as spaces."""
    text = re.sub("\r\n|[" + "".join(BREAKS) + "]", "\n", text)
    return re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", " ", text)


def test_an_invitation_is_read_as_it_was_meant():
    calendar = parsed(invitation(entry()))
    assert (calendar["METHOD"], calendar["VERSION"]) == ("REQUEST", "2.0")
    (event,) = calendar.events
    assert {name: event.decoded(name) for name in ("DTSTART", "DTEND", "DTSTAMP")} == {
        "DTSTART": datetime(2026, 3, 29, 2, tzinfo=UTC),
        "DTEND": datetime(2026, 3, 29, 3, tzinfo=UTC),
        "DTSTAMP": datetime(2026, 2, 2, 2, 40, tzinfo=UTC),
    }
    assert event["UID"] == "reservation-7@reservation.example"
    assert (event["SEQUENCE"], event["STATUS"]) == (2, "CONFIRMED")
    assert event["SUMMARY"] == "Coupe – Salon Alice"
    assert event["LOCATION"] == "3 rue de la Paix, 69002 Lyon"
    assert event["DESCRIPTION"] == "Salon Alice\n04 00 00 00 00"
    assert event["ORGANIZER"] == "mailto:salon@example.fr"
    assert event["ORGANIZER"].params == {"CN": "Salon Alice"}
    assert event["ATTENDEE"] == "mailto:chloe@example.fr"
    answered = {"CN": "Chloé", "PARTSTAT": "ACCEPTED", "RSVP": "FALSE"}
    assert event["ATTENDEE"].params == answered


def test_a_cancellation_cancels_whatever_state_it_tells_of():
    for statut in STATES:
        calendar = parsed(cancellation(entry(statut=statut, sequence=3)))
        (event,) = calendar.events
        assert (calendar["METHOD"], event["STATUS"], event["SEQUENCE"]) == (
            "CANCEL", "CANCELLED", 3
        )
        assert (event["UID"], event["ATTENDEE"]) == (
            event_of(invitation(entry()))["UID"], "mailto:chloe@example.fr"
        )


def test_what_is_published_asks_nobody_for_an_answer():
    for text in (publication(entry()), feed("Salon", [entry()])):
        assert parsed(text)["METHOD"] == "PUBLISH"
        assert "ATTENDEE" not in event_of(text)  # RFC 5546, section 3.2.1


@pytest.mark.parametrize("statut", STATES)
def test_each_state_has_its_status(statut):
    wanted = {"demandee": "TENTATIVE", "annulee": "CANCELLED", "refusee": "CANCELLED"}
    assert set(STATUSES) == set(STATES)
    for text in (invitation(entry(statut=statut)), publication(entry(statut=statut))):
        assert event_of(text)["STATUS"] == wanted.get(statut, "CONFIRMED")


def test_a_feed_names_itself_and_says_how_often_to_come_back():
    entries = [entry(), entry(reservation_id=8, statut="annulee")]
    text = feed("Réservations, du salon", entries)
    assert calname(text) == "Réservations, du salon"
    calendar = parsed(text)
    assert calendar.decoded("REFRESH-INTERVAL") == timedelta(hours=1)
    assert calendar["X-PUBLISHED-TTL"] == "PT1H"
    assert [event["UID"].partition("@")[0] for event in calendar.events] == [
        "reservation-7", "reservation-8"
    ]
    assert parsed(feed("Rien", [])).events == []


unhurried = settings(deadline=None)  # a busy machine may pause


@unhurried
@given(TYPED)
@example("\\n \\N \\\\n \\; \\, \\\\")
@example("\r\n" * 3 + "\n\r")
@example("".join(BREAKS))
def test_every_text_comes_back(text):
    event = event_of(invitation(entry(summary=text, location=text, description=text)))
    wanted = one_line_each(text)
    assert str(event["SUMMARY"]) == wanted
    assert str(event.get("LOCATION", "")) == str(event.get("DESCRIPTION", "")) == wanted
    assert calname(feed(text, [])) == wanted


def test_a_text_is_escaped_as_the_standard_says():
    text = publication(entry(summary="a, b; c\\d\r\ne: \"f\""))
    assert "\r\nSUMMARY:a\\, b\\; c\\\\d\\ne: \"f\"\r\n" in text  # RFC 5545, section 3.3.11


@unhurried
@given(TYPED)
@example("^n^'^^n")
@example("\\, \\n \\")
def test_every_name_comes_back_but_for_its_quotes_and_backslashes(name):
    person = Participant(name, "zoe@example.fr")
    event = event_of(invitation(entry(organizer=person, attendee=person)))
    wanted = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", name)
    wanted = wanted.translate({ord('"'): "'", ord("\\"): "/"})
    assert event["ORGANIZER"].params.get("CN", "") == wanted
    assert event["ATTENDEE"].params.get("CN", "") == wanted


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_is_typed_becomes_a_property_or_a_parameter(attack):
    typed = dict.fromkeys(("summary", "location", "description", "host"), attack)
    person = Participant(attack, attack)
    text = invitation(entry(**typed, organizer=person, attendee=person))
    assert names(text) == PROPERTIES
    assert text.splitlines() == text.split("\r\n")[:-1]  # no other line break, by any definition
    assert re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]", text) is None
    event = event_of(text)
    assert set(event["ORGANIZER"].params) == {"CN"}
    assert set(event["ATTENDEE"].params) == {"CN", "PARTSTAT", "RSVP"}
    assert names(feed(attack, [])).count("X-WR-CALNAME") == 1


def test_an_address_cannot_go_on_to_other_headers_of_a_mail():
    person = Participant("Zoé", "a?bcc=b&cc=c%0a#@example.fr")
    event = event_of(invitation(entry(organizer=person, attendee=person)))
    assert event["ORGANIZER"] == "mailto:a%3Fbcc%3Db%26cc%3Dc%250a%23@example.fr"
    assert event["ATTENDEE"] == event["ORGANIZER"]


@unhurried
@given(st.text(st.sampled_from("aé–€𝄞,\n"), min_size=40, max_size=400))
def test_a_line_is_folded_at_75_octets_and_within_no_character(text):
    lines = invitation(entry(summary=text)).encode().split(b"\r\n")
    assert lines.pop() == b""
    assert b"".join(lines).count(b"\n") == 0
    for line in lines:
        assert len(line) <= LONGEST == 75
        line.decode()
    long = [one for one, after in zip(lines, lines[1:], strict=False) if after.startswith(b" ")]
    assert all(len(line) > LONGEST - 4 for line in long)  # a line is not folded too early


def test_every_property_with_a_text_is_folded():
    long = "é" * 90
    person = Participant(long, f"{'x' * 90}@example.fr")
    texts = dict.fromkeys(("host", "summary", "location", "description"), long)
    told = entry(**texts, organizer=person, attendee=person)
    for text in (invitation(told), feed(long, [told])):
        assert max(map(len, text.encode().split(b"\r\n"))) == LONGEST


def test_a_feed_formats_the_organizer_and_the_place_of_a_business_once(monkeypatch):
    formatted = []

    def counted(line):
        formatted.append(line.partition(":")[0])
        return folded(line)

    folded = lib._folded
    monkeypatch.setattr(lib, "_folded", counted)
    of_business = {"organizer": Participant("Une fois", "une@example.fr"), "location": "Une fois"}
    feed("Salon", [entry(reservation_id=number, **of_business) for number in range(50)])
    assert formatted.count('ORGANIZER;CN="Une fois"') == formatted.count("LOCATION") == 1
    assert formatted.count("SUMMARY") == 50


@pytest.mark.parametrize(("length", "lines"), [(67, 1), (68, 2), (141, 2), (142, 3)])
def test_a_line_of_75_octets_is_not_folded(length, lines):
    text = publication(entry(summary="x" * length))
    summary = text[text.index("SUMMARY") : text.index("\r\nORGANIZER")]
    assert len(summary.split("\r\n")) == lines


@pytest.mark.parametrize("day", [datetime(2026, 3, 29), datetime(2026, 10, 25)])
@pytest.mark.parametrize(
    "name",
    ["Europe/Paris", "Indian/Reunion", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"],
)
def test_the_times_are_those_of_the_visit_on_the_days_of_a_clock_change(name, day):
    zone = ZoneInfo(name)
    first = int((day - timedelta(days=8)).replace(tzinfo=zone).timestamp())
    # Covers the changes of New York and Lord Howe too
    for debut in range(first, first + 16 * 86400, 1800):
        fin = debut + 2700
        event = event_of(publication(entry(debut=debut, fin=fin)))
        wanted = [datetime.fromtimestamp(one, zone) for one in (debut, fin)]
        shown = [event.decoded(one).astimezone(zone) for one in ("DTSTART", "DTEND")]
        assert [(one, one.fold) for one in shown] == [(one, one.fold) for one in wanted]
        assert [one.timestamp() for one in shown] == [debut, fin]
