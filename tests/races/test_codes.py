"""Codes tried and used many times at once, by several workers."""

import itertools
import random
from collections import Counter
from functools import partial

import pytest

from reservation.domain.people import accounts, code_login, codes, email_change
from reservation.domain.people.code_login import Newcomer
from reservation.domain.people.codes import Codes
from reservation.domain.people.email_change import Proof
from reservation.domain.people.sessions import Account
from reservation.storage.database import transaction
from reservation.storage.models import Code, EventEmail, Tentative, Utilisateur
from tests import engines
from tests.clock import now
from tests.codes import issued, other_than
from tests.conftest import PASSWORD, ROUNDS
from tests.outboxes import SECRET
from tests.races import guards
from tests.races.clients import Asking, from_processes, send, statuses, storm

CROWD = 6
ENTER = "/auth/code/login"
ONE_CODE = "CONSTRAINT code_cle UNIQUE (cle),"


def trying(email, code, **names):
    return Asking("POST", ENTER, "", {"email": email, "code": code, **names})


def one_by_one(port, askings):
    return [send(port, asking) for asking in askings]


def in_parallel(port, askings, clients=16):
    """Sends the requests from several processes, each of which sends one after the other."""
    return sum(
        from_processes(one_by_one, [(port, askings[at::clients]) for at in range(clients)]), []
    )


def wrong_codes(email, code, number):
    numbers = random.Random(0).sample(range(1, 10**6), number)
    return [trying(email, other_than(code, number)) for number in numbers]


def test_of_1000_wrong_codes_on_four_workers_five_are_compared(client, serve, db, chloe):
    """Five different codes of a million are compared: one is right with probability 5 / 10^6."""
    server = serve("--workers", "4")
    code = issued(db, chloe.email)
    seen = statuses(in_parallel(server.port, wrong_codes(chloe.email, code, 1000)))
    assert set(seen) <= {401, 503} and seen[401] >= 990
    (row,) = Code.select().execute(db)
    assert row.essais == codes.ATTEMPTS
    assert send(server.port, trying(chloe.email, code)).status == 401


def test_four_workers_together_take_thirty_wrong_codes_of_a_network(client, serve, db, chloe):
    server = serve("--workers", "4", LIMITS="on")
    code = issued(db, chloe.email)
    seen = statuses(in_parallel(server.port, wrong_codes(chloe.email, code, 1000)))
    assert set(seen) <= {401, 429, 503}
    assert seen[401] == codes.WRONG.most
    (row,) = Tentative.select().execute(db)
    assert row.nombre == codes.WRONG.most
    assert send(server.port, trying(chloe.email, code)).status == 429


def test_four_workers_together_send_five_codes_to_an_address(client, serve, db, chloe):
    server = serve("--workers", "4", LIMITS="on")
    asking = Asking("POST", "/auth/code", "", {"email": chloe.email})
    seen = statuses(storm(server.port, [asking] * 40))
    assert seen[202] == EventEmail.select().count(db) == codes.PER_PAIR.most
    assert seen[202] + seen[429] + seen[503] == 40


def test_four_workers_together_take_the_limits_of_registrations_and_contact(client, serve, db):
    server = serve("--workers", "4", LIMITS="on")
    who = {"first_name": "A", "last_name": "B", "role": "student", "password": "un mot de passe"}
    registering = [
        Asking("POST", "/auth/register", "", {**who, "email": f"a{number}@example.fr"})
        for number in range(40)
    ]
    writing = [
        Asking("POST", "/contact", "", {"name": "A", "email": f"a{n}@b.fr", "message": "x"})
        for n in range(40)
    ]
    seen = statuses(in_parallel(server.port, registering, 8))
    assert seen[201] <= 20 and seen[201] + seen[503] + seen[429] == 40 and seen[429] >= 20
    assert Utilisateur.select().count(db) == seen[201]
    seen = statuses(in_parallel(server.port, writing, 8))
    assert (seen[200], seen[429]) == (10, 30)


@pytest.mark.parametrize("email", ["chloe@example.fr", "zoe@example.fr"])
def test_of_20_uses_of_a_code_at_once_one_signs_in(client, serve, db, chloe, email):
    server = serve("--workers", "4")
    code = issued(db, email)
    answers = storm(server.port, [trying(email, code, last_name="Blanc")] * 20)
    seen = statuses(answers)
    assert seen[200] == 1 and seen[401] + seen[503] == 19
    (token,) = [answer.body["token"] for answer in answers if answer.status == 200]
    assert send(server.port, Asking("GET", "/api/compte", token)).body["email"] == email


def test_no_code_is_logged_or_repeated(client, serve, db, chloe):
    server = serve("--workers", "1")
    code = issued(db, chloe.email)
    wrong = other_than(code)
    answers = [send(server.port, trying(chloe.email, one)) for one in (wrong, code, code)]
    token = answers[1].body["token"]
    change = {"email": "zoe@example.fr", "code": wrong}
    answers.append(send(server.port, Asking("PUT", "/api/compte/email", token, change)))
    assert [answer.status for answer in answers] == [401, 200, 401, 401]
    server.stop()  # the last lines are written then
    assert ENTER in server.output
    bodies = [str(answer.body) for answer in answers]
    assert not [c for c in (code, wrong, token) if c in server.output]
    assert not [c for c in (code, wrong) for body in bodies if f"'{c}'" in body]


def use(url, email, code):
    made = Codes(SECRET, limited=False)
    return guards.together(
        url, CROWD, lambda db: transaction(db, lambda: made.use(db, email, code, "", now()))
    )


def test_of_several_uses_at_once_one_is_right(database_url, db, chloe):
    code = issued(db, chloe.email)
    assert Counter(use(database_url, chloe.email, code)) == {True: 1, False: CROWD - 1}


def test_five_of_several_attempts_at_once_count(database_url, db, chloe):
    code = other_than(issued(db, chloe.email))
    assert use(database_url, chloe.email, code) == [False] * CROWD
    assert Code.select().get(db).essais == codes.ATTEMPTS < CROWD


def test_without_the_condition_of_the_count_every_attempt_would_be_compared(
    database_url, db, chloe, monkeypatch
):
    loose = codes._COUNT.replace("essais < ?", "? > 0")
    assert loose != codes._COUNT
    monkeypatch.setattr(codes, "_COUNT", loose)
    code = other_than(issued(db, chloe.email))
    use(database_url, chloe.email, code)
    assert Code.select().get(db).essais == CROWD


def issue(url, db, monkeypatch):
    """Issues codes in parallel threads, on MariaDB when all are about to store their codes."""
    if engines.ENGINE == "mariadb":
        guards.everyone_comes_to(monkeypatch, CROWD, codes, "transaction")
    return guards.together(url, CROWD, lambda db: issued(db, "zoe@example.fr"))


def test_codes_issued_at_once_leave_one_that_works(database_url, db, monkeypatch):
    made = issue(database_url, db, monkeypatch)
    assert Code.select().count(db) == 1
    uses = Codes(SECRET, limited=False)
    right = 0
    for code in made:
        Code.update(essais=0).execute(db)
        works = partial(uses.use, db, "zoe@example.fr", code, "", now())
        right += transaction(db, works)
    assert right == 1


@engines.on_mariadb
@pytest.mark.parametrize("database_url", [ONE_CODE], indirect=True)
def test_without_the_unique_key_several_codes_would_work(database_url, db, monkeypatch):
    issue(database_url, db, monkeypatch)
    assert Code.select().count(db) > 1


def change(url, db, chloe):
    addresses = itertools.count()
    asking = Account(chloe.id, "student")

    def one(db):
        email = f"a{next(addresses)}@example.fr"
        proof = Proof(email, issued(db, email), PASSWORD)
        unlimited = Codes(SECRET, limited=False)
        return email_change.prove(db, unlimited, asking, proof, ROUNDS, "", now())

    return guards.together(url, 2, one)


@engines.on_mariadb
def test_of_two_changes_of_an_address_at_once_one_succeeds(database_url, db, chloe, monkeypatch):
    guards.everyone_comes_to(monkeypatch, 2, email_change, "_change")
    results = change(database_url, db, chloe)
    assert sorted(type(one).__name__ for one in results) == ["TokenInvalid", "Utilisateur"]
    assert EventEmail.select().count(db) == 1


def test_an_account_that_is_registered_in_the_meantime_is_signed_in(db, chloe, monkeypatch):
    """The second look finds the account that another request has created."""
    find, seen = accounts.find, []

    def blind(db, email):
        seen.append(email)
        return find(db, email) if len(seen) > 1 else None

    monkeypatch.setattr(accounts, "find", blind)
    made, code = Codes(SECRET), issued(db, chloe.email)
    account = code_login.log_in(
        db, made, chloe.email, code, Newcomer("Blanc", "", ""), "fr", "", now()
    )
    assert account.id == chloe.id
