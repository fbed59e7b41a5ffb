"""What a business and its service ask of a booking."""

from dataclasses import dataclass
from typing import NamedTuple

from reservation.domain.calendar import calendar
from reservation.errors import Fault, NotFound
from reservation.storage.database import Database
from reservation.storage.models import Prestation

NOT_OFFERED = Fault("unknown_service", "is not a service of this business")
_TERMS = (
    "SELECT e.id, e.proprietaire_id, e.nom, e.fuseau, e.actif, e.delai_reservation,"
    " e.horizon_jours, e.delai_annulation, e.validation_manuelle, e.rappel_heures,"
    " e.calendrier_jusqua,"
    " p.id, p.nom, p.actif, p.duree_minutes, p.tampon_avant, p.tampon_apres,"
    " p.intervalle_minutes FROM entreprise e LEFT JOIN prestation p"
    " ON p.id = ? AND p.entreprise_id = e.id WHERE e.id = ?"
)


@dataclass(slots=True)
class Terms:
    """What a business asks of a booking; fields as in Entreprise."""

    id: int
    proprietaire_id: int
    nom: str
    fuseau: str
    actif: int
    delai_reservation: int
    horizon_jours: int
    delai_annulation: int
    validation_manuelle: int
    rappel_heures: int
    calendrier_jusqua: int


class Offered(NamedTuple):
    """What a service asks of a calendar; fields as in Prestation."""

    id: int
    nom: str
    actif: int
    duree_minutes: int
    tampon_avant: int
    tampon_apres: int
    intervalle_minutes: int | None


def terms(
    db: Database, entreprise_id: int, prestation_id: int | None, shared: bool = False
) -> tuple[Terms, Offered | None]:
    """Returns the terms of a business and of its service, None if that is another's.

    With `shared` they and the calendar stay as they are until the transaction ends. Raises
    NotFound.
    """
    sql = _TERMS
    if shared:
        sql += db.FOR_SHARE
        calendar.share(db, entreprise_id)
    rows = db.rows(sql, prestation_id or 0, entreprise_id)
    if not rows:
        raise NotFound()
    row = rows[0]
    return Terms(*row[:11]), Offered(*row[11:]) if row[11] is not None else None


@dataclass(frozen=True, slots=True)
class Visit:
    """What a booking asks of a calendar, in seconds. duree 0 is one creneau, however long."""

    duree: int = 0
    avant: int = 0
    apres: int = 0
    intervalle: int | None = None
    prestation_id: int | None = None
    places: int = 1

    @classmethod
    def of(cls, prestation: Prestation | Offered, places: int = 1) -> "Visit":
        interval = prestation.intervalle_minutes
        return cls(
            prestation.duree_minutes * 60,
            prestation.tampon_avant * 60,
            prestation.tampon_apres * 60,
            interval * 60 if interval else None,
            prestation.id,
            places,
        )
