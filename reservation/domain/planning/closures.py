"""Makes the column values of closures, for example for public holidays."""

from typing import Any

from reservation.lib import instants
from reservation.lib.holidays import public_holidays
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Evenement

Values = dict[str, Any]


def values_of(titre: str, debut: int, fin: int, ressource_id: int | None = None) -> Values:
    """Without `ressource_id`, the closure is for the whole business."""
    return {
        "type": "fermeture",
        "titre": titre,
        "description": "",
        "debut": debut,
        "fin": fin,
        "pas_minutes": None,
        "capacite": None,
        "ressource_id": ressource_id,
    }


def missing_holidays(
    db: Database, entreprise: Entreprise, year: int, region: str
) -> list[Values]:
    """Returns a closure for each public holiday of the year. Omits closures that exist already."""
    zone = instants.zone_of(entreprise.fuseau)
    known = Evenement.select(Evenement.debut, Evenement.titre).where(
        (Evenement.entreprise == entreprise.id) & (Evenement.type == "fermeture")
        & Evenement.ressource.is_null()
    )
    there = {(row.debut, row.titre) for row in known.execute(db)}
    holidays = public_holidays(year, region).items()
    closures = [
        values_of(name, instants.midnight(day, zone), instants.end_of(day, zone))
        for day, name in holidays
    ]
    return [values for values in closures if (values["debut"], values["titre"]) not in there]
