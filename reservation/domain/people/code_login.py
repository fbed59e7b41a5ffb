"""Logging in with a code that was sent by mail. A new address gets an account."""

from typing import NamedTuple

from reservation.domain.people import accounts, credentials, proving
from reservation.domain.people.codes import Codes
from reservation.errors import AccountDisabled, CodeInvalid, EmailTaken, NameRequired
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur


class Newcomer(NamedTuple):
    """The names and the telephone number that were sent with a login. A missing value is ""."""

    nom: str
    prenom: str
    telephone: str


def log_in(
    db: Database, codes: Codes, email: str, code: str, newcomer: Newcomer, langue: str,
    client: str, now: int,
) -> Utilisateur:
    """Returns the account of the address, and records the address as proven. Creates an account if
    no account has the address. Fills in a missing telephone number of an account.

    Raises CodeInvalid if the code is wrong or has expired, and TooManyAttempts after too many
    wrong codes from the client's network. Raises AccountDisabled if the account is disabled, and
    NameRequired if a new account would have no name. The code stays valid after AccountDisabled
    and NameRequired.
    """

    def work() -> Utilisateur | None:
        if not codes.use(db, email, code, client, now):
            return None
        account = accounts.find(db, email)
        if account is None:
            number = _create(db, email, newcomer, langue, now)
            return accounts.get(db, number)
        if not account.actif:
            raise AccountDisabled()
        if account.email_prouve_le is None:
            _claim(db, account.id, newcomer, now)
        if newcomer.telephone:
            accounts.add_phone(db, account.id, newcomer.telephone)
        return accounts.get(db, account.id)

    try:
        account = transaction(db, work)
    except EmailTaken:  # another request has created the account meanwhile
        account = transaction(db, work)
    if account is None:
        raise CodeInvalid()
    return account


def _create(db: Database, email: str, newcomer: Newcomer, langue: str, now: int) -> int:
    if not newcomer.nom:
        raise NameRequired()
    number = accounts.add_proven(db, now, email=email, langue=langue, **newcomer._asdict())
    proving.prove(db, number, now)
    return number


def _claim(db: Database, account_id: int, newcomer: Newcomer, now: int) -> None:
    """Gives an account with an unproven address to the holder of the address.

    Revokes the password, the tokens and the access of others, because a stranger may have
    registered the account.
    """
    credentials.replace_password(db, None, now, Utilisateur.id == account_id)
    if newcomer.nom:
        accounts.update_profile(db, account_id, newcomer._asdict())
    proving.shut_out(db, account_id)
    proving.prove(db, account_id, now, releases=False)
