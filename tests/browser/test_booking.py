"""Searching, booking, moving and cancelling in a browser."""

import re
from datetime import UTC, datetime, time, timedelta
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import (
    WORDS,
    book_as_zoe,
    confirm,
    facts,
    move_and_cancel,
    open_salon,
    pick,
    sign_in,
    signed_in,
)
from tests.conftest import ROSE

PARIS = ZoneInfo("Europe/Paris")


def calls_of(page):
    """Collects the API requests that the page sends from now on."""
    seen = []
    page.on("request", lambda one: "/api/" in one.url and seen.append((one.method, one.url)))
    return seen


def kept(client, person):
    """Returns the confirmed bookings of a customer."""
    found = client.get("/api/reservations", token=person.token).json
    return [one for one in found if one["statut"] == "confirmee"]


@pytest.mark.parametrize("locale, prefix", [("fr-FR", ""), ("en-GB", "/agenda")])
def test_a_visitor_searches_registers_books_moves_and_cancels(
    serve, new_page, client, db, salon, tuesday, locale, prefix
):
    w = WORDS[locale]
    page = new_page(serve(prefix=prefix).url, locale=locale)
    page.goto("")
    page.get_by_role("combobox", name=w["what"]).fill("coupe f")
    page.get_by_role("option", name="Coupe femme", exact=True).click()
    page.get_by_role("combobox", name=w["where"]).fill("lyo")
    page.get_by_role("option", name="Lyon", exact=True).click()
    page.get_by_label(w["when"]).fill(tuesday.isoformat())
    page.get_by_role("main").get_by_role("button", name=w["search"]).click()
    expect(page).to_have_url(re.compile(r"q=Coupe\+femme&ville=Lyon&jour="))

    page.locator(".offer .time", has_text="09:30").click()
    book_as_zoe(page, w, db)
    expect(facts(page)).to_contain_text("09:30 – 10:00")

    with page.expect_download() as download:
        page.get_by_role("button", name=w["calendar"]).click()
    assert "BEGIN:VEVENT" in download.value.path().read_text()
    google, outlook = (
        parse_qs(urlsplit(page.get_by_role("link", name=name).get_attribute("href")).query)
        for name in ("Google", "Outlook")
    )
    assert google["text"] == outlook["subject"] == ["Coupe femme · Salon alice"]
    start = datetime.combine(tuesday, time(9, 30), PARIS).astimezone(UTC)
    assert google["dates"][0].startswith(f"{start:%Y%m%dT%H%M%SZ}/")
    assert outlook["startdt"] == [f"{start:%Y-%m-%dT%H:%M:%SZ}"]

    move_and_cancel(page, w, tuesday, "09:30")
    assert len(salon.free(tuesday)) == 14


def test_a_booking_takes_at_most_two_requests_after_the_click_on_a_time(
    serve, new_page, salon, chloe, tuesday
):
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    page.wait_for_load_state("networkidle")
    calls = calls_of(page)
    pick(page, tuesday, "10:00")
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    expect(facts(page)).to_contain_text("10:00 – 10:30")
    assert len(calls) <= 2, calls


def test_who_loses_the_race_for_the_last_place_is_shown_three_other_times(
    serve, new_page, faults, client, salon, person, chloe, tuesday
):
    faults.allow(409)
    late = person("Luc", "student")
    url = serve().url
    first, second = new_page(url), new_page(url)
    for page, who in ((first, chloe), (second, late)):
        signed_in(page, who)
        open_salon(page, salon, tuesday)
        pick(page, tuesday, "10:00")
        expect(page.get_by_role("button", name="Confirmer le rendez-vous")).to_be_visible()
    second.get_by_label("Un mot pour l’établissement").fill("J’arrive en train.")
    for page in (first, second):  # both requests are sent at once
        page.get_by_role("button", name="Confirmer le rendez-vous").click(no_wait_after=True)
    expect(first.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    told = second.get_by_role("alert").filter(has_text="vient d’être pris")
    expect(told.locator(".time")).to_have_count(3)
    told.locator(".time", has_text="09:30").click()
    expect(told).to_have_count(0)
    expect(second.get_by_label("Un mot pour l’établissement")).to_have_value("J’arrive en train.")
    confirm(second)
    expect(facts(second)).to_contain_text("09:30 – 10:00")
    (of_late,) = kept(client, late)
    assert of_late["commentaire"] == "J’arrive en train."


def test_a_double_click_books_once(serve, new_page, client, salon, chloe, tuesday):
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    button = page.get_by_role("button", name="Confirmer le rendez-vous")
    button.evaluate("one => { one.click(); one.click(); one.form.requestSubmit(); }")
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    assert len(kept(client, chloe)) == 1


def test_a_late_answer_to_a_booking_leaves_the_page_alone_that_the_customer_opened(
    serve, new_page, client, salon, chloe, tuesday
):
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    held = []
    page.route("**/api/reservations", lambda route: held.append(route))
    with page.expect_request("**/api/reservations"):
        confirm(page)
    page.get_by_role("link", name="Mon compte").click()
    page.get_by_label("Prénom").fill("Zoé")
    held[0].continue_()
    expect(page.get_by_role("status").filter(has_text="C’est réservé !")).to_be_visible()
    expect(page.get_by_label("Prénom")).to_have_value("Zoé")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(kept(client, chloe)) == 1


def lose_answer(page, cut=False):
    """Confirms a booking that is made, but whose answer is lost or, with `cut`, incomplete."""

    def lose(route):
        answer = route.fetch()
        if cut:
            route.fulfill(response=answer, body=answer.text()[:20])
        else:
            route.abort()

    page.route("**/api/reservations", lose)
    confirm(page)
    once = "il ne sera pas pris deux fois"
    expect(page.get_by_role("alert").filter(has_text=once)).to_be_visible()
    page.unroute("**/api/reservations")


@pytest.fixture
def chosen_at_ten(serve, new_page, make_salon, alice, chloe, tuesday):
    """Opens a page on which Chloé has chosen 10:00: chosen_at_ten(places=9, booked=1)."""

    def open(places=1, booked=0):
        week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30,
                 "capacite": places}]
        salon = make_salon(alice, week=week)
        for _ in range(booked):
            salon.book(chloe, salon.at(tuesday, "10:00"))
        page = new_page(serve().url)
        signed_in(page, chloe)
        open_salon(page, salon, tuesday)
        pick(page, tuesday, "10:00")
        return page

    return open


@pytest.mark.parametrize("cut", [False, True], ids=["lost", "incomplete"])
def test_a_retry_after_a_lost_answer_books_once(faults, client, chosen_at_ten, chloe, cut):
    faults.allow(0)
    page = chosen_at_ten(places=9)
    lose_answer(page, cut)
    page.get_by_role("button", name="Réessayer").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    assert len(kept(client, chloe)) == 1


@pytest.mark.parametrize("places", [1, 9])
def test_a_reload_after_a_lost_answer_shows_the_booking(
    faults, client, chosen_at_ten, chloe, places
):
    faults.allow(0)
    page = chosen_at_ten(places)
    page.get_by_label("Un mot pour l’établissement").fill("Avec ma poussette")
    lose_answer(page)
    page.on("dialog", lambda one: one.accept())
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    expect(facts(page)).to_contain_text("Avec ma poussette")
    assert len(kept(client, chloe)) == 1


def test_a_customer_who_books_the_same_class_again_gets_another_booking(
    client, chosen_at_ten, chloe
):
    page = chosen_at_ten(places=9, booked=1)
    page.reload()
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    assert len(kept(client, chloe)) == 2


def test_a_reload_keeps_a_time_at_which_another_person_is_free(
    serve, new_page, client, salon, lea, ines, alice, chloe, tuesday
):
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "11:00")
    salon.book(alice, salon.at(tuesday, "11:00"), ressourceId=lea, client=ROSE)
    page.reload()
    confirm(page)
    expect(facts(page)).to_contain_text("11:00 – 11:30")
    (made,) = kept(client, chloe)
    assert made["ressource"]["id"] == ines


def test_a_booking_whose_answer_was_lost_can_be_made_again_after_a_cancellation(
    faults, client, chosen_at_ten, chloe
):
    faults.allow(0)
    page = chosen_at_ten()
    lose_answer(page)
    (lost,) = kept(client, chloe)
    client.delete(f"/api/reservations/{lost['id']}", 204, token=chloe.token)
    page.reload()
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    (made,) = kept(client, chloe)
    assert made["id"] != lost["id"]


@pytest.mark.parametrize("body", ['[{"id": 1, "debut', "<h1>Wi-Fi</h1>"])
def test_a_week_whose_answer_is_no_json_can_be_read_again(
    serve, new_page, salon, tuesday, body
):
    page = new_page(serve().url)
    open_salon(page, salon, tuesday)
    expect(page.locator(".week")).to_be_visible()
    page.route("**/creneaux?*", lambda route: route.fulfill(body=body))
    page.get_by_role("button", name="Semaine suivante").click()
    alert = page.get_by_role("alert").filter(has_text="La connexion est interrompue.")
    expect(alert).to_be_visible()
    page.unroute("**/creneaux?*")
    alert.get_by_role("button", name="Réessayer").click()
    expect(page.locator(".week .time").first).to_be_visible()


@pytest.mark.parametrize("url", ["entreprises/{}?prestation={}", "?q=coupe"])
def test_the_focus_stays_in_sight_after_times_are_read_again(
    serve, new_page, faults, salon, url
):
    faults.allow(503)
    page = new_page(serve().url, viewport={"width": 390, "height": 300})
    times = re.compile(r"/creneaux\?|disponible=")
    page.route(times, lambda route: route.fulfill(status=503, json={"error": "x"}))
    page.goto(url.format(salon.id, salon.coupe))
    again = page.get_by_role("button", name="Réessayer").last
    again.scroll_into_view_if_needed()
    page.unroute(times)
    again.press("Enter")
    expect(page.locator(".time").first).to_be_visible()
    expect(page.locator(":is(h1, h2):focus")).to_be_in_viewport()


def test_the_chosen_time_survives_signing_in_and_sharing_the_address(
    serve, new_page, salon, chloe, tuesday
):
    url = serve().url
    page = new_page(url)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "11:00")
    expect(page.get_by_role("tablist")).to_be_visible()
    other = new_page(url)
    other.goto(page.url)
    sign_in(other, chloe)
    confirm(other)
    expect(facts(other)).to_contain_text("11:00 – 11:30")
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="vient d’être pris")).to_be_visible()
    expect(page.locator(".time")).to_have_count(3)


def test_after_a_token_expires_the_visitor_signs_in_again_and_loses_nothing(
    serve, new_page, faults, client, salon, chloe, tuesday
):
    faults.allow(401)
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    page.get_by_label("Un mot pour l’établissement").fill("Avec mon chien.")
    client.post(
        "/auth/password",
        {"current_password": chloe.password, "new_password": "un autre mot de passe"},
        token=chloe.token,
    )
    confirm(page)
    window = page.get_by_role("dialog", name="Votre session a expiré")
    window.get_by_label("Adresse e-mail").fill(chloe.email)
    window.get_by_label("Mot de passe").fill("un autre mot de passe")
    window.get_by_role("button", name="Se connecter").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    expect(facts(page)).to_contain_text("Avec mon chien.")


def test_an_unavailable_service_keeps_what_was_typed_and_offers_a_retry(
    serve, new_page, faults, salon, chloe, tuesday
):
    faults.allow(503)
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    page.get_by_label("Un mot pour l’établissement").fill("Avec mon chien.")
    page.route("**/api/reservations", lambda route: route.fulfill(status=503, json={"error": "x"}))
    confirm(page)
    again = page.get_by_role("button", name="Réessayer")
    expect(again).to_be_visible()
    page.unroute("**/api/reservations")
    again.click()
    expect(facts(page)).to_contain_text("Avec mon chien.")


def test_a_booking_past_its_deadline_cannot_be_changed(
    serve, new_page, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, delaiAnnulation=60 * 24 * 60)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto(f"reservations/{number}?deplacer=1")
    expect(page.get_by_text("Contactez l’établissement")).to_be_visible()
    expect(page.get_by_role("button", name="Annuler le rendez-vous")).to_have_count(0)
    expect(page.get_by_text("Choisissez un nouvel horaire")).to_have_count(0)


def test_a_new_booking_is_confirmed_until_the_visit(serve, new_page, salon, chloe, tuesday):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    page = new_page(serve().url)
    signed_in(page, chloe)
    heading = page.get_by_role("heading", level=1)
    page.goto(f"reservations/{number}?nouvelle=1")
    expect(heading).to_have_text("C’est réservé !")
    page.clock.set_fixed_time(f"{tuesday}T22:00Z")
    page.reload()
    expect(heading).to_have_text("Rendez-vous")


def test_a_customer_calls_or_writes_to_the_business_from_the_page_of_a_booking(
    serve, new_page, client, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, telephone="04 78 00 00 00", email="salon@example.fr")
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto(f"reservations/{number}")
    call, write = (page.locator(f'.facts a[href^="{scheme}"]') for scheme in ("tel", "mailto"))
    expect(call).to_have_attribute("href", "tel:0478000000")
    expect(write).to_have_count(0)
    unlisted = {"nom": "Salon", "ville": "Lyon", "email": "salon@example.fr", "telephone": ""}
    client.put(f"/api/entreprises/{salon.id}", unlisted, token=alice.token)
    page.reload()
    expect(write).to_have_attribute("href", "mailto:salon@example.fr")


def test_an_address_with_a_question_mark_adds_no_copy_to_a_mail(
    serve, new_page, make_salon, alice
):
    salon = make_salon(alice, email="salon?cc=alice&a%40b+c@example.fr")
    page = new_page(serve().url)
    page.goto(f"entreprises/{salon.id}")
    write = page.get_by_role("link", name="salon?cc=alice&a%40b+c@example.fr")
    url = "mailto:salon%3Fcc%3Dalice%26a%2540b%2Bc@example.fr"
    expect(write).to_have_attribute("href", url)


def test_the_page_says_before_the_booking_that_it_cannot_be_changed_later(
    serve, new_page, client, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, delaiAnnulation=60)
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    warning = page.get_by_text("ne pourra plus être déplacé ni annulé en ligne")
    expect(page.get_by_text("Vous pouvez le déplacer ou l’annuler jusqu’au")).to_be_visible()
    expect(warning).to_have_count(0)
    rules = {"nom": "Salon alice", "ville": "Lyon", "delaiAnnulation": 60 * 24 * 60}
    client.put(f"/api/entreprises/{salon.id}", rules, token=alice.token)
    page.reload()
    expect(warning).to_be_visible()


def test_a_booking_during_a_closure_can_be_changed_after_its_deadline(
    serve, new_page, client, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, delaiAnnulation=60 * 24 * 60)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    closure = {"type": "fermeture", "titre": "x", "debut": booked["debut"], "fin": booked["fin"]}
    client.post(f"/api/entreprises/{salon.id}/evenements", closure, 201, token=alice.token)
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto(f"reservations/{booked['id']}")
    closed = "L’établissement ne peut pas vous recevoir à cette heure."
    expect(page.get_by_text(closed)).to_be_visible()
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    page.get_by_role("button", name="Oui, annuler").click()
    expect(page.get_by_text("Le rendez-vous est annulé.")).to_be_visible()


def test_a_request_can_be_withdrawn_after_the_deadline(
    serve, new_page, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, validationManuelle=True, delaiAnnulation=60 * 24 * 60)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto(f"reservations/{number}")
    until = page.get_by_text("Vous pouvez le déplacer ou l’annuler jusqu’au")
    expect(until).to_contain_text("10:00")
    expect(until).to_contain_text("Une fois confirmé, ce rendez-vous ne pourra plus")
    expect(page.get_by_role("button", name="Annuler le rendez-vous")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("fr-FR", r"jusqu’au .* à 10:00 ou, une fois validé, jusqu’au .* à 08:00\."),
        ("en-GB", r"until .* at 10:00 or, once it is approved, until .* at 08:00\."),
    ],
)
def test_a_request_says_which_deadline_its_approval_brings(
    serve, new_page, make_salon, alice, chloe, tuesday, locale, said
):
    salon = make_salon(alice, validationManuelle=True, delaiAnnulation=2 * 60)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    page = open_page(
        new_page, serve().url, chloe, f"reservations/{number}", role="student", locale=locale
    )
    expect(page.locator(".note")).to_have_text(re.compile(said))


@pytest.mark.parametrize(
    ("locale", "confirm", "one", "two"),
    [
        ("fr-FR", "Confirmer le rendez-vous", "35\xa0€", "70\xa0€"),
        ("en-GB", "Confirm booking", "€35", "€70"),
    ],
)
def test_the_button_says_the_price_and_the_booking_keeps_it(
    serve, new_page, db, make_salon, alice, chloe, tuesday, locale, confirm, one, two
):
    several = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 2}]
    salon = make_salon(alice, week=several)
    change = "UPDATE prestation SET prix_centimes = ? WHERE id = ?"
    db.write(change, 3500, salon.coupe)
    page = open_page(new_page, serve().url, chloe, "", role="student", locale=locale)
    button = page.locator("form .actions button.main")
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    expect(button).to_have_text(f"{confirm} · {one}", use_inner_text=True)
    page.locator("[name=places]").select_option("2")
    expect(button).to_have_text(f"{confirm} · {two}", use_inner_text=True)
    button.click()
    expect(facts(page)).to_contain_text(f"30 min · {two} · 2 places")
    db.write(change, 0, salon.coupe)
    page.reload()
    expect(facts(page)).to_contain_text(f"30 min · {two} · 2 places")
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "11:00")
    expect(button).to_have_text(confirm)


@pytest.mark.parametrize("where", ["page", "embedded"])
def test_a_price_that_has_changed_is_shown_before_the_booking(
    serve, new_page, faults, client, salon, alice, chloe, tuesday, where
):
    faults.allow(409)
    page = open_page(new_page, serve().url, chloe, "", role="student")
    if where == "page":
        open_salon(page, salon, tuesday)
    else:
        page.goto(f"integrer/{salon.id}")
        page.get_by_role("button", name="Semaine suivante").click()
    pick(page, tuesday, "10:00")
    button = page.locator("form .actions button.main")
    page.locator("[name=commentaire]").fill("Bonjour")
    dearer = {"nom": "Coupe femme", "dureeMinutes": 30, "prixCentimes": 9000}
    client.put(f"/api/prestations/{salon.coupe}", dearer, token=alice.token)
    button.click()
    expect(page.get_by_text("La prestation a changé : vérifiez-la.")).to_be_visible()
    expect(button).to_have_text("Confirmer le rendez-vous · 90\xa0€", use_inner_text=True)
    expect(page.locator("[name=commentaire]")).to_have_value("Bonjour")
    assert client.get("/api/reservations", token=chloe.token).json == []
    button.click()
    expect(page.get_by_text(re.compile("réservé"))).to_be_visible()
    (made,) = client.get("/api/reservations", token=chloe.token).json
    assert (made["prixCentimes"], made["commentaire"]) == (9000, "Bonjour")


def test_a_customer_chooses_among_the_free_places_of_the_chosen_person(
    serve, new_page, client, make_salon, alice, chloe, tuesday
):
    hours = {"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30}
    salon = make_salon(alice, week=[{**hours, "capacite": 8}])
    path = f"/api/entreprises/{salon.id}/ressources"
    body = {"nom": "Léa"}
    lea = client.post(path, body, 201, token=alice.token).json["id"]
    own = f"/api/ressources/{lea}/semainetype"
    client.put(own, {"semaine": [{**hours, "capacite": 2}]}, token=alice.token)
    at = salon.at(tuesday, "10:00")
    path = f"entreprises/{salon.id}/reserver?prestation={salon.coupe}&creneau={at}&jour={tuesday}"
    page = open_page(new_page, serve().url, chloe, path, role="student")
    places = page.locator("[name=places]")
    expect(places.locator("option")).to_have_count(8)
    places.select_option("5")
    page.get_by_label("Avec qui").select_option("Léa")
    expect(places.locator("option")).to_have_count(2)
    expect(places).to_have_value("2")
    page.locator("form .actions button.main").click()
    expect(facts(page)).to_contain_text("2 places")
    expect(facts(page)).to_contain_text("Avec quiLéa")


def test_bookings_are_listed_page_by_page(
    serve, new_page, salon, chloe, tuesday
):
    for day in (tuesday, tuesday + timedelta(days=1)):
        for start in salon.free(day):
            salon.book(chloe, start["id"])
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.get_by_role("link", name="Mes rendez-vous").click()
    expect(page.locator(".booking")).to_have_count(20)
    page.get_by_role("button", name="Voir plus").click()
    expect(page.locator(".booking")).to_have_count(28)
    page.get_by_role("link", name="Passés").click()
    expect(page.get_by_text("Aucun rendez-vous passé.")).to_be_visible()


def test_a_booking_of_another_year_is_listed_with_its_year(
    serve, new_page, salon, chloe, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    url = serve().url

    def page_of_next_year(url):
        page = new_page(url)
        page.clock.set_fixed_time(f"{tuesday.year + 1}-12-31T12:00Z")
        return page

    page = open_page(page_of_next_year, url, chloe, "reservations?vue=passes", role="student")
    expect(page.locator(".booking .date b")).to_have_text(re.compile(f"{tuesday.year}$"))
    wider = "(tile) => tile.scrollWidth > tile.clientWidth"
    assert not page.locator(".booking .date").evaluate(wider)


@pytest.mark.parametrize(
    ("zone", "clock", "start", "view"),
    [
        ("Pacific/Kiritimati", "11:00", "14:00", ""),  # it is Wednesday there
        ("Pacific/Honolulu", "08:45", "09:00", "?vue=passes"),  # it is Monday there
    ],
)
def test_a_customer_far_away_finds_a_booking_on_the_day_of_the_business(
    serve, new_page, salon, chloe, tuesday, zone, clock, start, view
):
    salon.book(chloe, salon.at(tuesday, start))

    def far_page(url):
        page = new_page(url, timezone_id=zone)
        page.clock.set_fixed_time(f"{tuesday}T{clock}Z")
        return page

    page = open_page(far_page, serve().url, chloe, f"reservations{view}", role="student")
    expect(page.locator(".booking")).to_have_count(1)
    page.get_by_role("link", name="À venir" if view else "Passés").click()
    expect(page.get_by_text(re.compile("^Aucun rendez-vous"))).to_be_visible()
    expect(page.locator(".booking")).to_have_count(0)


def test_the_times_for_moving_are_scrolled_into_view_on_a_phone(
    serve, new_page, salon, chloe, tuesday
):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    page = open_page(
        new_page, serve().url, chloe, f"reservations/{number}", role="student",
        viewport={"width": 390, "height": 844},
    )
    page.get_by_role("button", name="Déplacer", exact=True).click()
    expect(page.locator("#move")).to_be_focused()
    expect(page.locator("#move")).to_be_in_viewport()
    expect(page.locator(".week .time").first).to_be_attached()
    page.reload()
    expect(page.locator("#move")).to_be_attached()
    expect(page.locator("#move")).not_to_be_focused()


def test_a_visit_of_several_days_shows_its_last_day(serve, new_page, db, salon, chloe, tuesday):
    made = salon.book(chloe, salon.at(tuesday, "10:00"))
    end = "debut + 2 * 86400"
    db.write(f"UPDATE reservation SET fin = {end}, occupe_fin = {end}")
    page = open_page(new_page, serve().url, chloe, f"reservations/{made['id']}", role="student")
    last = (tuesday + timedelta(days=2)).day
    expect(facts(page)).to_contain_text(re.compile(f", 10:00 – jeudi {last}(er)? .*, 10:00"))
