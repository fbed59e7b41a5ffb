"""An owner who retries after a lost answer adds a thing once, and is not told of a conflict."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.test_owner_board import drag, only, tile
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


def fill_customer(page):
    page.get_by_role("button", name="Ajouter un client").click()
    window(page).get_by_label("Nom", exact=True).fill("Petit")
    window(page).get_by_label("E-mail").fill("Rose@Example.fr")


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
        ("clients", "clients", fill_customer, "nom"),
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
    assert {"Brushing", "Inès", "Travaux", "Petit"} & set(names)


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


@pytest.mark.parametrize("own", [False, True])
def test_hours_whose_answer_was_lost_are_saved_at_the_second_attempt(
    serve, new_page, faults, client, salon, lea, alice, own
):
    faults.allow(0)
    path = f"gestion/{salon.id}/horaires" + (f"?de={lea}" if own else "")
    page = open_page(new_page, serve().url, alice, path)
    if own:
        page.get_by_role("button", name="Définir ses propres horaires").click()
    page.get_by_role("button", name=re.compile("^Mardi 09:00")).click()
    window(page).get_by_label("À", exact=True).fill("11:00")
    window(page).get_by_role("button", name="Appliquer").click()
    page.get_by_role("button", name="Voir les conséquences").click()
    retry(page, r"/semainetype$", window(page).get_by_role("button", name="Enregistrer").click)
    said(page, "C’est enregistré.")
    of = f"ressources/{lea}" if own else f"entreprises/{salon.id}"
    saved = client.get(f"/api/{of}/semainetype").json
    week = saved["semaine"] if own else saved
    assert [one["fin"] for one in week if one["jour"] == 2][0] == "11:00"


def test_a_new_person_has_own_hours_although_their_answer_was_lost(
    serve, new_page, faults, client, salon, lea, alice
):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    fill_person(page)
    window(page).get_by_label("Ses propres horaires").check()
    retry(page, r"/semainetype$", window(page).get_by_role("button", name="Enregistrer").click)
    team = client.get(f"/api/entreprises/{salon.id}/ressources", token=alice.token).json
    (ines,) = [one["id"] for one in team if one["nom"] == "Inès"]
    own = client.get(f"/api/ressources/{ines}/semainetype").json["semaine"]
    assert own == client.get(f"/api/entreprises/{salon.id}/semainetype").json


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


UNDO = "Annuler ce changement"


def test_a_move_is_undone_once_although_the_answer_was_lost(
    agenda, faults, visit, client, salon, alice
):
    faults.allow(0)
    page = agenda()
    drag(page, "Chloé Martin", "15:00")
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    retry(page, r"/reservations/\d+$", page.get_by_role("button", name=UNDO).click)
    said(page, "Le changement est annulé")
    assert only(client, alice)["debut"][11:16] == "10:00"
    sent = client.get(f"/api/entreprises/{salon.id}/emails", token=alice.token).json
    assert [one["genre"] for one in sent].count("deplacee") == 2


def test_a_closure_is_put_back_once_although_the_answer_was_lost(
    agenda, faults, client, salon, alice, tuesday
):
    faults.allow(0)
    path = f"/api/entreprises/{salon.id}/evenements"
    offset = salon.free(tuesday)[0]["debut"][19:]
    debut, fin = (f"{tuesday}T{hour}:00:00{offset}" for hour in (10, 11))
    about = {"type": "fermeture", "titre": "Dentiste", "debut": debut, "fin": fin}
    client.post(path, about, 201, token=alice.token)
    page = agenda()
    drag(page, "Dentiste", "15:00")
    window(page).get_by_role("button", name="Modifier la fermeture").click()
    retry(page, r"/evenements/\d+$", page.get_by_role("button", name=UNDO).click)
    said(page, "Le changement est annulé")
    (event,) = client.get(path).json
    assert event["debut"][11:16] == "10:00"
