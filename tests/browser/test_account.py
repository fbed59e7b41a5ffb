"""Accounts, passwords and the contact form in a browser."""

import re
import time
from email import message_from_bytes, policy
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import said, sign_in, signed_in
from tests.codes import issued


def letter(folder):
    """Waits for the only e-mail in the folder and returns its text."""
    until = time.monotonic() + 20
    while not (found := list(folder.glob("*.eml"))):
        assert time.monotonic() < until, "no message came"
        time.sleep(0.05)
    mail = message_from_bytes(found[0].read_bytes(), policy=policy.default)
    return mail.get_body(("plain",)).get_content()


def error_of(page, label):
    """Returns the error of a field, as a screen reader finds it."""
    field = page.get_by_label(label, exact=True)
    expect(field).to_have_attribute("aria-invalid", "true")
    ids = field.get_attribute("aria-describedby").split()
    return page.locator(f"#{ids[-1]}").inner_text()


def test_an_owner_does_not_register_a_telephone_for_businesses(client, serve, new_page):
    page = new_page(serve().url)
    page.goto("inscription")
    hint = page.get_by_text("Pour que l’établissement puisse vous joindre.")
    expect(hint).to_be_visible()
    page.get_by_role("radio", name="Proposer mes services").check()
    expect(hint).to_have_count(0)
    expect(page.get_by_label("Téléphone")).to_be_visible()


def test_registration_shows_an_error_beside_each_refused_field(serve, new_page, faults, chloe):
    faults.allow(400)
    page = new_page(serve().url)
    page.goto("inscription")
    send = page.get_by_role("main").get_by_role("button", name="Créer un compte")
    send.click()
    for label in ("Prénom", "Nom", "Adresse e-mail", "Mot de passe"):
        assert error_of(page, label) == "À remplir."
    expect(page.get_by_label("Prénom", exact=True)).to_be_focused()
    page.get_by_label("Prénom", exact=True).fill("Chloé")
    page.get_by_label("Nom", exact=True).fill("Roux")
    page.get_by_label("Adresse e-mail").fill(chloe.email)
    page.get_by_label("Mot de passe").fill("court")
    send.click()
    assert error_of(page, "Mot de passe") == "Au moins 8 caractères."
    page.get_by_label("Mot de passe").fill("un bon mot de passe")
    send.click()
    assert error_of(page, "Adresse e-mail").startswith("Un compte existe déjà")
    expect(page.get_by_label("Nom", exact=True)).to_have_value("Roux")


@pytest.mark.parametrize("path", ["register", "login"])
def test_a_registration_whose_answer_was_lost_succeeds_at_the_second_attempt(
    serve, new_page, faults, path
):
    faults.allow(0, 400, 401)
    page = new_page(serve().url)
    page.goto("inscription")
    for label, text in (
        ("Prénom", "Ann"), ("Nom", "Lee"), ("Adresse e-mail", "ann@example.fr"),
        ("Mot de passe", "mot à elle"),
    ):
        page.get_by_label(label, exact=True).fill(text)
    page.route(f"**/auth/{path}", lambda route: (route.fetch(), route.abort()), times=1)
    form = page.get_by_role("main")
    form.get_by_role("button", name="Créer un compte").click()
    page.get_by_label("Mot de passe").fill("un autre mot")
    form.get_by_role("button", name="Réessayer").click()
    assert error_of(page, "Adresse e-mail").startswith("Un compte existe déjà")
    page.get_by_label("Mot de passe").fill("mot à elle")
    form.get_by_role("button", name="Créer un compte").click()
    said(page, "Votre compte est créé.")


def test_a_business_registers_from_the_footer(serve, new_page):
    page = new_page(serve().url)
    page.goto("nous-ecrire")
    page.get_by_role("link", name="Proposer mes services").click()
    expect(page.get_by_label("Proposer mes services")).to_be_checked()
    for label, text in (
        ("Prénom", "Ann"), ("Nom", "Lee"), ("Adresse e-mail", "ann@example.fr"),
        ("Mot de passe", "mot à elle"),
    ):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("main").get_by_role("button", name="Créer un compte").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ajouter un établissement")
    expect(page.get_by_role("link", name="Proposer mes services")).to_have_count(0)


def test_a_wrong_password_does_not_tell_whether_the_account_exists(serve, new_page, faults, chloe):
    faults.allow(401)
    page = new_page(serve().url)
    page.goto("connexion")
    page.get_by_label("Adresse e-mail").fill(chloe.email)
    page.get_by_label("Mot de passe").fill("un autre")
    page.get_by_role("main").get_by_role("button", name="Se connecter").click()
    expect(page.get_by_role("alert")).to_contain_text("est incorrect")
    expect(page.get_by_label("Adresse e-mail")).to_have_value(chloe.email)


def test_the_details_of_an_account_are_shown_and_changed(serve, new_page, client, chloe):
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.get_by_role("link", name="Mon compte").click()
    expect(page.get_by_label("Prénom")).to_have_value("Chloé")
    page.get_by_label("Nom", exact=True).fill("Œil-de-Bœuf")
    page.get_by_label("Langue des e-mails").select_option("en")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_role("status").filter(has_text="enregistré")).to_be_visible()
    saved = client.get("/api/compte", token=chloe.token).json
    assert (saved["nom"], saved["langue"], saved["prenom"]) == ("Œil-de-Bœuf", "en", "Chloé")


@pytest.mark.parametrize(
    ("locale", "shown"),
    [
        ("fr-FR", "Jeudi 31 janvier 2030 à 03:30 · Demande acceptée"),
        ("en-GB", "Thursday, 31 January 2030 at 03:30 · Request accepted"),
    ],
)
def test_my_data_names_a_mail_without_subject_and_shows_it_on_the_visitors_clock(
    serve, new_page, chloe, locale, shown
):
    mail = {"creeLe": "2030-01-31T09:30:00+01:00", "sujet": "", "genre": "approuvee"}
    page = open_page(
        new_page, serve().url, chloe, "compte", role="student", locale=locale,
        timezone_id="America/Montreal",
    )
    page.route("**/api/compte/export", lambda route: route.fulfill(
        json={**route.fetch().json(), "messages": [mail]}
    ))
    page.goto("compte/donnees")
    expect(page.get_by_role("listitem").filter(has_text=" · ")).to_have_text(shown)


def test_the_session_continues_after_a_password_change(
    serve, new_page, faults, client, chloe
):
    faults.allow(401)
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto("compte")
    page.get_by_label("Mot de passe actuel").fill("un autre")
    page.get_by_label("Nouveau mot de passe").fill("encore un autre mot")
    change = page.get_by_role("button", name="Changer de mot de passe")
    change.click()
    assert error_of(page, "Mot de passe actuel") == "Ce n’est pas votre mot de passe actuel."
    page.get_by_label("Mot de passe actuel").fill(chloe.password)
    change.click()
    expect(page.get_by_role("status").filter(has_text="a été modifié")).to_be_visible()
    client.post("/auth/login", {"email": chloe.email, "password": "encore un autre mot"})
    page.get_by_role("link", name="Mes rendez-vous").click()
    expect(page.get_by_text("Aucun rendez-vous à venir.")).to_be_visible()


def test_a_forgotten_password_is_replaced_with_the_link_of_the_e_mail(
    serve, new_page, faults, client, chloe, tmp_path
):
    faults.allow(400)
    server = serve(worker=True)
    page = new_page(server.url)
    page.goto("connexion")
    forgotten = page.get_by_role("link", name="Mot de passe oublié")
    assert forgotten.text_content() == "Mot de passe oublié\u00a0?"  # stays in one line
    forgotten.click()
    page.get_by_label("Adresse e-mail").fill(chloe.email)
    page.get_by_role("button", name="Envoyer le lien").click()
    expect(page.get_by_role("status").filter(has_text=chloe.email)).to_be_visible()
    link = urlsplit(re.search(r"http\S+/mot-de-passe#\S+", letter(tmp_path / "mails"))[0])
    for _ in range(2):  # the link works once
        page.goto(f"{link.path[1:]}#{link.fragment}")
        page.get_by_label("Nouveau mot de passe").fill("un mot de passe neuf")
        assert link.fragment not in page.url
        page.get_by_role("button", name="Enregistrer").click()
        expect(page.get_by_role("heading", name="Se connecter").or_(
            page.get_by_role("button", name="Demander un nouveau lien"))).to_be_visible()
        page.goto("about:blank")
    client.post("/auth/login", {"email": chloe.email, "password": "un mot de passe neuf"})


def test_a_message_to_the_operator_is_kept_until_it_is_sent(
    serve, new_page, faults, tmp_path
):
    faults.allow(500)
    page = new_page(serve().url)
    page.goto("nous-ecrire")
    page.get_by_label("Votre nom").fill("Chloé")
    page.get_by_label("Adresse e-mail").fill("chloe@example.fr")
    page.get_by_label("Message").fill("Bonjour à tous")
    code = {"X-Error-Code": "mail_not_sent"}
    page.route("**/contact", lambda route: route.fulfill(status=500, headers=code, json={}))
    page.get_by_role("button", name="Envoyer").click()
    expect(page.get_by_role("alert")).to_contain_text("Il est conservé ici")
    page.unroute("**/contact")
    page.get_by_role("button", name="Réessayer").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Merci, votre message est envoyé")
    assert "Bonjour à tous" in letter(tmp_path / "mails")


@pytest.mark.parametrize("address", ["compte", "reservations", "reservations/1"])
def test_a_page_that_needs_an_account_opens_after_signing_in(
    serve, new_page, chloe, address, faults
):
    faults.allow(404)
    page = new_page(serve().url)
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_have_text("Se connecter")
    sign_in(page, chloe)
    page.wait_for_url(f"**/{address}")


@pytest.mark.parametrize("suite", ["http://[", "//example.com", "javascript:1"])
def test_who_signs_in_stays_on_the_site_whatever_the_address_says(
    serve, new_page, chloe, suite
):
    url = serve().url
    page = new_page(url)
    page.goto(f"connexion?{urlencode({'suite': suite})}")
    sign_in(page, chloe)
    page.wait_for_url(f"{url}/")


@pytest.mark.parametrize("page_of", ["inscription", "mot-de-passe", "connexion"])
@pytest.mark.parametrize(("suite", "then"), [("?suite=compte", "compte"), ("", "")])
def test_who_signs_in_with_the_header_does_not_come_back_to_a_form_for_visitors(
    serve, new_page, chloe, page_of, suite, then
):
    url = serve().url
    page = new_page(url)
    page.goto(f"{page_of}{suite}")
    page.get_by_role("banner").get_by_role("link", name="Se connecter").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Se connecter")
    sign_in(page, chloe)
    page.wait_for_url(f"{url}/{then}")


@pytest.fixture
def changing(serve, new_page, chloe):
    """The page of the account. Chloé opens the form for a new address."""
    page = open_page(new_page, serve().url, chloe, "compte", role="student")
    page.get_by_role("button", name="Changer d’adresse e-mail").press("Enter")
    expect(page.get_by_label("Nouvelle adresse e-mail")).to_be_focused()
    return page


def change_to(page, db, person, email):
    """Changes the address of a person, with the code that the new address got."""
    page.get_by_label("Nouvelle adresse e-mail").fill(email)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Code à 6 chiffres")).to_be_focused()
    expect(page.get_by_label("Code à 6 chiffres")).to_have_value("")
    page.keyboard.type(issued(db, email))
    page.get_by_label("Mot de passe", exact=True).fill(person.password)
    page.keyboard.press("Enter")


def test_the_focus_stays_near_a_change_of_the_address(changing, db, chloe):
    page = changing
    change = page.get_by_role("button", name="Changer d’adresse e-mail")
    page.get_by_role("button", name="Retour").press("Enter")
    expect(change).to_be_focused()
    page.keyboard.press("Enter")
    change_to(page, db, chloe, "new@example.fr")
    expect(page.get_by_text("new@example.fr", exact=True)).to_be_visible()
    expect(change).to_be_focused()


def test_an_address_that_is_taken_is_reported_beside_its_field(changing, faults, db, chloe, bob):
    faults.allow(400)
    page = changing
    change_to(page, db, chloe, bob.email)
    assert error_of(page, "Nouvelle adresse e-mail").startswith("Un compte existe déjà")
    expect(page.get_by_label("Nouvelle adresse e-mail")).to_be_focused()
    change_to(page, db, chloe, "new@example.fr")
    expect(page.get_by_text("new@example.fr", exact=True)).to_be_visible()
