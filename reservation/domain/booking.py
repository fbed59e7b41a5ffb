"""Booking, moving, cancelling: a reservation and the places that it holds, in one transaction.

Locks are taken in one order: the business (shared), creneaux by start, reservation, eventemail.
"""

import time
from dataclasses import dataclass
from functools import partial
from typing import Any

import peewee

from reservation.domain import calendar, holds, outbox, outcomes, reservations, states
from reservation.domain.accounts import Account
from reservation.domain.availability import FERME, Offered, Terms, Visit, terms
from reservation.domain.holds import Hold
from reservation.domain.reservations import Listed
from reservation.domain.states import CUSTOMER
from reservation.errors import (
    Conflict,
    DeadlinePassed,
    InvalidInput,
    KeyReused,
    NotPermitted,
    SlotTaken,
    StaleVersion,
)
from reservation.storage.database import Database, transaction
from reservation.storage.models import Reservation

_NEW = {"confirmee": "nouvelle", "demandee": "a_valider"}  # what the business is told
_KNOWN = (
    "SELECT id, empreinte FROM reservation WHERE demandeur_id = ? AND cle_idempotence = ?"
)
_INSERT = (
    "INSERT INTO reservation (utilisateur_id, demandeur_id, entreprise_id, prestation_id,"
    " creneau_id, debut, fin, occupe_debut, occupe_fin, places, statut, commentaire,"
    " cle_idempotence, empreinte, cree_le, modifie_le, version)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"
)


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks to book. `cle` and `empreinte` tell a repeated request from a new
    one: the Idempotency-Key and the digest of the body."""

    creneau_id: int
    prestation_id: int
    utilisateur_id: int
    places: int = 1
    commentaire: str = ""
    cle: str | None = None
    empreinte: str | None = None


@outcomes.failures_counted
def book(db: Database, asking: Account, request: Request, now: int | None = None) -> int:
    """Take the places and write the reservation; its id. A repeated request gives the first's.

    Raises SlotTaken, KeyReused, or InvalidInput for a service that cannot be booked there.
    """
    now = int(time.time()) if now is None else now
    if (known := _known(db, asking, request)) is not None:
        outcomes.count(db, "repeated")
        return known
    try:
        debut, entreprise_id = _creneau(db, request.creneau_id)
        entreprise, service = terms(db, entreprise_id, request.prestation_id)
        if service is None or not service.actif:
            raise InvalidInput("Invalid input", {"prestationId": "is no service of this business"})
        _make_calendar(db, entreprise, service, debut, now)
        number = transaction(db, lambda: _book(db, asking, request, entreprise_id, debut, now))
    except (SlotTaken, peewee.IntegrityError):
        # The same request may have been quicker on another connection.
        if (known := _known(db, asking, request)) is not None:
            outcomes.count(db, "repeated")
            return known
        raise
    outcomes.count(db, "booked")
    return number


def _known(db: Database, asking: Account, request: Request) -> int | None:
    if request.cle is None:
        return None
    rows = db.rows(_KNOWN, asking.id, request.cle)
    if not rows:
        return None
    number, empreinte = rows[0]
    if empreinte != request.empreinte:
        raise KeyReused()
    return int(number)


def _creneau(db: Database, creneau_id: int) -> tuple[int, int]:
    """When it starts and whose it is. Raises SlotTaken: a changed week may have taken it away."""
    rows = db.rows("SELECT debut, entreprise_id FROM creneau WHERE id = ?", creneau_id)
    if not rows:
        raise SlotTaken()
    return rows[0][0], rows[0][1]


def _make_calendar(
    db: Database, entreprise: Terms, service: Offered, debut: int, now: int
) -> None:
    """A visit may run into a day that nobody has looked at yet."""
    visit = Visit.of(service)
    calendar.extend(db, entreprise, debut + visit.duree + visit.apres, now)


def _book(
    db: Database, asking: Account, request: Request, entreprise_id: int, debut: int, now: int
) -> int:
    entreprise, service = terms(db, entreprise_id, request.prestation_id, shared=True)
    if service is None or not service.actif:
        raise SlotTaken(FERME)
    visit = Visit.of(service, request.places)
    hold = holds.take(db, entreprise, visit, request.creneau_id, debut, holds.NOTHING, now)
    for_itself = asking.role == "admin" or asking.id == entreprise.proprietaire_id
    # Who would approve has no need to ask.
    asked = entreprise.validation_manuelle and not for_itself
    statut = "demandee" if asked else "confirmee"
    inserted = db.write(
        _INSERT,
        request.utilisateur_id,
        asking.id,
        entreprise.id,
        service.id,
        request.creneau_id,
        debut,
        debut + visit.duree,
        hold.debut,
        hold.fin,
        request.places,
        statut,
        request.commentaire,
        request.cle,
        request.empreinte,
        now,
        now,
    )
    number = int(inserted.lastrowid)
    fin = debut + visit.duree
    seen_to = outbox.Visit(number, request.utilisateur_id, entreprise.id, debut, fin, 0)
    outbox.tell(
        db,
        seen_to,
        now,
        customer=statut,
        business="" if for_itself else _NEW[statut],
        reminder=entreprise.rappel_heures if statut == "confirmee" else 0,
    )
    return number


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

    Raises NotFound, StaleVersion, SlotTaken, Conflict, NotPermitted or DeadlinePassed; then
    nothing has changed.
    """
    now = int(time.time()) if now is None else now
    reservation, side = reservations.visible(db, asking, reservation_id)
    if side == CUSTOMER and (asked.statut is not None or asked.message):
        raise NotPermitted()  # a customer's one way to another state is `cancel`
    debut = None
    if asked.creneau_id is not None and asked.creneau_id != reservation.creneau_id:
        debut, entreprise_id = _creneau(db, asked.creneau_id)
        if entreprise_id != reservation.entreprise_id:
            raise InvalidInput("Invalid input", {"creneauId": "is of another business"})
        entreprise, service = terms(db, entreprise_id, reservation.prestation_id)
        assert service is not None
        _make_calendar(db, entreprise, service, debut, now)
    done = transaction(db, lambda: _change(db, asking, reservation_id, asked, debut, now))
    outcomes.count(db, done)


@outcomes.failures_counted
def cancel(
    db: Database,
    asking: Account,
    reservation_id: int,
    now: int | None = None,
    version: int | None = None,
) -> None:
    """Give the places back. A reservation that is cancelled already stays so. Raises
    StaleVersion unless `version`, if given, is the present one."""
    now = int(time.time()) if now is None else now
    while True:
        reservation, _ = reservations.visible(db, asking, reservation_id)
        if version not in (None, reservation.version):
            raise StaleVersion()
        if reservation.statut == "annulee":
            return outcomes.count(db, "repeated")
        asked = Change(reservation.version, statut="annulee")
        try:
            done = transaction(
                db, partial(_change, db, asking, reservation_id, asked, None, now)
            )
        except StaleVersion:
            continue  # somebody was quicker; look again at what is there now
        return outcomes.count(db, done)


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
    _tell(db, reservation, changes, entreprise, side, now, asked.message)
    if statut == "annulee" != reservation.statut:
        return "cancelled"
    return "moved" if "debut" in changes else "changed"


def _tell(
    db: Database,
    before: Listed,
    changes: dict[str, Any],
    entreprise: Terms,
    side: str,
    now: int,
    message: str,
) -> None:
    """Queue what a change means to both sides; a reminder goes with its visit.

    Raises InvalidInput for a message where the customer is not written to.
    """
    debut, fin = changes.get("debut", before.debut), changes.get("fin", before.fin)
    statut, moved = changes["statut"], (debut, fin) != (before.debut, before.fin)
    told = statut != before.statut or moved
    customer, business = _kinds(before.statut, statut, side) if told else ("", "")
    if message and not customer:
        raise InvalidInput("Invalid input", {"message": "is for what the customer is told of"})
    if not told:
        return
    outbox.drop_reminder(db, before.id)
    outbox.tell(
        db,
        outbox.Visit(
            before.id, before.utilisateur_id, entreprise.id, debut, fin, before.version
        ),
        now,
        customer=customer,
        business=business,
        reminder=entreprise.rappel_heures if statut == "confirmee" else 0,
        message=message,
    )


def _kinds(before: str, after: str, side: str) -> tuple[str, str]:
    """Of the messages to the customer and to the business, for a change of state or time.

    Nobody is told what he did himself but the customer, who wants it in writing.
    """
    if after == before:
        return "deplacee", "deplacement" if side == CUSTOMER else ""
    if after == "annulee":
        return ("annulee", "annulation") if side == CUSTOMER else ("annulee_entreprise", "")
    return {"confirmee": "approuvee", "refusee": "refusee"}.get(after, ""), ""


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
        raise Conflict(f"A reservation that is {statut} cannot be moved")
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
