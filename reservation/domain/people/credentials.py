"""What a password opens, and how it is changed."""

import time
from typing import Any

from reservation.domain.people import accounts, attempts, passwords
from reservation.errors import AccountDisabled, InvalidCredentials, Overloaded, TooManyFailures
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

# Of logins with an e-mail address from a client's network, in a row.
FAILURES = attempts.Limit("login", most=10, period=attempts.DAY, shortest=30, longest=900)


def log_in(db: Database, email: str, password: str, rounds: int, client: str) -> Utilisateur:
    """Returns the account of these credentials; `client` is where the request comes from.

    An e-mail that nobody has and a wrong password look alike and take as long. Raises
    InvalidCredentials, TooManyFailures, and AccountDisabled, which only the holder of the right
    password learns.
    """
    pair, now = attempts.pair(email, client), int(time.time())
    wait = attempts.wait(db, FAILURES, pair, now)
    if wait:
        raise TooManyFailures(wait)
    try:
        account = _proven(db, accounts.find(db, email), password, rounds)
    except InvalidCredentials:
        transaction(db, lambda: attempts.count(db, FAILURES, pair, now))
        raise
    if wait is not None:
        transaction(db, lambda: attempts.forget(db, FAILURES, pair))
    if not account.actif:
        raise AccountDisabled()
    if passwords.is_weaker(str(account.mot_de_passe_hash), rounds):
        _strengthen(db, account, password, rounds)
    return account


def _strengthen(db: Database, account: Utilisateur, password: str, rounds: int) -> None:
    """Stores a hash of the same password by more rounds; the tokens stay good."""
    try:
        stored = passwords.hashed(password, rounds)
    except Overloaded:
        return  # the next login does it
    same = Utilisateur.mot_de_passe_hash == account.mot_de_passe_hash  # else it was changed
    stronger = Utilisateur.update(mot_de_passe_hash=stored).where(
        (Utilisateur.id == account.id) & same
    )
    transaction(db, lambda: stronger.execute(db))


def _proven(
    db: Database, account: Utilisateur | None, password: str, rounds: int
) -> Utilisateur:
    """Returns the account if this is its password. Raises InvalidCredentials."""
    stored = account.mot_de_passe_hash if account else None
    if not passwords.is_right(password, stored, rounds):
        raise InvalidCredentials()
    assert account is not None
    # Every change of a password moves jetons_depuis; to hash the same one again does not.
    same = (Utilisateur.id == account.id) & (Utilisateur.jetons_depuis == account.jetons_depuis)
    if not Utilisateur.select().where(same).exists(db):
        raise InvalidCredentials()  # it was changed while this one was hashed
    return account


def change_password(db: Database, email: str, password: str, rounds: int) -> None:
    """The operator's: a new password, whatever the old one is. Raises NotFound."""
    accounts.check_password(password)
    account = accounts.known(db, email)
    stored = passwords.hashed(password, rounds)
    transaction(db, lambda: replace_password(db, stored, Utilisateur.id == account.id))


def change_own_password(
    db: Database, account_id: int, current: str, new: str, rounds: int, client: str
) -> Utilisateur:
    """Sets a new password for who knows the current one, and returns the account.

    Failed logins do not lock it: the caller has a token already. Raises InvalidInput for a
    password that registration would refuse, and InvalidCredentials.
    """
    accounts.check_password(new)
    mine = Utilisateur.select().where(Utilisateur.id == account_id)
    proven = _proven(db, mine.get(db), current, rounds)
    stored = passwords.hashed(new, rounds)
    unchanged = Utilisateur.jetons_depuis == proven.jetons_depuis

    def change() -> Utilisateur:
        if not replace_password(db, stored, Utilisateur.id == account_id, unchanged):
            raise InvalidCredentials()  # another change was quicker
        attempts.forget(db, FAILURES, attempts.pair(proven.email, client))
        return mine.clone().get(db)

    return transaction(db, change)


def replace_password(db: Database, stored: str, *where: Any) -> bool:
    """Whether there was an account to store this hash for; within a transaction.

    With the old password end the tokens issued under it and the token by which it might have
    been reset.
    """
    changes = Utilisateur.update(
        mot_de_passe_hash=stored,
        jetons_depuis=accounts.end_of_tokens(),
        reinit_empreinte=None,
        reinit_jusqua=0,
    )
    return bool(changes.where(*where).execute(db))
