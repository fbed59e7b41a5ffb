"""The site on a telephone, by fingers."""

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.test_owner_board import only, point, tile
from tests.browser.visitors import said, window

PHONE = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
    "device_scale_factor": 2,
}  # fmt: skip


def press_and_drag(page, start, end):
    """Presses long at a point, as EventCalendar asks for, and drags to another."""
    fingers = page.context.new_cdp_session(page)

    def touch(kind, *points):
        at = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", start)
    page.wait_for_timeout(600)
    (x, y), (to_x, to_y) = start, end
    for step in range(1, 7):
        touch("touchMove", (x + (to_x - x) * step / 6, y + (to_y - y) * step / 6))
    touch("touchEnd")


def test_a_tap_opens_a_booking_and_a_long_press_moves_it(agenda, visit, client, alice):
    page = agenda(**PHONE)
    block = tile(page, "Chloé Martin")
    block.tap()
    expect(window(page)).to_contain_text("Coupe femme")
    window(page).get_by_role("button", name="Fermer").tap()
    expect(window(page)).to_have_count(0)

    block.scroll_into_view_if_needed()
    box = block.bounding_box()
    press_and_drag(page, (box["x"] + 60, box["y"] + 4), point(page, "11:00"))
    expect(window(page)).to_contain_text(", 11:00 – 11:30")
    window(page).get_by_role("button", name="Déplacer le rendez-vous").tap()
    said(page, "est déplacé")
    expect(block).to_contain_text("11:00 – 11:30")
    assert only(client, alice)["debut"][11:16] == "11:00"


def test_a_telephone_shows_addresses_to_copy_and_aligns_headings_of_groups(
    serve, new_page, salon, alice
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/partager", **PHONE)
    texts = page.locator(".copied textarea")
    expect(texts).to_have_count(3)
    cut = "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length"
    assert texts.evaluate_all(cut) == 0
    page.goto(f"gestion/{salon.id}/etablissement")
    expect(page.get_by_label("Nom de l’établissement")).to_be_visible()
    heads = page.locator("form legend, form label:not(:has(input))")
    starts = heads.evaluate_all("""all => all.map((one) =>
      one.getBoundingClientRect().x + parseFloat(getComputedStyle(one).paddingLeft))""")
    assert len(starts) > 5
    assert max(starts) - min(starts) < 1


# The buttons, links and labels of checkboxes that are lower than a finger needs. A link within a
# sentence may be lower.
LOW = """() => [...document.querySelectorAll('button, a, summary, label:has([type=checkbox])')]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== 'inline')
  .filter((one) => one.offsetHeight < 44)
  .map((one) => `${one.textContent.trim()}: ${one.offsetHeight}`)"""


@pytest.mark.parametrize(
    "address, drawn", [
        ("?q=coupe", ".offer"), ("entreprises/{salon}", ".week"), ("connexion", "form"),
        ("gestion/{salon}/clients", ".rows"), ("gestion/{salon}/horaires", ".weekly"),
        ("gestion/{salon}/clients?client=1", "form"), ("gestion/{salon}/partager", "summary"),
    ],
)  # fmt: skip
def test_whatever_a_finger_presses_is_high_enough(
    serve, new_page, salon, alice, visit, address, drawn
):
    path = address.format(salon=salon.id)
    url = serve().url
    page = (
        open_page(new_page, url, alice, path, **PHONE) if path.startswith("gestion")
        else new_page(url, **PHONE)
    )
    page.goto(path)
    expect(page.locator(drawn).first).to_be_visible()
    assert page.evaluate(LOW) == []


def test_the_length_and_the_price_of_a_service_stand_beside_its_name(
    serve, new_page, client, salon, alice
):
    service = {"nom": "Coloration", "dureeMinutes": 90, "prixCentimes": 4550}
    client.put(f"/api/prestations/{salon.couleur}", service, token=alice.token)
    page = new_page(serve().url, **PHONE)
    page.goto(f"entreprises/{salon.id}")
    row = page.locator(".options label").filter(has_text="Coloration")
    name, told = row.get_by_text("Coloration").bounding_box(), row.locator(".told").bounding_box()
    assert told["y"] < name["y"] + name["height"]


def test_a_long_name_leaves_room_for_the_button_that_closes_the_dialog(agenda, visit):
    page = agenda(**PHONE)
    tile(page, "Chloé Martin").tap()
    heading = window(page).get_by_role("heading", level=2)
    heading.evaluate("(one) => { one.textContent = 'Vandenberghe-Dupont-de-Saint-Hilaire' }")
    assert window(page).get_by_role("button", name="Fermer").bounding_box()["width"] == 44
