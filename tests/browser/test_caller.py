"""A booking for a caller without e-mail, and the messages that cannot be sent."""

import re

import pytest
from playwright.sync_api import expect

from reservation.domain.outbox.holding import UNPROVEN
from tests.browser.accessibility import wrong_with
from tests.browser.owner import open_page
from tests.browser.visitors import said, sign_in
from tests.clock import now
from tests.conftest import prove

WORDS = {
    "fr-FR": {
        "new": "Nouveau rendez-vous", "customer": "Client", "email": "Adresse e-mail",
        "phone": "Téléphone", "book": "^Prendre rendez-vous", "unreachable": "Il faut",
        "booked": "Rendez-vous pris pour Rose Petit", "not sent": "Non envoyé",
        "why": "prévenez-le par téléphone", "held": "Suspendus",
        "confirm": "Confirmer mon adresse", "see": "Voir le rendez-vous",
        "shown": "Visible par le client.",
    },
    "en-GB": {
        "new": "New booking", "customer": "Customer", "email": "E-mail address",
        "phone": "Phone", "book": "^Book", "unreachable": "is needed",
        "booked": "Booked for Rose Petit", "not sent": "Not sent",
        "why": "let them know by phone", "held": "On hold", "confirm": "Confirm my address",
        "see": "See the booking", "shown": "Shown to the customer.",
    },
}  # fmt: skip


@pytest.fixture
def new_booking(serve, new_page, salon, alice, tuesday):
    """Opens the owner's form for a new booking, and types the name of a customer."""

    def begin(locale, name):
        w, path = WORDS[locale], f"gestion/{salon.id}/agenda?jour={tuesday}"
        page = open_page(new_page, serve().url, alice, path, locale=locale)
        page.get_by_role("button", name=w["new"], exact=True).click()
        page.get_by_role("dialog").get_by_role("combobox", name=w["customer"]).fill(name)
        return page

    return begin


@pytest.mark.parametrize("locale", WORDS)
def test_a_caller_needs_a_telephone_or_an_address_and_the_owner_sees_what_is_not_sent(
    new_booking, client, db, salon, alice, chloe, tuesday, locale
):
    w, page = WORDS[locale], new_booking(locale, "Rose Petit")
    window = page.get_by_role("dialog")
    window.get_by_role("button", name=re.compile(w["book"])).click()
    email = window.get_by_label(w["email"])
    expect(email).to_be_focused()
    expect(email).to_have_accessible_description(re.compile(w["unreachable"]))
    window.get_by_label(w["phone"]).fill("06 11 22 33 44")
    assert list(wrong_with(page, [(390, "light"), (1280, "dark")])) == []
    window.get_by_role("button", name=re.compile(w["book"])).click()
    said(page, w["booked"])

    salon.book(chloe, salon.at(tuesday, "11:00"))
    held = "UPDATE eventemail SET statut = 'retenu', derniere_erreur = ? WHERE destinataire = ?"
    db.write(held, UNPROVEN, chloe.email)
    page.goto(f"gestion/{salon.id}/messages?statut=abandonne")
    mail = page.get_by_role("row").filter(has_text=w["why"])
    expect(page.get_by_role("row")).to_have_count(2)  # with the headings
    expect(mail.locator(".badge")).to_have_text(w["not sent"])
    expect(mail.get_by_role("button")).to_have_count(0)
    mail.get_by_role("link", name=w["see"]).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rose Petit")
    page.go_back()
    page.locator(".toolbar select").first.select_option(label=w["held"])
    links = page.get_by_role("row").get_by_role("link", name=w["confirm"])
    expect(links).to_have_count(2)  # the confirmation and the reminder
    assert list(wrong_with(page, [(390, "dark"), (1280, "light")])) == []


def test_a_chosen_customer_who_gives_an_address_keeps_the_record(
    new_booking, client, salon, alice
):
    path = f"/api/entreprises/{salon.id}/clients"
    rose = {"nom": "Petit", "prenom": "Rose", "telephone": "06 11 22 33 44"}
    made = client.post(path, rose, 201, token=alice.token).json
    page = new_booking("fr-FR", "Ros")
    window = page.get_by_role("dialog")
    window.get_by_role("option", name="Rose Petit").click()
    window.get_by_label("Adresse e-mail").fill("rose@example.fr")
    window.get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    said(page, "Rendez-vous pris pour Rose Petit")
    (known,) = client.get(path, token=alice.token).json
    assert (known["id"], known["email"], known["aVenir"]) == (made["id"], "rose@example.fr", 1)


@pytest.mark.parametrize("locale", WORDS)
def test_a_note_of_the_owner_is_not_shown_as_the_words_of_the_customer(
    new_booking, new_page, db, chloe, locale
):
    prove(db, chloe.id)
    w, page = WORDS[locale], new_booking(locale, "Chloé Martin")
    window = page.get_by_role("dialog")
    window.get_by_label(w["email"]).fill(chloe.email)
    note = window.get_by_label("Note")
    note.fill("Prévoir une serviette")
    assert list(wrong_with(page, [(390, "dark")])) == []
    window.get_by_role("button", name=re.compile(w["book"])).click()
    said(page, "Chloé Martin")
    url = page.url.partition("/gestion")[0]
    seen = open_page(new_page, url, chloe, "reservations/1", "student", locale=locale)
    expect(seen.locator(".facts > div", has_text="serviette").locator("dt")).to_have_text("Note")
    page.get_by_role("button", name=w["new"], exact=True).click()
    expect(note).to_have_accessible_description(w["shown"])


def test_an_owner_whose_address_is_proven_sends_the_held_messages(
    serve, new_page, db, salon, alice, chloe, tuesday
):
    """A sign-in with a code proves the address, but releases no messages."""
    salon.book(chloe, salon.at(tuesday, "11:00"))
    db.write("UPDATE eventemail SET statut = 'retenu', derniere_erreur = ?", UNPROVEN)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/messages?statut=retenu")
    held = page.get_by_role("row").filter(has_text="votre adresse n’était pas confirmée")
    held.get_by_role("button", name=re.compile("Confirmation")).click()
    said(page, f"L’e-mail va être renvoyé à {chloe.email}")


def test_the_owner_is_asked_for_no_note_that_no_e_mail_would_carry(
    serve, new_page, salon, alice, tuesday
):
    rose = {"nom": "Petit", "telephone": "06 11 22 33 44"}
    salon.book(alice, salon.at(tuesday, "10:00"), client=rose)
    path = f"gestion/{salon.id}/agenda?vue=liste&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    window, note = page.get_by_role("dialog"), page.get_by_label("Un mot pour le client")
    page.locator(".visit-row button").click()
    for button, back in (("Annuler le rendez-vous", "Retour"), ("Déplacer", "Autre horaire")):
        window.get_by_role("button", name=button, exact=True).click()
        if button == "Déplacer":
            window.locator(".time", has_text="11:00").first.click()
        expect(window).to_contain_text("pensez à le prévenir")
        expect(note).to_have_count(0)
        window.get_by_role("button", name=back).click()


def test_the_owner_is_asked_for_no_note_about_a_visit_that_is_over(
    serve, new_page, db, salon, alice, chloe, tuesday
):
    visit = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    shift = "UPDATE reservation SET debut = ?, fin = ?, occupe_debut = ?, occupe_fin = ?"
    start, end = now() - 7200, now() - 3600
    db.write(shift, start, end, start, end)
    page = open_page(new_page, serve().url, alice, f"reservations/{visit}")
    page.get_by_role("button", name="Annuler le rendez-vous").click()
    expect(page.get_by_role("button", name="Oui, annuler")).to_be_visible()
    expect(page.get_by_label("Un mot pour le client")).to_have_count(0)


def test_a_business_opens_with_a_limit_of_upcoming_bookings_that_its_rules_change(
    serve, new_page, client, alice
):
    page = new_page(serve().url)
    page.goto("connexion")
    sign_in(page, alice)
    most = page.get_by_label("Rendez-vous à venir par client")
    expect(most).to_have_value("5")
    page.get_by_label("Nom de l’établissement").fill("Salon")
    page.get_by_role("combobox", name="Ville").fill("Lyon")
    page.get_by_role("button", name="Continuer").click()
    expect(page.get_by_label("Nom de la prestation")).to_be_visible()

    def entreprise():
        return client.get("/api/compte/entreprises", token=alice.token).json[0]

    assert entreprise()["maxAVenir"] == 5
    page.goto(f"gestion/{entreprise()['id']}/regles")
    expect(page.get_by_text("au plus 5 rendez-vous à venir")).to_be_visible()
    rules = page.get_by_role("main")
    for text, number in (("2", 2), ("", None)):
        most.fill(text)
        with page.expect_response("**/api/entreprises/*"):
            rules.get_by_role("button", name="Enregistrer").click()
        expect(most).to_have_value(text)
        assert entreprise()["maxAVenir"] == number
        told = new_page(page.url.partition("/gestion")[0])
        told.goto(f"entreprises/{entreprise()['id']}")
        expect(told.get_by_role("heading", name="Informations")).to_be_visible()
        rule = told.get_by_text(f"Au plus {number} rendez-vous à venir par client")
        expect(rule).to_have_count(1 if number else 0)
    expect(page.get_by_text("rendez-vous à venir.")).to_have_count(0)
