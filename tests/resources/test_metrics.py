"""GET /metrics: what is counted, and under which labels."""

import time
from urllib.parse import quote

import pytest

from reservation import Settings, metrics
from reservation.application import counters_in, operations
from reservation.domain.messages import delivery
from reservation.domain.messages.claims import PAUSES
from reservation.storage import database, schema
from reservation.storage.database import connect, forget, transaction
from tests import engines, outboxes
from tests.conftest import PASSWORD
from tests.races.statements import Statements
from tests.races.test_injected import busy, deadlock
from tests.scrapes import ATTEMPTS, BOOKINGS, REQUESTS, RETRIES, Scrape

LABELS = {"method", "route", "status", "le", "outcome", "error", "state"}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "counts"
    path.mkdir()
    return path


@pytest.fixture
def environ(environ, folder):
    """Turns metrics on for every application of this module."""
    return {**environ, "RESERVATION_METRICS": str(folder)}


def scrape(client):
    answer = client.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    return Scrape(answer.text)


def test_where_it_is_not_set_there_is_no_such_path(make_client):
    make_client(METRICS="").get("/metrics", expect=404)


# Requests


def test_each_answer_is_counted_under_its_route_and_status(client):
    client.get("/api/villes?q=lyon")
    client.get("/api/villes?q=paris")
    client.get("/api/entreprises/41", expect=404)
    client.get("/api/entreprises/42", expect=404)
    client.get("/api/reservations", expect=401)
    client.call("HEAD", "/health", expect=200)
    client.call("OPTIONS", "/health", expect=200)
    client.delete("/health", expect=405)
    assert scrape(client).by(REQUESTS, "method", "route", "status") == {
        ("GET", "/api/villes", "200"): 2,
        ("GET", "/api/entreprises/{id}", "404"): 2,
        ("GET", "/api/reservations", "401"): 1,
        ("HEAD", "/health", "200"): 1,
        ("OPTIONS", "/health", "200"): 1,
        ("DELETE", "/health", "405"): 1,
    }


def test_what_nobody_serves_has_one_label_however_it_is_called(client):
    for number in range(3):
        client.get(f"/nothing/{number}", expect=404)
        client.get(f"/api/entreprises/x{number}", expect=404)
        client.get(f"/health?a={number}&a=2", expect=400)  # refused before routing
        client.call(f"BREW{number}", "/health", expect=400)
    client.call("WEBSOCKET", "/health", expect=400)
    assert scrape(client).by(REQUESTS, "method", "route", "status") == {
        ("GET", "unknown", "404"): 6,
        ("GET", "unknown", "400"): 3,
        ("other", "/health", "400"): 3,
        ("other", "unknown", "400"): 1,
    }


def test_the_seconds_of_each_route_are_there(client):
    for _ in range(3):
        client.get("/health")
    name = metrics.SECONDS.name
    found = scrape(client)
    assert found.of(f"{name}_count", route="/health", method="GET") == 3
    assert 0 < found.of(f"{name}_sum", route="/health", method="GET") < 3


# Bookings


def test_each_wish_is_counted_once_by_what_became_of_it(client, salon, chloe, bob, tuesday):
    at = {time: salon.at(tuesday, time) for time in ("10:00", "11:00", "15:00")}
    number = salon.book(chloe, at["10:00"], key="one")["id"]
    salon.book(chloe, at["10:00"], key="one")
    salon.book(chloe, at["11:00"], key="one", expect=422)
    salon.book(bob, at["10:00"], expect=409)
    salon.book(bob, at["15:00"])
    path, of = f"/api/reservations/{number}", {"token": chloe.token}
    client.put(path, {"commentaire": "Bonjour", "version": 1}, **of)
    client.put(path, {"creneauId": at["11:00"], "version": 2}, **of)
    client.put(path, {"creneauId": at["15:00"], "version": 3}, expect=409, **of)
    client.put(path, {"creneauId": at["10:00"], "version": 1}, expect=412, **of)
    client.delete(path, expect=404, token=bob.token)  # Bob may not see this booking
    client.delete(path, **of)
    client.delete(path, **of)
    assert scrape(client).by(BOOKINGS, "outcome") == {
        "booked": 2, "repeated": 2, "taken": 2, "moved": 1, "changed": 1, "cancelled": 1,
        "refused": 2,
    }


def test_a_state_that_the_owner_sets_is_a_change_and_his_cancelling_is_that(
    client, make_salon, alice, chloe, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    path = f"/api/reservations/{number}"
    client.put(path, {"statut": "confirmee", "version": 1}, token=alice.token)
    client.put(path, {"statut": "annulee", "version": 2}, token=alice.token)
    client.put(path, {"commentaire": "Désolée", "version": 3}, token=alice.token)
    found = scrape(client).by(BOOKINGS, "outcome")
    assert found == {"booked": 1, "changed": 2, "cancelled": 1}


# Transactions


@pytest.fixture
def counted(db, database_url, folder):
    """Returns a database connection with counters, as a worker opens it."""
    own = connect(database_url, counters_in(str(folder)))
    yield own
    forget(own)


FAULT, ERROR = (busy, "5") if engines.ENGINE == "sqlite" else (deadlock, "1213")


def test_a_transaction_that_runs_again_is_counted_by_the_error_of_the_database(
    client, counted, monkeypatch
):
    statements = Statements()
    statements.install(monkeypatch.setattr)

    def work():
        counted.write("UPDATE typeutilisateur SET nom = nom")

    transaction(counted, work)
    for at in (0, 1, 2):  # the indexes of BEGIN, UPDATE and COMMIT
        statements.arm(at, lambda db, run: FAULT(db, run, ""))
        transaction(counted, work)
    statements.disarm()
    assert scrape(client).by(RETRIES, "error") == {ERROR: 3}


def test_a_booking_that_the_database_does_not_let_through_has_failed(
    client, salon, chloe, tuesday, monkeypatch
):
    one, other = salon.at(tuesday, "10:00"), salon.at(tuesday, "11:00")
    monkeypatch.setattr(database, "PATIENCE", 0.0)
    statements = Statements()
    statements.install(monkeypatch.setattr)
    statements.arm(-1, None)
    salon.book(chloe, one)
    begin = [text for text, _ in statements.seen].index("BEGIN")
    statements.arm(begin, lambda db, run: FAULT(db, run, ""), again=True)
    salon.book(chloe, other, expect=503)
    statements.disarm()
    assert scrape(client).by(BOOKINGS, "outcome") == {"booked": 1, "failed": 1}


# Emails


def test_messages_are_shown_by_state_and_how_long_the_first_has_been_due(db, client, visit):
    now = int(time.time())
    outboxes.queue(db, visit, ["late@example.fr"], due=now - 500)
    outboxes.queue(db, visit, ["a@example.fr", "b@example.fr"], due=now + 5000)
    found = scrape(client)
    assert found.by("reservation_mails", "state") == {
        "attente": 3, "envoi": 0, "abandonne": 0, "retenu": 0
    }
    assert 500 <= found.of("reservation_mail_overdue_seconds") < 560
    for statut, kept in (("abandonne", 1), ("retenu", 1), ("envoye", 0)):
        db.write("UPDATE eventemail SET statut = ? WHERE prochain_essai < ?", statut, now)
        found = scrape(client)
        assert found.by("reservation_mails", "state") == {
            "attente": 2, "envoi": 0, "abandonne": 0, "retenu": 0,
        } | ({statut: 1} if kept else {})
        assert found.of("reservation_mail_overdue_seconds") == 0


def test_a_message_whose_worker_died_is_overdue_when_its_claim_has_run_out(db, client, visit):
    outboxes.queue(db, visit, ["a@example.fr"], due=int(time.time()) - 100)
    db.write("UPDATE eventemail SET statut = 'envoi'")
    assert scrape(client).of("reservation_mail_overdue_seconds") >= 100


def test_each_attempt_to_send_is_counted_by_what_became_of_it(client, db, counted, visit, post):
    delivery = outboxes.delivery(counted, post.port)
    outboxes.queue(db, visit, outboxes.people(3))
    delivery.deliver()
    post.replies["RCPT"] = "450 later"
    outboxes.queue(db, visit, ["a@example.fr", "b@example.fr"])
    last = "UPDATE eventemail SET essais = ? WHERE destinataire = 'b@example.fr'"
    db.write(last, len(PAUSES))
    delivery.deliver()
    outboxes.queue(db, visit, ["c@example.fr"])
    db.write(
        "UPDATE eventemail SET genre = 'rappel', debut = 1 WHERE destinataire = 'c@example.fr'"
    )
    delivery.deliver()
    assert scrape(client).by(ATTEMPTS, "outcome") == {
        "sent": 3, "postponed": 1, "given_up": 1, "not_needed": 1
    }


def test_an_obsolete_message_is_counted_once_if_its_transaction_is_retried(
    client, db, counted, visit, post, monkeypatch
):
    def retried(db, work):
        with pytest.raises(ZeroDivisionError):
            transaction(db, lambda: work() and 1 / 0)
        return transaction(db, work)

    monkeypatch.setattr(delivery, "transaction", retried)
    outboxes.queue(db, visit, ["c@example.fr"])
    db.write("UPDATE eventemail SET genre = 'rappel', debut = 1")
    outboxes.delivery(counted, post.port).deliver()
    assert scrape(client).by(ATTEMPTS, "outcome") == {"not_needed": 1}


# The whole answer


@pytest.mark.parametrize("gone", [True, False], ids=["no file", "no server"])
@engines.on_sqlite
def test_it_answers_although_the_database_does_not(make_client, gone, tmp_path):
    file = tmp_path / "other.db"
    url = f"sqlite:///{file}" if gone else "mysql://root@127.0.0.1:1/reservation"
    client = make_client(DATABASE_URL=url)
    file.unlink(missing_ok=True)
    time.sleep(0.25 * gone)  # until the service checks the path again
    client.get("/ready", expect=503)
    found = scrape(client)
    assert found.of("reservation_database_up") == 0
    assert found.of(REQUESTS, route="/ready", status="503") == 1
    assert [one.name for one in found.samples if one.name.startswith("reservation_mail")] == []


def test_a_database_without_tables_is_none_that_is_up(db, client):
    assert scrape(client).of("reservation_database_up") == 1
    db.execute_sql("DROP TABLE eventemail")
    try:
        assert scrape(client).of("reservation_database_up") == 0
    finally:
        schema.create(db)


def test_names_and_units_are_as_prometheus_has_them_and_all_is_explained(
    client, db, counted, visit, post
):
    outboxes.queue(db, visit, outboxes.people(1))
    outboxes.delivery(counted, post.port).deliver()
    counted.counters.count(metrics.RETRIES, "1213")
    text = client.get("/metrics").text
    families = Scrape(text).families
    assert len(families) == 8
    for family in families:
        assert family.documentation.endswith(".")
        assert family.name.startswith("reservation_")
        if family.type == "counter":
            assert f"# TYPE {family.name}_total counter\n" in text
        elif family.type == "histogram":
            assert family.name.endswith("_seconds")
        else:
            assert family.type == "gauge" and not family.name.endswith("_total")
        assert {label for one in family.samples for label in one.labels} <= LABELS
    assert text.endswith("\n") and "_created" not in text


def test_no_label_tells_of_a_person_after_all_that_people_do(
    client, salon, chloe, alice, db, counted, tuesday, post
):
    creneau = salon.at(tuesday, "10:00")
    salon.book(chloe, creneau, key="clef-secrete", commentaire="chez Chloé")
    salon.book(alice, creneau, expect=409, client={"email": "zoe@example.fr", "nom": "Zoé"})
    feed = client.get("/api/flux", token=chloe.token).json["url"].rpartition("/flux/")[2]
    client.get(f"/flux/{feed}")
    for path in (chloe.token, quote(chloe.email), f"api/reservations/{chloe.email}"):
        client.get(f"/{path}?q={chloe.email}", expect=404)
        client.call(chloe.token[:20], f"/{path}", expect=404)
    client.post("/auth/login", {"email": chloe.email, "password": "wrong"}, expect=401)
    client.post("/auth/password/forgot", {"email": chloe.email}, expect=202)
    outboxes.delivery(counted, post.port).deliver()
    known = {path.replace(":id}", "}") for path, _ in operations(Settings())}
    allowed = known | {"unknown", "other", "GET", "POST", "PUT"} | set(
        "200 201 202 401 404 409 +Inf 0.005 0.025 0.1 0.5 2.5".split()
    ) | {"booked", "taken", "sent", "attente", "envoi", "abandonne", "retenu"}
    allowed |= {"1213"}  # MariaDB may have ended a deadlock of the worker's two threads
    found = scrape(client)
    assert {value for one in found.samples for value in one.labels.values()} <= allowed
    assert found.of(ATTEMPTS, outcome="sent") >= 2
    text = client.get("/metrics").text
    secret = [chloe.email, chloe.token, feed, PASSWORD, "example.fr", "Chlo", "clef", "Zo"]
    assert [word for word in secret if word.lower() in text.lower()] == []
