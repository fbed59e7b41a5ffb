"""What was typed is lost only after a question."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import by_code

# Types the two dates of a form without a frame between them.
TYPE_BOTH = """(first, days) => {
    [first, first.form.elements.to].forEach((field, number) => {
        field.value = days[number];
        field.dispatchEvent(new Event("input", { bubbles: true }));
    });
}"""

# Whether the site has noticed what was typed.
MARKED = """async () => {
    const app = document.querySelector("script[type=module]").src;
    const { unsaved } = await import(new URL("router.js", app));
    return unsaved.size > 0;
}"""


def question(page):
    return page.get_by_role("dialog", name="Quitter sans enregistrer ?")


def stay(page):
    page.get_by_role("button", name="Continuer la saisie").click()
    expect(question(page)).to_have_count(0)


def leave(page):
    page.get_by_role("button", name="Quitter sans enregistrer").click()
    expect(question(page)).to_have_count(0)


def menu(page, name):
    page.get_by_role("navigation", name="Pages de l’établissement").get_by_role(
        "link", name=name, exact=True
    ).click()


@pytest.fixture
def hours(serve, new_page, salon, alice):
    """The weekly hours after Tuesday was copied to Monday, which is not saved yet."""
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/equipe")
    menu(page, "Horaires")
    page.get_by_role("button", name="Copier mardi", exact=True).click()
    page.get_by_role("checkbox", name="Lundi").check()
    page.get_by_role("button", name="Copier", exact=True).click()
    expect(page.get_by_text("Modifications non enregistrées.")).to_be_visible()
    return page


def test_unsaved_hours_are_left_by_a_link_after_a_question(hours):
    menu(hours, "Prestations")
    stay(hours)
    expect(hours).to_have_url(re.compile("horaires$"))
    expect(hours.get_by_text("Modifications non enregistrées.")).to_be_visible()
    menu(hours, "Prestations")
    leave(hours)
    expect(hours).to_have_url(re.compile("prestations$"))
    menu(hours, "Horaires")
    expect(hours.get_by_role("button", name="Copier mardi", exact=True)).to_be_visible()
    expect(hours.get_by_text("Modifications non enregistrées.")).to_have_count(0)


def test_the_hours_of_the_salon_are_not_shown_as_those_of_a_person(
    serve, new_page, client, salon, alice
):
    path = f"/api/entreprises/{salon.id}/ressources"
    client.post(path, {"nom": "Léa"}, 201, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/horaires")
    page.get_by_role("button", name="Copier mardi", exact=True).click()
    page.get_by_role("checkbox", name="Lundi").check()
    page.get_by_role("button", name="Copier", exact=True).click()
    whose = page.get_by_label("Qui ?")
    whose.select_option("Léa")
    stay(page)
    expect(whose.locator("option:checked")).to_have_text("Tout l’établissement")
    expect(page.get_by_text("Modifications non enregistrées.")).to_be_visible()
    whose.select_option("Léa")
    leave(page)
    expect(whose.locator("option:checked")).to_have_text("Léa")
    expect(page.get_by_text("Modifications non enregistrées.")).to_have_count(0)


def test_nothing_is_typed_into_a_form_that_is_being_sent(serve, new_page, chloe):
    page = open_page(new_page, serve().url, chloe, "compte", role="customer")
    name = page.get_by_label("Prénom")
    expect(name).to_have_value("Chloé")
    held = []
    page.route("**/api/compte", lambda route: held.append(route))
    name.fill("Zoé")
    with page.expect_request("**/api/compte"):
        name.press("Enter")
    expect(name).not_to_be_editable()
    expect(name).to_be_focused()
    page.keyboard.type("-Marie")
    expect(name).to_have_value("Zoé")
    held[0].continue_()
    expect(name).to_be_editable()
    page.keyboard.type("-Anne")
    expect(name).to_have_value("Zoé-Anne")
    page.get_by_role("link", name="Mes rendez-vous").first.click()
    expect(question(page)).to_be_visible()


def test_no_choice_changes_in_a_form_that_is_being_sent(serve, new_page, faults, salon, alice):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/regles")
    radios = page.locator("[name=validation]")
    choice = page.locator("select").first
    kept = choice.input_value()
    held = []
    page.route(f"**/api/entreprises/{salon.id}", lambda route: held.append(route))
    button = page.locator("form .actions button.main")
    with page.expect_request(f"**/api/entreprises/{salon.id}"):
        button.click()
    expect(choice).to_be_disabled()  # by aria-disabled, which leaves the focus alone
    expect(button).to_be_focused()
    page.get_by_text("Je valide chaque demande").click(force=True)
    choice.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("PageDown")
    expect(choice).to_be_focused()
    expect(choice).to_have_value(kept)
    expect(radios.nth(0)).to_be_checked()
    radios.nth(0).focus()
    page.keyboard.press("ArrowDown")
    expect(radios.nth(0)).to_be_checked()
    held[0].abort()
    expect(choice).to_be_enabled()
    expect(radios.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(radios.nth(1)).to_be_checked()


def test_no_tick_and_no_proposal_changes_a_form_that_is_being_sent(
    serve, new_page, faults, salon, alice
):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    trades = page.get_by_role("group", name="Métiers")
    trade = trades.get_by_role("combobox", name="Nouveau métier")
    takes = page.get_by_role("checkbox")
    trade.fill("coif")
    option = page.get_by_role("option").first
    expect(option).to_be_visible()
    held = []
    page.route(f"**/api/entreprises/{salon.id}", lambda route: held.append(route))
    with page.expect_request(f"**/api/entreprises/{salon.id}"):
        page.locator("form").evaluate("form => form.requestSubmit()")
    expect(takes).to_be_disabled()
    expect(trade).to_be_focused()
    option.click(force=True)
    page.keyboard.type("feur")
    takes.click(force=True)
    takes.focus()
    page.keyboard.press("Space")
    expect(takes).to_be_checked()
    expect(trade).to_have_value("coif")
    expect(trades.locator("ul.row li button")).to_have_count(0)
    held[0].abort()
    expect(takes).to_be_enabled()
    expect(takes).to_be_focused()
    page.keyboard.press("Space")
    expect(takes).not_to_be_checked()


def test_going_back_and_signing_out_ask_too(hours):
    hours.go_back()
    stay(hours)
    expect(hours).to_have_url(re.compile("horaires$"))
    hours.get_by_role("button", name="Se déconnecter").click()
    stay(hours)
    expect(hours.get_by_role("button", name="Se déconnecter")).to_be_visible()
    hours.go_back()
    leave(hours)
    expect(hours).to_have_url(re.compile("equipe$"))


def test_who_stays_after_the_back_button_is_asked_finds_the_page_as_it_was(
    serve, new_page, salon, alice
):
    page = open_page(
        new_page, serve().url, alice, f"gestion/{salon.id}/equipe",
        viewport={"width": 1280, "height": 400},
    )
    for name in ("Messages", "Règles", "Partager"):
        menu(page, name)
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.go_back()
    page.locator("main input[type=number]").first.click()
    page.keyboard.type("7")
    page.evaluate("scrollTo(0, 300)")
    page.wait_for_timeout(500)  # Chromium writes the place into the history later
    page.go_back()
    stay(page)
    expect(page).to_have_url(re.compile("regles$"))
    assert page.evaluate("scrollY") == 300
    page.go_forward()
    leave(page)
    expect(page).to_have_url(re.compile("partager$"))
    page.go_back()
    page.locator("main input[type=number]").first.fill("7")
    page.go_back()
    leave(page)
    expect(page).to_have_url(re.compile("messages$"))


def test_who_leaves_while_changes_are_saved_leaves_when_they_are_saved(
    serve, new_page, faults, chloe
):
    faults.allow(0)
    page = open_page(new_page, serve().url, chloe, "compte", role="customer")
    name = page.get_by_label("Prénom")
    expect(name).to_have_value("Chloé")
    held = []
    page.route("**/api/compte", lambda route: held.append(route))

    def leave_while_sending(text):
        name.fill(text)
        with page.expect_request("**/api/compte"):
            name.press("Enter")
        page.get_by_role("link", name="Mes rendez-vous").first.click()
        saving = page.get_by_role("dialog", name="Enregistrement en cours")
        expect(saving).to_contain_text("Vous quitterez ensuite la page.")

    leave_while_sending("Zoé")
    held.pop().abort()
    expect(question(page)).to_contain_text("seront perdues")
    stay(page)
    leave_while_sending("Zoé")
    stay(page)
    held.pop().abort()
    expect(page.get_by_role("alert").first).to_contain_text("La connexion est interrompue.")
    expect(question(page)).to_have_count(0)
    leave_while_sending("Inès")
    held.pop().continue_()
    expect(page).to_have_url(re.compile("reservations$"))
    expect(question(page)).to_have_count(0)
    page.unroute_all()
    page.go_back()
    expect(name).to_have_value("Inès")


def test_who_leaves_without_a_connection_keeps_the_input_and_can_leave_later(
    serve, new_page, faults
):
    faults.allow(0)
    page = new_page(serve().url)
    page.goto("nous-ecrire")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.context.set_offline(True)
    page.get_by_label("Message").fill("Bonjour")
    page.get_by_role("link", name="Réservation", exact=True).click()
    expect(page.get_by_text("La connexion est interrompue.")).to_be_visible()
    expect(page.get_by_label("Message")).to_have_value("Bonjour")
    page.context.set_offline(False)
    page.get_by_role("link", name="Réservation", exact=True).click()
    leave(page)
    expect(page.get_by_label("Message")).to_have_count(0)


def test_the_browser_asks_before_the_tab_is_closed_or_loaded_again(hours):
    asked = []
    hours.on("dialog", lambda one: (asked.append(one.type), one.accept()))
    hours.reload()
    assert asked == ["beforeunload"]
    expect(hours.get_by_text("Modifications non enregistrées.")).to_have_count(0)
    hours.reload()
    assert asked == ["beforeunload"]


def test_a_dialog_with_a_changed_form_is_closed_after_a_question(serve, new_page, salon, alice):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    page.get_by_role("button", name="Ajouter une prestation", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)  # nothing was typed
    page.get_by_role("button", name="Ajouter une prestation", exact=True).click()
    page.get_by_label("Nom de la prestation").fill("Brushing")
    page.get_by_role("button", name="Fermer", exact=True).click()
    stay(page)
    expect(page.get_by_label("Nom de la prestation")).to_have_value("Brushing")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("« Brushing » est enregistrée")).to_be_visible()
    menu(page, "Horaires")
    expect(page).to_have_url(re.compile("horaires$"))  # it is saved: no question


def test_a_dialog_in_which_only_a_box_was_ticked_is_closed_after_a_question(
    serve, new_page, salon, alice
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/horaires")
    page.get_by_role("button", name=re.compile("^Mardi ")).first.click()
    page.get_by_role("checkbox", name="Jusqu’à minuit").check()
    expect(page.get_by_label("À", exact=True)).to_have_count(0)
    page.keyboard.press("Escape")
    stay(page)
    page.get_by_role("button", name="Appliquer").click()
    expect(page.get_by_role("button", name=re.compile("^Mardi .*24:00"))).to_be_visible()


def test_a_dialog_stays_open_while_its_form_is_sent(serve, new_page, faults, salon, alice):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    page.get_by_role("button", name="Ajouter une prestation", exact=True).click()
    name = page.get_by_label("Nom de la prestation")
    name.fill("Brushing")
    held = []
    page.route("**/prestations", lambda one: held.append(one))
    for answer in ("abort", "continue_"):
        with page.expect_request("**/prestations"):
            name.press("Enter")
        for _ in range(3):
            page.keyboard.press("Escape")
        page.get_by_role("button", name="Fermer", exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(1)
        expect(name).to_have_value("Brushing")
        getattr(held.pop(), answer)()
        expect(page.locator("form[aria-busy=true]")).to_have_count(0)
    expect(page.get_by_text("« Brushing » est enregistrée")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_end_of_a_closure_follows_its_start(serve, new_page, salon, alice):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    page.get_by_role("button", name="Ajouter une fermeture").first.click()
    page.get_by_label("Premier jour").fill("2031-08-04")
    expect(page.get_by_label("Dernier jour")).to_have_value("2031-08-04")
    page.get_by_label("Dernier jour").fill("2031-08-20")
    page.get_by_label("Premier jour").fill("2031-08-11")
    expect(page.get_by_label("Dernier jour")).to_have_value("2031-08-20")


def test_a_last_day_typed_right_after_the_first_day_stays(serve, new_page, salon, alice):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/fermetures")
    page.get_by_role("button", name="Ajouter une fermeture").first.click()
    page.get_by_label("Titre").fill("Congés")
    page.get_by_label("Premier jour").evaluate(TYPE_BOTH, ["2031-08-04", "2031-08-03"])
    page.get_by_role("button", name="Voir les conséquences").click()
    expect(page.get_by_label("Dernier jour")).to_have_accessible_description(
        "La fin doit être après le début."
    )
    expect(page.get_by_label("Dernier jour")).to_have_value("2031-08-03")


def test_who_turns_from_registering_to_signing_in_keeps_what_was_typed(serve, new_page):
    page = new_page(serve().url)
    page.goto("inscription")
    page.get_by_label("Prénom").fill("Zoé")
    page.get_by_label("Nom", exact=True).fill("Roux")
    page.get_by_label("Adresse e-mail").fill("zoe@example.fr")
    page.get_by_label("Mot de passe").fill("a secret of eight words")
    page.get_by_role("main").get_by_role("link", name="Se connecter").click()
    expect(page.get_by_label("Adresse e-mail")).to_have_value("zoe@example.fr")
    by_code(page)
    expect(page.get_by_label("Adresse e-mail")).to_have_value("zoe@example.fr")
    page.get_by_role("main").get_by_role("link", name="Créer un compte").click()
    expect(page.get_by_label("Prénom")).to_have_value("Zoé")
    expect(page.get_by_label("Nom", exact=True)).to_have_value("Roux")
    expect(page.get_by_label("Mot de passe")).to_have_value("")


def test_unsaved_hours_survive_the_end_of_the_session(hours, faults, client, alice):
    faults.allow(401)
    password = {"current_password": alice.password, "new_password": "un autre mot de passe"}
    client.post("/auth/password", password, token=alice.token)
    hours.get_by_role("button", name="Voir les conséquences").click()
    window = hours.get_by_role("dialog", name="Votre session a expiré")
    window.get_by_label("Adresse e-mail").fill(alice.email)
    window.get_by_label("Mot de passe").fill("un autre mot de passe")
    window.get_by_role("button", name="Se connecter").click()
    dialog = hours.get_by_role("dialog", name="Nouvelle semaine")
    dialog.get_by_role("button", name="Enregistrer").click()
    expect(hours.get_by_text("C’est enregistré.")).to_be_visible()
    expect(hours.get_by_text("Modifications non enregistrées.")).to_have_count(0)


def test_closing_the_dialog_of_an_ended_session_asks_first(
    serve, new_page, faults, client, salon, alice
):
    faults.allow(401)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    page.get_by_role("button", name="Ajouter une prestation", exact=True).click()
    page.get_by_label("Nom de la prestation").fill("Brushing")
    client.post("/auth/logout", {}, 204, token=alice.token)
    page.get_by_role("button", name="Enregistrer").click()
    window = page.get_by_role("dialog", name="Votre session a expiré")
    expect(window).to_be_visible()
    page.keyboard.press("Escape")
    stay(page)
    expect(window).to_be_visible()
    expect(page.get_by_label("Nom de la prestation")).to_have_value("Brushing")
    window.get_by_role("button", name="Fermer").click()
    leave(page)
    expect(page).to_have_url(re.compile("connexion"))


def test_pressing_escape_many_times_loses_no_dialog_with_changes(serve, new_page, salon, alice):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/prestations")
    page.get_by_role("button", name="Ajouter une prestation", exact=True).click()
    name = page.get_by_label("Nom de la prestation")
    name.fill("Brushing")
    page.wait_for_function(MARKED)
    for _ in range(3):
        page.keyboard.press("Escape")
        expect(question(page)).to_be_visible()
        page.keyboard.press("Escape")
        expect(question(page)).to_have_count(0)
    expect(name).to_be_visible()
    expect(name).to_have_value("Brushing")
