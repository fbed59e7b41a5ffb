"""Chromium with a real server. Each page is watched for faults (faults.py)."""

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from reservation.demo import filling as demo
from reservation.storage import schema
from reservation.storage.database import connect, forget
from tests import engines
from tests.browser.faults import Faults
from tests.browser.owner import open_page
from tests.conftest import ROUNDS, Person, Salon
from tests.servers import Gunicorn

# The first installed browser is used. The shell needs a quarter of the CPU time for a page.
BROWSERS = ("chromium-headless-shell", "chromium")
PATIENCE = 30_000  # ms, for a busy machine
PUBLIC = "agenda.example"  # browsers treat 127.0.0.1 as a special case
# Only this name is resolved: no request leaves the machine.
ALONE = f"--host-resolver-rules=MAP {PUBLIC} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
# A page that is drawn in a few large tiles takes a tenth less CPU time.
LARGE_TILES = ("--default-tile-width=2048", "--default-tile-height=2048")


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(engines.on_sqlite)  # the site works alike on each database


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One browser for all tests of this folder."""
    program = next(filter(None, map(shutil.which, BROWSERS)), BROWSERS[0])
    engines.require(program, BROWSERS[0])
    browser = playwright.chromium.launch(executable_path=program, args=[ALONE, *LARGE_TILES])
    yield browser
    browser.close()


@pytest.fixture
def browser(chromium: Browser) -> Browser:
    """The browser of `new_page`, which test_firefox.py replaces."""
    return chromium


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
def new_page(
    browser: Browser, faults: Faults, serve: Callable[..., Gunicorn]
) -> Iterator[Callable[..., Page]]:
    """Opens a blank page in a context of its own: new_page(server.url, color_scheme="dark").

    Animations are off, which saves time; reduced_motion="no-preference" turns them on. Addresses
    are relative to the server's: page.goto("docs"). The test fails if the page commits a fault;
    faults.allow(409) allows a refusal. `serve` is named so that pages close before their server.
    """
    contexts = []

    def start(url: str, locale: str = "fr-FR", **options: Any) -> Page:
        options.setdefault("service_workers", "block")
        options.setdefault("reduced_motion", "reduce")
        options.setdefault("timezone_id", "Europe/Paris")
        context = browser.new_context(base_url=f"{url}/", locale=locale, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        faults.listen(context)
        return context.new_page()

    yield start
    try:
        faults.check()
    finally:
        for context in contexts:
            context.close()


@pytest.fixture
def agenda(
    serve: Callable[..., Gunicorn], new_page: Callable[..., Page], salon: Salon, alice: Person,
    tuesday: date,
) -> Callable[..., Page]:
    """Opens the calendar of Tuesday as Alice."""

    def show(view: str = "jour", of: Salon = salon, **options: Any) -> Page:
        options.setdefault("viewport", {"width": 1280, "height": 1500})
        path = f"gestion/{of.id}/agenda?vue={view}&jour={tuesday}"
        page = open_page(new_page, serve().url, alice, path, **options)
        if view != "liste":
            expect(page.locator(".board .ec-main")).to_be_visible()
        return page

    return show


@dataclass
class Town:
    """The database of `reservation demo`, and who can log in: "customer", "owner", "admin"."""

    file: Path
    accounts: dict[str, demo.DemoAccount]


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Town:
    file = tmp_path_factory.mktemp("town") / "reservation.db"
    db = connect(f"sqlite:///{file}")
    schema.create(db)
    db.pragma("synchronous", "off")
    printed, _ = demo.fill(db, ROUNDS, now=int(time.time()))
    forget(db)
    return Town(file, {account.who: account for account in printed})


@pytest.fixture
def serve_town(
    town: Town, serve: Callable[..., Gunicorn], tmp_path: Path
) -> Callable[..., Gunicorn]:
    """`serve` with a copy of the town as database."""
    copy = shutil.copy(town.file, tmp_path / "town.db")
    return partial(serve, DATABASE_URL=f"sqlite:///{copy}")
