"""Absences of a person: finds substitutes, moves bookings and closes the calendar."""

from typing import NamedTuple

from reservation.domain import states
from reservation.domain.booking import changing, reservations
from reservation.domain.booking.requests import Change
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.budget import Budget
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, closures, events
from reservation.domain.planning.closures import ClosureExists
from reservation.domain.planning.ressources import RessourceRecord
from reservation.domain.planning.substitutes import Substitute, SubstituteSearch
from reservation.errors import NotFound, Refusal
from reservation.storage.database import Database
from reservation.storage.models import Evenement


class Absence(NamedTuple):
    """The absence of a person during [start, end), in Unix seconds."""

    person: RessourceRecord
    start: int
    end: int


class Proposal(NamedTuple):
    """A booking that an absent person would miss. `substitute` is None if the search found no
    substitute."""

    reservation: ReservationRecord
    substitute: Substitute | None


class Move(NamedTuple):
    """The owner's request to move a booking to another person or slot. `version` must be the
    current version of the booking."""

    reservation: int
    version: int
    ressource_id: int
    creneau_id: int


class MoveOutcome(NamedTuple):
    """`refusal` is None if the booking was moved."""

    reservation: int
    refusal: Refusal | None


def visits(db: Database, absence: Absence, now: int) -> list[ReservationRecord]:
    """Returns the upcoming bookings that the absent person would miss."""
    shut = {absence.person.id: [(absence.start, absence.end)]}
    return [one for one in reservations.touching(db, shut, now) if one.debut >= now]


def propose(db: Database, absence: Absence, now: int, budget: Budget) -> list[Proposal]:
    """Returns the bookings that the absent person would miss, each with a substitute if possible.

    The owner can accept all substitutes, because no two of them take the same free place. Raises
    CalendarNotReady if the calendar cannot be extended within the time limit `budget`.
    """
    person, start, end = absence
    missed = visits(db, absence, now)
    search = SubstituteSearch(db, person.entreprise_id, person.id, (start, end), now, budget)
    found = search.all_of(missed)
    return [Proposal(one, found.get(one.id)) for one in missed]


def move(
    db: Database, asking: Account, person: RessourceRecord, moves: list[Move], message: str,
    now: int,
) -> list[MoveOutcome]:
    """Moves bookings of a person, each in its own transaction. A refused move changes nothing."""
    return [
        MoveOutcome(one.reservation, _refusal(db, asking, person, one, message, now))
        for one in moves
    ]


def _refusal(
    db: Database, asking: Account, person: RessourceRecord, wanted: Move, message: str, now: int
) -> Refusal | None:
    """Tries to move a booking. Returns the refusal, or None if the booking was moved. Also returns
    None if an earlier request, whose answer may have been lost, has moved the booking."""
    number, version, ressource_id, creneau_id = wanted
    asked = Change(version, creneau_id, ressource_id=ressource_id, message=message)
    try:
        present, _ = reservations.visible(db, asking, number)
        place = present.version, present.ressource_id, present.creneau_id
        if place == (version + 1, ressource_id, creneau_id) and present.statut in states.OPEN:
            return None
        if present.ressource_id != person.id:
            raise NotFound()
        changing.change(db, asking, number, asked, now, suggests=False)
    except Refusal as ex:
        return ex
    return None


def close(
    db: Database, absence: Absence, titre: str, now: int, budget: Budget
) -> Evenement:
    """Closes the calendar of a person during an absence, and notifies the affected customers. If
    the person already has a closure with the same times, only returns that closure."""
    person, debut, fin = absence
    entreprise = businesses.get(db, person.entreprise_id)
    values = closures.values_of(titre, debut, fin, person.id)
    try:
        return closures.add(db, entreprise, values, "fin", now, budget).written
    except ClosureExists as ex:
        return events.get(db, ex.id)
