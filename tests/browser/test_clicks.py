"""What people do most often takes few clicks, or taps; they type and go on by the keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.test_owner_board import drag, point, tile
from tests.browser.visitors import WORDS, open_salon, window
from tests.codes import issued

COUNT = """addEventListener('pointerdown', () => {
  sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true);"""


def counted(page):
    """Counts the presses of the mouse and the taps from now on, in all pages."""
    page.add_init_script(COUNT)
    page.reload()


def clicks(page):
    return int(page.evaluate("sessionStorage.clicks"))


def type_on(page, *texts):
    """Types into the field that has the focus and the fields after it."""
    for n, text in enumerate(texts):
        if n:
            page.keyboard.press("Tab")
        page.keyboard.type(text)


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_a_new_customer_books_in_five_clicks(serve, new_page, db, salon, tuesday, touch):
    w = WORDS["fr-FR"]
    small = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = new_page(serve().url, **(small if touch else {}))
    press = "tap" if touch else "click"

    def button(name):
        getattr(page.get_by_role("main").get_by_role("button", name=w[name]), press)()

    open_salon(page, salon, tuesday)
    counted(page)
    getattr(page.locator(".week .time", has_text="09:30").first, press)()
    getattr(page.get_by_label(w["first"]), press)()
    type_on(page, "Zoé", "Roux", "zoe@example.fr")
    button("get")
    expect(page.get_by_label(w["code"])).to_be_focused()
    type_on(page, issued(db, "zoe@example.fr"))
    button("go on")
    button("confirm")
    expect(page.get_by_role("heading", level=1)).to_have_text(w["booked"])
    assert clicks(page) == 5


def test_an_owner_books_for_a_caller_moves_a_booking_and_closes_a_day(
    agenda, visit, salon, tuesday
):
    page = agenda()
    counted(page)
    page.mouse.click(*point(page, "14:30"))
    window(page).get_by_role("combobox", name="Client").click()
    type_on(page, "Zoé Picard", "", "06 11 22 33 44")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    expect(tile(page, "Zoé Picard")).to_contain_text("14:30 – 15:00")
    assert clicks(page) == 3

    drag(page, "Chloé Martin", "15:00")
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    expect(tile(page, "Chloé Martin")).to_contain_text("15:00 – 15:30")
    assert clicks(page) == 3 + 2

    page.get_by_role("button", name="Fermer la journée").click()
    window(page).get_by_role("button", name="Voir les conséquences").click()
    expect(window(page)).to_contain_text("Chloé Martin")
    window(page).get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("Fermé : Fermeture exceptionnelle").first).to_be_visible()
    assert salon.free(tuesday) == []
    assert clicks(page) == 3 + 2 + 3


def test_a_double_click_accepts_one_request(
    serve, new_page, make_salon, alice, chloe, bob, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    for customer, time in ((chloe, "09:00"), (bob, "10:00")):
        salon.book(customer, salon.at(tuesday, time))
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/agenda")
    requests = page.locator(".pending li")
    box = requests.first.get_by_role("button", name="Accepter").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.up()
    expect(requests).to_have_count(1)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_load_state("networkidle")
    expect(requests).to_have_text(re.compile("10:00"))
    requests.get_by_role("button", name="Accepter").click()
    expect(requests).to_have_count(0)
