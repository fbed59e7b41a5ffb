"""Makes the texts of messages from a template for each kind and language.

The first line of a template is the subject, and the other lines are the body. A file of the same
name in RESERVATION_MAIL_TEMPLATES replaces a template.
"""

import html
import re
from pathlib import Path
from string import Template
from typing import NamedTuple

from reservation.domain.messages.formats import when
from reservation.domain.messages.visits import VisitRecord
from reservation.domain.outbox.outbox import TO_BUSINESS, TO_CUSTOMER
from reservation.domain.people import codes, email_change, resetting
from reservation.lib import instants
from reservation.lib.environment import TEXT, BadSetting
from reservation.lib.mime import one_line
from reservation.settings import DATA

LANGUAGES = ("fr", "en")
SECRETS = (resetting.GENRE, codes.GENRE)  # the outbox never stores the bodies of these messages
TO_ACCOUNT = (*SECRETS, email_change.GENRE)
KINDS = (*TO_CUSTOMER, *TO_BUSINESS, *TO_ACCOUNT)
NAMES = {
    "client", "contact", "commentaire", "entreprise", "lieu", "message", "prestation", "quand",
    "lien",
}
# Placeholders whose values are words of the service, such as whole sentences.
_WRITTEN = {"attente", "avant", "suite", "tarif"}
_KNOWN = NAMES | _WRITTEN | {"code", "site"}
OF_LINES = {"contact", "commentaire", "lieu", "message"}  # placeholders with multi-line values
_OWN = {"lien", "contact"}  # placeholders whose values keep their links (see `unlinked`)
_ADDRESS = re.compile(r"(?i)(?<=\w)(://|[.@](?=[^\W\d]))")
# A line that ends with a colon and a link. Values are escaped, so no "<" is in the words before.
_WORDED = re.compile(r"^([^<\n]*\S)\s?: (<a [^>]*>)[^<]*(?=</a>$)", re.MULTILINE)
_LAYOUT = "layout.html"
_IN_LAYOUT = {"langue", "sujet", "paragraphes"}
# Placeholders without which the message has no use.
_NEEDED = {codes.GENRE: "code", resetting.GENRE: "lien"}


class MessageText(NamedTuple):
    subject: str
    text: str
    html: str


def values_of(
    visit: VisitRecord, debut: int, fin: int, langue: str, link: str, message: str = ""
) -> dict[str, str]:
    """Returns the values of the template placeholders.

    `debut` and `fin` are the times that the visit had when the message was queued. `message` is
    the owner's text to the customer.
    """
    places = f", {visit.places} places" if visit.places > 1 else ""
    return {
        "client": visit.client(langue),
        "contact": "\n".join(filter(None, (unlinked(visit.telephone), visit.email))),
        "commentaire": visit.commentaire,
        "entreprise": visit.entreprise,
        "lieu": "\n".join(filter(None, (visit.lieu, visit.entreprise_telephone))),
        "message": message and f"{message}\n— {visit.entreprise}",
        "prestation": visit.service(langue) + places,
        "quand": when(debut, fin, instants.zone_of(visit.fuseau), langue),
        "lien": link,
    }


class Templates:
    """Raises BadSetting if a template cannot be read, is incomplete or has a wrong placeholder."""

    def __init__(self, folder: str = "") -> None:
        self._folder = folder
        self._messages = {
            (langue, kind): _MessageTemplate(
                self._read(f"{langue}/{kind}.txt", _KNOWN, _NEEDED.get(kind))
            )
            for langue in LANGUAGES
            for kind in KINDS
        }
        self._layout = Template(self._read(_LAYOUT, _IN_LAYOUT, "paragraphes"))

    def _read(self, name: str, known: set[str], needed: str | None) -> str:
        source = Path(self._folder, name)
        if not self._folder or not source.exists():
            source = DATA / "mails" / name
        try:
            text = source.read_text(encoding=TEXT)
            _check(text, known, needed)
            if name != _LAYOUT:
                _check_parts(text)
        except (OSError, UnicodeDecodeError) as ex:
            raise BadSetting(f"the mail template {source} cannot be read: {ex}") from None
        except ValueError as ex:
            raise BadSetting(f"the mail template {source} {ex}") from None
        return text

    def render(self, kind: str, langue: str, values: dict[str, str]) -> MessageText:
        template = self._messages[langue, kind]
        typed = {name: _typed(name, values.get(name, "")) for name in _KNOWN}
        subject = one_line(template.subject.substitute(typed))
        typed |= {name: unlinked(typed[name]) for name in NAMES - _OWN}
        escaped = {name: html.escape(value) for name, value in typed.items()}
        body = _linked(template.html, escaped, typed["lien"])
        page = self._layout.substitute(
            langue=langue,
            sujet=html.escape(unlinked(subject)),
            paragraphes="\n".join(
                "<p>" + paragraph.replace("\n", "<br>\n") + "</p>"
                for paragraph in _paragraphs(body)
            ),
        )
        text = "\n\n".join(_paragraphs(template.text.substitute(typed))) + "\n"
        return MessageText(subject, text, page)


class _MessageTemplate:
    def __init__(self, source: str) -> None:
        head, _, body = source.partition("\n")
        self.subject, self.text = Template(head), Template(body)
        self.html = Template(html.escape(body))


def _check(text: str, known: set[str], needed: str | None) -> None:
    names = set()
    for found in Template.pattern.finditer(text):
        if found["invalid"] is not None:
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"has a $ without a placeholder, in line {line}")
        name = found["named"] or found["braced"]
        if name and name not in known:
            raise ValueError(f"has the unknown placeholder ${name}")
        names.add(name)
    if needed and needed not in names:
        raise ValueError(f"has no ${needed}")


def _check_parts(text: str) -> None:
    subject, _, body = text.partition("\n")
    if not subject.strip():
        raise ValueError("has no subject: its first line is empty")
    if not body.strip():
        raise ValueError("has no text after its first line")


def _typed(name: str, value: str) -> str:
    """Joins the lines of a value, so that no user can add lines that look like the template's
    text. Keeps the lines if `name` is in OF_LINES or _WRITTEN.
    """
    if name in _WRITTEN:
        return value  # `split` would replace the no-break spaces
    if name in OF_LINES:
        return "\n".join(value.splitlines())
    return " ".join(value.split())


def unlinked(text: str) -> str:
    """Inserts an invisible word joiner into each e-mail address and web address, so that mail
    programs do not turn the address into a link."""
    return _ADDRESS.sub(lambda found: f"{found[0][0]}\u2060{found[0][1:]}", text)


def _linked(template: Template, escaped: dict[str, str], link: str) -> str:
    """Fills in an HTML template.

    The text of a link with a token is the words before the link, or else its host and path.
    """
    address, _, token = link.partition("#")
    shown = html.escape(address.partition("://")[2] if token else link)
    anchor = f'<a href="{html.escape(link)}">{shown}</a>'
    body = template.substitute(escaped | {"lien": anchor})
    return _WORDED.sub(r"\2\1", body) if token else body


def _paragraphs(body: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", body) if part.strip()]
