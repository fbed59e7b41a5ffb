"""Logging in with a password, and changing the password."""

from typing import Any

from reservation.domain.people import accounts, attempts, passwords, sessions
from reservation.errors import AccountDisabled, InvalidCredentials, Overloaded, TooManyFailures
from reservation.lib.instants import DAY
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

# Limits consecutive wrong passwords: of logins with one e-mail address from one network, and of
# requests with a token of one account.
FAILURES = attempts.Limit("login", most=10, period=DAY, shortest=30, longest=900)


def log_in(
    db: Database, email: str, password: str, rounds: int, client: str, now: int
) -> Utilisateur:
    """Returns the account of these credentials. `client` is the IP address of the caller.

    An unknown e-mail and a wrong password take the same time, and both raise InvalidCredentials.
    A disabled account raises AccountDisabled only if the password is right. Raises TooManyFailures
    after too many failed logins with this e-mail from the client's network.
    """
    pair = attempts.pair(email, client)
    account = _limited(db, accounts.find(db, email), password, rounds, pair, now)
    if not account.actif:
        raise AccountDisabled()
    if passwords.is_weaker(str(account.mot_de_passe_hash), rounds):
        _strengthen(db, account, password, rounds)
    return account


def _limited(
    db: Database, account: Utilisateur | None, password: str, rounds: int, about: str, now: int
) -> Utilisateur:
    """Returns `account`. Raises InvalidCredentials if `account` is None or `password` is wrong,
    and TooManyFailures after too many failures of the subject `about`."""
    _check_lock(db, about, now)
    try:
        verified = _verified(db, account, password, rounds)
    except InvalidCredentials:
        # If failures meanwhile have caused a lock, counts nothing and returns the time to wait.
        wait = transaction(db, lambda: attempts.count(db, FAILURES, about, now))
        if wait:
            raise TooManyFailures(wait) from None
        raise
    # Check again: failures may have caused a lock meanwhile. Without this check, who sends many
    # passwords at once would learn whether one of them is right.
    if _check_lock(db, about, now):
        transaction(db, lambda: attempts.forget(db, FAILURES, about))
    return verified


def _check_lock(db: Database, about: str, now: int) -> bool:
    """Returns whether failures were counted. Raises TooManyFailures during a lockout."""
    wait = attempts.wait(db, FAILURES, about, now)
    if wait:
        raise TooManyFailures(wait)
    return wait is not None


def _strengthen(db: Database, account: Utilisateur, password: str, rounds: int) -> None:
    try:
        stored = passwords.hashed(password, rounds)
    except Overloaded:
        return  # the next login tries again to store a stronger hash
    unchanged = Utilisateur.mot_de_passe_hash == account.mot_de_passe_hash
    stronger = Utilisateur.update(mot_de_passe_hash=stored).where(
        (Utilisateur.id == account.id) & unchanged
    )
    transaction(db, lambda: stronger.execute(db))


def _verified(
    db: Database, account: Utilisateur | None, password: str, rounds: int
) -> Utilisateur:
    """Raises InvalidCredentials if `account` is None or `password` is wrong."""
    stored = account.mot_de_passe_hash if account else None
    if not passwords.is_right(password, stored, rounds):
        raise InvalidCredentials()
    assert account is not None
    # Compare `jetons_depuis`, which a new password changes. Do not compare hashes, because a
    # concurrent login may have stored a stronger hash of the same password.
    same = (Utilisateur.id == account.id) & (Utilisateur.jetons_depuis == account.jetons_depuis)
    if not Utilisateur.select().where(same).exists(db):
        raise InvalidCredentials()  # another request may have changed the password meanwhile
    return account


def change_password(db: Database, email: str, password: str, rounds: int, now: int) -> None:
    """Sets the password of an account. Only for the operator, because the old password is not
    needed. Raises UserNotFound if no account has the e-mail address. Raises InvalidInput if the
    password is too short or too long."""
    accounts.check_password(password)
    account = accounts.known(db, email)
    stored = passwords.hashed(password, rounds)
    transaction(db, lambda: replace_password(db, stored, now, Utilisateur.id == account.id))


def check_own(db: Database, account_id: int, password: str, rounds: int, now: int) -> None:
    """Raises InvalidCredentials if `password` is not the caller's password, and TooManyFailures
    after too many wrong passwords. Does nothing if the account has no password."""
    account = accounts.get(db, account_id)
    if account.mot_de_passe_hash is not None:
        _own(db, account, password, rounds, now)


def _own(
    db: Database, account: Utilisateur, password: str, rounds: int, now: int
) -> Utilisateur:
    # Not limited by network: a thief of a token may use many networks.
    return _limited(db, account, password, rounds, str(account.id), now)


def change_own_password(
    db: Database, account_id: int, current: str, new: str, rounds: int, client: str, now: int
) -> Utilisateur:
    """Sets a new password, and returns the account.

    Raises InvalidCredentials if `current` is wrong or the tokens were revoked meanwhile, and
    TooManyFailures after too many wrong passwords. Raises InvalidInput if the new password is too
    short or too long.
    """
    accounts.check_password(new)
    verified = _own(db, accounts.get(db, account_id), current, rounds, now)
    stored = passwords.hashed(new, rounds)
    unchanged = Utilisateur.jetons_depuis == verified.jetons_depuis

    def change() -> Utilisateur:
        if not replace_password(db, stored, now, Utilisateur.id == account_id, unchanged):
            raise InvalidCredentials()  # another request has revoked the tokens meanwhile
        attempts.forget(db, FAILURES, attempts.pair(verified.email, client))
        return accounts.get(db, account_id)

    return transaction(db, change)


def replace_password(db: Database, stored: str | None, now: int, *where: Any) -> bool:
    """Stores the password hash `stored`, or removes the password if `stored` is None. Revokes the
    access tokens and the reset token.

    `where` are the conditions that select the account. Returns False if there is no such account.
    Call within a transaction.
    """
    changes = Utilisateur.update(mot_de_passe_hash=stored, **sessions.all_revoked(now))
    return bool(changes.where(*where).execute(db))
