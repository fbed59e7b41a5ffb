"""The legal notice and the privacy page, from files of the deployment."""

import codecs
import re
import shutil
from pathlib import Path

import pytest

from reservation.lib.environment import BadSetting
from reservation.resources import pages

SHIPPED = Path(__file__).parents[2] / "deploy" / "pages"
PATH = "/api/pages/{}?langue={}"


@pytest.fixture
def folder(tmp_path):
    """Returns a copy of the shipped pages with all blanks filled in."""
    copy = tmp_path / "pages"
    shutil.copytree(SHIPPED, copy)
    for file in copy.rglob("*.txt"):
        file.write_text(re.sub(r"\[[^\]]*\]", "Planning Lyon", file.read_text()))
    return copy


@pytest.mark.parametrize("nom", pages.NAMES)
@pytest.mark.parametrize("langue", ["fr", "en"])
def test_a_page_has_a_title_headings_and_paragraphs(make_client, folder, nom, langue):
    page = make_client(PAGES=str(folder)).get(PATH.format(nom, langue)).json
    first = (SHIPPED / langue / f"{nom}.txt").read_text().partition("\n")[0]
    assert page["titre"] == first
    headings = [one["texte"] for one in page["paragraphes"] if one["titre"]]
    assert len(headings) >= 3 and not any(text.startswith("#") for text in headings)
    assert len(page["paragraphes"]) > len(headings)


def test_without_a_folder_there_is_no_page(client):
    for nom in pages.NAMES:
        client.get(PATH.format(nom, "fr"), 404)


def test_an_unknown_page_is_not_found(make_client, folder):
    client = make_client(PAGES=str(folder))
    for nom in ("autre", "..", "%2e%2e%2fmentions-legales"):
        client.get(PATH.format(nom, "fr"), 404)


@pytest.mark.parametrize("nom", pages.NAMES)
def test_a_shipped_page_is_refused_until_its_blanks_are_filled_in(make_client, folder, nom):
    shutil.copy(SHIPPED / "fr" / f"{nom}.txt", folder / "fr")
    with pytest.raises(BadSetting, match=r"still has the blank \["):
        make_client(PAGES=str(folder))


def test_a_page_in_one_language_serves_both(make_client, folder):
    shutil.rmtree(folder / "en")
    page = make_client(PAGES=str(folder)).get(PATH.format(pages.NAMES[0], "en")).json
    assert page["titre"] == "Mentions légales"


def test_a_page_may_begin_with_a_byte_order_mark(make_client, folder):
    file = folder / "fr" / "mentions-legales.txt"
    file.write_bytes(codecs.BOM_UTF8 + file.read_bytes())
    page = make_client(PAGES=str(folder)).get(PATH.format("mentions-legales", "fr")).json
    assert page["titre"] == "Mentions légales"


def test_a_missing_page_stops_the_start(make_client, folder):
    (folder / "fr" / "confidentialite.txt").unlink()
    (folder / "en" / "confidentialite.txt").unlink()
    with pytest.raises(BadSetting, match="confidentialite.txt"):
        make_client(PAGES=str(folder))
