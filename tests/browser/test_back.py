"""The Back button shows what the visitor left: the open pages of a list, and the place."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.outboxes import wait_for


@pytest.fixture
def customers(serve, new_page, client, salon, alice):
    """The list of 120 customers, with the last page open."""
    path = f"/api/entreprises/{salon.id}/clients"
    for number in range(120):
        client.post(path, {"nom": f"Petit {number:03}", "telephone": "06"}, 201, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    for shown in (100, 120):
        page.get_by_role("button", name="Voir plus").click()
        expect(page.locator(".rows tbody tr")).to_have_count(shown)
    return page


def test_going_back_to_a_list_shows_its_open_pages_and_the_same_place(customers):
    page = customers
    link = page.get_by_role("link", name="Petit 110")
    link.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    assert place > 1000
    link.click()
    expect(page.get_by_role("heading", name="Petit 110")).to_be_in_viewport()
    page.go_back()
    expect(page.locator(".rows tbody tr")).to_have_count(120)
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)
    page.mouse.wheel(0, -800)
    page.wait_for_function("place => scrollY < place - 400", arg=place)
    page.reload()
    expect(page.locator(".rows tbody tr")).to_have_count(120)
    page.get_by_label("Rechercher un client").fill("Petit")
    expect(page.locator(".rows tbody tr")).to_have_count(50)


def test_going_back_from_another_page_finds_the_place(customers):
    page = customers
    page.get_by_role("link", name="Petit 110").scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    page.get_by_role("link", name="Messages").evaluate("link => link.click()")
    expect(page.get_by_role("heading", level=1)).to_have_text("Messages")
    page.wait_for_function("scrollY === 0")
    page.go_back()
    expect(page.get_by_role("link", name="Petit 110")).to_be_in_viewport()
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)


def test_going_forward_to_a_list_finds_the_place(customers):
    page = customers
    for name in ("Messages", "Clients"):
        page.get_by_role("link", name=name, exact=True).evaluate("link => link.click()")
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator(".rows tbody tr")).to_have_count(50)
    page.get_by_role("link", name="Petit 040").scroll_into_view_if_needed()
    page.wait_for_function("() => scrollY > 0 && history.state.top === scrollY")
    place = page.evaluate("scrollY")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Messages")
    page.go_forward()
    expect(page.get_by_role("link", name="Petit 040")).to_be_in_viewport()
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)


def test_going_back_to_a_list_keeps_its_order(customers):
    page = customers
    heads, names = page.locator("thead"), page.locator("tbody th")
    for first in ("Petit 000", "Petit 119"):
        heads.get_by_role("button", name="Nom").click()
        expect(names.first).to_have_text(first)
    page.get_by_role("link", name="Petit 119").click()
    expect(page.get_by_role("heading", name="Petit 119")).to_be_visible()
    page.go_back()
    expect(names.first).to_have_text("Petit 119")
    page.reload()
    expect(names.first).to_have_text("Petit 119")
    heads.get_by_role("button", name="Nom").click()
    expect(names.first).to_have_text("Petit 000")


def test_a_reload_of_a_list_finds_the_place(customers):
    page = customers
    page.get_by_role("link", name="Petit 110").scroll_into_view_if_needed()
    page.wait_for_function("() => scrollY > 1000 && history.state.top === scrollY")
    place = page.evaluate("scrollY")
    page.reload()
    expect(page.locator(".rows tbody tr")).to_have_count(120)
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)


def test_going_back_to_a_list_after_a_reload_of_the_next_page_finds_the_place(customers):
    page = customers
    page.get_by_role("link", name="Petit 110").scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    page.get_by_role("link", name="Règles").evaluate("link => link.click()")
    expect(page.get_by_role("button", name="Enregistrer")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="Enregistrer")).to_have_count(1)
    page.go_back()
    expect(page.locator(".rows tbody tr")).to_have_count(120)
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)


def test_going_back_to_a_search_shows_its_open_days(serve_town, new_page):
    page = new_page(serve_town().url)
    page.goto("?q=")
    offers = page.locator(".offer")
    page.get_by_role("button", name="Voir les jours suivants").click()
    expect(offers).to_have_count(12)
    expect(page.locator(".waiting")).to_have_count(0)
    expect(page.locator(":focus")).to_have_text("Voir les jours suivants")
    link = offers.last.get_by_role("link").first
    link.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    link.click()
    expect(page.locator(".results")).to_have_count(0)
    page.go_back()
    expect(offers).to_have_count(12)
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)


def test_going_back_from_a_search_restores_the_title_of_the_start_page(serve_town, new_page):
    page = new_page(serve_town().url)
    page.goto(".")
    start = "Prenez rendez‑vous, simplement. · Réservation"
    expect(page).to_have_title(start)
    page.get_by_role("link", name="Barbier", exact=True).click()
    expect(page).to_have_title("Barbier : disponibilités · Réservation")
    page.go_back()
    expect(page).to_have_title(start)


def test_a_search_shows_one_page_though_the_next_page_of_the_old_list_arrives(customers):
    page = customers
    page.get_by_label("Rechercher un client").fill("Petit")
    rows = page.locator(".rows tbody tr")
    expect(rows).to_have_count(50)
    held = []
    page.route("**/clients?*", lambda one: held.append(one) if len(held) < 2 else one.fallback())
    page.get_by_role("button", name="Voir plus").click()
    wait_for(lambda: page.wait_for_timeout(20) or held)
    page.get_by_label("Rechercher un client").fill("Peti")
    wait_for(lambda: page.wait_for_timeout(20) or len(held) == 2)
    for route in held:
        route.continue_()
        page.wait_for_timeout(300)
    expect(page).to_have_url(re.compile("q=Peti$"))
    expect(rows).to_have_count(50)


def test_the_tab_key_goes_on_from_the_end_of_a_list_after_its_last_page(customers):
    assert customers.evaluate("document.activeElement.matches('.rows ~ [tabindex]')")
    customers.keyboard.press("Shift+Tab")
    expect(customers.locator(".rows a").last).to_be_focused()


def test_a_screen_reader_that_clicks_after_going_back_gets_the_top_of_the_next_page(customers):
    page = customers
    page.get_by_role("link", name="Petit 110").click()
    expect(page.get_by_role("heading", name="Petit 110")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="Petit 110")).to_be_in_viewport()
    page.get_by_role("link", name="Règles").evaluate("link => link.click()")
    expect(page.get_by_role("button", name="Enregistrer")).to_have_count(1)
    page.wait_for_timeout(300)  # the page could still jump
    assert page.evaluate("scrollY") == 0


def test_a_new_search_for_a_record_to_merge_shows_one_page(customers):
    page = customers
    page.get_by_role("link", name="Petit 110").click()
    page.get_by_role("button", name="Fusionner").click()
    window = page.get_by_role("dialog")
    field, found = window.get_by_label("Rechercher un client"), window.locator("li")
    field.fill("Petit")
    expect(found).to_have_count(8)
    window.get_by_role("button", name="Voir plus").click()
    expect(found).to_have_count(16)
    field.fill("Petit 0")
    expect(found).to_have_count(8)


def test_a_link_to_the_open_page_adds_no_entry_to_the_history(customers):
    page = customers
    page.get_by_role("link", name="Messages", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Messages")
    page.get_by_role("link", name="Messages", exact=True).click()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clients")
