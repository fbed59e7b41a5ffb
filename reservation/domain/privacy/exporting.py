"""Exports all data that is stored about the holder of an account."""

from typing import Annotated, NamedTuple

from peewee import chunked

from reservation.domain.booking import lists, reservations
from reservation.domain.booking.lists import Filter
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.messages import lists as messages
from reservation.domain.messages.lists import MessageRecord
from reservation.domain.outbox.outbox import TO_BUSINESS
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Utilisateur

_AT_ONCE = 500  # maximum number of rows that one statement reads
_ABOUT_VISITS = (
    "SELECT m.id FROM reservation r JOIN eventemail m ON m.reservation_id = r.id"
    f" WHERE r.titulaire_id = ? AND m.genre NOT IN {TO_BUSINESS}"
)
# Excludes messages about visits of other accounts, which may have had this address before.
_TO_ADDRESS = (
    "SELECT m.id FROM eventemail m LEFT JOIN reservation r ON r.id = m.reservation_id"
    f" WHERE m.destinataire = ? AND m.genre NOT IN {TO_BUSINESS} AND r.titulaire_id IS NULL"
)


class PersonalRecord(NamedTuple):
    """What a business has recorded about the caller, including its private note."""

    entreprise_id: int
    entreprise: Annotated[str, "e.nom"]
    nom: str
    prenom: str
    email: str
    telephone: str
    note: str
    bloque: bool
    cree_le: int
    fuseau: Annotated[str, "e.fuseau"]


class Export(NamedTuple):
    account: Utilisateur
    bookings: list[ReservationRecord]
    messages: list[MessageRecord]
    records: list[PersonalRecord]


_RECORDS = (
    f"SELECT {records.columns(PersonalRecord, 'c')} FROM client c"
    " JOIN entreprise e ON e.id = c.entreprise_id WHERE c.utilisateur_id = ? ORDER BY c.id"
)


def export(db: Database, asking: Account) -> Export:
    """Returns the data of the caller.

    Includes the messages about the caller's bookings. Includes other messages to the caller's
    e-mail address only if the address is proven, because an unproven address may belong to another
    person. Never includes messages to businesses, or messages about visits of other accounts.
    """
    account = accounts.get(db, asking.id)
    found = {id for (id,) in db.rows(_ABOUT_VISITS, account.id)}
    if account.email_prouve_le is not None:
        found |= {id for (id,) in db.rows(_TO_ADDRESS, account.email)}
    written = [PersonalRecord(*row) for row in db.rows(_RECORDS, account.id)]
    return Export(account, _bookings(db, asking), _messages(db, sorted(found)), written)


def _bookings(db: Database, asking: Account) -> list[ReservationRecord]:
    found: list[ReservationRecord] = []
    after: tuple[int, int] | None = None
    while rows := lists.listed(db, asking, Filter(own=True), after, _AT_ONCE):
        found += rows
        after = reservations.key_of(rows[-1])
    return found


def _messages(db: Database, ids: list[int]) -> list[MessageRecord]:
    """Returns messages with `destinataire` as `adresse_renvoi`. The present address of the
    customer stays hidden, because the owner may have corrected the record for another person."""
    found = [row for some in chunked(ids, _AT_ONCE) for row in messages.by_ids(db, some)]
    return [message._replace(adresse_renvoi=message.destinataire) for message in found]
