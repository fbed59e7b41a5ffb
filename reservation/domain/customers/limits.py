"""Decides whether a customer may make another booking, and limits the records of a business."""

from reservation.conflicts import TooManyCustomers, TooManyUpcoming
from reservation.domain import states
from reservation.domain.calendar.terms import BusinessTerms
from reservation.domain.customers.records import CustomerRecord
from reservation.errors import CustomerBlocked
from reservation.storage.database import Database
from reservation.storage.models import Client

# Bookings ignore this limit: a business must not lose its customers because of their number.
MOST = 100_000
_UPCOMING = (
    "SELECT COUNT(*) FROM reservation WHERE client_id = ? AND debut > ?"
    f" AND statut IN {states.OPEN}"
)


def check(db: Database, entreprise: BusinessTerms, customer: CustomerRecord, now: int) -> None:
    """Raises CustomerBlocked if the owner has blocked the customer.

    Raises TooManyUpcoming if the customer already has `max_a_venir` upcoming bookings. Call within
    the transaction of the booking.
    """
    if customer.bloque:
        raise CustomerBlocked()
    if entreprise.max_a_venir is None:
        return
    # Without this write, two concurrent bookings of a customer could together exceed the limit.
    Client.update(version=Client.version + 1).where(Client.id == customer.id).execute(db)
    if db.rows(_UPCOMING, customer.id, now)[0][0] >= entreprise.max_a_venir:
        raise TooManyUpcoming(max=entreprise.max_a_venir)


def check_not_blocked(db: Database, client_id: int) -> None:
    if db.rows("SELECT bloque FROM client WHERE id = ?", client_id)[0][0]:
        raise CustomerBlocked()


def check_room(db: Database, entreprise_id: int, added: int) -> None:
    """Raises TooManyCustomers if the business would have more than MOST records with `added` new
    records."""
    count = "SELECT COUNT(*) FROM client WHERE entreprise_id = ?"
    if added and db.rows(count, entreprise_id)[0][0] + added > MOST:
        raise TooManyCustomers(max=MOST)
