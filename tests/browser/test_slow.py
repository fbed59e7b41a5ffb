"""A server that does not answer."""

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import said

# The time limit of each request passes 100 times as fast.
HASTE = """
window.limit = AbortSignal.timeout;
AbortSignal.timeout = (time) => limit.call(AbortSignal, time / 100);
"""


@pytest.fixture
def silence(faults):
    """Requests to a path get no answer, and the page does not wait long: silence(page, path)."""
    faults.allow(0)

    def silence(page, path):
        page.route(path, lambda route: None)
        page.evaluate(HASTE)

    return silence


def answer(page):
    page.unroute_all()
    page.evaluate("AbortSignal.timeout = limit")


def test_a_page_that_gets_no_answer_offers_to_try_again(
    new_page, silence, serve, chloe
):
    page = open_page(new_page, serve().url, chloe, "compte", role="customer")
    expect(page.get_by_label("Prénom")).to_have_value("Chloé")
    silence(page, "**/api/reservations?*")
    page.get_by_role("link", name="Mes rendez-vous").first.click()
    expect(page.get_by_role("alert")).to_contain_text("La connexion est interrompue.")
    answer(page)
    page.get_by_role("button", name="Réessayer").click()
    expect(page.get_by_text("Aucun rendez-vous à venir")).to_be_visible()


def test_a_form_that_gets_no_answer_keeps_its_input_and_can_be_sent_again(
    new_page, silence, serve, client, chloe
):
    page = open_page(new_page, serve().url, chloe, "compte", role="customer")
    name = page.get_by_label("Prénom")
    expect(name).to_have_value("Chloé")
    silence(page, "**/api/compte")
    name.fill("Zoé")
    name.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("La connexion est interrompue.")
    expect(name).to_have_value("Zoé")
    answer(page)
    page.get_by_role("button", name="Réessayer").click()
    said(page, "C’est enregistré.")
    assert client.get("/api/compte", token=chloe.token).json["prenom"] == "Zoé"


def test_a_search_whose_script_gets_lost_offers_to_try_again(serve, new_page, faults, salon):
    faults.allow(0)
    page = new_page(serve().url)
    page.route("**/views/results.js", lambda route: route.abort())
    page.goto("?q=coupe")
    expect(page.get_by_role("alert")).to_contain_text("La connexion est interrompue.")
    page.unroute_all()
    page.get_by_role("button", name="Réessayer").click()
    expect(page.get_by_role("link", name="Salon alice", exact=True)).to_be_visible()
