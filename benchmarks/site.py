"""The load times and transfer sizes of the booking site, measured in a real browser."""

import shutil
import statistics
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.rows import start
from benchmarks.servers import CannotMeasure, Limit
from reservation.demo import filling
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import connect

ROUNDS = 5
# The transfer size of a cached response is 0.
_LOADED = """() => {
  const all = performance.getEntries().filter((one) => one.transferSize > 0);
  return {
    requests: all.length,
    calls: all.filter((one) => one.name.includes('/api/')).length,
    kilobytes: all.reduce((sum, one) => sum + one.transferSize, 0) / 1000,
  };
}"""
_DRAWN = """() => new Promise((told) => new PerformanceObserver(
  (list) => told(list.getEntries().at(-1).startTime)
).observe({ type: 'largest-contentful-paint', buffered: true }))"""
_FORGET = "() => performance.clearResourceTimings()"


def limits(settings: Settings, folder: Path) -> list[Limit]:
    program = shutil.which("chromium")
    if program is None:
        raise CannotMeasure("there is no chromium")
    settings = replace(settings, database_url=f"sqlite:///{folder / 'site.db'}")
    customer = _town(settings)
    with ExitStack() as stack:
        host, port = start(settings, folder, stack).address
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program)
        url = f"http://{host}:{port}"
        first = [_first_view(browser, url) for _ in range(ROUNDS)]
        booked = [_booking(browser, url, customer) for _ in range(ROUNDS)]
        browser.close()

    def median(rounds: list[dict[str, float]], figure: str) -> float:
        return statistics.median(one[figure] for one in rounds)

    return [
        Limit("the first view: over the wire", median(first, "kilobytes"), 60, "kB"),
        Limit("the first view: requests", median(first, "requests"), 12, "requests"),
        # The threshold for "good" of web.dev/articles/lcp; there is no network latency here.
        Limit("the first view: largest paint after", median(first, "drawn"), 2500, "ms"),
        Limit("from a time to its confirmation: calls", median(booked, "calls"), 2, "calls"),
    ]


def _town(settings: Settings) -> filling.Credentials:
    """Creates the demo data; returns the credentials of a customer."""
    db = connect(settings.database_url)
    schema.create(db)
    (customer, *_), _ = filling.fill(db, filling.LEAST_ROUNDS, now=int(time.time()))
    db.close()
    return customer


def _page(browser: Browser, url: str) -> Page:
    """Opens a page in a new browser context, as for a first visit."""
    return browser.new_context(base_url=url, locale="fr-FR").new_page()


def _settled(page: Page) -> Any:
    page.wait_for_load_state("networkidle")
    return page.evaluate(_LOADED)


def _first_view(browser: Browser, url: str) -> dict[str, float]:
    page = _page(browser, url)
    page.goto("/")
    page.locator(".cards").wait_for()
    loaded = {**_settled(page), "drawn": page.evaluate(_DRAWN)}
    page.context.close()
    return loaded


def _booking(browser: Browser, url: str, customer: filling.Credentials) -> dict[str, float]:
    """Logs in, then measures the time from the click on a free time to the confirmation."""
    page = _page(browser, url)
    page.goto("/connexion?suite=entreprises/1")
    page.locator("[type=email]").fill(customer.email)
    page.locator("[type=password]").fill(customer.password)
    page.locator("form button.main").click()
    page.locator(".week .time").first.wait_for()
    _settled(page)
    page.evaluate(_FORGET)
    page.locator(".week .time").first.click()
    page.get_by_role("button", name="Confirmer le rendez-vous").click()
    page.locator("h1", has_text="C’est réservé").wait_for()
    loaded = _settled(page)
    page.context.close()
    return loaded
