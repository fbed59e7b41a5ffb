"""A name in Arabic or Hebrew does not reorder the text around it."""

import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.test_owner_board import window
from tests.browser.visitors import confirm, facts, open_salon, pick, said, signed_in
from tests.outboxes import wait_for

SERVICE, PERSON = "תספורת", "שרה כהן"
STREET, CITY = "הרצל 12", "תל אביב"
LENGTH = "30 min"

# Whether the words of a text stand from left to right.
ORDERED = """(element, words) => {
  const texts = [], walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  let last = -Infinity;
  return words.every((word) => {
    const text = texts.find((node) => node.data.includes(word));
    if (!text) return false;  // the page is replacing the text
    const range = document.createRange();
    range.setStart(text, text.data.indexOf(word));
    range.setEnd(text, text.data.indexOf(word) + word.length);
    const { left, right } = range.getBoundingClientRect();
    const follows = left >= last - 1;
    last = right;
    return follows;
  });
}"""


def assert_ordered(locator, *words):
    expect(locator).to_contain_text(re.compile(".*".join(map(re.escape, words)), re.DOTALL))
    wait_for(lambda: locator.evaluate(ORDERED, list(words)), seconds=5)


@pytest.fixture
def hebrew(client, salon, alice):
    client.put(
        f"/api/prestations/{salon.coupe}",
        {"nom": SERVICE, "dureeMinutes": 30, "prixCentimes": 1000}, token=alice.token,
    )


def test_a_customer_reads_the_length_and_the_price_after_the_name(
    serve, new_page, salon, chloe, tuesday, hebrew
):
    page = new_page(serve().url, viewport={"width": 1280, "height": 1000})
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    chosen = page.get_by_text(re.compile(f"{SERVICE}.*{LENGTH}")).last
    assert_ordered(chosen, SERVICE, "30", "min", "10")
    pick(page, tuesday, "10:00")
    confirm(page)
    assert_ordered(facts(page).locator("dd", has_text=SERVICE), SERVICE, "30", "min")


def test_an_address_is_read_street_first(
    serve, new_page, client, salon, alice, chloe, tuesday
):
    business = client.get(f"/api/entreprises/{salon.id}").json
    named = {name: business[name] for name in ("nom", "codePostal", "version")}
    client.put(
        f"/api/entreprises/{salon.id}", {**named, "adresse": STREET, "ville": CITY},
        token=alice.token,
    )
    page = new_page(serve().url, viewport={"width": 1280, "height": 1000})
    page.goto(f"?q=coupe&jour={tuesday}")
    assert_ordered(page.locator(".offer p", has_text=STREET), STREET, CITY)
    open_salon(page, salon, tuesday)
    place = page.locator("p", has_text=STREET)
    assert_ordered(place, STREET, "69002", CITY, "Plan")
    query = place.get_by_role("link").get_attribute("href").partition("?query=")[2]
    assert unquote(query) == f"{STREET}, 69002 {CITY}"
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    assert_ordered(page.locator(".facts small", has_text=STREET), STREET, "69002", CITY)


def test_an_owner_reads_a_booking_from_left_to_right(
    serve, new_page, client, salon, alice, tuesday, hebrew
):
    page = open_page(
        new_page, serve().url, alice, f"gestion/{salon.id}/agenda?vue=jour&jour={tuesday}",
        viewport={"width": 1280, "height": 1500},
    )
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    assert_ordered(window(page).locator("label span", has_text=SERVICE), SERVICE, "30", "min")
    window(page).get_by_role("combobox", name="Client").fill(PERSON)
    window(page).get_by_label("Téléphone").fill("06 11 22 33 44")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    said(page, f"pour \u2068{PERSON}\u2069, mardi")
