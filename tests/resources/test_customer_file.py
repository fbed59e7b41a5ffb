"""The customer file of a business: searching, reading, changing and merging records."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest

from reservation.domain.customers import search
from tests.clock import now
from tests.conftest import prove
from tests.races.statements import Statements

ROSE = {"nom": "Petit", "prenom": "Rose", "email": "rose@example.fr", "telephone": "06 11 22"}
LIST = "/api/reservations"


@pytest.fixture
def add(client, salon, alice):
    """Creates a record and returns it: add(nom="Petit", …)."""

    def add(expect=201, **about):
        path = f"/api/entreprises/{salon.id}/clients"
        return client.post(path, about, expect, token=alice.token).json

    return add


@pytest.fixture
def found(client, salon, alice):
    """Returns the names that a search finds: found("mart")."""

    def found(q="", **query):
        path = f"/api/entreprises/{salon.id}/clients?{urlencode({'q': q, **query})}"
        return [row["nom"] for row in client.get(path, token=alice.token).json]

    return found


@pytest.fixture
def change(client, alice):
    """Changes a record, as the owner: change(record, note="…")."""

    def change(record, expect=200, **values):
        names = ("nom", "prenom", "email", "telephone", "note", "bloque", "version")
        body = {name: record[name] for name in names} | values
        return client.put(f"/api/clients/{record['id']}", body, expect, token=alice.token).json

    return change


def test_a_customer_has_a_record_before_the_first_booking(client, alice, add):
    made = add(**ROSE, note="Préfère le matin", bloque=True)
    assert {name: made[name] for name in ROSE} == ROSE
    assert (made["note"], made["bloque"], made["version"]) == ("Préfère le matin", True, 1)
    assert (made["aVenir"], made["absences"], made["dernierPassage"]) == (0, 0, None)
    shown = client.get(f"/api/clients/{made['id']}", token=alice.token).json
    assert shown == {**made, "prochaines": [], "passees": []}


def test_a_record_needs_a_telephone_or_an_address_and_exists_once(add, change):
    assert add(400, nom="Petit")["champs"]["telephone"]["code"] == "unreachable"
    made = add(**ROSE)
    assert add(409, **{**ROSE, "nom": "Autre"})["code"] == "customer_known"
    assert add(409, nom="Durand", email=ROSE["email"])["code"] == "customer_known"
    add(nom="Petit", prenom="Anne", telephone="06 11 22")
    refused = change(made, 400, email="", telephone="")
    assert refused["champs"]["telephone"]["code"] == "unreachable"


def test_a_booking_by_the_owner_uses_the_record(salon, alice, tuesday, add):
    made = add(**ROSE)
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    assert booked["client"]["id"] == made["id"]


def test_a_search_finds_the_beginnings_of_words_and_forgives_a_typing_error(add, found):
    for nom, prenom, email, telephone in (
        ("Lefèvre", "Marie-Anne", "ma.lefevre@example.fr", "06 11 22 33 44"),
        ("Martin", "Chloé", "chloe@example.org", "+33 7 55 66 77 88"),
        ("Le Goff", "Yann", "", "0298123456"),
    ):
        add(nom=nom, prenom=prenom, email=email, telephone=telephone)
    for q, names in {
        "": ["Le Goff", "Lefèvre", "Martin"],
        "lefe": ["Lefèvre"], "LEFÈVRE": ["Lefèvre"], "anne": ["Lefèvre"], "fevr": [],
        "efevre": ["Lefèvre"],
        "ma le": ["Lefèvre"], "ma": ["Lefèvre", "Martin"], "martin chloe": ["Martin"],
        "matrin": ["Martin"], "mrtin": ["Martin"], "marttin": ["Martin"], "mertin": ["Martin"],
        "amrtin": ["Martin"], "martim": ["Martin"], "nartim": [], "mqr": [], "lefebvre": [
            "Lefèvre"], "goff yann": ["Le Goff"], "chloe@exam": ["Martin"], "example.org": [
            "Martin"], "06 11": ["Lefèvre"], "061122": ["Lefèvre"], "+33 6 11": ["Lefèvre"],
        "07 55": ["Martin"], "+33755": ["Martin"], "0298": ["Le Goff"], "1122": [], "-": [],
        "lefevre 0611": ["Lefèvre"], "lefevre 07": [], "%": [], "'": [],
    }.items():
        assert found(q) == names, q


def test_a_search_heeds_eight_words(add, found):
    add(nom="A b c d", prenom="e f g h", telephone="06")
    assert found("a a b c d e f g h z") == ["A b c d"]
    assert found("a a b c d e f g z h") == []


def test_a_search_among_very_many_similar_names_is_given_up(
    client, salon, alice, add, found, monkeypatch
):
    for number in range(8):
        add(nom="xa xb", telephone=f"06 {number}")
    assert found("xaxx") == []
    monkeypatch.setattr(search, "_STEP", 1)
    monkeypatch.setattr(search, "_SECONDS", -1)
    path = f"/api/entreprises/{salon.id}/clients?q=xaxx"
    assert client.get(path, 503, token=alice.token).json["code"] == "overloaded"


def test_a_business_finds_its_own_customers_only(client, make_salon, bob, add, found):
    rival = make_salon(bob)
    add(**ROSE)
    path = f"/api/entreprises/{rival.id}/clients"
    client.post(path, {**ROSE, "nom": "Petite"}, 201, token=bob.token)
    assert found("petit") == found() == ["Petit"]


def test_one_typing_error_is_one_letter_wrong_missing_added_or_two_swapped():
    letters, word = "abcdefx", "abcdef"
    near = {word[:at] + one + word[at + 1 :] for at in range(6) for one in letters}
    near |= {word[:at] + one + word[at:] for at in range(7) for one in letters}
    near |= {word[:at] + word[at + 1 :] for at in range(6)}
    near |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(5)}
    for known in near:
        assert search.begins(known + "zz", word) and search.begins(known, word), known
        assert any(part in known for part in search._parts(word)), known
    assert not any(map(search.begins, ("abxdxf", "badcef", "xbcdxf", ""), [word] * 4))
    assert not search.begins("abd", "abc") and search.begins("abcd", "abc")


def test_pages_hold_each_record_once_and_in_order(client, salon, alice, add):
    for number in range(7):
        add(nom="Martin" if number % 2 else f"Client {number}", telephone=f"06 {number}")
    for q in ("", "0"):
        url, seen = f"/api/entreprises/{salon.id}/clients?limite=2&q={q}", []
        while url:
            answer = client.get(url, token=alice.token)
            seen += [(row["nom"], row["id"]) for row in answer.json]
            url = answer.headers.get("Link", "")[1:].partition(">")[0]
        assert seen == sorted(seen) and len(set(seen)) == 7


def test_a_cursor_of_a_record_that_was_merged_is_refused(client, salon, alice, add):
    first = add(nom="A", telephone="1")
    add(nom="B", telephone="2")
    other = add(nom="C", telephone="3")
    path = f"/api/entreprises/{salon.id}/clients?limite=1"
    link = client.get(path, token=alice.token).headers["Link"][1:].partition(">")[0]
    merged = {"client": first["id"]}
    client.post(f"/api/clients/{other['id']}/fusion", merged, token=alice.token)
    champs = client.get(link, 400, token=alice.token).json["champs"]
    assert champs["apres"]["code"] == "invalid_cursor"


def test_no_later_customer_gets_the_number_of_a_record_that_was_merged(client, alice, add):
    kept, gone = add(nom="A", telephone="1"), add(nom="B", telephone="2")
    path = f"/api/clients/{kept['id']}/fusion"
    client.post(path, {"client": gone["id"]}, token=alice.token)
    assert add(nom="C", telephone="3")["id"] > gone["id"]


def test_the_file_counts_bookings_and_shows_those_who_cannot_book(
    client, db, salon, alice, chloe, tuesday, add, found
):
    add(**ROSE)
    numbers = [salon.book(chloe, salon.at(tuesday, time))["id"] for time in ("09:00", "09:30")]
    days = [1, 2, 3]
    for day, statut in zip(days, ("honoree", "absente", "annulee"), strict=True):
        number = salon.book(chloe, salon.at(tuesday + timedelta(days=1), f"{13 + day}:00"))["id"]
        numbers.append(number)
        at = now() - day * 86400
        db.write(
            "UPDATE reservation SET statut = ?, debut = ?, fin = ?, occupe_debut = ?,"
            " occupe_fin = ? WHERE id = ?", statut, at, at + 1800, at, at + 1800, number,
        )
    path = f"/api/entreprises/{salon.id}/clients?q=chloe"
    (row,) = client.get(path, token=alice.token).json
    assert (row["aVenir"], row["absences"]) == (2, 1)
    shown = client.get(f"/api/clients/{row['id']}", token=alice.token).json
    assert [one["id"] for one in shown["prochaines"]] == numbers[:2]
    assert [one["id"] for one in shown["passees"]] == numbers[2:]
    assert row["dernierPassage"] == shown["passees"][0]["debut"]
    assert found(bloque=1) == []
    db.write("UPDATE client SET bloque = 1 WHERE id = ?", row["id"])
    assert found(bloque=1) == found("chloe", bloque=1) == ["Martin"]


def test_a_visit_in_progress_is_not_listed_as_past(client, db, salon, alice, visit):
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    for end, coming, past in ((600, [visit], []), (0, [], [visit])):
        times = (now() - 900, now() + end)
        db.write(
            "UPDATE reservation SET debut = ?, fin = ?, occupe_debut = ?, occupe_fin = ?"
            " WHERE id = ?", *times, *times, visit,
        )
        shown = client.get(f"/api/clients/{row['id']}", token=alice.token).json
        assert [one["id"] for one in shown["prochaines"]] == coming
        assert [one["id"] for one in shown["passees"]] == past


def test_the_owners_words_are_kept_apart_from_the_account(
    client, db, salon, alice, chloe, visit, change
):
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    noted = change(row, note="Allergique", bloque=True)
    client.put("/api/compte", {"nom": "Durand"}, token=chloe.token)
    followed = client.get(f"/api/clients/{row['id']}", token=alice.token).json
    assert (followed["nom"], followed["note"]) == ("Durand", "Allergique")
    change(noted, 412, note="x")
    written = change(followed, telephone="01 02")
    client.put("/api/compte", {"nom": "Autre"}, token=chloe.token)
    kept = client.get(f"/api/clients/{row['id']}", token=alice.token).json
    assert (kept["nom"], kept["telephone"]) == ("Durand", "01 02")
    assert kept["version"] == written["version"]
    visits = client.get(LIST, token=chloe.token).json
    assert [one["id"] for one in visits] == [visit]


def test_a_corrected_address_takes_the_booking_from_a_stranger_and_gives_it_to_its_holder(
    client, db, salon, alice, bob, chloe, tuesday, change
):
    prove(db, bob.id, chloe.id)
    about = {"nom": "Martin", "email": bob.email}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=about)
    path = f"{LIST}/{booked['id']}"
    client.get(path, token=bob.token)
    record = client.get(f"/api/clients/{booked['client']['id']}", token=alice.token).json
    record = change(record, email=chloe.email)
    client.get(path, 404, token=bob.token)
    client.get(path, token=chloe.token)
    record = change(record, email="personne@example.fr")
    client.get(path, 404, token=chloe.token)
    salon.book(chloe, salon.at(tuesday, "11:00"))
    assert change(record, 409, email=chloe.email)["code"] == "customer_known"


def test_a_change_that_keeps_the_account_of_a_record_writes_no_booking(
    client, db, salon, alice, visit, change, monkeypatch
):
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    statements = Statements()
    statements.install(monkeypatch.setattr)
    statements.arm(-1, None)
    change(row, note="Allergique", prenom="Zoé", email="autre@example.fr")
    texts = [text.replace("`", '"') for text, _ in statements.seen]
    assert [text for text in texts if text.startswith('UPDATE "client"')]
    assert not [text for text in texts if text.startswith('UPDATE "reservation"')]


def test_who_booked_online_keeps_the_bookings_whatever_address_the_owner_writes(
    client, salon, alice, chloe, visit, change
):
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    change(row, email="autre@example.fr")
    assert client.get(f"{LIST}/{visit}", token=chloe.token).json["id"] == visit


def test_the_corrected_address_of_who_booked_online_finds_the_record_again(
    client, db, salon, alice, chloe, visit, tuesday, add, change
):
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    new = {"nom": "Martin", "email": "autre@example.fr"}
    change(row, email=new["email"])
    assert add(409, **new)["code"] == "customer_known"
    booked = salon.book(alice, salon.at(tuesday, "11:00"), client=new)
    assert (booked["client"]["id"], booked["utilisateurId"]) == (row["id"], chloe.id)
    path = f"/api/entreprises/{salon.id}/clients/import"
    text = {"texte": f"nom;email;note\nMartin;{new['email']};Fidèle\n"}
    counts = client.post(path, text, token=alice.token).json
    assert counts == {"nouveaux": 0, "modifies": 1, "inchanges": 0}
    assert db.rows("SELECT id, note FROM client") == [(row["id"], "Fidèle")]


def test_a_corrected_name_gives_a_stranger_no_booking_for_the_address_of_the_account(
    client, salon, alice, chloe, visit, tuesday, change
):
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    change(row, nom="Durand")
    about = {"nom": "Martin", "email": chloe.email}
    path = f"/api/entreprises/{salon.id}/clients/import?essai=1"
    text = {"texte": f"nom;email\nMartin;{chloe.email}\n"}
    assert client.post(path, text, token=alice.token).json["nouveaux"] == 1
    booked = salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    assert booked["client"]["id"] != row["id"] and booked["utilisateurId"] is None


def test_who_has_proven_the_corrected_address_of_another_customer_has_a_record_of_his_own(
    client, db, salon, alice, bob, chloe, visit, tuesday, change
):
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    change(row, email=bob.email)
    prove(db, bob.id)
    path = f"/api/entreprises/{salon.id}/clients/import?essai=1"
    text = {"texte": f"nom;email\nMartin;{bob.email}\n"}
    assert client.post(path, text, token=alice.token).json["nouveaux"] == 1
    about = {"nom": "Martin", "email": bob.email}
    booked = salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    assert booked["utilisateurId"] == bob.id


def test_two_records_of_one_person_become_one(client, db, salon, alice, chloe, visit, tuesday):
    about = {"nom": "Martine", "telephone": "06 99"}
    called = salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    kept, gone = called["client"]["id"], client.get(
        f"{LIST}/{visit}", token=alice.token
    ).json["client"]["id"]
    for number, note in ((kept, "Première"), (gone, "Seconde")):
        db.write("UPDATE client SET note = ? WHERE id = ?", note, number)
    path = f"/api/clients/{kept}/fusion"
    client.post(path, {"client": gone}, 412, token=alice.token, headers={"If-Match": '"v9"'})
    merged = client.post(path, {"client": gone}, token=alice.token).json
    assert (merged["nom"], merged["email"], merged["telephone"]) == (
        "Martine", chloe.email, "06 99"
    )
    assert (merged["note"], merged["aVenir"]) == ("Première\n\nSeconde", 2)
    client.get(f"/api/clients/{gone}", 404, token=alice.token)
    mine = {one["id"] for one in client.get(LIST, token=chloe.token).json}
    assert mine == {visit, called["id"]}


def test_a_telephone_from_a_merged_record_stays_when_the_account_changes(
    client, alice, chloe, visit, add
):
    called = add(nom="Martin", telephone="06 99")
    number = client.get(f"{LIST}/{visit}", token=alice.token).json["client"]["id"]
    path = f"/api/clients/{number}"
    client.post(f"{path}/fusion", {"client": called["id"]}, token=alice.token)
    profile = {"nom": "Martin", "prenom": "Chloé", "langue": "en"}
    client.put("/api/compte", profile, token=chloe.token)
    assert client.get(path, token=alice.token).json["telephone"] == "06 99"


@pytest.mark.parametrize("nom, prenom", [("MARTIN", "Chloé"), ("Chloé Martin", "")])
def test_a_merge_takes_over_the_first_name_if_the_last_names_are_the_same(
    client, alice, add, found, nom, prenom
):
    kept, gone = add(nom=nom, telephone="06 99"), add(nom="Martin", prenom="Chloé", telephone="07")
    path = f"/api/clients/{kept['id']}/fusion"
    merged = client.post(path, {"client": gone["id"]}, token=alice.token).json
    assert (merged["nom"], merged["prenom"]) == (nom, prenom)
    assert found("chloe") == [nom]


def test_a_record_that_is_merged_into_an_erased_record_keeps_its_name(
    client, alice, chloe, visit, add, found
):
    erased = add(nom="Petit", telephone="06 99")["id"]
    client.delete(f"/api/clients/{erased}", token=alice.token)
    gone = client.get(f"{LIST}/{visit}", token=alice.token).json["client"]["id"]
    path = f"/api/clients/{erased}/fusion"
    merged = client.post(path, {"client": gone}, token=alice.token).json
    shown = merged["nom"], merged["prenom"], merged["email"]
    assert shown == ("Martin", "Chloé", chloe.email)
    assert found("chloe") == ["Martin"]


@pytest.fixture
def to_customers(db):
    """Returns the kind, address and state of the messages to customers."""
    query = (
        "SELECT genre, destinataire, statut FROM eventemail"
        " WHERE genre IN ('confirmee', 'rappel') ORDER BY id"
    )
    return lambda: [tuple(row) for row in db.rows(query)]


def test_queued_messages_follow_the_corrected_address(
    client, salon, alice, tuesday, change, to_customers
):
    about = {"nom": "Petit", "email": "rose@exmaple.fr", "telephone": "06 11 22"}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=about)
    record = client.get(f"/api/clients/{booked['client']['id']}", token=alice.token).json
    record = change(record, email=ROSE["email"])
    assert to_customers() == [
        (kind, ROSE["email"], "attente") for kind in ("confirmee", "rappel")
    ]
    record = change(record, email="")
    assert to_customers() == [("confirmee", "", "abandonne")]
    change(record, email=ROSE["email"])
    assert to_customers()[1:] == [("rappel", ROSE["email"], "attente")]


def test_who_gets_a_first_address_gets_reminders_of_the_bookings(
    client, salon, alice, tuesday, change, to_customers
):
    about = {"nom": "Petit", "telephone": "06 11 22"}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=about)
    record = client.get(f"/api/clients/{booked['client']['id']}", token=alice.token).json
    record = change(record, email=ROSE["email"])
    change(change(record, email="rose@exmaple.fr"), email=ROSE["email"])
    assert to_customers() == [
        ("confirmee", "", "abandonne"), ("rappel", ROSE["email"], "attente")
    ]


def test_a_visit_that_was_moved_after_its_reminder_is_reminded_of_at_a_first_address(
    client, db, salon, alice, tuesday, change, to_customers
):
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    db.write("UPDATE eventemail SET statut = 'envoye', envoye_le = 1")
    move = {"creneauId": salon.at(tuesday, "14:00"), "version": 1}
    client.put(f"{LIST}/{booked['id']}", move, token=alice.token)
    record = client.get(f"/api/clients/{booked['client']['id']}", token=alice.token).json
    change(change(record, email=""), email="rose@ailleurs.example")
    assert to_customers()[-1] == ("rappel", "rose@ailleurs.example", "attente")


def test_who_books_online_gets_messages_even_if_the_owner_has_removed_the_address(
    client, db, salon, alice, chloe, visit, tuesday, change, to_customers
):
    path = f"/api/entreprises/{salon.id}/clients"
    (row,) = client.get(path, token=alice.token).json
    change(row, email="", telephone="06 99")
    db.write("DELETE FROM eventemail")
    salon.book(chloe, salon.at(tuesday, "11:00"))
    assert to_customers() == [
        (kind, chloe.email, "attente") for kind in ("rappel", "confirmee", "rappel")
    ]
    (row,) = client.get(path, token=alice.token).json
    assert (row["email"], row["telephone"]) == (chloe.email, "06 99")


def test_a_record_stays_if_neither_it_nor_the_account_has_a_telephone(
    client, salon, alice, chloe, visit, tuesday, change
):
    path = f"/api/entreprises/{salon.id}/clients"
    (row,) = client.get(path, token=alice.token).json
    edited = change(row, nom="Durand", telephone="")
    salon.book(chloe, salon.at(tuesday, "11:00"))
    change(edited, note="Fidèle")  # not stale


@pytest.mark.parametrize("imports", [False, True])
def test_queued_messages_follow_the_address_that_a_booking_or_an_import_writes(
    client, db, salon, alice, chloe, tuesday, change, to_customers, imports
):
    prove(db, chloe.id)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    path = f"/api/entreprises/{salon.id}/clients"
    change(client.get(path, token=alice.token).json[0], email="chloe@exmaple.fr")
    assert {address for _, address, _ in to_customers()} == {"chloe@exmaple.fr"}
    if imports:
        text = {"texte": f"nom;email\nMartin;{chloe.email}\n"}
        client.post(f"{path}/import", text, token=alice.token)
    else:
        about = {"nom": "Martin", "email": chloe.email}
        salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    assert {address for _, address, _ in to_customers()} == {chloe.email}


def test_queued_messages_follow_their_booking_to_another_record(
    client, salon, alice, chloe, visit, tuesday, to_customers
):
    about = {"nom": "Martine", "email": "martine@example.fr"}
    booked = salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    kept = client.get(f"{LIST}/{visit}", token=alice.token).json["client"]["id"]
    other = {"client": booked["client"]["id"]}
    client.post(f"/api/clients/{kept}/fusion", other, token=alice.token)
    assert to_customers() == [(kind, chloe.email, "attente") for kind in ("confirmee", "rappel")]


@pytest.mark.parametrize("written", ["bureau@example.fr", ""])
def test_queued_messages_follow_their_booking_if_a_proof_merges_two_records(
    client, db, salon, alice, chloe, tuesday, change, to_customers, written
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    path = f"/api/entreprises/{salon.id}/clients"
    (row,) = client.get(path, token=alice.token).json
    change(row, email=written, telephone="06 11")
    about = {"nom": "Martin", "prenom": "Chloé", "email": chloe.email}
    salon.book(alice, salon.at(tuesday, "11:00"), client=about)
    prove(db, chloe.id)
    (record,) = client.get(path, token=alice.token).json
    assert (record["email"], record["aVenir"]) == (chloe.email, 2)
    told = [(kind, address) for kind, address, _ in to_customers() if address]
    assert told.count(("rappel", chloe.email)) == 2
    assert {address for _, address in told} == {chloe.email}


def test_only_two_records_of_one_business_are_merged(
    client, make_salon, alice, bob, tuesday, add
):
    mine = add(**ROSE)
    rival = make_salon(bob)
    path = f"/api/entreprises/{rival.id}/clients"
    theirs = client.post(path, ROSE, 201, token=bob.token).json
    for other in (theirs["id"], mine["id"], 999_999):
        body = {"client": other}
        refused = client.post(f"/api/clients/{mine['id']}/fusion", body, 400, token=alice.token)
        assert refused.json["champs"]["client"]["code"] == "unknown_customer"


def test_the_bookings_of_a_customer_are_listed_for_the_owner_and_their_holder(
    client, salon, alice, bob, chloe, dora, visit, tuesday
):
    salon.book(alice, salon.at(tuesday, "11:00"), client=ROSE)
    number = client.get(f"{LIST}/{visit}", token=alice.token).json["client"]["id"]
    for person, seen in ((alice, [visit]), (dora, [visit]), (chloe, [visit]), (bob, [])):
        rows = client.get(f"{LIST}?client={number}", token=person.token).json
        assert [row["id"] for row in rows] == seen
    for query in ("miennes=1", f"entreprise={salon.id + 1}", "statut=annulee"):
        assert client.get(f"{LIST}?client={number}&{query}", token=alice.token).json == []
