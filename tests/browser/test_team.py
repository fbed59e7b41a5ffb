"""A team in a browser: choosing a person, the day of each, and adding a person."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests import teams
from tests.browser.accessibility import wrong_with
from tests.browser.owner import open_page
from tests.browser.visitors import confirm, facts, open_salon, pick, said, signed_in, window

OF_A_TEAM = re.compile("avec qui|équipe|sans préférence|salle|Qui \\?", re.IGNORECASE)


def column(page, name):
    return page.get_by_role("region", name=name, exact=True)


@pytest.fixture
def team(client, salon, alice):
    """Adds Léa, Sam and a cabin to the salon. Returns the ids by name."""

    def add(nom, **others):
        about = {"nom": nom, "description": f"Ce que fait {nom}.", **others}
        path = f"/api/entreprises/{salon.id}/ressources"
        client.post(path, about, 201, token=alice.token)

    add("Léa", ordre=1)
    add("Sam", ordre=2)
    add("Cabine", ordre=3, genre="lieu")
    found = client.get(f"/api/entreprises/{salon.id}/ressources").json
    first, *others = found
    return {"Alice": first["id"], **{one["nom"]: one["id"] for one in others}}


def need_room(client, salon, alice):
    path = f"/api/prestations/{salon.coupe}"
    coupe = client.get(path).json
    body = {
        "nom": coupe["nom"], "dureeMinutes": 30, "lieuRequis": True, "version": coupe["version"],
    }
    client.put(path, body, token=alice.token)


def bookings(client, person):
    return client.get("/api/reservations", token=person.token).json


def test_a_customer_books_with_a_person_and_sees_the_name_and_the_room_everywhere(
    serve, new_page, client, salon, alice, chloe, team, tuesday
):
    need_room(client, salon, alice)
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    expect(page.get_by_label("Sans préférence")).to_be_checked()
    expect(page.get_by_text("Ce que fait Léa.")).to_be_visible()
    page.get_by_label(re.compile("^Léa")).check()
    pick(page, tuesday, "09:00")
    expect(facts(page)).to_contain_text("Avec quiLéa")
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    expect(facts(page)).to_contain_text("Avec quiLéa")
    expect(facts(page)).to_contain_text("Cabine")
    page.get_by_role("link", name="Mes rendez-vous").click()
    expect(page.locator(".booking")).to_contain_text("avec Léa · Cabine")
    (made,) = bookings(client, chloe)
    assert (made["ressource"]["id"], made["lieu"]["nom"]) == (team["Léa"], "Cabine")


def test_without_preference_the_booking_names_who_performs(
    serve, new_page, client, salon, chloe, team, tuesday
):
    page = new_page(serve().url, locale="en-GB")
    page.goto("connexion")
    page.get_by_role("tab", name="Password").click()
    page.get_by_label("E-mail address").fill(chloe.email)
    page.get_by_label("Password", exact=True).fill(chloe.password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="My bookings")).to_be_visible()
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "09:00")
    expect(facts(page)).to_contain_text("No preference")
    page.get_by_role("button", name="Confirm booking").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You’re booked!")
    (made,) = bookings(client, chloe)
    expect(facts(page)).to_contain_text(f"With{made['ressource']['nom']}")


def test_nobody_is_offered_for_a_service_that_only_retired_persons_perform(
    serve, new_page, client, salon, alice, team, tuesday
):
    path = f"/api/prestations/{salon.coupe}"
    coupe = client.get(path).json
    body = {"nom": coupe["nom"], "dureeMinutes": 30, "version": coupe["version"]}
    client.put(path, {**body, "ressources": [team["Sam"]]}, token=alice.token)
    client.delete(f"/api/ressources/{team['Sam']}", 200, token=alice.token)
    page = new_page(serve().url)
    open_salon(page, salon, tuesday)
    expect(page.locator(".empty")).to_have_text("Aucune disponibilité pour le moment.")
    expect(page.get_by_role("heading", name="Avec qui ?")).to_have_count(0)
    open_salon(page, salon, tuesday, salon.couleur)
    expect(page.get_by_role("heading", name="Avec qui ?")).to_be_visible()


def test_a_customer_is_asked_with_whom_only_if_somebody_performs_the_service(
    serve, new_page, client, salon, alice, team, tuesday
):
    path = f"/api/prestations/{salon.coupe}"
    body = {"nom": "Coupe femme", "dureeMinutes": 30}
    page = new_page(serve().url)
    who = page.get_by_role("heading", name="Avec qui ?")
    both = [team["Sam"], team["Cabine"]]
    client.put(path, {**body, "ressources": both}, token=alice.token)
    client.delete(f"/api/ressources/{team['Sam']}", 200, token=alice.token)
    open_salon(page, salon, tuesday)
    expect(page.locator(".empty")).to_have_text("Aucune disponibilité pour le moment.")
    expect(who).to_have_count(0)
    client.put(path, {**body, "ressources": [team["Cabine"]]}, token=alice.token)
    client.delete(f"/api/ressources/{team['Cabine']}", 200, token=alice.token)
    page.reload()
    expect(who).to_be_visible()
    expect(page.get_by_label(re.compile("^Léa"))).to_be_visible()


def test_a_time_names_the_only_person_who_is_free(
    serve, new_page, client, salon, chloe, alice, team, tuesday
):
    for who in ("Alice", "Sam"):
        salon.book(alice, salon.at(tuesday, "09:00"), ressourceId=team[who])
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "09:00 Léa")
    expect(facts(page)).to_contain_text("Avec quiLéa")
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    assert bookings(client, chloe)[0]["ressource"]["nom"] == "Léa"


def test_a_time_that_was_just_taken_is_offered_with_others_and_later_with_the_same_person(
    serve, new_page, faults, client, salon, chloe, alice, team, tuesday
):
    faults.allow(409)
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    page.get_by_label(re.compile("^Léa")).check()
    pick(page, tuesday, "10:00")
    expect(facts(page)).to_contain_text("Avec quiLéa")
    salon.book(alice, salon.at(tuesday, "10:00"), ressourceId=team["Léa"])
    confirm(page)
    offered = page.locator(".note .time")
    expect(offered.filter(has_text="Léa").first).to_be_visible()
    other = offered.filter(has_text="10:00").filter(has_not_text="Léa").first
    expect(other).to_contain_text(re.compile("Alice|Sam"))
    other.click()
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    (made,) = bookings(client, chloe)
    assert made["debut"][11:16] == "10:00" and made["ressource"]["nom"] != "Léa"


def test_a_time_with_a_person_is_booked_with_this_person_although_none_was_preferred_before(
    serve, new_page, faults, client, salon, chloe, alice, team, tuesday
):
    faults.allow(409)

    def take(time, *names):
        for who in names:
            salon.book(alice, salon.at(tuesday, time), ressourceId=team[who])

    take("09:30", "Alice", "Sam")
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    expect(facts(page)).to_contain_text("Sans préférence")
    take("10:00", "Alice", "Léa", "Sam")
    offered = page.locator(".note .time")
    confirm(page)
    offered.filter(has_text="09:30").filter(has_text="Léa").click()
    expect(facts(page)).to_contain_text("Avec quiLéa")
    take("09:30", "Léa")
    confirm(page)
    offered.filter(has_text="09:00").filter(has_text="Léa").click()
    expect(facts(page)).to_contain_text("09:00")
    expect(facts(page)).to_contain_text("Avec quiLéa")
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    assert bookings(client, chloe)[0]["ressource"]["nom"] == "Léa"


def test_the_day_has_a_column_for_each_member_and_books_with_the_person_of_the_column(
    serve, new_page, client, salon, alice, team, tuesday
):
    need_room(client, salon, alice)
    path = f"gestion/{salon.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    page.set_viewport_size({"width": 1280, "height": 900})
    for name in ("Léa", "Sam", "Cabine"):
        expect(column(page, name)).to_be_visible()
    column(page, "Sam").locator(".gap-row button").first.click()
    expect(window(page).get_by_label("Avec qui")).to_have_value(str(team["Sam"]))
    page.get_by_role("combobox", name="Client").fill("Zoé Picard")
    page.get_by_label("Adresse e-mail").fill("zoe@example.fr")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    expect(column(page, "Sam").locator(".visit-row")).to_contain_text("Zoé Picard")
    expect(column(page, "Cabine").locator(".visit-row")).to_contain_text("Zoé Picard")
    expect(column(page, "Léa").locator(".visit-row")).to_have_count(0)
    assert [*wrong_with(page)] == []


def test_a_booking_moves_to_another_person(
    serve, new_page, client, salon, alice, chloe, team, tuesday
):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Sam"])
    path = f"gestion/{salon.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    column(page, "Sam").locator(".visit-row button").click()
    window(page).get_by_role("button", name="Déplacer").click()
    days, held = window(page).locator(".days"), []
    expect(days).not_to_have_attribute("inert", "")
    page.route("**/creneaux?*", lambda route: held.append(route))
    with page.expect_request("**/creneaux?*"):
        window(page).get_by_label("Avec qui").select_option("Léa")
    expect(days).to_have_attribute("inert", "")  # the times of Sam cannot be chosen any more
    held[0].continue_()
    page.unroute("**/creneaux?*")
    window(page).locator(".time", has_text="09:00").first.click()
    expect(window(page)).to_contain_text("avec Léa")
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    expect(column(page, "Léa").locator(".visit-row")).to_contain_text("Chloé")
    assert bookings(client, chloe)[0]["ressource"]["id"] == team["Léa"]


def test_a_booking_moves_to_those_who_perform_the_service_since_the_owner_changed_it(
    serve, new_page, salon, alice, chloe, team, tuesday
):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Sam"])
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/agenda?jour={tuesday}")

    def choices():
        column(page, "Sam").locator(".visit-row button").click()
        window(page).get_by_role("button", name="Déplacer").click()
        return window(page).get_by_label("Avec qui").locator("option")

    expect(choices()).to_have_text(["Sans préférence", "Alice", "Léa", "Sam"])
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Prestations").click()
    page.get_by_role("button", name="Modifier Coupe femme").click()
    for name in ("Léa", "Sam"):
        window(page).get_by_label(name).check()
    window(page).get_by_role("button", name="Enregistrer").click()
    expect(window(page)).to_have_count(0)
    page.go_back()
    expect(choices()).to_have_text(["Sans préférence", "Léa", "Sam"])


def test_the_week_shows_one_person(serve, new_page, salon, alice, chloe, team, tuesday):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Sam"])
    path = f"gestion/{salon.id}/agenda?vue=semaine&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    expect(page.locator(".visit-row")).to_contain_text("Sam")
    page.get_by_label("Agenda affiché").select_option("Léa")
    expect(page.locator(".visit-row")).to_have_count(0)
    page.get_by_label("Agenda affiché").select_option("Sam")
    expect(page.locator(".visit-row")).to_have_count(1)


def test_figures_and_the_feed_are_of_one_person(
    serve, new_page, salon, alice, chloe, team, tuesday
):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Sam"])
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/chiffres")
    page.get_by_role("combobox", name="Période").select_option("30 prochains jours")
    expect(page.locator(".tile", has_text="Rendez-vous1")).to_be_visible()
    expect(page.get_by_role("region", name="Par personne")).to_contain_text("Sam")
    page.get_by_label("Agenda affiché").select_option("Léa")
    expect(page.get_by_text("Aucun rendez-vous sur cette période.")).to_be_visible()
    page.goto(f"gestion/{salon.id}/partager")
    feed = page.get_by_role("textbox", name="Dans votre agenda")
    expect(feed).to_have_value(re.compile("/flux/"))
    whole = feed.input_value()
    page.get_by_label("Qui ?").select_option("Léa")
    expect(feed).not_to_have_value(whole)


def test_an_owner_who_works_alone_adds_a_person_on_one_screen(
    serve, new_page, client, salon, alice, tuesday
):
    path = f"/api/prestations/{salon.coupe}"
    coupe = client.get(path).json
    coupe = {name: coupe[name] for name in coupe if name not in ("id", "entrepriseId")}
    coupe |= {"categorie": "Femmes", "tamponApres": 5, "intervalleMinutes": 15}
    client.put(path, coupe, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/agenda?jour={tuesday}")
    page.get_by_role("link", name="Ajouter une personne").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ajouter une personne")
    page.get_by_label("Prénom").fill("Léa")
    page.get_by_label("Spécialités").fill("Coloriste")
    page.get_by_label("Coupe femme").uncheck()
    page.get_by_role("button", name="Enregistrer").click()
    said(page, "Léa : c’est enregistré")
    expect(page.get_by_role("rowheader", name="Léa")).to_be_visible()
    path = f"/api/entreprises/{salon.id}"
    first, lea = client.get(f"{path}/ressources").json
    assert (lea["nom"], lea["description"]) == ("Léa", "Coloriste")
    services = {one["nom"]: one["ressources"] for one in client.get(f"{path}/prestations").json}
    assert services == {"Coupe femme": [first["id"]], "Coloration": []}
    kept = client.get(f"/api/prestations/{salon.coupe}").json
    assert {name: kept[name] for name in coupe} == coupe | {
        "version": kept["version"], "ressources": [first["id"]]
    }


def test_a_name_that_is_corrected_after_an_interrupted_addition_is_saved(
    serve, new_page, faults, client, salon, alice, team
):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    page.get_by_role("button", name="Ajouter une personne ou une salle").click()
    page.get_by_label("Prénom").fill("Fatou")
    window(page).get_by_label("Coupe femme").uncheck()
    services = re.compile(r"/api/prestations/\d+$")
    page.route(services, lambda route: route.abort())
    window(page).get_by_role("button", name="Enregistrer").click()
    expect(window(page)).to_contain_text("La connexion est interrompue")
    page.unroute(services)
    page.get_by_label("Prénom").fill("Fatoumata")
    window(page).get_by_role("button", name="Réessayer").click()
    said(page, "Fatoumata : c’est enregistré")
    names = [one["nom"] for one in client.get(f"/api/entreprises/{salon.id}/ressources").json]
    assert names[-2:] == ["Cabine", "Fatoumata"]


def test_a_person_gets_own_hours_and_is_retired_with_the_bookings_moved(
    serve, new_page, client, salon, alice, chloe, team, tuesday
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    page.get_by_role("button", name="Ajouter une personne ou une salle").click()
    page.get_by_label("Prénom").fill("Inès")
    page.get_by_label("Ses propres horaires").check()
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_label("Qui ?").locator("option:checked")).to_have_text("Inès")
    page.get_by_role("button", name=re.compile("^Mardi 09:00")).click()
    page.get_by_role("button", name="Supprimer").click()
    page.get_by_role("button", name="Voir les conséquences").click()
    page.get_by_role("button", name="Enregistrer").click()
    said(page, "enregistré")
    found = client.get(f"/api/entreprises/{salon.id}/ressources").json
    ines = next(one["id"] for one in found if one["nom"] == "Inès")
    times = [one["debut"][11:16] for one in salon.free(tuesday, ressource=ines)]
    assert times[0] == "14:00"
    salon.book(chloe, salon.at(tuesday, "14:00"), ressourceId=ines)
    page.goto(f"gestion/{salon.id}/equipe")
    page.get_by_role("button", name="Retirer Inès").click()
    window(page).get_by_label("Ses rendez-vous à venir").select_option(str(team["Sam"]))
    window(page).get_by_role("button", name="Voir les conséquences").click()
    expect(window(page)).to_contain_text("1 rendez-vous est déplacé")
    window(page).get_by_role("button", name="Oui, retirer").click()
    said(page, "Inès ne prend plus de rendez-vous")
    assert bookings(client, chloe)[0]["ressource"]["nom"] == "Sam"


def test_a_booking_that_cannot_be_moved_after_all_is_named_when_its_person_is_retired(
    serve, new_page, client, salon, alice, bob, chloe, team, tuesday
):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Léa"])
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    page.get_by_role("button", name="Retirer Léa").click()
    window(page).get_by_label("Ses rendez-vous à venir").select_option(str(team["Sam"]))
    window(page).get_by_role("button", name="Voir les conséquences").click()
    expect(window(page)).to_contain_text("1 rendez-vous est déplacé")
    salon.book(bob, salon.at(tuesday, "09:00"), ressourceId=team["Sam"])
    window(page).get_by_role("button", name="Oui, retirer").click()
    expect(window(page).locator(".stranded li")).to_contain_text("Chloé Martin")
    expect(window(page)).not_to_contain_text("déplacé")
    window(page).get_by_role("button", name="Fermer", exact=True).last.click()
    expect(window(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Retirer Léa")).to_have_count(0)


@pytest.fixture
def with_visits_of_lea(serve, new_page, salon, alice, chloe, team, tuesday):
    """Books two visits with Léa: for Rose, who has no e-mail address, and for Chloé. Returns the
    page of the team."""
    rose = {"nom": "Rose", "telephone": "06 11 22 33 44"}
    for start, by, others in (("09:00", alice, {"client": rose}), ("10:00", chloe, {})):
        salon.book(by, salon.at(tuesday, start), ressourceId=team["Léa"], **others)
    return open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")


def test_a_retirement_names_the_moved_customers_whom_no_e_mail_tells(with_visits_of_lea, team):
    page = with_visits_of_lea
    page.get_by_role("button", name="Retirer Léa").click()
    dialog = window(page)
    dialog.get_by_label("Ses rendez-vous à venir").select_option(str(team["Sam"]))
    dialog.get_by_role("button", name="Voir les conséquences").click()
    calls = dialog.locator(".warn").filter(has_text="n’ont pas d’adresse e-mail : prévenez-les")
    untold = calls.locator(".stranded li")
    expect(untold).to_have_text(re.compile("^Rose.*06 11 22 33 44$"))
    assert [*wrong_with(page)] == []
    dialog.get_by_role("button", name="Oui, retirer").click()
    expect(dialog.get_by_role("button", name="Oui, retirer")).to_have_count(0)
    expect(untold).to_have_text(re.compile("^Rose.*06 11 22 33 44$"))
    close = dialog.get_by_role("button", name="Fermer", exact=True)
    expect(close).to_have_count(2)  # beside the cross: the person has been retired
    close.last.click()
    expect(page.get_by_role("button", name="Retirer Léa")).to_have_count(0)


def test_a_retirement_whose_answer_was_lost_names_at_the_second_attempt_whom_to_call(
    with_visits_of_lea, faults, team
):
    faults.allow(0)
    page = with_visits_of_lea
    page.get_by_role("button", name="Retirer Léa").click()
    dialog = window(page)
    dialog.get_by_label("Ses rendez-vous à venir").select_option(str(team["Sam"]))
    dialog.get_by_role("button", name="Voir les conséquences").click()
    sure = dialog.get_by_role("button", name="Oui, retirer")
    expect(sure).to_be_visible()
    path = f"**/api/ressources/{team['Léa']}*"
    page.route(path, lambda route: (route.fetch(), route.abort()), times=1)
    sure.click()
    dialog.get_by_role("button", name="Réessayer").click()
    expect(dialog.get_by_role("button", name="Fermer", exact=True)).to_have_count(2)
    expect(dialog.locator(".stranded li")).to_have_text(re.compile("^Rose.*06 11 22 33 44$"))


def test_a_retirement_names_the_services_that_nobody_performs_any_more(
    serve, new_page, client, salon, alice, team
):
    path = f"/api/prestations/{salon.coupe}"
    body = {"nom": "Coupe femme", "dureeMinutes": 30, "ressources": [team["Sam"], team["Cabine"]]}
    client.put(path, body, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    lost = window(page).get_by_text("Plus personne pour réaliser : Coupe femme.")
    for name, count in (("Léa", 0), ("Sam", 1)):
        page.get_by_role("button", name=f"Retirer {name}").click()
        window(page).get_by_role("button", name="Voir les conséquences").click()
        expect(window(page).get_by_role("button", name="Oui, retirer")).to_be_visible()
        expect(lost).to_have_count(count)
        window(page).get_by_role("button", name="Oui, retirer").click()
        expect(window(page)).to_have_count(0)
    page.goto(f"gestion/{salon.id}/prestations")
    expect(page.get_by_role("row", name="Coupe femme")).to_contain_text("Plus personne")


def test_a_room_is_retired_without_calls_about_its_moved_bookings(
    serve, new_page, client, salon, alice, team, tuesday
):
    """Customers with an e-mail address are not told about another room either."""
    need_room(client, salon, alice)
    path = f"/api/entreprises/{salon.id}/ressources"
    salle = {"nom": "Salle", "ordre": 4, "genre": "lieu"}
    other = client.post(path, salle, 201, token=alice.token).json["id"]
    rose = {"nom": "Rose", "telephone": "06 11 22 33 44"}
    salon.book(alice, salon.at(tuesday, "09:00"), client=rose)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    page.get_by_role("button", name="Retirer Cabine").click()
    window(page).get_by_label("Ses rendez-vous à venir").select_option(str(other))
    window(page).get_by_role("button", name="Voir les conséquences").click()
    expect(window(page)).to_contain_text("1 rendez-vous est déplacé")
    expect(window(page).locator(".stranded")).to_have_count(0)
    window(page).get_by_role("button", name="Oui, retirer").click()
    expect(window(page)).to_have_count(0)


def test_a_screen_reader_hears_that_somebody_must_perform_a_service(
    serve, new_page, client, salon, alice, team
):
    path = f"/api/prestations/{salon.coupe}"
    coupe = client.get(path).json
    body = {"nom": coupe["nom"], "dureeMinutes": 30, "version": coupe["version"]}
    client.put(path, {**body, "ressources": [team["Sam"]]}, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    page.get_by_role("button", name="Modifier Sam").click()
    window(page).get_by_role("checkbox", name="Coupe femme").uncheck()
    window(page).get_by_role("button", name="Enregistrer").click()
    expect(window(page).get_by_role("alert").first).to_contain_text("« Coupe femme »")


def test_the_hours_of_a_retired_person_are_not_shown_as_those_of_the_business(
    serve, new_page, client, salon, alice, team
):
    path = f"/api/ressources/{team['Sam']}/semainetype"
    own = {"jour": 1, "debut": "07:00", "fin": "08:00", "pasMinutes": 30}
    client.put(path, {"semaine": [own]}, token=alice.token)
    client.delete(f"/api/ressources/{team['Sam']}", 200, token=alice.token)
    address = f"gestion/{salon.id}/horaires?de={team['Sam']}"
    page = open_page(new_page, serve().url, alice, address)
    expect(page.get_by_role("button", name=re.compile("^Mardi 09:00"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("07:00"))).to_have_count(0)
    whose = page.get_by_label("Qui ?").locator("option:checked")
    expect(whose).to_have_text("Tout l’établissement")


def test_the_hours_of_the_business_are_not_edited_as_those_of_a_person_who_is_still_loading(
    serve, new_page, client, salon, alice, team
):
    path = f"/api/ressources/{team['Léa']}/semainetype"
    own = {"jour": 1, "debut": "07:00", "fin": "08:00", "pasMinutes": 30}
    client.put(path, {"semaine": [own]}, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/horaires")
    usual = page.get_by_role("button", name=re.compile("^Mardi 09:00"))
    expect(usual).to_be_visible()
    held = []
    page.route(f"**{path}", lambda route: held.append(route))
    with page.expect_request(f"**{path}"):
        page.get_by_label("Qui ?").select_option("Léa")
    expect(page.locator(".waiting")).to_be_visible()
    expect(usual).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_role("button", name=re.compile("^Lundi 07:00"))).to_be_visible()


def test_a_closure_concerns_one_person(serve, new_page, client, salon, alice, team, tuesday):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    page.get_by_role("button", name="Ajouter une fermeture").click()
    page.get_by_label("Qui ?").select_option("Léa")
    page.get_by_label("Titre").fill("Stage couleur")
    page.get_by_label("Premier jour").fill(tuesday.isoformat())
    page.get_by_label("Dernier jour").fill(tuesday.isoformat())
    page.get_by_role("button", name="Voir les conséquences").click()
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.locator(".rows tbody tr")).to_contain_text("Léa")
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.locator(".rows").get_by_text("Léa", exact=True)).to_be_visible()
    assert salon.free(tuesday, ressource=team["Léa"]) == []
    assert salon.free(tuesday) != []
    page.goto(f"entreprises/{salon.id}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("Stage couleur")).to_have_count(0)


def test_a_business_of_one_person_sees_nothing_of_a_team(
    serve, new_page, salon, alice, chloe, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    page = open_page(new_page, serve().url, alice, f"entreprises/{salon.id}")
    page.set_viewport_size({"width": 1280, "height": 900})
    for view in ("", "agenda", "semaine", "prestations", "horaires", "fermetures"):
        page.goto(f"gestion/{salon.id}/{view}?jour={tuesday}&semaine={tuesday}" if view else
                  f"entreprises/{salon.id}?semaine={tuesday}")
        expect(page.locator("h1")).to_be_visible()
        page.wait_for_load_state("networkidle")
        entries = page.get_by_role("link", name="Ajouter une personne")
        expect(entries).to_have_count(1 if view else 0)
        expect(page.get_by_role("main").get_by_text(OF_A_TEAM)).to_have_count(0)
        expect(page.locator(".initials")).to_have_count(0)
    page.goto(f"gestion/{salon.id}/prestations")
    page.get_by_role("button", name="Modifier Coupe femme").click()
    expect(window(page).get_by_text(OF_A_TEAM)).to_have_count(0)
    page.goto(f"gestion/{salon.id}/agenda?jour={tuesday}")
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    expect(window(page).get_by_label("Avec qui")).to_have_count(0)


def test_each_view_and_dialog_of_a_team_is_accessible(
    serve, new_page, client, salon, alice, chloe, team, tuesday
):
    need_room(client, salon, alice)
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=team["Léa"])
    page = open_page(new_page, serve().url, alice, "gestion")
    found = []
    for view, *buttons in (
        (f"entreprises/{salon.id}?avec={team['Léa']}",),
        ("agenda",), ("agenda?vue=semaine",), ("agenda?vue=mois",), ("equipe",), ("chiffres",),
        ("partager",),
        (f"horaires?de={team['Léa']}",), ("fermetures",),
        ("agenda", "Nouveau rendez-vous"), ("agenda", re.compile("Chloé Martin"), "Déplacer"),
        ("equipe", "Ajouter une personne ou une salle"), ("equipe", "Modifier Cabine"),
        ("equipe", "Retirer Sam"), ("prestations", "Modifier Coupe femme"),
        ("fermetures", "Ajouter une fermeture"),
    ):  # fmt: skip
        address = view if "/" in view else f"gestion/{salon.id}/{view}"
        sign = "&" if "?" in address else "?"
        page.goto(f"{address}{sign}jour={tuesday}&semaine={tuesday}")
        for button in buttons:
            page.get_by_role("button", name=button).first.click()
        page.wait_for_load_state("networkidle")
        expect(page.locator(".waiting")).to_have_count(0)
        found += [f"{view} {buttons} {one}" for one in wrong_with(page)]
    assert not found, "\n".join(found)


def test_the_team_is_a_table_in_the_order_that_customers_see(
    serve, new_page, client, salon, alice, team
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    rows = page.get_by_role("rowheader")
    expect(rows).to_have_text([re.compile(f"^{name}") for name in team])
    expect(page.get_by_role("row", name="Cabine")).to_contain_text("Salle")
    expect(page.get_by_role("button", name="Absence de Cabine")).to_have_count(0)
    expect(page.get_by_role("button", name="Monter Alice")).to_have_count(0)
    page.get_by_role("button", name="Monter Sam").click()
    expect(rows).to_have_text([re.compile(f"^{one}") for one in ("Alice", "Sam", "Léa", "Cab")])
    found = client.get(f"/api/entreprises/{salon.id}/ressources").json
    assert [one["nom"] for one in found] == ["Alice", "Sam", "Léa", "Cabine"]
    page.get_by_role("link", name="Horaires de Léa").click()
    expect(page.get_by_label("Qui ?").locator("option:checked")).to_have_text("Léa")


def test_a_member_can_be_moved_up_again_after_an_interrupted_move(
    serve, new_page, salon, alice, team, faults
):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    lost = []

    def lose_the_second(route):
        lost.append(route)
        if len(lost) == 2:
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(r"/api/ressources/\d+$"), lose_the_second)
    up = page.get_by_role("button", name="Monter Sam")
    up.click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("La connexion est interrompue.")  # and the list was read again
    expect(alert.get_by_role("button")).to_have_count(0)  # would send outdated versions
    up.click()
    rows = page.get_by_role("rowheader")
    expect(rows).to_have_text([re.compile(f"^{one}") for one in ("Alice", "Sam", "Léa", "Cab")])
    expect(alert).to_have_count(0)


def test_the_buttons_of_a_person_are_in_one_line_on_a_telephone(
    serve, new_page, salon, alice, team
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    page.set_viewport_size({"width": 390, "height": 844})
    actions = page.get_by_role("row", name="Sam").locator("button, a")
    expect(actions).to_have_count(5)
    boxes = [one.bounding_box() for one in actions.all()]
    assert len({round(box["y"] + box["height"] / 2) for box in boxes}) == 1


def test_a_second_click_before_the_list_is_read_again_sends_no_outdated_version(
    serve, new_page, salon, alice, team
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    up = page.get_by_role("button", name="Monter Sam")
    expect(up).to_be_visible()
    reading, held = re.compile(r"/ressources\?"), []
    page.route(reading, lambda route: held.append(route))
    with page.expect_request(reading):
        up.click()
    up.click()
    page.wait_for_timeout(100)  # an outdated version would be refused, which is a fault
    held.pop().continue_()
    rows = page.get_by_role("rowheader")
    expect(rows).to_have_text([re.compile(f"^{one}") for one in ("Alice", "Sam", "Léa", "Cab")])


@pytest.mark.parametrize(
    ("locale", "absence", "first"),
    [("fr-FR", "Absence de Léa", "Premier jour"), ("en-GB", "Absence of Léa", "First day")],
)
def test_the_day_of_the_owner_leads_to_the_absence_of_a_person(
    serve, new_page, client, salon, alice, team, tuesday, locale, absence, first
):
    path = f"gestion/{salon.id}/agenda?vue=jour&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    expect(column(page, "Cabine")).to_be_visible()
    expect(column(page, "Cabine").get_by_role("link")).to_have_count(0)
    column(page, "Léa").get_by_role("link", name=absence).click()
    expect(window(page)).to_contain_text(absence)
    expect(window(page).get_by_label(first)).to_have_value(str(tuesday))
    page.keyboard.press("Escape")
    expect(window(page)).to_have_count(0)
    expect(page).to_have_url(re.compile("equipe$"))
    page.goto(f"gestion/{salon.id}/equipe?absence={team['Léa']}&jour=2020-01-01")
    now = datetime.now(ZoneInfo("Europe/Paris")).date()
    expect(window(page).get_by_label(first)).to_have_value(str(now))


def test_a_former_member_with_bookings_has_no_absences(
    serve, new_page, client, salon, alice, chloe, team, tuesday
):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Léa"])
    client.delete(f"/api/ressources/{team['Léa']}", 200, token=alice.token)
    path = f"gestion/{salon.id}/agenda?vue=jour&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    expect(column(page, "Léa").get_by_role("button")).to_contain_text("Chloé Martin")
    expect(column(page, "Sam").get_by_role("link", name="Absence")).to_have_count(1)
    expect(column(page, "Léa").get_by_role("link")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_bookings_of_an_absent_person_move_to_a_colleague(
    serve, new_page, client, salon, alice, bob, chloe, team, tuesday, width
):
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Léa"])
    salon.book(bob, salon.at(tuesday, "10:00"), ressourceId=team["Léa"])
    page = open_page(
        new_page, serve().url, alice, f"gestion/{salon.id}/equipe",
        viewport={"width": width, "height": 800},
    )
    page.get_by_role("button", name="Absence de Léa").click()
    page.get_by_label("Premier jour").fill(str(tuesday))
    expect(page.get_by_label("Dernier jour")).to_have_value(str(tuesday))
    page.get_by_role("button", name="Voir les rendez-vous").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile("même heure.*avec (Sam|Alice)"))
    assert list(wrong_with(page, [(width, "light")])) == []
    dialog.get_by_role("checkbox", name=re.compile("10:00")).uncheck()
    dialog.get_by_label("Un mot pour le client").fill("Léa est souffrante.")
    dialog.get_by_role("button", name="Déplacer 1 rendez-vous").click()
    expect(dialog).to_contain_text("1 rendez-vous déplacé. 1 client prévenu par e-mail.")
    expect(dialog).to_contain_text("1 rendez-vous est concerné.")
    (moved,) = client.get("/api/reservations", token=chloe.token).json
    (kept,) = client.get("/api/reservations", token=bob.token).json
    assert moved["ressource"]["nom"] != "Léa" and moved["debut"][11:16] == "09:00"
    assert kept["ressource"]["nom"] == "Léa"
    dialog.get_by_role("button", name="Fermer", exact=True).last.click()
    expect(dialog).to_have_count(0)
    path = f"/api/entreprises/{salon.id}/evenements?ressource={team['Léa']}&du={tuesday}"
    (closure,) = client.get(path).json
    assert closure["type"] == "fermeture" and closure["titre"] == "Absence"


def test_the_name_of_a_person_before_a_title_is_not_saved_with_the_title(
    serve, new_page, client, salon, alice, team, tuesday
):
    path = f"/api/entreprises/{salon.id}/evenements"
    debut, fin = f"{tuesday}T12:00:00Z", f"{tuesday}T13:00:00Z"
    about = {"type": "fermeture", "titre": "Stage", "debut": debut, "fin": fin}
    client.post(path, {**about, "ressourceId": team["Léa"]}, 201, token=alice.token)
    week = f"gestion/{salon.id}/agenda?vue=semaine&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, week)
    expect(page.locator(".board .closure")).to_contain_text("Fermé : Léa · Stage")
    page.get_by_role("button", name="Modifier Léa · Stage").click()
    expect(window(page).get_by_label("Titre")).to_have_value("Stage")
    page.keyboard.press("Escape")
    expect(window(page)).to_have_count(0)
    tile = page.locator(".board .closure")
    tile.scroll_into_view_if_needed()
    box = tile.bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 70, steps=8)
    page.mouse.up()
    window(page).get_by_role("button", name="Modifier la fermeture").click()
    said(page, "Léa · Stage")
    (moved,) = client.get(path).json
    assert (moved["titre"], moved["version"]) == ("Stage", 2)


def test_an_absence_names_the_customers_whom_no_e_mail_tells(with_visits_of_lea, tuesday):
    page = with_visits_of_lea
    dialog = window(page)

    def seen(*ticked):
        page.get_by_role("button", name="Absence de Léa").click()
        page.get_by_label("Premier jour").fill(str(tuesday))
        page.get_by_role("button", name="Voir les rendez-vous").click()
        dialog.get_by_role("checkbox", name="Fermer l’agenda").uncheck()
        expect(dialog.get_by_label("Un mot pour le client")).to_have_count(1)
        dialog.get_by_role("checkbox", name="10:00").uncheck()  # leaves a customer without e-mail
        expect(dialog.get_by_label("Un mot pour le client")).to_have_count(0)
        dialog.get_by_role("checkbox", name="10:00").check()
        for start in {"09:00", "10:00"}.difference(ticked):
            dialog.get_by_role("checkbox", name=start).uncheck()
        dialog.locator("button.main").click()

    seen()
    expect(dialog).to_contain_text("Rien n’a été modifié.")
    dialog.get_by_role("button", name="Fermer", exact=True).last.click()
    seen("09:00", "10:00")
    expect(dialog).to_contain_text("2 rendez-vous déplacés. 1 client prévenu par e-mail.")
    expect(dialog.locator(".stranded li")).to_have_text(re.compile("^Rose.*06 11 22 33 44$"))


def test_a_booking_that_has_left_the_calendar_of_the_absent_person_is_said_to_be_gone(
    with_visits_of_lea, client, alice, chloe, salon, team, tuesday
):
    page = with_visits_of_lea
    page.get_by_role("button", name="Absence de Léa").click()
    page.get_by_label("Premier jour").fill(str(tuesday))
    page.get_by_role("button", name="Voir les rendez-vous").click()
    expect(window(page).get_by_role("checkbox", name="10:00")).to_be_checked()
    (mine,) = bookings(client, chloe)
    moved = {"creneauId": salon.at(tuesday, "11:00"), "ressourceId": team["Sam"]}
    path = f"/api/reservations/{mine['id']}"
    client.put(path, {**moved, "version": mine["version"]}, token=alice.token)
    window(page).locator("button.main").click()
    gone = "Chloé Martin : Ce rendez-vous n’est plus dans cet agenda."
    expect(window(page).locator(".warn li", has_text="Chloé").first).to_have_text(gone)


def test_a_closure_names_the_customers_whom_no_e_mail_tells(
    serve, new_page, salon, alice, chloe, tuesday
):
    rose = {"nom": "Rose", "telephone": "06 11 22 33 44"}
    salon.book(alice, salon.at(tuesday, "09:00"), client=rose)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    path = f"gestion/{salon.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    page.get_by_role("button", name="Fermer la journée").click()
    page.get_by_role("button", name="Voir les conséquences").click()
    expect(window(page)).to_contain_text("Prévenez vous-même les clients sans e-mail.")
    listed = window(page).locator(".stranded li")
    expect(listed.filter(has_text="sans e-mail")).to_contain_text("Rose")
    expect(listed.filter(has_text="sans e-mail")).to_have_count(1)


def test_an_absence_says_whether_an_e_mail_tells_the_customers_who_keep_their_bookings(
    serve, new_page, client, salon, alice, chloe, team, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=team["Léa"])
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    dialog = window(page)
    path = f"/api/entreprises/{salon.id}/emails"
    for shut, told in ((False, "appelez-les"), (True, "Chaque client est prévenu par e-mail.")):
        page.get_by_role("button", name="Absence de Léa").click()
        page.get_by_label("Premier jour").fill(str(tuesday))
        page.get_by_role("button", name="Voir les rendez-vous").click()
        dialog.get_by_role("checkbox", name="Fermer l’agenda").set_checked(shut)
        dialog.get_by_role("checkbox", name="10:00").uncheck()
        dialog.locator("button.main").click()
        expect(dialog).to_contain_text("Chloé Martin")
        expect(dialog).to_contain_text(told)
        sent = [one["genre"] for one in client.get(path, token=alice.token).json]
        assert ("fermeture" in sent) == shut
        dialog.get_by_role("button", name="Fermer", exact=True).last.click()


def test_only_as_many_moves_can_be_ticked_as_a_request_may_have(
    serve, new_page, salon, alice, chloe, team, tuesday
):
    """The answer of the service is repeated, because 101 real bookings would take long."""
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Léa"])
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")

    def repeat(route):
        answer = route.fetch()
        (one,) = answer.json()
        many = [{**one, "reservation": {**one["reservation"], "id": n}} for n in range(1, 102)]
        route.fulfill(response=answer, json=many)

    page.route(re.compile(r"/api/ressources/\d+/absence"), repeat)
    page.get_by_role("button", name="Absence de Léa").click()
    page.get_by_label("Premier jour").fill(str(tuesday))
    page.get_by_role("button", name="Voir les rendez-vous").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("100 rendez-vous au plus sont déplacés à la fois")
    boxes = dialog.locator(".proposals").get_by_role("checkbox")
    expect(boxes).to_have_count(101)
    expect(boxes.last).to_be_disabled()
    boxes.first.uncheck()
    boxes.last.check()
    expect(boxes.first).to_be_disabled()


def test_an_open_calendar_drops_the_column_of_a_person_who_leaves_and_shows_new_bookings(
    serve, new_page, faults, client, salon, alice, bob, chloe, team, tuesday
):
    faults.allow(400)
    path = f"gestion/{salon.id}/agenda?vue=jour&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    expect(column(page, "Léa")).to_be_visible()
    client.delete(f"/api/ressources/{team['Léa']}", 200, token=alice.token)
    salon.book(chloe, salon.at(tuesday, "09:00"), ressourceId=team["Sam"])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(column(page, "Sam").locator(".visit-row")).to_contain_text("Chloé Martin")
    expect(column(page, "Léa")).to_have_count(0)
    expect(page.locator(".ec-col-head")).to_have_text(["Alice", "Sam", "Cabine"])


def test_the_next_day_is_shown_after_a_person_has_left(
    serve, new_page, faults, client, salon, alice, team, tuesday
):
    faults.allow(400)
    path = f"gestion/{salon.id}/agenda?vue=jour&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    expect(column(page, "Léa")).to_be_visible()
    client.delete(f"/api/ressources/{team['Léa']}", 200, token=alice.token)
    page.get_by_role("button", name="Jour suivant").click()
    expect(column(page, "Sam").locator(".gap-row")).to_have_count(2)
    expect(column(page, "Léa")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    choices = window(page).get_by_label("Avec qui").locator("option")
    expect(choices).to_have_text(["Sans préférence", "Alice", "Sam"])


def test_a_request_says_with_whom_it_is(
    serve, new_page, client, make_salon, alice, chloe, db, tuesday
):
    careful = make_salon(alice, validationManuelle=True)
    teams.name(db, careful.id, "Léa")
    sam = teams.add(db, careful.id, "Sam")
    careful.book(chloe, careful.at(tuesday, "09:00"), ressourceId=sam)
    page = open_page(new_page, serve().url, alice, f"gestion/{careful.id}/agenda")
    expect(page.locator(".pending li")).to_contain_text(re.compile("à 09:00.* · .*Sam"))


CLASS = {"jour": 2, "debut": "14:00", "fin": "15:00", "pasMinutes": 60, "capacite": 6}


def rows(page):
    """Returns the free times in the list, such as "14:00 – 15:00 6 libres"."""
    times = page.locator(".gap-row button:first-child")
    return [re.sub(r"\s+", " ", one) for one in times.all_inner_texts()]


@pytest.fixture
def course(client, salon, alice, team):
    """Gives Sam a class of 6 places in an afternoon of 1 place, and Léa longer slots."""
    alone = {**CLASS, "pasMinutes": 15, "capacite": 1}
    hours = {
        "Sam": [alone | {"debut": "13:00", "fin": "14:00"}, CLASS,
                alone | {"debut": "15:00", "fin": "19:00"}],
        "Léa": [alone | {"debut": "13:30", "fin": "18:00", "pasMinutes": 90}],
    }  # fmt: skip
    for name in ("Alice", "Léa", "Sam"):
        path = f"/api/ressources/{team[name]}/semainetype"
        client.put(path, {"semaine": hours.get(name, [])}, token=alice.token)


def test_a_class_is_a_free_time_of_its_own(
    serve, new_page, salon, alice, team, course, tuesday
):
    path = f"gestion/{salon.id}/agenda?vue=semaine&jour={tuesday}&qui={team['Sam']}"
    page = open_page(new_page, serve().url, alice, path)
    expect(page.locator(".gap-row")).to_have_count(3)
    assert rows(page) == [
        "13:00 – 14:00 Libre", "14:00 – 15:00 6 libres", "15:00 – 19:00 Libre",
    ]


def test_overlapping_slots_of_a_team_are_one_free_time_for_each_number_of_places(
    serve, new_page, salon, alice, course, tuesday
):
    path = f"gestion/{salon.id}/agenda?vue=liste&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    expect(page.locator(".gap-row")).to_have_count(2)
    assert rows(page) == ["13:00 – 19:00 Libre", "14:00 – 15:00 6 libres"]
