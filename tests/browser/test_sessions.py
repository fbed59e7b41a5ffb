"""Sessions that a device keeps: new tabs, restarts, renewal and signing out everywhere."""

import json
import time

import jwt
import pytest
from playwright.sync_api import expect

from tests.browser.visitors import sign_in, signed_in
from tests.outboxes import SECRET

DAY = 86400


def stored(page):
    return json.loads(page.evaluate("localStorage.getItem('session')") or "null")


def name(page, text):
    return page.get_by_role("link", name=text)


def test_a_kept_session_survives_new_tabs_and_ends_in_all_of_them(serve, new_page, chloe):
    page = new_page(serve().url)
    signed_in(page, chloe)
    claims = jwt.decode(stored(page)["token"], SECRET, algorithms=["HS256"])
    assert claims["exp"] - claims["iat"] == 30 * DAY
    other = page.context.new_page()
    other.goto("compte")
    expect(name(other, "Mon compte")).to_be_visible()
    page.get_by_role("button", name="Se déconnecter", exact=True).click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Se connecter")
    assert stored(page) is None
    sign_in(page.context.pages[1], chloe)
    expect(name(page, "Mon compte")).to_be_visible()


def test_a_session_that_is_not_kept_stays_in_its_tab(serve, new_page, chloe):
    page = new_page(serve().url)
    page.goto("connexion")
    page.get_by_label("Rester connecté").uncheck()
    sign_in(page, chloe)
    expect(name(page, "Mon compte")).to_be_visible()
    assert stored(page) is None
    other = page.context.new_page()
    other.goto("")
    expect(name(other, "Mon compte")).to_have_count(0)
    page.reload()
    expect(name(page, "Mon compte")).to_be_visible()


def test_a_kept_session_is_renewed_once_a_day(serve, new_page, chloe):
    page = new_page(serve().url)
    signed_in(page, chloe)
    sent = []
    page.on("request", lambda one: one.url.endswith("/auth/refresh") and sent.append(one))
    page.reload()
    page.wait_for_load_state("networkidle")
    assert not sent
    other = page.context.new_page()
    other.goto("compte")
    expect(other.get_by_role("heading", name="Mes données")).to_be_visible()
    before = stored(page)
    yesterday = {**before, "renewed": (time.time() - DAY - 1) * 1000}
    page.evaluate("text => localStorage.setItem('session', text)", json.dumps(yesterday))
    with page.expect_response("**/auth/refresh"):
        page.reload()
    page.wait_for_function("JSON.parse(localStorage.session).renewed > Date.now() - 1e6")
    claims = jwt.decode(stored(page)["token"], SECRET, algorithms=["HS256"])
    assert claims["exp"] - claims["iat"] == 30 * DAY
    assert len(sent) == 1
    expect(other.get_by_role("heading", name="Mes données")).to_be_visible()
    assert other.url.endswith("/compte")


def test_a_late_renewal_leaves_the_session_of_another_person_alone(serve, new_page, chloe, bob):
    page = new_page(serve().url)
    signed_in(page, chloe)
    old = {**stored(page), "renewed": 1}
    page.evaluate("text => localStorage.setItem('session', text)", json.dumps(old))
    held = []
    page.route("**/auth/refresh", lambda route: held.append(route))
    with page.expect_request("**/auth/refresh"):
        page.reload()
    for _ in range(2):  # the visitor leaves the tab and comes back
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("button", name="Se déconnecter", exact=True).click()
    page.get_by_role("banner").get_by_role("link", name="Se connecter").click()
    sign_in(page, bob)
    expect(name(page, "Mon établissement").first).to_be_visible()
    opened = stored(page)
    with page.expect_response("**/auth/refresh"):
        held[0].continue_()
    page.wait_for_timeout(300)  # the page could still store the token
    assert stored(page) == opened
    assert len(held) == 1


def test_a_session_that_cannot_be_renewed_ends_without_a_question(
    serve, new_page, faults, db, chloe
):
    faults.allow(401)
    page = new_page(serve().url)
    signed_in(page, chloe)
    old = {**stored(page), "renewed": 1}
    page.evaluate("text => localStorage.setItem('session', text)", json.dumps(old))
    db.write("UPDATE utilisateur SET jetons_depuis = ?", int(time.time()) + DAY)
    page.goto("")
    expect(name(page, "Créer un compte")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_signing_out_everywhere_ends_the_sessions_of_other_devices(
    serve, new_page, faults, client, chloe
):
    faults.allow(401)
    url = serve().url
    page, other = new_page(url), new_page(url)
    for one in (page, other):
        signed_in(one, chloe)
    page.goto("compte")
    page.get_by_role("button", name="Se déconnecter partout").click()
    expect(page.get_by_role("status").filter(has_text="déconnectés")).to_be_visible()
    client.get("/api/compte", 401, token=chloe.token)
    other.goto("reservations")
    expect(other.get_by_role("dialog", name="Votre session a expiré")).to_be_visible()


def test_signing_out_everywhere_asks_before_what_was_typed_is_lost(serve, new_page, client, chloe):
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto("compte")
    page.get_by_label("Téléphone").fill("06 99")
    page.get_by_role("button", name="Se déconnecter partout").click()
    page.get_by_role("button", name="Continuer la saisie").click()
    expect(page.get_by_label("Téléphone")).to_have_value("06 99")
    client.get("/api/compte", token=chloe.token)
    page.get_by_role("button", name="Se déconnecter partout").click()
    page.get_by_role("button", name="Quitter sans enregistrer").click()
    expect(page.get_by_role("status").filter(has_text="déconnectés")).to_be_visible()
    client.get("/api/compte", 401, token=chloe.token)


def test_an_announcement_in_a_hidden_tab_is_shown_for_some_seconds_later(serve, new_page, chloe):
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.evaluate("""() => {
        window.held = [];
        window.requestAnimationFrame = (draw) => held.push(draw);  // as in a hidden tab
        const { setTimeout } = window;
        window.setTimeout = (call, time) => setTimeout(call, time / 20);
    }""")
    page.get_by_role("button", name="Se déconnecter", exact=True).click()
    expect(name(page, "Créer un compte")).to_be_visible()
    page.wait_for_timeout(500)
    told = page.locator(".live")
    expect(told).to_be_empty()
    with_text = page.evaluate("""async () => {
        for (const draw of held.splice(0)) draw();
        await new Promise((resolve) => setTimeout(resolve, 2000));
        return document.querySelector(".live").textContent;
    }""")
    assert with_text == "Déconnexion réussie."
    expect(told).to_be_empty()


def test_what_a_person_typed_is_not_sent_for_another_person_who_signs_in(
    serve, new_page, faults, client, chloe, person
):
    faults.allow(401)
    zoe = person("Zoé", "student", telephone="06 11")
    page = new_page(serve().url)
    signed_in(page, chloe)
    page.goto("compte")
    page.get_by_label("Téléphone").fill("06 99")
    client.post("/auth/logout", {}, 204, token=chloe.token)
    page.get_by_role("button", name="Enregistrer").click()
    window = page.get_by_role("dialog", name="Votre session a expiré")
    window.get_by_label("Adresse e-mail").fill(zoe.email)
    window.get_by_label("Mot de passe").fill(zoe.password)
    window.get_by_role("button", name="Se connecter").click()
    expect(page.get_by_label("Prénom")).to_have_value("Zoé")
    expect(page.get_by_label("Téléphone")).to_have_value("06 11")
    expect(window).to_have_count(0)
    assert client.get("/api/compte", token=zoe.token).json["telephone"] == "06 11"


@pytest.fixture
def asked(serve, new_page, faults, client, chloe):
    """A page that asks Chloé to sign in again, before it saves her number."""
    faults.allow(401)
    page = new_page(serve().url)
    signed_in(page, chloe)
    name(page, "Mes rendez-vous").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mes rendez-vous")
    name(page, "Mon compte").click()
    page.get_by_label("Téléphone").fill("06 99")
    client.post("/auth/logout", {}, 204, token=chloe.token)
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_role("dialog", name="Votre session a expiré")).to_be_visible()
    return page


def test_going_back_from_the_question_to_sign_in_again_loads_the_other_page(asked, chloe):
    asked.go_back()
    asked.get_by_role("button", name="Quitter sans enregistrer").click()
    expect(asked.get_by_role("heading", level=1)).to_have_text("Se connecter")
    expect(asked.get_by_role("dialog")).to_have_count(0)
    sign_in(asked, chloe)
    expect(asked.get_by_text("Aucun rendez-vous à venir")).to_be_visible()


def test_a_forgotten_password_ends_the_question_to_sign_in_again(asked):
    name(asked, "Mot de passe oublié").click()
    asked.get_by_role("button", name="Quitter sans enregistrer").click()
    expect(asked.get_by_role("heading", level=1)).to_have_text("Mot de passe oublié")
    expect(asked.get_by_role("dialog")).to_have_count(0)


def test_installations_below_two_paths_of_a_host_have_sessions_of_their_own(
    serve, new_page, chloe, bob
):
    url, others = serve(prefix="/agenda").url, serve(prefix="/autre", SECRET="b" * 32).url
    page = new_page(url)
    host = url.removesuffix("/agenda")
    page.context.route(f"{host}/autre/**", lambda route: route.fulfill(response=route.fetch(
        url=route.request.url.replace(host, others.removesuffix("/autre"))
    )))
    signed_in(page, chloe)
    other = page.context.new_page()
    other.goto(f"{host}/autre/connexion")
    expect(name(other, "Mon compte")).to_have_count(0)
    sign_in(other, bob)
    expect(name(other, "Mon établissement").first).to_be_visible()
    expect(name(page, "Mon établissement")).to_have_count(0)
    page.goto("compte")
    expect(page.get_by_label("Prénom")).to_have_value("Chloé")
    page.get_by_role("button", name="Se déconnecter", exact=True).click()
    expect(name(page, "Créer un compte")).to_be_visible()
    other.reload()
    expect(name(other, "Mon établissement").first).to_be_visible()
    other.wait_for_load_state("networkidle")
    page.context.unroute_all(behavior="wait")  # a late answer would be the failure of a later test
