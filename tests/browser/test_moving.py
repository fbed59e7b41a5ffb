"""A customer moves or cancels a booking while somebody else changes it, or the answer is lost."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import facts, pick, window

PARIS = ZoneInfo("Europe/Paris")
LOCALES = ["fr-FR", "en-GB"]
WORDS = {
    "fr-FR": {
        "move": "Déplacer", "sure": "Déplacer le rendez-vous", "again": "Réessayer",
        "cancel": "Annuler le rendez-vous", "yes": "Oui, annuler", "cancelled": "Annulé",
        "changed": "Vérifiez son horaire", "gone": "est annulé",
        "moved": "est déplacé",
        "given up": "Votre horaire actuel sera aussitôt libéré", "ask": "Envoyer la demande",
        "asked": "L’établissement doit le valider", "waiting": "En attente de validation",
    },
    "en-GB": {
        "move": "Reschedule", "sure": "Reschedule booking", "again": "Try again",
        "cancel": "Cancel booking", "yes": "Yes, cancel", "cancelled": "Cancelled",
        "changed": "Check its time", "gone": "has been cancelled",
        "moved": "has been rescheduled",
        "given up": "Your current time is given up at once", "ask": "Send request",
        "asked": "The business must approve it", "waiting": "Awaiting approval",
    },
}  # fmt: skip


@pytest.fixture
def open_booking(serve, new_page, chloe):
    """Opens a booking as Chloé: open_booking(number, "en-GB")."""

    def show(number, locale="fr-FR"):
        path = f"reservations/{number}"
        return open_page(new_page, serve().url, chloe, path, role="student", locale=locale)

    return show


@pytest.fixture
def moved(client, salon, visit, alice, tuesday):
    """Moves the booking from 10:00 to 09:30 as Alice."""

    def put():
        body = {"creneauId": salon.at(tuesday, "09:30"), "version": 1}
        client.put(f"/api/reservations/{visit}", body, token=alice.token)

    return put


def move(page, day, time, locale="fr-FR"):
    w = WORDS[locale]
    page.get_by_role("button", name=w["move"], exact=True).click()
    pick(page, day, time)
    page.get_by_role("button", name=w["sure"]).click()


def hold(page, number):
    """Holds the changes of a booking, and returns them. GET requests work."""
    held = []
    page.route(
        f"**/api/reservations/{number}",
        lambda one: one.fallback() if one.request.method == "GET" else held.append(one),
    )
    return held


def lose(route):
    """Lets the server execute a change, but keeps the answer from the page. GET requests work."""
    if route.request.method == "GET":
        return route.fallback()
    route.fetch()
    route.abort()


@pytest.mark.parametrize("locale", LOCALES)
def test_a_move_whose_answer_was_lost_succeeds_at_the_second_attempt(
    open_booking, faults, visit, tuesday, locale
):
    faults.allow(0, 412)
    w = WORDS[locale]
    page = open_booking(visit, locale)
    page.route(f"**/api/reservations/{visit}", lose)
    move(page, tuesday, "11:00", locale)
    again = page.get_by_role("button", name=w["again"])
    expect(again).to_be_visible()
    page.unroute(f"**/api/reservations/{visit}")
    again.click()
    expect(page.get_by_role("status").filter(has_text=w["moved"])).to_be_visible()
    expect(facts(page)).to_contain_text("11:00 – 11:30")


def test_a_move_says_before_its_confirmation_until_when_the_new_time_can_be_changed(
    open_booking, make_salon, alice, chloe, tuesday
):
    days = (tuesday - datetime.now(PARIS).date()).days
    salon = make_salon(alice, delaiAnnulation=(days + 1) * 24 * 60)
    later = tuesday + timedelta(days=7)
    number = salon.book(chloe, salon.at(later, "10:00"))["id"]
    page = open_booking(number)
    page.get_by_role("button", name="Déplacer", exact=True).click()
    pick(page, later, "11:00")
    expect(window(page)).to_contain_text("Vous pouvez le déplacer ou l’annuler jusqu’au")
    window(page).get_by_role("button", name="Retour").click()
    page.get_by_role("button", name="Semaine précédente").click()
    pick(page, tuesday, "11:00")
    expect(window(page)).to_contain_text("ne pourra plus être déplacé ni annulé en ligne")


def test_the_back_button_closes_the_times_for_a_move(open_booking, visit):
    page = open_booking(visit)
    for _ in range(2):  # the second click only shows the times
        page.get_by_role("button", name="Déplacer", exact=True).click()
    page.get_by_role("button", name="Semaine suivante").click()
    expect(page).to_have_url(re.compile("semaine="))
    page.go_back()
    expect(page.get_by_text("Choisissez un nouvel horaire")).to_have_count(0)
    expect(facts(page)).to_contain_text("10:00 – 10:30")
    expect(page).to_have_url(re.compile(f"/reservations/{visit}$"))


def test_a_move_of_a_booking_that_was_moved_elsewhere_is_refused(
    open_booking, faults, client, visit, moved, alice, tuesday
):
    faults.allow(412)
    page = open_booking(visit)
    expect(facts(page)).to_contain_text("10:00 – 10:30")
    moved()
    move(page, tuesday, "11:00")
    expect(page.get_by_role("alert").filter(has_text="entre-temps")).to_be_visible()
    (kept,) = client.get("/api/reservations", token=alice.token).json
    assert kept["debut"][11:16] == "09:30"


@pytest.mark.parametrize("locale", LOCALES)
def test_a_move_of_an_approved_booking_asks_for_a_new_approval(
    open_booking, client, make_salon, alice, chloe, tuesday, locale
):
    w = WORDS[locale]
    salon = make_salon(alice, validationManuelle=True)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    path = f"/api/reservations/{number}"
    client.put(path, {"statut": "confirmee", "version": 1}, token=alice.token)
    page = open_booking(number, locale)
    page.get_by_role("button", name=w["move"], exact=True).click()
    pick(page, tuesday, "11:00")
    expect(window(page)).to_contain_text(w["given up"])
    window(page).get_by_role("button", name=w["ask"]).click()
    expect(page.get_by_role("status").filter(has_text=w["asked"])).to_contain_text("11:00")
    expect(page.locator(".badge")).to_have_text(w["waiting"])
    expect(facts(page)).to_contain_text("11:00 – 11:30")
    assert client.get(path, token=chloe.token).json["statut"] == "demandee"


def test_the_week_no_longer_offers_a_time_that_was_taken_during_the_move(
    open_booking, faults, salon, visit, person, tuesday
):
    faults.allow(409)
    page = open_booking(visit)
    page.get_by_role("button", name="Déplacer", exact=True).click()
    pick(page, tuesday, "11:00")
    salon.book(person("Luc", "student"), salon.at(tuesday, "11:00"))
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    expect(page.get_by_role("alert").filter(has_text="vient d’être pris")).to_be_visible()
    day = page.locator(".week > li").filter(has_text=re.compile(rf"\b{tuesday.day}\b"))
    expect(day.locator(".time", has_text="11:00")).to_have_count(0)
    expect(day.locator(".time", has_text="11:30")).to_have_count(1)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_customer_cancels_a_booking_that_was_moved_only_after_seeing_the_new_time(
    open_booking, faults, client, visit, moved, alice, locale
):
    faults.allow(412)
    w = WORDS[locale]
    page = open_booking(visit, locale)
    page.get_by_role("button", name=w["cancel"]).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("10:00")
    moved()
    dialog.get_by_role("button", name=w["yes"]).click()
    expect(dialog.get_by_role("alert")).to_contain_text(w["changed"])
    expect(dialog.locator("strong")).to_contain_text("09:30")
    path = f"/api/reservations/{visit}"
    assert client.get(path, token=alice.token).json["statut"] == "confirmee"
    dialog.get_by_role("button", name=w["yes"]).click()
    expect(page.locator(".badge")).to_have_text(w["cancelled"])
    assert client.get(path, token=alice.token).json["statut"] == "annulee"


def test_a_cancellation_whose_answer_was_lost_succeeds_at_the_second_attempt(
    open_booking, faults, visit
):
    faults.allow(0, 412)
    page = open_booking(visit)
    page.route(f"**/api/reservations/{visit}", lose)
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    page.get_by_role("button", name="Oui, annuler").click()
    again = page.get_by_role("dialog").get_by_role("button", name="Réessayer")
    expect(again).to_be_visible()
    page.unroute(f"**/api/reservations/{visit}")
    again.click()
    expect(page.locator(".badge")).to_have_text("Annulé")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_booking_that_is_cancelled_while_another_time_is_chosen_offers_no_other_time(
    open_booking, visit
):
    page = open_booking(visit)
    page.get_by_role("button", name="Déplacer", exact=True).click()
    expect(page.locator(".time").first).to_be_visible()
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    page.get_by_role("button", name="Oui, annuler").click()
    expect(page.locator(".badge")).to_have_text("Annulé")
    expect(page.locator(".time")).to_have_count(0)


def test_a_second_click_on_a_slow_move_sends_nothing(open_booking, visit, tuesday):
    page = open_booking(visit)
    held = hold(page, visit)
    move(page, tuesday, "11:00")
    button = page.get_by_role("dialog").get_by_role("button", name="Chargement")
    expect(button).to_be_disabled()
    button.click(force=True)
    page.keyboard.press("Enter")
    held[0].continue_()
    expect(page.get_by_role("status").filter(has_text="est déplacé")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(held) == 1


@pytest.mark.parametrize("locale", LOCALES)
def test_a_move_of_a_booking_that_was_moved_elsewhere_is_confirmed_again(
    open_booking, faults, client, visit, moved, alice, tuesday, locale
):
    faults.allow(412)
    w = WORDS[locale]
    page = open_booking(visit, locale)
    expect(facts(page)).to_contain_text("10:00 – 10:30")
    moved()
    move(page, tuesday, "11:00", locale)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text(w["changed"])
    expect(dialog.locator("s")).to_contain_text("09:30")
    dialog.get_by_role("button", name=w["sure"]).click()
    expect(page.get_by_role("status").filter(has_text=w["moved"])).to_be_visible()
    expect(facts(page)).to_contain_text("11:00 – 11:30")


@pytest.mark.parametrize("locale", LOCALES)
def test_a_move_of_a_booking_that_was_cancelled_says_so(
    open_booking, faults, client, visit, alice, tuesday, locale
):
    faults.allow(412)
    w = WORDS[locale]
    page = open_booking(visit, locale)
    expect(facts(page)).to_contain_text("10:00 – 10:30")
    client.delete(f"/api/reservations/{visit}", 204, token=alice.token)
    move(page, tuesday, "11:00", locale)
    expect(page.get_by_role("status").filter(has_text=w["gone"])).to_be_visible()
    expect(page.locator(".badge")).to_have_text(w["cancelled"])
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".week")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_late_answer_to_a_move_leaves_the_page_alone_that_the_customer_opened(
    open_booking, salon, visit, tuesday
):
    page = open_booking(visit)
    held = hold(page, visit)
    move(page, tuesday, "11:00")
    expect(page.get_by_role("button", name="Chargement")).to_be_visible()
    page.evaluate("document.querySelector('header.top .brand').click()")
    page.get_by_role("combobox", name="Quoi ?").fill("coupe")
    held[0].continue_()
    expect(page.get_by_role("status").filter(has_text="est déplacé")).to_be_visible()
    expect(page.get_by_role("combobox", name="Quoi ?")).to_be_focused()


def test_a_late_answer_to_a_cancellation_leaves_the_focus_where_the_customer_went(
    open_booking, visit
):
    page = open_booking(visit)
    held = []
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    page.route(f"**/api/reservations/{visit}", lambda route: held.append(route))
    with page.expect_request(f"**/api/reservations/{visit}"):
        page.get_by_role("button", name="Oui, annuler").click()
    page.evaluate("document.querySelector('[href=compte]').click()")
    phone = page.get_by_label("Téléphone")
    phone.focus()
    held[0].continue_()
    expect(page.get_by_role("status").filter(has_text="est annulé")).to_be_visible()
    expect(phone).to_be_focused()


def test_a_list_that_was_opened_during_a_slow_cancellation_shows_it(
    serve, new_page, chloe, visit
):
    page = open_page(new_page, serve().url, chloe, "reservations", role="student")
    page.get_by_role("link", name="Coupe").click()
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    held = hold(page, visit)
    with page.expect_request(f"**/api/reservations/{visit}"):
        page.get_by_role("button", name="Oui, annuler").click()
    page.go_back()
    state = page.get_by_role("article").locator(".badge")
    expect(state).to_have_text("Confirmé")
    held[0].continue_()
    expect(state).to_have_text("Annulé")


@pytest.mark.parametrize("locale", LOCALES)
def test_a_long_visit_moves_by_half_an_hour(open_booking, salon, chloe, tuesday, locale):
    creneau = salon.at(tuesday, "10:00")
    visit = salon.book(chloe, creneau, prestationId=salon.couleur)["id"]
    page = open_booking(visit, locale)
    w = WORDS[locale]
    page.get_by_role("button", name=w["move"], exact=True).click()
    times = page.locator(".week .time")
    expect(times.first).to_be_visible()
    assert [text[:5] for text in times.all_inner_texts()][:3] == ["09:00", "09:30", "10:30"]
    pick(page, tuesday, "10:30")
    page.get_by_role("button", name=w["sure"]).click()
    expect(facts(page)).to_contain_text("10:30 – 12:00")


def test_a_request_that_was_declined_is_not_announced_as_booked(
    open_booking, client, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    page = open_booking(f"{number}?nouvelle=1")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Votre demande est envoyée")
    path = f"/api/reservations/{number}"
    client.put(path, {"statut": "refusee", "version": 1}, token=alice.token)
    page.reload()
    expect(page.locator(".badge")).to_have_text("Refusé")
    expect(heading).to_have_text("Rendez-vous")
