"""Moves a booking to another time, person or room, or changes its places."""

from typing import Any

from reservation.domain.booking import choosing, reservations
from reservation.domain.booking.requests import Change
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar import performers, stored_slots
from reservation.domain.calendar.terms import (
    BusinessTerms,
    ServiceTerms,
    Visit,
    keeping_its_time,
    terms,
)
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER, STAFF
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


def terms_of_move(
    db: Database, asking: Account, reservation_id: int, places: int | None
) -> tuple[BusinessTerms, Visit]:
    """Returns the terms that apply to a move of the booking, and the visit to be moved. Does not
    check the state and the deadline. Raises NotFound if the caller may not see the booking."""
    reservation, side = reservations.visible(db, asking, reservation_id)
    entreprise, service = terms(db, reservation.entreprise_id, reservation.prestation_id)
    assert service is not None  # services are made inactive, never deleted
    visit = _visit(db, reservation, service, places)._replace(moved=reservation)
    rules = entreprise if side == CUSTOMER else entreprise.for_business()
    if side == STAFF:
        mine = [person for person in visit.persons if person == reservation.ressource_id]
        visit = visit._replace(persons=tuple(mine))
    return rules, visit


def _visit(
    db: Database, reservation: ReservationRecord, service: ServiceTerms, places: int | None
) -> Visit:
    """Returns the visit under the present terms of the service. The holds of the booking count as
    free. If `places` is None, the number of places stays."""
    who = performers.of_service(db, reservation.entreprise_id, service)
    old = reservation.holds
    visit = Visit.of(service, places or reservation.places, who, old)
    return visit.with_room_first(reservation.lieu_id)


def move(
    db: Database, reservation: ReservationRecord, entreprise: BusinessTerms,
    service: ServiceTerms, asked: Change, debut: int | None, now: int,
) -> dict[str, Any]:
    """Replaces the holds of the booking. Returns the changed columns of the table `reservation`.

    A booking that keeps its time may keep its person, even if the person takes no new bookings.
    For the other terms of such a booking, see `keeping_its_time`. A booking that only gives places
    back keeps the others, even if the business is closed then.
    """
    present = reservation.ressource_id
    visit = _visit(db, reservation, service, asked.places)
    gives_back = visit.places < reservation.places and reservation.debut >= now
    if gives_back and not moves(reservation, asked._replace(places=None), debut):
        kept = [hold._replace(places=visit.places) for hold in visit.old]
        stored_slots.replace(db, visit.old, kept)
        return dict(debut=reservation.debut, places=visit.places)
    if debut is None and asked.ressource_id in (None, present):
        visit = visit._replace(persons=(present,))
    visit = choosing.narrowed(visit, asked.ressource_id, asked.lieu_id)
    if debut in (None, reservation.debut):
        debut = reservation.debut
        entreprise, visit = keeping_its_time(entreprise, visit, reservation)
    placed = choosing.take(db, entreprise, visit, debut, now, first=present)
    return placed | dict(debut=debut, fin=debut + visit.length, places=visit.places)
