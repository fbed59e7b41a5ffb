"""Bounds on the work of one request: long calendars and wide searches are done in parts."""

import math
import re
import time
from contextlib import contextmanager
from datetime import date, timedelta
from urllib.parse import urlencode

import pytest

from reservation.domain.budget import Budget
from reservation.domain.calendar import availability, calendar, reconciling
from reservation.domain.catalogue import offers
from reservation.domain.planning import businesses, hours, replanning
from tests.conftest import WEEK
from tests.races.soundness import assert_sound

EVERY_FIVE_MINUTES = [
    {"jour": jour, "debut": "00:00", "fin": "24:00", "pasMinutes": 5} for jour in range(1, 8)
]
EVERY_TEN_MINUTES = [{**row, "pasMinutes": 10} for row in EVERY_FIVE_MINUTES]
EVERY_HALF_HOUR = [{**row, "pasMinutes": 30} for row in EVERY_FIVE_MINUTES]
LATE = [{**row, "debut": "23:00"} for row in EVERY_HALF_HOUR]
SPENT = Budget(-1, 0)


@pytest.fixture(autouse=True)
def rich(monkeypatch):
    """Gives every request an unlimited budget, so that a slow machine cuts no request."""
    monkeypatch.setattr(Budget.__init__, "__defaults__", (math.inf, 0))


@pytest.fixture
def slices(monkeypatch):
    """Returns a list of the number of slots that each slice changes."""
    sizes = []
    inner = reconciling.rebuild

    def rebuild(*args):
        done = inner(*args)
        sizes.append(sum(map(len, done)))
        return done

    monkeypatch.setattr(reconciling, "rebuild", rebuild)
    return sizes


@contextmanager
def broke():
    """Gives every request a spent budget."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Budget.__init__, "__defaults__", (-1.0, 0))
        yield


@contextmanager
def one_step_each():
    """Gives every request a budget of one step."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Budget.__init__, "__defaults__", (-1.0, 1))
        yield


@pytest.fixture
def put(client, salon, alice):
    def put(week, **query):
        path = f"/api/entreprises/{salon.id}/semainetype?{urlencode(query)}"
        return client.put(path, week, token=alice.token).json

    return put


def next_of(answer):
    """Returns the target of the `next` link, None without a link."""
    link = re.fullmatch(r'<(.*)>; rel="next"', answer.headers.get("Link", ""))
    return link and link[1]


def test_a_long_calendar_is_made_and_changed_in_short_transactions(
    slices, salon, put, tuesday, db
):
    put(EVERY_FIVE_MINUTES)
    salon.free(tuesday + timedelta(days=20))
    assert len(slices) > 10 and max(slices) <= calendar.SLICE
    slices.clear()
    done = put(EVERY_HALF_HOUR)["creneaux"]
    # Slots are removed or added, never both.
    assert len(slices) > 10 and max(slices) <= 1.5 * calendar.SLICE
    assert "jusqua" not in done and sum(slices) == done["ajoutes"] + done["supprimes"]
    assert_sound(db)


def test_a_new_week_is_in_force_at_once_however_little_of_the_calendar_follows(
    salon, put, chloe, tuesday, db
):
    put(EVERY_FIVE_MINUTES)
    old = salon.free(tuesday)
    with broke():
        cut = put(LATE)["creneaux"]
    assert old[0]["debut"] > cut["jusqua"]
    salon.book(chloe, old[0]["id"], expect=409)
    assert [one["debut"][11:16] for one in salon.free(tuesday)] == ["23:00", "23:30"]
    assert_sound(db)


def test_a_slot_beyond_the_mark_is_not_booked_before_it_is_brought_into_line(
    salon, chloe, put, tuesday, db
):
    put(EVERY_FIVE_MINUTES)
    old = salon.free(tuesday)
    with broke():
        put(LATE)
        refused = salon.book(chloe, old[0]["id"], expect=503)
    assert refused["code"] == "calendar_not_ready"
    assert db.rows("SELECT COUNT(*) FROM reservation") == [(0,)]


def test_a_booking_that_comes_between_two_slices_waits_for_its_own(
    salon, put, chloe, tuesday, db, monkeypatch
):
    """A customer who saw the old week books after the first slice."""
    put(EVERY_FIVE_MINUTES)
    creneau = salon.free(tuesday)[1]["id"]  # 00:05, which is no start in the new week
    inner, refused = replanning._finish, []

    def book_first(*args):
        refused.append(salon.book(chloe, creneau, expect=409))
        inner(*args)

    monkeypatch.setattr(replanning, "_finish", book_first)
    put(EVERY_HALF_HOUR)
    assert len(refused) == 1
    assert_sound(db)


def test_a_booking_whose_calendar_falls_behind_meanwhile_waits_for_it(
    salon, put, chloe, tuesday, db, monkeypatch
):
    """The owner changes the week after the first look at the slot."""
    put(EVERY_FIVE_MINUTES)
    creneau = salon.free(tuesday)[1]["id"]  # 00:05, which is no start in the new week
    inner = calendar.run

    def run(*args):
        with broke():
            assert "jusqua" in put(EVERY_HALF_HOUR)["creneaux"]
        return inner(*args)

    monkeypatch.setattr(calendar, "run", run)
    salon.book(chloe, creneau, expect=409)
    assert_sound(db)


def test_a_plan_that_changes_again_between_two_slices_is_the_one_that_stays(
    salon, put, tuesday, db, monkeypatch
):
    put(EVERY_FIVE_MINUTES)
    salon.free(tuesday)
    inner = replanning._finish

    def change_first(*args):
        monkeypatch.setattr(replanning, "_finish", inner)
        put(WEEK)
        inner(*args)

    monkeypatch.setattr(replanning, "_finish", change_first)
    assert "jusqua" in put(EVERY_HALF_HOUR)["creneaux"]
    assert [one["debut"][11:16] for one in salon.free(tuesday)][:2] == ["09:00", "09:30"]
    assert len(salon.free(tuesday)) == 14
    assert_sound(db)


def test_the_bookings_that_a_week_strands_are_listed_however_far_the_calendar_follows(
    salon, put, chloe, tuesday
):
    put(EVERY_FIVE_MINUTES)
    days = [tuesday + timedelta(days=number) for number in (0, 7, 14)]
    booked = [salon.book(chloe, salon.free(day)[100]["id"])["id"] for day in days]
    with broke():
        tried = put(LATE, essai=1)
        done = put(LATE)
    assert [one["id"] for one in tried["reservationsTouchees"]] == booked
    assert "jusqua" in done["creneaux"]
    assert [one["id"] for one in done["reservationsTouchees"]] == booked


def test_a_week_that_changes_before_the_last_one_is_followed_strands_what_both_do(
    salon, put, chloe, tuesday
):
    put(EVERY_FIVE_MINUTES)
    days = [tuesday + timedelta(days=number) for number in (0, 7, 14)]
    booked = [salon.book(chloe, salon.free(day)[144]["id"])["id"] for day in days]
    with broke():
        assert "jusqua" in put(EVERY_TEN_MINUTES)["creneaux"]
        tried = put([], essai=1)
        done = put([])
    for answer in (tried, done):
        assert [one["id"] for one in answer["reservationsTouchees"]] == booked
        assert "jusqua" in answer["creneaux"]


def test_a_rehearsal_says_how_far_it_looked(salon, put, tuesday, monkeypatch):
    put(EVERY_FIVE_MINUTES)
    salon.free(tuesday)
    assert "jusqua" not in put(EVERY_HALF_HOUR, essai=1)["creneaux"]
    monkeypatch.setattr(replanning, "REHEARSED", 100)
    assert "jusqua" in put(EVERY_HALF_HOUR, essai=1)["creneaux"]


def test_a_calendar_is_made_by_one_request_after_the_other(
    salon, client, tuesday, monkeypatch
):
    """Each request continues where the previous request stopped."""
    path = f"/api/entreprises/{salon.id}/creneaux?du={tuesday}&prestation={salon.coupe}"
    monkeypatch.setattr(calendar, "SLICE", 1)
    steps = 0
    with one_step_each():
        while (answer := client.get(path, expect="*")).status_int == 503:
            steps += 1
    assert steps > 5
    assert answer.json[0]["debut"].startswith(str(tuesday))


def test_a_calendar_that_is_not_ready_says_when_to_ask_again(salon, client, tuesday):
    path = f"/api/entreprises/{salon.id}/creneaux?du={tuesday}&prestation={salon.coupe}"
    with broke():
        answer = client.get(path, expect=503)
    assert answer.headers["Retry-After"]
    assert "calendar" in answer.json["error"]


def test_how_full_a_calendar_is_waits_for_no_long_calendar(salon, client, alice):
    with broke():
        client.get(f"/api/entreprises/{salon.id}/occupation", 503, token=alice.token)


def test_the_past_of_a_calendar_that_nobody_has_looked_at_is_not_made(salon, client, alice, db):
    """Each slice would be a transaction without effect."""
    path = f"/api/entreprises/{salon.id}/occupation?du=1977-11-30&au=1977-11-30"
    before = businesses.get(db, salon.id).calendrier_version
    client.get(path, token=alice.token)
    assert businesses.get(db, salon.id).calendrier_version == before


def test_prochain_says_where_to_go_on(salon, client, tuesday):
    path = f"/api/entreprises/{salon.id}/creneaux?prestation={salon.coupe}&prochain=1"
    salon.free(tuesday + timedelta(days=28))
    first = client.get(path).json
    with broke():
        cut = client.get(path)
    assert cut.json == []
    assert client.get(next_of(cut)).json == first


def test_prochain_goes_on_after_the_last_date_too(make_salon, alice, client, tuesday):
    salon = make_salon(alice, delaiReservation=20 * 1440)
    salon.free(tuesday + timedelta(days=35))
    path = f"/api/entreprises/{salon.id}/creneaux?prestation={salon.coupe}&prochain=1"
    path += f"&du={date.today()}&au={date.today()}"
    first = client.get(path).json
    with broke():
        cut = client.get(path)
    assert cut.json == []
    assert client.get(next_of(cut)).json == first != []


def everyone_free(client, day, **query):
    """Returns the businesses of all pages of a search, and the length of each page."""
    url = f"/api/entreprises?{urlencode({'disponible': day, **query})}"
    found, pages = [], []
    while url:
        answer = client.get(url)
        found += [one["id"] for one in answer.json]
        pages.append(len(answer.json))
        url = next_of(answer)
        assert len(pages) < 50
    return found, pages


def add_buffers(client, salon):
    """Adds a buffer to each service, so that a search must judge the slots. Returns the salon."""
    for number, minutes in ((salon.coupe, 30), (salon.couleur, 90)):
        body = {"nom": "Soin", "dureeMinutes": minutes, "tamponApres": 5, "version": 1}
        client.put(f"/api/prestations/{number}", body, token=salon.owner.token)
    return salon


@pytest.mark.parametrize("cap", ["MOST_SEARCHED", "_MOST_OF_BLOCK"])
@pytest.mark.parametrize("limit", [1, 2, 50])
def test_a_search_that_is_cut_finds_everyone_once_by_pages(
    make_salon, alice, client, tuesday, monkeypatch, cap, limit
):
    salons = [add_buffers(client, make_salon(alice)).id for _ in range(5)]
    monkeypatch.setattr(offers, cap, 2 if cap == "MOST_SEARCHED" else 40)
    found, pages = everyone_free(client, tuesday, limite=limit)
    assert sorted(found) == salons
    assert len(pages) > 1


def test_a_block_of_a_search_holds_so_many_businesses_at_most(
    db, make_salon, alice, tuesday, monkeypatch
):
    for _ in range(3):
        make_salon(alice)
    monkeypatch.setattr(offers, "MOST_SEARCHED", 2)
    found, _ = offers.page(
        db, q="", ville="", prestation="", day=tuesday, after=None, most=50, now=int(time.time())
    )
    assert len(found) == 2


def test_a_search_whose_time_is_spent_goes_on_with_the_next_page(
    make_salon, alice, client, tuesday, monkeypatch
):
    """The first block has no free business: the empty page links to the next page."""
    for _ in range(2):
        make_salon(alice, [])
    open_ = make_salon(alice).id
    everyone_free(client, tuesday)  # creates the calendars
    monkeypatch.setattr(offers, "MOST_SEARCHED", 2)
    assert everyone_free(client, tuesday) == ([open_], [1])
    with broke():
        assert everyone_free(client, tuesday) == ([open_], [0, 1])


def test_a_search_that_must_make_calendars_ends_where_its_time_does(
    make_salon, alice, client, tuesday
):
    """Only the first business has a calendar: the second is on the next page."""
    salons = [make_salon(alice) for _ in range(3)]
    salons[0].free(tuesday)
    with broke():
        answer = client.get(f"/api/entreprises?disponible={tuesday}")
    assert [one["id"] for one in answer.json] == [salons[0].id]
    rest, _ = everyone_free(client, tuesday)
    assert sorted(rest) == [one.id for one in salons]
    assert [one["id"] for one in client.get(next_of(answer)).json] == [
        one.id for one in salons[1:]
    ]


def test_of_many_long_services_a_search_looks_at_the_shortest(
    salon, client, alice, tuesday, monkeypatch
):
    add_buffers(client, salon)
    seen = []
    inner = availability.free_starts

    def counting(slots, visit, *args, **how):
        seen.append(visit.length)
        return inner(slots, visit, *args, **how) and []

    monkeypatch.setattr(availability, "free_starts", counting)
    monkeypatch.setattr(offers, "_MOST_OF_ONE", 1)
    client.get(f"/api/entreprises?disponible={tuesday}")
    assert seen == [30 * 60]


def test_a_slice_that_another_change_overtakes_counts_nothing_twice(db, salon, tuesday):
    """Two processes extend the same calendar: only one of them moves the mark."""
    entreprise, now = businesses.get(db, salon.id), int(time.time())
    hours.replace(db, entreprise, [], now, budget=SPENT)
    until = availability.horizon(entreprise, now)
    calendar.extend(db, entreprise, until, now)
    again = businesses.get(db, salon.id)
    assert again.calendrier_jusqua == until
    calendar.extend(db, again, until, now)
    assert businesses.get(db, salon.id).calendrier_version == again.calendrier_version
