"""Keeps pictures of 15 main views, in light and in dark, in the folder `screenshots`, and says
which of them changed: `make screenshots`. The data are those of `reservation demo`."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from playwright.sync_api import expect

from reservation.demo import filling as demo
from reservation.storage import schema
from reservation.storage.database import connect, forget
from tests import pictures
from tests.browser import fixed_clock
from tests.browser.visitors import confirm, sign_in
from tests.conftest import ROUNDS
from tests.servers import Gunicorn

NOW = datetime(2026, 5, 19, 8, 20, tzinfo=UTC)  # a Tuesday morning
DAY = "2026-05-21"
FOLDER = Path(__file__).parents[2] / "screenshots"
LARGE = {"width": 1280, "height": 800}
SMALL = {"width": 390, "height": 844}


class Demo(Gunicorn):
    """`reservation serve` at the fixed time."""

    program = (fixed_clock.__file__, NOW.isoformat())


@pytest.fixture
def town(tmp_path, environ):
    """Returns the address of the demo, and who can log in."""
    db = connect(environ["RESERVATION_DATABASE_URL"])
    with time_machine.travel(NOW, tick=False):
        schema.create(db)
        accounts, _ = demo.fill(db, ROUNDS, now=int(NOW.timestamp()))
    forget(db)
    server = Demo(tmp_path, environ, fresh=True)
    yield server.url, {one.who: one for one in accounts}
    server.kill()


def picture(page, **options):
    """Returns a picture of the page in each colour scheme."""
    expect(page.locator(".waiting")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    page.mouse.move(0, 0)
    page.evaluate("document.querySelector('.live').style.visibility = 'hidden'")
    taken = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        taken[scheme] = pictures.reduced(page.screenshot(animations="disabled", **options))
    page.emulate_media(color_scheme="light")
    return taken


@pytest.fixture
def visitor(town, new_page):
    """Opens a page, in which somebody may be signed in."""
    url, accounts = town

    def start(address, who=""):
        page = new_page(url, viewport=LARGE)
        page.clock.set_fixed_time(NOW)
        page.goto(f"connexion?suite={address}" if who else address)
        if who:
            sign_in(page, accounts[who])
            expect(page.locator("[type=password]")).to_have_count(0)
        return page

    return start


def views(visitor):
    """Yields the name and the pictures of each view."""
    page = visitor("")
    yield "accueil", picture(page)
    page.goto(f"?q=Coupe+femme&ville=Lyon&jour={DAY}")
    expect(page.locator(".offer .time")).not_to_have_count(0)
    yield "recherche", picture(page)
    page.goto(f"entreprises/1?prestation=1&semaine={DAY}")
    times = page.locator(".week .time")
    expect(times).not_to_have_count(0)
    yield "entreprise", picture(page, full_page=True)
    page.set_viewport_size(SMALL)
    times.first.click()
    expect(page.get_by_role("tablist")).to_be_visible()
    yield "reserver", picture(page)

    page = visitor(f"entreprises/1?prestation=1&semaine={DAY}", "customer")
    page.set_viewport_size(SMALL)
    page.locator(".week .time").last.click()
    confirm(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est réservé !")
    yield "reserve", picture(page)
    page.goto("reservations")
    expect(page.locator(".booking")).not_to_have_count(0)
    yield "rendez-vous", picture(page)

    page = visitor("gestion/1/agenda?vue=jour", "owner")
    expect(page.locator(".board .visit")).not_to_have_count(0)
    yield "journee", picture(page)
    for view in ("semaine", "mois"):
        page.goto(f"gestion/1/agenda?vue={view}")
        expect(page.locator(".board .visit")).not_to_have_count(0)
        yield view, picture(page)
    page.goto("gestion/1/agenda?vue=semaine")
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    expect(page.get_by_role("combobox", name="Client")).to_be_visible()
    yield "appel", picture(page)
    for view in ("clients", "horaires", "chiffres"):
        page.goto(f"gestion/1/{view}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        yield view, picture(page)
    page.set_viewport_size(SMALL)
    page.goto("gestion/1/agenda?vue=jour")
    expect(page.locator(".board .visit")).not_to_have_count(0)
    yield "telephone", picture(page)

    page = visitor("admin/comptes", "admin")
    expect(page.get_by_role("table")).to_be_visible()
    yield "console", picture(page)


def test_the_kept_pictures_are_replaced_if_they_changed(visitor):
    for name, taken in views(visitor):
        for scheme, new in taken.items():
            path = FOLDER / f"{name}-{scheme}.webp"
            part = pictures.changed(path, new)
            if part > pictures.FEW:
                print(f"{path.name}: {part:.1%} of the pixels changed")
                new.save(path, lossless=True, quality=100)
