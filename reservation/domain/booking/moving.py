"""Moves a booking to another time, person or room, or changes its places."""

from typing import Any

from reservation.domain.booking import choosing, holds
from reservation.domain.booking.requests import Change
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar import performers
from reservation.domain.calendar.terms import BusinessTerms, ServiceTerms, Visit
from reservation.domain.customers import limits
from reservation.storage.database import Database


def moves(reservation: ReservationRecord, asked: Change, debut: int | None) -> bool:
    """Returns whether the time, person, room or number of places changes."""
    return (
        debut is not None
        or asked.places not in (None, reservation.places)
        or asked.ressource_id not in (None, reservation.ressource_id)
        or asked.lieu_id not in (None, reservation.lieu_id)
    )


def asks_for_more(reservation: ReservationRecord, asked: Change, debut: int | None) -> bool:
    """Returns whether the change asks for another time, another person or more places."""
    return (
        debut not in (None, reservation.debut)
        or asked.ressource_id not in (None, reservation.ressource_id)
        or (asked.places or 0) > reservation.places
    )


def state_after(db: Database, reservation: ReservationRecord, entreprise: BusinessTerms) -> str:
    """Returns the state of a booking after a customer's change for which `asks_for_more` is True.
    A business that approves bookings must approve the booking again. Raises CustomerBlocked if the
    customer is blocked."""
    limits.check_not_blocked(db, reservation.client_id)
    return "demandee" if entreprise.validation_manuelle else reservation.statut


def move(
    db: Database, reservation: ReservationRecord, entreprise: BusinessTerms,
    service: ServiceTerms, asked: Change, debut: int | None, now: int,
) -> dict[str, Any]:
    """Replaces the holds of the booking. Returns the changed columns of the table `reservation`.

    A booking that keeps its time may keep its person, even if the person takes no new bookings.
    Such a booking also keeps its length and buffers, even if the service has changed. The horizon
    applies only to a new time. The minimum notice applies to a new time or additional places.
    """
    present = reservation.ressource_id
    places = reservation.places if asked.places is None else asked.places
    visit = Visit.of(service, places, performers.of_service(db, entreprise.id, service))
    visit = visit.with_room_first(reservation.lieu_id)
    if asked.ressource_id is not None and (debut is not None or asked.ressource_id != present):
        visit = choosing.preferred(visit, asked.ressource_id)
    elif debut is None:
        visit = visit._replace(persons=(present,))
    else:
        visit = choosing.ranked(db, entreprise, visit, debut, first=present)
    if asked.lieu_id is not None:
        visit = choosing.in_room(visit, asked.lieu_id)
    if debut in (None, reservation.debut):
        debut = reservation.debut
        entreprise, visit = entreprise.without_horizon(), visit.as_booked(reservation)
        if visit.places <= reservation.places:
            entreprise = entreprise.without_notice()
    placed = choosing.take(db, entreprise, visit, debut, holds.of_booking(reservation), now)
    return placed.columns() | dict(debut=debut, fin=debut + visit.length, places=visit.places)
