"""The records that a business has of its customers.

A business gets the details of an account only when the customer books there. Later changes of the
account are copied to the customer record, unless an owner has created or edited the record.
"""

from typing import Any, NamedTuple

import peewee

from reservation.domain.outbox.readdressing import readdress
from reservation.errors import Fault, InvalidInput, TokenInvalid
from reservation.lib.folding import search_key
from reservation.storage.database import Database, insert, overtaken, update_row
from reservation.storage.models import Client

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

    def has_name_of(self, other: "Details") -> bool:
        """Whether the names are the same, in either order. `Petit` without a first name can be
        "Rose Petit"."""
        if not (self.prenom and other.prenom) and search_key(self.nom) == search_key(other.nom):
            return True
        return self.keys()["nom_cle"] in name_keys(other.keys()["nom_cle"])

    def changed_by(self, given: "Details") -> "Details":
        """Returns the details of a customer after a business has described the customer.

        Empty values change nothing. If only `given.nom` has a name, it may be the full name: the
        same name in either order keeps both names, and another name replaces both.
        """
        changes = {name: value for name, value in given._asdict().items() if value}
        if not given.prenom and search_key(given.nom) != search_key(self.nom):
            same = {"nom": self.nom, "prenom": self.prenom}
            changes |= same if self.has_name_of(given) else {"prenom": ""}
        return self._replace(**changes)


def name_keys(nom_cle: str) -> list[str]:
    """Returns the key of a name in either order. The last name may end after any word."""
    words = nom_cle.split(" ")
    return [" ".join(words[at:] + words[:at]) for at in range(len(words))]


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


def follow(db: Database, account_id: int) -> None:
    """Copies the details of an account to its customer records, except to records that an owner
    has created or edited. Call within a transaction."""
    details = holder(db, account_id)
    mine = (Client.utilisateur == account_id) & Client.suit_compte
    changes = details._asdict() | details.keys() | {"version": Client.version + 1}
    Client.update(changes).where(mine).execute(db)


def proven(db: Database, email: str) -> int | None:
    """Returns the id of the account that has proven the address, if any."""
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
    """Runs the transaction again if an account has proven the address since `recognising.find`.
    Call after the record is stored, so that a later proof waits for this transaction and finds the
    record (`linking.link`)."""
    if proven(db, email) is not None:
        raise overtaken()


def _change(db: Database, id: int, **changes: Any) -> None:
    update_row(db, Client, id, None, changes)
    mine = Client.id == id
    record = Client.select().where(mine).get(db)
    keys = Client.keys(record.nom, record.prenom, record.telephone)
    Client.update(keys).where(mine).execute(db)
