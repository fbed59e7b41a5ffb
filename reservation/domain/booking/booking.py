"""Makes bookings.

Lock order: entreprise (shared), client, creneau (by person and start), reservation, eventemail.
"""

from functools import partial
from typing import Any

import peewee

from reservation.conflicts import ServiceChanged, SlotTaken, TooManyUpcoming
from reservation.domain.booking import alternatives, choosing
from reservation.domain.booking.outcomes import failures_counted
from reservation.domain.booking.requests import Request
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar import calendar, performers
from reservation.domain.calendar.performers import Performers
from reservation.domain.calendar.reasons import FERME
from reservation.domain.calendar.terms import (
    NOT_OFFERED,
    BusinessTerms,
    ServiceTerms,
    Visit,
    terms,
)
from reservation.domain.customers import limits, recognising, records
from reservation.domain.customers.records import CustomerRecord
from reservation.domain.outbox import outbox
from reservation.domain.people.sessions import Account
from reservation.errors import InvalidInput, KeyReused, NotPermitted, Refusal
from reservation.metrics import BOOKINGS
from reservation.storage.database import Database, insert

_TO_BUSINESS = {"confirmee": "nouvelle", "demandee": "a_valider"}  # kind of message, by state
# Plain SQL for speed: this is the hottest write path.
_SLOT = (
    "SELECT c.debut, r.entreprise_id, p.actif FROM creneau c"
    " JOIN ressource r ON r.id = c.ressource_id LEFT JOIN prestation p"
    " ON p.id = ? AND p.entreprise_id = r.entreprise_id WHERE c.id = ?"
)
_KNOWN = "SELECT id, empreinte FROM reservation WHERE demandeur_id = ? AND cle_idempotence = ?"


def book(db: Database, asking: Account, request: Request, now: int) -> int:
    """Calls `place`, and returns only the id of the booking."""
    return place(db, asking, request, now)[0]


@failures_counted
def place(
    db: Database, asking: Account, request: Request, now: int
) -> tuple[int, ReservationRecord | None]:
    """Makes a booking. Returns its id, and the booking without the customer's details.

    If a booking with the same Idempotency-Key exists, returns the id of that booking and None.
    Raises KeyReused if the key belongs to a different request; SlotTaken, with alternatives, if
    the time is unavailable; InvalidInput if the business or the person does not offer the service;
    NotPermitted if the caller may not book for customers; and what `limits.check` raises.
    """
    if (known := _known(db, asking, request)) is not None:
        return known, None
    wanted = now
    try:
        wanted, id, is_offered = slot(db, request.creneau_id, request.prestation_id)
        if not is_offered:
            raise InvalidInput({"prestation_id": NOT_OFFERED})
        made = calendar.run(db, partial(_book, db, asking, request, id, wanted, now), now)
    except (SlotTaken, TooManyUpcoming, peewee.IntegrityError) as ex:
        is_repeated = isinstance(ex, Refusal) or db.violates(ex, "reservation", "demandeur_id")
        # If the client sent the request twice, the other request may have made the booking.
        if is_repeated and (known := _known(db, asking, request)) is not None:
            return known, None
        if isinstance(ex, peewee.IntegrityError):
            records.holder(db, asking.id)  # raises TokenInvalid if the account was erased
        if isinstance(ex, SlotTaken):
            asked = alternatives.terms_of_request(db, asking, request, now)
            alternatives.add(db, ex, *asked, wanted, request.ressource_id, now)
        raise
    db.counters.count(BOOKINGS, "booked")
    return made.id, made


def _known(db: Database, asking: Account, request: Request) -> int | None:
    """Returns the id of the booking with the same Idempotency-Key, or None if there is no such
    booking. Raises KeyReused if the key belongs to a different request."""
    rows = db.rows(_KNOWN, asking.id, request.cle) if request.cle is not None else []
    if not rows:
        return None
    number, empreinte = rows[0]
    if empreinte != request.digest():
        raise KeyReused()
    db.counters.count(BOOKINGS, "repeated")
    return int(number)


def slot(db: Database, creneau_id: int, prestation_id: int) -> tuple[int, int, bool]:
    """Returns the start of a slot, the id of its business, and whether the business offers the
    service. Raises SlotTaken if the slot was deleted, for example by new weekly hours."""
    rows = db.rows(_SLOT, prestation_id, creneau_id)
    if not rows:
        raise SlotTaken(FERME)
    debut, entreprise_id, actif = rows[0]
    return debut, entreprise_id, bool(actif)


def _book(
    db: Database, asking: Account, request: Request, entreprise_id: int, debut: int, now: int
) -> ReservationRecord:
    entreprise, service = _terms(db, request, entreprise_id)
    who = performers.of_service(db, entreprise.id, service)
    by_owner, wanted = asking.acts_for(entreprise.proprietaire_id), request.ressource_id
    if request.client is not None:  # the business books for a customer
        entreprise = entreprise.for_business().since_midnight(now)
        if not by_owner:
            wanted, by_owner = _own_calendar(asking, request, who), True
    customer = _customer(db, asking, request, entreprise, now)
    visit = choosing.narrowed(Visit.of(service, request.places, who), wanted, request.lieu_id)
    placed = choosing.take(db, entreprise, visit, debut, now)
    # A booking that the business makes needs no approval.
    statut = "demandee" if entreprise.validation_manuelle and not by_owner else "confirmee"
    columns: dict[str, Any] = {
        "entreprise_id": entreprise.id,
        "prestation_id": service.id,
        "client_id": customer.id,
        "titulaire_id": customer.utilisateur_id,
        **placed,
        "debut": debut,
        "fin": debut + visit.length,
        "places": request.places,
        "prix_centimes": service.prix_centimes,
        "statut": statut,
        "commentaire": request.commentaire,
        "version": 1,
        "cree_le": now,
    }
    made = _record(_insert(db, asking, request, columns), columns, entreprise, service, who)
    by_business = request.client is not None or asking.id == entreprise.proprietaire_id
    business = "" if by_business else _TO_BUSINESS[statut]
    reminder = entreprise.rappel_heures if statut == "confirmee" else 0
    outbox.tell(db, made, now, customer=statut, business=business, reminder=reminder)
    return made


def _terms(db: Database, request: Request, id: int) -> tuple[BusinessTerms, ServiceTerms]:
    alone = request.client is not None  # so that two requests cannot create the same customer
    entreprise, service = terms(db, id, request.prestation_id, shared=True, alone=alone)
    if service is None or not service.actif:
        raise SlotTaken(FERME)
    if request.prestation_version not in (None, service.version):
        raise ServiceChanged()
    return entreprise, service


def _own_calendar(asking: Account, request: Request, who: Performers) -> int:
    own = who.of_account(asking.id)
    if request.ressource_id not in (None, own):
        raise NotPermitted()
    return own


def _customer(
    db: Database, asking: Account, request: Request, entreprise: BusinessTerms, now: int
) -> CustomerRecord:
    by_owner = asking.acts_for(entreprise.proprietaire_id)
    if request.client is not None:
        return recognising.described(db, entreprise.id, request.client, now, by_owner)
    if request.lieu_id is not None:
        raise NotPermitted()
    customer = records.of_account(db, entreprise.id, asking.id, now)
    if not by_owner:
        limits.check(db, entreprise, customer, now)
    return customer


def _insert(db: Database, asking: Account, request: Request, columns: dict[str, Any]) -> int:
    values = columns | {
        "demandeur_id": asking.id,
        "cle_idempotence": request.cle,
        "empreinte": request.digest() if request.cle is not None else None,
        "modifie_le": columns["cree_le"],
    }
    return insert(db, "reservation", values)


def _record(
    number: int, columns: dict[str, Any], entreprise: BusinessTerms, service: ServiceTerms,
    who: Performers,
) -> ReservationRecord:
    person = next(one for one in who.members if one.id == columns["ressource_id"])
    return ReservationRecord(
        number,
        **columns,
        entreprise_nom=entreprise.nom,
        fuseau=entreprise.fuseau,
        proprietaire_id=entreprise.proprietaire_id,
        prestation_nom=service.nom,
        ressource_nom=person.nom,
        performer_id=person.utilisateur_id,
        lieu_nom=who.name(columns["lieu_id"]),
    )
