"""Recognises the customer whom a business describes.

`matching` applies the same rules to the lines of an import.
"""

from typing import Any

from peewee import fn

from reservation.domain.customers import linking, records
from reservation.domain.customers.records import CustomerRecord, Details
from reservation.domain.outbox.readdressing import readdress
from reservation.lib.telephones import with_zero, without_zero
from reservation.storage.database import Database, update_row
from reservation.storage.models import Client, Utilisateur


def described(
    db: Database, entreprise_id: int, details: Details, now: int, by_owner: bool = True
) -> CustomerRecord:
    """Returns the record of the customer whom a business describes. Creates the record if
    necessary.

    The details change the record (see `Details.changed_by`). But if `by_owner` is False, only uses
    `find`, and the details only fill in a missing e-mail address or telephone. Raises InvalidInput
    if both the e-mail address and the telephone are missing. Call within a transaction that has
    locked the business.
    """
    details.check_reachable("client")
    record, account_id = (recognised if by_owner else find)(db, entreprise_id, details)
    if record is None:
        number = records.add(db, entreprise_id, account_id, details, False, now)
        return CustomerRecord(number, account_id)
    before = Details(*(getattr(record, name) for name in Details._fields))
    after = before.changed_by(details)
    if not by_owner:
        email, telephone = before.email or after.email, before.telephone or after.telephone
        after = before._replace(email=email, telephone=telephone)
    if after == before:
        return CustomerRecord(record.id, record.utilisateur_id)
    is_new = after.email != before.email
    holder_id = record.utilisateur_id or (account_id if is_new else None)
    changes = {**after._asdict(), **after.keys(), "utilisateur": holder_id, "suit_compte": False}
    update_row(db, Client, record.id, None, changes)
    if holder_id is None and is_new:
        records.check_unproven(db, after.email)
    elif holder_id != record.utilisateur_id:
        linking.give(db, record.id, record.id, holder_id)
    readdress(db, now, record.id, before.email, after.email)
    return CustomerRecord(record.id, holder_id)


def find(
    db: Database, entreprise_id: int, details: Details
) -> tuple[Client | None, int | None]:
    """Finds a customer by the e-mail address or, without an address, by telephone and name.

    Returns the record, if any, and the id of the account that has proven the address, if any.
    Prefers the record of this account to a record without an account. Skips a record whose address
    comes from an account that has not proven it: a stranger may have registered that account. Of
    two records with the same telephone, prefers the one with the same order of the names, then the
    one with the same spelling, because the owner may have chosen it from a list.
    """
    account_id = records.proven(db, details.email)
    order = [Client.utilisateur.is_null(), Client.id]
    if details.email:
        same = _same_email(details.email, account_id)
    else:
        same = (Client.email == "") & _same_call(details)
        order = [*_other_spelling(details), *order]
    found = Client.select().where((Client.entreprise == entreprise_id) & same)
    return found.order_by(*order).first(db), account_id


def recognised(
    db: Database, entreprise_id: int, details: Details
) -> tuple[Client | None, int | None]:
    """Like `find`. But if no record is found, also compares the telephone and the name if only the
    details or only the record has an e-mail address.

    If the details have an address, finds a record without an address and without an account: the
    customer has now given the address. If the details have no address, finds the record with an
    address, unless there are several. Skips records that only an account has written, because
    anybody may register the name and the telephone of a customer.
    """
    record, account_id = find(db, entreprise_id, details)
    if record is not None or not details.keys()["telephone_cle"]:
        return record, account_id
    if details.email:
        same = (Client.email == "") & Client.utilisateur.is_null()
    else:
        same = (Client.email != "") & ~Client.suit_compte & ~_is_copied(unproven=True)
    same &= (Client.entreprise == entreprise_id) & _same_call(details)
    order = _other_spelling(details)
    found = list(Client.select().where(same).order_by(*order, Client.id).limit(2).execute(db))
    is_certain = details.email or len(found) == 1
    return (found[0] if found and is_certain else None), account_id


def _same_email(email: str, account_id: int | None) -> Any:
    unlinked = Client.utilisateur.is_null()
    if account_id:
        return (Client.email == email) & unlinked | (Client.utilisateur == account_id)
    by_owner = ~Client.suit_compte & ~_is_copied()
    return (Client.email == email) & (unlinked | by_owner)


def _is_copied(unproven: bool = False) -> Any:
    """Whether the address of a record is that of its account, which has not proven the address if
    `unproven` is True."""
    copied = (Utilisateur.id == Client.utilisateur) & (Utilisateur.email == Client.email)
    if unproven:
        copied &= Utilisateur.email_prouve_le.is_null()
    return fn.EXISTS(Utilisateur.select(Utilisateur.id).where(copied))


def _same_call(details: Details) -> Any:
    """An import may have stored a number without its 0 (see `telephones.with_zero`)."""
    nom_cle, telephone_cle = details.keys().values()
    number = with_zero(telephone_cle)
    same = Client.telephone_cle.in_([number, without_zero(number)])
    return same & Client.nom_cle.in_(records.name_keys(nom_cle))


def _other_spelling(details: Details) -> list[Any]:
    return [Client.nom_cle != details.keys()["nom_cle"], Client.telephone != details.telephone]
