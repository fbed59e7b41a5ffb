"""Accounts: registration, look-up, and what the operator may do to accounts."""

from collections.abc import Mapping
from typing import Any

import peewee

from reservation.domain.customers import records
from reservation.domain.people import passwords, sessions
from reservation.domain.people.sessions import ROLES, Account, Tokens
from reservation.errors import (
    EmailTaken,
    PasswordTooCommon,
    PasswordTooLong,
    PasswordTooShort,
    UserNotFound,
)
from reservation.lib import addresses
from reservation.lib.folding import folded, search_key
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

SHORTEST_PASSWORD = 8
LONGEST_NAME = 100


def register(
    db: Database, rounds: int, fields: Mapping[str, str], now: int, langue: str = "fr"
) -> int:
    """Creates an account from validated fields (specification, section 2.1), and returns its id.

    Raises EmailTaken.
    """
    return add(
        db,
        rounds,
        email=fields["email"],
        password=fields["password"],
        role=fields["role"],
        nom=fields["last_name"],
        prenom=fields["first_name"],
        ecole=fields["school"],
        telephone=fields["phone"],
        langue=langue,
        now=now,
    )


def add(
    db: Database, rounds: int, *, email: str, password: str, role: str, now: int, **values: Any
) -> int:
    """Creates an account with these validated columns, and returns its id. Raises EmailTaken."""
    if find(db, email) is not None:
        raise EmailTaken()
    stored = passwords.hashed(password, rounds)
    return _insert(db, now, email=email, type=ROLES[role], mot_de_passe_hash=stored, **values)


def add_proven(db: Database, now: int, *, email: str, **values: str) -> int:
    """Creates the account of a student without a password, whose holder has proven the address.

    Returns its id. Raises EmailTaken.
    """
    return _insert(db, now, email=email, type=ROLES["student"], email_prouve_le=now, **values)


def _insert(db: Database, now: int, nom: str, **values: Any) -> int:
    account = Utilisateur.insert(nom=nom, nom_cle=_name_key(nom), cree_le=now, **values)
    try:
        return int(transaction(db, lambda: account.execute(db)))
    except peewee.IntegrityError as ex:
        if not db.violates(ex, "utilisateur", "email"):
            raise
        raise EmailTaken() from None


def _name_key(nom: str) -> str:
    return search_key(nom)[:LONGEST_NAME]


def check_password(password: str, shortest: int = SHORTEST_PASSWORD) -> None:
    if len(password) < shortest:
        raise PasswordTooShort(min=shortest)
    if not passwords.fits(password):
        raise PasswordTooLong(max=passwords.LONGEST)


def refuse_common(password: str) -> None:
    """Raises PasswordTooCommon. Only production has this rule."""
    if passwords.is_common(password):
        raise PasswordTooCommon()


def renew(db: Database, tokens: Tokens, asking: Account) -> str:
    """Returns a new token for the caller."""
    return sessions.open_session(tokens, get(db, asking.id))


def get(db: Database, account_id: int) -> Utilisateur:
    return Utilisateur.select().where(Utilisateur.id == account_id).get(db)


def update_profile(db: Database, account_id: int, values: dict[str, Any]) -> None:
    def work() -> None:
        _update(db, account_id, **values, nom_cle=_name_key(values["nom"]))
        records.follow(db, account_id)

    transaction(db, work)


def find(db: Database, email: str) -> Utilisateur | None:
    return Utilisateur.select().where(Utilisateur.email == addresses.normalised(email)).first(db)


def find_by_name(db: Database, nom: str) -> Utilisateur:
    """Returns the first account with this family name, ignoring case and accents.

    Raises UserNotFound.
    """
    same_key = Utilisateur.select().where(Utilisateur.nom_cle == _name_key(nom))
    for account in same_key.order_by(Utilisateur.id).execute(db):
        if folded(account.nom) == folded(nom.strip()):  # the key ignores punctuation too
            return account
    raise UserNotFound()


def everyone(db: Database) -> list[Utilisateur]:
    return list(Utilisateur.select().order_by(Utilisateur.id).execute(db))


def disable(db: Database, email: str, now: int) -> None:
    """Prevents logins, and revokes access tokens and the token of a password reset."""
    revoked = {"jetons_depuis": sessions.revocation(now), "reinit_empreinte": None}
    _update(db, known(db, email).id, actif=False, **revoked)


def enable(db: Database, email: str) -> None:
    _update(db, known(db, email).id, actif=True)


def known(db: Database, email: str) -> Utilisateur:
    account = find(db, email)
    if account is None:
        raise UserNotFound(f"No account has the e-mail {email}")
    return account


def _update(db: Database, account_id: int, **changes: Any) -> None:
    query = Utilisateur.update(**changes).where(Utilisateur.id == account_id)
    transaction(db, lambda: query.execute(db))
