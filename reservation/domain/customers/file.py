"""Reads and changes the customer records of a business."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from reservation.conflicts import CustomerKnown, DifferentAccounts
from reservation.domain import states
from reservation.domain.calendar import calendar
from reservation.domain.customers import limits, linking, recognising
from reservation.domain.customers import records as of_business
from reservation.domain.customers.records import Details
from reservation.domain.outbox.readdressing import readdress
from reservation.errors import Fault, InvalidInput
from reservation.storage import records
from reservation.storage.database import Database, check_version, transaction, update_row
from reservation.storage.models import Client, Reservation

UNKNOWN = Fault("unknown_customer", "must be another customer of this business")
_OF = "FROM reservation r WHERE r.client_id = c.id"


class CustomerFile(NamedTuple):
    """A customer record, with counts of bookings.

    `dernier_passage` is the start of the last visit that has begun and was not missed.
    """

    id: int
    entreprise_id: int
    utilisateur_id: int | None
    nom: str
    prenom: str
    email: str
    telephone: str
    note: str
    bloque: bool
    version: int
    fuseau: Annotated[str, "e.fuseau"]
    proprietaire_id: Annotated[int, "e.proprietaire_id"]
    a_venir: Annotated[
        int, f"(SELECT COUNT(*) {_OF} AND r.debut > ? AND r.statut IN {states.OPEN})"
    ]
    absences: Annotated[int, f"(SELECT COUNT(*) {_OF} AND r.statut = 'absente')"]
    dernier_passage: Annotated[
        int | None,
        f"(SELECT MAX(r.debut) {_OF} AND r.debut <= ? AND r.statut IN ('confirmee', 'honoree'))",
    ]


def get(db: Database, client_id: int, now: int) -> CustomerFile:
    """Returns a record. No permission check. Raises NotFound if the record does not exist."""
    return records.first(by_ids(db, [client_id], now))


def by_ids(db: Database, ids: Sequence[int], now: int) -> list[CustomerFile]:
    """Returns records in the order of `ids`. No permission check."""
    source = "FROM client c JOIN entreprise e ON e.id = c.entreprise_id"
    rows = records.by_ids(db, CustomerFile, "c", source, ids, now, now)
    found = {row.id: row for row in rows}
    return [found[id] for id in ids if id in found]


def add(db: Database, entreprise_id: int, values: dict[str, Any], now: int) -> int:
    """Creates the record of a customer, and returns its id.

    Raises CustomerKnown if the customer already has a record, and TooManyCustomers as
    `limits.check_room` does. Raises InvalidInput if both the e-mail address and the telephone are
    missing.
    """
    details = _details(values)

    def work() -> int:
        calendar.lock(db, entreprise_id)
        known, account_id = recognising.recognised(db, entreprise_id, details)
        if known is not None:
            raise CustomerKnown()
        limits.check_room(db, entreprise_id, 1)
        others = {name: values[name] for name in ("note", "bloque")}
        return of_business.add(db, entreprise_id, account_id, details, False, now, **others)

    return transaction(db, work)


def update(
    db: Database, customer: CustomerFile, values: dict[str, Any], version: int, now: int
) -> None:
    """Replaces the values that the owner may change in a record, and the address of its queued
    messages.

    Raises StaleVersion if `version` is not current. Raises CustomerKnown if another record
    describes the same customer. Raises InvalidInput if both the e-mail address and the telephone
    are missing.
    """
    details = _details(values)

    def work() -> None:
        calendar.lock(db, customer.entreprise_id)
        before = Client.select().where(Client.id == customer.id).first(db)
        check_version(before, version)
        account_id = before.utilisateur_id
        changes = {**values, **details.keys()}
        if any(getattr(before, name) != word for name, word in details._asdict().items()):
            changes["suit_compte"] = False
        if details.email != before.email:
            changes["utilisateur"] = account_id = _account_of(db, before, details)
        update_row(db, Client, customer.id, version, changes)
        if account_id is None and details.email != before.email:
            of_business.check_unproven(db, details.email)
        if account_id != before.utilisateur_id:  # avoids a needless update of the bookings
            linking.give(db, before.id, before.id, account_id)
        readdress(db, now, before.id, before.email, details.email)

    transaction(db, work)


def _account_of(db: Database, before: Client, details: Details) -> int | None:
    """Returns the id of the account that a record has after a change of its e-mail address.

    The record keeps the account of `before` if this account has made one of the bookings of the
    record. Otherwise, returns the account that has proven the new address, or None.
    """
    known, account_id = recognising.find(db, before.entreprise_id, details)
    if known is not None and known.id != before.id:
        raise CustomerKnown()
    own = (Reservation.client == before.id) & (Reservation.demandeur == before.utilisateur_id)
    if before.utilisateur_id and Reservation.select().where(own).exists(db):
        return int(before.utilisateur_id)
    return account_id


def _details(values: dict[str, Any]) -> Details:
    details = Details(*(values[name] for name in Details._fields))
    details.check_reachable("telephone")
    return details


def merge(
    db: Database, customer: CustomerFile, other_id: int, version: int | None, now: int
) -> None:
    """Moves the bookings and the note of the record `other_id` to `customer`, and deletes the
    record `other_id`. The queued messages of both records get the address of the merged record.

    Raises StaleVersion if `version` is given and not current. Raises InvalidInput if the business
    has no record `other_id`. Raises DifferentAccounts if both records have an account.
    """

    def work() -> None:
        calendar.lock(db, customer.entreprise_id)
        both = Client.id.in_([customer.id, other_id])
        same = Client.select().where(both & (Client.entreprise == customer.entreprise_id))
        found = {one.id: one for one in same.execute(db)}
        kept, gone = found.pop(customer.id, None), found.pop(other_id, None)
        check_version(kept, version)
        if gone is None:
            raise InvalidInput({"client": UNKNOWN})
        if kept.utilisateur_id and gone.utilisateur_id:
            raise DifferentAccounts()
        linking.merge(db, kept, gone)
        for one in (kept, gone):
            readdress(db, now, kept.id, one.email, kept.email or gone.email)

    transaction(db, work)
