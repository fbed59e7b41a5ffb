"""The main flows in Firefox, which Playwright drives over WebDriver BiDi (firefox.py)."""

import re
import sys

import pytest
from playwright.sync_api import expect

from reservation.domain.people.links import Links
from tests import engines
from tests.browser import firefox as starter
from tests.browser.test_faults import site  # noqa: F401
from tests.browser.test_faults import test_errors_of_a_script_are_caught  # noqa: F401
from tests.browser.visitors import WORDS, book_as_zoe, move_and_cancel, signed_in
from tests.outboxes import SECRET


@pytest.fixture(scope="module")
def firefox(playwright, tmp_path_factory):
    engines.require("firefox-esr", "firefox-esr")
    program = tmp_path_factory.mktemp("firefox") / "firefox"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {starter.__file__} "$@"\n')
    program.chmod(0o755)
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path=program)
    yield browser
    browser.close()


@pytest.fixture
def browser(firefox):
    """Replaces the browser of `new_page`."""
    return firefox


def test_a_customer_finds_books_without_password_moves_and_cancels_by_the_link(
    serve, new_page, client, db, alice, salon, tuesday
):
    w = WORDS["en-GB"]
    page = new_page(serve().url, locale="en-GB")
    page.goto("")
    page.get_by_role("combobox", name=w["what"]).fill("coupe f")
    page.get_by_role("option", name="Coupe femme", exact=True).click()
    page.get_by_label(w["when"]).fill(tuesday.isoformat())
    page.get_by_role("main").get_by_role("button", name=w["search"]).click()
    page.locator(".offer .time", has_text="09:30").click()
    book_as_zoe(page, w, db)

    (booked,) = client.get("/api/reservations", token=alice.token).json
    token = Links(SECRET, "").token(booked["id"], "zoe@example.fr", 0)
    page.goto(f"rendez-vous#{token}")
    move_and_cancel(page, w, tuesday, "09:30")


def test_an_owner_sees_the_day_books_by_telephone_closes_half_an_hour_and_moves(
    serve, new_page, client, alice, salon, visit, tuesday
):
    page = new_page(serve().url, viewport={"width": 1280, "height": 1500})
    signed_in(page, alice)
    page.goto(f"gestion/{salon.id}/agenda?jour={tuesday}")
    expect(page.locator(".board .visit", has_text="Chloé Martin")).to_contain_text("10:00 – 10:30")
    entries = page.locator(".agenda-list")
    window = page.get_by_role("dialog")
    said = page.locator(".live")

    entries.get_by_role("button", name="Libre de 14:00 à 18:00").click()
    window.get_by_role("combobox", name="Client").fill("Zoé Picard")
    window.get_by_label("Téléphone").fill("06 11 22 33 44")
    window.get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    expect(said).to_contain_text("Rendez-vous pris pour Zoé Picard")
    expect(page.locator(".board .visit", has_text="Zoé Picard")).to_contain_text("14:00")

    page.get_by_role("button", name="Bloquer de 09:00 à 10:00").click()
    window.get_by_label("À", exact=True).fill("09:30")
    window.get_by_role("button", name="Bloquer ce créneau").click()
    expect(said).to_contain_text("Le créneau est bloqué")
    assert salon.free(tuesday)[0]["debut"][11:16] == "09:30"

    entries.get_by_role("button", name=re.compile("Chloé Martin")).click()
    window.get_by_role("button", name="Déplacer").click()
    window.get_by_role("button", name=re.compile("^11:00")).first.click()
    page.get_by_role("button", name="Déplacer le rendez-vous").click()
    expect(said).to_contain_text("est déplacé")
    kept = client.get("/api/reservations", token=alice.token).json
    assert sorted(one["debut"][11:16] for one in kept) == ["11:00", "14:00"]
