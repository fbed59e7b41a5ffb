"""The list of the owner's calendar in a real browser, by which the keyboard does everything."""

import re
import time
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from reservation.storage.models import Reservation
from tests.browser.owner import NASTY, at_nine_ten, close, open_page
from tests.browser.visitors import said, window

NEW_CUSTOMER = {"email": "zoe@example.fr", "nom": "Picard", "prenom": "Zoé"}


def reservations(client, alice):
    return client.get("/api/reservations", token=alice.token).json


def block_of(page, name):
    """Returns the button of a booking, or of free time, in the list."""
    return page.locator(".agenda-list").get_by_role("button", name=re.compile(name))


def customer(page):
    return page.get_by_role("combobox", name="Client")


def test_a_caller_is_booked_from_a_gap_by_the_keyboard_alone(agenda, client, alice):
    page = agenda()
    gap = block_of(page, "Libre de 14:00 à 18:00")
    block_of(page, "Libre de 09:00 à 12:00").focus()
    page.keyboard.press("Tab")  # to "Bloquer"
    page.keyboard.press("Tab")
    expect(gap).to_be_focused()
    page.keyboard.press("Enter")
    expect(window(page).get_by_label("Coloration")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("Tab")  # from the close button over booking or block to the services
    page.keyboard.press("ArrowDown")
    expect(window(page).get_by_label("Coloration")).to_be_checked()
    customer(page).focus()
    page.keyboard.type("Zoé Picard")
    page.keyboard.press("Tab")
    page.keyboard.type("zoe@example.fr")
    page.keyboard.press("Enter")
    said(page, "Rendez-vous pris pour Zoé Picard")
    expect(block_of(page, "Zoé Picard")).to_contain_text("14:00")
    (booked,) = reservations(client, alice)
    assert (booked["statut"], booked["prestation"]["nom"]) == ("confirmee", "Coloration")
    assert booked["client"]["prenom"] == "Zoé"


def test_an_earlier_customer_is_found_by_name_and_needs_no_approval(
    agenda, make_salon, client, alice, tuesday, serve, new_page
):
    careful = make_salon(alice, validationManuelle=True)
    careful.book(alice, careful.at(tuesday, "09:00"), client=NEW_CUSTOMER)
    path = f"gestion/{careful.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    block_of(page, "Libre de 14:00 à 18:00").click()
    customer(page).fill("pic")
    page.get_by_role("option", name="Zoé Picard · zoe@example.fr").click()
    expect(page.get_by_label("Adresse e-mail")).to_have_value("zoe@example.fr")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    said(page, "Rendez-vous pris pour Zoé Picard")
    states = {one["debut"][11:16]: one["statut"] for one in reservations(client, alice)}
    assert states == {"09:00": "confirmee", "14:00": "confirmee"}


@pytest.mark.parametrize("view", ["jour", "liste"])
def test_a_day_beyond_the_horizon_is_not_called_closed(agenda, make_salon, alice, view):
    page = agenda(view, of=make_salon(alice, horizonJours=3))
    expect(page.get_by_text("Pas encore ouvert aux rendez-vous").first).to_be_visible()
    expect(page.get_by_text("Fermé", exact=True)).to_have_count(0)


@pytest.mark.parametrize("rule", [{"delaiReservation": 366 * 1440}, {"actif": False}])
def test_an_owner_books_what_is_closed_to_customers(agenda, client, make_salon, alice, rule):
    page = agenda(of=make_salon(alice, **rule))
    block_of(page, "Libre de 09:00 à 12:00").click()
    customer(page).fill("Zoé Picard")
    page.get_by_label("Téléphone").fill("06 11 22 33 44")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    said(page, "Rendez-vous pris pour Zoé Picard")
    assert [one["debut"][11:16] for one in reservations(client, alice)] == ["09:00"]


@pytest.mark.parametrize("email", ["zoe", "chloé@exemple.fr"], ids=["page", "api"])
def test_an_error_is_beside_its_field(agenda, faults, email):
    faults.allow(400)
    page = agenda()
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    customer(page).fill("Zoé")
    page.get_by_label("Adresse e-mail").fill(email)
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    field = page.get_by_label("Adresse e-mail")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(re.compile("nom@exemple.fr"))


def test_a_time_that_was_just_taken_is_replaced_with_the_nearest(
    agenda, salon, chloe, client, alice, faults, tuesday
):
    faults.allow(409)
    page = agenda()
    block_of(page, "Libre de 09:00 à 12:00").click()
    customer(page).fill("Zoé Picard")
    page.get_by_label("Adresse e-mail").fill("zoe@example.fr")
    book = window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous"))
    expect(book).to_contain_text("09:00")
    salon.book(chloe, salon.at(tuesday, "09:00"))
    book.click()
    window(page).locator(".note .time", has_text="09:30").click()
    book.click()
    said(page, "09:30")
    assert len(reservations(client, alice)) == 2


def test_a_date_with_an_unfinished_year_changes_neither_the_calendar_nor_the_statistics(
    agenda, salon, tuesday
):
    page = agenda()
    field = page.get_by_label("Aller à la date")
    heading = page.locator(".toolbar h2")
    before = heading.inner_text()
    for year in ("0002", "0020", "0203", "9999"):
        field.fill(f"{year}-05-04")
        expect(heading).to_have_text(before)
    page.wait_for_load_state("networkidle")
    expect(page).to_have_url(re.compile(f"jour={tuesday}"))
    field.fill("2030-05-04")
    expect(heading).to_contain_text("4 mai 2030")
    page.goto(f"gestion/{salon.id}/agenda?jour=0002-05-04")
    expect(heading).to_contain_text("Aujourd’hui")

    page.goto(f"gestion/{salon.id}/chiffres?periode=dates&du=2030-05-04&au=2030-06-04")
    last = page.get_by_label("Au", exact=True)
    last.fill("0002-07-04")
    last.fill("2030-07-04")
    expect(page).to_have_url(re.compile("du=2030-05-04&au=2030-07-04"))


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_large_amount_is_on_one_line(serve, new_page, salon, alice, visit, db, width):
    Reservation.update(prix_centimes=123_456_789).execute(db)
    page = open_page(
        new_page, serve().url, alice, f"gestion/{salon.id}/chiffres?periode=suite",
        viewport={"width": width, "height": 900},
    )
    amount = page.locator(".tile b").first
    expect(amount).to_have_text(re.compile("1.234.567,89.€"))
    lines, fits = amount.evaluate(
        """(one) => [
            one.clientHeight / parseFloat(getComputedStyle(one).lineHeight),
            one.scrollWidth <= one.clientWidth,
        ]"""
    )
    assert round(lines) == 1 and fits
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_labels_of_the_dates_of_the_statistics_do_not_break(serve, new_page, salon, alice):
    path = f"gestion/{salon.id}/chiffres?periode=dates"
    page = open_page(
        new_page, serve().url, alice, path, viewport={"width": 390, "height": 800}
    )
    label = page.get_by_text("Au", exact=True)
    expect(label).to_be_visible()
    assert label.bounding_box()["height"] < 30


def test_the_title_of_a_closure_does_not_break_within_a_word(
    agenda, client, salon, alice, lea, ines, tuesday
):
    close(client, salon, alice, "Formation", tuesday - timedelta(days=1), 3)
    page = agenda(viewport={"width": 390, "height": 800})
    title = page.locator(".agenda-list .event-row b").first
    expect(title).to_contain_text("Formation")
    assert title.bounding_box()["height"] < 30


@pytest.mark.parametrize("lost", [False, True])
def test_nothing_is_booked_on_the_former_day_while_the_times_of_another_day_are_missing(
    agenda, client, alice, tuesday, faults, lost
):
    faults.allow(0)
    page = agenda()
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    customer(page).fill("Zoé Picard")
    page.get_by_label("Téléphone").fill("06 11 22 33 44")
    book = window(page).locator("button.main")
    expect(book).to_contain_text("09:00")
    held = []
    page.route(
        "**/internes?*", lambda route: route.abort() if lost else held.append(route)
    )
    wednesday = tuesday + timedelta(days=1)
    with page.expect_request("**/internes?*"):
        window(page).get_by_label("Jour").fill(str(wednesday))
    start = window(page).get_by_label("Heure")
    why = re.compile("interrompue" if lost else "Chargement")
    expect(start).to_have_accessible_description(why)
    expect(start.get_by_role("option")).to_have_text(["–"])
    book.click()
    expect(start).to_be_focused()
    assert reservations(client, alice) == []
    if not lost:
        held[0].continue_()
        expect(book).to_contain_text("09:00")
        book.click()
        said(page, "Rendez-vous pris pour Zoé Picard")
        assert reservations(client, alice)[0]["debut"][:10] == str(wednesday)


def test_a_caller_gets_a_coming_time_and_who_has_come_a_time_that_has_begun(agenda, tuesday):
    page = agenda()
    page.clock.set_fixed_time(at_nine_ten(tuesday))
    page.reload()
    expect(block_of(page, "Libre de 09:30 à 12:00")).to_be_visible()
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    book = window(page).locator("button.main")
    expect(book).to_contain_text("09:30")
    start = window(page).get_by_label("Heure")
    start.select_option("09:00")
    expect(book).to_contain_text("09:00")
    expect(start).to_have_accessible_description("Cet horaire est passé.")


@pytest.mark.parametrize("follows", [True, False])
def test_a_calendar_that_stays_open_overnight_calls_no_other_day_today(
    agenda, tuesday, follows
):
    page = agenda()
    page.clock.install(time=at_nine_ten(tuesday))
    page.reload()
    heading = page.locator(".toolbar h2")
    expect(heading).to_have_text("Aujourd’hui")
    if follows:
        page.get_by_role("button", name="Aujourd’hui").click()  # without a day in the address
    page.clock.fast_forward("24:00:00")
    shown = tuesday + timedelta(days=follows)
    expect(heading).to_have_text("Aujourd’hui" if follows else re.compile("^Mardi"))
    expect(page.get_by_label("Aller à la date")).to_have_value(str(shown))


def test_no_time_is_chosen_for_a_caller_if_all_have_passed(agenda, tuesday):
    page = agenda()
    page.clock.set_fixed_time(at_nine_ten(tuesday) + timedelta(hours=9))
    page.reload()
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    start = window(page).get_by_label("Heure")
    expect(start).to_have_accessible_description(re.compile("^Plus d’horaire libre ce jour-là"))
    expect(start).to_have_value("")
    start.select_option("17:30")
    expect(window(page).locator("button.main")).to_contain_text("17:30")


def test_the_free_times_for_a_caller_are_read_again_after_an_error(agenda, faults):
    faults.allow(503)
    page = agenda()
    page.route("**/internes?*", lambda route: route.fulfill(status=503), times=1)
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    start = window(page).get_by_label("Heure")
    expect(start).to_have_accessible_description(re.compile("momentanément indisponible"))
    window(page).get_by_role("button", name="Réessayer").press("Enter")
    expect(window(page).locator("button.main")).to_contain_text("09:00")
    expect(window(page).get_by_role("heading", level=2)).to_be_focused()


def test_the_second_of_two_equal_times_is_chosen_when_the_clock_repeats_an_hour(
    serve, new_page, salon, alice, faults
):
    faults.allow(0)
    hours = ("02:00:00+02:00", "02:00:00+01:00", "03:00:00+01:00")
    instants = [f"2027-10-31T{hour}" for hour in hours]
    slots = [
        {"id": n, "debut": debut, "fin": fin, "placesRestantes": 1}
        for n, (debut, fin) in enumerate(zip(instants, instants[1:]), 1)
    ]

    def at_night(url):
        page = new_page(url)
        page.route("**/internes?*", lambda route: route.fulfill(json=slots))
        page.route("**/api/reservations", lambda route: route.abort())
        return page

    path = f"gestion/{salon.id}/agenda?vue=jour&jour=2027-10-31"
    page = open_page(at_night, serve().url, alice, path)
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    start = window(page).get_by_label("Heure")
    expect(start).to_have_value("1")
    start.select_option("2")
    customer(page).fill("Zoé Picard")
    page.get_by_label("Téléphone").fill("06 11 22 33 44")
    with page.expect_request("**/api/reservations") as sent:
        window(page).locator("button.main").click()
    assert sent.value.post_data_json["creneauId"] == 2


def test_requests_come_first_and_are_accepted_by_a_click_or_declined_with_a_note(
    serve, new_page, make_salon, alice, chloe, client, tuesday
):
    careful = make_salon(alice, validationManuelle=True)
    for at in ("09:00", "10:00"):
        careful.book(chloe, careful.at(tuesday, at))
    page = open_page(new_page, serve().url, alice, f"gestion/{careful.id}/agenda")
    expect(page.get_by_role("heading", name="2 demandes à valider")).to_be_visible()
    page.get_by_role("button", name="Accepter la demande").first.click()
    said(page, "est acceptée")
    expect(page.get_by_role("heading", name="1 demande à valider")).to_be_visible()
    page.get_by_role("button", name="Autre réponse").click()
    window(page).get_by_role("button", name="Refuser").click()
    page.get_by_label("Un mot pour le client").fill("Nous sommes complets.")
    with page.expect_request(re.compile("api/reservations/")) as sent:
        page.get_by_role("button", name="Refuser la demande").click()
    assert sent.value.post_data_json["message"] == "Nous sommes complets."
    said(page, "est refusée")
    expect(page.locator(".pending")).to_have_count(0)
    assert [one["statut"] for one in reservations(client, alice)] == ["confirmee", "refusee"]


@pytest.mark.parametrize(
    "button, statut", [("Rendez-vous honoré", "honoree"), ("Rendez-vous manqué", "absente")]
)
def test_the_owner_records_who_attended(agenda, visit, client, alice, db, salon, button, statut):
    now = int(time.time())
    times = {"debut": now - 60, "fin": now + 60, "occupe_debut": now - 60, "occupe_fin": now + 60}
    Reservation.update(times).where(Reservation.id == visit).execute(db)
    page = agenda()
    page.goto(f"gestion/{salon.id}/agenda")
    block_of(page, "Chloé Martin").click()
    window(page).get_by_role("button", name=button, exact=True).click()
    said(page, "C’est noté")
    assert reservations(client, alice)[0]["statut"] == statut


def test_a_booking_is_moved_and_cancelled_with_a_note(agenda, visit, client, alice):
    page = agenda()
    block_of(page, "Chloé Martin").click()
    window(page).get_by_role("button", name="Déplacer").click()
    window(page).get_by_role("button", name=re.compile("^11:00")).first.click()
    page.get_by_label("Un mot pour le client").fill("Un peu plus tard ?")
    page.get_by_role("button", name="Déplacer le rendez-vous").click()
    said(page, "est déplacé")
    expect(block_of(page, "Chloé Martin")).to_contain_text("11:00")
    block_of(page, "Chloé Martin").click()
    window(page).get_by_role("button", name="Annuler le rendez-vous").click()
    with page.expect_request(re.compile("api/reservations/")) as sent:
        window(page).get_by_role("button", name="Oui, annuler").click()
    assert sent.value.post_data_json["statut"] == "annulee"
    said(page, "est annulé")
    expect(block_of(page, "Chloé Martin")).to_have_count(0)
    assert reservations(client, alice)[0]["statut"] == "annulee"


def test_each_step_of_a_dialog_moves_the_focus_to_the_heading_of_the_dialog(agenda, visit):
    page = agenda()

    def step(button):
        window(page).get_by_role("button", name=button).first.press("Enter")
        expect(window(page).get_by_role("heading", level=2)).to_be_focused()

    block_of(page, "Chloé Martin").press("Enter")
    step("Annuler le rendez-vous")
    step("Retour")
    step("Déplacer")
    step("Garder l’horaire actuel")
    step("Déplacer")
    step(re.compile("^11:00"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Fermer la journée").press("Enter")
    step("Voir les conséquences")
    expect(window(page).get_by_role("status")).to_contain_text("1 rendez-vous est concerné")
    step("Retour")


def test_a_customer_who_is_late_is_moved_to_a_later_time(agenda, visit, tuesday):
    page = agenda()
    page.clock.set_fixed_time(at_nine_ten(tuesday) + timedelta(hours=1))
    block_of(page, "Chloé Martin").click()
    expect(window(page).get_by_role("button", name="Rendez-vous manqué")).to_be_visible()
    window(page).get_by_role("button", name="Déplacer").click()
    window(page).get_by_role("button", name=re.compile("^10:30")).first.click()
    page.get_by_role("button", name="Déplacer le rendez-vous").click()
    said(page, "est déplacé")
    expect(block_of(page, "Chloé Martin")).to_contain_text("10:30")


def test_the_owner_moves_a_long_visit_by_half_an_hour(agenda, salon, chloe, tuesday):
    salon.book(chloe, salon.at(tuesday, "10:00"), prestationId=salon.couleur)
    page = agenda()
    block_of(page, "Chloé Martin").click()
    window(page).get_by_role("button", name="Déplacer").click()
    window(page).get_by_role("button", name=re.compile("^10:30")).first.click()
    page.get_by_role("button", name="Déplacer le rendez-vous").click()
    said(page, "est déplacé")
    expect(block_of(page, "Chloé Martin")).to_contain_text("10:30")


def test_the_link_of_an_e_mail_opens_the_booking_as_its_owner_sees_it(
    serve, new_page, salon, visit, alice, chloe, client
):
    page = open_page(new_page, serve().url, alice, f"reservations/{visit}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Chloé Martin")
    expect(page.get_by_role("main")).to_contain_text(chloe.email)
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    page.get_by_label("Un mot pour le client").fill("Le salon est inondé.")
    page.get_by_role("button", name="Oui, annuler").click()
    said(page, "est annulé")
    expect(page.locator(".badge")).to_have_text("Annulé")
    assert reservations(client, alice)[0]["statut"] == "annulee"
    page.get_by_role("main").get_by_role("link", name="Salon Alice").click()
    expect(page.locator(".board")).to_be_visible()


def test_an_owner_who_was_slower_is_told_and_sees_the_current_booking(
    agenda, visit, client, chloe, alice, faults
):
    faults.allow(0, 412)
    page = agenda()
    block_of(page, "Chloé Martin").click()
    window(page).get_by_role("button", name="Annuler le rendez-vous").click()
    client.put(
        f"/api/reservations/{visit}", {"commentaire": "Avec une frange", "version": 1},
        token=chloe.token,
    )
    window(page).get_by_role("button", name="Oui, annuler").click()
    page.route(f"**/api/reservations/{visit}", lambda route: route.abort(), times=1)
    window(page).get_by_role("button", name="Actualiser").click()
    expect(window(page).get_by_text("La connexion est interrompue")).to_be_visible()
    window(page).get_by_role("button", name="Réessayer").click()
    expect(window(page)).to_contain_text("Avec une frange")
    window(page).get_by_role("button", name="Annuler le rendez-vous").click()
    window(page).get_by_role("button", name="Oui, annuler").click()
    said(page, "est annulé")


def test_a_course_shows_its_customers_and_takes_more(
    serve, new_page, make_salon, alice, chloe, client, tuesday
):
    week = [{"jour": 2, "debut": "18:00", "fin": "18:30", "pasMinutes": 30, "capacite": 8}]
    studio = make_salon(alice, week)
    at = studio.at(tuesday, "18:00")
    studio.book(chloe, at)
    studio.book(alice, at, client=NEW_CUSTOMER, places=2)
    path = f"gestion/{studio.id}/agenda?vue=semaine&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    course = page.locator(".board .visit")
    expect(course).to_contain_text("Chloé Martin, Zoé Picard (2)")
    expect(course).to_contain_text("5 libres")
    expect(block_of(page, "Zoé Picard")).to_contain_text("2 places")
    course.click()
    expect(window(page).get_by_role("listitem")).to_have_count(2)
    window(page).get_by_role("button", name="Ajouter quelqu’un").click()
    customer(page).fill("Ines Roux")
    page.get_by_label("Adresse e-mail").fill("ines@example.fr")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    expect(course).to_contain_text("Ines Roux")
    expect(course).to_contain_text("4 libres")


def test_a_number_of_places_counts_only_while_its_field_is_shown(
    serve, new_page, make_salon, alice, client, tuesday
):
    alone = {"jour": 2, "debut": "14:00", "fin": "17:00", "pasMinutes": 30, "capacite": 1}
    course = {"jour": 2, "debut": "18:00", "fin": "18:30", "pasMinutes": 30, "capacite": 8}
    studio = make_salon(alice, [alone])
    week = [alone, course | {"prestationId": studio.coupe}]
    client.put(f"/api/entreprises/{studio.id}/semainetype", week, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{studio.id}/agenda?jour={tuesday}")
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    customer(page).fill("Zoé Picard")
    page.get_by_label("Téléphone").fill("06 11 22 33 44")
    window(page).get_by_label("Heure").select_option("18:00")
    window(page).get_by_label("Nombre de places").fill("3")
    window(page).get_by_text("Coloration").click()
    expect(window(page).get_by_label("Nombre de places")).to_have_count(0)
    time = window(page).get_by_label("Heure")
    expect(time.locator("option:checked")).to_have_text("15:30")  # the last time
    expect(time).to_have_accessible_description(re.compile("à 18:00. Voici .* le plus proche"))
    book = window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous"))
    expect(book).to_contain_text(" à 15:30")
    book.click()
    said(page, "Rendez-vous pris pour Zoé Picard")
    (booked,) = reservations(client, alice)
    assert (booked["prestation"]["nom"], booked["places"]) == ("Coloration", 1)


def test_a_course_that_is_reserved_for_its_service_is_open_and_takes_more(
    serve, new_page, make_salon, alice, chloe, client, tuesday
):
    week = [{"jour": 2, "debut": "18:00", "fin": "19:00", "pasMinutes": 30, "capacite": 8}]
    studio = make_salon(alice, week)
    week[0]["prestationId"] = studio.coupe
    path = f"/api/entreprises/{studio.id}/semainetype"
    client.put(path, week, token=alice.token)
    studio.book(chloe, studio.at(tuesday, "18:00"))
    path = f"gestion/{studio.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    expect(page.get_by_role("button", name="Libre de 18:30 à 19:00")).to_be_visible()
    block_of(page, "Chloé Martin").click()
    window(page).get_by_role("button", name="Ajouter quelqu’un (7 places libres)").click()
    customer(page).fill("Ines Roux")
    page.get_by_label("Adresse e-mail").fill("ines@example.fr")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    expect(block_of(page, "Ines Roux")).to_contain_text("18:00")


def test_nothing_on_the_board_is_a_stop_of_the_tab_key(agenda, visit):
    page = agenda()
    for view in ("Jour", "Semaine", "Mois"):
        page.get_by_role("button", name=view, exact=True).click()
        expect(page.locator(".board .visit")).to_have_count(1)
        page.wait_for_timeout(100)
        page.get_by_role("button", name="Nouveau rendez-vous").focus()
        while page.evaluate("!document.activeElement.closest('footer')"):
            page.keyboard.press("Tab")
            assert not page.locator(".board:focus, .board :focus").count(), view


def test_the_clock_is_the_one_of_the_business(serve, new_page, make_salon, alice, chloe, tuesday):
    far = make_salon(alice, fuseau="America/Montreal")
    far.book(chloe, far.at(tuesday, "10:00"))
    page = open_page(new_page, serve().url, alice, f"gestion/{far.id}/agenda?jour={tuesday}")
    expect(block_of(page, "Chloé Martin")).to_contain_text("10:00")
    expect(page.get_by_text("pas celles de votre appareil")).to_be_visible()


def test_a_visit_past_midnight_is_listed_on_both_days_and_counted_once(
    agenda, visit, db, tuesday
):
    later = "debut + 27 * 1800"  # from 10:00 to 23:30
    end = f"{later} + 3600"
    db.write(
        f"UPDATE reservation SET fin = {end}, occupe_fin = {end},"
        f" debut = {later}, occupe_debut = {later}"
    )
    days = agenda("semaine").locator(".of-day")
    expect(days.filter(has_text="23:30 – 00:30Chloé Martin")).to_have_text(
        [re.compile("^Mardi"), re.compile("^Mercredi")]
    )
    expect(agenda("mois").locator(".agenda-list p")).to_have_text(
        re.compile("^Mardi .* 1 rendez-vous$")
    )


def test_names_stay_text_and_english_speakers_read_english(
    agenda, salon, alice, client, tuesday
):
    nasty = {"email": "nasty@example.fr", "nom": NASTY, "prenom": NASTY}
    salon.book(alice, salon.at(tuesday, "10:00"), client=nasty, commentaire=NASTY)
    page = agenda(locale="en-GB")
    block_of(page, "onerror").click()
    expect(window(page)).to_contain_text(NASTY)
    assert not page.locator("img").count()
    expect(page.get_by_role("button", name="Reschedule", exact=True)).to_be_visible()


def test_a_stranger_is_shown_nothing(serve, new_page, salon, bob, faults):
    page = open_page(new_page, serve().url, bob, f"gestion/{salon.id}/agenda")
    expect(page.get_by_text("Ce compte n’a pas cette autorisation.")).to_be_visible()


@pytest.mark.parametrize("view", ["jour", "semaine", "mois", "liste"])
@pytest.mark.parametrize(
    ("last", "button"), [("1971-01-01", "précédent"), ("9998-12-31", "suivant")]
)
def test_the_calendar_stops_at_the_ends_of_the_possible_years(
    serve, new_page, salon, alice, view, last, button
):
    path = f"gestion/{salon.id}/agenda?vue={view}&jour={last}"
    page = open_page(new_page, serve().url, alice, path)
    next_to = page.get_by_role("button", name=re.compile(f"(Jour|Semaine|Mois) {button}"))
    next_to.click()
    expect(page).to_have_url(re.compile(f"jour={last}$"))
    expect(page.locator(".agenda-list")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
