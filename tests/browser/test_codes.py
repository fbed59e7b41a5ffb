"""Codes by e-mail in a browser: booking without a password, signing in, and the address."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import wrong_with
from tests.browser.owner import open_page
from tests.browser.visitors import (
    by_code,
    by_password,
    facts,
    open_salon,
    pick,
    sign_in,
    signed_in,
)
from tests.codes import issued, other_than
from tests.conftest import PASSWORD

WORDS = {
    "fr-FR": {
        "first": "Prénom", "last": "Nom", "email": "Adresse e-mail", "phone": "Téléphone",
        "get": "Recevoir un code", "code": "Code à 6 chiffres", "go on": "Continuer",
        "wrong": "n’est pas le bon", "confirm": "Confirmer le rendez-vous",
        "booked": "C’est réservé !",
    },
    "en-GB": {
        "first": "First name", "last": "Last name", "email": "E-mail address", "phone": "Phone",
        "get": "Send me a code", "code": "6-digit code", "go on": "Continue",
        "wrong": "not the right code", "confirm": "Confirm booking", "booked": "You’re booked!",
    },
}  # fmt: skip
EMAIL = "zoe@example.fr"


def button(page, name):
    return page.get_by_role("main").get_by_role("button", name=name)


def ask(page, email=EMAIL, w=WORDS["fr-FR"]):
    page.get_by_label(w["email"]).fill(email)
    button(page, w["get"]).click()
    expect(page.get_by_label(w["code"])).to_be_focused()


@pytest.mark.parametrize("path", ["booking", "connexion"])
def test_a_page_that_is_reloaded_still_waits_for_the_code(
    serve, new_page, faults, db, salon, tuesday, path
):
    faults.allow(400)  # the name of a new customer is asked for after the code
    w = WORDS["fr-FR"]
    page = new_page(serve().url)
    if path == "booking":
        open_salon(page, salon, tuesday)
        pick(page, tuesday, "10:00")
        page.get_by_label(w["first"]).fill("Zoé")
        page.get_by_label(w["last"], exact=True).fill("Roux")
    else:
        page.goto(path)
        by_code(page)
    ask(page)
    page.on("dialog", lambda one: one.accept())
    page.reload()
    expect(page.get_by_text(f"a été envoyé à {EMAIL}")).to_be_visible()
    page.get_by_label(w["code"]).fill(issued(db, EMAIL))
    button(page, w["go on"]).click()
    if path == "booking":
        expect(page.get_by_text(f"Au nom de Zoé Roux ({EMAIL})")).to_be_visible()
    else:
        page.get_by_label(w["last"], exact=True).fill("Roux")
        page.get_by_label(w["first"]).fill("Zoé")
        button(page, w["go on"]).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Prenez rendez")
    assert page.evaluate("sessionStorage.getItem('code')") is None


def test_signing_in_with_a_password_forgets_the_form_that_waits_for_a_code(
    serve, new_page, chloe
):
    page = new_page(serve().url)
    page.goto("connexion")
    by_code(page)
    ask(page, chloe.email)
    assert chloe.email in page.evaluate("sessionStorage.getItem('code')")
    sign_in(page, chloe)
    expect(page.get_by_role("link", name="Mes rendez-vous")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('code')") is None


@pytest.mark.parametrize("locale", WORDS)
def test_a_newcomer_books_with_a_code_and_no_password(
    serve, new_page, faults, client, db, salon, tuesday, locale
):
    faults.allow(401)
    w = WORDS[locale]
    page = new_page(serve().url, locale=locale)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    for label, text in (("first", "Zoé"), ("last", "Roux"), ("phone", "06 11 22 33 44")):
        page.get_by_label(w[label], exact=label == "last").fill(text)
    expect(page.locator("[type=password]")).to_have_count(0)
    assert list(wrong_with(page, [(390, "light"), (1280, "dark")])) == []
    ask(page, w=w)
    code = page.get_by_label(w["code"])
    assert code.get_attribute("inputmode") == "numeric"
    assert code.get_attribute("autocomplete") == "one-time-code"
    assert list(wrong_with(page, [(390, "dark"), (1280, "light")])) == []
    right = issued(db, EMAIL)
    code.fill(other_than(right))
    button(page, w["go on"]).click()
    expect(page.locator(".error", has_text=w["wrong"])).to_be_visible()
    code.fill(f"{right[:3]} {right[3:]}")
    code.press("Enter")
    button(page, w["confirm"]).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(w["booked"])
    expect(facts(page)).to_contain_text("10:00 – 10:30")


def test_a_code_is_locked_after_five_attempts_and_another_is_sent(
    serve, new_page, faults, db
):
    faults.allow(401, 429)
    page = new_page(serve(LIMITS="on").url)
    page.clock.install()
    page.goto("connexion")
    by_code(page)
    ask(page)
    right = issued(db, EMAIL)
    for number in range(1, 6):
        page.get_by_label("Code à 6 chiffres").fill(other_than(right, number))
        with page.expect_response("**/auth/code/login"):
            button(page, "Continuer").click()
    expect(page.locator(".error", has_text="bloqué après 5 essais")).to_be_visible()
    again = button(page, re.compile("^Renvoyer un code"))
    expect(again).to_have_attribute("aria-disabled", "true")
    for _ in range(4):
        page.clock.run_for(31_000)
        expect(again).to_have_text("Renvoyer un code")
        with page.expect_response("**/auth/code"):
            again.click()
        expect(again).to_have_text(re.compile(" s$"))  # the pause has begun
        expect(page.locator(".error")).to_have_count(0)
    page.clock.run_for(31_000)
    again.click()
    expect(page.get_by_role("alert").filter(has_text="Trop de tentatives")).to_contain_text(
        re.compile(r"Réessayez dans \d+\s(heure|minute)")
    )


@pytest.mark.parametrize(
    ("locale", "again", "used"),
    [
        ("fr-FR", "Réessayer", "Ce code a peut-être déjà servi."),
        ("en-GB", "Try again", "This code may have been used already."),
    ],
)
def test_a_code_whose_answer_was_lost_is_not_called_wrong(
    serve, new_page, faults, db, chloe, locale, again, used
):
    faults.allow(0, 401)
    w = WORDS[locale]
    page = new_page(serve().url, locale=locale)
    page.goto("connexion")
    by_code(page)
    ask(page, chloe.email, w)
    right = issued(db, chloe.email)
    page.get_by_label(w["code"]).fill(right)
    page.route("**/auth/code/login", lambda route: (route.fetch(), route.abort()), times=1)
    button(page, w["go on"]).click()
    button(page, again).click()
    expect(page.locator(".error")).to_contain_text(used)
    page.get_by_label(w["code"]).fill(other_than(right))
    button(page, w["go on"]).click()
    expect(page.locator(".error")).to_contain_text(w["wrong"])


def test_an_address_without_account_is_asked_for_a_name_and_the_code_stays_valid(
    serve, new_page, faults, db
):
    faults.allow(400)
    page = new_page(serve().url)
    page.goto("connexion")
    by_code(page)
    ask(page)
    page.get_by_label("Code à 6 chiffres").fill(issued(db, EMAIL))
    button(page, "Continuer").click()
    page.get_by_label("Prénom").fill("Zoé")
    page.get_by_label("Nom", exact=True).fill("Roux")
    button(page, "Continuer").click()
    expect(page.get_by_role("link", name="Mon compte")).to_be_visible()


def test_mails_have_the_language_of_the_page_and_not_of_the_browser(serve, new_page, db):
    page = new_page(serve().url)
    page.goto("connexion")
    page.get_by_role("button", name="English").click()
    by_code(page)
    ask(page, w=WORDS["en-GB"])
    assert db.rows("SELECT message FROM eventemail") == [("en",)]


def test_what_was_typed_survives_the_other_way_to_sign_in(serve, new_page, salon, chloe, tuesday):
    page = new_page(serve().url)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    page.get_by_label("Prénom").fill("Chloé")
    page.get_by_label("Adresse e-mail").fill(chloe.email)
    by_password(page)
    expect(page.get_by_label("Adresse e-mail")).to_have_value(chloe.email)
    page.get_by_label("Mot de passe", exact=True).fill(chloe.password)
    by_code(page)
    expect(page.get_by_label("Prénom")).to_have_value("Chloé")
    page.keyboard.press("ArrowRight")
    button(page, "Se connecter").click()
    expect(page.get_by_role("button", name="Confirmer le rendez-vous")).to_be_visible()


def test_who_must_prove_an_address_does_so_where_the_booking_is_confirmed(
    serve, new_page, faults, db, salon, chloe, tuesday
):
    faults.allow(403)
    page = new_page(serve(VERIFY_EMAIL="on").url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    button(page, "Confirmer le rendez-vous").click()
    button(page, "Recevoir un code").click()
    page.get_by_label("Code à 6 chiffres").fill(issued(db, chloe.email))
    button(page, "Confirmer mon adresse").click()
    expect(page.get_by_role("status").filter(has_text="est confirmée")).to_be_visible()
    button(page, "Confirmer le rendez-vous").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")


def test_an_owner_is_told_to_confirm_the_address_before_customers_get_mail(
    serve, new_page, db, salon, alice, visit
):
    calendar = f"gestion/{salon.id}/agenda"
    told = "vos clients ne reçoivent pas vos messages"
    for switch, notes in (("off", 0), ("on", 1)):
        url = serve(VERIFY_EMAIL=switch).url
        page = open_page(new_page, url, alice, calendar)
        expect(page.locator(".board .ec-main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("link", name=told)).to_have_count(notes)
    assert [*wrong_with(page)] == []
    page.get_by_role("link", name=told).click()
    button(page, "Recevoir un code").click()
    page.get_by_label("Code à 6 chiffres").fill(issued(db, alice.email))
    button(page, "Confirmer mon adresse").click()
    expect(page.locator(".badge")).to_have_text("Confirmée")
    page.goto(calendar)
    expect(page.locator(".board .ec-main")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("link", name=told)).to_have_count(0)


def test_the_account_confirms_and_changes_its_address(
    serve, new_page, faults, client, db, chloe
):
    faults.allow(401)
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.get_by_role("link", name="Mon compte").click()
    expect(page.get_by_text("Non confirmée")).to_be_visible()
    assert page.get_by_text("École").count() == 0
    button(page, "Recevoir un code").click()
    page.get_by_label("Code à 6 chiffres").fill(issued(db, chloe.email))
    button(page, "Confirmer mon adresse").click()
    expect(page.locator(".badge")).to_have_text("Confirmée")
    button(page, "Changer d’adresse e-mail").click()
    page.get_by_label("Nouvelle adresse e-mail").fill(EMAIL)
    button(page, "Recevoir un code").click()
    page.get_by_label("Code à 6 chiffres").fill(issued(db, EMAIL))
    button(page, "Changer d’adresse e-mail").click()
    expect(page.get_by_text("Ce n’est pas votre mot de passe actuel.")).to_be_visible()
    page.get_by_label("Mot de passe", exact=True).fill(PASSWORD)
    button(page, "Changer d’adresse e-mail").click()
    expect(page.get_by_role("status").filter(has_text=f"maintenant {EMAIL}")).to_be_visible()
    page.reload()
    expect(page.locator(".badge")).to_have_text("Confirmée")
    chloe.email = EMAIL
    page.get_by_role("button", name="Se déconnecter", exact=True).click()
    signed_in(page, chloe)


def test_a_customer_opens_a_business_from_the_account(serve, new_page, chloe):
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto("compte")
    button(page, "Ouvrir mon établissement").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ajouter un établissement")
    expect(page.get_by_role("link", name="Mon établissement")).to_be_visible()


def test_a_customer_downloads_the_data_and_deletes_the_account(
    serve, new_page, faults, client, salon, chloe, tuesday
):
    faults.allow(401)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto("compte")
    with page.expect_download() as download:
        button(page, "Télécharger mes données").click()
    assert chloe.email in download.value.path().read_text()
    page.get_by_role("link", name="Lire mes données").click()
    expect(page.get_by_role("heading", name="Ce que les établissements ont noté")).to_be_visible()
    expect(page.get_by_text(re.compile("à 10:00 · Coupe femme"))).to_be_visible()
    assert list(wrong_with(page, [(390, "dark"), (1280, "light")])) == []
    page.get_by_role("main").get_by_role("link", name="Mon compte").click()
    button(page, "Supprimer mon compte").click()
    dialog = page.get_by_role("dialog")
    assert list(wrong_with(page, [(390, "light"), (1280, "dark")])) == []
    dialog.get_by_label("Mot de passe", exact=True).fill("un autre")
    dialog.get_by_role("button", name="Supprimer définitivement").click()
    expect(dialog.get_by_label("Mot de passe", exact=True)).to_be_focused()
    dialog.get_by_label("Mot de passe", exact=True).fill(chloe.password)
    dialog.get_by_role("button", name="Supprimer définitivement").click()
    expect(page.get_by_role("status").filter(has_text="est supprimé")).to_be_visible()
    client.post("/auth/login", {"email": chloe.email, "password": chloe.password}, 401)
    page.goto("connexion")
    sign_in(page, chloe)
    expect(page.get_by_role("alert")).to_contain_text("est incorrect")
