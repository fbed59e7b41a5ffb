"""Removes personal data from customer records. Keeps the time, service and state of bookings."""

from peewee import chunked

from reservation.domain.calendar.terms import touch
from reservation.domain.customers.records import ERASED
from reservation.domain.outbox.outbox import NO_TEXTS, TO_BUSINESS
from reservation.storage.database import Database, marks
from reservation.storage.models import Client, EventEmail, Reservation

_AT_ONCE = 500  # maximum number of bookings in one statement
_OF = "SELECT id FROM reservation WHERE client_id IN ({}) ORDER BY id"
_DELETE = f"DELETE FROM eventemail WHERE genre NOT IN {TO_BUSINESS} AND reservation_id IN ({{}})"


def lock(db: Database, ids: list[int]) -> None:
    """Locks the businesses of the customer records `ids`. Until the transaction ends, nobody can
    add a booking for these customers."""
    rows = Client.select(Client.entreprise).where(Client.id.in_(ids))
    touch(db, *{row.entreprise_id for row in rows.execute(db)})


def anonymise(db: Database, ids: list[int]) -> None:
    """Removes personal data from customer records and their bookings.

    Deletes the messages to customers about these bookings. Empties the messages to businesses.
    Call within a transaction, after `lock`.
    """
    if not ids:
        return
    bookings = [id for (id,) in db.rows(_OF.format(marks(ids)), *ids)]
    for some in chunked(bookings, _AT_ONCE):
        db.write(_DELETE.format(marks(some)), *some)
        EventEmail.update(NO_TEXTS).where(EventEmail.reservation.in_(some)).execute(db)
        Reservation.update(
            titulaire=None, demandeur=None, cle_idempotence=None, empreinte=None, commentaire=""
        ).where(Reservation.id.in_(some)).execute(db)
    Client.update(
        **Client.keys(ERASED, "", ""),
        nom=ERASED,
        prenom="",
        email="",
        telephone="",
        note="",
        bloque=False,
        utilisateur=None,
        suit_compte=False,
        version=Client.version + 1,
    ).where(Client.id.in_(ids)).execute(db)
