"""Forgotten passwords: requesting a link by email, and using the link once within an hour."""

import hashlib
import re
import time

import pytest

from reservation.domain.people import accounts, credentials, resetting
from reservation.storage.models import EventEmail, Tentative, Utilisateur
from tests.clock import now
from tests.conftest import PASSWORD, ROUNDS, log_in
from tests.races.statements import Statements
from tests.resources.test_codes import make_older
from tests.specification.bodies import PREFIXES, PROTECTED

FORGOT, RESET = "/auth/password/forgot", "/auth/password/reset"
ON_ITS_WAY = {"message": "If the account exists, a message is on its way"}
REFUSED = {"error": "Invalid or expired reset token", "code": "reset_token_invalid"}
NOBODY = "personne@example.fr"
NEW = "un mot tout neuf"
LONGEST = "é" * 36  # 72 bytes


@pytest.fixture
def link(db, chloe):
    """Returns a new reset token for Chloé."""
    return resetting.issue(db, chloe.email, int(time.time()))


def reset(client, token, password=NEW, expect=200):
    return client.post(RESET, {"token": token, "password": password}, expect=expect)


def account_of(db, person):
    return Utilisateur.select().where(Utilisateur.id == person.id).get(db)


def set_account(db, person, **changes):
    Utilisateur.update(**changes).where(Utilisateur.id == person.id).execute(db)


def queued(db):
    """Returns the messages in the outbox, as dictionaries."""
    return list(EventEmail.select().order_by(EventEmail.id).dicts().execute(db))


# Requesting a link


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("email", ["chloe@example.fr", NOBODY])
def test_asking_is_202_with_the_same_words_for_everybody(client, chloe, prefix, email):
    answer = client.post(f"{prefix}/password/forgot", {"email": email}, expect=202)
    assert answer.json == ON_ITS_WAY


@pytest.mark.parametrize("email", ["chloe@example.fr", NOBODY])
def test_asking_queues_one_message_to_the_address_that_was_typed(client, db, chloe, email):
    before = int(time.time())
    client.post(FORGOT, {"email": email}, expect=202)
    (message,) = queued(db)
    assert before <= message["cree_le"] <= time.time()
    del message["id"]
    assert message == {
        "reservation": None, "entreprise": None, "ressource": None, "genre": "mot_de_passe",
        "destinataire": email, "message": None, "debut": None, "fin": None, "sequence": 0,
        "sujet": "", "corps": "", "piece_jointe": None, "statut": "attente", "essais": 0,
        "prochain_essai": message["cree_le"], "derniere_erreur": None, "envoye_le": None,
        "cree_le": message["cree_le"],
    }


def test_a_network_may_ask_20_times_in_an_hour(client, db):
    ask = [{"email": f"a{number}@example.fr"} for number in range(22)]
    for body in ask[:20]:
        client.post(FORGOT, body, expect=202, source="192.0.2.7")
    answer = client.post(FORGOT, ask[20], expect=429, source="192.0.2.8")
    assert answer.json["code"] == "too_many_attempts"
    assert 3590 < int(answer.headers["Retry-After"]) <= 3600
    assert len(queued(db)) == Tentative.select().count(db) - 1 == 20
    client.post(FORGOT, ask[20], expect=202, source="198.51.100.7")
    make_older(db, 3601)
    client.post(FORGOT, ask[21], expect=202, source="192.0.2.7")


def test_20_requests_spread_over_more_than_an_hour_are_taken(client, db):
    for number in range(30):
        client.post(FORGOT, {"email": f"a{number}@example.fr"}, expect=202)
        make_older(db, 200)


def test_asking_changes_nothing_of_the_account(client, db, chloe):
    before = Utilisateur.select().where(Utilisateur.id == chloe.id).dicts().get(db)
    client.post(FORGOT, {"email": chloe.email}, expect=202)
    assert Utilisateur.select().where(Utilisateur.id == chloe.id).dicts().get(db) == before
    client.get(PROTECTED, token=chloe.token)


def test_the_address_is_queued_in_lower_case_and_without_surrounding_space(client, db):
    client.post(FORGOT, {"email": " Chloe@Example.FR "}, expect=202)
    assert [message["destinataire"] for message in queued(db)] == ["chloe@example.fr"]


def test_asking_takes_the_same_statements_for_known_unknown_disabled_and_unclaimed(
    client, db, alice, chloe, monkeypatch
):
    accounts.disable(db, alice.email, now())
    accounts.add_proven(db, now(), email="emil@example.fr", nom="Emil")
    client.post(FORGOT, {"email": "premier@example.fr"}, expect=202)  # opens the connection
    statements = Statements()
    statements.install(monkeypatch.setattr)
    for _ in ("queued", "not queued"):
        taken = set()
        for email in (chloe.email, NOBODY, alice.email, "emil@example.fr"):
            statements.arm(-1, None)
            assert client.post(FORGOT, {"email": email}, expect=202).json == ON_ITS_WAY
            statements.disarm()
            taken.add(tuple(statements.seen))
        (same,) = taken
        assert not any(re.search(r"\butilisateur\b", text) for text, _ in same)


@pytest.mark.parametrize("email", ["chloe@example.fr", NOBODY])
def test_asking_again_within_five_minutes_queues_no_second_message(client, db, chloe, email):
    client.post(FORGOT, {"email": email}, expect=202)
    make_older(db, 290)
    assert client.post(FORGOT, {"email": email.upper()}, expect=202).json == ON_ITS_WAY
    assert len(queued(db)) == 1


@pytest.mark.parametrize("email", ["chloe@example.fr", NOBODY])
def test_asking_after_five_minutes_queues_another_message(client, db, chloe, email):
    client.post(FORGOT, {"email": email}, expect=202)
    make_older(db, 301)
    client.post(FORGOT, {"email": email}, expect=202)
    assert len(queued(db)) == 2


@pytest.mark.parametrize("statut", ["envoi", "envoye", "abandonne"])
def test_a_message_that_was_sent_counts_within_the_five_minutes_too(client, db, statut):
    client.post(FORGOT, {"email": NOBODY}, expect=202)
    EventEmail.update(statut=statut).execute(db)
    client.post(FORGOT, {"email": NOBODY}, expect=202)
    assert len(queued(db)) == 1


def test_the_pause_is_of_one_address_only(client, db, chloe):
    client.post(FORGOT, {"email": chloe.email}, expect=202)
    client.post(FORGOT, {"email": NOBODY}, expect=202)
    assert [message["destinataire"] for message in queued(db)] == [chloe.email, NOBODY]


def test_a_message_about_something_else_is_no_reason_not_to_queue_one(client, db, chloe):
    now = int(time.time())
    EventEmail.insert(
        genre="confirmee", destinataire=chloe.email, prochain_essai=now, cree_le=now
    ).execute(db)
    client.post(FORGOT, {"email": chloe.email}, expect=202)
    assert [message["genre"] for message in queued(db)] == ["confirmee", "mot_de_passe"]


@pytest.mark.parametrize("body", [{}, {"email": None}, {"email": ""}, {"email": "  "}])
def test_asking_without_an_email_is_400(client, db, body):
    assert client.post(FORGOT, body, expect=400).json == {
        "error": "Missing required field: email"
    }
    assert queued(db) == []


@pytest.mark.parametrize(
    "email",
    ["chloe", "chloe@", "@example.fr", "a@b@example.fr", "chloe@example.fr, b@example.fr",
     "chloe@example.fr\nBcc: b@example.fr", "a" * 65 + "@example.fr", "a@" + "b." * 130 + "fr"],
)
def test_asking_with_what_is_no_address_is_400(client, db, email):
    answer = client.post(FORGOT, {"email": email}, expect=400)
    assert answer.json == {"error": "Invalid email format"}
    assert queued(db) == []


@pytest.mark.parametrize("email", [7, True, 1.5, ["chloe@example.fr"], {"a": 1}, False, []])
def test_asking_with_an_email_that_is_no_string_is_400(client, db, email):
    answer = client.post(FORGOT, {"email": email}, expect=400)
    assert (answer.json["code"], answer.json["field"]) == ("field_not_text", "email")
    assert queued(db) == []


# Issuing a token


def test_only_the_fingerprint_of_a_token_is_stored_for_an_hour(db, chloe):
    token = resetting.issue(db, chloe.email, 1_900_000_000)
    account = account_of(db, chloe)
    assert account.reinit_empreinte == hashlib.sha256(token.encode()).hexdigest()
    assert account.reinit_jusqua == 1_900_003_600
    row = Utilisateur.select().where(Utilisateur.id == chloe.id).dicts().get(db)
    assert [name for name, value in row.items() if token in str(value)] == []


def test_each_token_is_another_of_256_bits(db, chloe):
    made = {resetting.issue(db, chloe.email, 0) for _ in range(20)}
    assert len(made) == 20
    assert {len(token) for token in made} == {43}


def test_a_token_is_issued_for_an_address_in_any_case(db, chloe):
    assert resetting.issue(db, " CHLOE@Example.FR ", 0)


def test_nobody_gets_no_token(db, chloe):
    assert resetting.issue(db, NOBODY, 0) is None
    assert account_of(db, chloe).reinit_empreinte is None


def test_a_disabled_account_gets_no_token(db, chloe):
    accounts.disable(db, chloe.email, now())
    assert resetting.issue(db, chloe.email, 0) is None
    assert account_of(db, chloe).reinit_empreinte is None


def test_an_account_without_a_password_is_claimed_by_a_reset(client, db):
    accounts.add_proven(db, now(), email="emil@example.fr", nom="Emil")
    token = resetting.issue(db, "emil@example.fr", int(time.time()))
    reset(client, token)
    client.post("/auth/login", {"email": "emil@example.fr", "password": NEW}, expect=200)


# Resetting the password


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_reset_is_200_and_only_the_new_password_logs_in(client, chloe, link, prefix):
    body = {"token": link, "password": NEW}
    answer = client.post(f"{prefix}/password/reset", body, expect=200)
    assert answer.json == {"message": "Password changed"}
    log_in(client, chloe, PASSWORD, expect=401)
    log_in(client, chloe, NEW, expect=200)


def test_a_token_works_once(client, chloe, link):
    reset(client, link)
    answer = reset(client, link, "un autre mot", expect=400)
    assert answer.json == REFUSED
    log_in(client, chloe, NEW, expect=200)


def test_a_used_token_leaves_nothing_behind(client, db, chloe, link):
    reset(client, link)
    account = account_of(db, chloe)
    assert (account.reinit_empreinte, account.reinit_jusqua) == (None, 0)


@pytest.mark.parametrize("left, status", [(60, 200), (0, 400), (-1, 400)])
def test_a_token_works_until_its_hour_is_over(client, db, chloe, link, left, status):
    set_account(db, chloe, reinit_jusqua=int(time.time()) + left)
    reset(client, link, expect=status)
    log_in(client, chloe, NEW if status == 200 else PASSWORD, expect=200)


def test_an_expired_token_is_refused_like_an_unknown_one(client, db, chloe, link):
    set_account(db, chloe, reinit_jusqua=int(time.time()) - 1)
    assert reset(client, link, expect=400).json == REFUSED
    assert reset(client, "unheard-of", expect=400).json == REFUSED


def test_only_the_last_token_works(client, db, chloe, link):
    last = resetting.issue(db, chloe.email, int(time.time()))
    reset(client, link, expect=400)
    reset(client, last)


def test_the_stored_fingerprint_is_no_token(client, db, chloe, link):
    reset(client, account_of(db, chloe).reinit_empreinte, expect=400)


def test_a_token_of_one_person_leaves_the_others_alone(client, alice, link):
    reset(client, link)
    log_in(client, alice, PASSWORD, expect=200)
    client.get(PROTECTED, token=alice.token)


def test_a_reset_ends_the_older_access_tokens_and_the_next_works_at_once(client, chloe, link):
    reset(client, link)
    answer = client.get(PROTECTED, expect=401, token=chloe.token)
    assert answer.json == {"error": "Invalid token"}
    client.get(PROTECTED, token=log_in(client, chloe, NEW).json["token"])


def test_a_reset_ends_the_lock_after_failed_logins(client, chloe, link):
    for _ in range(10):
        log_in(client, chloe, "faux", expect=401)
    log_in(client, chloe, PASSWORD, expect=429)
    reset(client, link)
    log_in(client, chloe, NEW, expect=200)


def test_a_failed_reset_ends_no_lock(client, chloe, link):
    for _ in range(10):
        log_in(client, chloe, "faux", expect=401)
    reset(client, link + "x", expect=400)
    log_in(client, chloe, PASSWORD, expect=429)


def test_a_token_of_an_account_that_was_disabled_since_is_refused(client, db, chloe, link):
    accounts.disable(db, chloe.email, now())
    assert reset(client, link, expect=400).json == REFUSED
    accounts.enable(db, chloe.email)
    reset(client, link, expect=400)
    log_in(client, chloe, PASSWORD, expect=200)


def test_a_disabled_account_is_not_reset_whatever_is_stored(client, db, chloe, link):
    set_account(db, chloe, actif=False)
    assert reset(client, link, expect=400).json == REFUSED


def test_a_password_changed_by_the_operator_ends_the_token(client, db, chloe, link):
    credentials.change_password(db, chloe.email, NEW, ROUNDS, now())
    reset(client, link, "un autre mot", expect=400)
    log_in(client, chloe, NEW, expect=200)


def test_a_reset_token_is_no_access_token(client, link):
    answer = client.get(PROTECTED, expect=401, token=link)
    assert answer.json == {"error": "Invalid token"}


def test_an_access_token_is_no_reset_token(client, chloe):
    assert reset(client, chloe.token, expect=400).json == REFUSED


@pytest.mark.parametrize("password", ["1234567", "éàüéàüé", LONGEST + "a", "a" * 1000])
@pytest.mark.parametrize("profile", ["development", "production"])
def test_a_password_that_registration_refuses_is_400_and_leaves_the_token_good(
    client, make_client, link, password, profile
):
    answer = reset(make_client(ENV=profile), link, password, expect=400)
    assert answer.json["error"].startswith("Password must be at ")
    reset(client, link)


@pytest.mark.parametrize("password", ["12345678", "éàüéàüéà", LONGEST])
def test_a_password_of_8_characters_up_to_72_bytes_is_taken(client, chloe, link, password):
    reset(client, link, password)
    log_in(client, chloe, password, expect=200)


@pytest.mark.parametrize(
    "body",
    [{}, {"token": "x"}, {"password": NEW}, {"token": "", "password": NEW},
     {"token": None, "password": NEW}, {"token": "x", "password": ""},
     {"token": "x", "password": None}, {"token": "x", "password": "        "}],
)
def test_a_reset_without_a_token_or_a_password_is_400(client, body):
    answer = client.post(RESET, body, expect=400)
    field = "password" if body.get("token") else "token"
    assert answer.json == {"error": f"Missing required field: {field}"}


@pytest.mark.parametrize("wrong", [7, True, 1.5, ["x"], {"a": 1}, False, 0, []])
@pytest.mark.parametrize("field", ["token", "password"])
def test_a_field_of_a_reset_that_is_no_string_is_400(client, link, field, wrong):
    body = {"token": link, "password": NEW, field: wrong}
    answer = client.post(RESET, body, expect=400)
    assert (answer.json["code"], answer.json["field"]) == ("field_not_text", field)
    reset(client, link)


@pytest.mark.parametrize("token", ["é", "x" * 10_000, "%", "' OR 1=1 --", "\U0001f98a", " "])
def test_no_token_is_too_weird_nor_repeated_in_the_answer(client, link, token):
    answer = reset(client, token, expect=400)
    assert answer.json in (REFUSED, {"error": "Missing required field: token"})


def test_no_hash_is_computed_for_a_token_that_is_refused(client, link, monkeypatch):
    def hashed(*_):
        raise AssertionError("a hash for anybody who asks")

    monkeypatch.setattr(resetting.passwords, "hashed", hashed)
    reset(client, "unheard-of", expect=400)
    reset(client, link, "court", expect=400)


def test_the_hash_is_computed_outside_any_transaction(client, db, link, monkeypatch):
    inner, statements = resetting.passwords.hashed, Statements()
    statements.install(monkeypatch.setattr)

    def hashed(*args):
        statements.seen.append(("HASH", False))
        return inner(*args)

    monkeypatch.setattr(resetting.passwords, "hashed", hashed)
    statements.arm(-1, None)
    reset(client, link)
    texts = [text.split()[0] for text, _ in statements.seen]
    assert texts.count("HASH") == texts.count("BEGIN") == 1
    assert texts.index("HASH") < texts.index("BEGIN")


def feed_of(client, person):
    return re.sub(r"https?://[^/]+", "", client.get("/api/flux", token=person.token).json["url"])


def test_a_reset_ends_the_feed_of_who_registered_the_address(client, chloe, link):
    path = feed_of(client, chloe)
    reset(client, link)
    client.get(path, expect=404)


def test_a_reset_keeps_the_feed_of_a_proven_account(client, db, chloe, link):
    set_account(db, chloe, email_prouve_le=1)
    path = feed_of(client, chloe)
    reset(client, link)
    client.get(path)
