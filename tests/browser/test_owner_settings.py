"""Services, hours, closures, rules, messages and statistics of a business in a browser."""

import re
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from reservation.lib.holidays import REGIONS
from tests.browser.accessibility import wrong_with
from tests.browser.owner import FOLDERS, NASTY, open_page
from tests.browser.visitors import said, sign_in, window

REGIONS_OF = """async (codes) => {
    const app = document.querySelector("script[type=module]").src;
    const { regionOf } = await import(new URL("gestion/zones.js", app));
    return codes.map(regionOf);
}"""


def press(page, name):
    page.get_by_role("button", name=name, exact=True).last.click()


def test_each_page_keeps_the_rules_of_accessibility_and_shows_names_as_text(
    serve, new_page, make_salon, alice, chloe, client, tuesday
):
    salon = make_salon(alice, validationManuelle=True, description=NASTY)
    salon.book(chloe, salon.at(tuesday, "10:00"), commentaire=NASTY)
    path = f"/api/entreprises/{salon.id}"
    client.post(f"{path}/prestations", {"nom": NASTY, "dureeMinutes": 15}, 201, token=alice.token)
    closure = {
        "type": "fermeture", "titre": NASTY, "debut": f"{tuesday}T14:00:00+01:00",
        "fin": f"{tuesday}T15:00:00+01:00",
    }
    client.post(f"{path}/evenements", closure, 201, token=alice.token)
    page = open_page(new_page, serve().url, alice, "gestion")
    found = []
    for view in ("", *FOLDERS, "integrer"):
        query = f"?jour={tuesday}&semaine={tuesday}"
        page.goto(f"integrer/{salon.id}" if view == "integrer" else
                  f"gestion/{salon.id}/{view}{query}" if view else "gestion")
        expect(page.locator("h1")).to_be_attached()
        expect(page.locator(".waiting")).to_have_count(0)
        found += [f"{view} {one}" for one in wrong_with(page)]
        assert not page.locator("img").count()
    assert not found, "\n".join(found)


def test_each_dialog_keeps_the_rules_of_accessibility(
    serve, new_page, salon, visit, alice, client, tuesday
):
    path = f"/api/entreprises/{salon.id}/evenements"
    closure = {
        "type": "fermeture", "titre": "Congés", "debut": f"{tuesday}T14:00:00+01:00",
        "fin": f"{tuesday}T15:00:00+01:00",
    }
    client.post(path, closure, 201, token=alice.token)
    page = open_page(new_page, serve().url, alice, "gestion")
    found = []
    for view, *buttons in (
        ("agenda", "Nouveau rendez-vous"), ("agenda", re.compile("Chloé Martin")),
        ("agenda", re.compile("Chloé Martin"), "Déplacer"),
        ("agenda", re.compile("Chloé Martin"), "Annuler le rendez-vous"),
        ("prestations", "Ajouter une prestation"), ("prestations", "Retirer Coloration"),
        ("horaires", re.compile("^Mardi 09:00")), ("horaires", "Copier mardi"),
        ("fermetures", "Ajouter une fermeture"), ("fermetures", "Ajouter une ouverture"),
        ("fermetures", "Ajouter une annonce"), ("fermetures", "Fermer les jours fériés"),
        ("fermetures", "Ajouter des horaires exceptionnels"),
        ("fermetures", "Modifier Congés"), ("fermetures", "Supprimer Congés"),
        ("partager", "Changer l’adresse"),
    ):
        page.goto(f"gestion/{salon.id}/{view}?jour={tuesday}")
        for button in buttons:
            page.get_by_role("button", name=button, exact=True).last.click()
        expect(window(page)).to_be_visible()
        expect(page.locator(".waiting")).to_have_count(0)
        worn = [(320, "dark"), (1280, "light")]
        found += [f"{view} {buttons}: {one}" for one in wrong_with(page, worn)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("here", "code", "chosen", "zone"),
    [
        ("Europe/Paris", "69002", "", "Europe/Paris"),
        ("UTC", "69002", "Europe/Paris", "Europe/Paris"),  # a browser that hides its zone
        ("Europe/Paris", "97434", "Indian/Reunion", "Indian/Reunion"),
        ("Europe/Zurich", "1201", "", "Europe/Zurich"),
    ],
)
def test_the_time_zone_of_a_new_business_is_that_of_its_postal_code(
    serve, new_page, alice, client, db, here, code, chosen, zone
):
    page = open_page(new_page, serve().url, alice, "gestion", timezone_id=here)
    page.get_by_label("Nom de l’établissement").fill("Salon Alice")
    page.get_by_role("combobox", name="Ville").fill("Lyon")
    page.get_by_label("Code postal").fill(code)
    shown = page.get_by_label("Fuseau horaire")
    if chosen:
        expect(shown).to_have_value(chosen)
    else:
        expect(shown).to_have_count(0)
    press(page, "Continuer")
    page.get_by_label("Nom de la prestation").wait_for()
    assert db.rows("SELECT fuseau FROM entreprise") == [(zone,)]


def test_a_company_without_a_business_opens_its_first_one(serve, new_page, alice, client):
    page = open_page(new_page, serve().url, alice, "gestion")
    page.get_by_label("Nom de l’établissement").fill("Salon Alice")
    page.get_by_role("combobox", name="Ville").fill("Lyon")
    press(page, "Continuer")
    page.get_by_label("Nom de la prestation").fill("Coupe")
    price = page.get_by_label("Prix en euros")
    price.fill("douze")
    press(page, "Continuer")
    expect(price).to_have_accessible_description(re.compile("Indiquez un prix"))
    price.fill("")
    price.press_sequentially("12,50")  # a number field of an English browser ignores the comma
    press(page, "Continuer")
    week = ["Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi"]
    for day in week:
        page.get_by_text(day, exact=True).click()
    press(page, "Ouvrir la réservation")
    opens = page.get_by_label("Ouverture à")
    expect(opens).to_have_accessible_description("Choisissez au moins un jour d’ouverture.")
    for day in (*week, "Samedi"):
        page.get_by_text(day, exact=True).click()
    page.get_by_label("Reprise à").fill("")
    press(page, "Ouvrir la réservation")
    expect(page.get_by_label("Reprise à")).to_have_accessible_description("À remplir.")
    page.get_by_label("Reprise à").fill("14:00")
    closes = page.get_by_label("Fermeture à")
    closes.fill("13:00")
    press(page, "Ouvrir la réservation")
    expect(closes).to_have_accessible_description("La fin doit être après le début.")
    closes.fill("01:00")
    expect(closes).to_have_accessible_description(re.compile("Se termine le lendemain."))
    press(page, "Ouvrir la réservation")
    said(page, "Salon Alice est ouvert à la réservation.")
    expect(page).to_have_url(re.compile(r"gestion/\d+/agenda"))
    (made,) = client.get("/api/compte/entreprises", token=alice.token).json
    week = client.get(f"/api/entreprises/{made['id']}/semainetype").json
    assert {one["jour"] for one in week} == {1, 2, 3, 4, 5, 6} and len(week) == 12
    assert {one["fin"] for one in week} == {"12:00", "01:00"}
    (service,) = client.get(f"/api/entreprises/{made['id']}/prestations").json
    assert service["prixCentimes"] == 1250


def test_services_are_added_changed_and_retired(serve, new_page, salon, alice, client, faults):
    faults.allow(400)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    press(page, "Ajouter une prestation")
    page.get_by_label("Nom de la prestation").fill("Brushing")
    page.get_by_label("Durée en minutes").fill("0")
    page.get_by_label("Prix en euros").fill("24,50")
    press(page, "Enregistrer")
    wrong = page.get_by_label("Durée en minutes")
    expect(wrong).to_have_accessible_description(re.compile("Un nombre entier de 1"))
    wrong.fill("20")
    press(page, "Enregistrer")
    said(page, "« Brushing » est enregistrée")
    press(page, "Modifier Brushing")
    page.get_by_label("Durée en minutes").fill("25")
    press(page, "Enregistrer")
    expect(page.get_by_role("row", name="Brushing")).to_contain_text(re.compile("25 min.*24,50"))
    press(page, "Retirer Coloration")
    press(page, "Oui, retirer")
    said(page, "« Coloration » est retirée")
    services = client.get(f"/api/entreprises/{salon.id}/prestations").json
    assert [(one["nom"], one["dureeMinutes"]) for one in services] == [
        ("Coupe femme", 30), ("Brushing", 25),
    ]


@pytest.mark.parametrize("price", ["-5", "10000000,01"])
def test_a_price_out_of_range_is_refused_in_words(serve, new_page, salon, alice, price):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    press(page, "Modifier Coupe femme")
    field = page.get_by_label("Prix en euros")
    field.fill(price)
    press(page, "Enregistrer")
    expect(field).to_have_accessible_description("Indiquez un prix, par exemple 39 ou 39,50.")
    field.fill("10000000")
    press(page, "Enregistrer")
    said(page, "« Coupe femme » est enregistrée")


def test_the_week_is_saved_after_a_preview_of_affected_bookings(
    serve, new_page, salon, visit, alice, client, faults
):
    faults.allow(412)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/horaires")
    page.get_by_role("button", name=re.compile("^Mardi 09:00")).click()
    press(page, "Supprimer")
    press(page, "Copier mardi")
    page.get_by_role("checkbox", name="Lundi").check()
    press(page, "Copier")
    press(page, "Voir les conséquences")
    expect(window(page)).to_contain_text("1 rendez-vous est concerné")
    # A count of slots would cover only the stored days.
    expect(window(page)).not_to_contain_text("créneaux")
    expect(window(page)).to_contain_text("Chloé Martin")
    path = f"/api/entreprises/{salon.id}/semainetype"
    client.put(path, client.get(path).json, token=alice.token)  # another change comes first
    press(page, "Enregistrer")
    press(page, "Actualiser")
    page.get_by_role("button", name=re.compile("^Mardi 09:00")).click()
    page.get_by_label("À", exact=True).fill("11:00")
    press(page, "Appliquer")
    press(page, "Voir les conséquences")
    expect(window(page)).to_contain_text("Aucun rendez-vous n’est concerné")
    press(page, "Enregistrer")
    said(page, "C’est enregistré.")
    week = client.get(path).json
    assert {(one["jour"], one["fin"]) for one in week if one["jour"] == 2} == {
        (2, "11:00"), (2, "18:00"),
    }


def test_the_week_of_a_retired_service_is_shown_and_saved(serve, new_page, salon, alice, client):
    path = f"/api/entreprises/{salon.id}/semainetype"
    week = [{**one, "prestationId": salon.couleur} for one in client.get(path).json]
    client.put(path, week, token=alice.token)
    client.delete(f"/api/prestations/{salon.couleur}", token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/horaires")
    page.get_by_role("button", name=re.compile("^Mardi 09:00.*Prestation retirée")).click()
    expect(page.get_by_label("Réservée à").locator(":checked")).to_have_text("Prestation retirée")
    page.get_by_label("Réservée à").select_option("Toutes les prestations")
    press(page, "Appliquer")
    press(page, "Voir les conséquences")
    press(page, "Enregistrer")
    said(page, "C’est enregistré.")
    now = client.get(path).json
    assert [one["prestationId"] for one in now] == [None, *[salon.couleur] * (len(week) - 1)]


def test_a_new_opening_has_the_places_of_an_opening_for_all_services(
    serve, new_page, make_salon, alice, client
):
    alone = {"jour": 2, "debut": "09:00", "fin": "11:00", "pasMinutes": 30, "capacite": 2}
    salon = make_salon(alice, [alone])
    course = {**alone, "debut": "11:00", "fin": "12:00", "pasMinutes": 60, "capacite": 6}
    week = [alone, {**course, "prestationId": salon.coupe}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", week, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/horaires")
    press(page, "Ajouter une plage : mardi")
    expect(window(page).get_by_label("Places par créneau")).to_have_value("2")
    expect(window(page).get_by_label("De", exact=True)).to_have_value("14:00")


def test_openings_past_midnight_are_shown_changed_and_compared(
    serve, new_page, salon, alice, client
):
    path = f"/api/entreprises/{salon.id}/semainetype"
    evening = {"jour": 2, "debut": "18:00", "fin": "22:00", "pasMinutes": 30}
    night = {"jour": 2, "debut": "22:00", "fin": "02:00", "pasMinutes": 60}
    client.put(path, [evening, night], token=alice.token)
    page = open_page(new_page, serve().url, alice, f"entreprises/{salon.id}")
    expect(page.locator(".hours")).to_contain_text("18:00 – 02:00")
    page.goto(f"gestion/{salon.id}/horaires")
    bars = page.get_by_role("row", name="Mardi").locator(".bar i")
    expect(bars).to_have_count(2)
    first, last = (one.bounding_box() for one in bars.all())
    assert last["width"] == pytest.approx(first["width"], abs=1)
    assert last["x"] == pytest.approx(first["x"] + first["width"], abs=1)
    page.get_by_role("button", name=re.compile("^Mardi 22:00")).click()
    expect(window(page)).to_contain_text("Se termine le lendemain.")
    page.get_by_label("Un créneau toutes les").select_option("30")
    press(page, "Appliquer")
    expect(window(page)).to_have_count(0)
    press(page, "Ajouter une plage : mercredi")
    page.get_by_label("De", exact=True).fill("01:00")
    press(page, "Appliquer")
    expect(page.locator("tr.wrong")).to_have_count(2)
    expect(page.get_by_role("button", name="Voir les conséquences")).to_be_disabled()
    page.get_by_role("button", name=re.compile("^Mercredi 01:00")).click()
    page.get_by_label("De", exact=True).fill("02:00")
    press(page, "Appliquer")
    press(page, "Voir les conséquences")
    press(page, "Enregistrer")
    said(page, "C’est enregistré.")
    assert [one["fin"] for one in client.get(path).json] == ["22:00", "02:00", "12:00"]


def test_closures_and_holidays_are_saved_after_a_preview_of_affected_bookings(
    serve, new_page, salon, visit, alice, client, tuesday
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    press(page, "Ajouter une fermeture")
    page.get_by_label("Titre").fill("Congés")
    page.get_by_label("Premier jour").fill(str(tuesday))
    page.get_by_label("Dernier jour").fill(str(tuesday - timedelta(days=1)))
    press(page, "Voir les conséquences")
    expect(page.get_by_label("Dernier jour")).to_have_accessible_description(
        "La fin doit être après le début."
    )
    page.get_by_label("Dernier jour").fill(str(tuesday))
    press(page, "Voir les conséquences")
    expect(window(page)).to_contain_text("Chloé Martin")
    path = f"/api/entreprises/{salon.id}/evenements"
    assert client.get(path).json == []
    press(page, "Enregistrer")
    expect(page.get_by_role("rowheader", name="Congés")).to_be_visible()
    (closure,) = client.get(path).json
    assert (closure["debut"][:16], closure["fin"][:16]) == (
        f"{tuesday}T00:00", f"{tuesday + timedelta(days=1)}T00:00",
    )
    press(page, "Supprimer Congés")
    press(page, "Oui, supprimer")
    said(page, "C’est supprimé.")
    press(page, "Fermer les jours fériés")
    page.get_by_label("Année").select_option(index=1)
    region = page.get_by_label("Région")
    expect(region).to_have_value("metropole")
    options = region.get_by_role("option").all()
    assert [one.get_attribute("value") for one in options] == list(REGIONS)
    region.select_option("Alsace-Moselle")
    press(page, "Voir les conséquences")
    press(page, "Fermer ces 13 jours")
    said(page, "Les jours fériés sont fermés.")
    assert len(client.get(f"{path}?limite=200").json) == 13


def test_a_closure_of_an_afternoon_ends_at_midnight(
    serve, new_page, salon, alice, client, tuesday
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    press(page, "Ajouter une fermeture")
    page.get_by_label("Titre").fill("Travaux")
    fields = {"from": str(tuesday), "start": "14:00", "to": str(tuesday), "end": "00:00"}
    for name, value in fields.items():
        page.locator(f"[name={name}]").fill(value)
    press(page, "Voir les conséquences")
    press(page, "Enregistrer")
    expect(page.get_by_role("rowheader", name="Travaux")).to_be_visible()
    (closure,) = client.get(f"/api/entreprises/{salon.id}/evenements").json
    assert (closure["debut"][:16], closure["fin"][:16]) == (
        f"{tuesday}T14:00", f"{tuesday + timedelta(days=1)}T00:00",
    )


@pytest.mark.parametrize(
    ("zone", "day", "time", "debut"),
    [
        ("Atlantic/Azores", "2027-03-28", "", "01:00:00+00:00"),  # the clock skips midnight
        ("Europe/Paris", "2027-10-31", "02:00", "02:00:00+02:00"),  # the clock shows it twice
    ],
)
def test_a_closure_begins_at_its_first_moment_on_the_day_on_which_the_clock_changes(
    serve, new_page, make_salon, alice, client, zone, day, time, debut
):
    salon = make_salon(alice, fuseau=zone)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    press(page, "Ajouter une fermeture")
    page.get_by_label("Titre").fill("Travaux")
    for name, value in {"from": day, "start": time, "to": day}.items():
        page.locator(f"[name={name}]").fill(value)
    press(page, "Voir les conséquences")
    press(page, "Enregistrer")
    expect(page.get_by_role("rowheader", name="Travaux")).to_be_visible()
    (closure,) = client.get(f"/api/entreprises/{salon.id}/evenements").json
    assert closure["debut"] == f"{day}T{debut}"


def test_special_hours_of_a_date_are_saved_after_a_preview_and_shown_to_customers(
    serve, new_page, salon, visit, alice, client, tuesday, faults
):
    faults.allow(400)
    url = serve().url
    page = open_page(new_page, url, alice, f"gestion/{salon.id}/fermetures")
    press(page, "Ajouter des horaires exceptionnels")
    page.get_by_label("Titre").fill("Veille de fête")
    page.get_by_label("Jour", exact=True).fill(str(tuesday))
    page.get_by_label("De", exact=True).fill("15:00")
    page.get_by_label("À", exact=True).fill("02:00")
    expect(page.get_by_label("À", exact=True)).to_have_accessible_description(
        re.compile("dont la semaine type est aussi remplacée")
    )
    grain = page.get_by_label("Un créneau toutes les")
    grain.fill("1")
    press(page, "Voir les conséquences")
    expect(grain).to_have_accessible_description(re.compile("Plus de 500 créneaux le mardi"))
    page.get_by_label("À", exact=True).fill("00:00")
    grain.fill("45")
    press(page, "Voir les conséquences")
    expect(window(page)).to_contain_text("Chloé Martin")
    press(page, "Enregistrer")
    expect(page.get_by_role("rowheader", name="Veille de fête")).to_be_visible()
    path = f"/api/entreprises/{salon.id}/evenements"
    (event,) = client.get(path).json
    assert (event["type"], event["pasMinutes"]) == ("horaires", 45)
    assert (event["debut"][:16], event["fin"][:16]) == (
        f"{tuesday}T15:00", f"{tuesday + timedelta(days=1)}T00:00",
    )
    press(page, "Modifier Veille de fête")
    expect(page.get_by_label("À", exact=True)).to_have_value("00:00")
    page.get_by_label("À", exact=True).fill("18:00")
    press(page, "Voir les conséquences")
    press(page, "Enregistrer")
    expect(page.get_by_role("dialog")).to_have_count(0)  # the notice of the first save may remain
    assert client.get(path).json[0]["fin"][:16] == f"{tuesday}T18:00"
    page.goto(f"entreprises/{salon.id}")
    noted = page.locator("section", has=page.get_by_role("heading", name="À noter"))
    expect(noted).to_contain_text("Horaires exceptionnels")
    expect(noted).to_contain_text("de 15:00 à 18:00")


def test_special_hours_of_a_whole_day_of_25_hours_have_one_date(
    serve, new_page, salon, alice, client
):
    october = date.today().replace(year=date.today().year + 1, month=10, day=31)
    sunday = october - timedelta(days=october.isoweekday() % 7)  # summer time ends
    body = {"type": "horaires", "titre": "Nuit", "pasMinutes": 60, "capacite": 1,
            "debut": f"{sunday}T00:00:00+02:00",
            "fin": f"{sunday + timedelta(days=1)}T00:00:00+01:00"}
    client.post(f"/api/entreprises/{salon.id}/evenements", body, 201, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    press(page, "Modifier Nuit")
    expect(page.get_by_label("Jour", exact=True)).to_have_value(str(sunday))


def test_the_region_of_the_holidays_is_guessed_from_the_postal_code(
    serve, new_page, make_salon, alice
):
    salon = make_salon(alice, codePostal="97133")
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    press(page, "Fermer les jours fériés")
    expect(page.get_by_label("Région")).to_have_value("saint-barthelemy")
    expected = {
        "": "metropole", "69002": "metropole", "97": "metropole", "57000": "alsace-moselle",
        "67000": "alsace-moselle", "68000": "alsace-moselle", "97110": "guadeloupe",
        "97300": "guyane", "97200": "martinique", "97600": "mayotte",
        "98800": "nouvelle-caledonie", "98714": "polynesie-francaise", "97434": "reunion",
        "97150": "saint-martin", "97500": "saint-pierre-et-miquelon",
        "98600": "wallis-et-futuna",
    }
    assert page.evaluate(REGIONS_OF, list(expected)) == list(expected.values())


def test_rules_are_shown_in_sentences_and_saved(serve, new_page, salon, alice, client):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/regles")
    page.get_by_label("Déplacement ou annulation au plus tard").select_option("2 jours avant")
    page.get_by_text("Je valide chaque demande").click()
    said_so = "Ils peuvent déplacer ou annuler au plus tard 2 jours avant."
    expect(page.get_by_text(said_so)).to_be_visible()
    page.get_by_role("button", name="Enregistrer").first.click()
    said(page, "C’est enregistré.")
    now = client.get(f"/api/entreprises/{salon.id}").json
    assert (now["delaiAnnulation"], now["validationManuelle"]) == (2880, True)
    assert now["ville"] == "Lyon"


def test_a_reminder_has_the_time_at_which_it_will_be_sent(
    serve, new_page, salon, chloe, alice, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/messages?statut=attente")
    row = page.get_by_role("row").filter(has_text="Rappel")
    monday = tuesday - timedelta(days=1)
    expect(row).to_contain_text(re.compile(f"{monday.day} .*10:00"))


def test_a_message_is_sent_again_by_a_click(serve, new_page, salon, chloe, alice, tuesday, work):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    work("--once").process.wait(timeout=60)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/messages?statut=envoye")
    page.get_by_role("button", name=re.compile("^Renvoyer .*chloe@example.fr")).click()
    said(page, "L’e-mail va être renvoyé à chloe@example.fr.")
    expect(page.locator(".rows .badge", has_text="En attente")).to_have_count(1)


@pytest.mark.parametrize(
    ("locale", "address"),
    [("fr-FR", "à chloe@exact.fr"), ("en-GB", "to chloe@exact.fr")],
)
def test_a_corrected_address_stands_below_the_button_to_send_a_message_again(
    serve, new_page, salon, chloe, alice, db, tuesday, locale, address
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    db.write("UPDATE eventemail SET statut = 'envoye'")
    db.write("UPDATE client SET email = 'chloe@exact.fr'")
    path = f"gestion/{salon.id}/messages"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    rows = page.get_by_role("row").filter(has_text=chloe.email)
    expect(rows).to_have_count(2)
    expect(rows.get_by_text(address, exact=True)).to_have_count(2)
    expect(page.get_by_text("alice@example.fr")).to_have_count(1)  # the recipient of the notice


@pytest.mark.parametrize(
    ("locale", "again", "unreachable", "added"),
    [
        ("fr-FR", "Renvoyer", "prévenez-le par téléphone", "n’avait pas encore d’adresse"),
        ("en-GB", "Resend", "let them know by phone", "had no e-mail address yet"),
    ],
)
def test_a_message_is_sent_again_once_its_customer_has_an_address(
    serve, new_page, salon, alice, db, tuesday, locale, again, unreachable, added
):
    rose = {"nom": "Petit", "telephone": "06 11 22 33 44"}
    salon.book(alice, salon.at(tuesday, "10:00"), client=rose)
    path = f"gestion/{salon.id}/messages"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    expect(page.get_by_text(unreachable)).to_be_visible()
    expect(page.get_by_role("row").last).to_contain_text("Petit 06 11 22 33 44")
    button = page.get_by_role("button", name=re.compile(f"^{again}"))
    expect(button).to_have_count(0)
    db.write("UPDATE client SET email = 'rose@example.fr' WHERE email = ''")
    page.reload()
    expect(page.get_by_text(added)).to_be_visible()
    expect(button).to_have_accessible_name(re.compile("rose@example.fr$"))
    button.click()
    said(page, "rose@example.fr")
    expect(page.get_by_text(added)).to_have_count(0)
    expect(button).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "label", "none", "everything"),
    [
        (
            "fr-FR", "Rechercher par destinataire", "Aucun e-mail ne correspond à ces filtres.",
            "Tous",
        ),
        ("en-GB", "Find by recipient", "No e-mails match these filters.", "All"),
    ],
)
def test_messages_are_found_by_their_recipient(
    serve, new_page, salon, person, chloe, alice, tuesday, locale, label, none, everything
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    salon.book(person("Luc", "student"), salon.at(tuesday, "11:00"))
    path = f"gestion/{salon.id}/messages"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    rows = page.locator(".rows tbody tr")
    expect(rows).to_have_count(6)
    search = page.get_by_role("searchbox", name=label)
    search.fill("chloé")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(chloe.email)
    expect(page).to_have_url(re.compile("q=chlo"))
    page.reload()
    expect(search).to_have_value("chloé")
    expect(rows).to_have_count(2)
    search.fill("personne")
    expect(page.get_by_text(none)).to_be_visible()
    page.get_by_role("main").get_by_role("button", name=everything).click()
    expect(rows).to_have_count(6)
    expect(search).to_have_value("")


@pytest.mark.parametrize(
    ("locale", "label", "none"),
    [
        ("fr-FR", "Rechercher une date ou un titre", "Aucune date ne correspond"),
        ("en-GB", "Find a date or a title", "No date matches"),
    ],
)
def test_a_long_list_of_closures_is_searched(
    serve, new_page, client, salon, alice, tuesday, locale, label, none
):
    for n in range(9):
        day = tuesday + timedelta(days=n)
        event = {"type": "information", "titre": "Réunion" if n == 7 else "Soirée",
                 "debut": f"{day}T12:00:00Z", "fin": f"{day}T13:00:00Z"}
        client.post(f"/api/entreprises/{salon.id}/evenements", event, 201, token=alice.token)
    path = f"gestion/{salon.id}/fermetures"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    rows = page.locator(".rows tbody tr")
    expect(rows).to_have_count(9)
    page.get_by_role("searchbox", name=label).fill("reunion")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Réunion")
    page.get_by_role("searchbox", name=label).fill("xyz")
    expect(page.get_by_text(none)).to_be_visible()


def test_statistics_have_a_chart_and_a_table(serve_town, new_page, town, client, faults):
    page = new_page(serve_town().url)
    page.goto("connexion?suite=gestion%2F1%2Fchiffres")
    sign_in(page, town.accounts["owner"])
    page.get_by_role("combobox", name="Période").select_option("Ce mois-ci")
    expect(page).to_have_url(re.compile("periode=mois"))
    table = page.get_by_label("Chiffres de la période").get_by_role("table")
    expect(table.locator("tbody tr").first).to_contain_text("1 ")
    days = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert 28 <= len(days) <= 31
    expect(table.locator("tfoot td").first).to_have_text(str(sum(map(int, days))))
    missed = sum(map(int, table.locator("tbody td:nth-child(6)").all_inner_texts()))
    expect(page.locator(".tile").filter(has_text="manqués")).to_contain_text(f"{missed} sur")
    expect(page.get_by_role("region", name="Par prestation")).to_contain_text("Coupe femme")
    sizes = page.locator(".chart text").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().height)"
    )
    page.set_viewport_size({"width": 320, "height": 700})
    expect(page.locator(".chart").first).to_have_attribute("width", re.compile("^2[0-9]{2}$"))
    small = page.locator(".chart text").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert min(*sizes, *small) >= 12
    with page.expect_download() as download:
        page.get_by_role("button", name="Exporter (CSV)").click()
    assert "Coupe femme" in download.value.path().read_text()
    page.get_by_role("combobox", name="Période").select_option("Dates au choix…")
    page.get_by_label("Du", exact=True).fill("2020-02-01")
    page.get_by_label("Au", exact=True).fill("2020-02-02")
    expect(page.get_by_text("Aucun rendez-vous sur cette période.")).to_be_visible()


def test_the_lines_of_a_chart_are_labelled_with_their_values(
    serve, new_page, db, salon, alice, visit
):
    db.write("UPDATE reservation SET prix_centimes = 4550")
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/chiffres?periode=suite")
    labels = page.locator(".chart").first.locator("[text-anchor=end]")
    expect(labels).to_have_text([f"{euros}\xa0€" for euros in range(0, 51, 10)])
    filled = page.locator(".chart").last.locator("[text-anchor=end]").all_text_contents()
    parts = [int(label.split()[0]) for label in filled]
    assert parts == [n * parts[1] for n in range(len(parts))]


def test_addresses_are_copied_and_the_private_address_is_changed(serve, new_page, salon, alice):
    url = serve().url
    page = open_page(new_page, url, alice, f"gestion/{salon.id}/partager")
    page.get_by_role("button", name="Copier : Sur votre site").click()
    said(page, "C’est copié.")
    snippet = page.get_by_role("textbox", name="Sur votre site").input_value()
    assert snippet.startswith(f'<iframe src="{url}/integrer/{salon.id}"')
    feed = page.get_by_role("textbox", name="Dans votre agenda")
    before = feed.input_value()
    press(page, "Changer l’adresse")
    window(page).get_by_role("button", name="Changer l’adresse").click()
    said(page, "L’adresse a été changée.")
    expect(feed).not_to_have_value(before)
    expect(feed).not_to_have_value("")


def test_the_details_of_the_business_are_changed_on_a_page_of_their_own(
    serve, new_page, salon, alice, client
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    page.get_by_label("Nom de l’établissement").fill("Chez Alice")
    page.get_by_label("Numéro et rue").fill("3 rue Neuve")
    press(page, "Enregistrer")
    said(page, "C’est enregistré.")
    now = client.get(f"/api/entreprises/{salon.id}").json
    assert (now["nom"], now["adresse"], now["ville"]) == ("Chez Alice", "3 rue Neuve", "Lyon")
    expect(page.locator(".side")).to_contain_text("Chez Alice")


def test_lists_are_sorted_searched_and_lead_on_when_empty(
    serve, new_page, salon, alice, chloe, client, db, tuesday
):
    path = f"/api/entreprises/{salon.id}/prestations"
    for number in range(9):
        body = {"nom": f"Soin {number}", "dureeMinutes": 60 - number}
        client.post(path, body, 201, token=alice.token)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    names = page.locator(".rows tbody th b")
    expect(names).to_have_count(11)
    press(page, "Durée")
    expect(names.first).to_have_text("Coupe femme")
    expect(page.get_by_role("columnheader", name="Durée")).to_have_attribute(
        "aria-sort", "ascending"
    )
    press(page, "Durée")
    expect(names.first).to_have_text("Coloration")
    page.get_by_role("searchbox", name="Chercher une prestation").fill("SOIN 7")
    expect(names).to_have_text(["Soin 7"])
    page.goto(f"gestion/{salon.id}/clients")
    press(page, "À venir")
    press(page, "À venir")
    expect(page.locator(".rows tbody tr").first).to_contain_text("Chloé")
    page.goto(f"gestion/{salon.id}/messages?statut=abandonne")
    page.get_by_role("button", name="Tous", exact=True).click()
    expect(page.locator(".rows tbody tr").first).to_contain_text("En attente")
    page.goto(f"gestion/{salon.id}/fermetures")
    page.locator(".empty").get_by_role("button", name="Fermer les jours fériés").click()
    expect(window(page)).to_be_visible()


@pytest.mark.parametrize("folder", ["regles", "etablissement"])
def test_the_focus_stays_on_the_button_that_saved_the_settings(
    serve, new_page, salon, alice, folder
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/{folder}")
    page.locator("select").first.focus()
    page.get_by_role("button", name="Enregistrer").press("Enter")
    said(page, "C’est enregistré.")
    expect(page.get_by_role("button", name="Enregistrer")).to_be_focused()


def test_a_late_answer_to_settings_leaves_the_focus_where_the_owner_went(
    serve, new_page, salon, alice
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    held = []
    page.route(f"**/api/entreprises/{salon.id}", lambda route: (
        held.append(route) if route.request.method == "PUT" else route.continue_()
    ))
    with page.expect_request(lambda one: one.method == "PUT"):
        page.get_by_role("button", name="Enregistrer").press("Enter")
    page.get_by_role("link", name="Règles").click()
    first = page.locator("select").first
    first.focus()
    held[0].continue_()
    said(page, "C’est enregistré.")
    expect(first).to_be_focused()


def test_the_heading_gets_the_focus_if_the_button_that_had_it_is_gone(
    serve, new_page, salon, alice
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    page.get_by_role("button", name="Retirer Coloration").press("Enter")
    window(page).get_by_role("button", name="Retirer").press("Enter")
    said(page, "Coloration")
    expect(page.get_by_role("row")).to_have_count(2)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
