"""What visitors do and see on the site."""

import re

from playwright.sync_api import Locator, Page, expect


def open_salon(page: Page, salon, day, prestation=None) -> None:
    page.goto(f"entreprises/{salon.id}?prestation={prestation or salon.coupe}&semaine={day}")


def pick(page: Page, day, time: str) -> None:
    """Clicks a free time of the week."""
    times = page.locator(".week > li").filter(has_text=re.compile(rf"\b{day.day}\b"))
    times.locator(".time", has_text=time).first.click()


def facts(page: Page) -> Locator:
    """The booking of the page. A dialog that is about to close can show facts of its own."""
    return page.locator(".facts:not(dialog .facts)")


def window(page: Page) -> Locator:
    return page.get_by_role("dialog")


def said(page: Page, text: str) -> None:
    """Checks that the page announces the text."""
    expect(page.locator(".live")).to_contain_text(text)


def by_password(page: Page) -> None:
    page.get_by_role("tab", name=re.compile("^(Mot de passe|Password)$")).click()


def by_code(page: Page) -> None:
    page.get_by_role("tab", name=re.compile("^(Par code|Use a code)$")).click()


def sign_in(page: Page, person) -> None:
    """Fills in the form that is open, with the password."""
    by_password(page)
    page.get_by_label("Adresse e-mail").fill(person.email)
    page.get_by_label("Mot de passe", exact=True).fill(person.password)
    page.get_by_role("main").get_by_role("button", name="Se connecter").click()


def signed_in(page: Page, person) -> None:
    """Signs in on the page for it."""
    page.goto("connexion")
    sign_in(page, person)
    expect(page.get_by_role("link", name="Mes rendez-vous")).to_be_visible()


def confirm(page: Page):
    page.get_by_role("button", name="Confirmer le rendez-vous").click()
