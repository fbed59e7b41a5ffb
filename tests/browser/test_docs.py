"""/docs in a real browser."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PUBLIC
from tests.conftest import PASSWORD


@pytest.fixture
def docs(new_page):
    """Opens the page."""

    def show(url, **options):
        page = new_page(url, **options)
        page.goto("docs")
        return page

    return show


def panel_of(page, name):
    return page.locator(f'[id^="operations-"][id$="-{name}"]')


def operation(page, name):
    """Opens the panel of an operation and returns it."""
    panel = panel_of(page, name)
    panel.locator(".opblock-summary-control").click()
    return panel


def execute(panel, body):
    """Sends a body and returns the status and the JSON that the page shows."""
    panel.locator("textarea").fill(json.dumps(body))
    panel.get_by_role("button", name="Execute").click()
    answer = panel.locator(".live-responses-table tbody tr")
    status = int(answer.locator(".response-col_status").inner_text().split()[0])
    return status, json.loads(answer.locator(".response-col_description pre").first.inner_text())


def authorize(page, token):
    page.get_by_role("button", name="Authorize").first.click()
    dialog = page.locator(".modal-ux")
    dialog.locator("input").fill(token)
    dialog.get_by_role("button", name="Apply credentials").click()
    dialog.get_by_role("button", name="Close").first.click()


def test_the_page_shows_the_operations(serve, docs):
    page = docs(serve().url, color_scheme="dark")
    for name in ("register", "login", "listCreneaux", "createReservation"):
        expect(panel_of(page, name)).to_be_visible()


def test_a_reader_logs_in_and_books_from_the_page_below_a_prefix(
    serve, docs, client, salon, chloe, tuesday
):
    page = docs(serve(prefix="/agenda").url)
    credentials = {"email": chloe.email, "password": PASSWORD}
    status, answer = execute(operation(page, "login"), credentials)
    assert status == 200
    authorize(page, answer["token"])
    wish = {"creneauId": salon.at(tuesday, "10:00"), "prestationId": salon.coupe}
    status, booked = execute(operation(page, "createReservation"), wish)
    assert status == 201
    (kept,) = client.get("/api/reservations", token=chloe.token).json
    assert kept["id"] == booked["id"]


def test_a_refusal_is_shown_and_nothing_more(serve, docs, faults):
    faults.allow(401)
    page = docs(serve().url)
    status, answer = execute(operation(page, "createReservation"), {})
    assert (status, answer) == (401, {"error": "Token is missing"})


def test_the_token_is_forgotten_with_the_page(serve, docs, chloe):
    page = docs(serve().url)
    authorize(page, chloe.token)
    state = page.context.storage_state(indexed_db=True)
    assert state == {"cookies": [], "origins": []}
    page.reload()
    expect(page.locator(".auth-wrapper .authorize.unlocked")).to_be_visible()


def test_nobody_else_is_called_under_a_public_name_either(serve, docs):
    page = docs(serve().url.replace("127.0.0.1", PUBLIC))
    expect(panel_of(page, "login")).to_be_visible()
    page.wait_for_load_state("networkidle")


def test_the_accounts_of_the_demo_log_in(serve_town, town, docs):
    page = docs(serve_town().url)
    told = town.accounts["customer"]
    credentials = {"email": told.email, "password": told.password}
    status, answer = execute(operation(page, "login"), credentials)
    assert (status, answer["user"]["email"]) == (200, told.email)
