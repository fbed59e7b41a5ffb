"""Customers as CSV: export, and import with a dry run."""

import random
import time

import pytest

from reservation.domain.customers import importing, limits, recognising, records
from reservation.domain.customers.candidates import Described
from reservation.domain.customers.records import Details
from reservation.domain.lanes import Lane
from reservation.storage.database import transaction
from tests.clock import now
from tests.conftest import prove
from tests.races.statements import Statements

COLUMNS = "nom, prenom, email, telephone, note, suit_compte, version, utilisateur_id"


@pytest.fixture
def load(client, salon, alice):
    """Imports CSV: load("nom;email\\nPetit;…", essai=1)."""

    def load(texte, expect=200, essai=0):
        path = f"/api/entreprises/{salon.id}/clients/import?essai={essai}"
        return client.post(path, {"texte": texte}, expect, token=alice.token).json

    return load


@pytest.fixture
def exported(client, salon, alice):
    def exported():
        answer = client.get(f"/api/entreprises/{salon.id}/clients.csv", token=alice.token)
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert f"clients-{salon.id}.csv" in answer.headers["Content-Disposition"]
        return answer.body.decode()

    return exported


def stored(db):
    return db.rows(f"SELECT {COLUMNS} FROM client ORDER BY nom_cle, id")


def test_an_export_is_what_spreadsheets_in_france_open(db, load, exported):
    load('nom;prenom;note;telephone\nÉté;Zoë;"a; ""b""\nc";06\n')
    assert exported() == (
        '\ufeffnom;prenom;email;telephone;note\r\nÉté;Zoë;;06;"a; ""b""\nc"\r\n'
    )


def test_no_cell_of_an_export_is_a_formula_and_an_import_restores_it(
    db, salon, load, exported
):
    cells = ["=1+1", "+33 6 11", "-2", "@SUM(A1)", "'=x", "''+", "'s-Gravenhage", "a=b"]
    for number, cell in enumerate(cells):
        values = (salon.id, cell, f"{number}", "", f"{number}@example.fr", cell, "", cell)
        db.write(
            "INSERT INTO client (entreprise_id, nom, nom_cle, prenom, email, telephone,"
            " telephone_cle, note, suit_compte, bloque, version, cree_le)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 1, 0)", *values,
        )
    text = exported()
    for line in text.splitlines()[1:]:
        for cell in line.replace('"', "").split(";"):
            assert cell[:1] not in ("=", "+", "-", "@"), cell
    assert load(text) == {"nouveaux": 0, "modifies": 0, "inchanges": len(cells)}


def test_an_export_of_two_records_with_one_address_changes_nothing(
    client, db, salon, alice, bob, tuesday, load, exported
):
    salon.book(bob, salon.at(tuesday, "10:00"))  # the address of his account is unproven
    path = f"/api/entreprises/{salon.id}/clients"
    for about in ({"nom": "Petit", "email": bob.email, "note": "fidèle"},
                  {"nom": "Roux", "telephone": "06", "note": "a"},
                  {"nom": "Rou", "telephone": "06", "note": "b"}):
        made = client.post(path, about, 201, token=alice.token).json
    client.put(f"/api/clients/{made['id']}", {**about, "nom": "roux"}, token=alice.token)
    before = stored(db)
    assert [row[2] for row in before] == [bob.email, bob.email, "", ""]
    assert load(exported()) == {"nouveaux": 0, "modifies": 0, "inchanges": 4}
    assert stored(db) == before


def test_a_note_in_an_exported_line_reaches_who_booked_online_with_an_unproven_address(
    client, db, salon, alice, bob, tuesday, load, exported
):
    salon.book(bob, salon.at(tuesday, "10:00"))
    ((*names, email, telephone, _, follows, _, holder),) = stored(db)
    noted = exported().rstrip() + "fidèle\r\n"
    for essai, modifies in ((1, 1), (0, 1), (0, 0)):
        counts = {"nouveaux": 0, "modifies": modifies, "inchanges": 1 - modifies}
        assert load(noted, essai=essai) == counts
    path = f"/api/entreprises/{salon.id}/clients"
    about = {"nom": "Petit", "email": bob.email, "note": "VIP"}
    client.post(path, about, 201, token=alice.token)
    assert load(noted.replace("fidèle", "x"))["modifies"] == 1
    assert stored(db) == [
        (*names, email, telephone, "x", follows, 3, holder),
        ("Petit", "", bob.email, "", "VIP", 0, 1, None),
    ]
    assert load(f"nom;email\nRoux;{bob.email}\n")["modifies"] == 1
    assert [row[0] for row in stored(db)] == ["Martin", "Roux"]


def test_a_record_that_a_line_renames_no_longer_follows_its_account(
    db, salon, chloe, tuesday, load
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    prove(db, chloe.id)
    for nom, note, follows in (("Martin", "fidèle", 1), ("Roux", "fidèle", 0), ("Roux", "x", 0)):
        load(f"nom;email;note\n{nom};{chloe.email};{note}\n")
        assert [(row[0], row[4], row[5]) for row in stored(db)] == [(nom, note, follows)]


@pytest.mark.parametrize("text", [
    "nom;prenom;email;telephone;note\nPetit;Rose;Rose@Example.fr;06 11;x\n",
    "\ufeffE-mail,Note,Téléphone,PRÉNOM,Nom\r\nrose@example.fr,x,06 11,Rose,Petit\r\n",
    ";nom;prenom;email;telephone;note; ;\n;Petit;Rose;rose@example.fr;06 11;x;;\n",
    'email\tnom\tprenom\ttelephone\tnote\n\n"rose@example.fr"\tPetit\tRose\t06 11\tx\n\t\n',
    "\n\nnom;prenom;email;telephone;note\nPetit;Rose;rose@example.fr;06 11;x\n",
    "\tnom\tprenom\temail\ttelephone\tnote\n\tPetit\tRose\trose@example.fr\t06 11\tx\n",
])
def test_columns_come_in_any_order_and_with_the_usual_separators(db, load, text):
    assert load(text) == {"nouveaux": 1, "modifies": 0, "inchanges": 0}
    assert stored(db) == [("Petit", "Rose", "rose@example.fr", "06 11", "x", 0, 1, None)]


def test_every_faulty_line_is_named_and_nothing_is_stored(db, load):
    text = (
        "nom;email;telephone\nPetit;rose@example.fr;\n;zoe@example.fr;\nDurand;zoe;06\n\n"
        f"Martin;;\n\"Deux\nlignes\";;07\n{'x' * 101};a@example.fr;\nTrop;;07;plus\n"
    )
    for essai in (0, 1):
        champs = load(text, 400, essai)["champs"]
        assert {key: fault["code"] for key, fault in champs.items()} == {
            "3.nom": "required", "4.email": "invalid_email", "6": "unreachable",
            "9.nom": "too_long", "10.4": "unknown_field",
        }
    assert stored(db) == []


@pytest.mark.parametrize("text, faults", [
    ("prenom;ville\nRose;Lyon", {"1.nom": "required", "1.ville": "unknown_field"}),
    ("nom;Nom\nRose;Lyon", {"1.nom": "contradiction"}),
    ("nom;email\n\"Rose", {"2": "malformed_csv"}),
    ("nom;email\n;x\n\"Rose", {"2.nom": "required", "2.email": "invalid_email",
                               "3": "malformed_csv"}),
    ("\nprenom;ville\nRose;Lyon", {"2.nom": "required", "2.ville": "unknown_field"}),
    (";;", {"1.nom": "required"}),
    ("nom;;email\nPetit;x;rose@example.fr", {"2.2": "unknown_field"}),
    ("nom;telephone\n" + "Petit;06\n" * 5001, {"texte": "too_many_lines"}),
    ("nom" + ";nom" * 99 + "\nPetit", {"1.nom": "contradiction"}),
    ("nom" + ";nom" * 100 + "\nPetit", {"1": "too_many_columns"}),
    ("nom;\nPetit" + ";x" * 100, {"2": "too_many_columns"}),
])
def test_a_text_that_is_no_table_of_customers_is_refused(db, load, text, faults):
    champs = load(text, 400)["champs"]
    assert {key: fault["code"] for key, fault in champs.items()} == faults


def test_two_people_with_one_address_in_a_file_are_refused(db, load):
    text = (
        "nom;prenom;email;telephone\nPetit;Anne;Famille@example.fr;06 11\n"
        "Petit;Luc;famille@example.fr;06 22\nPETIT;;famille@example.fr;\n"
        "Anne Petit;;famille@example.fr;\nPetit;Zoé;;06 22\nPetit;Rose;;06 33\n"
    )
    for essai in (1, 0):
        ((key, fault),) = load(text, 400, essai)["champs"].items()
        assert (key, fault["code"], fault["line"]) == ("3.email", "shared_address", 2)
    assert stored(db) == []


def test_a_heading_with_very_many_accents_is_read_in_linear_time(load):
    began = time.thread_time()
    accents = "\u0315" * 60_000 + "\u0327" * 60_000
    assert set(load(f"nom;a{accents}", 400)["champs"]) == {f"1.a{accents}"}
    assert time.thread_time() - began < 2


def test_a_dry_run_counts_and_stores_nothing(db, load):
    load("nom;email;telephone\nPetit;rose@example.fr;06\nDurand;;07\n")
    before = stored(db)
    text = ("nom;email;telephone;note\nPetit;rose@example.fr;;\nDurand;;07;fidèle\n"
            "Roux;;08;\nRoux;;0 8;\n")
    counts = {"nouveaux": 1, "modifies": 2, "inchanges": 1}
    assert load(text, essai=1) == counts
    assert stored(db) == before
    assert load(text) == counts
    assert [row[4:7] for row in stored(db)] == [("fidèle", 0, 2), ("", 0, 1), ("", 0, 1)]


def test_an_import_takes_five_thousand_lines_in_few_statements(
    client, db, salon, alice, load, monkeypatch
):
    lines = "".join(
        f"Nom{number};Prénom{number};nom{number}@example.fr;06 {number};note\n"
        for number in range(5000)
    )
    text = f"nom;prenom;email;telephone;note\n{lines}"
    assert load(text)["nouveaux"] == 5000
    statements = Statements()
    statements.install(monkeypatch.setattr)
    statements.arm(-1, None)
    assert load(text.replace("Prénom", "Pré"))["modifies"] == 5000
    assert len(statements.seen) < 70
    path = f"/api/entreprises/{salon.id}/clients/import"
    too_large = {"texte": "x" * 2**20}
    assert client.post(path, too_large, 413, token=alice.token).json["max"] == 2**20


def test_an_import_finds_customers_as_a_booking_of_the_owner_does(
    db, salon, bob, chloe, tuesday
):
    draw = random.Random(3)
    prove(db, chloe.id)
    salon.book(bob, salon.at(tuesday, "10:00"))
    words = {"nom": ("Petit", "Roux"), "prenom": ("", "Zoé"), "telephone": ("", "06", "0 6", "07"),
             "email": ("", chloe.email, bob.email, "rose@example.fr")}
    drawn = [Details(**{name: draw.choice(some) for name, some in words.items()})
             for _ in range(60)]
    lines = [one for one in drawn if one.email or one.telephone]
    assert len(lines) > 40
    start = db.rows("SELECT * FROM client")

    def one_by_one():
        for details in lines:
            recognising.described(db, salon.id, details, now())
        found = stored(db)
        db.write("DELETE FROM client WHERE id <> ?", start[0][0])
        columns = "nom = 'Martin', prenom = 'Bob', telephone = '', telephone_cle = ''"
        db.write(f"UPDATE client SET {columns}, nom_cle = 'martin bob', suit_compte = 1,"
                 " email = ?, version = 1", bob.email)
        return found

    expected = transaction(db, one_by_one)
    importing.load(db, salon.id, [Described(one) for one in lines], now(), False)

    def without_versions(rows):  # one_by_one changes a record several times
        return [row[:6] + row[7:] for row in rows]

    assert without_versions(stored(db)) == without_versions(expected)


def test_of_two_records_with_one_telephone_the_one_with_the_same_spelling_is_meant(
    db, salon, alice, tuesday, load
):
    """Before version 7 of the schema, `06` and `+33 6` were two customers."""
    rose = {"nom": "Petit", "prenom": "Rose"}
    ids = [
        transaction(db, lambda: records.add(
            db, salon.id, None, Details(**rose, telephone=one), False, now()  # noqa: B023
        ))
        for one in ("06 11", "+33 6 11")
    ]
    times = iter(("09:00", "09:30", "10:00"))

    def booked(telephone):
        slot = salon.at(tuesday, next(times))
        return salon.book(alice, slot, client=rose | {"telephone": telephone})["client"]

    assert booked("+33 6 11") == {"id": ids[1], **rose, "email": "", "telephone": "+33 6 11"}
    assert booked("06 11")["id"] == ids[0]
    load("nom;prenom;telephone;note\nPetit;Rose;+33 6 11;b\nPetit;Rose;06 11;a\n")
    assert db.rows("SELECT telephone, note FROM client ORDER BY id") == [
        ("06 11", "a"), ("+33 6 11", "b")
    ]
    assert booked("0611")["id"] == ids[0]


def test_a_full_name_in_one_column_changes_no_names(db, load):
    load("nom;prenom;email;telephone\nPetit;Rose;rose@example.fr;\nDe la Tour;Zoé;;0622\n")
    before = stored(db)
    for rose, zoe in (("Rose Petit", "Zoé de la Tour"), ("PETIT Rose", "De La Tour Zoé")):
        text = f"nom;email;telephone\n{rose};rose@example.fr;\n{zoe};;0622\n"
        assert load(text) == {"nouveaux": 0, "modifies": 0, "inchanges": 2}
    assert stored(db) == before
    load("nom;email\nAnne Roux;rose@example.fr\n")
    assert [row[:2] for row in stored(db)] == [("Anne Roux", ""), ("De la Tour", "Zoé")]


def test_a_telephone_without_its_first_zero_gets_it_back(
    client, db, salon, alice, tuesday, load
):
    """Excel reads `0611223344` as a number, and saves it without the 0."""
    header = "nom;telephone;email\n"
    text = f"{header}Petit;611223344;\nRoux;655443322;zoe@example.fr\n"
    db.write("UPDATE entreprise SET fuseau = 'Europe/Madrid'")
    load(text)
    assert [row[3] for row in stored(db)] == ["611223344", "655443322"]
    for fuseau in ("Europe/Paris", "Indian/Reunion"):
        db.write("UPDATE entreprise SET fuseau = ?", fuseau)
        db.write("UPDATE client SET telephone = '611223344', telephone_cle = '611223344'")
        assert load(text) == {"nouveaux": 0, "modifies": 2, "inchanges": 0}
        assert load(text) == {"nouveaux": 0, "modifies": 0, "inchanges": 2}
        assert [row[3] for row in stored(db)] == ["0611223344", "0655443322"]
    numbers = ("61122334", "6 11 22 33 4", "+33611223344", "6112233445", "011223344")
    load(header + "".join(f"A{number};{number};\n" for number in numbers))
    assert {row[3] for row in stored(db)} == {"0611223344", "0655443322", *numbers}
    db.write("UPDATE client SET telephone = '611223344', telephone_cle = '611223344'")
    about = {"nom": "Petit", "telephone": "06 11 22 33 44"}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=about)
    assert db.rows("SELECT id FROM client WHERE nom = 'Petit'") == [(booked["client"]["id"],)]


def test_a_second_import_of_a_file_changes_nothing(db, load, exported):
    draw = random.Random(5)
    people = [("Petit", "Rose", "06 11"), ("Petit", "Anne", "0611"), ("Le Goff", "Yann", "0 7")]
    for _ in range(15):
        db.write("DELETE FROM client")
        text = "nom;prenom;email;telephone\n"
        for _ in range(8):
            nom, prenom, telephone = draw.choice(people)
            names = draw.choice((f"{nom};{prenom}", f"{prenom} {nom};", f"{nom} {prenom};"))
            email = draw.choice(("", f"{prenom}@example.fr"))
            text += f"{names};{email};{draw.choice(('', telephone)) if email else telephone}\n"
        load(text)
        before = stored(db)
        assert load(text) == {"nouveaux": 0, "modifies": 0, "inchanges": 8}, text
        assert load(exported())["inchanges"] == len(before)
        assert stored(db) == before


def test_an_import_reads_only_the_records_that_may_match(db, salon, load, monkeypatch):
    """Records of one telephone with other names, and records of other addresses, are not read."""
    for number in range(50):
        for email in ("", f"n{number}@example.fr"):
            details = Details(f"Nom{number}", "", email, "06")
            records.add(db, salon.id, None, details, False, now())
    read = []
    inner = type(db).many_rows
    monkeypatch.setattr(
        type(db), "many_rows", lambda *args: read.extend(inner(*args)) or inner(*args)
    )
    text = "nom;email;telephone;note\nNom3;;0 6;x\nNom4;n4@example.fr;;y\n"
    assert load(text, essai=1) == {"nouveaux": 0, "modifies": 2, "inchanges": 0}
    assert sorted(row[3:7] for row in read) == [
        ["Nom3", "", "", "06"], ["Nom4", "", "n4@example.fr", "06"]
    ]


def test_a_line_adds_an_address_to_the_customer_with_the_telephone_and_the_name(
    client, db, salon, alice, chloe, tuesday, load
):
    prove(db, chloe.id)
    called = {"nom": "Martin", "prenom": "Chloé", "telephone": "06 11"}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=called)
    text = f"nom;prenom;email;telephone\nMartin;Chloé;{chloe.email};0611\nMartin;Chloé;;0611\n"
    for essai in (1, 0):
        assert load(text, essai=essai) == {"nouveaux": 0, "modifies": 1, "inchanges": 1}
    ((nom, _, email, telephone, *_, holder),) = stored(db)
    assert (nom, email, telephone, holder) == ("Martin", chloe.email, "0611", chloe.id)
    (mine,) = client.get("/api/reservations", token=chloe.token).json
    assert mine["id"] == booked["id"]
    reminders = db.rows("SELECT destinataire FROM eventemail WHERE genre = 'rappel'")
    assert reminders == [(chloe.email,)]
    assert load(text) == {"nouveaux": 0, "modifies": 0, "inchanges": 2}


def test_a_line_without_an_address_is_about_the_one_customer_with_telephone_and_name(db, load):
    load("nom;email;telephone\nPetit;rose@example.fr;06 11\n")
    text = "nom;telephone;note\nPetit;0611;fidèle\n"
    assert load(text) == {"nouveaux": 0, "modifies": 1, "inchanges": 0}
    assert [row[2:5] for row in stored(db)] == [("rose@example.fr", "0611", "fidèle")]
    load("nom;email;telephone\nPetit;rose@example.net;06 11\n")
    assert load(text) == {"nouveaux": 1, "modifies": 0, "inchanges": 0}


@pytest.mark.parametrize("essai, note", [(1, "x"), (0, "")])
def test_an_import_that_stores_nothing_locks_nothing(db, load, monkeypatch, essai, note):
    load("nom;telephone\nPetit;06\n")
    statements = Statements()
    statements.install(monkeypatch.setattr)
    statements.arm(-1, None)
    load(f"nom;telephone;note\nPetit;06;{note}\n", essai=essai)
    changing = ("UPDATE", "INSERT", "DELETE")
    assert not [text for text, _ in statements.seen if text.startswith(changing)]
    assert not [text for text, _ in statements.seen if db.FOR_SHARE and db.FOR_SHARE in text]


def test_a_business_has_a_limit_of_customers_but_takes_bookings_beyond(
    client, salon, alice, bob, tuesday, load, monkeypatch
):
    monkeypatch.setattr(limits, "MOST", 2)
    load("nom;telephone\nPetit;06\n")
    text = "nom;telephone;note\nPetit;06;x\nRoux;07;\n"
    for essai in (1, 0):
        refused = load(text + "Durand;08;\n", 409, essai)
        assert (refused["code"], refused["max"]) == ("too_many_customers", 2)
    load(text)
    path = f"/api/entreprises/{salon.id}/clients"
    body = {"nom": "Durand", "telephone": "08"}
    assert client.post(path, body, 409, token=alice.token).json["code"] == "too_many_customers"
    salon.book(bob, salon.at(tuesday, "10:00"))
    assert load(text) == {"nouveaux": 0, "modifies": 0, "inchanges": 2}


def test_imports_run_one_at_a_time(load, monkeypatch):
    monkeypatch.setattr("reservation.resources.business.transfer._lane", Lane(0, waiting=0))
    assert load("nom;telephone\nPetit;06\n", 503)["code"] == "overloaded"
