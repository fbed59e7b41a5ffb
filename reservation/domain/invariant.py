"""The invariant: the places taken of a creneau are those of the active bookings that cover it."""

from collections.abc import Iterator
from typing import NamedTuple

from reservation.domain import calendar
from reservation.storage.database import Database, transaction
from reservation.storage.models import Creneau

_CRENEAUX = (
    "SELECT id, debut, fin, capacite_prevue, places_prises FROM creneau WHERE entreprise_id = ?"
    " ORDER BY debut"
)
_HOLDING = (
    "SELECT occupe_debut, occupe_fin, places FROM reservation WHERE entreprise_id = ?"
    " AND statut NOT IN ('refusee', 'annulee') ORDER BY occupe_debut"
)


class Breach(NamedTuple):
    """A creneau whose places taken are not what its bookings hold."""

    creneau_id: int
    debut: int
    prevue: int  # the capacity that the week gives
    prises: int
    tenues: int  # what the bookings hold


def businesses(db: Database) -> list[int]:
    return [number for (number,) in db.rows("SELECT id FROM entreprise ORDER BY id")]


def breaches(db: Database, entreprise_id: int) -> list[Breach]:
    """The creneaux of one business that break the invariant, by start."""
    return list(_breaches(db, entreprise_id))


def _breaches(db: Database, entreprise_id: int) -> Iterator[Breach]:
    holding = db.rows(_HOLDING, entreprise_id)
    open_, coming = [], 0
    for number, debut, fin, prevue, prises in db.rows(_CRENEAUX, entreprise_id):
        while coming < len(holding) and holding[coming][0] < fin:
            open_.append(holding[coming])
            coming += 1
        open_ = [hold for hold in open_ if hold[1] > debut]
        tenues = sum(places for _, _, places in open_)
        if tenues != prises:
            yield Breach(number, debut, prevue, prises, tenues)


def repair(db: Database, entreprise_id: int) -> list[Breach]:
    """Set the places taken to what the bookings hold; what was mended."""

    def work() -> list[Breach]:
        calendar.lock(db, entreprise_id)
        found = breaches(db, entreprise_id)
        for breach in found:
            changes = {
                "places_prises": breach.tenues,
                "capacite": max(breach.prevue, breach.tenues),
            }
            Creneau.update(changes).where(Creneau.id == breach.creneau_id).execute(db)
        return found

    return transaction(db, work)
