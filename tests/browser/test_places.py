"""What a user may be about to click keeps its place while the rest of the page arrives."""

from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page

# Address, what arrives late, a part of the page, and what shows that the rest has arrived
CASES = {
    "start": ("", "**/api/suggestions", ".promises", ".popular a"),
    "business": (
        "entreprises/{salon}", "**/creneaux?*prochain=1*", ".views", "a.button.main .icon"
    ),
    "header": ("gestion/{salon}/agenda", "**/calendar/agenda.js", ".brand", ".manage"),
    "messages": ("gestion/{salon}/messages", "**/emails?*", ".lead", ".empty"),
    **{
        view: (
            f"gestion/{{salon}}/agenda?vue={view}&jour={{day}}", "**/event-calendar.min.js",
            ".agenda-list", ".board .ec-main",
        )
        for view in ("jour", "semaine", "mois")
    },
}


@pytest.fixture
def slow_page(new_page):
    """Opens a page whose requests to `late` wait in `held`."""

    def start(late, held, url, **options):
        page = new_page(url, **options)
        page.route(late, lambda route: held.append(route))
        return page

    return start


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("case", CASES)
def test_a_part_keeps_its_place(slow_page, serve, salon, alice, tuesday, width, case):
    address, late, part, rest = CASES[case]
    held = []
    page = open_page(
        partial(slow_page, late, held), serve().url, alice,
        address.format(salon=salon.id, day=tuesday), viewport={"width": width, "height": 1100},
    )
    expect(page.locator(part)).to_be_visible()
    expect(page.locator(rest)).to_have_count(0)
    before = page.locator(part).bounding_box()
    release(page, held)
    expect(page.locator(rest).first).to_be_visible()
    assert page.locator(part).bounding_box() == pytest.approx(before, abs=4)
    expect(page.locator(".waiting")).to_have_count(0)  # before the server stops


def release(page, held):
    while not held:
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()


def test_the_menu_of_a_business_keeps_its_place_when_its_name_arrives(
    slow_page, serve, client, salon, alice
):
    business = f"/api/entreprises/{salon.id}"
    name = "Institut de beauté et de bien-être de la place Bellecour"
    client.put(business, {"nom": name, "ville": "Lyon"}, token=alice.token)
    held = []
    page = open_page(
        partial(slow_page, f"**{business}", held), serve().url, alice,
        f"gestion/{salon.id}/messages", viewport={"width": 1280, "height": 1100},
    )
    menu = page.locator("#pages")
    expect(menu).to_be_visible()
    before = menu.bounding_box()
    release(page, held)
    expect(page.locator(".side").get_by_text(name)).to_be_visible()
    assert menu.bounding_box() == before


def test_the_link_below_the_times_of_a_frame_is_shown_where_it_stays(slow_page, serve, salon):
    held = []
    page = slow_page("**/creneaux?*", held, serve().url)
    page.goto(f"integrer/{salon.id}")
    expect(page.get_by_label("1. Choisissez une prestation")).to_be_visible()
    link = page.locator("a[href='entreprises/%s']" % salon.id)
    expect(link).to_be_hidden()
    release(page, held)
    page.unroute_all()
    expect(link).to_be_visible()
    expect(page.locator(".waiting")).to_have_count(0)
