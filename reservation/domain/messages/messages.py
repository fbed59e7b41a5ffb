"""The words of a message: a template of its kind and language, filled in when it is sent.

A template is a text whose first line is the subject. The HTML is made of the same text, all
of it escaped, so that no value can be anything but text, and $lien alone a link. A
deployment's own folder may hold any of the files, which then stand in for the shipped ones.
"""

import html
import re
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import NamedTuple
from zoneinfo import ZoneInfo

from reservation.domain.messages.visits import Booked
from reservation.domain.people import resetting
from reservation.lib import instants
from reservation.lib.mime import one_line
from reservation.settings import BadSetting

LANGUAGES = ("fr", "en")
TO_CUSTOMER = (
    "demandee",
    "confirmee",
    "approuvee",
    "refusee",
    "deplacee",
    "annulee",
    "annulee_entreprise",
    "fermeture",
    "rappel",
)
TO_BUSINESS = ("nouvelle", "a_valider", "deplacement", "annulation")
RESET = resetting.GENRE
KINDS = (*TO_CUSTOMER, *TO_BUSINESS, RESET)
NAMES = {
    "client", "contact", "commentaire", "entreprise", "lieu", "message", "prestation", "quand",
    "lien",
}
OF_LINES = {"contact", "commentaire", "lieu", "message"}  # the values that may have several
_LAYOUT = "layout.html"
_IN_LAYOUT = {"langue", "sujet", "paragraphes"}
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


class Words(NamedTuple):
    """What is sent of a message."""

    subject: str
    text: str
    html: str


def when(debut: int, fin: int, zone: ZoneInfo, langue: str) -> str:
    """`mardi 24 novembre 2026, 09:00–09:45 (Europe/Paris)`: wall times, and of which zone."""
    start, end = instants.local(debut, zone), instants.local(fin, zone)
    until = f"–{_clock(end)}"
    if end.date() != start.date():
        until = f" – {_day(end, langue)}, {_clock(end)}"
    return f"{_day(start, langue)}, {_clock(start)}{until} ({zone.key})"


def _day(moment: datetime, langue: str) -> str:
    first = "1er" if langue == "fr" and moment.day == 1 else str(moment.day)
    day, month = _DAYS[langue][moment.weekday()], _MONTHS[langue][moment.month - 1]
    return f"{day} {first} {month} {moment.year}"


def _clock(moment: datetime) -> str:
    """The wall time; when the clocks go back, with what tells the two hours apart."""
    twice = moment.replace(fold=1 - moment.fold).utcoffset() != moment.utcoffset()
    return f"{moment:%H:%M} {moment.tzname()}" if twice else f"{moment:%H:%M}"


def about(
    visit: Booked, debut: int, fin: int, langue: str, link: str, message: str = ""
) -> dict[str, str]:
    """The values of a message about a visit, at the time that it was when it was queued, and
    with what the owner adds in his own words."""
    return {
        "client": visit.client,
        "contact": "\n".join(filter(None, (visit.telephone, visit.email))),
        "commentaire": visit.commentaire,
        "entreprise": visit.entreprise,
        "lieu": "\n".join(filter(None, (visit.lieu, visit.entreprise_telephone))),
        "message": message and f"{message}\n— {visit.entreprise}",
        "prestation": visit.prestation,
        "quand": when(debut, fin, instants.zone_of(visit.fuseau), langue),
        "lien": link,
    }


class _Parts(NamedTuple):
    subject: Template
    text: Template
    html: Template


class Templates:
    """The templates of a deployment, all read and checked at once.

    Raises BadSetting for one that cannot be read, or names a value which no message has.
    """

    def __init__(self, folder: str = "") -> None:
        self._own = Path(folder) if folder else None
        self._messages = {
            (langue, kind): _parts(self._read(f"{langue}/{kind}.txt", NAMES))
            for langue in LANGUAGES
            for kind in KINDS
        }
        self._layout = Template(self._read(_LAYOUT, _IN_LAYOUT))

    def _read(self, name: str, known: set[str]) -> str:
        own = self._own / name if self._own else None
        shipped = files("reservation.data").joinpath("mails", name)
        source = own if own is not None and own.is_file() else shipped
        try:
            text = source.read_text(encoding="utf-8")
            _check(text, known)
        except (OSError, ValueError) as ex:
            raise BadSetting(f"the mail template {source} {_why(ex)}") from None
        return text

    def render(self, kind: str, langue: str, values: dict[str, str]) -> Words:
        """The message in words; blank lines that an empty value leaves are taken out."""
        parts = self._messages[langue, kind]
        typed = {name: _typed(name, values.get(name, "")) for name in NAMES}
        subject = one_line(parts.subject.substitute(typed))
        escaped = {name: html.escape(value) for name, value in typed.items()}
        escaped["lien"] = f'<a href="{escaped["lien"]}">{escaped["lien"]}</a>'
        page = self._layout.substitute(
            langue=langue,
            sujet=html.escape(subject),
            paragraphes="\n".join(
                "<p>" + paragraph.replace("\n", "<br>\n") + "</p>"
                for paragraph in _paragraphs(parts.html.substitute(escaped))
            ),
        )
        text = "\n\n".join(_paragraphs(parts.text.substitute(typed))) + "\n"
        return Words(subject, text, page)


def _check(text: str, known: set[str]) -> None:
    """Raises ValueError for a $ that stands for no known value."""
    for found in Template.pattern.finditer(text):
        if found["invalid"] is not None:
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"has a $ that names nothing, in line {line}")
        name = found["named"] or found["braced"]
        if name and name not in known:
            raise ValueError(f"names ${name}, which no message has")


def _why(ex: Exception) -> str:
    unreadable = isinstance(ex, OSError | UnicodeDecodeError)
    return f"cannot be read: {ex}" if unreadable else str(ex)


def _parts(template: str) -> _Parts:
    subject, _, body = template.partition("\n")
    return _Parts(Template(subject), Template(body), Template(html.escape(body)))


def _typed(name: str, value: str) -> str:
    """A name that holds a line break would end the subject, or look like words of ours."""
    if name in OF_LINES:
        return "\n".join(value.splitlines())
    return " ".join(value.split())


def _paragraphs(body: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", body) if part.strip()]
