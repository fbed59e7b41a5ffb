"""Every view: accessible, in both colour schemes, on small screens, with hostile names."""

import gzip
import json
import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations, wrong_with
from tests.browser.owner import open_page
from tests.browser.visitors import confirm, facts, open_salon, pick, sign_in, signed_in

HOSTILE = "<img src=x onerror=alert(1)>"
VIEWS = [
    "", "?q=coupe", "?q=&jour=2020-01-01", "entreprises/{salon}", "connexion", "inscription",
    "mot-de-passe", "mot-de-passe#token", "nous-ecrire", "rendez-vous", "entreprises/999999",
    "entreprises/{salon}/reserver?prestation={coupe}&creneau={creneau}&jour={day}",
]  # fmt: skip
OF_AN_ACCOUNT = [
    "reservations", "reservations?vue=passes", "reservations/{visit}",
    "reservations/{visit}?deplacer=1", "compte",
    "entreprises/{salon}/reserver?prestation={coupe}&creneau={creneau}&jour={day}",
]  # fmt: skip


def settled(page, address):
    page.goto(address)
    expect(page.locator("h1")).to_be_attached()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".waiting")).to_have_count(0)


@pytest.fixture
def places(make_salon, alice, chloe, tuesday):
    """Returns the values in the addresses of the views. The names have no place to break."""
    salon = make_salon(alice, nom="Salon" * 20, email=f"{'bonjour' * 8}@example.fr")
    visit = salon.book(chloe, salon.at(tuesday, "11:00"))["id"]
    creneau = salon.at(tuesday, "10:00")
    return {
        "salon": salon.id, "coupe": salon.coupe, "creneau": creneau, "day": tuesday,
        "visit": visit,
    }  # fmt: skip


@pytest.mark.parametrize(
    "locale, worn", [
        ("fr-FR", [(320, "dark"), (1280, "light")]), ("en-GB", [(320, "light"), (1280, "dark")])
    ]
)
def test_every_view_is_accessible_and_no_wider_than_the_screen(
    serve, new_page, faults, client, places, chloe, locale, worn
):
    client.put("/api/compte", {"nom": "Zoé" * 30}, token=chloe.token)
    faults.allow(404)
    page = new_page(serve().url, locale=locale)
    found, titles = [], set()
    for addresses in (VIEWS, OF_AN_ACCOUNT):
        for address in addresses:
            settled(page, address.format(**places))
            found += [f"{address} {one}" for one in wrong_with(page, worn)]
            titles.add(page.title())
        if addresses is VIEWS:
            page.goto("connexion")
            page.locator("[type=email]").fill(chloe.email)
            page.locator("[type=password]").fill(chloe.password)
            page.locator("form button").click()
            expect(page.locator("[type=password]")).to_have_count(0)
    assert not found, "\n".join(found)
    assert len(titles) >= 12


def test_dialogs_and_menus_are_accessible(serve, new_page, places, chloe):
    page = new_page(serve().url, viewport={"width": 320, "height": 700})
    page.goto("connexion")
    sign_in(page, chloe)
    expect(page.get_by_role("search")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="Mes rendez-vous")).to_be_visible()
    assert violations(page) == []
    page.goto(f"reservations/{places['visit']}")
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Annuler le rendez-vous")).to_be_focused()


def test_a_link_of_the_folded_menu_to_the_page_that_is_open_closes_the_menu(
    serve, new_page, chloe
):
    page = open_page(
        new_page, serve().url, chloe, "reservations?vue=passes", "student",
        viewport={"width": 390, "height": 700},
    )
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("banner").get_by_role("link", name="Mes rendez-vous").click()
    expect(page.get_by_role("link", name="À venir")).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("button", name="Menu")).to_have_attribute("aria-expanded", "false")


def test_all_entries_of_the_folded_menu_begin_at_the_same_place(serve, new_page, chloe):
    page = new_page(serve().url, viewport={"width": 390, "height": 700})
    page.goto("connexion")
    sign_in(page, chloe)
    expect(page.get_by_role("search")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Se déconnecter")).to_be_visible()
    starts = page.locator("#menu > *").evaluate_all("""entries => entries.map((entry) => {
        const content = document.createRange();
        content.selectNodeContents(entry);
        return Math.round(content.getBoundingClientRect().left);
    })""")
    assert len(starts) == 4
    assert max(starts) - min(starts) <= 1


def test_names_are_shown_as_text(
    serve, new_page, client, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, nom=HOSTILE, description=HOSTILE, adresse=HOSTILE)
    client.put(
        f"/api/prestations/{salon.coupe}",
        {"nom": HOSTILE, "description": HOSTILE, "dureeMinutes": 30}, token=alice.token,
    )
    fermeture = {
        "type": "fermeture", "titre": HOSTILE, "description": HOSTILE,
        "debut": f"{tuesday + timedelta(days=1)}T00:00:00+00:00",
        "fin": f"{tuesday + timedelta(days=2)}T00:00:00+00:00",
    }  # fmt: skip
    client.post(f"/api/entreprises/{salon.id}/evenements", fermeture, 201, token=alice.token)
    page = new_page(serve().url)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    signed_in(page, chloe)
    settled(page, f"?q={HOSTILE}")
    expect(page.locator(".offer, .card").first).to_contain_text(HOSTILE)
    open_salon(page, salon, tuesday)
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    expect(page.get_by_text(HOSTILE, exact=True)).to_have_count(6)
    pick(page, tuesday, "10:00")
    page.get_by_label("Un mot pour l’établissement").fill(HOSTILE)
    confirm(page)
    expect(facts(page)).to_contain_text(HOSTILE)
    page.get_by_role("link", name="Mes rendez-vous").click()
    expect(page.locator(".booking")).to_contain_text(HOSTILE)
    assert page.locator("img").count() == 0
    assert dialogs == []


def test_a_visitor_books_by_keyboard_alone(serve, new_page, salon, chloe, tuesday):
    page = new_page(serve().url)
    press = page.keyboard.press
    page.goto("")

    def walk_to(what):
        for _ in range(60):
            press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", what):
                return
        raise AssertionError(f"nobody comes to {what} by Tab")

    press("Tab")
    expect(page.get_by_role("link", name="Aller au contenu")).to_be_focused()
    press("Enter")
    expect(page.locator("main")).to_be_focused()
    walk_to("#q")
    page.keyboard.type("coupe fem")
    expect(page.get_by_role("option", name="Coupe femme")).to_be_visible()
    press("ArrowDown")
    press("Enter")
    expect(page.locator("#q")).to_have_value("Coupe femme")
    page.locator("#jour").fill(tuesday.isoformat())  # a field of the browser
    press("Enter")
    expect(page.locator(".offer .time")).not_to_have_count(0)
    walk_to(".offer .time")
    press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    walk_to("[role=tab]")
    press("ArrowRight")
    walk_to("[type=email]")
    page.keyboard.type(chloe.email)
    press("Tab")
    page.keyboard.type(chloe.password)
    press("Enter")
    expect(page.get_by_role("heading", name="Confirmez")).to_be_focused()
    walk_to("button.main")
    press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_the_first_view_is_light(serve, new_page, salon):
    page = new_page(serve().url)
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("")
    expect(page.locator(".cards")).to_be_visible()
    page.wait_for_load_state("networkidle")
    sent = {answer.url.partition("#")[0]: answer for answer in answers}  # the icons come once
    assert len(sent) <= 12, sorted(sent)
    assert sum(len(gzip.compress(answer.body())) for answer in sent.values()) < 60_000


def test_a_visitor_in_another_time_zone_is_told_whose_times_are_shown(
    serve, new_page, salon, tuesday
):
    url = serve().url
    for zone, told in (("America/New_York", 1), ("Europe/Berlin", 0)):
        page = new_page(url, timezone_id=zone)
        open_salon(page, salon, tuesday)
        expect(page.locator(".week")).to_be_visible()
        expect(page.locator(".time", has_text="09:00").first).to_be_visible()
        expect(page.get_by_text("celles de l’établissement")).to_have_count(told)


@pytest.mark.parametrize(("zone", "told"), [("America/New_York", 1), ("Europe/Berlin", 0)])
def test_search_results_and_the_list_of_bookings_say_whose_times_are_shown(
    serve, new_page, salon, chloe, tuesday, zone, told
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    url = serve().url
    for path, card in (("?q=Coupe", ".offer"), ("reservations", ".booking")):
        page = open_page(new_page, url, chloe, path, role="student", timezone_id=zone)
        expect(page.locator(card)).to_have_count(1)
        expect(page.locator(card, has_text="celles de l’établissement")).to_have_count(told)


def test_the_note_about_the_time_zone_is_right_before_and_after_the_start_of_summer_time(
    serve, new_page, salon
):
    url = serve().url
    debuts = ("2027-03-26T09:00:00+01:00", "2027-03-29T09:00:00+02:00")
    starts = [{"id": 1, "debut": one, "fin": one, "placesRestantes": 1} for one in debuts]
    for zone in ("Africa/Algiers", "America/New_York"):  # in Algiers, only Monday differs
        page = new_page(url, timezone_id=zone)
        page.clock.set_fixed_time("2027-03-24T12:00Z")
        page.route("**/creneaux?*", lambda route: route.fulfill(json=starts))
        open_salon(page, salon, "2027-03-25")
        expect(page.get_by_text("celles de l’établissement (heure d’Europe c")).to_have_count(1)


def test_a_week_without_free_times_links_to_the_next_free_time(
    serve, new_page, client, salon, alice, tuesday
):
    for day in range(7):
        for start in salon.free(tuesday + timedelta(days=day - 1)):
            salon.book(alice, start["id"])
    page = new_page(serve().url)
    open_salon(page, salon, tuesday - timedelta(days=1))
    page.get_by_role("button", name="Prochaine disponibilité").click()
    expect(page.locator(".week .time").first).to_have_text("09:00")
    expect(page).to_have_url(re.compile(f"semaine={tuesday + timedelta(days=7)}"))


def test_the_language_is_switched_without_losing_what_was_typed(serve, new_page):
    page = new_page(serve().url)
    page.goto("nous-ecrire")
    page.get_by_label("Message").fill("Bonjour")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Contact us")
    expect(page.get_by_label("Message")).to_have_value("Bonjour")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Contact us")


def test_the_token_is_in_no_address_and_ends_with_the_tab(serve, new_page, chloe):
    page = new_page(serve().url)
    page.goto("connexion")
    page.get_by_label("Rester connecté").uncheck()
    sign_in(page, chloe)
    expect(page.get_by_role("link", name="Mes rendez-vous")).to_be_visible()
    state = page.context.storage_state()
    assert chloe.token.split(".")[0] not in json.dumps(state)
    assert state["cookies"] == []
    page.reload()
    expect(page.get_by_role("link", name="Mes rendez-vous")).to_be_visible()
    other = page.context.new_page()
    other.goto("reservations")
    expect(other).to_have_url(re.compile("connexion\\?suite=reservations$"))


@pytest.mark.parametrize("suite", ["https://elsewhere.example/", "//elsewhere.example", "/x"])
def test_signing_in_leads_to_no_other_site(serve, new_page, chloe, suite):
    url = serve(prefix="/agenda").url
    page = new_page(url)
    page.goto(f"connexion?suite={suite}")
    sign_in(page, chloe)
    expect(page).to_have_url(f"{url}/")


def test_the_first_view_is_small(serve_town, new_page):
    page = new_page(serve_town().url)
    page.goto("")
    page.locator(".cards").wait_for()
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate("performance.getEntries().map((one) => one.transferSize || 0)")
    loaded = [size for size in sizes if size]  # 0 is a cached response, or no response
    assert 5 < len(loaded) <= 12
    assert sum(loaded) <= 60_000


@pytest.mark.parametrize(
    "address, drawn", [
        ("", ".cards"), ("entreprises/{salon}", ".week"), ("gestion/{salon}/agenda", ".ec-main"),
        ("compte", "form"), ("integrer/{salon}", ".week"),
    ],
)
def test_a_page_asks_for_all_its_scripts_at_once(
    serve, new_page, salon, alice, address, drawn
):
    page = new_page(serve().url)
    signed_in(page, alice)
    page.route("**/app.js", lambda one: one.fulfill(body="", content_type="text/javascript"))
    address = address.format(salon=salon.id)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    scripts = "performance.getEntries().map(({ name }) => name).filter((one) => /js$/.test(one))"
    at_once = set(page.evaluate(scripts))
    page.unroute("**/app.js")
    page.goto(address)
    page.locator(drawn).first.wait_for(state="attached")
    later = {name.rpartition("/")[2] for name in set(page.evaluate(scripts)) - at_once}
    assert later <= {"event-calendar.min.js"}


@pytest.mark.parametrize(
    "address, late", [
        ("compte", "**/api/compte"), ("compte", "**/compte/ressources"),
        ("entreprises/{salon}", "**/evenements?*"), ("entreprises/{salon}", "**/semainetype"),
    ]
)
def test_what_can_be_clicked_keeps_its_place_when_late_data_arrive(
    serve, new_page, client, salon, alice, lina, staff, tuesday, address, late
):
    """The visitor works in the salon, which has a telephone and will be closed for a day."""
    about = {"nom": "Salon", "ville": "Lyon", "codePostal": "69002", "telephone": "0478000000"}
    client.put(f"/api/entreprises/{salon.id}", about, token=alice.token)
    closure = {
        "type": "fermeture", "titre": "Travaux", "debut": f"{tuesday}T00:00:00+00:00",
        "fin": f"{tuesday + timedelta(days=1)}T00:00:00+00:00",
    }  # fmt: skip
    client.post(f"/api/entreprises/{salon.id}/evenements", closure, 201, token=alice.token)
    page = open_page(
        new_page, serve().url, lina, "nous-ecrire", "student",
        viewport={"width": 1280, "height": 2500},
    )
    held = []
    page.route(late, lambda route: held.append(route))
    with page.expect_request(late):
        page.goto(address.format(salon=salon.id))
    page.wait_for_timeout(500)  # all other answers
    page.evaluate(PLACES)
    for route in held:
        route.continue_()
    expect(page.locator(".waiting")).to_have_count(0)
    page.wait_for_timeout(100)
    assert page.evaluate("moved()") == []
    assert page.locator("main :is(a, button)").count() > 3


PLACES = """() => {
  const top = (one) => one.getBoundingClientRect().top;
  const places = new Map([...document.querySelectorAll('main :is(a, button)')]
    .map((one) => [one, top(one)]));
  window.moved = () => [...places].filter(([one, place]) => top(one) !== place)
    .map(([one]) => one.textContent.trim());
}"""
