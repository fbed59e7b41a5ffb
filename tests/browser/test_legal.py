"""The legal notice and the privacy page, in the footer of each page."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import wrong_with

SHIPPED = Path(__file__).parents[2] / "deploy" / "pages"


@pytest.fixture
def pages(tmp_path):
    """Returns the folder of the shipped pages, without blanks."""
    shutil.copytree(SHIPPED, tmp_path / "pages")
    for file in (tmp_path / "pages").rglob("*.txt"):
        file.write_text(re.sub(r"\[[^]]*\]", "Planning Lyon", file.read_text()))
    return str(tmp_path / "pages")


@pytest.mark.parametrize(
    ("locale", "links"),
    [("fr-FR", {"Mentions légales": "Hébergement", "Confidentialité": "Vos droits"}),
     ("en-GB", {"Legal notice": "Hosting", "Privacy": "Your rights"})],
)
def test_the_footer_leads_to_the_pages_of_the_deployment(
    client, serve, new_page, pages, locale, links
):
    page = new_page(serve(PAGES=pages).url, locale)
    page.goto("")
    for link, heading in links.items():
        page.get_by_role("contentinfo").get_by_role("link", name=link).click()
        expect(page.get_by_role("heading", name=link, level=1)).to_be_visible()
        expect(page.get_by_role("heading", name=heading, level=2)).to_be_visible()
        assert list(wrong_with(page)) == []


@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_no_link_of_the_footer_is_broken_on_a_telephone(client, serve, new_page, pages, locale):
    page = new_page(serve(PAGES=pages).url, locale, viewport={"width": 390, "height": 844})
    page.goto("")
    links = page.get_by_role("contentinfo").get_by_role("link")
    expect(links).to_have_count(4)
    lines = "(links) => links.map((link) => link.offsetHeight / 28)"  # the least height of a link
    assert links.evaluate_all(lines) == [1, 1, 1, 1]


def test_without_pages_the_footer_has_no_link(client, serve, new_page):
    page = new_page(serve().url)
    page.goto("")
    footer = page.get_by_role("contentinfo")
    expect(footer.get_by_role("link", name="Nous contacter")).to_be_visible()
    expect(footer.get_by_role("link", name="Mentions légales")).to_have_count(0)
