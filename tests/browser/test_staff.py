"""A person of a team with an account of her own, in a browser."""

import re

from playwright.sync_api import expect

from tests.browser.accessibility import wrong_with
from tests.browser.owner import open_page


def test_she_opens_her_calendar_and_sees_her_bookings_and_no_settings(
    serve, new_page, client, salon, alice, lina, chloe, bob, staff, tuesday
):
    (first, _) = client.get(f"/api/entreprises/{salon.id}/ressources").json
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=staff)
    salon.book(bob, salon.at(tuesday, "10:00"), ressourceId=first["id"])
    page = open_page(new_page, serve().url, lina, "compte", "student")
    page.get_by_role("link", name="Ouvrir mon agenda").click()
    page.locator("article a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Agenda")
    menu = page.get_by_role("navigation", name="Pages de l’établissement")
    expect(menu.locator("li")).to_have_count(1)
    for view in ("jour", "semaine", "mois", "liste"):
        page.goto(f"gestion/{salon.id}/agenda?vue={view}&jour={tuesday}")
        shown = page.locator(".visit-row" if view == "liste" else ".board .visit")
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text("Chloé")
        expect(page.get_by_role("button", name=re.compile("Bloquer|Fermer"))).to_have_count(0)
        assert [*wrong_with(page, [(320, "dark"), (1280, "light")])] == []
    page.goto(f"gestion/{salon.id}/equipe")
    expect(page.get_by_role("main")).to_contain_text("n’a pas cette autorisation")


def test_the_header_of_each_page_leads_to_her_calendar(
    serve, new_page, salon, alice, lina, chloe, staff
):
    page = open_page(new_page, serve().url, lina, "", "student")
    header = page.get_by_role("banner")
    header.get_by_role("link", name="Mon agenda").click()
    expect(page).to_have_url(re.compile(f"gestion/{salon.id}/agenda$"))
    expect(header.locator("[aria-current=page]")).to_have_text("Mon agenda")
    expect(page.locator(".agenda")).to_be_visible()
    for person, role in ((chloe, "student"), (alice, "company")):  # who run no such calendar
        page = open_page(new_page, serve().url, person, "", role)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("link", name="Mes rendez-vous")).to_be_visible()
        expect(page.get_by_role("link", name="Mon agenda")).to_have_count(0)


def test_the_link_to_her_calendar_does_not_end_an_expired_session(
    serve, new_page, lina, faults
):
    faults.allow(401)
    lina.token = lina.token[:-4] + "AAAA"
    page = open_page(new_page, serve().url, lina, "", "student")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("link", name="Mes rendez-vous")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_her_data_name_the_person_whose_calendar_she_runs(serve, new_page, lina, staff):
    page = open_page(new_page, serve().url, lina, "compte/donnees", "student")
    mine = page.locator("section").filter(has=page.get_by_role("heading", name="Mes agendas"))
    expect(mine.locator("li")).to_have_text("Lina")


def test_she_books_and_moves_on_her_calendar(
    serve, new_page, client, salon, alice, lina, staff, tuesday
):
    path = f"gestion/{salon.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, lina, path, "student")
    dialog = page.get_by_role("dialog")
    page.locator(".gap-row button").first.click()
    page.get_by_role("combobox", name="Client").fill("Zoé Picard")
    page.get_by_label("Adresse e-mail").fill("zoe@example.fr")
    dialog.get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    expect(page.locator(".board .visit")).to_contain_text("Zoé Picard")
    page.locator(".visit-row button").click()
    expect(dialog.get_by_text("Voir la fiche client")).to_have_count(0)
    dialog.get_by_role("button", name="Déplacer").click()
    expect(dialog.get_by_label("Avec qui")).to_have_count(0)
    dialog.locator(".time", has_text="11:00").first.click()
    dialog.get_by_role("button", name="Déplacer le rendez-vous").click()
    expect(page.locator(".board .visit")).to_contain_text("11:00")
    (made,) = client.get("/api/reservations", token=alice.token).json
    assert (made["debut"][11:16], made["ressource"]["id"]) == ("11:00", staff)


def test_her_own_visits_to_a_colleague_do_not_end_the_suggestions_of_customers(
    serve, new_page, client, salon, lina, chloe, staff, tuesday
):
    (first, _) = client.get(f"/api/entreprises/{salon.id}/ressources").json
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=staff)
    salon.book(lina, salon.at(tuesday, "11:00"), ressourceId=first["id"])
    path = f"gestion/{salon.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, lina, path, "student")
    page.locator(".gap-row button").first.click()
    page.get_by_role("combobox", name="Client").press_sequentially("Chl")
    expect(page.get_by_role("option", name="Chloé Martin")).to_be_visible()
