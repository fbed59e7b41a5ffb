"""Moving, approving, refusing, cancelling: what becomes of a reservation and of its places.

Locks are taken in the order that `booking` takes them in.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from reservation.domain import states
from reservation.domain.booking import booking, holds, outcomes, reservations, telling
from reservation.domain.booking.holds import Hold
from reservation.domain.booking.reservations import Listed
from reservation.domain.calendar import calendar
from reservation.domain.calendar.terms import Offered, Terms, Visit, terms
from reservation.domain.people.accounts import Account
from reservation.domain.states import CUSTOMER
from reservation.errors import (
    DatabaseUnavailable,
    DeadlinePassed,
    Fault,
    InvalidInput,
    NotMovable,
    NotPermitted,
    PlacesNotHeld,
    SlotTaken,
    StaleVersion,
)
from reservation.storage.database import Database, transaction
from reservation.storage.models import Reservation

logger = logging.getLogger("reservation")

OTHER_BUSINESS = Fault("other_business", "belongs to another business")
_ATTEMPTS = 10  # of one cancellation: each failed one means that somebody else was quicker


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody asks to change of a reservation; None leaves a thing as it is."""

    version: int
    creneau_id: int | None = None
    places: int | None = None
    commentaire: str | None = None
    statut: str | None = None
    message: str = ""  # of the owner to the customer


@outcomes.failures_counted
def change(
    db: Database, asking: Account, reservation_id: int, asked: Change, now: int | None = None
) -> None:
    """Move, comment, approve, refuse, cancel, or say whether the customer came.

    Raises NotFound, StaleVersion, SlotTaken, PlacesNotHeld, ImpossibleTransition, NotMovable,
    NotPermitted or DeadlinePassed; then nothing has changed.
    """
    now = int(time.time()) if now is None else now
    reservation, side = reservations.visible(db, asking, reservation_id)
    if side == CUSTOMER and (asked.statut is not None or asked.message):
        raise NotPermitted()  # a customer's one way to another state is `cancel`
    debut = None
    if asked.creneau_id is not None and asked.creneau_id != reservation.creneau_id:
        debut, entreprise_id = booking.start_of(db, asked.creneau_id)
        if entreprise_id != reservation.entreprise_id:
            raise InvalidInput({"creneau_id": OTHER_BUSINESS})

    run = partial(transaction, db)
    if _moves(reservation, asked, debut):
        entreprise, service = terms(db, reservation.entreprise_id, reservation.prestation_id)
        assert service is not None
        until = booking.end_of(service, debut or reservation.debut)
        run = partial(calendar.upon, db, entreprise, until, now)
    outcomes.count(db, _commit(db, asking, reservation_id, asked, debut, now, run))


@outcomes.failures_counted
def cancel(
    db: Database,
    asking: Account,
    reservation_id: int,
    now: int | None = None,
    version: int | None = None,
) -> None:
    """Give the places back. A reservation that is cancelled already stays so.

    Raises StaleVersion unless `version`, if given, is the present one; PlacesNotHeld; or
    DatabaseUnavailable if somebody else changed the reservation at each of the attempts.
    """
    now = int(time.time()) if now is None else now
    for _ in range(_ATTEMPTS):
        reservation, _ = reservations.visible(db, asking, reservation_id)
        if version not in (None, reservation.version):
            raise StaleVersion()
        if reservation.statut == "annulee":
            return outcomes.count(db, "repeated")
        asked = Change(reservation.version, statut="annulee")
        try:
            run = partial(transaction, db)
            done = _commit(db, asking, reservation_id, asked, None, now, run)
        except StaleVersion:
            continue  # somebody was quicker; look again at what is there now
        return outcomes.count(db, done)
    raise DatabaseUnavailable()


def _commit(
    db: Database,
    asking: Account,
    reservation_id: int,
    asked: Change,
    debut: int | None,
    now: int,
    run: Callable[[Callable[[], str]], str],
) -> str:
    """Returns what `_change` was; `run` puts it into a transaction.

    If somebody else was quicker, the old places are given back or the new ones are taken by
    the same reservation: then raises StaleVersion, for its version is another. If the version
    is the same, the time is really taken, or the count of a slot is wrong and no retry would
    help: then raises SlotTaken, or logs an error and raises PlacesNotHeld.
    """
    try:
        return run(lambda: _change(db, asking, reservation_id, asked, debut, now))
    except (PlacesNotHeld, SlotTaken) as ex:
        reservation, _ = reservations.visible(db, asking, reservation_id)
        if reservation.version != asked.version:
            raise StaleVersion() from None
        if isinstance(ex, PlacesNotHeld):
            _log_drift(db, reservation)
        raise


def _log_drift(db: Database, reservation: Listed) -> None:
    slots = holds.lacking(db, reservation.entreprise_id, _held_by(reservation))
    logger.error(
        "business %d, reservation %d: slots %s count fewer places than the reservation holds;"
        " run `reservation check --repair`",
        reservation.entreprise_id, reservation.id, ", ".join(map(str, slots)),
    )


def _change(
    db: Database,
    asking: Account,
    reservation_id: int,
    asked: Change,
    debut: int | None,
    now: int,
) -> str:
    """Do it, in a transaction; what it was: moved, changed or cancelled."""
    reservation, side = reservations.visible(db, asking, reservation_id)
    if reservation.version != asked.version:
        raise StaleVersion()
    entreprise, service = terms(
        db, reservation.entreprise_id, reservation.prestation_id, shared=True
    )
    assert service is not None  # a service is retired, never deleted
    _check_change(reservation, entreprise, side, asked, debut, now)
    changes: dict[str, Any] = {"modifie_le": now, "version": Reservation.version + 1}
    if asked.commentaire is not None:
        changes["commentaire"] = asked.commentaire
    statut = asked.statut or reservation.statut
    changes["statut"] = statut
    if statut in states.RELEASED and reservation.statut not in states.RELEASED:
        holds.give_back(db, entreprise.id, _held_by(reservation))
    elif _moves(reservation, asked, debut):
        changes |= _move(db, reservation, entreprise, service, asked, debut, now)
    # The state that all this was decided on belongs in the condition.
    same = (Reservation.id == reservation_id) & (Reservation.version == asked.version)
    if Reservation.update(**changes).where(same).execute(db) != 1:
        raise StaleVersion()
    telling.of_change(db, reservation, changes, entreprise, side, now, asked.message)
    if statut == "annulee" != reservation.statut:
        return "cancelled"
    return "moved" if "debut" in changes else "changed"


def _moves(reservation: Listed, asked: Change, debut: int | None) -> bool:
    return debut is not None or asked.places not in (None, reservation.places)


def _check_change(
    reservation: Listed,
    entreprise: Terms,
    side: str,
    asked: Change,
    debut: int | None,
    now: int,
) -> None:
    statut = asked.statut or reservation.statut
    if statut != reservation.statut:
        states.check_move(reservation.statut, statut, side)
    moves = _moves(reservation, asked, debut)
    if moves and statut not in states.OPEN:
        raise NotMovable(state=statut)
    if side == CUSTOMER and (moves or statut != reservation.statut):
        if now > reservation.debut - entreprise.delai_annulation * 60:
            raise DeadlinePassed()


def _move(
    db: Database,
    reservation: Listed,
    entreprise: Terms,
    service: Offered,
    asked: Change,
    debut: int | None,
    now: int,
) -> dict[str, Any]:
    """Hold the new time instead of the old one; the columns that change."""
    places = reservation.places if asked.places is None else asked.places
    visit = Visit.of(service, places)
    debut = reservation.debut if debut is None else debut
    creneau_id = asked.creneau_id or reservation.creneau_id
    old = _held_by(reservation)
    hold = holds.take(db, entreprise, visit, creneau_id, debut, old, now)
    return {
        "creneau": creneau_id,
        "debut": debut,
        "fin": debut + visit.duree,
        "occupe_debut": hold.debut,
        "occupe_fin": hold.fin,
        "places": places,
    }


def _held_by(reservation: Listed) -> Hold:
    return Hold(reservation.occupe_debut, reservation.occupe_fin, reservation.places)
