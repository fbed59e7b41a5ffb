"""French words that depend on a value."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page

DAYS = """async (day) => {
    const app = document.querySelector("script[type=module]").src;
    const dates = await import(new URL("dates.js", app));
    const { longDay, shortDay, dayAndYear, monthName } = dates;
    return [longDay, shortDay, dayAndYear, monthName].map((format) => format(day));
}"""
CITIES = """async (cities) => {
    const app = document.querySelector("script[type=module]").src;
    const { inCity } = await import(new URL("views/near.js", app));
    return cities.map(inCity);
}"""
ABSENCES = """async (names) => {
    const app = document.querySelector("script[type=module]").src;
    const { translator } = await import(new URL("texts.js", app));
    const t = translator({ of: ["de {name}", "of {name}"] });
    return names.map((name) => t("of", { name }));
}"""
NAMES = ["Lyon", "Le Mans", "le havre", "Les Lilas", "L'Haÿ-les-Roses", "La Rochelle", "Lesneven"]


@pytest.mark.parametrize(
    ("locale", "day", "texts"),
    [
        ("fr-FR", "2032-12-01", ["mercredi 1er décembre 2032", "1er déc.", "1er déc. 2032"]),
        ("fr-FR", "2032-12-11", ["samedi 11 décembre 2032", "11 déc.", "11 déc. 2032"]),
        ("en-GB", "2032-12-01", ["Wednesday, 1 December 2032", "1 Dec", "1 Dec 2032"]),
    ],
)
def test_the_first_day_of_a_month_is_an_ordinal_in_french(serve, new_page, locale, day, texts):
    page = new_page(serve().url, locale=locale)
    page.goto("")
    month = "Décembre 2032" if locale == "fr-FR" else "December 2032"
    assert page.evaluate(DAYS, day) == [*texts, month]


@pytest.mark.parametrize(
    ("locale", "first", "whole"),
    [
        ("fr-FR", "lun. 1er déc.", "lundi 1er décembre 2031"),
        ("en-GB", "Mon 1 Dec", "Monday, 1 December 2031"),
    ],
)
def test_the_columns_of_the_calendar_name_the_first_day_of_a_month(
    serve, new_page, salon, alice, locale, first, whole
):
    path = f"gestion/{salon.id}/agenda?vue=semaine&jour=2031-12-02"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    head = page.locator(".ec-col-head").first
    expect(head).to_have_text(first)
    expect(head.locator("[aria-label]")).to_have_attribute("aria-label", whole)
    page.goto(path.replace("semaine", "mois"))
    expect(page.locator(".ec-col-head").first).to_have_text("lun." if "1er" in first else "Mon")


@pytest.mark.parametrize(
    ("locale", "text"),
    [("fr-FR", "1 sur 2 honorés ou manqués"), ("en-GB", "1 of 2 attended or missed")],
)
def test_the_plural_of_past_bookings_depends_on_their_number(
    serve, new_page, db, salon, alice, chloe, tuesday, locale, text
):
    for number, (clock, statut) in enumerate((("10:00", "absente"), ("11:00", "honoree"))):
        booked = salon.book(chloe, salon.at(tuesday, clock))["id"]
        begun = int(time.time()) - 86400 - number * 3600
        db.write(
            "UPDATE reservation SET statut = ?, debut = ?, fin = ?, occupe_debut = ?,"
            " occupe_fin = ? WHERE id = ?", statut, *(begun, begun + 1800) * 2, booked,
        )
    path = f"gestion/{salon.id}/chiffres"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    expect(page.locator(".tile").last).to_contain_text(text)


@pytest.mark.parametrize(
    ("locale", "button", "title"),
    [
        ("fr-FR", "Ajouter une plage", "Lundi\xa0: ajouter une plage"),
        ("en-GB", "Add a time range", "Monday: add a time range"),
    ],
)
def test_a_space_precedes_a_colon_in_french_only(
    serve, new_page, salon, alice, locale, button, title
):
    path = f"gestion/{salon.id}/horaires"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    page.get_by_role("button", name=button).first.click()
    expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_have_text(title)


def test_a_weekday_within_a_sentence_is_in_lower_case(serve, new_page, salon, alice):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/horaires")
    expect(page.get_by_role("button", name="Copier lundi", exact=True)).to_be_visible()
    page.goto(f"entreprises/{salon.id}?prestation={salon.coupe}")
    first = re.compile(r"^Premier horaire\s: (lun|mar|mercre|jeu|vendre|same)di")
    expect(page.get_by_role("link", name=first)).to_be_visible()


def test_the_note_about_a_closure_suits_a_single_booking(
    serve, new_page, salon, alice, visit, tuesday
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    page.get_by_role("button", name="Ajouter une fermeture").click()
    page.get_by_label("Titre").fill("Congés")
    page.get_by_label("Premier jour").fill(str(tuesday))
    page.get_by_role("button", name="Voir les conséquences").click()
    note = page.get_by_role("dialog").locator(".note")
    expect(note).to_contain_text("1 rendez-vous est concerné. À déplacer ou à annuler ensuite")
    expect(note).to_contain_text(", mardi ")


@pytest.mark.parametrize(
    ("locale", "texts"),
    [
        ("fr-FR", ["à Lyon", "au Mans", "au havre", "aux Lilas", "à L'Haÿ-les-Roses",
                   "à La Rochelle", "à Lesneven"]),
        ("en-GB", [f"in {name}" for name in NAMES]),
    ],
)  # fmt: skip
def test_the_article_of_a_city_contracts_in_french(serve, new_page, locale, texts):
    page = new_page(serve().url, locale=locale)
    page.goto("")
    assert page.evaluate(CITIES, NAMES) == texts


def test_the_preposition_before_a_vowel_is_elided(serve, new_page):
    page = new_page(serve().url)
    page.goto("")
    names = ["Alice", "Élodie", "Œdipe", "Hélène", "Yves", "Yasmine", "Léa", "09:00"]
    assert page.evaluate(ABSENCES, names) == [
        "d’Alice", "d’Élodie", "d’Œdipe", "d’Hélène", "d’Yves", "de Yasmine", "de Léa", "de 09:00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("locale", "title", "said"),
    [
        ("fr-FR", "Coupe femme au Mans",
         "Aucun résultat pour «\xa0Coupe femme\xa0» au Mans. Dans d’autres villes\xa0:"),
        ("en-GB", "Coupe femme in Le Mans",
         "No results for “Coupe femme” in Le Mans. In other cities:"),
    ],
)  # fmt: skip
def test_a_search_names_its_city(serve, new_page, salon, locale, title, said):
    page = new_page(serve().url, locale=locale)
    page.goto("?q=Coupe+femme&ville=Le+Mans")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_text(said, exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("visits", "taken"), [(3, "1,5\xa0h prise sur"), (4, "2\xa0h prises sur")]
)
def test_hours_below_two_are_singular(
    serve, new_page, salon, alice, chloe, tuesday, visits, taken
):
    for at in ("09:00", "09:30", "10:00", "10:30")[:visits]:
        salon.book(chloe, salon.at(tuesday, at))
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/chiffres?periode=suite")
    expect(page.locator(".tile").filter(has_text="occupation")).to_contain_text(taken)
