"""Lets an admin or an operator list, find and change all accounts."""

from typing import Annotated, NamedTuple

from reservation.conflicts import OwnAccount
from reservation.domain.people import accounts, proving
from reservation.domain.people.sessions import Account
from reservation.lib import addresses, instants
from reservation.lib.folding import beginning_with, search_key
from reservation.storage import records
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise, Utilisateur
from reservation.storage.paging import ENDLESS, Key


class AccountRecord(NamedTuple):
    """An account as an admin sees it. Times are Unix seconds. `fuseau` is the time zone for
    display."""

    id: int
    type_id: int
    email: str
    nom: str
    prenom: str
    actif: int
    email_prouve_le: int | None
    cree_le: int
    fuseau: Annotated[str, f"'{instants.FRANCE}'"]


_SELECT = f"SELECT {records.columns(AccountRecord)} FROM utilisateur"
_ALL = f"{_SELECT} WHERE id < ? ORDER BY id DESC LIMIT ?"
_MATCHING = (
    f"{_SELECT} WHERE id IN (SELECT id FROM utilisateur WHERE email >= ? AND email < ?"
    " UNION SELECT id FROM utilisateur WHERE nom_cle >= ? AND nom_cle < ?)"
    " AND id < ? ORDER BY id DESC LIMIT ?"
)


def page(db: Database, q: str, after: Key | None, most: int) -> list[AccountRecord]:
    """Returns accounts, latest first. Starts after the id in `after`. `q` is the beginning of an
    e-mail address or of a family name."""
    (end,) = after or (ENDLESS,)
    if not q:
        rows = db.rows(_ALL, end, most)
    else:
        email, nom = beginning_with(addresses.normalised(q)), search_key(q)
        # `nom` is "" if `q` has no letters or digits. beginning_with("") would match all names.
        names = beginning_with(nom) if nom else ("", "")
        rows = db.rows(_MATCHING, *email, *names, end, most)
    return [AccountRecord(*row) for row in rows]


def get(db: Database, account_id: int) -> AccountRecord:
    """Raises NotFound."""
    return AccountRecord(*records.first(db.rows(f"{_SELECT} WHERE id = ?", account_id)))


def set_active(
    db: Database, asking: Account, account: AccountRecord, actif: bool, now: int
) -> None:
    """Raises OwnAccount if callers disable their own account."""
    if account.id == asking.id and not actif:
        raise OwnAccount()
    accounts.set_active(db, account.id, actif, now)


def prove(db: Database, account_id: int, now: int) -> None:
    transaction(db, lambda: proving.prove(db, account_id, now))


def unproven_owners(db: Database) -> list[Utilisateur]:
    """Returns the owners whose addresses are unproven. Omits erased owners."""
    owners = Entreprise.select(Entreprise.proprietaire).distinct()
    unproven = Utilisateur.email_prouve_le.is_null() & Utilisateur.id.in_(owners)
    unproven &= ~Utilisateur.email.endswith(accounts.ERASED)
    return list(Utilisateur.select().where(unproven).order_by(Utilisateur.id).execute(db))
