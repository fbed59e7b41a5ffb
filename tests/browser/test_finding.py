"""Finding a business: what is proposed, misspelled words, and what is near."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.owner import open_page


@pytest.fixture
def home(serve, new_page, make_salon, alice, bob):
    """Opens the first view of an installation with a hairdresser in Lyon and a barber in Brest."""
    make_salon(alice, nom="Salon Alice", metiers=["Coiffeur"], codePostal="69001")
    make_salon(bob, nom="Chez Bob", metiers=["Barbier"], ville="Brest", codePostal="29200")

    def show(path="", **options):
        page = new_page(serve().url, **options)
        page.goto(path)
        return page

    return show


def test_the_chips_are_the_trades_and_services_of_the_installation(home):
    page = home()
    chips = page.locator(".popular a")
    expect(chips).to_have_text(["Barbier", "Coiffeur", "Coloration", "Coupe femme"])
    chips.get_by_text("Barbier").click()
    expect(page.locator(".offer h3, .results article h3").first).to_contain_text("Chez Bob")


def test_a_business_that_is_proposed_is_opened(home):
    page = home()
    what = page.get_by_role("combobox", name="Quoi ?")
    what.fill("coif")
    expect(page.get_by_role("option", name="Coiffeur", exact=True)).to_be_visible()
    what.fill("alic")
    page.get_by_role("option", name="Salon Alice · Lyon").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Salon Alice")


@pytest.mark.parametrize(
    ("path", "sentence", "found"),
    [
        ("?q=coifeuse&ville=Villeurbanne", "", "Salon Alice"),
        ("?q=barbier&ville=69001",
         "Aucun résultat pour « barbier » dans le 69001. Dans d’autres villes :", "Chez Bob"),
        ("?q=barbier+xylophone",
         "Aucun résultat pour « barbier xylophone ». Pour « barbier » seulement :", "Chez Bob"),
        ("?q=xylophone&ville=Lyon",
         "Aucun résultat pour « xylophone » à Lyon. Autres établissements à Lyon :",
         "Salon Alice"),
        ("?q=barbier&jour=2030-01-01",
         "Aucun horaire disponible ce jour-là. Un autre jour :", "Chez Bob"),
        ("?q=xylophone", "Aucun établissement trouvé.", None),
    ],
)
def test_a_search_without_results_says_what_is_near(home, path, sentence, found):
    page = home(path)
    results = page.locator(".results")
    expect(results).to_contain_text(sentence)
    if found:
        expect(results.locator("article h3")).to_have_text([re.compile(found)])
    else:
        expect(results.locator("article")).to_have_count(0)
    assert not violations(page)


def test_a_search_that_finds_nothing_leads_to_all_businesses(home):
    page = home("?q=xylophone")
    page.get_by_role("link", name="Voir tous les établissements").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Toutes les prestations")


def test_what_is_near_is_said_in_the_language_that_the_visitor_chooses_then(home):
    page = home("?q=barbier&ville=69001")
    expect(page.get_by_text("Dans d’autres villes :")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_text("No results for “barbier” in 69001. In other cities:")).to_be_visible()


def test_a_search_for_what_is_near_that_fails_can_be_tried_again(home, faults):
    faults.allow(503)
    page = home()
    page.route(
        re.compile(r"api/entreprises\?q=barbier&limite"),
        lambda route: route.fulfill(status=503), times=1,
    )
    page.goto("?q=barbier&ville=Lyon")
    results = page.locator(".results")
    expect(results.get_by_role("alert")).to_contain_text("momentanément indisponible")
    expect(results).not_to_contain_text("Aucun établissement")
    results.get_by_role("button", name="Réessayer").click()
    expect(results.locator("article h3")).to_have_text("Chez Bob")


@pytest.mark.parametrize(
    ("locale", "what", "search", "next_day", "heading"),
    [
        ("fr-FR", "Quoi ?", "Rechercher", "Jour suivant", "coupe à Brest"),
        ("en-GB", "What?", "Search", "Next day", "coupe in Brest"),
    ],
)
def test_a_search_moves_the_focus_to_its_heading_and_the_next_day_keeps_it(
    home, tuesday, locale, what, search, next_day, heading
):
    page = home(f"?q=coupe&ville=Lyon&jour={tuesday}", locale=locale)
    link = page.get_by_role("link", name=next_day)
    link.press("Enter")
    expect(page.locator("#jour")).to_have_value(f"{tuesday + timedelta(days=1)}")
    expect(link).to_be_focused()
    page.locator("#ville").fill("Brest")
    page.get_by_role("button", name=search).press("Enter")
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text(heading)
    expect(title).to_be_focused()
    page.goto(".")
    page.get_by_role("combobox", name=what).fill("coupe")
    page.get_by_role("button", name=search).press("Enter")
    expect(title).to_have_text("coupe")
    expect(title).to_be_focused()


def test_an_owner_adds_and_removes_trades(serve, new_page, salon, alice, client):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    field = page.get_by_role("combobox", name="Nouveau métier")
    field.fill("Coif")
    page.get_by_role("option", name="Coiffeur à domicile", exact=True).click()
    field.fill("Visagiste")
    page.get_by_role("button", name="Ajouter ce métier").click()
    field.fill("Coloriste")  # saved, although it was not added
    page.get_by_role("button", name="Retirer « Coiffeur à domicile »").click()
    page.get_by_role("button", name="Enregistrer").last.click()
    expect(page.get_by_text("C’est enregistré.")).to_be_visible()
    expect(page.get_by_role("button", name="Retirer « Coloriste »")).to_be_visible()
    assert client.get(f"/api/entreprises/{salon.id}").json["metiers"] == [
        "Visagiste", "Coloriste"
    ]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_card_keeps_its_height_when_its_times_arrive(home, tuesday, width):
    page = home(viewport={"width": width, "height": 800})
    held = []
    page.route("**/creneaux?*", lambda route: held.append(route))
    with page.expect_request("**/creneaux?*"):
        page.goto(f"?q=coiffeur&jour={tuesday}")
    card = page.locator(".offer")
    times = card.locator(".time")
    expect(times).to_have_count(1)
    height = card.bounding_box()["height"]
    held[0].continue_()
    expect(times).to_have_count(8)
    assert card.bounding_box()["height"] == height


def test_a_search_ends_when_the_visitor_leaves(serve, new_page, make_salon, alice):
    make_salon(alice, delaiReservation=20 * 24 * 60)  # no free time in the next days
    page = new_page(serve().url)
    held = []
    page.route("**/api/entreprises?*disponible=*", lambda route: held.append(route))
    with page.expect_request("**/api/entreprises?*disponible=*"):
        page.goto("?q=coupe")
    page.get_by_role("link", name="Nous contacter").click()
    expect(page.get_by_label("Message")).to_be_visible()
    with page.expect_response("**/api/entreprises?*disponible=*"):
        held[0].continue_()
    page.wait_for_timeout(300)  # the page could still send a request
    assert len(held) == 1
