"""Adds closures, for example for public holidays. Repeated requests add a closure only once."""

from contextlib import suppress

from reservation.domain.budget import Budget
from reservation.domain.planning import events
from reservation.domain.planning.events import Values
from reservation.domain.planning.replanning import PlanOutcome
from reservation.lib import instants
from reservation.lib.holidays import public_holidays
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Evenement


class ClosureExists(Exception):
    """The business already has the closure. `id` is the id of its event."""

    def __init__(self, id: int) -> None:
        super().__init__()
        self.id = id


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
    db: Database, entreprise: Entreprise, year: int, region: str, since: int = 0
) -> list[Values]:
    """Returns closures for the public holidays of a year. Omits holidays that end by `since`,
    and closures that exist already."""
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
    return [
        values for values in closures
        if values["fin"] > since and (values["debut"], values["titre"]) not in there
    ]


def close_holidays(
    db: Database, entreprise: Entreprise, missing: list[Values], now: int, budget: Budget
) -> list[PlanOutcome]:
    """Adds closures, except closures that another request adds at the same time."""
    made = []
    for values in missing:
        with suppress(ClosureExists):
            made.append(add(db, entreprise, values, "titre", now, budget))
    return made


def add(
    db: Database, entreprise: Entreprise, values: Values, by: str, now: int, budget: Budget
) -> PlanOutcome:
    """Adds a closure. `by` is the name of a column. Raises ClosureExists if the business has a
    closure for the same person or room, with the same start and the same value in this column."""
    columns = Evenement._meta.columns
    same = (Evenement.entreprise == entreprise.id) & (Evenement.type == "fermeture")
    for name in ("ressource_id", "debut", by):
        same &= columns[name] == values[name]  # IS NULL for None

    def check() -> None:
        known = Evenement.select(Evenement.id).where(same).first(db)
        if known is not None:
            raise ClosureExists(known.id)

    return events.add(db, entreprise, values, now, budget, check)
