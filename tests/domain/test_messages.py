"""The words of messages: each kind in each language, with any user input."""

import re
from datetime import datetime
from email import message_from_bytes, policy
from html.parser import HTMLParser
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from reservation.domain.messages.formats import price, when
from reservation.domain.messages.messages import (
    KINDS,
    LANGUAGES,
    NAMES,
    OF_LINES,
    TO_ACCOUNT,
    MessageText,
    Templates,
    unlinked,
    values_of,
)
from reservation.domain.messages.visits import VisitRecord
from reservation.domain.outbox.outbox import TO_BUSINESS, TO_CUSTOMER
from reservation.domain.people import codes
from reservation.lib.mime import compose

LINK = "https://agenda.example/reservations/7"
FULL = {
    "attente": "Il n’est pas encore confirmé.",
    "avant": "Ce rendez-vous était confirmé.",
    "client": "Zoé Blanc",
    "contact": "06 11 22 33 44\nzoe@example.fr",
    "commentaire": "Cheveux longs\n\nPlutôt le matin",
    "entreprise": "Salon d'Alice",
    "lieu": "3 rue de la Paix, 69002 Lyon\n04 00 00 00 00",
    "message": "Je suis malade.\nEncore pardon\n— Alice",
    "prestation": "Coupe & brushing",
    "quand": "mardi 24 novembre 2026, 09:00–09:45 (Europe/Paris)",
    "lien": LINK,
    "code": "271828",
    "site": "agenda.example",
    "suite": "Il est trop tard.\nPour le voir",
    "tarif": "Tarif\u00a0: 39\u00a0€",
}
OPTIONAL = dict.fromkeys(
    ("attente", "avant", "contact", "commentaire", "lieu", "message", "tarif"), ""
)
EVERY = [(kind, langue) for kind in KINDS for langue in LANGUAGES]


class Visible(Templates):
    """Renders messages as a reader sees them: without invisible word joiners."""

    def render(self, kind, langue, values):
        return MessageText(*(
            part.replace(JOINER, "") for part in super().render(kind, langue, values)
        ))


JOINER = "\u2060"
SHIPPED = Visible()
# The only tags that a message needs.
TAGS = {"html", "head", "meta", "title", "body", "div", "h1", "p", "br", "a"}
ATTACKS = {
    "an image": '<img src=x onerror="alert(1)">',
    "a script": "</p></div></title><script>alert(1)</script>",
    "quotes": """"' onmouseover='alert(1)' x=\"""",
    "an entity": "&lt;b&gt; &amp; &#60;b&#62;",
    "a placeholder": "$client ${lien} $$ $ $quand",
    "a link": '<a href="http://evil.example">http://evil.example</a>',
    "a script's address": "javascript:alert(1)//" + LINK,
    "our link": f"{LINK} {LINK}@evil.example",
    "a format": "{client} %s %(lien)s \\1 \\g<0>",
}
PARIS = "Europe/Paris"


class Page(HTMLParser):
    """Collects the tags, the attributes and the text of a page."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.links, self.attributes, self.words = [], [], set(), ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value for name, value in attrs if name == "href"]

    def handle_data(self, data):
        self.words += data


def visit(**changes):
    given = {
        "id": 7, "debut": 1_795_507_200, "fin": 1_795_509_900, "places": 1, "prix_centimes": 0,
        "statut": "confirmee", "commentaire": "", "version": 1, "modifie_le": 0,
        "prestation": "Coupe", "entreprise": "Salon", "adresse": "", "code_postal": "",
        "ville": "", "entreprise_telephone": "", "entreprise_email": "", "fuseau": PARIS,
        "entreprise_langue": "fr", "prenom": "", "nom": "Blanc", "telephone": "",
        "email": "zoe@example.fr", "langue": "fr", "since": 0,
    }
    return VisitRecord(**{**given, **changes})


def at(zone, *wall, fold=0):
    return int(datetime(*wall, tzinfo=ZoneInfo(zone), fold=fold).timestamp())


def squeezed(text):
    return " ".join(text.split())


# Every message


@pytest.mark.parametrize("kind, langue", EVERY)
def test_every_message_is_complete(kind, langue):
    words = SHIPPED.render(kind, langue, FULL)
    assert words.subject and "$" not in "".join(words)
    assert LINK in words.text or kind in ("annulee", "annulation", codes.GENRE)
    page = Page(words.html)
    assert set(page.tags) <= TAGS
    assert page.links == [LINK] * words.text.count(LINK)
    for line in filter(None, words.text.splitlines()):
        assert squeezed(line) in squeezed(page.words)
    assert words.subject in page.words
    assert f'<html lang="{langue}">' in words.html


def test_a_link_with_a_token_has_words_in_html():
    link = f"{LINK}#2~TheTokenOfTheLink"
    words = SHIPPED.render("rappel", "fr", {**FULL, "lien": link})
    assert words.text.endswith(f"Pour le voir\xa0: {link}\n")
    assert f'.<br>\n<a href="{link}">Pour le voir</a></p>' in words.html
    words = SHIPPED.render("mot_de_passe", "fr", {**FULL, "lien": link})
    assert f"\n\n{link}\n\n" in words.text
    assert f'<p><a href="{link}">agenda.example/reservations/7</a></p>' in words.html


@pytest.mark.parametrize("kind, langue", EVERY)
def test_an_empty_value_leaves_no_trace(kind, langue):
    words = SHIPPED.render(kind, langue, {**FULL, **OPTIONAL})
    assert not re.search(r"\n\n\n|[ \t]\n|\A\n|\n\n\Z", words.text)
    assert words.text.endswith("\n")
    assert "<p></p>" not in words.html and "<br>\n</p>" not in words.html
    for line in words.text.splitlines():
        # A label has a value after it, or a paragraph below.
        assert not line.endswith(":") or words.text.partition(line)[2].strip()
    left = SHIPPED.render(kind, langue, FULL).text
    for name in OPTIONAL:
        left = left.replace(FULL[name], "")
    assert words.text.split() == left.split()


@pytest.mark.parametrize("kind, langue", EVERY)
def test_a_message_tells_what_its_reader_has_to_know(kind, langue):
    words = SHIPPED.render(kind, langue, FULL)
    if kind in TO_ACCOUNT:
        assert all(FULL[name] not in words.text for name in NAMES - {"lien"})
        assert (FULL["code"] in words.text) == (kind == codes.GENRE)
        assert FULL["code"] not in words.subject
        return
    for told in (FULL["prestation"], FULL["quand"]):
        assert told in words.subject and told in words.text
    assert FULL["entreprise"] in words.text  # an owner may have several businesses
    assert FULL["client"] in words.text
    assert (FULL["contact"] in words.text) == (kind in TO_BUSINESS)


@pytest.mark.parametrize("kind", KINDS)
def test_french_has_its_own_marks_and_its_spaces(kind):
    text = SHIPPED.render(kind, "fr", {**FULL, "entreprise": "Salon"}).text
    assert "'" not in text and "..." not in text
    for found in re.finditer(r"(.)[:;!?](?=\s)", text):
        assert found[1] in "\u00a0\u202f"


@pytest.mark.parametrize("kind", KINDS)
def test_the_languages_are_two(kind):
    words = [SHIPPED.render(kind, langue, FULL) for langue in LANGUAGES]
    assert words[0].subject != words[1].subject
    assert ("Bonjour" in words[0].text) == ("Hello" in words[1].text)


@pytest.mark.parametrize(
    "cents, french, english",
    [
        (3900, "39\u00a0€", "€39"),
        (3950, "39,50\u00a0€", "€39.50"),
        (5, "0,05\u00a0€", "€0.05"),
        (120_000, "1\u202f200\u00a0€", "€1,200"),
        (123_456_789, "1\u202f234\u202f567,89\u00a0€", "€1,234,567.89"),
    ],
)
def test_a_price_is_written_as_on_the_site(cents, french, english):
    assert price(cents, "fr") == f"Tarif\u00a0: {french}"
    assert price(cents, "en") == f"Price: {english}"


@pytest.mark.parametrize("langue", LANGUAGES)
def test_a_service_without_a_price_is_not_said_to_be_free(langue):
    assert price(0, langue) == ""


def test_the_page_about_messages_lists_every_template_and_every_placeholder():
    page = (Path(__file__).parents[2] / "docs/messages.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (\w+) \|", page, re.MULTILINE)
    recipients = {"customer": TO_CUSTOMER, "business": TO_BUSINESS, "account": TO_ACCOUNT}
    wanted = [(kind, who) for who, kinds in recipients.items() for kind in kinds]
    assert sorted(rows[1:]) == sorted(wanted)
    placeholders = re.findall(r"^\| `\$(\w+)` \|", page, re.MULTILINE)
    assert set(placeholders) == set(FULL)


# When


@pytest.mark.parametrize(
    "zone, start, end, wanted",
    [
        (PARIS, (2026, 11, 24, 9), (2026, 11, 24, 9, 45),
         "mardi 24 novembre 2026, 09:00–09:45 (Europe/Paris)"),
        ("Indian/Reunion", (2026, 8, 1, 14), (2026, 8, 1, 15),
         "samedi 1er août 2026, 14:00–15:00 (Indian/Reunion)"),
        ("America/New_York", (2026, 12, 31, 8), (2026, 12, 31, 9),
         "jeudi 31 décembre 2026, 08:00–09:00 (America/New_York)"),
        ("Asia/Kolkata", (2026, 2, 2, 0), (2026, 2, 2, 0, 30),
         "lundi 2 février 2026, 00:00–00:30 (Asia/Kolkata)"),
        ("Australia/Lord_Howe", (2026, 7, 5, 9), (2026, 7, 5, 10),
         "dimanche 5 juillet 2026, 09:00–10:00 (Australia/Lord_Howe)"),
    ],
)
def test_a_time_is_the_wall_time_of_the_business(zone, start, end, wanted):
    assert when(at(zone, *start), at(zone, *end), ZoneInfo(zone), "fr") == wanted


def test_a_time_is_told_in_english_too():
    told = when(at(PARIS, 2026, 3, 1, 9), at(PARIS, 2026, 3, 1, 10), ZoneInfo(PARIS), "en")
    assert told == "Sunday 1 March 2026, 09:00–10:00 (Europe/Paris)"


@pytest.mark.parametrize(
    "zone, day, minutes, wanted",
    [
        # In spring, the wall times from 02:00 to 03:00 do not exist. In autumn they occur twice.
        (PARIS, (2026, 3, 29, 1, 30), 45, "01:30–03:15"),
        (PARIS, (2026, 10, 25, 1, 30), 30, "01:30–02:00 CEST"),
        (PARIS, (2026, 10, 25, 1, 30), 75, "01:30–02:45 CEST"),
        (PARIS, (2026, 10, 25, 2, 30), 45, "02:30 CEST–02:15 CET"),
        (PARIS, (2026, 10, 25, 2, 30), 60, "02:30 CEST–02:30 CET"),
        (PARIS, (2026, 10, 25, 2, 30), 90, "02:30 CEST–03:00"),
        ("Indian/Reunion", (2026, 10, 25, 2, 30), 45, "02:30–03:15"),
        ("Asia/Kolkata", (2026, 3, 29, 1, 30), 45, "01:30–02:15"),
        ("America/New_York", (2026, 3, 8, 1, 30), 45, "01:30–03:15"),
        ("America/New_York", (2026, 11, 1, 1, 30), 45, "01:30 EDT–01:15 EST"),
        ("Australia/Lord_Howe", (2026, 10, 4, 1, 45), 30, "01:45–02:45"),
        ("Australia/Lord_Howe", (2026, 4, 5, 1, 45), 30, "01:45 +11–01:45 +1030"),
    ],
)
def test_both_ends_can_be_told_apart_when_the_clocks_change(zone, day, minutes, wanted):
    debut = at(zone, *day)
    told = when(debut, debut + minutes * 60, ZoneInfo(zone), "en")
    assert told.endswith(f", {wanted} ({zone})")


@pytest.mark.parametrize(
    "hours, wanted",
    [
        (3, "mardi 24 novembre 2026, 22:30 – mercredi 25 novembre 2026, 01:30 (Europe/Paris)"),
        (1.5, "mardi 24 novembre 2026, 22:30 – mercredi 25 novembre 2026, 00:00 (Europe/Paris)"),
        (1.25, "mardi 24 novembre 2026, 22:30–23:45 (Europe/Paris)"),
        (26, "mardi 24 novembre 2026, 22:30 – jeudi 26 novembre 2026, 00:30 (Europe/Paris)"),
    ],
)
def test_a_visit_over_midnight_says_on_which_day_it_ends(hours, wanted):
    debut = at(PARIS, 2026, 11, 24, 22, 30)
    assert when(debut, debut + int(hours * 3600), ZoneInfo(PARIS), "fr") == wanted


def test_every_day_and_month_has_its_name():
    for langue, days, months in (
        ("fr", "lundi mardi mercredi jeudi vendredi samedi dimanche",
         "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        ("en", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
         "January February March April May June July August September October November December"),
    ):
        told = [
            when(debut, debut + 1800, ZoneInfo(PARIS), langue).split()[:3]
            for debut in (at(PARIS, 2026, month, 2, 9) for month in range(1, 13))
        ]
        assert [month for _, _, month in told] == months.split()
        wanted = [days.split()[datetime(2026, month, 2).weekday()] for month in range(1, 13)]
        assert [day for day, _, _ in told] == wanted


# User input


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_nothing_that_people_typed_is_more_than_text(kind, attack):
    typed = dict.fromkeys(NAMES - {"lien", "quand"}, f"Zoé {attack}")
    words = SHIPPED.render(kind, "fr", {**FULL, **typed})
    plain = SHIPPED.render(kind, "fr", {**FULL, **dict.fromkeys(typed, "Zoé")})
    page, wanted = Page(words.html), Page(plain.html)
    assert (page.tags, page.links) == (wanted.tags, wanted.links)
    assert page.attributes == wanted.attributes
    assert page.words.count(f"Zoé {attack}") == wanted.words.count("Zoé")
    assert words.text.count(f"Zoé {attack}") == plain.text.count("Zoé")


BREAKS = ["\n", "\r\n", "\r", "\n\n", "\u2028", "\x85", "\v", "\x1c"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("line_break", BREAKS, ids=repr)
def test_a_name_of_several_lines_stays_one_value_in_its_line(kind, line_break):
    typed = dict.fromkeys(NAMES - OF_LINES - {"lien"}, f"Zoé{line_break}Bcc: eve@example.fr")
    words = SHIPPED.render(kind, "fr", {**FULL, **typed})
    plain = SHIPPED.render(kind, "fr", {**FULL, **dict.fromkeys(typed, "Zoé")})
    assert words.subject == plain.subject.replace("Zoé", "Zoé Bcc: eve@example.fr")
    assert words.text == plain.text.replace("Zoé", "Zoé Bcc: eve@example.fr")
    mail = compose(sender="a@b.fr", recipient="c@d.fr", subject=words.subject, text="x")
    message = message_from_bytes(mail.octets, policy=policy.default)
    assert message["Bcc"] is None and message["Subject"] == words.subject


def test_a_comment_keeps_its_lines_and_no_other_breaks():
    typed = {"commentaire": "un\r\ndeux\rtrois\u2028quatre\r\n\r\n\r\n\r\ncinq"}
    words = SHIPPED.render("nouvelle", "fr", {**FULL, **typed})
    assert "un\ndeux\ntrois\nquatre\n\ncinq\n\n" in words.text
    assert "un<br>\ndeux<br>\ntrois<br>\nquatre</p>\n<p>cinq</p>" in words.html


@pytest.mark.parametrize("name", ["=?utf-8?q?a=0ABcc:_eve@example.fr?=", "\x1b[31m\u202eéoZ\0"])
def test_a_subject_hides_nothing(name):
    words = SHIPPED.render("nouvelle", "fr", {**FULL, "client": name})
    assert words.subject.isprintable() and "=?" not in words.subject


@pytest.mark.parametrize("name", ["👩\u200d🦰", "نیم\u200cروز"])
def test_a_subject_keeps_the_joiners_of_a_name(name):
    assert name in SHIPPED.render("nouvelle", "fr", {**FULL, "client": name}).subject


def test_the_values_are_those_of_the_visit():
    values = values_of(
        visit(
            prenom="Zoé", telephone="06", adresse="3 rue de la Paix", code_postal="69002",
            ville="Lyon", entreprise_telephone="04", commentaire="Bonjour",
        ),
        at(PARIS, 2026, 11, 24, 9), at(PARIS, 2026, 11, 24, 9, 45), "fr", LINK, "Désolée",
    )
    assert set(values) == NAMES
    assert values == {
        "client": "Zoé Blanc", "contact": "06\nzoe@example.fr", "commentaire": "Bonjour",
        "entreprise": "Salon", "lieu": "3 rue de la Paix, 69002 Lyon\n04",
        "message": "Désolée\n— Salon", "prestation": "Coupe", "quand": FULL["quand"],
        "lien": LINK,
    }


def test_what_is_not_known_is_an_empty_value():
    values = values_of(visit(), 0, 60, "fr", LINK)
    assert (values["client"], values["contact"], values["lieu"], values["message"]) == (
        "Blanc", "zoe@example.fr", "", ""
    )


# What mail programs recognise as an address. See https://data.iana.org/TLD for the last part.
RECOGNISED = re.compile(r"\w+://\S+|(?:[\w-]+\.)+[a-z]{2,}|\w+@\w", re.IGNORECASE)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("confirmee", "entreprise"), ("approuvee", "message"), ("nouvelle", "client"),
     ("nouvelle", "commentaire")],
)
@pytest.mark.parametrize(
    "words",
    ["Voyez https://evil.example/a?b=c", "www.evil.example", "evil.example/x", "EVIL.EXAMPLE",
     "écrivez à eve@evil.example", "ftp://evil", "xn--vil-9la.example"],
)
def test_an_address_in_the_words_of_a_person_is_no_link(kind, name, words):
    assert RECOGNISED.search(words)
    rendered = Templates().render(kind, "fr", {**FULL, "contact": "", name: words})
    for part in (rendered.text, Page(rendered.html).words):
        text = part.replace(LINK, "")
        assert RECOGNISED.search(text) is None
        assert words in text.replace(JOINER, "")


def test_the_words_of_a_person_lose_nothing_else():
    for words in ("9.30", "M. Dupont, 12,50 €", "C.-A. Petit", "fin."):
        assert unlinked(words) == words
