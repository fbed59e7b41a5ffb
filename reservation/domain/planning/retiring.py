"""Retires persons and rooms, so that they take no new bookings.

Upcoming bookings can be moved to another person or room.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from reservation.domain.booking import changing, reservations
from reservation.domain.booking.requests import Change
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.budget import Budget
from reservation.domain.calendar import stored_plans
from reservation.domain.calendar.performers import ROOM
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, replanning, ressources, team
from reservation.domain.planning.replanning import FOREVER, CalendarChange, Intervals
from reservation.domain.planning.ressources import UNKNOWN_RESSOURCE, RessourceRecord
from reservation.domain.planning.substitutes import SubstituteSearch
from reservation.errors import (
    CalendarNotReady,
    DatabaseUnavailable,
    InvalidInput,
    Refusal,
)
from reservation.storage.database import Database, check_version, update_row
from reservation.storage.models import Entreprise, Ressource

Bookings = list[ReservationRecord]


class Retirement(NamedTuple):
    """`stranded` has the upcoming bookings that were not moved to another person or room."""

    ressource: RessourceRecord
    change: CalendarChange
    moved: Bookings
    stranded: Bookings


def retire(
    db: Database, asking: Account, ressource: RessourceRecord, to: int | None,
    version: int | None, now: int,
) -> Retirement:
    """Retires a person or a room. If `to` is given, moves the upcoming bookings to the ressource
    `to`, each in its own transaction. Stops moving bookings at the time limit of `Budget`, or if
    the calendar cannot be extended in time. If the ressource is retired already, only moves
    bookings, so that a repeated request moves the bookings that stayed.

    Raises StaleVersion if `version` is given and is not current. Raises InvalidInput if the
    ressource `to` is inactive, is `ressource` itself, or has another business or another kind.
    Raises LastPerson or LastRoom as `team.check_team` does.
    """
    _check_successor(db, ressource, to)

    def write(mine: Entreprise) -> None:
        present = ressources.get(db, ressource.id)
        check_version(present, version)
        if present.actif:
            revoked = {} if present.utilisateur_id is None else {"flux_version": team.REVOKED}
            changes = {"actif": False, **revoked}
            update_row(db, Ressource, ressource.id, present.version, changes)
            team.check_team(db, mine.id)

    if ressource.actif:
        _, change, bookings = replanning.change(
            db, ressource.entreprise_id, write, now, shut=_all_of(ressource, now),
            budget=Budget(), of=ressource.id,
        )
    else:
        check_version(ressource, version)
        change, bookings = _compare(db, ressource, now)
    moved = []
    if to:
        moved = _each(bookings, lambda one: _move(db, asking, one, ressource, to, now), Budget())
    bookings = reservations.by_ids(db, [booking.id for booking in bookings])
    retired = ressources.get(db, ressource.id)
    return Retirement(retired, change, *_parted(bookings, moved))


def rehearse(
    db: Database, _asking: Account, ressource: RessourceRecord, to: int | None,
    version: int | None, now: int,
) -> Retirement:
    """Returns what `retire` would do, without writing. Also stops at the time limit of `Budget`.
    Raises the same exceptions."""
    _check_successor(db, ressource, to)
    check_version(ressource, version)
    if ressource.actif:
        team.check_team(db, ressource.entreprise_id, excluded=ressource.id)
    change, bookings = _compare(db, ressource, now)
    moved = []
    if to:
        budget, absence = Budget(), (now, FOREVER)
        search = SubstituteSearch(
            db, ressource.entreprise_id, ressource.id, absence, now, budget
        )
        moved = _each(bookings, lambda one: search.takes_over(one, to), budget)
    retired = ressource._replace(actif=0)
    return Retirement(retired, change, *_parted(bookings, moved))


def _all_of(ressource: RessourceRecord, now: int) -> Intervals:
    return {ressource.id: [(now, FOREVER)]}


def _compare(
    db: Database, ressource: RessourceRecord, now: int
) -> tuple[CalendarChange, Bookings]:
    """Returns the difference between the stored slots and an empty calendar, and the upcoming
    bookings."""
    entreprise = businesses.get(db, ressource.entreprise_id)
    plan = stored_plans.read(db, entreprise, now, now, ressource.id)[ressource.id]
    planned = {ressource.id: plan._replace(week=(), events=())}
    return replanning.rehearse(db, entreprise, planned, now, shut=_all_of(ressource, now))


def _parted(bookings: Bookings, moved: list[int]) -> tuple[Bookings, Bookings]:
    return (
        [booking for booking in bookings if booking.id in moved],
        [booking for booking in bookings if booking.id not in moved],
    )


def _check_successor(db: Database, ressource: RessourceRecord, to: int | None) -> None:
    if to is None:
        return
    ressources.check_known(db, ressource.entreprise_id, "vers", [to])
    if to == ressource.id or ressources.get(db, to).genre != ressource.genre:
        raise InvalidInput({"vers": UNKNOWN_RESSOURCE})


def _each(
    bookings: Bookings, move: Callable[[ReservationRecord], bool], budget: Budget
) -> list[int]:
    """Calls `move` for each booking until the budget is spent. Returns the ids of the moved
    bookings."""
    moved = []
    with suppress(CalendarNotReady):
        for booking in bookings:
            if budget.is_spent():
                break
            if move(booking):
                moved.append(booking.id)
    return moved


def _move(
    db: Database, asking: Account, booking: ReservationRecord, old: RessourceRecord, to: int,
    now: int,
) -> bool:
    asked = Change(booking.version, ressource_id=to)
    if old.genre == ROOM:
        asked = Change(booking.version, lieu_id=to)
    try:
        changing.change(db, asking, booking.id, asked, now, suggests=False)
    except DatabaseUnavailable:
        raise
    except Refusal:  # `to` is not free then, or another request has changed the booking
        return False
    return True
