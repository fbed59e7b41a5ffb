"""Changes and cancels bookings. The lock order is the same as in the module `booking`."""

import logging
from functools import partial
from typing import Any

from reservation.conflicts import NotMovable, PlacesNotHeld, SlotTaken
from reservation.domain import states
from reservation.domain.booking import alternatives, booking, moving, reservations, telling
from reservation.domain.booking.outcomes import failures_counted
from reservation.domain.booking.requests import Change
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar import freed, lateness, stored_slots
from reservation.domain.calendar.terms import terms
from reservation.domain.customers import limits
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER, STAFF
from reservation.errors import (
    DatabaseUnavailable,
    DeadlinePassed,
    Fault,
    InvalidInput,
    NotPermitted,
    StaleVersion,
)
from reservation.metrics import BOOKINGS
from reservation.storage.database import Database, check_version, update_row
from reservation.storage.models import Reservation

logger = logging.getLogger("reservation")

OTHER_BUSINESS = Fault("other_business", "belongs to another business")
_ATTEMPTS = 10  # maximum number of attempts of `cancel` if other requests change the booking


@failures_counted
def change(
    db: Database, asking: Account, reservation_id: int, asked: Change, now: int,
    suggests: bool = True,
) -> None:
    """Changes the time, person, room, places, comment or state of a booking.

    If a customer asks for another time, another person or more places, a business that approves
    bookings must approve again. Such a request of a blocked customer raises CustomerBlocked.

    Raises NotFound if the caller may not see the booking. Raises NotPermitted if the caller may
    not make the change. Raises StaleVersion if `asked.version` is not current. Raises Conflict if
    the state of the booking forbids the change.

    Raises SlotTaken if the new time is unavailable. With `suggests`, SlotTaken has alternatives.
    Raises DeadlinePassed if it is too late for the customer (see `lateness`), who may then change
    only the comment. Raises PlacesNotHeld if the number of taken places of a slot would become
    negative. Raises InvalidInput if the slot, person or room is unsuitable, or if `asked` has a
    message for the customer, but the customer will not be notified of the change.
    """
    reservation, side = reservations.visible(db, asking, reservation_id)
    if side == CUSTOMER and (asked.statut or asked.lieu_id or asked.message):
        raise NotPermitted()
    debut, wanted, service = None, reservation.debut, reservation.prestation_id
    try:
        if asked.creneau_id is not None and asked.creneau_id != reservation.creneau_id:
            wanted = now
            debut, entreprise_id, _ = booking.slot(db, asked.creneau_id, service)
            wanted = debut
            if entreprise_id != reservation.entreprise_id:
                raise InvalidInput({"creneau_id": OTHER_BUSINESS})
        _commit(db, asking, reservation, asked, debut, now)
    except SlotTaken as ex:
        if not suggests:
            raise
        person = asked.ressource_id or (None if debut else reservation.ressource_id)
        rules, visit = moving.terms_of_move(db, asking, reservation_id, asked.places)
        alternatives.add(db, ex, rules, visit, wanted, person, now)
        raise


@failures_counted
def cancel(
    db: Database, asking: Account, reservation_id: int, now: int, version: int | None = None,
    erases: bool = False,
) -> None:
    """Cancels a booking, unless the booking is already cancelled.

    `erases` means that the customer is being erased, so no deadline applies. Raises StaleVersion
    if `version` is given and not current. Raises DatabaseUnavailable if other requests change the
    booking during every attempt. For other errors, see `change`.
    """
    for _ in range(_ATTEMPTS):
        reservation, _ = reservations.visible(db, asking, reservation_id)
        check_version(reservation, version)
        if reservation.statut == "annulee":
            return db.counters.count(BOOKINGS, "repeated")
        asked = Change(reservation.version, statut="annulee", erases=erases)
        try:
            return _commit(db, asking, reservation, asked, None, now)
        except StaleVersion:
            continue
    raise DatabaseUnavailable()


def _commit(
    db: Database, asking: Account, reservation: ReservationRecord, asked: Change,
    debut: int | None, now: int,
) -> None:
    """Runs `_change` in a transaction, and counts the outcome as a metric.

    `debut` is the new start, or None if the start stays. If another request has changed the
    booking, raises StaleVersion instead of SlotTaken or PlacesNotHeld.
    """
    work = partial(_change, db, asking, reservation, asked, debut, now)
    try:
        outcome = freed.run(db, work, now)
    except (PlacesNotHeld, SlotTaken) as ex:
        reservation, _ = reservations.visible(db, asking, reservation.id)
        check_version(reservation, asked.version)
        if isinstance(ex, PlacesNotHeld):
            slots = stored_slots.lacking(db, reservation.holds)
            logger.error(
                "business %d, booking %d: slots %s count fewer places than the booking holds;"
                " run `reservation check --repair`",
                reservation.entreprise_id, reservation.id, ", ".join(map(str, slots)),
            )
        raise
    db.counters.count(BOOKINGS, outcome)


def _change(
    db: Database, asking: Account, seen: ReservationRecord, asked: Change, debut: int | None,
    now: int, alone: bool = False,
) -> str:
    """Makes a change. Returns "moved", "changed" or "cancelled". For `alone`, see `freed.run`."""
    entreprise, service = terms(
        db, seen.entreprise_id, seen.prestation_id, shared=True, alone=alone
    )
    assert service is not None  # services are made inactive, never deleted
    # Read again: a merge of customers may have changed the booking before `terms` took its lock.
    reservation, side = reservations.visible(db, asking, seen.id)
    check_version(reservation, asked.version)
    if side == STAFF:
        asked = _on_own_calendar(reservation, asked)
    statut = asked.statut or reservation.statut
    moves = moving.moves(reservation, asked, debut)
    _check_change(reservation, side, statut, moves, now)
    if side == CUSTOMER and not asked.erases and (moves or statut != reservation.statut):
        if lateness.is_too_late(db, reservation, entreprise.delai_annulation, now):
            raise DeadlinePassed()
    if side == CUSTOMER and moving.asks_for_more(reservation, asked, debut):
        limits.check_not_blocked(db, reservation.client_id)
        statut = "demandee" if entreprise.validation_manuelle else reservation.statut
    changes: dict[str, Any] = {"statut": statut, "modifie_le": now}
    if asked.commentaire is not None:
        changes["commentaire"] = asked.commentaire
    old = reservation.holds
    if statut in states.RELEASED:
        stored_slots.replace(db, old, ())
    elif moves:
        rules = entreprise if side == CUSTOMER else entreprise.for_business()
        changes |= moving.move(db, reservation, rules, service, asked, debut, now)
    else:
        old = []
    update_row(db, Reservation, reservation.id, asked.version, changes)
    freed.follow_plan(db, entreprise, old, now, alone)
    telling.of_change(db, asking, reservation, changes, entreprise, side, now, asked.message)
    if statut == "annulee" != reservation.statut:
        return "cancelled"
    return "moved" if "debut" in changes else "changed"


def _on_own_calendar(reservation: ReservationRecord, asked: Change) -> Change:
    """Returns `asked` with the current person of the booking, so that the booking stays in this
    person's calendar. Raises NotPermitted if `asked` names another person."""
    if asked.ressource_id not in (None, reservation.ressource_id):
        raise NotPermitted()
    return asked._replace(ressource_id=reservation.ressource_id)


def _check_change(
    reservation: ReservationRecord, side: str, statut: str, moves: bool, now: int
) -> None:
    if statut != reservation.statut:
        states.check_move(reservation.statut, statut, side)
        states.check_times(reservation.statut, statut, reservation.debut, reservation.fin, now)
    if moves and statut not in states.OPEN:
        raise NotMovable(state=statut)
