"""The suggestions of customers in the owner's form for a new booking."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import said, window
from tests.conftest import ROSE

MARIE = {"nom": "Dupont", "prenom": "Marie Claire", "email": "", "telephone": "06 11 22 33 44"}


@pytest.fixture
def records(client, alice, salon):
    """Returns the customers of the salon, by name."""
    path = f"/api/entreprises/{salon.id}/clients"
    return lambda: client.get(path, token=alice.token).json


def book_for(page, typed, suggestion):
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    page.get_by_role("combobox", name="Client").fill(typed)
    page.get_by_role("option", name=suggestion).click()


def confirm(page):
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()


@pytest.mark.parametrize("email", ["", "marie@example.fr"], ids=["telephone", "email"])
def test_a_suggested_customer_with_a_compound_first_name_is_booked_unchanged(
    agenda, salon, alice, records, tuesday, email
):
    salon.book(alice, salon.at(tuesday, "09:00"), client={**MARIE, "email": email})
    (before,) = records()
    page = agenda()
    book_for(page, "dup", f"Marie Claire Dupont · {email or MARIE['telephone']}")
    expect(page.get_by_label("Téléphone")).to_have_value(MARIE["telephone"])
    confirm(page)
    said(page, "Rendez-vous pris pour Marie Claire Dupont")
    assert records() == [{**before, "aVenir": 2}]
    book_for(page, "marie", re.compile("Marie Claire Dupont"))
    renames = window(page).get_by_text("C’est l’adresse de Marie Claire Dupont")
    expect(renames).to_be_hidden()
    page.get_by_role("combobox", name="Client").fill("Rose Petit")
    expect(renames).to_be_visible(visible=bool(email))
    confirm(page)
    said(page, "Rendez-vous pris pour Rose Petit")
    assert {(one["prenom"], one["nom"]) for one in records()} == (
        {("Rose", "Petit")} if email else {("Marie Claire", "Dupont"), ("Rose", "Petit")}
    )


def test_a_customer_without_a_booking_is_suggested_and_an_erased_one_is_not(
    agenda, client, salon, alice, records
):
    path = f"/api/entreprises/{salon.id}/clients"
    erased = client.post(path, {**MARIE, "nom": "Clide"}, 201, token=alice.token).json["id"]
    client.delete(f"/api/clients/{erased}", 204, token=alice.token)
    client.post(path, {**MARIE, "nom": "Clientis"}, 201, token=alice.token)
    page = agenda()
    page.get_by_role("button", name="Nouveau rendez-vous").click()
    page.get_by_role("combobox", name="Client").fill("clien")
    suggested = page.locator("[role=option]")
    expect(suggested).to_have_text([re.compile("^Marie Claire Clientis")])
    suggested.click()
    confirm(page)
    said(page, "Rendez-vous pris pour Marie Claire Clientis")
    assert sorted(one["nom"] for one in records()) == ["Client effacé", "Clientis"]


def test_staff_are_suggested_the_customers_of_their_bookings(
    serve, new_page, client, salon, alice, lina, staff, tuesday
):
    salon.book(alice, salon.at(tuesday, "09:00"), client=ROSE, ressourceId=staff)
    path = f"gestion/{salon.id}/agenda?jour={tuesday}"
    page = open_page(new_page, serve().url, lina, path, "student")
    held = []
    page.route(re.compile("recentes=1"), lambda route: held.append(route))
    page.locator(".gap-row button").first.click()
    page.get_by_role("combobox", name="Client").fill("pet")
    page.wait_for_timeout(400)  # typed before the customers are read
    held.pop().continue_()
    page.get_by_role("option", name="Rose Petit · rose@example.fr").click()
    expect(page.get_by_label("Téléphone")).to_have_value("06 11")
