"""Access: the lock after failed logins, the end of tokens, who may become admin."""

import time

import pytest

from reservation.domain.people import accounts, attempts, credentials, resetting
from reservation.storage.models import Tentative, TypeUtilisateur, Utilisateur
from tests.clock import now
from tests.conftest import ROUNDS, Person, log_in
from tests.specification.bodies import PROTECTED, registration


def fail(client, person, times, expect=401, **how):
    body = {"email": person.email, "password": "faux"}
    for _ in range(times):
        client.post("/auth/login", body, expect=expect, **how)


def change_password(db, person, password, at=None):
    credentials.change_password(db, person.email, password, ROUNDS, at or now())
    person.password = password


def change_role(db, person, role):
    row = TypeUtilisateur.select().where(TypeUtilisateur.nom == role).get(db)
    Utilisateur.update(type=row.id).where(Utilisateur.id == person.id).execute(db)


def wait_for_the_end_of_the_lock(db):
    Tentative.update(bloque_jusqua=1).execute(db)


def is_over(client, token):
    """Returns True if the token is refused as revoked."""
    answer = client.get(PROTECTED, expect="*", token=token)
    assert (answer.status_int, answer.json) in [
        (200, []),
        (401, {"error": "Invalid token"}),
    ]
    return answer.status_int == 401


@pytest.mark.parametrize("path", ["/auth/login", "/api/auth/login"])
def test_ten_failures_in_a_row_refuse_even_the_right_password(client, alice, path):
    fail(client, alice, 10)
    answer = log_in(client, alice, expect=429, path=path)
    assert answer.json["code"] == "too_many_failures"
    assert 0 < int(answer.headers["Retry-After"]) <= 30


def test_an_address_without_an_account_is_refused_like_one_that_has_an_account(client, alice):
    answers = []
    for who in (alice, Person(0, "personne@example.fr", "")):
        fail(client, who, 10)
        answers.append(log_in(client, who, expect=429))
    assert answers[0].json == answers[1].json
    # A second may end between the last failure and the next log-in.
    waits = [int(answer.headers["Retry-After"]) for answer in answers]
    assert {30, 29}.issuperset(waits)


def test_each_failure_after_the_tenth_locks_for_longer_up_to_15_minutes(client, db, alice):
    fail(client, alice, 9)
    locks = []
    for _ in range(8):
        fail(client, alice, 1)
        locks.append(int(fail_while_locked(client, alice).headers["Retry-After"]))
        wait_for_the_end_of_the_lock(db)
    for lock, longest in zip(locks, (30, 60, 120, 240, 480, 900, 900, 900), strict=True):
        assert longest - 10 < lock <= longest


def fail_while_locked(client, person):
    body = {"email": person.email, "password": "faux"}
    return client.post("/auth/login", body, expect=429)


def test_failures_elsewhere_do_not_keep_the_owner_out(client, alice):
    """Otherwise anybody could lock the owner out with a few wrong passwords."""
    fail(client, alice, 10, source="192.0.2.7")
    fail(client, alice, 1, expect=429, source="192.0.2.200")
    log_in(client, alice, expect=200, source="198.51.100.7")


def test_failures_of_one_network_count_together(client, alice):
    for number in range(10):
        fail(client, alice, 1, source=f"2001:db8:1:1::{number}")
    log_in(client, alice, expect=429, source="2001:db8:1:1:ffff::1")
    log_in(client, alice, expect=200, source="2001:db8:1:2::1")


def test_a_lock_that_ends_later_than_any_could_is_void(client, db, alice):
    """Such a lock was stored while the server's clock was wrong."""
    fail(client, alice, 10)
    later = Tentative.bloque_jusqua + 900 + attempts.SKEW + 1
    Tentative.update(bloque_jusqua=later, depuis=Tentative.depuis + 2 * 86400).execute(db)
    fail(client, alice, 1)
    log_in(client, alice, expect=200)


def test_nine_failures_in_a_row_lock_nobody_out(client, alice):
    fail(client, alice, 9)
    log_in(client, alice, expect=200)


def test_while_it_is_locked_the_wrong_password_is_refused_too(client, alice):
    fail(client, alice, 10)
    fail(client, alice, 1, expect=429)


def test_waiting_lets_the_owner_in(client, db, alice):
    fail(client, alice, 10)
    wait_for_the_end_of_the_lock(db)
    log_in(client, alice, expect=200)


def test_a_successful_login_starts_the_count_of_failures_anew(client, alice):
    fail(client, alice, 9)
    log_in(client, alice, expect=200)
    fail(client, alice, 9)
    log_in(client, alice, expect=200)


def test_a_login_after_the_lock_starts_the_count_of_failures_anew(client, db, alice):
    fail(client, alice, 10)
    wait_for_the_end_of_the_lock(db)
    log_in(client, alice, expect=200)
    fail(client, alice, 9)
    log_in(client, alice, expect=200)


def test_the_lock_is_of_one_address_only(client, alice, chloe):
    fail(client, alice, 10)
    log_in(client, chloe, expect=200)


def test_the_lock_counts_the_email_in_any_case(client, alice):
    for _ in range(10):
        body = {"email": alice.email.upper(), "password": "faux"}
        client.post("/auth/login", body, expect=401)
    log_in(client, alice, expect=429)


def test_the_lock_is_shared_by_all_workers(client, make_client, alice):
    other = make_client()
    fail(client, alice, 5)
    fail(other, alice, 5)
    log_in(client, alice, expect=429)
    log_in(other, alice, expect=429)


def test_the_lock_leaves_the_tokens_of_the_owner_alone(client, alice):
    fail(client, alice, 10)
    assert not is_over(client, alice.token)


def test_a_changed_password_ends_the_older_tokens_at_once(client, db, alice):
    change_password(db, alice, "un mot tout neuf")
    assert is_over(client, alice.token)


def test_a_disabled_account_ends_its_tokens_at_once(client, db, alice):
    accounts.disable(db, alice.email, now())
    assert is_over(client, alice.token)


def test_a_token_of_an_account_that_is_not_active_opens_nothing(client, db, alice):
    """The account was disabled by a direct change of the database."""
    Utilisateur.update(actif=False).where(Utilisateur.id == alice.id).execute(db)
    assert is_over(client, alice.token)


def test_the_tokens_of_a_disabled_account_stay_ended_when_it_is_enabled_again(client, db, alice):
    accounts.disable(db, alice.email, now())
    accounts.enable(db, alice.email)
    assert is_over(client, alice.token)


def test_a_changed_role_ends_the_older_tokens_at_once(client, db, alice):
    change_role(db, alice, "student")
    assert is_over(client, alice.token)


def test_the_tokens_of_an_account_that_is_gone_are_over(client, db, alice):
    Utilisateur.delete().where(Utilisateur.id == alice.id).execute(db)
    assert is_over(client, alice.token)


def test_an_ended_token_is_not_renewed(client, db, alice):
    change_password(db, alice, "un mot tout neuf")
    answer = client.post("/api/auth/refresh", expect=401, token=alice.token)
    assert answer.json == {"error": "Invalid token"}


def test_a_changed_password_ends_renewed_tokens_too(client, db, alice):
    renewed = client.post("/api/auth/refresh", token=alice.token).json["token"]
    change_password(db, alice, "un mot tout neuf")
    assert is_over(client, renewed)


def test_one_persons_revocation_leaves_the_others_tokens_alone(client, db, alice, chloe):
    change_password(db, alice, "un mot tout neuf")
    assert not is_over(client, chloe.token)


def test_the_login_after_a_changed_password_gives_a_token_that_works_at_once(client, db, alice):
    change_password(db, alice, "un mot tout neuf")
    assert not is_over(client, log_in(client, alice).json["token"])


def test_the_login_after_disabling_and_enabling_gives_a_token_that_works_at_once(
    client, db, alice
):
    accounts.disable(db, alice.email, now())
    accounts.enable(db, alice.email)
    assert not is_over(client, log_in(client, alice).json["token"])


def test_the_login_after_a_changed_role_gives_a_token_that_works_at_once(client, db, alice):
    change_role(db, alice, "student")
    answer = log_in(client, alice).json
    assert answer["user"]["role"] == "student"
    assert not is_over(client, answer["token"])


def test_a_token_given_after_a_revocation_is_renewed_at_once(client, db, alice):
    change_password(db, alice, "un mot tout neuf")
    token = log_in(client, alice).json["token"]
    assert not is_over(client, client.post("/auth/refresh", token=token).json["token"])


def test_a_second_revocation_within_the_second_ends_the_token_given_between(client, db, alice):
    second = now() + 60  # later than this test
    change_password(db, alice, "un mot tout neuf", at=second)
    between = log_in(client, alice).json["token"]
    change_password(db, alice, "un mot encore plus neuf", at=second)
    assert is_over(client, between)
    assert not is_over(client, log_in(client, alice).json["token"])


def test_a_revocation_by_one_worker_ends_the_tokens_that_another_has_seen(
    client, make_client, db, alice
):
    other = make_client()
    assert not is_over(other, alice.token)
    change_password(db, alice, "un mot tout neuf")
    assert is_over(other, alice.token)


@pytest.mark.parametrize("path", ["/auth/register", "/api/auth/register"])
def test_in_production_nobody_becomes_admin_without_an_admins_token(client, make_client, db, path):
    production = make_client(ENV="production")
    answer = production.post(path, registration(role="admin"), expect=403)
    assert answer.json["code"] == "not_permitted"
    assert Utilisateur.select().count(db) == 0


@pytest.mark.parametrize("role", ["student", "company"])
def test_in_production_a_valid_token_of_another_role_is_403_insufficient_permission(
    make_client, person, role
):
    token = person("Eva", role).token
    production = make_client(ENV="production")
    production.post("/auth/register", registration(role="admin"), expect=403, token=token)


def test_in_production_an_admins_token_makes_another_admin(make_client, dora):
    production = make_client(ENV="production")
    body = registration(role="admin")
    production.post("/auth/register", body, expect=201, token=dora.token)


def test_in_production_an_ended_token_of_an_admin_makes_no_admin(make_client, db, dora):
    change_password(db, dora, "un mot tout neuf")
    production = make_client(ENV="production")
    body = registration(role="admin")
    production.post("/auth/register", body, expect=401, token=dora.token)


@pytest.mark.parametrize("role", ["student", "company"])
def test_in_production_the_other_roles_register_as_specified(client, make_client, role):
    production = make_client(ENV="production")
    production.post("/auth/register", registration(role=role), expect=201)


COMMON, REFUSED = "PassWord1", {
    "error": "Password is too common", "code": "password_too_common"
}


@pytest.mark.parametrize("profile, expect", [("production", 400), ("development", 201)])
def test_production_refuses_a_common_password_at_registration(
    client, make_client, profile, expect
):
    body = registration(password=COMMON)
    answer = make_client(ENV=profile).post("/auth/register", body, expect=expect).json
    assert expect == 201 or answer == REFUSED


@pytest.mark.parametrize("profile, expect", [("production", 400), ("development", 200)])
def test_production_refuses_a_common_password_of_the_form(
    client, make_client, profile, expect
):
    fields = {"email": "rose@example.fr", "password": COMMON, "nom": "Petit"}
    answer = make_client(ENV=profile).form("/register_form", fields, expect=expect).text
    assert answer == ("OK" if expect == 200 else REFUSED["error"])


@pytest.mark.parametrize("profile, expect", [("production", 400), ("development", 200)])
def test_production_refuses_a_common_password_of_a_change(make_client, alice, profile, expect):
    client = make_client(ENV=profile)
    body = {"current_password": alice.password, "new_password": COMMON}
    answer = client.post("/auth/password", body, expect=expect, token=alice.token).json
    assert expect == 200 or answer == REFUSED
    log_in(client, alice, expect=200 if expect == 400 else 401)


def test_production_refuses_a_common_password_of_a_reset_which_leaves_the_token_good(
    make_client, db, alice
):
    client = make_client(ENV="production")
    link = resetting.issue(db, alice.email, int(time.time()))
    body = {"token": link, "password": COMMON}
    assert client.post("/auth/password/reset", body, expect=400).json == REFUSED
    client.post("/auth/password/reset", {**body, "password": "un mot tout neuf"}, expect=200)


@pytest.mark.parametrize("path", ["/auth/register", "/register_form"])
def test_production_takes_twenty_registrations_an_hour_from_a_network(make_client, db, path):
    client = make_client(ENV="production")

    def register(number, source, expect):
        body = registration(email=f"a{number}@example.fr")
        client.app.extra_environ = {"REMOTE_ADDR": source}
        if path == "/register_form":
            fields = {name: body[name] for name in ("email", "password")} | {"nom": "A"}
            return client.app.post(path, fields, status=expect)
        return client.post(path, body, expect=expect, source=source)

    good = 200 if path == "/register_form" else 201
    for number in range(20):
        register(number, "192.0.2.7", good)
    answer = register(20, "192.0.2.8", 429)
    assert answer.json["code"] == "too_many_attempts"
    assert 3590 < int(answer.headers["Retry-After"]) <= 3600
    register(20, "198.51.100.7", good)


def test_development_takes_any_number_of_registrations(client):
    for number in range(25):
        client.post("/auth/register", registration(email=f"a{number}@example.fr"), 201)
