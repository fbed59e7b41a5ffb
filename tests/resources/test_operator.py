"""The console of the operator: all accounts, and the state of the installation."""

import reservation
from reservation.storage import schema
from reservation.storage.models import EventEmail
from tests.conftest import log_in
from tests.outboxes import SECRET
from tests.resources.test_listing import walk


def test_the_admin_sees_all_accounts_the_latest_first(client, alice, chloe, dora):
    found = client.get("/api/comptes", token=dora.token).json
    assert [one["id"] for one in found] == sorted((a.id for a in (alice, chloe, dora)))[::-1]
    mine = next(one for one in found if one["id"] == alice.id)
    assert list(mine) == [
        "id", "email", "nom", "prenom", "role", "actif", "emailProuve", "creeLe",
    ]
    assert (mine["email"], mine["role"], mine["actif"]) == (alice.email, "company", True)
    ids, sizes = walk(client, "/api/comptes", dora.token, limite=2)
    assert ids == [one["id"] for one in found] and sizes == [2, 1]


def test_accounts_are_found_by_the_beginning_of_address_or_family_name(
    client, alice, chloe, dora, db
):
    db.write("UPDATE utilisateur SET nom = 'Élan', nom_cle = 'elan' WHERE id = ?", alice.id)

    def found(q):
        return [one["id"] for one in client.get(f"/api/comptes?q={q}", token=dora.token).json]

    assert found("élA") == [alice.id]
    assert found(chloe.email[:4].upper()) == [chloe.id]
    assert found("lan") == found("%25") == []
    ids, _ = walk(client, "/api/comptes", dora.token, limite=1, q="e")
    assert ids == [alice.id]


def test_a_disabled_account_is_out_until_it_is_enabled(client, alice, chloe, dora):
    path = f"/api/comptes/{chloe.id}"
    assert client.put(path, {"actif": False}, token=dora.token).json["actif"] is False
    assert client.get("/api/compte", 401, token=chloe.token)
    log_in(client, chloe, expect=403)
    assert client.put(path, {"actif": True}, token=dora.token).json["actif"] is True
    log_in(client, chloe)


def test_an_admin_cannot_disable_the_own_account(client, dora):
    path = f"/api/comptes/{dora.id}"
    refused = client.put(path, {"actif": False}, 409, token=dora.token)
    assert refused.json["code"] == "own_account"
    client.put(path, {"actif": True}, token=dora.token)
    client.put("/api/comptes/999", {"actif": True}, 404, token=dora.token)


def test_a_proof_by_the_admin_counts_as_a_proof_of_the_holder(
    make_client, chloe, dora, salon, tuesday
):
    strict = make_client(VERIFY_EMAIL="on")
    booking = {"creneauId": salon.at(tuesday, "10:00"), "prestationId": salon.coupe}
    strict.post("/api/reservations", booking, 403, token=chloe.token)
    assert strict.post(f"/api/comptes/{chloe.id}/preuve", token=dora.token).json["emailProuve"]
    strict.post("/api/reservations", booking, 201, token=chloe.token)


def test_the_admin_sends_a_link_to_a_new_password_whatever_the_limits(client, chloe, dora, db):
    for _ in range(2):
        client.post(f"/api/comptes/{chloe.id}/motdepasse", expect=202, token=dora.token)
    rows = EventEmail.select().where(EventEmail.genre == "mot_de_passe").execute(db)
    assert [row.destinataire for row in rows] == [chloe.email] * 2


def test_the_state_of_the_installation_hides_secrets(
    client, dora, salon, chloe, tuesday, db
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    db.write("UPDATE schema_version SET sauvegarde_le = NULL")
    answer = client.get("/api/installation", token=dora.token)
    found = answer.json
    assert found["version"] == reservation.__version__ and found["schema"] == schema.VERSION
    assert found["reglages"]["RESERVATION_SECRET"] == "(hidden)"
    assert SECRET not in answer.text
    assert found["emails"]["attente"] == 3 and found["retardSecondes"] < 60
    assert found["derniereSauvegarde"] is None and len(found["portesOuvertes"]) > 3
    schema.record_backup(db, 1790000000)
    after = client.get("/api/installation", token=dora.token).json
    assert after["derniereSauvegarde"] == "2026-09-21T16:13:20+02:00"
