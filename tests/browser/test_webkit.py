"""The main flows in WebKit, the engine of all browsers on iPhones, driven over WebDriver."""

import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import (
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests import engines
from tests.browser.conftest import PATIENCE
from tests.browser.visitors import WORDS
from tests.codes import issued

# Returns the first visible element that matches a selector and contains a text.
_FIND = """
const [selector, text] = arguments;
const says = (one) => one.innerText.replaceAll('\u00a0', ' ').includes(text);
const shown = (one) => one.checkVisibility() && says(one);
return [...document.querySelectorAll(selector)].find(shown) ?? null;
"""
_HEIGHTS = "return [document.querySelector('dialog[open]').clientHeight, innerHeight]"


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A display that nobody sees: WebKit has no headless mode."""
    engines.require("Xvfb", "xvfb")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
        server.terminate()


class Page:
    """What a visitor does and sees."""

    def __init__(self, driver: webdriver.WebKitGTK) -> None:
        self.driver = driver
        self.wait = WebDriverWait(driver, PATIENCE / 1000, ignored_exceptions=[
            ElementNotInteractableException,  # the page still scrolls
            StaleElementReferenceException,
        ])

    def find(self, selector: str, text: str) -> Any:
        return self.wait.until(lambda driver: driver.execute_script(_FIND, selector, text), text)

    def click(self, selector: str, text: str) -> None:
        def clicked(driver: webdriver.WebKitGTK) -> bool:
            found = self.find(selector, text)
            driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", found)
            found.click()
            return True

        self.wait.until(clicked, text)

    def fill(self, label: str, text: str) -> None:
        found = self.find("label", label)
        self.driver.execute_script("return arguments[0].control", found).send_keys(text)


@pytest.fixture
def page(display: str) -> Iterator[Page]:
    engines.require("WebKitWebDriver", "webkit2gtk-driver")
    # Without a language, the site is in French.
    ours = {"DISPLAY": display, "GDK_BACKEND": "x11", "LC_ALL": "C.UTF-8", "TZ": "Europe/Paris"}
    options = Options()
    options.add_argument("--automation")
    with webdriver.WebKitGTK(options, Service(env=os.environ | ours)) as driver:
        driver.set_window_size(440, 900)
        yield Page(driver)


def test_a_customer_finds_books_without_password_moves_and_cancels(
    serve, page, db, salon, tuesday
):
    w = WORDS["fr-FR"]
    page.driver.get(f"{serve().url}/?jour={tuesday}")
    page.fill(w["what"], "coupe f")
    page.click("[role=option]", "Coupe femme")
    page.click("main button", w["search"])
    page.click(".offer .time", "09:30")
    for label, text in (("first", "Zoé"), ("last", "Roux"), ("email", "zoe@example.fr")):
        page.fill(w[label], text)
    page.click("[role=tabpanel] button", w["get"])
    page.fill(w["code"], issued(db, "zoe@example.fr"))
    page.click("[role=tabpanel] button", w["go on"])
    page.click("main button", w["confirm"])
    page.find("h1", w["booked"])

    page.click("main button", w["move"])
    page.click(".week .time", "11:00")
    page.click("dialog button", w["sure"])
    page.find("main .facts", "11:00 – 11:30")
    page.click("main button", w["cancel"])
    page.find("dialog button", w["yes"])
    dialog, window = page.driver.execute_script(_HEIGHTS)
    assert dialog < window / 2  # no higher than its content
    page.click("dialog button", w["yes"])
    page.find(".badge", w["cancelled"])


def test_an_owner_signs_in_sees_the_day_and_books_for_a_caller(
    serve, page, client, alice, salon, visit, tuesday
):
    url = serve().url
    page.driver.get(f"{url}/connexion")
    page.click("[role=tab]", "Mot de passe")
    page.fill("Adresse e-mail", alice.email)
    page.fill("Mot de passe", alice.password)
    page.click("main form button", "Se connecter")
    page.find("h1", "Mes établissements")
    page.driver.get(f"{url}/gestion/{salon.id}/agenda?jour={tuesday}")
    page.find(".board .visit", "Chloé Martin")

    page.click("main button", "Nouveau rendez-vous")
    page.fill("Client", "Zoé Picard")
    page.fill("Téléphone", "06 11 22 33 44")
    page.click("dialog button", "Prendre rendez-vous")
    page.find(".live", "Zoé Picard")
    page.find(".board .visit", "Zoé Picard")
    kept = client.get("/api/reservations", token=alice.token).json
    assert sorted(one["client"]["nom"] for one in kept) == ["Martin", "Picard"]
