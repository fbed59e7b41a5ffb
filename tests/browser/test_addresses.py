"""Addresses with impossible values show a page that the visitor can use."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.owner import open_page
from tests.browser.visitors import facts, open_salon, sign_in

DAYS = ("2027-02-30", "2027-13-01", "9998-12-30", "0000-00-00", "abc")
NUMBERS = ("1e400", "1e30", "1.5", "-1", "99999999999999999999", "abc")


@pytest.mark.parametrize("day", DAYS)
def test_an_impossible_week_is_the_present_week(serve, new_page, salon, day):
    page = new_page(serve().url)
    week = page.locator("h3[aria-live]")
    page.goto(f"entreprises/{salon.id}?prestation={salon.coupe}")
    present = week.inner_text()
    open_salon(page, salon, day)
    expect(week).to_have_text(present)
    expect(page.locator(".week .time").first).to_be_visible()


def test_an_impossible_day_of_a_search_is_left_out(serve, new_page, salon):
    page = new_page(serve().url)
    page.goto("?q=&jour=2027-02-30")
    expect(page.locator(".offer")).to_have_count(1)


def test_an_impossible_day_of_the_calendar_is_today(serve, new_page, salon, alice):
    path = f"gestion/{salon.id}/agenda?vue=jour&jour="
    page = open_page(new_page, serve().url, alice, f"{path}2027-02-30")
    expect(page.get_by_role("button", name="Aujourd’hui")).to_be_visible()
    expect(page.locator(".board .ec-main")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="date")).to_have_count(0)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("others", ["creneau={}", "creneau={}&prestation=1", "prestation={}"])
def test_a_booking_without_a_possible_time_or_service_is_not_found(
    serve, new_page, faults, salon, number, others
):
    page = new_page(serve().url)
    page.goto(f"entreprises/{salon.id}/reserver?{others.format(number)}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page introuvable")


@pytest.mark.parametrize("number", NUMBERS)
def test_an_impossible_person_is_no_preference(serve, new_page, salon, tuesday, number):
    creneau = salon.at(tuesday, "10:00")
    page = new_page(serve().url)
    query = f"prestation={salon.coupe}&creneau={creneau}&jour={tuesday}&avec={number}"
    page.goto(f"entreprises/{salon.id}/reserver?{query}")
    expect(facts(page)).to_contain_text("10:00")


def test_a_page_for_accounts_is_shown_after_signing_in_with_safari_16(serve, new_page, chloe):
    page = new_page(serve().url)
    page.add_init_script("delete URLSearchParams.prototype.size; delete URL.canParse")
    page.goto("reservations?passees=1")
    sign_in(page, chloe)
    expect(page).to_have_url(re.compile(r"/reservations\?passees=1$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Mes rendez-vous")
