"""Links each customer record to the account that has proven the e-mail address of the record.

The column `titulaire` of a booking is a copy of the column `utilisateur` of its customer record.
"""

from collections.abc import Iterator
from typing import Any

from reservation.domain.calendar.terms import touch
from reservation.domain.customers.records import ERASED
from reservation.domain.outbox.readdressing import readdress
from reservation.lib.folding import search_key
from reservation.storage.database import Database, update_row
from reservation.storage.models import Client, Reservation

LONGEST_NOTE = 16_000  # characters; a MySQL TEXT column holds 65,535 bytes
_MISMATCHES = (
    "SELECT r.id, c.id, c.entreprise_id, c.utilisateur_id, r.titulaire_id FROM reservation r"
    " JOIN client c ON c.id = r.client_id WHERE r.entreprise_id = ?"
    " AND (c.entreprise_id <> r.entreprise_id"
    " OR COALESCE(c.utilisateur_id, 0) <> COALESCE(r.titulaire_id, 0)) ORDER BY r.id"
)


def link(db: Database, account_id: int, email: str, now: int) -> None:
    """Links the account to all customer records with this e-mail address and no account.

    If a business already has a record of the account, merges the two records. Call within a
    transaction.
    """
    unlinked = Client.select().where((Client.email == email) & Client.utilisateur.is_null())
    # Locks the businesses. Otherwise, a booking made meanwhile would get no account.
    touch(db, *{record.entreprise_id for record in unlinked.clone().execute(db)})
    # Waits for new records that are not committed yet.
    db.rows(f"SELECT id FROM client WHERE email = ?{db.FOR_UPDATE}", email)
    for record in unlinked.order_by(Client.id).execute(db):
        own = (Client.entreprise == record.entreprise_id) & (Client.utilisateur == account_id)
        known = Client.select().where(own).first(db)
        if known is not None:
            merge(db, record, known)
            readdress(db, now, record.id, known.email, email)
        else:
            update_row(db, Client, record.id, None, {"utilisateur": account_id})
            give(db, record.id, record.id, account_id)


def merge(db: Database, kept: Client, gone: Client) -> None:
    """Moves the bookings and the note of the record `gone` to the record `kept`, and deletes
    `gone`.

    If `kept` was erased, it gets the name of `gone`. If `kept` lacks the e-mail address, telephone
    or account, copies the value from `gone`. Also copies a missing first name if the last names
    are the same. If an address, telephone or first name was copied, later changes of the account
    are not copied to `kept`. Blocks `kept` if `gone` is blocked. Call within a transaction that
    has locked the business.
    """
    changes: dict[str, Any] = {
        name: getattr(gone, name)
        for name in ("email", "telephone")
        if not getattr(kept, name) and getattr(gone, name)
    }
    if "telephone" in changes:
        changes["telephone_cle"] = gone.telephone_cle
    if kept.nom == ERASED:
        changes |= {name: getattr(gone, name) for name in ("nom", "nom_cle", "prenom")}
    # No first name if the last names differ: `kept.nom` may be a full name, such as "Léa Martin".
    if gone.prenom and not kept.prenom and search_key(kept.nom) == search_key(gone.nom):
        changes |= {"prenom": gone.prenom, "nom_cle": gone.nom_cle}
    if changes:
        changes["suit_compte"] = False
    changes["utilisateur"] = kept.utilisateur_id or gone.utilisateur_id
    changes["note"] = "\n\n".join(filter(None, (kept.note, gone.note)))[:LONGEST_NOTE]
    changes["bloque"] = kept.bloque or gone.bloque
    for id in (kept.id, gone.id):
        give(db, id, kept.id, changes["utilisateur"])
    Client.delete().where(Client.id == gone.id).execute(db)
    update_row(db, Client, kept.id, None, changes)


def give(db: Database, of: int, to: int, account_id: int | None) -> None:
    """Moves the bookings of the record `of` to the record `to`, and sets the account of the
    bookings."""
    given = Reservation.update(client=to, titulaire=account_id)
    given.where(Reservation.client == of).execute(db)


def faults(db: Database, entreprise_id: int) -> Iterator[str]:
    """Yields a sentence for each booking whose business or account differs from that of its
    customer record."""
    for id, client, owner, account, holder in db.rows(_MISMATCHES, entreprise_id):
        if owner != entreprise_id:
            yield f"booking {id} has customer {client} of business {owner}"
        if account != holder:
            yield f"booking {id} belongs to account {holder}, customer {client} to {account}"
