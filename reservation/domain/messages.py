"""The words of a message: a template of its kind and language, filled in when it is sent.

A template is a text whose first line is the subject. The HTML is made of the same text, all
of it escaped, so that no value can be anything but text. A deployment's own folder may hold
any of the files, which then stand in for the shipped ones.
"""

import html
import re
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import NamedTuple
from zoneinfo import ZoneInfo

from reservation.domain import instants
from reservation.domain.visits import Booked
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
RESET = "mot_de_passe"
KINDS = (*TO_CUSTOMER, *TO_BUSINESS, RESET)
NAMES = {
    "client", "contact", "commentaire", "entreprise", "lieu", "prestation", "quand", "lien"
}
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
    day = f"{_DAYS[langue][start.weekday()]} {start.day} {_MONTHS[langue][start.month - 1]}"
    return f"{day} {start.year}, {start:%H:%M}–{end:%H:%M} ({zone.key})"


def about(visit: Booked, debut: int, fin: int, langue: str, link: str) -> dict[str, str]:
    """The values of a message about a visit, at the time that it was when it was queued."""
    return {
        "client": visit.client,
        "contact": "\n".join(filter(None, (visit.telephone, visit.email))),
        "commentaire": visit.commentaire,
        "entreprise": visit.entreprise,
        "lieu": "\n".join(filter(None, (visit.lieu, visit.entreprise_telephone))),
        "prestation": visit.prestation,
        "quand": when(debut, fin, instants.zone_of(visit.fuseau), langue),
        "lien": link,
    }


class Templates:
    """The templates of a deployment, all read and checked at once.

    Raises BadSetting for one that names a value which no message has.
    """

    def __init__(self, folder: str = "") -> None:
        self._own = Path(folder) if folder else None
        self._messages = {
            (langue, kind): self._read(f"{langue}/{kind}.txt", NAMES)
            for langue in LANGUAGES
            for kind in KINDS
        }
        self._layout = self._read(_LAYOUT, _IN_LAYOUT)

    def _read(self, name: str, known: set[str]) -> Template:
        own = self._own / name if self._own else None
        shipped = files("reservation.data").joinpath("mails", name)
        source = own if own is not None and own.is_file() else shipped
        template = Template(source.read_text(encoding="utf-8"))
        if not template.is_valid():
            raise BadSetting(f"the mail template {name} has a $ that names nothing")
        for unknown in sorted(set(template.get_identifiers()) - known):
            raise BadSetting(f"the mail template {name} names ${unknown}, which no message has")
        return template

    def render(self, kind: str, langue: str, values: dict[str, str]) -> Words:
        """The message in words; blank lines that an empty value leaves are taken out."""
        filled = self._messages[langue, kind].substitute(dict.fromkeys(NAMES, "") | values)
        subject, _, body = filled.partition("\n")
        paragraphs = [part.strip() for part in re.split(r"\n\s*\n", body) if part.strip()]
        page = self._layout.substitute(
            langue=langue,
            sujet=html.escape(subject),
            paragraphes="\n".join(_paragraph(part, values["lien"]) for part in paragraphs),
        )
        return Words(subject, "\n\n".join(paragraphs) + "\n", page)


def _paragraph(text: str, link: str) -> str:
    """Of the addresses in it only ours becomes a link: what people typed stays text."""
    escaped, address = html.escape(text).replace("\n", "<br>\n"), html.escape(link)
    linked = escaped.replace(address, f'<a href="{address}">{address}</a>')
    return f"<p>{linked}</p>"
