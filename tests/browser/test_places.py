"""What a user may be about to click keeps its place while the rest of the page arrives."""

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page

# Address, what arrives late, a part of the page, and what shows that the rest has arrived
CASES = {
    "start": ("", "**/api/suggestions", ".promises", ".popular a"),
    "business": (
        "entreprises/{salon}", "**/creneaux?*prochain=1*", ".views", "a.button.main .icon"
    ),
    "messages": ("gestion/{salon}/messages", "**/emails?*", ".lead", ".empty"),
    **{
        view: (
            f"gestion/{{salon}}/agenda?vue={view}&jour={{day}}", "**/event-calendar.min.js",
            ".agenda-list", ".board .ec-main",
        )
        for view in ("jour", "semaine", "mois")
    },
}


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("case", CASES)
def test_a_part_keeps_its_place(new_page, serve, salon, alice, tuesday, width, case):
    address, late, part, rest = CASES[case]
    held = []

    def slow_page(url, **options):
        page = new_page(url, **options)
        page.route(late, lambda route: held.append(route))
        return page

    page = open_page(
        slow_page, serve().url, alice, address.format(salon=salon.id, day=tuesday),
        viewport={"width": width, "height": 1100},
    )
    expect(page.locator(part)).to_be_visible()
    expect(page.locator(rest)).to_have_count(0)
    while not held:
        page.wait_for_timeout(20)
    before = page.locator(part).bounding_box()
    for route in held:
        route.continue_()
    expect(page.locator(rest).first).to_be_visible()
    assert page.locator(part).bounding_box() == pytest.approx(before, abs=4)
