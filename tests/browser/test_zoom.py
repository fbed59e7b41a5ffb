"""A window of 1280 × 1024 at a zoom of 400 %: a page scrolls in one direction, and what stays on
the screen hides nothing (WCAG 2.2, 1.4.10). The page is 320 × 256 CSS pixels then."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.test_owner_board import tile
from tests.browser.visitors import WORDS, facts, open_salon, pick, said, window
from tests.codes import issued

# Whether the middle of the focused element is above all others.
IN_SIGHT = """() => {
  const { left, top, width, height } = document.activeElement.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return document.activeElement.contains(above);
}"""
ZOOMED = {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4}


def press(within, role, name):
    """Presses a button, or follows a link, of a page that is no wider than the window."""
    page = getattr(within, "page", within)
    within.get_by_role(role, name=name).first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, (name, page.url)


def test_a_customer_books_moves_and_cancels(serve, new_page, db, salon, tuesday):
    w = WORDS["fr-FR"]
    page = new_page(serve().url, **ZOOMED)
    main = page.get_by_role("main")
    page.goto("")
    page.get_by_role("combobox", name=w["what"]).fill("coupe f")
    press(page, "option", "Coupe femme")
    press(main, "button", w["search"])
    press(main, "link", "Salon alice")
    expect(page.get_by_role("heading", level=1)).to_have_text("Salon alice")
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    expect(page.get_by_label(w["first"])).to_be_visible()
    for label, text in (("first", "Zoé"), ("last", "Roux"), ("email", "zoe@example.fr")):
        page.get_by_label(w[label], exact=True).fill(text)
    expect(page.get_by_role("banner")).not_to_be_in_viewport()  # hides no field
    press(main, "button", w["get"])
    page.get_by_label(w["code"]).fill(issued(db, "zoe@example.fr"))
    press(main, "button", w["go on"])
    press(main, "button", w["confirm"])
    expect(page.get_by_role("heading", level=1)).to_have_text(w["booked"])
    press(main, "button", re.compile(f"^{w['move']}$"))
    pick(page, tuesday, "11:00")
    press(window(page), "button", w["sure"])
    expect(facts(page)).to_contain_text("11:00 – 11:30")
    press(main, "button", w["cancel"])
    press(window(page), "button", w["yes"])
    expect(page.locator(".badge")).to_have_text(w["cancelled"])


def test_an_owner_plans_the_day_and_the_week(agenda, visit, tuesday):
    page = agenda(**ZOOMED)
    main = page.get_by_role("main")
    press(main, "button", "Libre de 14:00 à 18:00")
    window(page).get_by_role("combobox", name="Client").fill("Zoé Picard")
    window(page).get_by_label("Téléphone").fill("06 11 22 33 44")
    press(window(page), "button", re.compile("^Prendre rendez-vous"))
    said(page, "Rendez-vous pris pour Zoé Picard")
    tile(page, "Chloé Martin").click()
    press(window(page), "button", "Déplacer")
    press(window(page), "button", re.compile("^11:00"))
    press(window(page), "button", "Déplacer le rendez-vous")
    said(page, "est déplacé")
    press(main, "button", "Fermer la journée")
    press(window(page), "button", "Voir les conséquences")
    press(window(page), "button", "Enregistrer")
    expect(page.get_by_text("Fermé : Fermeture exceptionnelle").first).to_be_visible()
    pages = page.get_by_role("navigation", name="Pages de l’établissement")
    press(pages, "button", "Agenda")
    press(pages, "link", "Horaires")
    press(main, "button", "Copier mardi")
    window(page).get_by_role("checkbox", name="Lundi").check()
    press(window(page), "button", "Copier")
    expect(page.get_by_text("Modifications non enregistrées.")).not_to_be_in_viewport()
    press(main, "button", "Voir les conséquences")
    press(window(page), "button", "Enregistrer")
    said(page, "C’est enregistré.")


@pytest.mark.parametrize("size", [(1280, 620), (390, 700), (320, 500)])
def test_the_bar_of_unsaved_hours_hides_no_button_that_has_the_focus(
    serve, new_page, salon, alice, size
):
    page = open_page(
        new_page, serve().url, alice, f"gestion/{salon.id}/horaires",
        viewport=dict(zip(("width", "height"), size)),
    )
    page.get_by_role("button", name="Copier mardi").click()
    window(page).get_by_role("checkbox", name="Lundi").check()
    window(page).get_by_role("button", name="Copier").click()
    bar = page.locator(".draft")
    expect(bar).to_contain_text("Modifications non enregistrées.")
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="Copier lundi").focus()
    seen = []
    while bar.locator(":focus").count() == 0:
        seen.append(page.evaluate(IN_SIGHT))
        page.keyboard.press("Tab")
    assert len(seen) > 14 and all(seen), seen


def test_an_admin_disables_an_account(serve, new_page, dora, chloe):
    page = open_page(new_page, serve().url, dora, "admin/comptes", "admin", **ZOOMED)
    page.get_by_label("Rechercher un compte").fill(chloe.email[:5])
    press(page.get_by_role("row").filter(has_text=chloe.email), "button", "Désactiver")
    press(window(page), "button", "Désactiver")
    expect(page.get_by_text("Désactivé", exact=True)).to_be_visible()
