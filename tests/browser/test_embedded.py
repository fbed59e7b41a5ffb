"""/integrer/{id} in a page of another site."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PUBLIC
from tests.browser.visitors import pick, said
from tests.conftest import PASSWORD

# Some browsers refuse storage to frames of other sites.
NO_STORAGE = """
for (const name of ['localStorage', 'sessionStorage']) {
  const get = () => { throw new DOMException('denied', 'SecurityError'); };
  Object.defineProperty(window, name, { get });
}"""


@pytest.fixture
def host() -> Iterator[HTTPServer]:
    """Another site, which answers `host.page`."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(host.page.encode())  # type: ignore[attr-defined]

        def log_message(self, *_: object) -> None:
            pass

    host = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=host.serve_forever, daemon=True)
    thread.start()
    yield host
    host.shutdown()
    thread.join()
    host.server_close()


@pytest.fixture
def framed(chromium, host):
    """Opens a page of the other site with a frame of this one."""
    contexts = []

    def show(url, path, **options):
        host.page = f'<title>Ailleurs</title><iframe src="{url}/{path}" width="360" height="700">'
        context = chromium.new_context(locale="fr-FR", timezone_id="Europe/Paris", **options)
        contexts.append(context)
        context.add_init_script(NO_STORAGE)
        page = context.new_page()
        page.goto(f"http://{PUBLIC}:{host.server_port}/")
        return page

    yield show
    for context in contexts:
        context.close()


def sign_in(frame, person):
    frame.get_by_role("tab", name="Mot de passe").click()
    frame.get_by_label("Adresse e-mail").fill(person.email)
    frame.get_by_label("Mot de passe").fill(PASSWORD)
    frame.locator("form button.main").click()


@pytest.mark.parametrize("width", [320, 1280])
def test_a_visitor_books_in_a_frame_without_storage(
    serve, framed, salon, chloe, client, tuesday, width
):
    page = framed(serve().url, f"integrer/{salon.id}", viewport={"width": width, "height": 800})
    frame = page.frame_locator("iframe")
    frame.get_by_label("1. Choisissez une prestation").select_option(label="Coloration · 1 h 30")
    frame.get_by_role("button", name="Semaine suivante").click()
    frame.locator("button.time").first.click()
    tab = frame.get_by_role("link", name="Continuer dans un nouvel onglet")
    expect(tab).to_have_attribute("target", "_blank")
    sign_in(frame, chloe)
    frame.get_by_role("button", name="Confirmer le rendez-vous").click()
    expect(frame.get_by_role("heading", name="C’est réservé !")).to_be_focused()
    (booked,) = client.get("/api/reservations", token=chloe.token).json
    assert booked["prestation"]["nom"] == "Coloration"
    with page.expect_popup() as opened:
        frame.get_by_role("link", name="Voir, déplacer ou annuler").click()
    # The new tab does not have the session of the frame.
    after = re.compile(rf"connexion\?suite=reservations%2F{booked['id']}$")
    expect(opened.value).to_have_url(after)


def start_booking(frame, day, person):
    """Picks 10:00, signs in and writes a comment. Returns the field of the comment."""
    frame.get_by_role("button", name="Semaine suivante").click()
    pick(frame, day, "10:00")
    sign_in(frame, person)
    comment = frame.get_by_label("Un mot pour l’établissement")
    comment.fill("Avec mon chien.")
    return comment


def test_a_comment_stays_when_another_time_is_chosen_in_a_frame(
    serve, framed, salon, chloe, client, person, tuesday
):
    page = framed(serve().url, f"integrer/{salon.id}")
    frame = page.frame_locator("iframe")
    times = frame.locator("button.time")
    comment = start_booking(frame, tuesday, chloe)
    salon.book(person("Luc", "student"), salon.at(tuesday, "10:00"))
    frame.get_by_role("button", name="Confirmer le rendez-vous").click()
    times.filter(has_text="09:30").click()
    expect(frame.locator(".note.good")).to_contain_text("09:30")
    expect(frame.get_by_role("heading", name="Confirmez")).to_be_focused()
    expect(comment).to_have_value("Avec mon chien.")
    frame.get_by_role("button", name="Confirmer le rendez-vous").click()
    expect(frame.get_by_role("heading", name="C’est réservé !")).to_be_visible()
    (booked,) = client.get("/api/reservations", token=chloe.token).json
    assert booked["commentaire"] == "Avec mon chien."
    frame.get_by_role("button", name="Prendre un autre").click()
    times.first.click()
    expect(comment).to_have_value("")


def test_what_was_entered_stays_when_a_visitor_goes_back_to_the_times_of_a_frame(
    serve, framed, make_salon, alice, chloe, client, person, tuesday
):
    week = [{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 4}]
    salon = make_salon(alice, week=week)
    salon.book(person("Luc", "student"), salon.at(tuesday, "11:00"), places=2)
    salon.book(person("Inès", "student"), salon.at(tuesday, "11:30"), places=3)
    frame = framed(serve().url, f"integrer/{salon.id}").frame_locator("iframe")
    places = frame.locator("[name=places]")
    comment = start_booking(frame, tuesday, chloe)
    places.select_option("3")
    for time, most in (("11:00", "2"), ("11:30", None)):
        frame.get_by_role("button", name="Modifier").click()
        pick(frame, tuesday, time)
        expect(comment).to_have_value("Avec mon chien.")
        if most:
            expect(places).to_have_value(most)
    expect(places).to_have_count(0)
    frame.get_by_role("button", name="Confirmer le rendez-vous").click()
    expect(frame.get_by_role("heading", name="C’est réservé !")).to_be_visible()
    (booked,) = client.get("/api/reservations", token=chloe.token).json
    assert booked["commentaire"] == "Avec mon chien."
    assert booked["places"] == 1


def test_another_person_signs_in_for_the_chosen_time_in_a_frame(
    serve, framed, salon, chloe, client, person, tuesday
):
    zoe = person("Zoé", "student")
    frame = framed(serve().url, f"integrer/{salon.id}").frame_locator("iframe")
    comment = start_booking(frame, tuesday, chloe)
    frame.get_by_role("button", name="Ce n’est pas vous ?").click()
    expect(frame.get_by_role("heading", name="Identifiez-vous")).to_be_focused()
    said(frame, "Déconnexion réussie.")
    expect(frame.locator(".note.good")).to_contain_text("10:00")
    expect(frame.get_by_label("Rester connecté")).not_to_be_checked()
    sign_in(frame, zoe)
    expect(frame.get_by_text("Au nom de Zoé")).to_be_visible()
    expect(comment).to_have_value("")
    frame.get_by_role("button", name="Confirmer le rendez-vous").click()
    expect(frame.get_by_role("heading", name="C’est réservé !")).to_be_visible()
    assert client.get("/api/reservations", token=chloe.token).json == []
    (booked,) = client.get("/api/reservations", token=zoe.token).json
    assert "T10:00" in booked["debut"]


def test_a_link_of_a_dialog_opens_a_new_tab_in_a_frame(
    serve, framed, salon, chloe, client, tuesday
):
    page = framed(serve().url, f"integrer/{salon.id}")
    frame = page.frame_locator("iframe")
    start_booking(frame, tuesday, chloe)
    client.post("/auth/logout", {}, 204, token=chloe.token)
    frame.get_by_role("button", name="Confirmer le rendez-vous").click()
    dialog = frame.get_by_role("dialog", name="Votre session a expiré")
    dialog.get_by_role("tab", name="Mot de passe").click()
    with page.expect_popup() as opened:
        dialog.get_by_role("link", name="Mot de passe oublié").click()
    expect(opened.value).to_have_url(re.compile("/mot-de-passe$"))
    sign_in(dialog, chloe)
    expect(frame.get_by_role("heading", name="C’est réservé !")).to_be_visible()


def test_no_other_page_is_shown_in_a_frame(serve, framed, salon):
    page = framed(serve().url, f"entreprises/{salon.id}")
    refused = next(frame for frame in page.frames if frame.parent_frame)
    refused.wait_for_load_state()
    assert refused.url.startswith("chrome-error:")
