"""Booking: a new reservation and the places that it holds, in one transaction.

Locks are taken in one order: the business (shared), creneaux by start, reservation, eventemail.
"""

import time
from dataclasses import dataclass

import peewee

from reservation.domain.booking import holds, outcomes
from reservation.domain.calendar import calendar
from reservation.domain.calendar.availability import FERME
from reservation.domain.calendar.terms import NOT_OFFERED, Offered, Visit, terms
from reservation.domain.messages import outbox
from reservation.domain.people.accounts import Account
from reservation.errors import InvalidInput, KeyReused, SlotTaken
from reservation.storage.database import Database

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
        debut, entreprise_id = start_of(db, request.creneau_id)
        entreprise, service = terms(db, entreprise_id, request.prestation_id)
        if service is None or not service.actif:
            raise InvalidInput({"prestation_id": NOT_OFFERED})
        number = calendar.upon(
            db,
            entreprise,
            end_of(service, debut),
            now,
            lambda: _book(db, asking, request, entreprise_id, debut, now),
        )
    except (SlotTaken, peewee.IntegrityError) as ex:
        if not (isinstance(ex, SlotTaken) or db.violates(ex, "reservation", "demandeur_id")):
            raise
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


def start_of(db: Database, creneau_id: int) -> tuple[int, int]:
    """When it starts and whose it is. Raises SlotTaken: a changed week may have taken it away."""
    rows = db.rows("SELECT debut, entreprise_id FROM creneau WHERE id = ?", creneau_id)
    if not rows:
        raise SlotTaken()
    return rows[0][0], rows[0][1]


def end_of(service: Offered, debut: int) -> int:
    """Returns the end of a visit with its buffer."""
    visit = Visit.of(service)
    return debut + visit.duree + visit.apres


def _book(
    db: Database, asking: Account, request: Request, entreprise_id: int, debut: int, now: int
) -> int:
    entreprise, service = terms(db, entreprise_id, request.prestation_id, shared=True)
    if service is None or not service.actif:
        raise SlotTaken(FERME)
    visit = Visit.of(service, request.places)
    hold = holds.take(db, entreprise, visit, request.creneau_id, debut, holds.NOTHING, now)
    for_itself = asking.acts_for(entreprise.proprietaire_id)
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
