"""What a password opens, and how it is changed."""

import time
from typing import Any

from reservation.domain import accounts, passwords
from reservation.errors import AccountDisabled, AccountLocked, InvalidCredentials
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

FAILURES_ALLOWED = 10  # in a row; the next ones lock the account, longer each time
FIRST_LOCK, LONGEST_LOCK = 30, 900  # seconds


def log_in(db: Database, email: str, password: str, rounds: int) -> Utilisateur:
    """The account of these credentials.

    An e-mail that nobody has and a wrong password look alike and take as long. Raises
    InvalidCredentials, AccountLocked after FAILURES_ALLOWED failures in a row, and
    AccountDisabled, which only the holder of the right password learns.
    """
    account = _proven(db, accounts.find(db, email), password, rounds)
    if account.echecs:
        unlocked = Utilisateur.update(echecs=0, bloque_jusqua=0)
        transaction(db, lambda: unlocked.where(Utilisateur.id == account.id).execute(db))
    if not account.actif:
        raise AccountDisabled()
    return account


def _proven(
    db: Database, account: Utilisateur | None, password: str, rounds: int
) -> Utilisateur:
    """The account, now that this is its password. Raises InvalidCredentials, AccountLocked."""
    now = int(time.time())
    if account and account.bloque_jusqua > now:
        raise AccountLocked(account.bloque_jusqua - now)
    stored = account.mot_de_passe_hash if account else None
    if not passwords.is_right(password, stored, rounds):
        if account:
            transaction(db, lambda: _count_failure(db, account.id, now))
        raise InvalidCredentials()
    assert account is not None
    same = (Utilisateur.id == account.id) & (Utilisateur.mot_de_passe_hash == stored)
    if not Utilisateur.select().where(same).exists(db):
        raise InvalidCredentials()  # it was changed while this one was hashed
    return account


def _count_failure(db: Database, account_id: int, now: int) -> None:
    mine = Utilisateur.id == account_id
    Utilisateur.update(echecs=Utilisateur.echecs + 1).where(mine).execute(db)
    failures = Utilisateur.select(Utilisateur.echecs).where(mine).scalar(db)
    beyond = failures - FAILURES_ALLOWED
    if beyond >= 0:
        pause = min(FIRST_LOCK * 2 ** min(beyond, 10), LONGEST_LOCK)
        Utilisateur.update(bloque_jusqua=now + pause).where(mine).execute(db)


def change_password(db: Database, email: str, password: str, rounds: int) -> None:
    """The operator's: a new password, whatever the old one is. Raises NotFound."""
    accounts.check_password(password)
    account = accounts.known(db, email)
    stored = passwords.hashed(password, rounds)
    transaction(db, lambda: replace_password(db, stored, Utilisateur.id == account.id))


def change_own_password(
    db: Database, account_id: int, current: str, new: str, rounds: int
) -> Utilisateur:
    """The account with its new password, which who knows the current one may set.

    Raises InvalidInput for a new one that registration would refuse, then InvalidCredentials
    and AccountLocked as log_in does.
    """
    accounts.check_password(new)
    mine = Utilisateur.select().where(Utilisateur.id == account_id)
    proven = _proven(db, mine.get(db), current, rounds)
    stored = passwords.hashed(new, rounds)
    unchanged = Utilisateur.mot_de_passe_hash == proven.mot_de_passe_hash

    def change() -> Utilisateur:
        if not replace_password(db, stored, Utilisateur.id == account_id, unchanged):
            raise InvalidCredentials()  # another change was quicker
        return mine.clone().get(db)

    return transaction(db, change)


def replace_password(db: Database, stored: str, *where: Any) -> bool:
    """Whether there was an account to store this hash for; within a transaction.

    With the old password end the tokens issued under it, the count of failures and the
    token by which it might have been reset.
    """
    changes = Utilisateur.update(
        mot_de_passe_hash=stored,
        jetons_depuis=accounts.end_of_tokens(),
        echecs=0,
        bloque_jusqua=0,
        reinit_empreinte=None,
        reinit_jusqua=0,
    )
    return bool(changes.where(*where).execute(db))
