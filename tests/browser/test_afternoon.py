"""A customer and then an owner use the site with the data of `reservation demo`."""

import json
import re
import urllib.request
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import confirm, facts, pick, said, sign_in

SERVICE = "Coupe femme"


def menu(page, name):
    """Follows a link of the header, which a small screen hides in a menu."""
    if page.get_by_role("button", name="Menu").is_visible():
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("banner").get_by_text(name).click()


def turn_to(page, name):
    """Opens another page of the business."""
    if page.locator(".side .pages").is_visible():
        page.locator(".side .pages").click()
    page.locator(".side").get_by_role("link", name=name, exact=True).click()
    expect(page.locator(".side [aria-current=page]")).to_contain_text(name)
    expect(page.locator(".side .pages")).to_have_attribute("aria-expanded", "false")


def the_hairdresser(page):
    heading = page.get_by_role("main").get_by_role("heading", name="L'Atelier des Pentes")
    return heading.get_by_role("link")


def free_tuesday(url, tuesday):
    """Returns a Tuesday on which the hairdresser has free times."""
    while True:
        query = f"prestation=1&du={tuesday}&au={tuesday}"
        with urllib.request.urlopen(f"{url}/api/entreprises/1/creneaux?{query}") as answer:
            if len(json.load(answer)) > 8:
                return tuesday
        tuesday += timedelta(days=7)


@pytest.mark.parametrize("width, color_scheme", [(1280, "light"), (390, "dark")])
def test_a_stranger_books_moves_and_cancels_and_an_owner_plans_the_week(
    serve_town, new_page, town, tuesday, width, color_scheme
):
    url = serve_town().url
    tuesday = free_tuesday(url, tuesday)
    page = new_page(
        url, color_scheme=color_scheme, viewport={"width": width, "height": 860},
        reduced_motion="no-preference",
    )

    page.goto("")
    page.get_by_role("combobox", name="Quoi ?").fill("coupe f")
    page.get_by_role("option", name=SERVICE, exact=True).click()
    page.get_by_role("combobox", name="Où ?").fill("lyon")
    page.get_by_role("option", name="Lyon", exact=True).click()
    page.get_by_label("Quand ?").fill(tuesday.isoformat())
    page.get_by_role("main").get_by_role("button", name="Rechercher").click()
    expect(page.locator(".offer .time")).not_to_have_count(0)
    the_hairdresser(page).click()
    expect(page.locator(".week .time")).not_to_have_count(0)
    pick(page, tuesday, "")
    sign_in(page, town.accounts["customer"])
    expect(page.get_by_role("button", name="Confirmer le rendez-vous")).to_be_visible()
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    before = facts(page).inner_text()
    page.get_by_role("button", name="Déplacer").click()
    page.locator(".week .time").nth(-1).click()
    page.get_by_role("button", name="Déplacer le rendez-vous").click()
    expect(page.get_by_role("status").filter(has_text="est déplacé")).to_be_visible()
    expect(facts(page)).not_to_have_text(before, use_inner_text=True)
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    page.get_by_role("button", name="Oui, annuler").click()
    expect(page.locator(".badge")).to_have_text("Annulé")
    menu(page, "Mes rendez-vous")

    menu(page, "Se déconnecter")
    menu(page, "Se connecter")
    sign_in(page, town.accounts["owner"])
    the_hairdresser(page).click()
    page.get_by_role("button", name="Semaine", exact=True).click()
    page.get_by_role("button", name="Semaine suivante").click()
    page.get_by_role("button", name=re.compile("^Libre de")).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Client").fill("Inès Roux")
    dialog.get_by_label("Adresse e-mail").fill("ines.roux@example.fr")
    dialog.get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    said(page, "Rendez-vous pris pour Inès Roux")
    turn_to(page, "Horaires")
    turn_to(page, "Fermetures")
    page.get_by_role("button", name="Ajouter une fermeture").click()
    dialog.get_by_label("Titre").fill("Formation")
    dialog.get_by_label("Premier jour").fill(str(tuesday))
    dialog.get_by_label("Dernier jour").fill(str(tuesday))
    dialog.get_by_role("button", name="Voir les conséquences").click()
    save = dialog.get_by_role("button", name="Enregistrer")
    expect(save).to_be_visible()
    save.click()
    expect(page.get_by_role("rowheader", name=re.compile("^Formation"))).to_be_visible()
    turn_to(page, "Statistiques")
    expect(page.locator(".chart").first).to_be_visible()
