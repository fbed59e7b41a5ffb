"""Accounts: registration, what a token's holder may still do, and the operator's part."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import peewee

from reservation.domain.people import passwords
from reservation.domain.people.tokens import Claims, Tokens
from reservation.errors import (
    EmailTaken,
    PasswordTooCommon,
    PasswordTooLong,
    PasswordTooShort,
    TokenInvalid,
    UserNotFound,
)
from reservation.lib import addresses
from reservation.lib.folding import folded, search_key
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

ROLES = {"student": 1, "company": 2, "admin": 3}  # as schema.sql numbers typeutilisateur
ROLE_NAMES = {number: role for role, number in ROLES.items()}
SHORTEST_PASSWORD = 8
LONGEST_NAME = 100
_ACCOUNT = "SELECT type_id, actif, jetons_depuis FROM utilisateur WHERE id = ?"


@dataclass(frozen=True, slots=True)
class Account:
    """Who is asking."""

    id: int
    role: str

    def acts_for(self, proprietaire_id: int) -> bool:
        """Whether it may do what the owner of a business may: an admin acts for all."""
        return self.role == "admin" or self.id == proprietaire_id


def register(
    db: Database, rounds: int, fields: Mapping[str, str], langue: str = "fr"
) -> int:
    """Make an account of the fields of the specification's section 2.1, which are valid, and
    return its id. Raises EmailTaken."""
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
    )


def add(
    db: Database, rounds: int, *, email: str, password: str, role: str, nom: str, **others: str
) -> int:
    """Store an account whose fields were checked. Raises EmailTaken."""
    if find(db, email) is not None:
        raise EmailTaken()
    stored = passwords.hashed(password, rounds)
    return _insert(
        db, email=email, type=ROLES[role], mot_de_passe_hash=stored, nom=nom, **others
    )


def customer(db: Database, *, email: str, nom: str, prenom: str, telephone: str) -> int:
    """The account of somebody for whom an owner books; made without a password if need be."""
    known = find(db, email)
    if known is not None:
        return int(known.id)
    try:
        return _insert(
            db, email=email, type=ROLES["student"], nom=nom, prenom=prenom, telephone=telephone
        )
    except EmailTaken:  # another request was quicker
        return customer(db, email=email, nom=nom, prenom=prenom, telephone=telephone)


def _insert(db: Database, nom: str, **others: Any) -> int:
    account = Utilisateur.insert(
        nom=nom, nom_cle=_name_key(nom), cree_le=int(time.time()), **others
    )
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
    """Production's further rule; raises PasswordTooCommon for a password that is tried first."""
    if passwords.is_common(password):
        raise PasswordTooCommon()


def open_session(tokens: Tokens, account: Utilisateur) -> str:
    """A token for the account; never older than the moment that revoked its others."""
    role = ROLE_NAMES[account.type_id]
    return tokens.issue(account.id, account.email, role, not_before=account.jetons_depuis)


def renew(db: Database, tokens: Tokens, asking: Account) -> str:
    """Another token for who holds a good one."""
    return open_session(tokens, get(db, asking.id))


def holder(db: Database, claims: Claims) -> Account:
    """The account that a verified token speaks for, as it stands in the database now.

    Raises TokenInvalid when it is gone, disabled, has another role by now, or had its
    tokens revoked.
    """
    rows = db.rows(_ACCOUNT, claims.user_id)
    if rows:
        type_id, actif, jetons_depuis = rows[0]
        if actif and claims.iat >= jetons_depuis and ROLE_NAMES[type_id] == claims.role:
            return Account(claims.user_id, claims.role)
    raise TokenInvalid()


def get(db: Database, account_id: int) -> Utilisateur:
    return Utilisateur.select().where(Utilisateur.id == account_id).get(db)


def update_profile(db: Database, account_id: int, values: dict[str, Any]) -> None:
    """Replace what the account says of its holder."""
    _update(db, account_id, **values, nom_cle=_name_key(values["nom"]))


def find(db: Database, email: str) -> Utilisateur | None:
    return Utilisateur.select().where(Utilisateur.email == addresses.normalised(email)).first(db)


def find_by_name(db: Database, nom: str) -> Utilisateur:
    """The first account with this family name, whatever its case and accents."""
    key = _name_key(nom)
    alike = Utilisateur.select().where(Utilisateur.nom_cle == key).order_by(Utilisateur.id)
    for account in alike.execute(db):
        if folded(account.nom) == folded(nom.strip()):  # the key leaves out signs as well
            return account
    raise UserNotFound()


def everyone(db: Database) -> list[Utilisateur]:
    return list(Utilisateur.select().order_by(Utilisateur.id).execute(db))


def disable(db: Database, email: str) -> None:
    """No login any more, and the tokens end with the next request, those of a reset too."""
    ended = {"jetons_depuis": end_of_tokens(), "reinit_empreinte": None}
    _update(db, known(db, email).id, actif=False, **ended)


def enable(db: Database, email: str) -> None:
    _update(db, known(db, email).id, actif=True)


def end_of_tokens() -> Any:
    """What jetons_depuis becomes to end the tokens of an account, those of this second too;
    the next is issued after it."""
    now, since = int(time.time()), Utilisateur.jetons_depuis
    return peewee.Case(None, [(since > now, since + 1)], now + 1)


def known(db: Database, email: str) -> Utilisateur:
    account = find(db, email)
    if account is None:
        raise UserNotFound(f"No account has the e-mail {email}")
    return account


def _update(db: Database, account_id: int, **changes: Any) -> None:
    query = Utilisateur.update(**changes).where(Utilisateur.id == account_id)
    transaction(db, lambda: query.execute(db))
