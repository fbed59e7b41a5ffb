"""A page that stays open while the server is upgraded: the server has its files no more."""

import pytest
from playwright.sync_api import Dialog, Locator, Page, Route, expect

from reservation.resources.site_files import shipped
from tests.browser.test_owner_board import tile
from tests.browser.visitors import said, window


def upgrade(page: Page, lacks: str = "none") -> None:
    """Gives the files of the site new addresses. The page has been open for a minute.

    A second server, which has another version, answers requests for the file `lacks` and HEAD.
    """
    old = shipped().digest

    def answer(route: Route) -> None:
        other = route.request.method == "HEAD" or route.request.url.endswith(lacks)
        if f"/site/{old}/" in route.request.url or other:
            route.fulfill(status=404)
        elif "/site/upgraded/" in route.request.url:
            route.continue_(url=route.request.url.replace("/upgraded/", f"/{old}/"))
        elif route.request.is_navigation_request():
            answered = route.fetch()
            route.fulfill(response=answered, body=answered.text().replace(old, "upgraded"))
        else:
            route.fallback()

    page.evaluate("performance.now = () => 60_000")
    page.route("**", answer)


def scripts(page: Page) -> Locator:
    return page.locator("script[src*='/upgraded/']")


def test_a_page_that_was_open_during_an_upgrade_opens_the_next_page(serve, new_page, faults):
    faults.allow(404)
    page = new_page(serve().url)
    page.goto("")
    upgrade(page)
    page.get_by_role("link", name="Nous contacter").click()
    expect(page.get_by_role("heading", name="Nous contacter")).to_be_visible()
    expect(page).to_have_url(f"{page.url.partition('/nous')[0]}/nous-ecrire")
    expect(scripts(page)).to_have_count(1)
    page.go_back()
    expect(page.get_by_role("heading", name="Prenez rendez")).to_be_visible()


def test_a_calendar_that_was_open_during_an_upgrade_opens_its_dialogs(agenda, visit, faults):
    faults.allow(404)
    page = agenda()
    upgrade(page)
    tile(page, "Chloé Martin").click()
    expect(scripts(page)).to_have_count(1)
    tile(page, "Chloé Martin").click()
    expect(window(page)).to_contain_text("Chloé Martin")


@pytest.mark.parametrize("leave", [False, True])
def test_input_is_lost_at_an_upgrade_only_after_the_question_of_the_browser(
    serve, new_page, faults, leave
):
    faults.allow(404)
    page = new_page(serve().url)
    page.goto("nous-ecrire")
    message = page.get_by_label("Message")
    expect(message).to_be_visible()
    upgrade(page)
    message.fill("Bonjour")
    asked = []

    def reply(dialog: Dialog) -> None:
        asked.append(dialog.type)
        if leave:
            dialog.accept()
        else:
            dialog.dismiss()

    page.on("dialog", reply)
    page.get_by_role("link", name="Se connecter").click()
    if leave:
        expect(scripts(page)).to_have_count(1)
    else:
        said(page, "La connexion est interrompue.")
    expect(message).to_have_value("" if leave else "Bonjour")
    assert asked == ["beforeunload"]


def test_a_page_is_not_loaded_again_and_again_while_servers_have_different_versions(
    serve, new_page, faults
):
    faults.allow(404)
    page = new_page(serve().url)
    page.goto("")
    upgrade(page, lacks="contact.js")
    loads = []
    page.on("load", lambda _: loads.append(page.url))
    page.get_by_role("link", name="Nous contacter").click()
    expect(scripts(page)).to_have_count(1)
    expect(page.get_by_role("heading", name="Impossible d’afficher")).to_be_visible()
    assert len(loads) == 1
