"""What was typed survives the end of the session, for the same person only."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import by_password, open_salon, pick, sign_in, signed_in


def again(page):
    return page.get_by_role("dialog", name="Votre session a expiré")


def answer(page, person):
    """Signs in on the dialog."""
    by_password(page)
    again(page).get_by_label("Adresse e-mail").fill(person.email)
    again(page).get_by_label("Mot de passe", exact=True).fill(person.password)
    again(page).get_by_role("button", name="Se connecter").click()


@pytest.fixture
def name(serve, new_page, faults, chloe):
    """The field with the first name of Chloé, changed but not saved."""
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto("compte")
    field = page.get_by_label("Prénom")
    expect(field).to_have_value("Chloé")
    field.fill("Zoé")
    return field


@pytest.fixture
def other(name):
    """Another tab, in which Chloé has signed out after she typed her name."""
    other = name.page.context.new_page()
    other.goto("compte")
    other.get_by_role("button", name="Se déconnecter", exact=True).click()
    return other


def test_signing_out_in_another_tab_keeps_what_was_typed(client, name, other, chloe):
    page = name.page
    expect(again(page)).to_be_visible()
    answer(page, chloe)
    expect(again(page)).to_have_count(0)
    expect(name).to_have_value("Zoé")
    name.press("Enter")
    expect(page.get_by_role("status").filter(has_text="enregistré")).to_be_visible()
    assert client.get("/api/compte", token=chloe.token).json["prenom"] == "Zoé"


def test_signing_in_again_in_the_other_tab_keeps_it_too(name, other, chloe):
    expect(again(name.page)).to_be_visible()
    other.goto("connexion")
    sign_in(other, chloe)
    expect(again(name.page)).to_have_count(0)
    expect(name).to_have_value("Zoé")
    expect(name).to_be_focused()


def test_the_question_to_sign_in_again_comes_as_soon_as_its_file_can_be_loaded(
    name, faults, chloe
):
    faults.allow(0)
    page = name.page
    page.route("**/parts/again.js", lambda route: route.abort())
    other = page.context.new_page()
    other.goto("compte")
    with page.expect_event("requestfailed"):
        other.get_by_role("button", name="Se déconnecter", exact=True).click()
    page.unroute_all()
    answer(page, chloe)
    expect(again(page)).to_have_count(0)
    expect(name).to_have_value("Zoé")


@pytest.mark.parametrize("where", ["dialog", "other-tab"])
def test_what_one_person_typed_is_not_shown_to_another(name, other, bob, where):
    page = name.page
    expect(again(page)).to_be_visible()
    if where == "dialog":
        answer(page, bob)
    else:
        other.goto("connexion")
        sign_in(other, bob)
    expect(page.get_by_label("Prénom")).to_have_value("Bob")
    expect(page.get_by_text("chloe@example.fr")).to_have_count(0)
    expect(again(page)).to_have_count(0)


def test_what_one_person_typed_is_not_saved_by_another(name, faults, client, chloe, bob):
    faults.allow(401)
    page = name.page
    client.post("/auth/logout", {}, 204, token=chloe.token)
    stored = json.loads(page.evaluate("localStorage.session"))
    client.get("/api/compte", 401, token=stored["token"])
    name.press("Enter")
    expect(again(page)).to_be_visible()
    answer(page, bob)
    expect(name).to_have_value("Bob")
    assert client.get("/api/compte", token=bob.token).json["prenom"] == "Bob"


def test_a_session_that_cannot_be_renewed_keeps_what_was_typed(name, faults, client, chloe):
    faults.allow(401)
    page = name.page
    client.post("/auth/logout", {}, 204, token=chloe.token)
    page.evaluate("""() => {
        const session = JSON.parse(localStorage.session);
        const event = (value) => new StorageEvent("storage", {
            key: "session", newValue: value, storageArea: localStorage,
        });
        dispatchEvent(event(JSON.stringify({ ...session, renewed: 1 })));
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    expect(again(page)).to_be_visible()
    expect(name).to_have_value("Zoé")


def test_a_comment_is_kept_while_the_customer_signs_in_again(
    serve, new_page, salon, chloe, bob, tuesday
):
    page = new_page(serve().url)
    signed_in(page, chloe)
    open_salon(page, salon, tuesday)
    pick(page, tuesday, "10:00")
    comment = page.get_by_label("Un mot pour l’établissement")
    comment.fill("Allergique au henné")
    other = page.context.new_page()
    other.goto("compte")
    for person, kept in ((bob, ""), (chloe, "Allergique au henné")):
        other.get_by_role("button", name="Se déconnecter", exact=True).click()
        expect(comment).to_have_count(0)
        sign_in(page, person)
        expect(comment).to_have_value(kept)


def test_a_late_change_is_not_repeated_by_another_person(name, faults, client, chloe, bob):
    faults.allow(401)
    page = name.page
    held = []
    page.route("**/api/compte", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/compte"):
        name.press("Enter")
    page.get_by_role("button", name="Se déconnecter", exact=True).click()
    page.get_by_role("button", name="Quitter sans enregistrer").click()
    page.get_by_role("banner").get_by_role("link", name="Se connecter").click()
    sign_in(page, bob)
    expect(page.get_by_role("link", name="Mon compte")).to_be_visible()
    client.post("/auth/logout", {}, 204, token=chloe.token)
    with page.expect_response(lambda answer: answer.status == 401):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    assert client.get("/api/compte", token=bob.token).json["prenom"] == "Bob"
