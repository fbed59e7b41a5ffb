"""Persons and rooms of a business, for tests."""

from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise, PrestationRessource, Ressource
from tests.calendars import calendar_of
from tests.clock import now


def name(db: Database, entreprise_id: int, nom: str) -> int:
    """Names the first person of a business. Returns the id of the person."""
    number = calendar_of(db, entreprise_id)
    Ressource.update(nom=nom).where(Ressource.id == number).execute(db)
    return number


def add(db: Database, entreprise_id: int, nom: str, genre: str = "personne") -> int:
    """Adds a person or a room with the hours of the business. Returns the id."""

    def work() -> int:
        count = Ressource.select().where(Ressource.entreprise == entreprise_id).count(db)
        Entreprise.update(calendrier_jusqua=0).where(Entreprise.id == entreprise_id).execute(db)
        row = dict(entreprise=entreprise_id, nom=nom, genre=genre, ordre=count, cree_le=now())
        return int(Ressource.insert(row).execute(db))

    return transaction(db, work)


def performs(db: Database, prestation_id: int, *ressource_ids: int) -> None:
    """Lists persons or rooms for a service."""
    for number in ressource_ids:
        PrestationRessource.insert(prestation=prestation_id, ressource=number).execute(db)


def retire(db: Database, ressource_id: int) -> None:
    """Retires a person or a room."""
    Ressource.update(actif=False).where(Ressource.id == ressource_id).execute(db)
    row = Ressource.select().where(Ressource.id == ressource_id).first(db)
    Entreprise.update(calendrier_jusqua=0).where(Entreprise.id == row.entreprise_id).execute(db)
