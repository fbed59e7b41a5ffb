"""An owner who retries after a lost answer adds a thing once, and is not told of a conflict."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.test_owner_board import tile
from tests.browser.visitors import pick, said, window


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
    """Loses the answer to the first change that the page sends to `path`."""

    def lose(route):
        if route.request.method == "GET":
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


def change_service(page):
    page.get_by_role("button", name=re.compile("^Modifier.*Coupe femme")).click()
    window(page).get_by_label("Nom de la prestation").fill("Coupe courte")


def change_person(page):
    page.get_by_role("button", name=re.compile("^Modifier.*Léa")).click()
    window(page).locator("[name=nom]").fill("Léa B.")


def change_business(page):
    page.get_by_label("Nom de l’établissement").fill("Chez Alice")


def change_closure(page):
    page.get_by_role("button", name=re.compile("^Modifier.*Travaux")).click()
    window(page).get_by_label("Titre").fill("Vacances")
    window(page).get_by_role("button", name="Voir les conséquences").click()


@pytest.fixture
def closure(client, salon, alice, tuesday):
    about = {
        "type": "fermeture", "titre": "Travaux", "debut": f"{tuesday}T06:00:00Z",
        "fin": f"{tuesday}T07:00:00Z",
    }
    client.post(f"/api/entreprises/{salon.id}/evenements", about, 201, token=alice.token)


def retry(page, path, click):
    """Clicks, loses the answer, and tries again without an error."""
    lost_once(page, re.compile(path))
    click()
    again = page.get_by_role("button", name="Réessayer")
    again.click()
    expect(again).to_have_count(0)
    expect(page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_have_count(0)
    expect(window(page)).to_have_count(0)


@pytest.mark.parametrize(
    ("menu", "path", "fill"),
    [
        ("prestations", r"/prestations/\d+$", change_service),
        ("equipe", r"/ressources/\d+$", change_person),
        ("etablissement", r"/entreprises/\d+$", change_business),
        ("fermetures", r"/evenements/\d+$", change_closure),
    ],
)
def test_a_change_whose_answer_was_lost_succeeds_at_the_second_attempt(
    serve, new_page, faults, salon, lea, alice, closure, menu, path, fill
):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/{menu}")
    fill(page)
    retry(page, path, page.get_by_role("button", name="Enregistrer").click)


def test_a_removal_whose_answer_was_lost_succeeds_at_the_second_attempt(
    serve, new_page, faults, salon, alice, closure
):
    faults.allow(0, 404)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    page.get_by_role("button", name=re.compile("^Supprimer.*Travaux")).click()
    retry(page, r"/evenements/\d+$", page.get_by_role("button", name="Oui, supprimer").click)
    expect(page.get_by_text("Travaux")).to_have_count(0)


def test_a_move_by_the_owner_whose_answer_was_lost_succeeds_at_the_second_attempt(
    agenda, faults, visit, tuesday
):
    faults.allow(0)
    page = agenda()
    tile(page, "Chloé Martin").click()
    window(page).get_by_role("button", name="Déplacer").click()
    pick(page, tuesday, "11:00")
    move = window(page).get_by_role("button", name="Déplacer le rendez-vous")
    retry(page, r"/reservations/\d+$", move.click)
    said(page, "est déplacé")


def test_an_acceptance_whose_answer_was_lost_succeeds_at_the_second_attempt(
    agenda, faults, make_salon, alice, chloe, tuesday
):
    faults.allow(0)
    salon = make_salon(alice, validationManuelle=True)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    page = agenda(of=salon)
    retry(page, r"/reservations/\d+$", page.get_by_role("button", name="Accepter").click)
    said(page, "est acceptée")
