"""The templates of messages, and the templates of a deployment that replace them."""

import re

import pytest

from reservation.domain.messages import messages
from reservation.domain.messages.messages import KINDS, LANGUAGES, Templates
from reservation.lib.environment import BadSetting
from tests.domain.test_messages import EVERY, FULL, LINK, SHIPPED, Page, Visible


@pytest.fixture
def own(tmp_path):
    """Writes a deployment's template: own("fr/rappel.txt", "…"). Returns its path."""

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def test_a_file_of_the_deployment_replaces_that_one_alone(own, tmp_path):
    own("fr/rappel.txt", "À ${quand}\r\n\r\nCher $client,\r\n\r\n10 $$ : $lien\r\n")
    templates = Visible(str(tmp_path))
    words = templates.render("rappel", "fr", FULL)
    assert words.subject == f"À {FULL['quand']}"
    assert words.text == f"Cher Zoé Blanc,\n\n10 $ : {LINK}\n"
    assert "<title>À mardi" in words.html and Page(words.html).links == [LINK]
    for kind, langue in EVERY:
        if (kind, langue) != ("rappel", "fr"):
            assert templates.render(kind, langue, FULL) == SHIPPED.render(kind, langue, FULL)


LINKS = {
    "words": ("Voir\xa0: $lien", '<a href="{0}">Voir</a>'),
    "words of a person": ("$client: ${lien}", '<a href="{0}">Zoé Blanc</a>'),
    "two links": ("$lien ou: $lien", '<a href="{0}">{1}</a> ou: <a href="{0}">{1}</a>'),
    "no words": ("$suite : $lien", ': <a href="{0}">{1}</a>'),
    "words after it": ("Voir : $lien.", 'Voir : <a href="{0}">{1}</a>.'),
}


@pytest.mark.parametrize("line, wanted", LINKS.values(), ids=LINKS)
def test_a_line_of_an_own_template_that_ends_with_a_link(own, tmp_path, line, wanted):
    own("fr/rappel.txt", f"Sujet\n\n{line}\n")
    values = {**FULL, "suite": "", "lien": f"{LINK}#token"}
    words = Templates(str(tmp_path)).render("rappel", "fr", values)
    shown = wanted.format(values["lien"], LINK.removeprefix("https://"))
    assert f"<p>{shown}</p>" in words.html


def test_a_layout_may_begin_with_a_byte_order_mark(own, tmp_path):
    own("layout.html", "\ufeff<html lang=$langue><title>$sujet</title>$paragraphes</html>")
    assert Templates(str(tmp_path)).render("rappel", "fr", FULL).html.startswith("<html")


def test_a_layout_of_the_deployment_is_around_every_message(own, tmp_path):
    own("layout.html", "<html lang=$langue><title>$sujet</title>$paragraphes</html>")
    templates = Templates(str(tmp_path))
    for kind, langue in EVERY:
        words = templates.render(kind, langue, FULL)
        assert words.html.startswith(f"<html lang={langue}><title>")
        assert Page(words.html).links == [LINK] * words.text.count(LINK)


def test_what_stands_in_a_template_is_text_too(own, tmp_path):
    own("fr/rappel.txt", "Été & \"fin\"\n\n<b>$client</b> & l'été : $lien\n")
    words = Templates(str(tmp_path)).render("rappel", "fr", FULL)
    assert words.text == f"<b>Zoé Blanc</b> & l'été : {LINK}\n"
    assert "b" not in Page(words.html).tags
    assert "<b>Zoé Blanc</b> & l'été" in Page(words.html).words


WRONG = {
    "an unknown value": ("fr/rappel.txt", "Sujet\n\n$prix\n", r"placeholder \$prix"),
    "an unknown value in braces": ("fr/rappel.txt", "Sujet\n\n${prix}\n", r"placeholder \$prix"),
    "another case": ("fr/rappel.txt", "Sujet $Client\n", r"placeholder \$Client"),
    "a price": ("en/nouvelle.txt", "Sujet\n\nPay 10 $ now\n", r"\$ without .* in line 3"),
    "an open brace": ("en/nouvelle.txt", "Sujet ${client\n", r"\$ without .* in line 1"),
    "another letter": ("en/nouvelle.txt", "Sujet $été\n", r"\$ without .* in line 1"),
    "a value of messages in the layout": ("layout.html", "$client", r"placeholder \$client"),
    "a stray $ in the layout": ("layout.html", "<p>$</p>", r"\$ without .* in line 1"),
    "Latin-1": ("fr/rappel.txt", "Été".encode("latin-1"), "cannot be read: 'utf-8'"),
    "an empty file": ("fr/rappel.txt", "", "has no subject: its first line is empty"),
    "an empty first line": ("fr/rappel.txt", " \r\nSujet\n\nTexte\n", "has no subject"),
    "a subject alone": ("en/rappel.txt", "Subject\n\n \n", "has no text after its first line"),
    "a code without its code": ("fr/code.txt", "Code\n\nLe code : $$code\n", r"has no \$code"),
    "a new password without its link": ("en/mot_de_passe.txt", "New\n\n$site", r"has no \$lien"),
    "an empty layout": ("layout.html", "", r"has no \$paragraphes"),
}


@pytest.mark.parametrize("name, text, reason", WRONG.values(), ids=WRONG)
def test_a_template_that_cannot_be_filled_in_stops_the_start(own, tmp_path, name, text, reason):
    path = own(name, text)
    with pytest.raises(BadSetting, match=f"{re.escape(str(path))} .*{reason}"):
        Templates(str(tmp_path))


def test_a_folder_in_the_place_of_a_template_stops_the_start(tmp_path):
    (tmp_path / "fr" / "rappel.txt").mkdir(parents=True)
    with pytest.raises(BadSetting, match="rappel.txt cannot be read: .*directory"):
        Templates(str(tmp_path))


def test_every_shipped_template_is_a_message_and_every_message_has_one():
    folder = messages.DATA / "mails"
    shipped = {
        path.name: {one.name for one in path.iterdir()}
        for path in folder.iterdir() if path.is_dir()
    }
    assert shipped == {langue: {f"{kind}.txt" for kind in KINDS} for langue in LANGUAGES}
