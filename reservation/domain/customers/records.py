"""Finds and creates the records that a business has of its customers.

A business gets the details of an account only when the customer books there. Later changes of the
account are copied to the customer record, unless an owner has created or edited the record.
"""

from typing import Any, NamedTuple

import peewee
from peewee import fn

from reservation.domain.outbox.readdressing import readdress
from reservation.errors import Fault, InvalidInput, TokenInvalid
from reservation.storage.database import Database, insert, overtaken, update_row
from reservation.storage.models import Client, Utilisateur

# The stored name of an erased customer. The site and messages translate it.
ERASED = "Client effacé"
UNREACHABLE = Fault("unreachable", "needs an e-mail address or a telephone")


class Details(NamedTuple):
    nom: str
    prenom: str = ""
    email: str = ""
    telephone: str = ""

    def check_reachable(self, field: str) -> None:
        """Raises InvalidInput for `field` if both the address and the telephone are missing."""
        if not self.email and not self.telephone:
            raise InvalidInput({field: UNREACHABLE})

    def keys(self) -> dict[str, str]:
        return Client.keys(self.nom, self.prenom, self.telephone)


class CustomerRecord(NamedTuple):
    id: int
    utilisateur_id: int | None
    bloque: bool = False


# Plain SQL for speed: bookings by customers run these queries.
_HOLDER = "SELECT nom, prenom, email, telephone FROM utilisateur WHERE id = ?"
# Use with FOR_SHARE, so that the account is not erased before the record is stored.
_PROVEN = "SELECT id FROM utilisateur WHERE email = ? AND email_prouve_le IS NOT NULL"
_OF_ACCOUNT = (
    "SELECT id, bloque, suit_compte OR email <> '' AND telephone <> '', email, telephone"
    " FROM client WHERE entreprise_id = ? AND utilisateur_id = ?"
)


def of_account(
    db: Database, entreprise_id: int, account_id: int, now: int
) -> CustomerRecord:
    """Returns the customer record of an account. Creates the record if necessary.

    A record that an owner has created or edited does not follow the account (see `follow`). In
    such a record, only fills in a missing e-mail address or telephone from the account. Call
    within a transaction.
    """
    for id, bloque, is_complete, email, telephone in db.rows(
        _OF_ACCOUNT, entreprise_id, account_id
    ):
        if not is_complete:
            own = holder(db, account_id)
            new = {"email": email or own.email, "telephone": telephone or own.telephone}
            if new != {"email": email, "telephone": telephone}:
                _change(db, id, **new)
                readdress(db, now, id, email, new["email"])
        return CustomerRecord(id, account_id, bool(bloque))
    number = add(db, entreprise_id, account_id, holder(db, account_id), True, now)
    return CustomerRecord(number, account_id)


def described(
    db: Database, entreprise_id: int, details: Details, now: int, by_owner: bool = True
) -> CustomerRecord:
    """Returns the record of the customer whom a business describes. Creates the record if
    necessary.

    Non-empty details replace the values of the record. But if `by_owner` is False, they only fill
    in a missing e-mail address or telephone. Raises InvalidInput if both the e-mail address and
    the telephone are missing. Call within a transaction.
    """
    details.check_reachable("client")
    record, account_id = find(db, entreprise_id, details)
    if record is None:
        number = add(db, entreprise_id, account_id, details, False, now)
        return CustomerRecord(number, account_id)
    written = {name: value for name, value in details._asdict().items() if value}
    if not by_owner:
        missing = [name for name in ("email", "telephone") if not getattr(record, name)]
        written = {name: value for name, value in written.items() if name in missing}
    if any(getattr(record, name) != value for name, value in written.items()):
        _change(db, record.id, suit_compte=False, **written)
        readdress(db, now, record.id, record.email, written.get("email", record.email))
    return CustomerRecord(record.id, record.utilisateur_id)


def find(
    db: Database, entreprise_id: int, details: Details
) -> tuple[Client | None, int | None]:
    """Finds a customer by the e-mail address or, without an address, by telephone and name.

    Returns the record, if any, and the id of the account that has proven the address, if any.
    Prefers the record of this account to a record without an account. Skips a record whose address
    comes from an account that has not proven it: a stranger may have registered that account. Of
    two records with the same telephone, prefers the one with the same spelling, because the owner
    may have chosen it from a list.
    """
    account_id = _proven(db, details.email)
    order = [Client.utilisateur.is_null(), Client.id]
    if details.email:
        same = _same_email(details.email, account_id)
    else:
        same = Client.email == ""
        order.insert(0, Client.telephone != details.telephone)
        for name, key in details.keys().items():
            same &= getattr(Client, name) == key
    found = Client.select().where((Client.entreprise == entreprise_id) & same)
    return found.order_by(*order).first(db), account_id


def follow(db: Database, account_id: int) -> None:
    """Copies the details of an account to its customer records, except to records that an owner
    has created or edited. Call within a transaction."""
    details = holder(db, account_id)
    mine = (Client.utilisateur == account_id) & Client.suit_compte
    changes = details._asdict() | details.keys() | {"version": Client.version + 1}
    Client.update(changes).where(mine).execute(db)


def _same_email(email: str, account_id: int | None) -> Any:
    unlinked = Client.utilisateur.is_null()
    if account_id:
        return (Client.email == email) & unlinked | (Client.utilisateur == account_id)
    copied = (Utilisateur.id == Client.utilisateur) & (Utilisateur.email == Client.email)
    is_copied = fn.EXISTS(Utilisateur.select(Utilisateur.id).where(copied))
    by_owner = ~Client.suit_compte & ~is_copied
    return (Client.email == email) & (unlinked | by_owner)


def _proven(db: Database, email: str) -> int | None:
    rows = db.rows(_PROVEN + db.FOR_SHARE, email) if email else []
    return int(rows[0][0]) if rows else None


def holder(db: Database, account_id: int) -> Details:
    """Returns the details of an account. Raises TokenInvalid if the account has been erased.
    Within a transaction, locks the account, so that a simultaneous change waits."""
    for row in db.rows(_HOLDER + db.FOR_SHARE, account_id):
        return Details(*row)
    raise TokenInvalid()


def add(
    db: Database, entreprise_id: int, account_id: int | None, details: Details, follows: bool,
    now: int, note: str = "", bloque: bool = False,
) -> int:
    """Creates a record, and returns its id. If `follows` is True, the record follows the account
    (see `follow`)."""
    row = details._asdict() | details.keys() | {
        "entreprise_id": entreprise_id,
        "utilisateur_id": account_id,
        "suit_compte": follows,
        "note": note, "bloque": bloque, "version": 1, "cree_le": now,
    }
    try:
        number = insert(db, "client", row)
    except peewee.IntegrityError as ex:  # another request has created the record meanwhile
        if not db.violates(ex, "client", "entreprise_id"):
            raise
        return int(db.rows(_OF_ACCOUNT, entreprise_id, account_id)[0][0])
    if account_id is None:
        check_unproven(db, details.email)
    return number


def check_unproven(db: Database, email: str) -> None:
    """Runs the transaction again if an account has proven the address since `find`. Call after the
    record is stored: from then on, `linking.link` waits for the record."""
    if _proven(db, email) is not None:
        raise overtaken()


def _change(db: Database, id: int, **changes: Any) -> None:
    update_row(db, Client, id, None, changes)
    mine = Client.id == id
    record = Client.select().where(mine).get(db)
    keys = Client.keys(record.nom, record.prenom, record.telephone)
    Client.update(keys).where(mine).execute(db)
