"""Registers, finds and changes accounts."""

from collections.abc import Callable, Mapping
from typing import Any

from reservation.domain.customers import records
from reservation.domain.people import attempts, passwords, sessions
from reservation.domain.people.attempts import Limit
from reservation.domain.people.sessions import ROLES, Account, Tokens
from reservation.errors import (
    EmailTaken,
    NotPermitted,
    PasswordTooLong,
    PasswordTooShort,
    TokenInvalid,
    UserNotFound,
)
from reservation.lib import addresses
from reservation.lib.folding import folded, search_key
from reservation.storage.database import Database, refusing_duplicates, transaction
from reservation.storage.models import Utilisateur

SHORTEST_PASSWORD = 8
LONGEST_NAME = 100
# The end of the address of an erased account. Nobody can register an address without a dot.
ERASED = "@efface"
Check = Callable[[Utilisateur], None]  # raises an exception to refuse a change of the account
REGISTRATIONS = Limit.flat("registrations of a network", most=20, period=3600)


def count_registration(db: Database, client: str, now: int) -> None:
    """Counts a registration. Raises TooManyAttempts if the client's network has reached the limit
    REGISTRATIONS."""
    attempts.spend(db, REGISTRATIONS, attempts.network(client), now)


def register(
    db: Database, rounds: int, fields: Mapping[str, str], now: int, langue: str = "fr"
) -> int:
    """Creates an account from validated fields (specification, section 2.1), and returns its id.
    Raises EmailTaken."""
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
    """Creates an account, and returns its id. `values` are further columns of Utilisateur. Raises
    EmailTaken."""
    if find(db, email) is not None:
        raise EmailTaken()
    stored = passwords.hashed(password, rounds)
    return _insert(db, now, email=email, type=ROLES[role], mot_de_passe_hash=stored, **values)


def add_proven(db: Database, now: int, *, email: str, **values: str) -> int:
    """Creates a customer's account (role `student`) with a proven address and no password.
    Returns its id. Raises EmailTaken."""
    return _insert(db, now, email=email, type=ROLES["student"], email_prouve_le=now, **values)


def _insert(db: Database, now: int, nom: str, **values: Any) -> int:
    account = Utilisateur.insert(nom=nom, nom_cle=_name_key(nom), cree_le=now, **values)
    with refusing_duplicates(db, "utilisateur", "email", EmailTaken()):
        return int(transaction(db, lambda: account.execute(db)))


def _name_key(nom: str) -> str:
    return search_key(nom)[:LONGEST_NAME]


def check_password(password: str, shortest: int = SHORTEST_PASSWORD) -> None:
    if len(password) < shortest:
        raise PasswordTooShort(min=shortest)
    if not passwords.fits(password):
        raise PasswordTooLong(max=passwords.LONGEST)


def renew(db: Database, tokens: Tokens, asking: Account, now: int) -> str:
    """Returns a new token for the caller, valid for at least `asking.lifetime` seconds. Raises
    TokenInvalid if the caller's token was revoked meanwhile."""
    account = get(db, asking.id)
    if account.jetons_depuis != asking.since:
        raise TokenInvalid()
    return sessions.open_session(db, tokens, account, now, asking.lifetime)


def log_out(db: Database, account_id: int, now: int) -> None:
    """Revokes all tokens of the account."""
    _update(db, account_id, jetons_depuis=sessions.revocation(now))


def become_company(db: Database, account_id: int, now: int) -> Utilisateur:
    """Turns a customer's account (role `student`) into an owner's account (role `company`), and
    revokes its tokens. Returns the account. Raises NotPermitted if the role is not `student`."""
    is_student = (Utilisateur.id == account_id) & (Utilisateur.type == ROLES["student"])
    change = Utilisateur.update(
        type=ROLES["company"], jetons_depuis=sessions.revocation(now)
    ).where(is_student)

    def work() -> Utilisateur:
        if not change.execute(db):
            raise NotPermitted()
        return get(db, account_id)

    return transaction(db, work)


def get(db: Database, account_id: int) -> Utilisateur:
    """Returns the account of a caller. Raises TokenInvalid if the account was erased meanwhile."""
    for account in Utilisateur.select().where(Utilisateur.id == account_id).execute(db):
        return account
    raise TokenInvalid()


def update_profile(
    db: Database, account_id: int, values: dict[str, Any], check: Check = lambda _: None
) -> None:
    """Locks the row of an account, calls `check`, and then replaces personal data."""

    def work() -> None:
        db.rows(f"SELECT id FROM utilisateur WHERE id = ?{db.FOR_UPDATE}", account_id)
        check(get(db, account_id))
        _update(db, account_id, **values, nom_cle=_name_key(values["nom"]))
        records.follow(db, account_id)

    transaction(db, work)


def add_phone(db: Database, account_id: int, telephone: str) -> None:
    """Fills in the telephone number if the account has none. Call within a transaction."""
    without = (Utilisateur.id == account_id) & (Utilisateur.telephone == "")
    if Utilisateur.update(telephone=telephone).where(without).execute(db):
        records.follow(db, account_id)


def find(db: Database, email: str) -> Utilisateur | None:
    return Utilisateur.select().where(Utilisateur.email == addresses.normalised(email)).first(db)


def find_by_name(db: Database, nom: str) -> Utilisateur:
    """Returns the first account with this family name, ignoring case and accents. Raises
    UserNotFound."""
    same_key = Utilisateur.select().where(Utilisateur.nom_cle == _name_key(nom))
    for account in same_key.order_by(Utilisateur.id).execute(db):
        # `nom_cle` ignores punctuation, so equal keys do not prove that the names are equal.
        if folded(account.nom) == folded(nom.strip()):
            return account
    raise UserNotFound()


def everyone(db: Database) -> list[Utilisateur]:
    return list(Utilisateur.select().order_by(Utilisateur.id).execute(db))


def disable(db: Database, email: str, now: int) -> None:
    set_active(db, known(db, email).id, False, now)


def enable(db: Database, email: str) -> None:
    _update(db, known(db, email).id, actif=True)


def set_active(db: Database, account_id: int, actif: bool, now: int) -> None:
    """Enables or disables an account. Disabling also revokes the access tokens and the token of a
    password reset."""
    _update(db, account_id, actif=actif, **({} if actif else sessions.all_revoked(now)))


def known(db: Database, email: str) -> Utilisateur:
    account = find(db, email)
    if account is None:
        raise UserNotFound(f"No account has the e-mail {email}")
    return account


def _update(db: Database, account_id: int, **changes: Any) -> None:
    query = Utilisateur.update(**changes).where(Utilisateur.id == account_id)
    transaction(db, lambda: query.execute(db))
