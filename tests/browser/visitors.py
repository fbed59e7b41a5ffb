"""What visitors do and see on the site."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.codes import issued

WORDS = {
    "fr-FR": {
        "what": "Quoi ?", "where": "Où ?", "when": "Quand ?", "search": "Rechercher",
        "first": "Prénom", "last": "Nom", "email": "Adresse e-mail", "get": "Recevoir un code",
        "code": "Code à 6 chiffres", "go on": "Continuer",
        "confirm": "Confirmer le rendez-vous", "booked": "C’est réservé !",
        "calendar": "Ajouter à mon agenda", "move": "Déplacer",
        "sure": "Déplacer le rendez-vous", "moved": "est déplacé",
        "cancel": "Annuler le rendez-vous", "yes": "Oui, annuler", "cancelled": "Annulé",
    },
    "en-GB": {
        "what": "What?", "where": "Where?", "when": "When?", "search": "Search",
        "first": "First name", "last": "Last name", "email": "E-mail address",
        "get": "Send me a code", "code": "6-digit code", "go on": "Continue",
        "confirm": "Confirm booking", "booked": "You’re booked!",
        "calendar": "Add to calendar", "move": "Reschedule",
        "sure": "Reschedule booking", "moved": "has been rescheduled",
        "cancel": "Cancel booking", "yes": "Yes, cancel", "cancelled": "Cancelled",
    },
}  # fmt: skip


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


def book_as_zoe(page: Page, w: dict[str, str], db) -> None:
    """Books the chosen time as Zoé, who signs in with a code. `w` is an entry of WORDS."""
    for label, text in (("first", "Zoé"), ("last", "Roux"), ("email", "zoe@example.fr")):
        page.get_by_label(w[label], exact=True).fill(text)
    page.get_by_role("tabpanel").get_by_role("button", name=w["get"]).click()
    page.get_by_label(w["code"]).fill(issued(db, "zoe@example.fr"))
    page.get_by_role("tabpanel").get_by_role("button", name=w["go on"]).click()
    page.get_by_role("button", name=w["confirm"]).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(w["booked"])


def move_and_cancel(page: Page, w: dict[str, str], day, time: str) -> None:
    """Moves the booking on the page from `time` to 11:00 of the same day, then cancels it."""
    page.get_by_role("button", name=w["move"], exact=True).click()
    pick(page, day, "11:00")
    expect(window(page)).to_contain_text(re.compile(f"{time}.*11:00"))
    page.get_by_role("button", name=w["sure"]).click()
    expect(page.get_by_role("status").filter(has_text=w["moved"])).to_be_visible()
    expect(facts(page)).to_contain_text("11:00 – 11:30")
    page.get_by_role("button", name=w["cancel"]).click()
    page.get_by_role("button", name=w["yes"]).click()
    expect(page.locator(".badge")).to_have_text(w["cancelled"])
