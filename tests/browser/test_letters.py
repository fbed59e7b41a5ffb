"""Messages on the screen of a telephone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from reservation.domain.messages.messages import KINDS, LANGUAGES, Templates
from tests.domain.test_messages import FULL

WIDTH = 320  # pixels
TOKEN = "12345-3vf0eVmpx1rj5TS1nioQaMDp9rkrhV7LfT7IZL16w7E"
LONG = {
    **FULL, "client": "Z" * 100, "lien": f"https://agenda.example/rendez-vous#{TOKEN}",
}


@pytest.fixture
def narrow(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": WIDTH, "height": 800})
    yield page
    page.close()


def test_no_message_is_wider_than_a_telephone(narrow: Page) -> None:
    templates = Templates()
    for langue in LANGUAGES:
        for kind in KINDS:
            narrow.set_content(templates.render(kind, langue, LONG).html)
            assert narrow.evaluate("document.documentElement.scrollWidth") == WIDTH, kind
