"""The operator's console in a browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import wrong_with
from tests.browser.visitors import said, signed_in, window
from tests.outboxes import wait_for


@pytest.fixture
def console(serve, new_page, dora):
    page = new_page(serve().url)
    signed_in(page, dora)
    page.get_by_role("link", name="Administration").click()
    return page


def tab(page, name):
    page.get_by_role("navigation", name="Administration").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def disable(console, row):
    """Disables the first account of a part of the table."""
    row.get_by_role("button", name="Désactiver").first.click()
    window(console).get_by_role("button", name="Désactiver").click()
    expect(window(console)).to_have_count(0)


def test_the_admin_sees_businesses_messages_and_the_state_of_the_installation(
    db, salon, chloe, tuesday, console
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    db.write("UPDATE eventemail SET statut = 'retenu' WHERE genre = 'nouvelle'")
    expect(console.get_by_role("heading", name="Établissements", level=1)).to_be_visible()
    expect(console.get_by_role("link", name="Salon alice")).to_be_visible()
    assert list(wrong_with(console)) == []
    tab(console, "Messages")
    expect(console.get_by_text("Nouveau rendez-vous")).to_be_visible()
    tab(console, "Installation")
    expect(console.get_by_text("Aucune sauvegarde")).to_be_visible()
    expect(console.get_by_text("N’importe qui peut créer un compte")).to_be_visible()
    expect(console.get_by_role("row", name="1 suspendu · 0 échoué")).to_be_visible()
    expect(console.get_by_role("row", name="RESERVATION_SECRET (hidden)")).to_be_visible()
    console.set_viewport_size({"width": 390, "height": 844})
    label, value = console.get_by_role("row", name="Dernière sauvegarde").locator("> *").all()
    assert label.bounding_box()["width"] > 300  # not beside the value, so that no word is broken
    assert value.bounding_box()["y"] > label.bounding_box()["y"]
    assert list(wrong_with(console)) == []


def test_the_admin_who_disables_an_owner_learns_how_to_close_the_business(console, client, salon):
    tab(console, "Comptes")
    row = console.get_by_role("row").filter(has_text=salon.owner.email)
    row.get_by_role("button", name="Désactiver").click()
    expect(window(console)).to_contain_text("page « Établissement »")
    window(console).get_by_role("button", name="Désactiver").click()
    tab(console, "Établissements")
    console.get_by_role("link", name="Salon alice").click()
    console.get_by_role("link", name="Établissement", exact=True).click()
    console.get_by_label("Ouvert à la réservation").uncheck()
    console.get_by_role("button", name="Enregistrer").click()
    said(console, "C’est enregistré.")
    assert not client.get(f"/api/entreprises/{salon.id}").json["actif"]


def test_the_admin_finds_disables_and_enables_an_account(console, client, chloe):
    tab(console, "Comptes")
    console.get_by_label("Rechercher un compte").fill(chloe.email[:5])
    row = console.get_by_role("row").filter(has_text=chloe.email)
    expect(console.get_by_role("row")).to_have_count(2)
    row.get_by_role("button", name="Désactiver").click()
    expect(window(console)).to_contain_text("ne peut plus se connecter")
    window(console).get_by_role("button", name="Retour").click()
    expect(row.get_by_text("Actif", exact=True)).to_be_visible()
    client.get("/api/compte", token=chloe.token)
    disable(console, row)
    expect(row.get_by_text("Désactivé", exact=True)).to_be_visible()
    client.get("/api/compte", 401, token=chloe.token)
    row.get_by_role("button", name="Réactiver").click()
    expect(row.get_by_text("Actif", exact=True)).to_be_visible()
    row.get_by_role("button", name="Envoyer un lien").click()
    said(console, chloe.email)
    assert list(wrong_with(console)) == []


def test_two_accounts_that_are_enabled_at_once_are_shown_as_enabled(console, alice, chloe):
    tab(console, "Comptes")
    held = []
    rows = [console.get_by_role("row").filter(has_text=who.email) for who in (alice, chloe)]
    for row in rows:
        disable(console, row)
    expect(console.get_by_text("Désactivé", exact=True)).to_have_count(2)
    console.route("**/api/comptes/*", lambda route: held.append(route))
    for row in rows:
        row.get_by_role("button", name="Réactiver").click()
    wait_for(lambda: console.wait_for_timeout(20) or len(held) == 2)
    for row, route in zip(rows, held, strict=True):
        route.continue_()
        expect(row.get_by_text("Actif", exact=True)).to_be_visible()
    expect(console.get_by_text("Désactivé", exact=True)).to_have_count(0)


def test_the_next_page_is_shown_though_an_account_is_disabled_meanwhile(console, person):
    for number in range(60):
        person(f"Paul{number}", "student")
    tab(console, "Comptes")
    rows = console.locator("tbody tr")
    expect(rows).to_have_count(50)
    held = []
    console.route("**/api/comptes?*apres*", lambda route: held.append(route))
    console.get_by_role("button", name="Voir plus").click()
    wait_for(lambda: console.wait_for_timeout(20) or held)
    disable(console, console)
    expect(console.get_by_text("Désactivé", exact=True)).to_have_count(1)
    held[0].continue_()
    expect(rows).to_have_count(61)
    expect(console.get_by_text("Désactivé", exact=True)).to_have_count(1)


def test_nobody_else_sees_the_console(serve, new_page, alice, client):
    page = new_page(serve().url)
    signed_in(page, alice)
    expect(page.get_by_role("link", name="Administration")).to_have_count(0)
    page.goto("admin/comptes")
    expect(page.get_by_role("alert")).to_have_text("Ce compte n’a pas cette autorisation.")
    expect(page.get_by_role("table")).to_have_count(0)
