"""Codes by mail: requesting, issuing, and signing in."""

import re
import time
from pathlib import Path

import pytest

from reservation.domain.people import accounts, codes, resetting
from reservation.domain.people.codes import Codes
from reservation.lib.instants import DAY
from reservation.storage.database import transaction
from reservation.storage.models import Code, EventEmail, Tentative
from tests import outboxes
from tests.clock import now
from tests.codes import issued, other_than
from tests.conftest import PASSWORD, log_in, prove
from tests.races.statements import Statements
from tests.specification.bodies import PREFIXES, PROTECTED

ASK, ENTER = "/auth/code", "/auth/code/login"
ON_ITS_WAY = {"message": "A code is on its way"}
REFUSED = {"error": "Invalid or expired code", "code": "code_invalid"}
ZOE = "zoe@example.fr"
NAMES = {"first_name": "Zoé", "last_name": "Blanc", "phone": "06 11"}


def enter(client, email, code, expect=200, **body):
    return client.post(ENTER, {"email": email, "code": code, **body}, expect=expect)


def account_of(db, email):
    return accounts.find(db, email)


# Requesting a code


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("email", ["chloe@example.fr", ZOE])
def test_asking_is_202_with_the_same_words_for_everybody(client, chloe, prefix, email):
    assert client.post(f"{prefix}/code", {"email": email}, expect=202).json == ON_ITS_WAY


@pytest.mark.parametrize("email", ["chloe@example.fr", ZOE])
def test_asking_queues_a_message_without_a_code(client, db, chloe, email):
    client.post(ASK, {"email": f" {email.upper()}"}, expect=202)
    (message,) = EventEmail.select().dicts().execute(db)
    assert (message["genre"], message["destinataire"]) == ("code", email)
    assert (message["sujet"], message["corps"], message["statut"]) == ("", "", "attente")
    assert Code.select().count(db) == 0


@pytest.mark.parametrize("limits", ["on", "off"])
def test_asking_and_trying_take_the_same_statements_for_every_account(
    make_client, db, alice, chloe, monkeypatch, limits
):
    client = make_client(LIMITS=limits)
    accounts.disable(db, alice.email, now())
    accounts.add_proven(db, now(), email="emil@example.fr", nom="Emil")
    people = (chloe.email, ZOE, alice.email, "emil@example.fr")
    for email in people:
        issued(db, email)
    client.post(ASK, {"email": "premier@example.fr"}, expect=202)  # opens the connection
    enter(client, "premier@example.fr", "no code", 401)
    statements = Statements()
    statements.install(monkeypatch.setattr)
    for call in (
        lambda email: client.post(ASK, {"email": email}, expect=202),
        lambda email: enter(client, email, "no code", 401, **NAMES),
    ):
        taken, told = set(), set()
        for email in people:
            statements.arm(-1, None)
            told.add(call(email).text)
            statements.disarm()
            taken.add(tuple(statements.seen))
        assert len(told) == 1
        (same,) = taken
        assert not any(re.search(r"\butilisateur\b", text) for text, _ in same)


# Signing in


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_code_creates_the_account_of_an_unknown_address(client, db, prefix):
    body = {"email": ZOE, "code": issued(db, ZOE), **NAMES}
    answer = client.post(f"{prefix}/code/login", body, headers={"Accept-Language": "en"})
    assert answer.headers["Cache-Control"] == "no-store"
    account = account_of(db, ZOE)
    assert answer.json["user"] == {
        "id": account.id, "email": ZOE, "first_name": "Zoé", "last_name": "Blanc",
        "role": "student", "school": "",
    }
    assert (account.mot_de_passe_hash, account.telephone, account.langue) == (None, "06 11", "en")
    assert now() - 5 < account.email_prouve_le <= now()
    assert client.get("/api/compte", token=answer.json["token"]).json["emailProuve"] is True


@pytest.mark.parametrize("known", ["", "06 99"])
def test_a_telephone_number_is_filled_in_but_never_replaced(
    client, db, salon, alice, chloe, tuesday, known
):
    prove(db, chloe.id)
    db.write("UPDATE utilisateur SET telephone = ? WHERE id = ?", known, chloe.id)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    for phone in ("06 11", "06 22"):
        names = {"first_name": "Zoé", "last_name": "Blanc", "phone": phone}
        enter(client, chloe.email, issued(db, chloe.email), **names)
    account = account_of(db, chloe.email)
    assert (account.telephone, account.nom) == (known or "06 11", "Martin")
    (record,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    assert (record["telephone"], record["nom"]) == (known or "06 11", "Martin")


def test_a_code_signs_in_to_a_proven_account_and_keeps_its_password(client, db, chloe):
    prove(db, chloe.id)
    token = enter(client, chloe.email, issued(db, chloe.email), **NAMES).json["token"]
    client.get(PROTECTED, token=token)
    client.get(PROTECTED, token=chloe.token)
    log_in(client, chloe)
    account = account_of(db, chloe.email)
    assert (account.nom, account.prenom) == ("Martin", "Chloé")


def test_a_code_takes_an_unproven_account_from_who_registered_it(client, db, chloe):
    feed = client.get("/api/flux", token=chloe.token).json["url"]
    path = re.sub(r"https?://[^/]+", "", feed)
    client.get(path)
    answer = enter(client, chloe.email, issued(db, chloe.email), **NAMES)
    assert answer.json["user"]["last_name"] == "Blanc"
    log_in(client, chloe, expect=401)
    client.get(PROTECTED, 401, token=chloe.token)
    client.get(path, expect=404)
    client.get(PROTECTED, token=answer.json["token"])
    account = account_of(db, chloe.email)
    assert account.mot_de_passe_hash is None and account.email_prouve_le
    assert (account.nom, account.prenom, account.telephone) == ("Blanc", "Zoé", "06 11")


def test_a_claim_ends_the_feeds_of_the_businesses_of_who_registered_the_address(
    client, db, salon, alice, bob, make_salon, lea
):
    def feeds(owner, *paths):
        found = [client.get(f"/api/{path}/flux", token=owner.token).json["url"] for path in paths]
        return [re.sub(r"https?://[^/]+", "", url) for url in found]

    revoked = feeds(alice, f"entreprises/{salon.id}", f"ressources/{lea}")
    kept = feeds(bob, f"entreprises/{make_salon(bob).id}")
    enter(client, alice.email, issued(db, alice.email), **NAMES)
    for path in revoked:
        client.get(path, expect=404)
    for path in kept:
        client.get(path)


def test_a_claim_ends_the_access_of_those_whom_the_stranger_let_in(
    client, db, salon, alice, lina, staff, chloe, tuesday
):
    db.write("UPDATE entreprise SET email = 'mallory@example.fr'")
    salon.book(chloe, salon.at(tuesday, "10:00"), ressourceId=staff)
    assert len(client.get("/api/reservations", token=lina.token).json) == 1
    enter(client, alice.email, issued(db, alice.email), **NAMES)
    assert client.get("/api/reservations", token=lina.token).json == []
    assert client.get("/api/compte/ressources", token=lina.token).json == []
    assert db.rows("SELECT email FROM entreprise") == [("",)]


def test_a_claim_of_a_proven_account_lets_nobody_go(client, db, salon, alice, lina, staff):
    prove(db, alice.id)
    db.write("UPDATE entreprise SET email = 'accueil@example.fr'")
    enter(client, alice.email, issued(db, alice.email))
    assert len(client.get("/api/compte/ressources", token=lina.token).json) == 1
    assert db.rows("SELECT email FROM entreprise") == [("accueil@example.fr",)]


def test_the_names_of_an_unproven_account_stay_if_none_is_given(client, db, chloe):
    enter(client, chloe.email, issued(db, chloe.email), first_name="Zoé")
    account = account_of(db, chloe.email)
    assert (account.nom, account.prenom) == ("Martin", "Chloé")


def test_a_link_to_reset_the_password_ends_with_the_claim(client, db, chloe):
    link = resetting.issue(db, chloe.email, now())
    enter(client, chloe.email, issued(db, chloe.email))
    client.post("/auth/password/reset", {"token": link, "password": PASSWORD}, expect=400)


def test_a_disabled_account_is_403_and_no_wrong_code_reveals_it(client, db, chloe):
    accounts.disable(db, chloe.email, now())
    code = issued(db, chloe.email)
    assert enter(client, chloe.email, other_than(code), 401).json == REFUSED
    assert enter(client, chloe.email, code, 403).json == {"error": "Account disabled"}


@pytest.mark.parametrize("names", [{}, {"last_name": None}, {"last_name": "  "}])
def test_an_unknown_address_without_a_name_is_asked_for_it_and_the_code_stays(
    client, db, names
):
    code = issued(db, ZOE)
    for _ in range(6):
        assert enter(client, ZOE, code, 400, **names).json["code"] == "name_required"
    assert account_of(db, ZOE) is None
    enter(client, ZOE, code, last_name="Blanc")


def test_a_code_works_once(client, db, chloe):
    code = issued(db, chloe.email)
    enter(client, chloe.email, code)
    assert enter(client, chloe.email, code, 401).json == REFUSED
    assert Code.select().count(db) == 0


def test_a_new_code_ends_the_old_one(client, db, chloe):
    old, new = issued(db, chloe.email), issued(db, chloe.email)
    if old != new:
        enter(client, chloe.email, old, 401)
    enter(client, chloe.email, new)


def test_a_code_is_good_for_its_address_alone(client, db, chloe, alice):
    code = issued(db, chloe.email)
    issued(db, alice.email)
    Code.update(empreinte=Code.select(Code.empreinte).first(db).empreinte).execute(db)
    enter(client, alice.email, code, 401)


def test_a_code_may_be_typed_with_blanks_and_the_address_in_any_case(client, db, chloe):
    code = issued(db, chloe.email)
    enter(client, chloe.email.upper(), f" {code[:3]} {code[3:]} ")


@pytest.mark.parametrize("wrong, expect", [(4, 200), (5, 401), (7, 401)])
def test_a_code_allows_five_attempts(client, db, chloe, wrong, expect):
    code = issued(db, chloe.email)
    for number in range(wrong):
        enter(client, chloe.email, other_than(code, number + 1), 401)
    enter(client, chloe.email, code, expect)


@pytest.mark.parametrize("left, expect", [(2, 200), (0, 401), (-1, 401)])
def test_a_code_works_for_ten_minutes(client, db, chloe, left, expect):
    code = issued(db, chloe.email)
    (row,) = Code.select().execute(db)
    assert row.jusqua - now() in (599, 600)
    Code.update(jusqua=int(time.time()) + left).execute(db)
    enter(client, chloe.email, code, expect)


@pytest.mark.parametrize("code", ["12345", "1234567", "é", "\u0663" * 6, "x" * 10_000, "' OR 1"])
def test_no_code_is_too_weird(client, db, chloe, code):
    issued(db, chloe.email)
    assert enter(client, chloe.email, code, 401).json == REFUSED


@pytest.mark.parametrize("body", [{}, {"code": "1"}, {"email": ZOE}, {"email": ZOE, "code": " "}])
def test_a_login_without_an_address_or_a_code_is_400(client, db, body):
    field = "code" if body.get("email") else "email"
    assert client.post(ENTER, body, expect=400).json == {
        "error": f"Missing required field: {field}"
    }


def test_only_a_keyed_digest_of_a_code_is_stored(db, chloe):
    code = issued(db, chloe.email)
    (row,) = Code.select().dicts().execute(db)
    assert not [value for value in row.values() if code in str(value)]
    other = Codes("another secret, also over 32 bytes")
    other.issue(db, chloe.email, now())
    assert not transaction(db, lambda: other.use(db, chloe.email, code, "", now()))


def test_every_code_has_six_digits(db, monkeypatch):
    monkeypatch.setattr(codes.secrets, "randbelow", lambda below: 7)
    assert issued(db, ZOE) == "000007"


def test_a_booking_of_a_salon_for_an_address_does_not_block_its_holder(
    client, salon, alice, tuesday
):
    rose = {"nom": "Petit", "email": "rose@example.fr"}
    salon.book(alice, salon.at(tuesday, "10:00"), client=rose)
    who = {"email": rose["email"], "password": PASSWORD, "first_name": "R", "last_name": "P",
           "role": "student"}
    client.post("/auth/register", who, 201)


def test_a_first_code_gives_a_customer_what_a_salon_has_booked(client, db, salon, alice, tuesday):
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client={"nom": "B", "email": ZOE})
    token = enter(client, ZOE, issued(db, ZOE), **NAMES).json["token"]
    assert [row["id"] for row in client.get(PROTECTED, token=token).json] == [booked["id"]]
    shown = client.get(f"{PROTECTED}/{booked['id']}", token=alice.token).json["client"]
    assert (shown["nom"], shown["telephone"]) == ("B", "")


# The limits


@pytest.fixture
def limited(make_client):
    return make_client(LIMITS="on")


def make_older(db, seconds):
    Tentative.update(
        depuis=Tentative.depuis - seconds, bloque_jusqua=Tentative.bloque_jusqua - seconds
    ).execute(db)


def test_development_leaves_codes_unlimited(client, db):
    for _ in range(60):
        client.post(ASK, {"email": ZOE}, expect=202)
    for _ in range(60):
        enter(client, ZOE, "no code", 401)
    assert Tentative.select().count(db) == 0


def ask_all(client, addresses):
    """Asks from (address, network) pairs; returns the statuses."""
    return [
        client.post(ASK, {"email": email}, expect="*", source=source).status_int
        for email, source in addresses
    ]


@pytest.mark.parametrize("email", ["chloe@example.fr", ZOE])
def test_an_address_gets_five_codes_from_one_network_at_once(limited, db, chloe, email):
    assert ask_all(limited, [(email, "192.0.2.7")] * 6) == [202] * 5 + [429]
    answer = limited.post(ASK, {"email": email}, expect=429, source="192.0.2.8")
    assert answer.json["code"] == "too_many_attempts"
    assert 3590 < int(answer.headers["Retry-After"]) <= 3600
    assert EventEmail.select().count(db) == 5
    assert ask_all(limited, [(email, "198.51.100.7"), ("x@example.fr", "192.0.2.7")]) == [202] * 2


def test_one_network_never_reaches_the_limit_of_an_address(limited, db):
    sent = 0
    for _ in range(24):
        sent += ask_all(limited, [(ZOE, "192.0.2.7")] * 6).count(202)
        make_older(db, 3600)
    assert sent == 9


def test_an_address_gets_ten_codes_a_day_from_all_networks(limited, db):
    pairs = [(ZOE, f"10.0.{number}.1") for number in range(11)]
    assert ask_all(limited, pairs) == [202] * 10 + [429]
    make_older(db, 86300)
    assert ask_all(limited, [(ZOE, "10.1.0.1")]) == [429]
    make_older(db, 200)
    assert ask_all(limited, [(ZOE, "10.1.0.1")]) == [202]


def test_a_network_gets_fifty_codes_an_hour(limited, db):
    pairs = [(f"a{number}@example.fr", "10.0.0.1") for number in range(51)]
    assert ask_all(limited, pairs) == [202] * 50 + [429]
    assert ask_all(limited, [("b@example.fr", "10.0.1.1")]) == [202]


def test_thirty_wrong_codes_lock_a_network_whatever_the_address(limited, db, chloe):
    for number in range(30):
        body = {"email": f"a{number}@example.fr", "code": "1"}
        limited.post(ENTER, body, expect=401, source="10.0.0.1")
    code = issued(db, chloe.email)
    body = {"email": chloe.email, "code": code}
    answer = limited.post(ENTER, body, expect=429, source="10.0.0.2")
    assert 590 < int(answer.headers["Retry-After"]) <= 600
    (row,) = Code.select().execute(db)
    assert row.essais == 0
    limited.post(ENTER, body, expect=200, source="10.0.1.1")


def tries_in_a_day(limit):
    """Returns how often an attempt is counted by whoever tries again after each lock."""
    count = seconds = 0
    while seconds < DAY:
        count += 1
        seconds += limit.pause(count)
    return count


def test_the_probability_of_a_guess_is_that_of_the_documentation():
    """docs/limits.md and the docstring of codes.py have these numbers."""
    assert codes.PER_ADDRESS.most * codes.ATTEMPTS == 50
    assert tries_in_a_day(codes.WRONG) == 55
    assert tries_in_a_day(codes.PER_PAIR) == 9 < codes.PER_ADDRESS.most
    told = (Path(__file__).parents[2] / "docs/limits.md").read_text()
    assert "50/10⁶ =" in told and "55/10⁶ =" in told and "at most 9 a day" in told


def test_right_codes_count_against_nobody(limited, db, chloe):
    for _ in range(35):
        enter(limited, chloe.email, issued(db, chloe.email))
    assert Tentative.select().count(db) == 0
    enter(limited, chloe.email, "1", 401)
    enter(limited, chloe.email, issued(db, chloe.email))
    (row,) = Tentative.select().execute(db)
    assert row.nombre == 1


def test_expired_codes_are_deleted(db, chloe, alice):
    issued(db, chloe.email)
    Code.update(jusqua=now()).execute(db)
    issued(db, alice.email)
    assert list(codes.purge(db, now())) == [None]
    assert Code.select().count(db) == 1


# The message


def test_the_code_is_sent_and_kept_nowhere(client, db, chloe, post):
    for email in (chloe.email, ZOE):
        client.post(ASK, {"email": email}, expect=202, headers={"Accept-Language": "en"})
    assert outboxes.delivery(db, post.port).deliver() == 2
    french, english = (one.mail for one in post.received)
    assert (french["Subject"], english["Subject"]) == (
        "Votre code pour reservation.example", "Your code for reservation.example"
    )
    for mail, email in ((french, chloe.email), (english, ZOE)):
        (code,) = re.findall(r"\b\d{6}\b", mail.get_body("plain").get_content())
        assert code not in str(mail["Subject"])
        rows = db.rows("SELECT * FROM eventemail")
        assert {row for row in rows if "envoye" in row} == set(rows)
        assert not [value for row in rows for value in row if code in str(value)]
        enter(client, email, code, **NAMES)


def test_a_code_that_was_requested_too_long_ago_is_not_sent(client, db, chloe, post):
    client.post(ASK, {"email": chloe.email}, expect=202)
    EventEmail.update(cree_le=now() - 601).execute(db)
    outboxes.delivery(db, post.port).deliver()
    assert post.received == []
    assert EventEmail.select().count(db) == Code.select().count(db) == 0


def test_what_a_relay_quotes_of_a_code_is_not_kept(client, db, chloe, post, monkeypatch):
    monkeypatch.setattr(codes.secrets, "randbelow", lambda below: 271828)
    client.post(ASK, {"email": chloe.email}, expect=202)
    post.replies["RCPT"] = "554 spam: your code 271828, sorry"
    outboxes.delivery(db, post.port).deliver()
    (row,) = EventEmail.select().execute(db)
    assert "spam: your code …, sorry" in row.derniere_erreur
