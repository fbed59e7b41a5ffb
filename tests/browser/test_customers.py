"""The page of the customers of a business, and the correction of a mistaken state."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import wrong_with
from tests.browser.owner import open_page
from tests.browser.visitors import said
from tests.conftest import ROSE
from tests.outboxes import wait_for

CSV = "nom;prenom;email;telephone;note\r\n{};Zoé;{};;fidèle\r\n"
WORDS = {
    "fr-FR": {
        "find": "Rechercher un client", "coming": "À venir", "note": "Note privée",
        "block": "Bloquer la réservation en ligne", "save": "Enregistrer", "blocked": "Bloqué",
        "merge": "Fusionner deux fiches", "merge yes": "Fusionner", "all": "Tous les clients",
        "erase": "Effacer ce client", "erase yes": "Effacer définitivement",
        "erased": "est effacé", "nobody": "Client effacé", "none": "Aucun client ne correspond",
    },
    "en-GB": {
        "find": "Find a customer", "coming": "Upcoming", "note": "Private note",
        "block": "Block online booking", "save": "Save", "blocked": "Blocked",
        "merge": "Merge two records", "merge yes": "Merge", "all": "All customers",
        "erase": "Erase this customer", "erase yes": "Erase permanently",
        "erased": "has been erased", "nobody": "Erased customer", "none": "No customer matches",
    },
}  # fmt: skip
BOTH = [(390, "light"), (1280, "dark")]


@pytest.fixture
def records(client, alice, salon):
    """Returns the names and notes of the customers."""

    def records():
        found = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
        return {one["nom"]: one for one in found}

    return records


@pytest.mark.parametrize("locale", WORDS)
def test_an_owner_finds_blocks_merges_and_erases_customers(
    serve, new_page, client, db, salon, alice, chloe, tuesday, records, locale
):
    w = WORDS[locale]
    salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    other = {**ROSE, "email": "rose@example.net", "nom": "Petite"}
    salon.book(alice, salon.at(tuesday, "11:00"), client=other)
    salon.book(chloe, salon.at(tuesday, "09:00"))
    path = f"gestion/{salon.id}/clients"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    expect(page.locator(".rows tbody tr")).to_have_count(3)
    assert list(wrong_with(page, BOTH)) == []
    page.get_by_label(w["find"]).fill("petit")
    expect(page.locator(".rows tbody tr")).to_have_count(2)
    page.get_by_label(w["find"]).fill("xyzt")
    expect(page.get_by_text(w["none"])).to_be_visible()
    page.get_by_label(w["find"]).fill("petit")
    page.get_by_role("link", name="Rose Petit", exact=True).click()
    expect(page.get_by_role("heading", name=w["coming"])).to_be_visible()
    assert list(wrong_with(page, BOTH)) == []

    page.get_by_label(w["note"]).fill("Allergique au henné")
    page.get_by_label(w["block"]).check()
    page.get_by_role("button", name=w["save"]).click()
    expect(page.locator(".badge", has_text=w["blocked"])).to_be_visible()
    assert (records()["Petit"]["note"], records()["Petit"]["bloque"]) == (
        "Allergique au henné", True
    )
    page.get_by_role("button", name=w["merge"]).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Rose Petite").click()
    assert list(wrong_with(page, BOTH)) == []
    dialog.get_by_role("button", name=w["merge yes"], exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.locator("main a[href^=reservations]")).to_have_count(2)
    assert "Petite" not in records()

    for visit in client.get("/api/reservations", token=alice.token).json:
        client.delete(f"/api/reservations/{visit['id']}", 204, token=alice.token)
    db.write("UPDATE eventemail SET statut = 'envoye'")  # the customers are told
    page.get_by_role("button", name=w["erase"]).click()
    dialog.get_by_role("button", name=w["erase yes"]).click()
    expect(page.get_by_role("status").filter(has_text=w["erased"])).to_be_visible()
    assert "Petit" not in records()
    expect(page.get_by_role("link", name=w["nobody"])).to_be_visible()


def test_customers_are_imported_after_a_trial_that_names_faulty_lines_and_exported(
    serve, new_page, faults, salon, alice, tmp_path, records
):
    faults.allow(400)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_role("button", name="Importer").click()
    dialog = page.get_by_role("dialog")

    def choose(text, encoding="utf-8"):
        file = tmp_path / f"{encoding}.csv"
        file.write_bytes(text.encode(encoding))
        dialog.get_by_label("Fichier CSV").set_input_files(file)

    choose(CSV.format("Roux", "zoe"))
    expect(dialog.get_by_role("alert")).to_contain_text("ligne 2, adresse e-mail")
    assert list(wrong_with(page, BOTH)) == []
    table = "\ufeff" + CSV.format("Bœuf", "zoe@example.fr").replace(";", "\t")
    for encoding in ("utf-16-le", "utf-16-be"):
        with page.expect_response("**/clients/import*") as answer:
            choose(table, encoding)
        assert answer.value.json() == {"nouveaux": 1, "modifies": 0, "inchanges": 0}
    choose(CSV.format("Bœuf", "zoe@example.fr"), encoding="windows-1252")
    expect(dialog.get_by_role("status")).to_contain_text("Nouveaux : 1.")
    assert records() == {}
    dialog.get_by_role("button", name="Importer ces clients").click()
    expect(page.locator(".rows tbody tr")).to_contain_text("Zoé Bœuf")
    assert records()["Bœuf"]["note"] == "fidèle"
    with page.expect_download() as download:
        page.get_by_role("button", name="Exporter").click()
    assert "Bœuf;Zoé;zoe@example.fr" in download.value.path().read_text(encoding="utf-8-sig")


def test_a_screen_reader_hears_which_columns_an_import_may_have(serve, new_page, salon, alice):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_role("button", name="Importer").click()
    field = page.get_by_role("dialog").get_by_label("Fichier CSV")
    expect(field).to_have_accessible_description(re.compile("nom, prenom, email"))


def test_a_file_that_is_chosen_during_the_check_of_another_is_the_one_that_is_imported(
    serve, new_page, salon, alice, tmp_path, records
):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_role("button", name="Importer").click()
    dialog = page.get_by_role("dialog")
    held = []
    page.route("**/clients/import?*", lambda route: held.append(route), times=1)
    for name in ("Roux", "Petit"):
        file = tmp_path / f"{name}.csv"
        file.write_text(CSV.format(name, f"{name}@example.fr"), encoding="utf-8")
        dialog.get_by_label("Fichier CSV").set_input_files(file)
        wait_for(lambda: page.wait_for_timeout(20) or held)
    with page.expect_response(lambda one: "Petit" in one.request.post_data):
        held[0].continue_()
    dialog.get_by_role("button", name="Importer ces clients").click()
    expect(page.locator(".rows tbody tr")).to_contain_text("Zoé Petit")
    assert list(records()) == ["Petit"]


def test_an_import_whose_answer_was_lost_counts_its_customers_at_the_second_attempt(
    serve, new_page, faults, salon, alice, tmp_path, records
):
    faults.allow(0)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_role("button", name="Importer").click()
    dialog = page.get_by_role("dialog")
    file = tmp_path / "clients.csv"
    file.write_text(CSV.format("Roux", "zoe@example.fr"), encoding="utf-8")
    dialog.get_by_label("Fichier CSV").set_input_files(file)
    page.route("**/clients/import", lambda route: (route.fetch(), route.abort()), times=1)
    dialog.get_by_role("button", name="Importer ces clients").click()
    again = dialog.get_by_role("button", name="Réessayer")
    expect(again).to_be_visible()
    assert "Roux" in records()
    again.click()
    expect(page.get_by_role("status").filter(has_text="1 client importé.")).to_be_visible()


def test_a_record_among_many_with_the_same_name_is_found_for_a_merge(
    serve, new_page, client, salon, alice, records
):
    path = f"/api/entreprises/{salon.id}/clients"
    for number in range(12):
        one = {"nom": "Petit", "prenom": f"A{number:02}", "email": f"c{number}@example.fr"}
        client.post(path, one, 201, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_role("link", name="A00 Petit").click()
    page.get_by_role("button", name="Fusionner deux fiches").click()
    dialog = page.get_by_role("dialog")
    found = dialog.get_by_role("listitem")
    expect(found).to_have_count(7)  # not the record itself
    dialog.get_by_role("button", name="Voir plus").click()
    expect(found).to_have_count(11)
    dialog.get_by_label("Rechercher un client").fill("A11 Petit")
    expect(found).to_have_count(1)
    found.get_by_role("button", name="A11 Petit").click()
    dialog.get_by_role("button", name="Fusionner", exact=True).click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"PK\x03\x04\x14\x00", "Ce n’est pas un fichier CSV."),
        (b"", "Ce fichier est vide."),
        (b"nom;note\n" + b"Roux;fid\n" * 150_000, "Ce fichier est trop gros."),
        (b"nom;ville;f.1\n", "ligne 1\u00a0: La colonne «\u00a0ville\u00a0» est inconnue."),
        (b"nom;ville;f.1\n", "ligne 1\u00a0: La colonne «\u00a0f.1\u00a0» est inconnue."),
        (b"email;note\n", "ligne 1\u00a0: La colonne «\u00a0nom\u00a0» manque."),
        (b"nom;note;Note\n", "ligne 1\u00a0: La colonne «\u00a0note\u00a0» est en double."),
        (b" ;\r\n\r\nnom;ville\n", "ligne 3\u00a0: La colonne «\u00a0ville\u00a0» est inconnue."),
        (b"\nemail;note\n", "ligne 2\u00a0: La colonne «\u00a0nom\u00a0» manque."),
        (b"nom;email\n;a@b.fr\n", "ligne 2, nom\u00a0: À remplir."),
        (b"nom;note\nRoux;the; pas de cafe\n",
         "ligne 2\u00a0: La cellule 3 n’a pas de titre."),
        (b"nom;email\nRoux;a@b.fr\nBlanc;a@b.fr\n",
         "ligne 3, adresse e-mail\u00a0: La ligne 2 donne cette adresse à une autre personne."),
        (b"nom;email\nRoux;x\nBlanc;\nNoir;y\n", re.compile("ligne 2.*ligne 3.*ligne 4")),
    ],
    ids=["workbook", "empty", "large", "column", "column-with-a-point", "no-name", "twice",
         "below-blank-lines", "no-name-below", "no-name-in-a-line", "extra-cell", "family",
         "order"],
)
def test_a_file_that_cannot_be_imported_is_refused_with_the_reason(
    serve, new_page, faults, salon, alice, tmp_path, content, fault
):
    faults.allow(400, 413)
    file = tmp_path / "clients.csv"
    file.write_bytes(content)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_role("button", name="Importer").click()
    page.get_by_label("Fichier CSV").set_input_files(file)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(fault)


def test_an_owner_adds_a_customer_by_hand(serve, new_page, salon, alice, records):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_role("button", name="Ajouter un client").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Nom", exact=True).fill("Picard")
    dialog.get_by_role("button", name="Enregistrer").click()
    expect(dialog.get_by_label("Téléphone")).to_be_focused()
    dialog.get_by_label("Téléphone").fill("06 11 22 33 44")
    dialog.get_by_role("button", name="Enregistrer").click()
    expect(page.locator(".rows tbody tr")).to_contain_text("Picard")
    assert records()["Picard"]["telephone"] == "06 11 22 33 44"


@pytest.mark.parametrize(
    "locale, field, told", [
        ("fr-FR", "Note privée", "Seuls les 50 rendez-vous les plus proches sont affichés."),
        ("en-GB", "Private note", "Only the 50 bookings closest to today are shown."),
    ],
)
def test_a_record_says_that_it_lists_50_bookings_and_takes_as_long_a_note_as_the_api(
    serve, new_page, db, salon, alice, called, locale, field, told
):
    db.write("UPDATE reservation SET statut = 'annulee', creneau_id = NULL")
    alike = ", ".join(
        name for _, name, *_ in db.rows("PRAGMA table_info(reservation)")
        if name not in ("id", "cle_idempotence")
    )
    for _ in range(49):
        one = f"SELECT {alike} FROM reservation WHERE id = ?"
        db.write(f"INSERT INTO reservation ({alike}) {one}", called["id"])
    path = f"gestion/{salon.id}/clients?client={called['client']['id']}"
    page = open_page(new_page, serve().url, alice, path, locale=locale)
    coming = page.locator("section", has=page.locator("a[href^=reservations]"))
    expect(coming.locator("li")).to_have_count(50)
    expect(page.get_by_text(told)).to_have_count(1)
    note = page.get_by_label(field)
    note.fill("")
    note.evaluate("(one) => one.focus()")
    page.keyboard.insert_text("x" * 2500)
    assert len(note.input_value()) == 2500
    db.write("DELETE FROM reservation WHERE id = (SELECT MAX(id) FROM reservation)")
    page.on("dialog", lambda question: question.accept())  # the note is not saved
    page.reload()
    expect(coming.locator("li")).to_have_count(49)
    expect(page.get_by_text(told)).to_have_count(0)


def test_a_mistaken_state_is_corrected_in_the_booking(
    serve, new_page, client, db, salon, alice, chloe, tuesday
):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    begun = int(time.time()) - 7200
    db.write(
        "UPDATE reservation SET statut = 'absente', debut = ?, fin = ?, occupe_debut = ?,"
        " occupe_fin = ?", *(begun, begun + 1800) * 2,
    )
    page = open_page(new_page, serve().url, alice, f"reservations/{number}")
    page.get_by_role("button", name="Corriger : rendez-vous honoré").click()
    said(page, "a honoré son rendez-vous")
    path = f"/api/reservations/{number}"
    assert client.get(path, token=alice.token).json["statut"] == "honoree"
    page.get_by_role("link", name="Voir la fiche client").click()
    expect(page.get_by_role("heading", name="Chloé Martin")).to_be_visible()


def test_a_late_page_does_not_join_the_result_of_a_search(
    serve, new_page, client, salon, alice
):
    path = f"/api/entreprises/{salon.id}/clients"
    for number in range(52):
        one = {"nom": "Zéphirine" if number == 7 else "Petit", "email": f"c{number}@example.fr"}
        client.post(path, one, 201, token=alice.token)
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    rows = page.locator(".rows tbody tr")
    expect(rows).to_have_count(50)
    held = []
    page.route(re.compile(r"/clients\?(?!q=Z)"), lambda route: held.append(route))
    page.get_by_role("button", name="Voir plus").click()
    page.get_by_label("Rechercher un client").fill("Zéphirine")
    expect(rows).to_have_count(1)
    (late,) = held
    with page.expect_response(late.request.url):
        late.continue_()
    page.wait_for_timeout(300)
    expect(rows).to_have_count(1)


def test_descending_names_are_the_reverse_of_ascending_names(
    serve, new_page, client, salon, alice
):
    path = f"/api/entreprises/{salon.id}/clients"
    for prenom, nom in (("Zoé", "Adam"), ("Anne", "Zola")):
        one = {"prenom": prenom, "nom": nom, "email": f"{nom}@example.fr"}
        client.post(path, one, 201, token=alice.token)
    page = open_page(
        new_page, serve().url, alice, f"gestion/{salon.id}/clients?tri=0", locale="en-GB"
    )
    names = page.locator(".rows tbody th")
    expect(names).to_have_text(["Zoé Adam", "Anne Zola"])
    page.get_by_role("columnheader").get_by_role("button", name="Name", exact=True).click()
    expect(names).to_have_text(["Anne Zola", "Zoé Adam"])


def test_a_search_right_before_the_page_is_left_changes_nothing(serve, new_page, salon, alice):
    page = open_page(new_page, serve().url, alice, f"gestion/{salon.id}/clients")
    page.get_by_label("Rechercher un client").evaluate(
        """field => {
            field.value = "Zo";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            document.querySelector("nav a[href$=messages]").click();
        }"""
    )
    expect(page.get_by_label("Rechercher par destinataire")).to_be_visible()
    page.wait_for_timeout(400)
    expect(page).to_have_url(re.compile("/messages$"))


def test_a_record_that_is_saved_cannot_be_edited_before_it_is_shown(
    serve, new_page, client, salon, alice
):
    path = f"/api/entreprises/{salon.id}/clients"
    number = client.post(path, ROSE, 201, token=alice.token).json["id"]
    address = f"gestion/{salon.id}/clients?client={number}"
    page = open_page(new_page, serve().url, alice, address)
    note = page.get_by_label("Note privée")
    note.fill("Allergique")
    held = []

    def hold(route):
        if route.request.method == "GET":
            return held.append(route)
        route.continue_()

    page.route(f"**/api/clients/{number}", hold)
    with page.expect_request(lambda one: one.method == "GET" and "/api/clients/" in one.url):
        page.get_by_role("button", name="Enregistrer").click()
    page.wait_for_timeout(200)
    note.press("End")
    page.keyboard.type(" au henné")  # would be lost
    expect(note).to_have_value("Allergique")
    held[0].continue_()
    expect(note).to_be_editable()
    note.fill("Allergique au henné")
    expect(note).to_have_value("Allergique au henné")


def test_a_long_address_leaves_room_for_the_other_columns(serve, new_page, client, salon, alice):
    long = {
        "prenom": "Marie-Antoinette-Joséphine", "nom": "Vandenbroucke-Saint-Germain",
        "email": f"{'marie.antoinette.' * 3}vandenbroucke@entreprise-tres-longue.example.fr",
        "telephone": "06 11 22 33 44",
    }
    client.post(f"/api/entreprises/{salon.id}/clients", long, 201, token=alice.token)
    page = open_page(
        new_page, serve().url, alice, f"gestion/{salon.id}/clients",
        viewport={"width": 1280, "height": 800},
    )
    phone = page.get_by_role("link", name=long["telephone"])
    expect(phone).to_be_visible()
    assert phone.bounding_box()["height"] < 30  # one line
    assert page.locator(".rows").evaluate("rows => rows.scrollWidth === rows.clientWidth")
