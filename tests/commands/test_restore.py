"""A restore accepts only complete backups. The database is unusable until the restore ends."""

import gzip
import hashlib
import json
import os
import re

import pytest

from reservation.conflicts import Conflict
from reservation.domain.messages import releasing
from reservation.domain.outbox import holding
from reservation.errors import WrongSchema
from reservation.storage import definitions, schema
from reservation.storage.backups import transfer
from reservation.storage.backups.archive import Archive
from reservation.storage.database import connect, forget
from reservation.storage.models import Entreprise
from tests import engines, outboxes
from tests.clock import now
from tests.codes import issued
from tests.commands.rows import rows, tables, without_tokens
from tests.conftest import PASSWORD

INTERRUPTED = "a restore into the database was interrupted: run `reservation restore` again"
UNCHANGED = (lambda _part, _rows: None, lambda _part, batches: batches)


@pytest.fixture
def whole(run, file, visit):
    """Writes a backup to `file`; returns its uncompressed text."""
    run("backup", file)
    return gzip.decompress(file.read_bytes())


def changed(whole, **header):
    """Returns the text with a changed header and a matching digest."""
    first, *middle, last = whole.splitlines(keepends=True)
    text = json.dumps({**json.loads(first), **header}).encode() + b"\n" + b"".join(middle)
    trailer = {**json.loads(last), "sha256": hashlib.sha256(text).hexdigest()}
    return gzip.compress(text + json.dumps(trailer).encode())


def packed(value):
    return gzip.compress(json.dumps(value).encode())


FOREIGN = "is not a backup of this program"
DAMAGED = "is cut short or damaged"
REFUSED = {
    "empty": (lambda whole: b"", FOREIGN),
    "text": (lambda whole: b"CREATE TABLE a (b);\n", FOREIGN),
    "no line": (lambda whole: gzip.compress(b""), FOREIGN),
    "other JSON": (lambda whole: packed([]), FOREIGN),
    "other format": (lambda whole: packed({"format": "x"}), FOREIGN),
    "half a header": (lambda whole: packed({"format": "reservation backup"}), FOREIGN),
    "five bytes": (lambda whole: gzip.compress(whole)[:5], FOREIGN),
    "half": (lambda whole: gzip.compress(whole)[: len(gzip.compress(whole)) // 2], DAMAGED),
    "all but one byte": (lambda whole: gzip.compress(whole)[:-1], DAMAGED),
    "one byte more": (lambda whole: gzip.compress(whole) + b"x", DAMAGED),
    "twice": (lambda whole: gzip.compress(whole) * 2, DAMAGED),
    "another town": (lambda whole: gzip.compress(whole.replace(b"Lyon", b"Nyon", 1)), DAMAGED),
    "no end": (lambda whole: gzip.compress(whole[: whole.rindex(b'{"rows"')]), DAMAGED),
    "no number": (lambda whole: changed(whole, schemaVersion="x"), FOREIGN),
    "newer format": (lambda whole: changed(whole, formatVersion=2), "newer version"),
    "newer schema": (
        lambda whole: changed(whole, schemaVersion=99, program="9.9"),
        "has schema version 99, this program needs version",
    ),
    "older schema": (
        lambda whole: changed(whole, schemaVersion=0, program="0.0"),
        "restore it with version 0.0 of this program, then migrate",
    ),
    "other tables": (
        lambda whole: changed(whole.replace(b'"VARCHAR(20)"', b'"TEXT"', 1)),
        "holds other tables or columns",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_whole_backup_is_refused_and_nothing_is_written(
    run, file, whole, elsewhere, kind
):
    make, words = REFUSED[kind]
    file.write_bytes(make(whole))
    said = run("restore", file, status=2, url=elsewhere)
    assert said.startswith(f"reservation: {file} ") and words in said
    assert tables(elsewhere) == set()


def test_a_file_that_cannot_be_read_is_refused(run, file, elsewhere):
    for path in (file.parent / "absent", file.parent):
        assert f"{path} cannot be read: " in run("restore", path, status=2, url=elsewhere)
    assert "needs a FILE" in run("restore", status=2, url=elsewhere)
    assert tables(elsewhere) == set()


def test_a_pipe_is_refused_and_not_taken_for_another_file(run, whole, elsewhere):
    reader, writer = os.pipe()
    os.write(writer, gzip.compress(whole)[:1000])
    os.close(writer)
    said = run("restore", f"/dev/fd/{reader}", status=2, url=elsewhere)
    os.close(reader)
    assert "is a pipe, which can be read only once: save it as a file first" in said


def test_a_row_that_a_table_refuses_ends_the_restore(run, file, whole, elsewhere):
    file.write_bytes(changed(whole.replace(b'"Europe/Paris",0,90', b'"Europe/Paris",0,-9')))
    assert "a row that entreprise refuses: " in run("restore", file, status=2, url=elsewhere)
    file.write_bytes(gzip.compress(whole))
    run("restore", file, url=elsewhere)
    assert len(rows(elsewhere)["reservation"]) == 1


@engines.on_sqlite
def test_a_full_disk_is_not_blamed_on_the_backup(
    run, db, file, visit, elsewhere, small_disk, empty_folder
):
    Entreprise.update(description="x" * 10_000).execute(db)  # needs more than a page of 4096 bytes
    run("backup", file)
    empty = connect(f"sqlite:///{empty_folder}/reservation.db")
    ((pages,),) = empty.rows("PRAGMA page_count")
    forget(empty)
    small_disk(pages)  # enough for the tables, but not for their rows
    said = run("restore", file, status=1, url=elsewhere)
    assert " is full; free disk space" in said and "holds a row" not in said


def test_a_file_with_fewer_rows_than_it_says_ends_the_restore(run, file, whole, elsewhere):
    file.write_bytes(gzip.compress(whole.replace(b'"entreprise":1', b'"entreprise":2', 1)))
    said = run("restore", file, status=2, url=elsewhere)
    assert "does not hold the announced number of rows of entreprise" in said
    db = connect(elsewhere)
    with pytest.raises(WrongSchema, match="interrupted"):
        schema.require(db)
    forget(db)


def test_a_database_with_tables_is_left_as_it_is(run, file, database_url, whole, elsewhere):
    before = rows(database_url)
    assert "is not empty" in run("restore", file, status=1)
    assert rows(database_url) == before
    run("init-db", url=elsewhere)
    assert "is not empty" in run("restore", file, status=1, url=elsewhere)


# Changes that a restore makes.


def test_tokens_and_reset_links_end_and_feeds_go_on(
    run, file, elsewhere, client, chloe, db, make_client
):
    feed = client.get("/api/flux", token=chloe.token).json["url"].partition(":8000")[2]
    db.write("UPDATE utilisateur SET reinit_empreinte = 'x', reinit_jusqua = 9999999999")
    run("backup", file)
    run("restore", file, url=elsewhere)
    after = make_client(DATABASE_URL=elsewhere)
    after.get("/api/reservations", expect=401, token=chloe.token)
    body = {"email": chloe.email, "password": PASSWORD}
    token = after.post("/auth/login", body).json["token"]
    assert after.get("/api/reservations", token=token).json == []
    assert "BEGIN:VCALENDAR" in after.get(feed).text
    (one,) = rows(elsewhere)["utilisateur"]
    assert (one["reinit_empreinte"], one["reinit_jusqua"]) == (None, 0)


def test_a_token_from_a_clock_that_was_ahead_ends_too(
    run, file, elsewhere, chloe, db
):
    ahead = now() + 3600
    db.write("UPDATE utilisateur SET dernier_jeton_le = ?", ahead)
    run("backup", file)
    run("restore", file, url=elsewhere)
    assert rows(elsewhere)["utilisateur"][0]["jetons_depuis"] > ahead


def test_the_token_of_an_account_that_the_backup_lacks_opens_no_later_account(
    run, file, elsewhere, alice, person, make_client
):
    run("backup", file)
    lost = person("Rose", "student")
    run("restore", file, url=elsewhere)
    after = make_client(DATABASE_URL=elsewhere)
    body = {"email": "zoe@example.fr", "password": PASSWORD, "role": "student",
            "first_name": "Zoé", "last_name": "Petit"}
    assert after.post("/auth/register", body, 201).json["user_id"] == lost.id
    after.get("/api/compte", 401, token=lost.token)


def test_the_feed_of_a_business_that_the_backup_lacks_opens_no_later_business(
    run, file, elsewhere, client, alice, make_client
):
    def opened(client, token):
        body = {"nom": "Salon", "ville": "Lyon"}
        number = client.post("/api/entreprises", body, 201, token=token).json["id"]
        path = f"/api/entreprises/{number}"
        person = client.post(f"{path}/ressources", {"nom": "Léa"}, 201, token=token).json["id"]
        paths = (f"{path}/flux", f"/api/ressources/{person}/flux")
        found = [client.get(path, token=token).json["url"] for path in paths]
        return number, [url.partition(":8000")[2] for url in found]

    run("backup", file)
    lost, feeds = opened(client, alice.token)
    run("restore", file, url=elsewhere)
    after = make_client(DATABASE_URL=elsewhere)
    body = {"email": alice.email, "password": PASSWORD}
    later, others = opened(after, after.post("/auth/login", body).json["token"])
    assert later == lost
    for feed, other in zip(feeds, others, strict=True):
        after.get(feed, expect=404)
        after.get(other)


def test_a_code_ends_with_a_restore(run, file, elsewhere, chloe, db, make_client):
    body = {"email": chloe.email, "code": issued(db, chloe.email)}
    run("backup", file)
    run("restore", file, url=elsewhere)
    make_client(DATABASE_URL=elsewhere).post("/auth/code/login", body, expect=401)


def test_queued_messages_are_held_until_they_are_released(run, file, elsewhere, db, visit, post):
    outboxes.queue(db, visit, [f"{n}@example.fr" for n in range(4)])
    for number, statut in enumerate(("envoi", "envoye", "abandonne")):
        address = f"{number}@example.fr"
        db.write("UPDATE eventemail SET statut = ? WHERE destinataire = ?", statut, address)
    run("backup", file)
    assert "2 messages are held" in run("restore", file, url=elsewhere)
    copy = connect(elsewhere)
    states = [one.statut for one in outboxes.posts(copy)]
    assert states == ["retenu", "envoye", "abandonne", "retenu"]
    delivery = outboxes.delivery(copy, post.port)
    assert delivery.deliver() == 0
    assert run("restore", "--send-queued", url=elsewhere).endswith("worker: 2\n")
    assert run("restore", "--send-queued", url=elsewhere).endswith("worker: 0\n")
    assert delivery.deliver() == 2
    assert [one.recipients for one in post.received] == [["0@example.fr"], ["3@example.fr"]]
    forget(copy)


def test_one_held_message_is_named_in_the_singular(run, file, elsewhere, db, visit):
    outboxes.queue(db, visit, outboxes.people(1))
    run("backup", file)
    assert "\n1 message is held until" in run("restore", file, url=elsewhere)


def hold(db, visit, *messages):
    """Queues a message for each pair of a state and a reason."""
    outboxes.queue(db, visit, outboxes.people(len(messages)))
    for number, (statut, reason) in enumerate(messages):
        db.write(
            "UPDATE eventemail SET statut = ?, derniere_erreur = ? WHERE destinataire = ?",
            statut, reason, f"{number}@example.fr",
        )


def test_a_message_that_is_held_for_another_reason_is_not_released(
    run, file, elsewhere, db, visit
):
    queued = [("attente", reason) for reason in holding.REASONS]  # by a renvoi
    hold(db, visit, ("retenu", holding.UNPROVEN), *queued)
    run("backup", file)
    assert "\n3 messages are held" in run("restore", file, url=elsewhere)
    assert run("restore", "--send-queued", url=elsewhere).endswith("worker: 3\n")
    copy = connect(elsewhere)
    states = [(one.statut, one.derniere_erreur) for one in outboxes.posts(copy)]
    assert states == [("retenu", holding.UNPROVEN), *[("attente", None)] * 3]
    forget(copy)


def test_a_message_that_waits_for_its_quota_waits_for_the_release(
    run, file, elsewhere, db, visit
):
    """It may have been sent since the backup."""
    sent = [("envoye", reason) for reason in holding.OF_QUOTAS]
    hold(db, visit, *(("retenu", reason) for reason in holding.OF_QUOTAS), *sent)
    run("backup", file)
    assert "\n2 messages are held" in run("restore", file, url=elsewhere)
    copy = connect(elsewhere)
    assert not any(releasing.release(copy, now()))
    assert [one.statut for one in outboxes.posts(copy)] == [*["retenu"] * 2, *["envoye"] * 2]
    forget(copy)


def test_a_held_reminder_goes_with_its_visit(client, visit, chloe, db):
    outboxes.queue(db, visit, [chloe.email])
    db.write("UPDATE eventemail SET statut = 'retenu', genre = 'rappel'")
    client.delete(f"/api/reservations/{visit}", token=chloe.token)
    assert "retenu" not in {one.statut for one in outboxes.posts(db)}


@pytest.mark.parametrize(
    "change, row, fault",
    [
        ("creneau_id = NULL", "booking", "has lost the slot that it starts with"),
        (
            "demandeur_id = 99", "reservation",
            "its demandeur_id is 99, but there is no utilisateur 99",
        ),
    ],
)
def test_faults_that_were_saved_are_restored_and_named(
    run, file, elsewhere, visit, db, change, row, fault
):
    engines.write_unchecked(db, f"UPDATE reservation SET {change}")
    run("backup", file)
    said = run("restore", file, url=elsewhere, status=1)
    assert re.search(f"{row} {visit}:? ?{fault}\n", said)
    run("restore", "--send-queued", url=elsewhere)  # it can be used


def test_no_id_is_used_again_after_a_restore(run, file, elsewhere, visit, db):
    last = db.rows("SELECT MAX(id) FROM creneau")[0][0]
    event = (
        "INSERT INTO evenement"
        " (entreprise_id, type, titre, description, debut, fin, portee_jours, version)"
        " SELECT id, 'information', '', '', 1, 2, 1, 1 FROM entreprise"
    )
    db.write("DELETE FROM creneau WHERE id = ?", last)
    gone = db.write(event).lastrowid
    db.write("DELETE FROM evenement")
    run("backup", file)
    run("restore", file, url=elsewhere)
    copy = connect(elsewhere)
    copy.write(
        "INSERT INTO creneau (ressource_id, debut, fin, ouverture, capacite, capacite_prevue,"
        " places_prises, ouvert) SELECT id, 1, 2, 1, 1, 1, 0, 1 FROM ressource"
    )
    copy.write(event)
    assert copy.rows("SELECT MAX(id) FROM creneau") == [(last + 1,)]
    assert copy.rows("SELECT id FROM evenement") == [(gone + 1,)]
    forget(copy)


# Interrupted restores.


def test_a_restore_that_is_killed_at_any_statement_is_refused_and_run_again(
    dying, file, whole, elsewhere, database_url
):
    found = dying("restore", file, elsewhere, 11 if engines.ENGINE == "sqlite" else 29)
    assert len(found) > 4
    empty = "the database has no tables: run `reservation init-db`"
    first = found.index(INTERRUPTED)
    assert set(found[:first]) <= {empty}
    after = found[first:]
    finished = after.count("1")
    assert after == [INTERRUPTED] * (len(after) - finished) + ["1"] * finished
    assert finished <= 1
    for one in (before := without_tokens(rows(database_url)))["eventemail"]:
        one["statut"] = "retenu"
    assert without_tokens(rows(elsewhere)) == before


def test_a_restore_accepts_what_a_death_before_the_first_row_leaves(run, file, whole, elsewhere):
    db = connect(elsewhere)
    if engines.ENGINE == "sqlite":
        db.make_file()
    db.execute_sql(definitions.wanted()["schema_version"].create)
    run("restore", file, url=elsewhere)
    schema.require(db)
    forget(db)


def test_a_database_in_which_a_restore_was_interrupted_is_refused(
    run, file, elsewhere, make_client, reservation
):
    client, db = make_client(DATABASE_URL=elsewhere), connect(elsewhere)
    db.write("UPDATE schema_version SET nom = 'restore 1234', termine_le = NULL")
    forget(db)
    assert INTERRUPTED in client.get("/ready", expect=503).text
    assert INTERRUPTED in run("check", url=elsewhere, status=1)
    for words in (["migrate"], ["backup", file], ["restore", "--send-queued"]):
        assert INTERRUPTED in run(*words, url=elsewhere, status=2)
    for words in (["serve", "--port", "0"], ["worker", "--once"]):
        assert INTERRUPTED in reservation(*words, status=2, DATABASE_URL=elsewhere).stderr


def test_a_restore_stops_when_another_one_begins(file, whole, elsewhere):
    db = connect(elsewhere)
    with file.open("rb") as opened:
        archive = Archive(opened)
        archive.verify(schema.VERSION, transfer.types())
        first, second = transfer.Restore(db), transfer.Restore(db)
        for restore in (first, second):
            restore.begin()
        with pytest.raises(Conflict, match="another restore"):
            first.load(archive, *UNCHANGED)
        with pytest.raises(Conflict, match="another restore"):
            first.end()
        second.load(archive, *UNCHANGED)
        second.end()
    forget(db)
    assert len(rows(elsewhere)["reservation"]) == 1
