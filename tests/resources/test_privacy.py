"""Export and erasure of personal data, and their retention."""

import hashlib

import pytest

from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.customers import records
from reservation.domain.people import accounts, attempts, resetting, sessions
from reservation.domain.people.sessions import Account
from reservation.domain.privacy import erasing, retention
from reservation.errors import TokenInvalid
from reservation.storage.database import transaction
from tests import outboxes, teams
from tests.clock import now
from tests.codes import issued
from tests.conftest import prove
from tests.races.soundness import assert_sound, faults

ME, EXPORT, LIST = "/api/compte", "/api/compte/export", "/api/reservations"
DAY = 86400
ROSE = {"nom": "Petit", "prenom": "Rose", "email": "rose@example.fr", "telephone": "06 11 22"}
SECRETS = ("chloe@example.fr", "Chloé", "06 99 88", "Allergique", "Avec ma fille")


@pytest.fixture
def erase(client):
    """Erases the account of a person, with the right password by default."""

    def erase(person, expect=204, password=None):
        body = {"password": person.password if password is None else password}
        return client.delete(ME, expect, token=person.token, body=body)

    return erase


@pytest.fixture
def known(client, db, salon, alice, chloe, tuesday, post):
    """Chloé has a past visit, a coming visit, sent messages and a record with a note.

    Returns the ids of the visits and of the record.
    """
    profile = {"nom": "Martin", "prenom": "Chloé", "telephone": "06 99 88"}
    client.put(ME, profile, token=chloe.token)
    past, coming = (
        salon.book(chloe, salon.at(tuesday, hour), key=hour, commentaire="Avec ma fille")["id"]
        for hour in ("10:00", "11:00")
    )
    outboxes.delivery(db, post.port).deliver()
    at = now() - DAY
    db.write("UPDATE reservation SET debut = ?, fin = ?, occupe_debut = ?, occupe_fin = ?,"
             " statut = 'honoree' WHERE id = ?", at, at + 1800, at, at + 1800, past)
    record = client.get(f"{LIST}/{past}", token=alice.token).json["client"]["id"]
    db.write("UPDATE client SET note = 'Allergique' WHERE id = ?", record)
    return past, coming, record


def everything(db):
    """Returns the text of all rows of the database."""
    found = ""
    for table in db.get_tables():
        if table != "sqlite_sequence":
            found += str(db.rows(f"SELECT * FROM {table}"))
    return found


def test_an_export_has_all_data_of_the_person(client, db, known, chloe):
    prove(db, chloe.id)
    found = client.get(EXPORT, token=chloe.token).json
    assert (found["compte"]["email"], found["compte"]["telephone"]) == (chloe.email, "06 99 88")
    assert {row["id"] for row in found["reservations"]} == set(known[:2])
    assert all("client" not in row for row in found["reservations"])
    assert {row["genre"] for row in found["messages"]} == {"confirmee", "rappel"}
    assert all(row["destinataire"] == chloe.email for row in found["messages"])
    (record,) = found["fiches"]
    assert (record["note"], record["entreprise"]) == ("Allergique", "Salon alice")
    assert client.get(found["flux"].removeprefix("http://127.0.0.1:8000")).status_int == 200
    assert found["entreprises"] == []


def test_an_unproven_account_exports_no_message_to_the_holder_of_the_address(
    client, db, salon, alice, person, tuesday
):
    stranger = person("Rose", "student")
    salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    found = client.get(EXPORT, token=stranger.token).json
    assert found["messages"] == found["fiches"] == found["reservations"] == []
    prove(db, stranger.id)
    found = client.get(EXPORT, token=stranger.token).json
    assert {row["genre"] for row in found["messages"]} == {"confirmee", "rappel"}
    assert len(found["fiches"]) == len(found["reservations"]) == 1


def test_who_proves_a_former_address_of_an_account_exports_no_message_about_its_visits(
    client, db, known, chloe, person
):
    db.write("UPDATE utilisateur SET email = 'chloe@ailleurs.example' WHERE id = ?", chloe.id)
    successor = person("Chloe", "student")
    assert successor.email == chloe.email
    prove(db, successor.id)
    assert client.get(EXPORT, token=successor.token).json["messages"] == []


def test_an_export_does_not_name_the_address_to_which_the_owner_has_corrected_a_record(
    client, db, salon, alice, person, tuesday
):
    stranger = person("Rose", "student")
    salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    db.write("UPDATE eventemail SET statut = 'envoye'")
    prove(db, stranger.id)
    db.write("UPDATE reservation SET titulaire_id = NULL")
    db.write("UPDATE client SET email = 'rose@ailleurs.example', utilisateur_id = NULL")
    answer = client.get(EXPORT, token=stranger.token)
    assert {row["destinataire"] for row in answer.json["messages"]} == {ROSE["email"]}
    assert "ailleurs" not in answer.text


def test_an_owner_exports_the_names_of_businesses_and_nothing_of_customers(
    client, db, salon, known, alice
):
    prove(db, alice.id)
    db.write("UPDATE reservation SET titulaire_id = NULL")  # a message is about no other account
    answer = client.get(EXPORT, token=alice.token)
    assert answer.json["entreprises"] == [{"id": salon.id, "nom": "Salon alice"}]
    assert answer.json["ressources"] == []
    assert not [one for one in SECRETS if one in answer.text]


def test_an_export_has_the_names_of_the_calendars_that_the_person_runs(client, staff, lina):
    found = client.get(EXPORT, token=lina.token).json
    assert found["ressources"] == [{"id": staff, "nom": "Lina"}]


def test_an_erased_account_leaves_bookings_without_a_person(
    client, db, known, alice, chloe, erase
):
    prove(db, chloe.id)
    past, coming, record = known
    db.write("INSERT INTO code (cle, empreinte, essais, jusqua) VALUES (?, '', 0, 0)",
             hashlib.sha256(chloe.email.encode()).hexdigest())
    resetting.ask(db, chloe.email, "192.0.2.1", now())
    erase(chloe)
    text = everything(db)
    assert not [one for one in SECRETS if one in text]
    client.get(ME, 401, token=chloe.token)
    assert db.rows("SELECT id FROM utilisateur WHERE id = ?", chloe.id) == []
    assert db.rows("SELECT id FROM code") == []
    assert attempts.wait(db, resetting.PER_ADDRESS, chloe.email, now()) is None
    states = {row["id"]: row for row in client.get(LIST, token=alice.token).json}
    assert (states[past]["statut"], states[coming]["statut"]) == ("honoree", "annulee")
    about = {"nom": "Client effacé", "prenom": "", "email": "", "telephone": ""}
    for row in states.values():
        assert row["client"] == {"id": record, **about}
        assert (row["commentaire"], row["utilisateurId"]) == ("", None)
    assert db.rows("SELECT demandeur_id, cle_idempotence, empreinte FROM reservation"
                   " WHERE client_id = ?", record) == [(None, None, None)] * 2
    assert db.rows("SELECT SUM(places_prises) FROM creneau WHERE debut > ?", now()) == [(1,)]
    told = [(row.genre, row.statut) for row in outboxes.posts(db) if row.statut == "attente"]
    assert told == [("annulation", "attente")]
    register = {"email": chloe.email, "password": "un bon mot de passe", "role": "student",
                "first_name": "Chloé", "last_name": "Martin"}
    client.post("/auth/register", register, 201)


def test_no_column_of_any_table_has_a_word_of_an_erased_person(
    client, db, salon, alice, bob, chloe, make_salon, tuesday, post, erase
):
    old, new = chloe.email, "vasseur@ailleurs.example"
    about = {"nom": "Vasseur", "prenom": "Clotilde", "telephone": "06 99 88 77 66"}
    client.put(ME, about, token=chloe.token)
    prove(db, chloe.id)
    rival = make_salon(bob)
    salon.book(chloe, salon.at(tuesday, "10:00"), commentaire="Clotilde vient avec sa fille")
    rival.book(bob, rival.at(tuesday, "15:00"), client={**about, "email": old})
    client.post("/auth/code", {"email": old}, 202)
    client.post("/auth/password/forgot", {"email": old}, 202)
    outboxes.delivery(db, post.port).deliver()
    body = {"email": new, "code": issued(db, new), "password": chloe.password}
    chloe.token = client.put(f"{ME}/email", body, token=chloe.token).json["token"]
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    names = ("nom", "prenom", "telephone", "bloque", "version")
    changed = {name: row[name] for name in names} | {"email": "clotilde@example.fr", "note": "06"}
    client.put(f"/api/clients/{row['id']}", changed, token=alice.token)
    salon.book(chloe, salon.at(tuesday, "11:00"))
    client.post("/auth/code", {"email": new}, 202)
    client.post("/auth/password/forgot", {"email": new}, 202)
    outboxes.delivery(db, post.port).deliver()
    db.write("UPDATE eventemail SET derniere_erreur = destinataire, statut = 'abandonne'"
             " WHERE genre = 'rappel'")
    erase(chloe)
    outboxes.delivery(db, post.port).deliver()
    digits = ("06 99 88 77 66", "0699887766")
    found = everything(db).lower()
    assert not [one for one in ("vasseur", "clotilde", old, *digits) if one in found]


def test_messages_about_an_unproven_account_that_was_erased_are_deleted(
    client, db, chloe, post, erase
):
    client.post("/auth/code", {"email": chloe.email}, 202)
    client.post("/auth/password/forgot", {"email": chloe.email}, 202)
    assert outboxes.delivery(db, post.port).deliver() == 2
    client.post("/auth/code", {"email": chloe.email}, 202)
    erase(chloe)
    assert [(row.genre, row.statut) for row in outboxes.posts(db)] == [("code", "attente")]


def test_no_column_of_any_table_has_the_contact_of_an_erased_owner(
    client, db, salon, alice, chloe, tuesday, post, erase
):
    contact = ("rachel@salon.example", "04 72 99 88 77")
    client.put(ME, {"nom": "Vasseur", "prenom": "Rachel", "telephone": contact[1]},
               token=alice.token)
    prove(db, alice.id)
    db.write("UPDATE entreprise SET email = ?, telephone = ?, adresse = 'chez Rachel Vasseur',"
             " description = 'Rachel Vasseur vous reçoit'", *contact)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    outboxes.delivery(db, post.port).deliver()
    db.write("UPDATE entreprise SET email = ''")
    body = {"statut": "annulee", "message": f"Rachel, {contact[1]}", "version": 1}
    client.put(f"{LIST}/{number}", body, token=alice.token)
    outboxes.delivery(db, post.port).deliver()
    db.write("UPDATE entreprise SET actif = 0")
    assert contact[0] in everything(db) and contact[1] in everything(db)
    erase(alice)
    found = everything(db).lower()
    assert not [one for one in ("vasseur", "rachel", alice.email, *contact) if one in found]


@pytest.mark.parametrize("langue, name", [("fr", "Client effacé"), ("en", "Erased customer")])
def test_the_notice_to_the_business_is_sent_and_names_nobody(
    db, known, alice, chloe, erase, post, tuesday, langue, name
):
    prove(db, chloe.id)
    db.write("UPDATE utilisateur SET langue = ? WHERE id = ?", langue, alice.id)
    erase(chloe)
    outboxes.delivery(db, post.port).deliver()
    (notice,) = [row for row in outboxes.posts(db) if row.genre == "annulation"]
    assert notice.statut == "envoye" and name in notice.corps
    assert not [one for one in SECRETS if one in notice.corps]


def test_the_token_and_the_feed_of_an_erased_account_open_no_later_account(
    client, chloe, person, erase
):
    feed = client.get("/api/flux", token=chloe.token).json["url"]
    erase(chloe)
    assert person("Rose", "student").id > chloe.id
    client.get(ME, 401, token=chloe.token)
    client.get(feed.removeprefix("http://127.0.0.1:8000"), 404)


def test_an_erasure_asks_for_the_password_if_there_is_one(client, db, known, chloe, erase):
    before = everything(db)
    for wrong in ("", "un autre mot de passe"):
        assert erase(chloe, 401, wrong).headers["X-Error-Code"] == "invalid_credentials"
    db.write("DELETE FROM tentative")
    assert everything(db) == before
    db.write("UPDATE utilisateur SET mot_de_passe_hash = NULL WHERE id = ?", chloe.id)
    erase(chloe, password="")


def test_an_erasure_cancels_after_the_deadline_too(client, db, known, alice, chloe, erase):
    db.write("UPDATE entreprise SET delai_annulation = 525600")
    client.delete(f"{LIST}/{known[1]}", 403, token=chloe.token)
    erase(chloe)
    assert client.get(f"{LIST}/{known[1]}", token=alice.token).json["statut"] == "annulee"


def test_the_erasure_of_an_unproven_account_keeps_the_mail_of_the_address(
    db, salon, alice, person, tuesday, erase
):
    stranger = person("Rose", "student")
    salon.book(alice, salon.at(tuesday, "10:00"), client=ROSE)
    db.write("INSERT INTO code (cle, empreinte, essais, jusqua) VALUES (?, '', 0, 0)",
             hashlib.sha256(stranger.email.encode()).hexdigest())
    before = db.rows("SELECT * FROM client"), db.rows("SELECT * FROM code"), outboxes.posts(db)
    erase(stranger)
    assert before == (
        db.rows("SELECT * FROM client"), db.rows("SELECT * FROM code"), outboxes.posts(db)
    )


def test_a_record_that_a_booking_makes_meanwhile_is_erased_too(
    db, known, bob, chloe, make_salon, erase, monkeypatch
):
    rival, lock = make_salon(bob), erasing.anonymising.lock
    copy = (
        "INSERT INTO client (entreprise_id, utilisateur_id, email, nom, nom_cle, prenom,"
        " telephone, telephone_cle, suit_compte, note, bloque, version, cree_le)"
        " SELECT ?, utilisateur_id, email, nom, nom_cle, prenom, telephone, telephone_cle,"
        " suit_compte, note, bloque, version, cree_le FROM client"
    )

    def made_meanwhile(db, ids):
        lock(db, ids)
        monkeypatch.undo()
        transaction(db, lambda: db.write(copy, rival.id))

    monkeypatch.setattr(erasing.anonymising, "lock", made_meanwhile)
    erase(chloe)
    assert not [one for one in SECRETS if one in everything(db)]


def test_an_owner_closes_the_businesses_first_and_leaves_an_empty_account(
    client, db, salon, known, alice, bob, erase
):
    assert erase(alice, 409).headers["X-Error-Code"] == "business_open"
    db.write("UPDATE entreprise SET actif = 0, telephone = '04 72', email = 'salon@example.fr'")
    assert erase(alice, 409).headers["X-Error-Code"] == "business_open"
    client.delete(f"{LIST}/{known[1]}", token=alice.token)
    prove(db, alice.id)
    erase(alice)
    client.get(ME, 401, token=alice.token)
    assert alice.email not in everything(db) and "salon@" not in everything(db)
    rows = db.rows("SELECT email, nom, prenom, mot_de_passe_hash, actif FROM utilisateur"
                   " WHERE id = ?", alice.id)
    assert rows == [(f"{alice.id}@efface", "Compte effacé", "", None, 0)]
    assert client.get(f"/api/entreprises/{salon.id}").json["telephone"] == ""
    assert faults(db, "customer") == []


def test_the_worker_removes_the_words_of_an_erased_description(
    client, db, make_salon, alice, work, erase
):
    salon = make_salon(alice, description="Tenu par Zornique, 0611223344")
    db.write("UPDATE entreprise SET actif = 0")
    client.put(f"/api/prestations/{salon.coupe}", {"nom": "Coupe", "dureeMinutes": 30},
               token=alice.token)  # indexes the words of the closed business
    erase(alice)
    assert work("--once").status() == 0
    assert "zornique" not in everything(db) and "0611223344" not in everything(db)


def test_the_persons_of_a_team_lose_the_first_name_of_the_owner_and_their_descriptions(
    client, db, salon, alice, chloe, staff, tuesday, erase
):
    teams.add(db, salon.id, "Salle 1", "lieu")
    db.write("UPDATE ressource SET description = 'Au fond à gauche'")
    with_alice = salon.at(tuesday, "10:00")
    number = salon.book(chloe, with_alice)["id"]
    db.write("UPDATE reservation SET debut = 1, occupe_debut = 1, statut = 'honoree'")
    db.write("UPDATE entreprise SET actif = 0")
    erase(alice)
    assert db.rows("SELECT nom, description FROM ressource ORDER BY id") == [
        ("Compte effacé", ""), ("Lina", ""), ("Salle 1", "Au fond à gauche"),
    ]
    visit = client.get(f"{LIST}/{number}", token=chloe.token).json
    assert visit["ressource"]["nom"] == "Compte effacé"


def test_the_only_person_of_a_business_stays_nameless_if_the_owner_has_no_first_name(
    db, salon, alice, erase
):
    db.write("UPDATE utilisateur SET prenom = ''")
    db.write("UPDATE entreprise SET actif = 0")
    erase(alice)
    assert db.rows("SELECT nom FROM ressource") == [("",)]


def test_no_stranger_can_register_the_address_that_an_erased_owner_gets(
    client, db, make_salon, person, erase
):
    empty = {"password": "un bon mot de passe", "first_name": "A", "last_name": "B"}
    for owner in (person("Anne", "company"), person("Eva", "company")):
        address = f"/api/entreprises/{make_salon(owner).id}"
        read = client.get(address, token=owner.token).json
        names = ("nom", "ville", "codePostal", "version")
        shut = {"actif": False, **{name: read[name] for name in names}}
        client.put(address, shut, token=owner.token)
        erase(owner)
        ((email,),) = db.rows("SELECT email FROM utilisateur WHERE id = ?", owner.id)
        body = {**empty, "email": email.replace(str(owner.id), "99"), "role": "student"}
        client.post("/auth/register", body, 400)


def test_an_owner_erases_a_customer_of_the_business_alone(
    client, db, known, alice, bob, chloe, make_salon, tuesday, post
):
    rival = make_salon(bob)
    elsewhere = rival.book(chloe, rival.at(tuesday, "14:00"))["id"]
    past, coming, record = known
    path = f"/api/clients/{record}"
    refused = client.delete(path, 409, token=alice.token)
    assert refused.headers["X-Error-Code"] == "customer_has_upcoming"
    client.delete(f"{LIST}/{coming}", token=alice.token)
    outboxes.delivery(db, post.port).deliver()
    client.delete(path, 412, token=alice.token, headers={"If-Match": '"v77"'})
    client.delete(path, token=alice.token)
    shown = client.get(path, token=alice.token).json
    assert (shown["nom"], shown["email"], shown["note"]) == ("Client effacé", "", "")
    assert [one["id"] for one in shown["passees"]] == [past]
    rows = client.get(LIST, token=chloe.token).json
    assert [row["id"] for row in rows] == [elsewhere]
    assert client.get(ME, token=chloe.token).json["email"] == chloe.email
    assert faults(db, "customer") == []


@pytest.mark.parametrize(
    ("statut", "reason", "status"),
    [("attente", None, 409), ("envoi", None, 409), ("retenu", "owner_unproven", 409),
     ("retenu", "450 busy", 204),  # held by the restore of an earlier version
     ("retenu", None, 204), ("abandonne", "550 unknown", 204), ("envoye", None, 204)],
)
@pytest.mark.parametrize("refuses", [False, True])
def test_a_customer_is_erased_only_after_the_message_that_a_coming_visit_is_off(
    client, db, make_salon, alice, chloe, tuesday, refuses, statut, reason, status
):
    salon = make_salon(alice, validationManuelle=refuses)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    path = f"{LIST}/{booked['id']}"
    record = client.get(path, token=alice.token).json["client"]["id"]
    if refuses:
        client.put(path, {"statut": "refusee", "version": 1}, token=alice.token)
    else:
        client.delete(path, token=alice.token)
    db.write("UPDATE eventemail SET statut = 'envoye' WHERE genre NOT IN ('annulee_entreprise',"
             " 'refusee')")
    db.write("UPDATE eventemail SET statut = ?, derniere_erreur = ? WHERE genre IN"
             " ('annulee_entreprise', 'refusee')", statut, reason)
    client.delete(f"/api/clients/{record}", status, token=alice.token)


def test_a_message_about_a_visit_that_would_have_begun_keeps_no_customer_from_the_erasure(
    client, db, known, alice
):
    _, coming, record = known
    client.delete(f"{LIST}/{coming}", token=alice.token)
    client.delete(f"/api/clients/{record}", 409, token=alice.token)
    times = now() - 60, now() + 1740
    columns = "debut = ?, fin = ?, occupe_debut = ?, occupe_fin = ?"
    db.write(f"UPDATE reservation SET {columns}", *times, *times)
    client.delete(f"/api/clients/{record}", token=alice.token)


@pytest.fixture
def ago(db):
    """Moves everything to `days` days ago."""

    def ago(days):
        at = now() - days * DAY
        db.write("UPDATE reservation SET debut = ?, fin = ?, occupe_debut = ?, occupe_fin = ?",
                 at, at + 1800, at, at + 1800)
        db.write("UPDATE client SET cree_le = ?", at)
        db.write("UPDATE utilisateur SET cree_le = ?", at)

    return ago


def unused(db, days):
    return list(retention.erase_unused(db, now() - days * DAY, now()))


def test_records_and_students_without_a_booking_for_long_are_erased(
    client, db, known, alice, chloe, ago
):
    ago(99)
    unused(db, 100)
    assert client.get(ME, token=chloe.token).json["email"] == chloe.email
    unused(db, 98)
    client.get(ME, 401, token=chloe.token)
    assert not [one for one in SECRETS if one in everything(db)]
    client.get(ME, token=alice.token)
    before = everything(db)
    unused(db, 98)
    assert everything(db) == before


@pytest.mark.parametrize("kept", [
    "UPDATE utilisateur SET cree_le = {now}",
    "UPDATE utilisateur SET jetons_depuis = {now}",
    "UPDATE utilisateur SET dernier_jeton_le = {now}",
    "UPDATE utilisateur SET reinit_jusqua = {now}",
    "UPDATE utilisateur SET email_prouve_le = {now}",
    "UPDATE utilisateur SET type_id = 2",
])
def test_an_account_that_was_used_or_belongs_to_an_owner_is_kept(db, known, chloe, ago, kept):
    ago(99)
    db.write(kept.format(now=now()))
    unused(db, 98)
    assert accounts.get(db, chloe.id).email == chloe.email


def test_the_account_that_runs_the_calendar_of_a_person_is_kept_until_the_person_retires(
    db, salon, ines, chloe, ago
):
    ago(99)
    db.write("UPDATE ressource SET utilisateur_id = ? WHERE id = ?", chloe.id, ines)
    unused(db, 98)
    assert accounts.get(db, chloe.id).email == chloe.email
    teams.retire(db, ines)
    unused(db, 98)
    with pytest.raises(TokenInvalid):
        accounts.get(db, chloe.id)


def test_a_customer_who_books_while_the_records_are_read_is_kept(
    db, known, chloe, ago, monkeypatch
):
    ago(99)
    lock = retention.anonymising.lock

    def booked_meanwhile(db, ids):
        soon = now() + 60
        db.write("UPDATE reservation SET debut = ?, fin = ?, occupe_fin = ?", soon, soon + 1,
                 soon + 1)
        lock(db, ids)

    monkeypatch.setattr(retention.anonymising, "lock", booked_meanwhile)
    retention._anonymise(db, [known[2]], now() - 98 * DAY)
    assert db.rows("SELECT nom FROM client WHERE id = ?", known[2]) == [("Martin",)]


def test_an_account_that_another_worker_erases_meanwhile_does_not_stop_the_worker(
    client, db, known, chloe, ago, monkeypatch
):
    ago(99)
    original = erasing.erase

    def after_the_other(*values):
        original(*values)
        return original(*values)

    monkeypatch.setattr(erasing, "erase", after_the_other)
    unused(db, 98)
    client.get(ME, token=chloe.token)  # the failed transaction contained both erasures
    monkeypatch.undo()
    unused(db, 98)
    client.get(ME, 401, token=chloe.token)


def test_the_worker_erases_after_the_months_of_the_setting(db, known, chloe, ago, work):
    ago(100)
    for months in ("0", "36"):
        assert work("--once", CUSTOMER_RETENTION_MONTHS=months).status() == 0
        assert chloe.email in everything(db)
    assert work("--once", CUSTOMER_RETENTION_MONTHS="3").status() == 0
    assert chloe.email not in everything(db)


@pytest.mark.parametrize("has_record", [False, True])
def test_a_booking_of_an_account_that_is_erased_meanwhile_is_refused(
    db, salon, chloe, tuesday, monkeypatch, has_record
):
    """The account is erased after the token was checked; a record of another customer stands for
    one that was found before."""
    if has_record:
        salon.book(chloe, salon.at(tuesday, "10:00"))
        ((record,),) = db.rows("SELECT MIN(id) FROM client")
        known = records.CustomerRecord(record, chloe.id)
        monkeypatch.setattr(records, "of_account", lambda *_: known)
    request = Request(salon.at(tuesday, "15:00"), salon.coupe)
    with pytest.raises(TokenInvalid):
        booking.book(db, Account(10**6, "student"), request, now())
    assert_sound(db)


@pytest.mark.parametrize("method, path, body", [
    ("GET", ME, None),
    ("GET", EXPORT, None),
    ("POST", "/auth/refresh", {}),
    ("POST", "/auth/password", {"current_password": "x", "new_password": "un bon mot de passe"}),
    ("PUT", f"{ME}/email", {"email": "zoe@example.fr", "code": "1"}),
    ("DELETE", ME, {"password": "x"}),
])
def test_a_request_of_an_account_that_is_erased_meanwhile_is_refused(
    client, monkeypatch, method, path, body
):
    """The account is erased after the token was checked."""
    monkeypatch.setattr(sessions, "account_of", lambda *_: Account(10**6, "student"))
    answer = client.call(method, path, body, expect=401, token="x")
    assert answer.headers["X-Error-Code"] == "token_invalid"


@pytest.mark.parametrize("module, step", [(erasing.changing, "cancel"), (erasing, "transaction")])
def test_the_second_of_two_erasures_at_once_is_refused_like_any_request_of_an_erased_account(
    known, chloe, erase, monkeypatch, module, step
):
    """The other erasure is finished before this step."""
    original = getattr(module, step)

    def after_the_other(*values, **options):
        monkeypatch.undo()
        erase(chloe)
        return original(*values, **options)

    monkeypatch.setattr(module, step, after_the_other)
    assert erase(chloe, 401).headers["X-Error-Code"] == "token_invalid"
