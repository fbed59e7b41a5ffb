"""The board of the owner's calendar, by the mouse: moving, blocking, and what a block shows."""

import re
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from reservation.storage.models import Prestation, Reservation
from tests import teams
from tests.browser.accessibility import wrong_with
from tests.browser.owner import at_nine_ten, close, open_page
from tests.browser.visitors import open_salon, said, signed_in, window
from tests.conftest import ROSE
from tests.outboxes import wait_for

VIEWS = ("jour", "semaine", "mois", "liste")


def tile(page, text):
    return page.locator(".board .ec-event:not(.ec-preview, .ec-ghost)", has_text=text)


def point(page, time, column=0, right=60):
    """Returns the point of the board at a time."""
    box = page.locator(".ec-body .ec-day").nth(column).bounding_box()
    hours, minutes = map(int, time.split(":"))
    first, *_ = page.locator(".ec-body .ec-slot time").all_inner_texts()
    minute = (hours - int(first[:2])) * 60 + minutes
    return box["x"] + right, box["y"] + minute / 60 * hour_height(page) + 4


def hour_height(page):
    return page.evaluate(
        """() => {
          const style = getComputedStyle(document.querySelector('.ec-main'));
          const each = parseFloat(style.getPropertyValue('--ec-slot-height'));
          return each * Number(style.getPropertyValue('--ec-slot-label-periodicity'));
        }"""
    )


def grab(page, text, time, column=0):
    """Drags a block to a time and holds it there."""
    box = tile(page, text).bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(*point(page, time, column), steps=6)


def drag(page, *to):
    grab(page, *to)
    page.mouse.up()


def only(client, alice):
    (found,) = client.get("/api/reservations", token=alice.token).json
    return found


def test_a_booking_is_dragged_confirmed_and_undone(
    agenda, visit, client, salon, alice, chloe
):
    page = agenda()
    drag(page, "Chloé Martin", "15:00")
    expect(window(page)).to_contain_text(", 10:00 – 10:30")
    expect(window(page)).to_contain_text(", 15:00 – 15:30")
    expect(window(page)).to_contain_text(f"prévenu par e-mail à {chloe.email}")
    assert only(client, alice)["debut"][11:16] == "10:00"
    with page.expect_request(re.compile("api/reservations/")) as sent:
        window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    assert sent.value.post_data_json["version"] == 1
    said(page, "est déplacé")
    expect(tile(page, "Chloé Martin")).to_contain_text("15:00 – 15:30")
    assert only(client, alice)["debut"][11:16] == "15:00"
    again = f"Si vous annulez ce changement, un nouvel e-mail sera envoyé à {chloe.email}."
    expect(page.get_by_text(again)).to_be_visible()
    page.get_by_role("button", name="Annuler ce changement").click()
    said(page, "Le changement est annulé")
    sent = client.get(f"/api/entreprises/{salon.id}/emails", token=alice.token).json
    assert [one["genre"] for one in sent].count("deplacee") == 2
    expect(tile(page, "Chloé Martin")).to_contain_text("10:00 – 10:30")
    assert only(client, alice)["debut"][11:16] == "10:00"


def test_a_move_that_is_not_confirmed_puts_the_block_back(agenda, visit, client, alice):
    page = agenda()
    for leave in (
        lambda: window(page).get_by_role("button", name="Garder l’horaire actuel").click(),
        lambda: page.keyboard.press("Escape"),
    ):
        drag(page, "Chloé Martin", "15:00")
        expect(window(page)).to_be_visible()
        leave()
        expect(window(page)).to_have_count(0)
        expect(tile(page, "Chloé Martin")).to_contain_text("10:00 – 10:30")
    assert only(client, alice)["version"] == 1


@pytest.mark.parametrize(
    "time, why",
    [
        ("09:00", "Cet horaire est passé"), ("11:00", "Déjà pris à cet horaire"),
        ("12:30", "Fermé à cet horaire"),
    ],
)
def test_a_conflict_is_shown_while_dragging_and_refused(
    agenda, visit, salon, bob, client, alice, tuesday, time, why
):
    salon.book(bob, salon.at(tuesday, "11:00"))
    page = agenda()
    page.clock.set_fixed_time(at_nine_ten(tuesday))
    grab(page, "Chloé Martin", time)
    held = page.locator(".board .ec-preview")
    expect(held).to_have_class(re.compile("conflict"))
    expect(held).to_contain_text(why)
    page.mouse.up()
    said(page, f"{why}. Le rendez-vous reste où il était.")
    expect(window(page)).to_have_count(0)
    expect(tile(page, "Chloé Martin")).to_contain_text("10:00 – 10:30")


def test_a_refresh_that_ends_during_a_drag_is_not_shown(
    agenda, visit, salon, bob, client, alice, tuesday
):
    page, held = agenda(), []
    expect(tile(page, "Chloé Martin")).to_be_visible()
    page.route("**/api/reservations?*", lambda route: held.append(route))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_for(lambda: page.wait_for_timeout(20) or len(held) == 2)
    salon.book(bob, salon.at(tuesday, "11:00"))
    grab(page, "Chloé Martin", "15:00")
    with page.expect_response(held[-1].request.url):
        for route in held:
            route.continue_()
    page.wait_for_timeout(200)
    expect(page.locator(".board .ec-preview")).to_have_count(1)
    expect(tile(page, "Bob")).to_have_count(0)
    page.mouse.up()
    expect(window(page)).to_contain_text(", 15:00 – 15:30")


def cancel(page, name):
    page.locator(".agenda-list").get_by_role("button", name=re.compile(name)).click()
    window(page).get_by_role("button", name="Annuler le rendez-vous").click()
    window(page).get_by_role("button", name="Oui, annuler").click()
    expect(window(page)).to_have_count(0)


def test_a_refresh_that_began_before_a_change_is_not_shown(agenda, visit):
    page, early = agenda("liste"), []
    chloe = page.locator(".agenda-list").get_by_role("button", name=re.compile("Chloé"))
    expect(chloe).to_be_visible()
    path = "**/api/reservations?*"
    page.route(path, lambda route: early.append((route, route.fetch())), times=2)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_for(lambda: page.wait_for_timeout(20) or len(early) == 2)
    cancel(page, "Chloé")
    expect(chloe).to_have_count(0)
    for route, response in early:
        route.fulfill(response=response)
    page.wait_for_timeout(300)
    expect(chloe).to_have_count(0)


def test_a_slow_read_after_a_change_does_not_replace_the_next_week(
    agenda, visit, salon, bob, tuesday
):
    salon.book(bob, salon.at(tuesday, "11:00"))
    page, late = agenda("liste"), []
    bobs = page.locator(".agenda-list").get_by_role("button", name=re.compile("Bob"))
    expect(bobs).to_be_visible()
    monday = tuesday - timedelta(days=tuesday.weekday())
    page.route(f"**/api/reservations?*du={monday}*", lambda route: late.append(route))
    cancel(page, "Chloé")
    wait_for(lambda: page.wait_for_timeout(20) or late)
    page.get_by_role("button", name="Semaine suivante").click()
    expect(bobs).to_have_count(0)
    for route in late:
        route.continue_()
    page.wait_for_timeout(300)
    expect(bobs).to_have_count(0)


def test_a_cancelled_booking_has_no_part_in_the_calendar(
    agenda, salon, lea, ines, alice, bob, chloe, client, db, tuesday
):
    kept = {"prestationId": salon.couleur, "ressourceId": lea}
    salon.book(bob, salon.at(tuesday, "14:00", salon.couleur), **kept)
    visit = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=ines)
    client.delete(f"/api/reservations/{visit['id']}", 204, token=alice.token)
    teams.retire(db, ines)
    page = agenda()
    expect(tile(page, "Bob")).to_be_visible()
    expect(page.locator(".hues li")).to_have_text(["Coloration"])
    expect(page.locator(".ec-col-head")).to_have_count(1)  # Léa


def test_each_service_has_a_colour_of_its_own_and_keeps_it_when_another_one_is_retired(
    agenda, salon, alice, client, db, tuesday
):
    alike = salon.couleur + 8  # with 8 colours, the id stands for the same one
    length = {"duree_minutes": 30, "duree_max_minutes": 30}
    row = {"id": alike, "entreprise": salon.id, "nom": "Brushing", "nom_cle": "brushing"}
    Prestation.insert({**row, **length}).execute(db)
    for at, number in (("09:00", salon.coupe), ("14:00", salon.couleur), ("16:00", alike)):
        salon.book(alice, salon.at(tuesday, at), prestationId=number, client=ROSE)
    page = agenda()

    def colours():
        expect(page.locator(".hues li")).to_have_text(["Brushing", "Coloration", "Coupe femme"])
        return [one.get_attribute("class") for one in page.locator(".hues li").all()]

    before = colours()
    assert len({*before}) == 3
    client.delete(f"/api/prestations/{salon.coupe}", 204, token=alice.token)
    page.reload()
    assert colours() == before


def test_a_time_that_was_taken_meanwhile_is_refused(
    agenda, visit, salon, bob, client, alice, tuesday, faults
):
    faults.allow(409)
    page = agenda()
    drag(page, "Chloé Martin", "15:00")
    salon.book(bob, salon.at(tuesday, "15:00"))
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    refused = window(page).get_by_role("alert").filter(has_text="n’est plus disponible")
    expect(refused).to_be_visible()
    page.keyboard.press("Escape")
    expect(tile(page, "Chloé Martin")).to_contain_text("10:00 – 10:30")


def test_a_booking_is_dragged_to_another_person_who_performs_the_service(
    agenda, salon, lea, ines, chloe, client, alice, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)
    page = agenda()
    heads = page.locator(".ec-col-head")
    expect(heads).to_have_text(["Léa", "Inès"])
    drag(page, "Chloé Martin", "10:00", 1)
    expect(window(page)).to_contain_text("10:00 – 10:30, Inès")
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    said(page, "est déplacé")
    assert only(client, alice)["ressource"]["id"] == ines
    path = f"/api/prestations/{salon.coupe}"
    service = {"nom": "Coupe femme", "dureeMinutes": 30, "ressources": [ines]}
    client.put(path, service, token=alice.token)
    page.reload()
    grab(page, "Chloé Martin", "10:00", 0)
    unable = "Cette prestation n’est pas possible ici"
    expect(page.locator(".board .ec-preview")).to_contain_text(unable)
    page.mouse.up()


def test_a_booking_with_a_room_is_dragged_to_another_time_and_to_another_room(
    agenda, db, salon, lea, ines, chloe, client, alice, tuesday
):
    rooms = [teams.add(db, salon.id, name, "lieu") for name in ("Cabine 1", "Cabine 2")]
    Prestation.update(lieu_requis=True).execute(db)
    number = salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=lea)["id"]
    salon.book(alice, salon.at(tuesday, "15:00"), ressourceId=ines, client=ROSE)
    page = agenda()
    moves = (
        ("10:00", 0, "15:00", 0, rooms[1]),  # Rose is in the first room
        ("15:00", 3, "16:00", 3, rooms[1]),
        ("16:00", 3, "16:00", 2, rooms[0]),
    )
    for before, start, after, end, room in moves:
        expect(tile(page, f"{before} – ").filter(has_text="Chloé")).to_have_count(2)
        expect(page.locator(".agenda.fading")).to_have_count(0)
        page.mouse.move(*point(page, before, start))
        page.mouse.down()
        page.mouse.move(*point(page, after, end), steps=6)
        page.mouse.up()
        window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
        expect(window(page)).to_have_count(0)
        said(page, "est déplacé")
        now = client.get(f"/api/reservations/{number}", token=alice.token).json
        assert (now["debut"][11:16], now["lieu"]["id"]) == (after, room)
        assert now["ressource"]["id"] == lea
    page.get_by_role("button", name="Annuler ce changement").click()
    said(page, "Le changement est annulé")
    now = client.get(f"/api/reservations/{number}", token=alice.token).json
    assert now["lieu"]["id"] == rooms[1]


def test_a_booking_of_the_week_is_dragged_to_another_day(agenda, visit, client, alice, tuesday):
    page = agenda("semaine")
    drag(page, "Chloé Martin", "14:00", 3)
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    said(page, "est déplacé")
    thursday = tuesday + timedelta(days=2)
    assert only(client, alice)["debut"][:16] == f"{thursday}T14:00"


def grab_in_month(page, text, day):
    """Drags a block of the month to a day and holds it there."""
    tile(page, text).hover()
    page.mouse.down()
    cell = page.locator(f".board .ec-day:has(time[datetime='{day}'])").bounding_box()
    with page.expect_response(re.compile("/creneaux")):
        page.mouse.move(cell["x"] + 20, cell["y"] + 60, steps=6)
    page.mouse.move(cell["x"] + 40, cell["y"] + 60, steps=2)


def test_a_booking_of_the_month_is_dragged_to_another_day_and_back(
    agenda, visit, client, alice, chloe, tuesday
):
    page = agenda("mois")
    thursday = tuesday + timedelta(days=2)
    grab_in_month(page, "Chloé Martin", thursday)
    page.mouse.up()
    expect(window(page)).to_contain_text(", 10:00 – 10:30")
    expect(window(page)).to_contain_text(f"prévenu par e-mail à {chloe.email}")
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    said(page, "est déplacé")
    assert only(client, alice)["debut"][:16] == f"{thursday}T10:00"
    page.get_by_role("button", name="Annuler ce changement").click()
    said(page, "Le changement est annulé")
    assert only(client, alice)["debut"][:16] == f"{tuesday}T10:00"


@pytest.mark.parametrize(
    "days, why", [(1, "Déjà pris à cet horaire"), (5, "Fermé à cet horaire")]
)
def test_a_conflict_is_shown_while_dragging_in_the_month_and_refused(
    agenda, visit, salon, bob, client, alice, tuesday, days, why
):
    day = tuesday + timedelta(days=days)
    if days == 1:
        salon.book(bob, salon.at(day, "10:00"))
    page = agenda("mois")
    grab_in_month(page, "Chloé Martin", day)
    held = page.locator(".board .ec-preview")
    expect(held).to_have_class(re.compile("conflict"))
    expect(held).to_contain_text(why)
    page.mouse.up()
    said(page, f"{why}. Le rendez-vous reste où il était.")
    expect(window(page)).to_have_count(0)
    assert client.get(f"/api/reservations/{visit}", token=alice.token).json["version"] == 1


def test_a_drop_in_the_month_waits_for_the_slots_and_says_if_they_cannot_be_read(
    agenda, visit, client, alice, tuesday, faults
):
    faults.allow(503)
    page = agenda("mois")
    page.route("**/internes*", lambda route: route.fulfill(status=503, json={"error": "x"}))
    grab_in_month(page, "Chloé Martin", tuesday + timedelta(days=1))
    page.mouse.up()
    said(page, "indisponible")
    expect(window(page)).to_have_count(0)
    assert only(client, alice)["version"] == 1


def fill(salon, alice, day, most):
    for n, start in enumerate(salon.free(day)[:most]):
        who = {"email": f"zoe{n}@example.fr", "nom": f"Picard {start['debut'][:16]}"}
        salon.book(alice, start["id"], client=who)


def test_a_tile_of_the_month_shows_the_first_letters_on_a_telephone(agenda, visit):
    page = agenda("mois", viewport={"width": 390, "height": 844})
    shown = tile(page, "Chloé Martin").locator(".who").evaluate("""who => {
      const range = document.createRange();
      range.setStart(who.lastChild, 0);
      range.setEnd(who.lastChild, 'Chloé'.length);
      const inside = who.getBoundingClientRect().right - range.getBoundingClientRect().right;
      return [inside >= 0, getComputedStyle(who).textOverflow];
    }""")
    assert shown == [True, "clip"]  # an ellipsis would take the place of letters


@pytest.mark.parametrize(
    "locale, rest, count",
    [("fr-FR", "+ 12 autres", "14 rendez-vous"), ("en-GB", "+ 12 more", "14 bookings")],
)
def test_a_busy_day_of_the_month_has_few_tiles_and_one_that_leads_to_the_day(
    agenda, salon, client, alice, tuesday, locale, rest, count
):
    fill(salon, alice, tuesday, 14)
    fill(salon, alice, tuesday + timedelta(days=1), 4)
    close(client, salon, alice, "Travaux", tuesday)
    page = agenda("mois", locale=locale)
    tiles = page.locator(".board .ec-event")
    expect(tiles).to_have_count(4 + 4)
    expect(tile(page, "Travaux")).to_be_visible()
    expect(page.locator(".agenda-list")).to_contain_text(count)
    more = page.locator(".board .more")
    expect(more).to_have_text(rest)
    below = [one.bounding_box()["y"] for one in tiles.all()]
    assert max(below) == more.bounding_box()["y"]
    more.click()
    expect(page).to_have_url(re.compile(f"vue=jour&jour={tuesday}"))


def test_a_month_shows_a_closure_before_the_absences_that_began_earlier(
    agenda, salon, lea, ines, client, alice, tuesday
):
    for n, person in enumerate([lea, ines] * 2):
        close(client, salon, alice, f"Stage {n}", tuesday, 3, ressourceId=person)
    close(client, salon, alice, "Travaux", tuesday + timedelta(days=2))
    page = agenda("mois")
    expect(tile(page, "Travaux")).to_be_visible()
    expect(tile(page, "Stage")).to_have_count(2)
    expect(page.locator(".board .more")).to_have_text(["+ 2 autres"] * 3)


def test_the_fourth_event_of_a_day_is_shown_in_the_month(agenda, salon, client, alice, tuesday):
    (first, *_) = salon.free(tuesday)
    offset = first["debut"][19:]
    debut, fin = (f"{tuesday + timedelta(days=n)}T00:00:00{offset}" for n in range(2))
    for n in range(4):
        about = {"type": "information", "titre": f"Note {n}", "debut": debut, "fin": fin}
        client.post(f"/api/entreprises/{salon.id}/evenements", about, 201, token=alice.token)
    page = agenda("mois")
    expect(tile(page, "Note")).to_have_count(4)
    expect(page.locator(".board .more")).to_have_count(0)


def test_a_booking_of_a_busy_day_is_dragged_in_the_month(agenda, salon, client, alice, tuesday):
    fill(salon, alice, tuesday, 14)
    page = agenda("mois")
    thursday = tuesday + timedelta(days=2)
    grab_in_month(page, f"{tuesday}T09:00", thursday)
    page.mouse.up()
    window(page).get_by_role("button", name="Déplacer le rendez-vous").click()
    said(page, "est déplacé")
    expect(page.locator(".board .more")).to_have_text("+ 10 autres")
    moved = client.get("/api/reservations", token=alice.token).json[-1]
    assert moved["debut"][:16] == f"{thursday}T09:00"


def test_a_selected_stretch_is_blocked_moved_and_made_longer(
    agenda, salon, client, alice, tuesday
):
    page = agenda()
    page.mouse.move(*point(page, "14:00"))
    page.mouse.down()
    page.mouse.move(*point(page, "15:00"), steps=6)
    page.mouse.up()
    window(page).get_by_role("button", name="Un créneau bloqué").click()
    expect(window(page).get_by_label("De", exact=True)).to_have_value("14:00")
    expect(window(page).get_by_label("À", exact=True)).to_have_value("15:30")
    title = window(page).get_by_label("Titre")
    expect(title).to_have_accessible_description("Visible par vos clients.")
    title.fill("Dentiste")
    window(page).get_by_role("button", name="Bloquer ce créneau").click()
    said(page, "Le créneau est bloqué")
    block = tile(page, "Dentiste")
    expect(block).to_be_visible()
    assert [one["debut"][11:16] for one in salon.free(tuesday)][6] == "15:30"
    drag(page, "Dentiste", "15:00")
    with page.expect_response(re.compile("/creneaux")):  # the calendar is read again
        window(page).get_by_role("button", name="Modifier la fermeture").click()
    page.wait_for_timeout(300)
    box = block.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] - 3)
    page.mouse.down()
    page.mouse.move(*point(page, "17:00"), steps=6)
    page.mouse.up()
    expect(window(page)).to_contain_text("15:00 – 17:30")
    with page.expect_response(re.compile("/creneaux")):
        window(page).get_by_role("button", name="Modifier la fermeture").click()
    said(page, "est modifiée")
    (made,) = client.get(f"/api/entreprises/{salon.id}/evenements").json
    assert (made["titre"], made["debut"][11:16], made["fin"][11:16]) == (
        "Dentiste", "15:00", "17:30",
    )  # fmt: skip


def test_bookings_under_a_block_are_named_before_it_is_made(agenda, visit, client, salon):
    page = agenda()
    page.get_by_role("button", name="Bloquer de 09:00 à 10:00").click()
    window(page).get_by_label("À", exact=True).fill("11:00")
    window(page).get_by_role("button", name="Bloquer ce créneau").click()
    expect(window(page)).to_contain_text("Chloé Martin")
    assert client.get(f"/api/entreprises/{salon.id}/evenements").json == []
    window(page).get_by_role("button", name="Bloquer quand même").click()
    said(page, "Le créneau est bloqué")
    assert len(client.get(f"/api/entreprises/{salon.id}/evenements").json) == 1


def test_a_free_time_until_midnight_is_blocked(agenda, make_salon, client, alice, tuesday):
    night = {"jour": 2, "debut": "22:00", "fin": "24:00", "pasMinutes": 30}
    salon = make_salon(alice, week=[night])
    page = agenda(of=salon)
    page.get_by_role("button", name="Bloquer de 22:00 à 24:00").click()
    window(page).get_by_role("button", name="Bloquer ce créneau").click()
    said(page, "Le créneau est bloqué")
    (made,) = client.get(f"/api/entreprises/{salon.id}/evenements").json
    assert (made["debut"][:16], made["fin"][:16]) == (
        f"{tuesday}T22:00", f"{tuesday + timedelta(days=1)}T00:00",
    )  # fmt: skip


def test_a_click_on_free_time_books_there(agenda, client, alice):
    page = agenda()
    page.mouse.click(*point(page, "14:30"))
    expect(window(page).get_by_label("Heure")).to_have_text(re.compile("14:30"))
    window(page).get_by_role("combobox", name="Client").fill("Zoé Picard")
    window(page).get_by_label("Téléphone").fill("06 11 22 33 44")
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    said(page, "Rendez-vous pris pour Zoé Picard")
    expect(tile(page, "Zoé Picard")).to_contain_text("14:30 – 15:00")
    expect(page.locator(".first-steps")).to_be_visible()  # the board must not jump up
    drag(page, "Zoé Picard", "15:00")
    expect(window(page)).to_contain_text("n’a pas d’adresse e-mail")


def test_a_selected_time_that_has_passed_is_proposed(agenda, tuesday):
    page = agenda()
    page.clock.set_fixed_time(at_nine_ten(tuesday) + timedelta(hours=6))
    page.mouse.move(*point(page, "10:00"))
    page.mouse.down()
    page.mouse.move(*point(page, "10:30"), steps=6)
    page.mouse.up()
    expect(window(page).locator("button.main")).to_contain_text("10:00")
    time = window(page).get_by_label("Heure")
    expect(time).to_have_accessible_description("Cet horaire est passé.")


def test_a_click_in_the_column_of_a_room_books_a_service_that_takes_place_there(
    agenda, db, salon, lea, client, alice
):
    rooms = [teams.add(db, salon.id, name, "lieu") for name in ("Cabine 1", "Cabine 2")]
    page = agenda()
    page.mouse.click(*point(page, "14:30", 2))
    expect(window(page)).to_contain_text("Aucune prestation n’a lieu dans cette salle")
    window(page).get_by_role("button", name="Un créneau bloqué").click()
    expect(window(page).get_by_label("Qui ?")).to_have_value(str(rooms[1]))
    Prestation.update(lieu_requis=True).where(Prestation.id == salon.coupe).execute(db)
    page.reload()
    page.mouse.click(*point(page, "14:30", 2))
    expect(window(page).get_by_role("radio")).to_have_count(1)
    expect(window(page).get_by_role("radio")).to_have_accessible_name("Coupe femme 30 min")
    expect(window(page).get_by_label("Heure")).to_have_text(re.compile("14:30"))
    expect(window(page)).to_contain_text("Cabine 2")
    window(page).get_by_role("combobox", name="Client").fill("Zoé Picard")
    window(page).get_by_label("Téléphone").fill("06 11 22 33 44")
    assert [*wrong_with(page)] == []
    window(page).get_by_role("button", name=re.compile("^Prendre rendez-vous")).click()
    said(page, "Rendez-vous pris pour Zoé Picard")
    made = only(client, alice)
    assert (made["debut"][11:16], made["lieu"]["id"]) == ("14:30", rooms[1])


def test_the_column_of_a_room_shows_the_hours_and_the_buffers_of_the_room(
    agenda, db, client, salon, lea, alice, tuesday
):
    room = teams.add(db, salon.id, "Cabine", "lieu")
    path = f"/api/ressources/{room}/semainetype"
    morning = {"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 30, "capacite": 1}
    client.put(path, {"semaine": [morning]}, token=alice.token)
    Prestation.update(lieu_requis=True, tampon_apres=30).execute(db)
    salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    page = agenda()
    for kind, start, hours in (("shut", "12:00", 6), ("buffer", "10:30", 0.5)):
        shown = page.locator(f".ec-bg-event.{kind}")
        expect(shown).to_have_count(2)  # of the person and of the room
        box = shown.last.bounding_box()
        x, y = point(page, start, 1)
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] == pytest.approx(y - 4, abs=2)
        assert box["height"] == pytest.approx(hours * hour_height(page), abs=2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_closed_hours_and_buffers_are_hatched_in_forced_colours(
    agenda, db, salon, alice, tuesday, scheme
):
    Prestation.update(tampon_apres=30).execute(db)
    salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    page = agenda(forced_colors="active", color_scheme=scheme)
    for kind in ("shut", "buffer"):
        shown = page.locator(f".ec-bg-event.{kind}").first
        expect(shown).to_have_css("background-image", re.compile("gradient"))
    page.goto(f"gestion/{salon.id}/chiffres?periode=suite")
    expect(page.locator(".legend li").first).to_be_visible()
    booked, honoured = page.locator(".legend li").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one, '::before').backgroundColor)"
    )
    assert booked != honoured


def test_the_day_stays_when_the_view_changes(agenda, visit, tuesday):
    page = agenda("mois")
    for view in ("Liste", "Semaine", "Jour", "Mois"):
        page.get_by_role("button", name=view, exact=True).click()
        pressed = page.get_by_role("button", name=view, exact=True)
        expect(pressed).to_have_attribute("aria-pressed", "true")
        expect(page).to_have_url(re.compile(f"vue={view.lower()}&jour={tuesday}"))
        expect(page.get_by_text("Chloé Martin").first).to_be_visible()
    page.locator(".ec-day", has_text=re.compile(rf"^{tuesday.day}\b")).first.click(
        position={"x": 5, "y": 60}
    )
    expect(page).to_have_url(re.compile("vue=jour"))


def test_a_week_of_another_year_is_shown_with_its_year(agenda, salon):
    page = agenda("semaine")
    heading = page.locator(".toolbar h2")
    for view in ("semaine", "liste"):
        page.goto(f"gestion/{salon.id}/agenda?vue={view}&jour=2023-05-03")
        expect(heading).to_have_text("Du 1er mai 2023 au 7 mai 2023")
    page.goto(f"entreprises/{salon.id}?semaine=2044-12-29")
    expect(page.get_by_role("heading", level=3).first).to_have_text(
        "Du 29 déc. 2044 au 4 janv. 2045"
    )


@pytest.mark.parametrize("locale, monday", [("fr-FR", "lun."), ("en-GB", "Mon")])
def test_weeks_begin_on_monday_and_hours_are_those_of_24(agenda, locale, monday):
    page = agenda("semaine", locale=locale)
    expect(page.locator(".ec-col-head").first).to_contain_text(monday)
    expect(page.locator(".ec-slot").filter(has_text="14:00")).to_have_count(1)
    expect(page.locator(".board .shut").first).to_be_visible()


def test_a_block_says_the_name_first_and_its_state_in_words_and_by_an_icon(
    agenda, make_salon, alice, chloe, db, tuesday
):
    careful = make_salon(alice, validationManuelle=True)
    careful.book(chloe, careful.at(tuesday, "09:00"), prestationId=careful.couleur)
    ended = careful.book(chloe, careful.at(tuesday, "14:00"), prestationId=careful.couleur)["id"]
    Reservation.update(statut="absente").where(Reservation.id == ended).execute(db)
    page = agenda(of=careful)
    for state, text in (("demandee", "En attente de validation"), ("absente", "Manqué")):
        block = page.locator(f".board .visit.{state}")
        assert block.inner_text().strip().startswith("Chloé Martin")
        expect(block).to_contain_text(text)
        expect(block.locator(".icon")).to_have_count(1)
        assert page.locator(".hues li").all_inner_texts() == ["Coloration"]


CUT = """(body) => {
  const { bottom, right } = body.getBoundingClientRect();
  const cut = ({ top, left, bottom: end }) => left < right && top < bottom - 1 && end > bottom + 1;
  return [...body.children].filter((line) => cut(line.getBoundingClientRect())).length;
}"""


def test_a_block_shows_no_half_of_a_line(agenda, salon, client, alice, tuesday):
    hour = {"nom": "Coupe femme", "dureeMinutes": 60}
    client.put(f"/api/prestations/{salon.coupe}", hour, token=alice.token)
    who = {"prenom": "Marie-Antoinette", "nom": "de La Rochefoucauld", "email": "m@example.fr"}
    salon.book(alice, salon.at(tuesday, "10:00"), client=who)
    page = agenda("semaine")
    body = tile(page, "Marie-Antoinette").locator(".ec-event-body")
    expect(body.locator(".what")).not_to_be_in_viewport()
    assert body.evaluate(CUT) == 0


def test_a_line_shows_the_time_of_the_business(new_page, serve, make_salon, alice, tuesday):
    far = make_salon(alice, fuseau="America/Montreal")
    path = f"gestion/{far.id}/agenda?vue=semaine&jour={tuesday}"
    page = open_page(new_page, serve().url, alice, path)
    page.clock.set_fixed_time(f"{tuesday}T15:30:00Z")  # in Montreal 10:30, or 11:30 in summer
    page.reload()
    expect(page.locator(".board .ec-col-head.ec-today")).to_have_count(1)
    line = page.locator(".board .ec-now-indicator")
    expect(line).to_have_count(1)
    top = line.bounding_box()["y"] - page.locator(".ec-body .ec-day").first.bounding_box()["y"]
    assert round(top / hour_height(page), 1) in (1.5, 2.5)  # the board begins at 9


CONTRAST = """() => {
  const light = (colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((n) => {
      const part = n / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const event = document.querySelector('.board .visit');
  return Array.from({ length: 8 }, (_, n) => {
    event.className = `ec-event visit confirmee hue-${n + 1}`;
    const style = getComputedStyle(event);
    const ground = light(style.backgroundColor);
    return [ratio(light(style.color), ground), ratio(light(style.borderLeftColor), ground)];
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_colour_has_the_contrast_that_text_and_marks_need(agenda, visit, scheme):
    page = agenda(color_scheme=scheme)
    expect(tile(page, "Chloé Martin")).to_be_visible()
    for text, mark in page.evaluate(CONTRAST):
        assert text >= 4.5 and mark >= 3


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_is_accessible_from_320_to_2560_pixels(agenda, visit, view):
    page = agenda(view)
    expect(page.get_by_text("Chloé Martin").first).to_be_attached()
    worn = [(320, "dark"), (390, "light"), (1280, "dark"), (2560, "light")]
    assert [*wrong_with(page, worn)] == []


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_prints_on_one_page(agenda, visit, view):
    page = agenda(view)
    expect(page.get_by_text("Chloé Martin").first).to_be_attached()
    printed = page.pdf(format="A4", landscape=view != "liste")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


def test_today_is_printed_with_its_date(agenda, tuesday):
    page = agenda()
    page.clock.set_fixed_time(f"{tuesday}T12:00Z")
    page.reload()
    bar, path = page.locator(".toolbar"), page.url
    today, date = bar.locator("h2", has_text="Aujourd’hui"), bar.locator("p")
    expect(today).to_be_visible()
    expect(date).to_be_hidden()
    page.goto("health")  # so that nothing of the calendar jumps
    page.emulate_media(media="print")
    page.goto(path)
    expect(date).to_have_text(re.compile(rf"^Mardi {tuesday.day}(er)? \w+"))
    expect(date).to_be_visible()
    expect(today).to_be_hidden()


def test_a_new_business_is_told_what_to_do_next(serve, new_page, client, db, alice, bob):
    about = {"nom": "Salon Neuf", "ville": "Lyon", "codePostal": "69002"}
    made = client.post("/api/entreprises", about, 201, token=alice.token).json["id"]
    page = open_page(new_page, serve().url, alice, f"gestion/{made}/agenda")
    steps = page.get_by_role("region", name="Votre agenda est prêt à se remplir")
    expect(steps.get_by_role("link")).to_have_count(5)
    expect(steps.get_by_role("link", name="Indiquez votre métier")).to_be_visible()
    client.put(f"/api/entreprises/{made}", {**about, "metiers": ["Coiffeur"]}, token=alice.token)
    page.reload()
    expect(steps.get_by_role("link")).to_have_count(4)
    teams.add(db, made, "Léa")
    page.reload()
    expect(steps.get_by_role("link")).to_have_count(3)
    expect(steps.get_by_role("listitem").nth(3)).to_have_class("done")
    steps.get_by_role("link", name="Ajoutez vos prestations").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Prestations")


def test_the_steps_end_with_the_first_booking(agenda, visit):
    page = agenda()
    expect(tile(page, "Chloé Martin")).to_be_visible()
    expect(page.locator(".first-steps")).to_have_count(0)


@pytest.mark.parametrize(
    "zone, day, start, end, drawn", [
        ("Europe/Paris", "2026-10-25", "02:30+02:00", "02:00+01:00", 30),
        ("Europe/Paris", "2026-10-25", "02:30+02:00", "02:30+01:00", 60),
        ("America/New_York", "2026-11-01", "01:30-04:00", "01:30-05:00", 60),
    ]
)
def test_a_visit_in_the_hour_that_the_clock_repeats_is_drawn_in_its_length(
    serve, new_page, salon, alice, visit, db, zone, day, start, end, drawn
):
    db.write("UPDATE entreprise SET fuseau = ?", zone)
    debut, fin = (
        int(datetime.fromisoformat(f"{day}T{time}").timestamp()) for time in (start, end)
    )
    row = {"debut": debut, "fin": fin, "occupe_debut": debut, "occupe_fin": fin}
    Reservation.update(row).where(Reservation.id == visit).execute(db)
    path = f"gestion/{salon.id}/agenda?vue=jour&jour={day}"
    page = open_page(new_page, serve().url, alice, path)
    block = tile(page, "Chloé Martin")
    expect(block).to_contain_text(f"{start[:5]} – ")
    height = block.bounding_box()["height"]
    assert abs(height - hour_height(page) * drawn / 60) < 6


def test_a_visit_during_which_the_clock_changes_is_moved_with_its_length(
    serve, new_page, salon, alice, visit, db
):
    debut, fin = (
        int(datetime.fromisoformat(f"2027-03-28T{time}").timestamp())
        for time in ("01:00+01:00", "04:00+02:00")  # two hours
    )
    row = {"debut": debut, "fin": fin, "occupe_debut": debut, "occupe_fin": fin}
    Reservation.update(row).where(Reservation.id == visit).execute(db)
    thursday = ("2027-03-25T09:00:00+01:00", "2027-03-25T11:00:00+01:00")
    slot = {"id": 1, "debut": thursday[0], "fin": thursday[1], "placesRestantes": 1}

    def in_march(url):
        page = new_page(url, viewport={"width": 1280, "height": 1500})
        page.clock.set_fixed_time("2027-03-24T12:00Z")
        page.route("**/internes?*", lambda route: route.fulfill(json=[slot]))
        return page

    path = f"gestion/{salon.id}/agenda?vue=semaine&jour=2027-03-25"
    page = open_page(in_march, serve().url, alice, path)
    drag(page, "Chloé Martin", "09:00", 3)
    expect(window(page)).to_contain_text(", 01:00 – 04:00")
    expect(window(page)).to_contain_text(", 09:00 – 11:00")


def test_only_the_calendar_loads_its_library_and_the_first_view_is_light(
    agenda, visit, salon, tuesday, new_page, serve
):
    url = serve().url
    visitor = new_page(url)
    asked = []
    visitor.on("request", lambda one: asked.append(one.url))
    visitor.goto("")
    open_salon(visitor, salon, tuesday)
    visitor.wait_for_load_state("networkidle")
    assert asked and not any("event-calendar" in one for one in asked)
    page = agenda()
    expect(tile(page, "Chloé Martin")).to_be_visible()
    page.wait_for_load_state("networkidle")
    entries = "performance.getEntries().map((one) => [one.name, one.encodedBodySize || 0])"
    sizes = dict(page.evaluate(entries))
    assert any("event-calendar" in name for name in sizes)
    assert 100_000 < sum(sizes.values()) <= 150_000


LONGEST = 150  # ms of CPU time of the page, a wide bound


@contextmanager
def traced(page):
    """Yields a list that then holds the CPU time, in ms, of each task of the page."""
    session = page.context.new_cdp_session(page)
    events, tasks = [], []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    ended = []
    session.on("Tracing.tracingComplete", lambda end: ended.append(end))
    categories = "devtools.timeline,disabled-by-default-devtools.timeline"
    session.send("Tracing.start", {"categories": categories, "transferMode": "ReportEvents"})
    yield tasks
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    tasks += [one.get("tdur", 0) / 1000 for one in events if one["name"] == "RunTask"]


def test_a_day_of_200_bookings_stays_fluid(agenda, make_salon, alice, db, tuesday):
    hours = [{"jour": 2, "debut": "08:00", "fin": "18:00", "pasMinutes": 30, "capacite": 1}]
    large = make_salon(alice, hours)
    teams.name(db, large.id, "Personne 0")
    for n in range(1, 10):
        teams.add(db, large.id, f"Personne {n}")
    for start in large.free(tuesday):
        for person in start["ressources"]:
            nom = f"Martin{start['id']}-{person}"
            who = {"email": f"{nom}@example.fr", "nom": nom, "prenom": "Zoé"}
            large.book(alice, start["id"], ressourceId=person, client=who)
    page = agenda(of=large)
    expect(page.locator(".board .visit")).to_have_count(200)
    box = page.locator(".board .visit").first.bounding_box()
    with traced(page) as tasks:
        page.mouse.move(box["x"] + 30, box["y"] + 4)
        page.mouse.down()
        for n in range(60):
            page.mouse.move(box["x"] + 30 + n * 8, box["y"] + 4 + n * 6)
            page.wait_for_timeout(16)
        page.mouse.up()
        for _ in range(20):
            page.mouse.wheel(0, 60)
            page.wait_for_timeout(16)
    print(f"{len(tasks)} tasks, the longest needs {max(tasks):.0f} ms of CPU time")
    assert max(tasks) < LONGEST


def test_the_calendar_loads_its_library_while_the_business_is_read(
    serve, new_page, salon, alice
):
    page = new_page(serve().url)
    signed_in(page, alice)
    held = []
    page.route(re.compile(f"/api/entreprises/{salon.id}$"), lambda one: held.append(one))
    with page.expect_request("**/event-calendar.min.js"):
        page.goto(f"gestion/{salon.id}/agenda")
    expect(page.locator(".ec-main")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".ec-main")).to_be_attached()
