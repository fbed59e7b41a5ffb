"""The page of the link in an e-mail: one booking, without signing in."""

import json
import re
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from reservation.domain.people.links import Links
from tests.browser.accessibility import wrong_with
from tests.browser.visitors import WORDS, facts, move_and_cancel
from tests.conftest import ROSE
from tests.outboxes import SECRET

LINK_WORDS = {
    "fr-FR": {"ended": "Ce lien ne fonctionne pas", "sign in": "Se connecter"},
    "en-GB": {"ended": "This link does not work", "sign in": "Sign in"},
}


@pytest.fixture
def token(called):
    return Links(SECRET, "").token(called["id"], ROSE["email"], 0)


def sent_by(page):
    """Collects the address and the Authorization header of each request."""
    sent = []
    page.on(
        "request", lambda one: sent.append((one.url, one.all_headers().get("authorization")))
    )
    return sent


@pytest.mark.parametrize("locale, prefix", [("fr-FR", ""), ("en-GB", "/agenda")])
def test_a_link_shows_moves_and_cancels_one_booking_and_tells_its_token_to_nobody_else(
    serve, new_page, called, token, tuesday, locale, prefix
):
    w = {**WORDS[locale], **LINK_WORDS[locale]}
    server = serve(prefix=prefix)
    page = new_page(server.url, locale=locale)
    sent = sent_by(page)
    page.goto(f"rendez-vous#{token}")
    expect(facts(page)).to_contain_text("10:00 – 10:30")
    assert page.url == f"{server.url}/rendez-vous"
    assert list(wrong_with(page, [(390, "light"), (1280, "dark")])) == []
    with page.expect_download() as download:
        page.get_by_role("button", name=w["calendar"]).click()
    assert "BEGIN:VEVENT" in download.value.path().read_text()
    page.reload()
    move_and_cancel(page, w, tuesday, "10:00")

    api = f"{server.url}/api/reservations/{called['id']}"
    authorized = {url for url, header in sent if header}
    assert {url.partition("?")[0] for url in authorized} == {api, f"{api}.ics", f"{api}/creneaux"}
    assert {header for _, header in sent if header} == {f"Bearer {token}"}
    assert token not in str([url for url, _ in sent])
    assert token not in server.output
    assert token not in json.dumps(page.context.storage_state())
    page.go_back()
    page.go_forward()
    assert token not in page.url


def test_the_token_of_a_link_ends_with_the_page_and_with_the_tab(
    serve, new_page, faults, called, token
):
    faults.allow(401)
    page = new_page(serve().url)
    page.goto(f"rendez-vous#{token}")
    expect(facts(page)).to_be_visible()
    sent = sent_by(page)
    page.locator(".brand").click()
    expect(page.get_by_role("search")).to_be_visible()
    page.go_back()
    expect(facts(page)).to_be_visible()
    page.locator(".brand").click()
    path = f"/reservations/{called['id']}"
    assert all(header is None for url, header in sent if path not in url)
    other = page.context.new_page()
    other.goto("rendez-vous")
    expect(other.get_by_text("cette adresse est incomplète")).to_be_visible()


@pytest.mark.parametrize("locale", WORDS)
def test_a_link_that_is_over_or_revoked_says_so_and_offers_to_sign_in(
    serve, new_page, faults, db, called, token, locale
):
    faults.allow(401)
    w = {**WORDS[locale], **LINK_WORDS[locale]}
    db.write("UPDATE client SET email = 'rose@example.net'")
    page = new_page(serve().url, locale=locale)
    page.goto(f"rendez-vous#{token}")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(w["ended"])
    assert list(wrong_with(page, [(390, "dark"), (1280, "light")])) == []
    page.get_by_role("main").get_by_role("link", name=w["sign in"]).click()
    expect(page).to_have_url(re.compile(rf"suite=reservations%2F{called['id']}$"))
    db.write("UPDATE client SET email = ?", ROSE["email"])
    page.goto("about:blank")
    page.goto(f"rendez-vous#{token}")
    page.get_by_role("button", name=w["cancel"]).click()
    db.write("UPDATE client SET email = 'rose@example.net'")
    page.get_by_role("button", name=w["yes"]).click()
    expect(heading).to_have_text(w["ended"])


def test_fetching_a_link_twice_changes_nothing(serve, new_page, db, called, token):
    def tables():
        names = db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name: db.rows(f"SELECT * FROM {name}") for (name,) in names}

    url = serve().url
    before = tables()
    for _ in range(2):
        page = new_page(url)
        page.goto(f"rendez-vous#{token}")
        expect(facts(page)).to_be_visible()
        page.wait_for_load_state("networkidle")
        scanner = Request(f"{url}/rendez-vous#{token}", headers={"User-Agent": "curl/8.5.0"})
        urlopen(scanner).close()
    assert tables() == before
