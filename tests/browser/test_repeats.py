"""An owner who retries after a lost answer adds a thing once."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import window


def fill_service(page):
    page.get_by_role("button", name="Ajouter une prestation").click()
    window(page).get_by_label("Nom de la prestation").fill(" Brushing ")


def fill_person(page):
    page.get_by_role("button", name="Ajouter une personne").click()
    window(page).locator("[name=nom]").fill("Inès")


def fill_closure(page):
    page.get_by_role("button", name="Ajouter une fermeture").click()
    window(page).get_by_label("Titre").fill("Travaux")
    window(page).get_by_role("button", name="Voir les conséquences").click()


def lost_once(page, path):
    """Loses the answer to the first POST of the page to `path`."""

    def lose(route):
        if route.request.method != "POST":
            return route.fallback()
        route.fetch()
        route.abort()
        page.unroute(path)

    page.route(path, lose)


@pytest.mark.parametrize(
    ("menu", "path", "fill", "key"),
    [
        ("prestations", "prestations", fill_service, "nom"),
        ("equipe", "ressources?toutes=1", fill_person, "nom"),
        ("fermetures", "evenements", fill_closure, "titre"),
    ],
)
def test_an_owner_who_retries_after_a_lost_answer_adds_once(
    serve, new_page, faults, client, salon, lea, alice, menu, path, fill, key
):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/{menu}")
    fill(page)
    lost_once(page, re.compile(rf"/{path.partition('?')[0]}$"))
    save = window(page).get_by_role("button", name="Enregistrer")
    save.click()
    window(page).get_by_role("button", name="Réessayer").click()
    expect(window(page)).to_have_count(0)
    kept = client.get(f"/api/entreprises/{salon.id}/{path}", token=alice.token).json
    names = [one[key] for one in kept]
    assert sorted(set(names)) == sorted(names)
    assert {"Brushing", "Inès", "Travaux"} & set(names)
