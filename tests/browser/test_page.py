"""The page of a business that its owner shares: short address, services, photos, free days."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from reservation.storage.models import Ressource
from tests.browser.accessibility import wrong_with
from tests.browser.owner import close, open_page
from tests.browser.visitors import open_salon, said
from tests.pictures import picture


def test_the_short_address_shows_the_page_and_leads_to_a_booking(serve, new_page, salon):
    page = new_page(serve().url)
    page.goto("salon-alice-lyon")
    expect(page.get_by_role("heading", level=1)).to_have_text("Salon alice")
    page.get_by_role("radio", name=re.compile("Coloration")).check()
    expect(page).to_have_url(re.compile(r"/salon-alice-lyon\?prestation=\d+$"))
    page.get_by_role("button", name="Mois").click()
    expect(page.locator(".month button:enabled")).not_to_have_count(0)
    assert [*wrong_with(page)] == []
    page.get_by_role("link", name="Premier horaire").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Votre rendez-vous")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Salon alice")


def test_a_long_description_is_cut_until_the_visitor_reads_on(
    serve, new_page, client, salon, alice
):
    about = {"nom": "Salon Alice", "ville": "Lyon", "description": "Coupe et couleur. " * 60}
    client.put(f"/api/entreprises/{salon.id}", about, token=alice.token)
    page = new_page(serve().url, viewport={"width": 390, "height": 844})
    page.goto(f"entreprises/{salon.id}")
    services = page.get_by_role("heading", name="1. Choisissez une prestation")
    expect(services).to_be_in_viewport()
    page.get_by_role("button", name="Lire la suite").click()
    expect(services).not_to_be_in_viewport()
    page.get_by_role("button", name="Réduire").click()
    expect(services).to_be_in_viewport()


def test_an_unknown_address_shows_a_page(serve, new_page, faults, salon):
    faults.allow(404)
    page = new_page(serve().url)
    for address in ("salon-bob-lyon", "autre/adresse", "entreprises/999999"):
        assert page.goto(address).status == 404
        expect(page.get_by_role("heading", level=1)).to_have_text("Page introuvable")


def test_the_day_of_a_month_shows_its_mornings_and_afternoons(
    serve, new_page, salon, tuesday
):
    page = new_page(serve().url)
    page.goto(f"entreprises/{salon.id}?prestation={salon.coupe}&vue=mois&semaine={tuesday}")
    expect(page.get_by_role("heading", name="Matin")).to_be_visible()
    times = [time[:5] for time in page.locator(".part .time").all_inner_texts()]
    assert times == [one["debut"][11:16] for one in salon.free(tuesday)]
    wednesday = tuesday + timedelta(days=1)
    if wednesday.month == tuesday.month:
        page.get_by_role("button", name=re.compile(rf"\b{wednesday.day} .*horaires")).click()
        expect(page).to_have_url(re.compile(f"semaine={wednesday}"))


@pytest.mark.parametrize(
    ("view", "earlier"), [("semaine", "Semaine précédente"), ("mois", "Mois précédent")]
)
def test_the_focus_stays_on_the_button_for_earlier_times_at_the_first_week_and_month(
    serve, new_page, salon, tuesday, view, earlier
):
    page = new_page(serve().url)
    later = tuesday + timedelta(days=40)
    page.goto(f"entreprises/{salon.id}?prestation={salon.coupe}&vue={view}&semaine={later}")
    button = page.get_by_role("button", name=earlier)
    heading = page.locator("h3[aria-live]")
    expect(button).to_be_enabled()
    for _ in range(9):
        button.press("Enter")
        page.wait_for_timeout(50)
    expect(button).to_be_disabled()
    expect(button).to_be_focused()
    first = heading.text_content()
    button.press("Enter")
    page.wait_for_timeout(200)
    expect(heading).to_have_text(first)


def test_each_day_of_a_week_is_named_above_the_middle_of_its_column(
    serve, new_page, salon, tuesday
):
    page = new_page(serve().url, viewport={"width": 1280, "height": 900})
    open_salon(page, salon, tuesday)
    expect(page.locator(".week .none")).not_to_have_count(0)
    expect(page.locator(".week .time")).not_to_have_count(0)
    middles = """(days) => days.flatMap((day) => [day, day.querySelector('h4')].map((part) => {
        const { left, right } = part.getBoundingClientRect();
        return (left + right) / 2;
    }))"""
    found = page.locator(".week > li").evaluate_all(middles)
    assert found[::2] == pytest.approx(found[1::2], abs=1)


def test_a_long_name_beside_a_time_is_no_wider_than_a_small_telephone(
    serve, new_page, salon, lea, ines, db, chloe, tuesday
):
    Ressource.update(nom="Marie-Antoinette de La Rochefoucauld " * 2).execute(db)
    salon.book(chloe, salon.at(tuesday, "10:00"))  # so that one person is free
    page = new_page(serve().url, viewport={"width": 320, "height": 640})
    open_salon(page, salon, tuesday)
    expect(page.locator(".week .time small")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_five_hundred_services_are_folded_and_found(serve, new_page, salon, db):
    for number in range(500):
        db.write(
            "INSERT INTO prestation (entreprise_id, nom, nom_cle, categorie, description,"
            " duree_minutes, duree_max_minutes, tampon_avant, tampon_apres, prix_centimes,"
            " lieu_requis, actif, version)"
            " VALUES (?, ?, '', ?, '', 30, 30, 0, 0, 2500, 0, 1, 1)",
            salon.id, f"Épilation {number}", f"Soins {number // 100}",
        )
    page = new_page(serve().url)
    page.goto(f"entreprises/{salon.id}")
    expect(page.locator("details")).to_have_count(6)
    assert page.get_by_role("radio").count() < 40
    page.get_by_text("Soins 4").click()
    expect(page.get_by_role("radio", name="Épilation 400", exact=False)).to_be_visible()
    assert page.get_by_role("radio").count() < 80
    assert [*wrong_with(page)] == []
    page.get_by_label("Chercher une prestation").fill("epilation 499")
    expect(page.get_by_text("1 prestation trouvée")).to_be_visible()
    page.get_by_role("radio", name="Épilation 499").check()
    expect(page.locator("#times ~ p").first).to_contain_text("Épilation 499 · 30 min · 25 €")


def test_an_owner_adds_photos_and_a_logo(serve, new_page, salon, alice, tmp_path):
    for name, size in (("one", (900, 600)), ("two", (600, 900))):
        (tmp_path / f"{name}.png").write_bytes(picture(*size))
    (tmp_path / "text.png").write_text("not a picture")
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    page.get_by_label("Choisir un logo").set_input_files(tmp_path / "one.png")
    expect(page.locator(".photos img")).to_have_count(1)
    page.get_by_label("Ajouter des photos").set_input_files(
        [tmp_path / "one.png", tmp_path / "two.png"]
    )
    expect(page.locator(".photos img")).to_have_count(3)
    texts = page.locator(".photos").get_by_label("Description")
    sent, held = [], []
    page.on("request", lambda request: sent.append(request.method))

    def answer(route):
        if route.request.method == "GET" and "PUT" in sent and not held:
            return held.append(route)  # the photos are read again, which takes long
        route.continue_()

    page.route("**/photos", answer)
    texts.last.fill("Le fauteuil")
    texts.last.press("Tab")
    said(page, "C’est enregistré.")
    page.get_by_role("button", name="Déplacer vers le début").click()
    expect(texts.nth(1)).to_have_value("Le fauteuil")
    held[0].continue_()
    expect(texts.nth(1)).to_have_value("Le fauteuil")
    assert [*wrong_with(page)] == []
    page.goto(f"entreprises/{salon.id}")
    expect(page.get_by_role("img", name="Logo : Salon alice")).to_be_visible()
    expect(page.locator(".gallery img").first).to_have_attribute("alt", "Le fauteuil")
    page.wait_for_function("[...document.images].every((one) => one.naturalWidth)")
    assert page.evaluate("document.images.length") == 3
    assert [*wrong_with(page)] == []


def test_the_focus_stays_on_the_field_for_photos_during_an_upload(
    serve, new_page, salon, alice, tmp_path
):
    (tmp_path / "one.png").write_bytes(picture(8, 8))
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    held, opened = [], []
    page.route("**/photos?*", lambda route: held.append(route))
    page.on("filechooser", lambda chooser: opened.append(chooser))
    field = page.get_by_label("Ajouter des photos")
    field.focus()
    with page.expect_request("**/photos?*"):
        field.set_input_files(tmp_path / "one.png")
    expect(field).to_be_disabled()
    expect(field).to_be_focused()
    field.press("Enter")
    page.wait_for_timeout(200)
    assert opened == []
    held[0].continue_()
    expect(page.locator(".photos img")).to_have_count(1)
    expect(field).to_be_focused()


def test_photos_move_after_a_move_was_interrupted(
    serve, new_page, client, salon, alice, tmp_path
):
    """A move changes several photos, one by one. So two photos may have the same `ordre`."""
    (tmp_path / "one.png").write_bytes(picture(90, 60))
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    page.get_by_label("Ajouter des photos").set_input_files([tmp_path / "one.png"] * 3)
    moving = page.get_by_role("button", name="Déplacer vers le début")
    expect(moving).to_have_count(2)
    path = f"/api/entreprises/{salon.id}/photos"
    one, two, three = (photo["id"] for photo in client.get(path).json)
    client.put(f"/api/photos/{two}", {"ordre": 0}, token=alice.token)
    for button, moved in ((moving.first, [two, one, three]), (moving.last, [two, three, one])):
        button.click()
        for place, id in enumerate(moved):
            field = page.locator(".photos").get_by_label("Description").nth(place)
            expect(field).to_have_id(f"photo-{id}")


def test_what_an_owner_types_about_a_photo_stays_while_other_texts_are_saved(
    serve, new_page, client, salon, alice, tmp_path
):
    (tmp_path / "one.png").write_bytes(picture(90, 60))
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    page.get_by_label("Ajouter des photos").set_input_files([tmp_path / "one.png"] * 2)
    texts = page.locator(".photos").get_by_label("Description")
    expect(texts).to_have_count(2)
    held = []
    page.route("**/api/photos/*", lambda route: held.append(route), times=1)
    with page.expect_request("**/api/photos/*"):
        texts.first.fill("Le fauteil")
        texts.last.click()
    page.keyboard.type("La vi")
    texts.first.fill("Le fauteuil")
    with page.expect_response("**/api/entreprises/*/photos"):
        texts.last.click()
        held[0].continue_()
    page.keyboard.press("End")
    page.keyboard.type("trine")
    page.keyboard.press("Tab")
    said(page, "C’est enregistré.")
    page.wait_for_load_state("networkidle")
    expect(texts.first).to_have_value("Le fauteuil")
    expect(texts.last).to_have_value("La vitrine")
    saved = client.get(f"/api/entreprises/{salon.id}/photos").json
    assert [one["texte"] for one in saved] == ["Le fauteuil", "La vitrine"]


def test_a_file_that_is_no_picture_is_refused_in_words(
    serve, new_page, faults, salon, alice, tmp_path
):
    faults.allow(400)
    (tmp_path / "text.png").write_text("not a picture")
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/etablissement")
    page.get_by_label("Ajouter des photos").set_input_files(tmp_path / "text.png")
    expect(page.get_by_text("Choisissez une image JPEG, PNG ou WebP.")).to_be_visible()


def test_an_owner_changes_the_address_and_prints_its_qr_code(
    serve, new_page, faults, salon, alice
):
    faults.allow(400)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/partager")
    page.get_by_text("Changer l’adresse de la page").click()
    field = page.get_by_label("Adresse courte")
    field.fill("inscription")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("Cette adresse est déjà prise.")).to_be_visible()
    field.fill("chez-alice")
    page.get_by_role("button", name="Enregistrer").click()
    shown = page.get_by_role("textbox", name="Votre page de réservation")
    expect(shown).to_have_value(re.compile("/chez-alice$"))
    expect(page.get_by_role("button", name="Enregistrer")).to_be_focused()
    expect(page.get_by_role("img", name="QR code de votre page")).to_be_visible()
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Télécharger le QR code").click()
    assert downloaded.value.suggested_filename == "chez-alice.png"
    page.get_by_role("link", name="Voir la page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Salon alice")
    page.goto("salon-alice-lyon")
    expect(page).to_have_url(re.compile("/chez-alice$"))


def test_a_signed_in_customer_opens_a_business(serve, new_page, chloe, client):
    page = open_page(new_page, serve().url, chloe, "", role="student")
    page.get_by_role("link", name="Proposer mes services").click()
    page.get_by_label("Nom de l’établissement").fill("Salon Chloé")
    page.get_by_role("combobox", name="Ville").fill("Lyon")
    page.get_by_role("button", name="Continuer").click()
    expect(page.get_by_label("Nom de la prestation")).to_be_visible()
    expect(page.get_by_role("link", name="Mon établissement")).to_be_visible()
    (found,) = client.get("/api/entreprises?q=salon").json
    assert (found["nom"], found["proprietaireId"]) == ("Salon Chloé", chloe.id)


def test_a_closure_is_shown_after_the_absences_of_many_persons(
    serve, new_page, client, salon, alice, tuesday
):
    path = f"/api/entreprises/{salon.id}/ressources"
    person = client.post(path, {"nom": "Léa"}, 201, token=alice.token).json["id"]
    for number in range(6):
        day = tuesday + timedelta(days=number)
        close(client, salon, alice, "Stage", day, ressourceId=person)
    close(client, salon, alice, "Travaux", tuesday + timedelta(days=7))
    page = new_page(serve().url)
    page.goto(f"entreprises/{salon.id}")
    noted = page.locator("section", has=page.get_by_role("heading", name="À noter"))
    expect(noted).to_contain_text("Travaux")
    expect(noted).not_to_contain_text("Stage")


def test_a_closure_of_some_hours_is_not_announced(
    serve, new_page, client, db, salon, alice, tuesday
):
    path = f"/api/entreprises/{salon.id}/evenements"

    def add(titre, of, first, last, **others):
        days = {"debut": f"{tuesday + timedelta(days=of)}{first}", "fin": last, **others}
        client.post(path, {"type": "fermeture", "titre": titre, **days}, 201, token=alice.token)

    add("Cardiologue", 0, "T08:00Z", f"{tuesday}T12:00Z")
    block = (
        "INSERT INTO evenement (entreprise_id, type, titre, description, debut, fin, portee_jours,"
        " version) SELECT entreprise_id, type, titre, '', debut + ?, fin + ?, portee_jours, 1"
        " FROM evenement WHERE id = 1"
    )
    for number in range(230):  # more than a page
        db.write(block, number, number)
    add("Soldes", 0, "T12:00Z", f"{tuesday}T13:00Z", type="information")
    after = tuesday + timedelta(days=7)
    close(client, salon, alice, "Travaux", after)
    add("Pont", 4, "T10:00Z", f"{after}T10:00Z")  # Saturday to Tuesday, with a Sunday
    page = new_page(serve().url)
    page.goto(f"entreprises/{salon.id}")
    noted = page.locator("section", has=page.get_by_role("heading", name="À noter"))
    expect(noted.locator("li b")).to_have_text(["Soldes", "Pont", "Travaux"])
