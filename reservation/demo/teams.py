"""Adds the persons and rooms of a shop."""

from typing import Any

from reservation.demo.town import Shop, ShopService
from reservation.domain.calendar.performers import PERSON
from reservation.domain.planning import own_hours, ressources, team
from reservation.storage.database import Database
from reservation.storage.models import Entreprise


def add(db: Database, shop: Shop, entreprise: Entreprise, now: int) -> dict[str, int]:
    """Adds the team of a shop. Returns {name: id}, or {} if the owner works alone."""
    for ordre, member in enumerate(shop.equipe[1:], start=1):
        about = {"genre": member.genre, "nom": member.nom, "description": member.description}
        team.add(db, entreprise, {**about, "ordre": ordre, "compte": None}, now)
    found = ressources.listed(db, entreprise.id, None, team.MOST)
    # `team.add` names found[0] after the owner, but gives this person no description.
    if found:
        owner = {"nom": found[0].nom, "description": shop.equipe[0].description}
        values = {**owner, "ordre": 0, "compte": None, "actif": True}
        team.update(db, found[0], values, found[0].version, now)
    return {one.nom: one.id for one in found}


def able(shop: Shop, service: ShopService, ids: dict[str, int]) -> list[int]:
    """Returns the ids of the persons who perform a service, or [] if every person does."""
    persons = [member for member in shop.equipe if member.genre == PERSON]
    chosen = [one for one in persons if not one.prestations or service.nom in one.prestations]
    return [ids[one.nom] for one in chosen] if len(chosen) < len(persons) else []


def set_hours(db: Database, ressource_id: int, week: list[dict[str, Any]], now: int) -> None:
    found = ressources.get(db, ressource_id)
    own_hours.replace(db, found, week, now, found.version)
