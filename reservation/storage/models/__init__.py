"""The models of the tables in schema.sql, which alone defines their keys and indexes.

Models are not bound to a database. Each query takes the database as an argument:
`Creneau.select().execute(db)`.
"""

from reservation.storage.models.base import BaseModel
from reservation.storage.models.bookings import Client, EventEmail, Reservation
from reservation.storage.models.businesses import (
    AncienneAdresse,
    Creneau,
    Entreprise,
    Evenement,
    Image,
    Mot,
    Occurrence,
    Photo,
    Prestation,
    PrestationRessource,
    Ressource,
    SemaineType,
)
from reservation.storage.models.people import Code, Tentative, TypeUtilisateur, Utilisateur

__all__ = (
    "AncienneAdresse", "BaseModel", "Client", "Code", "Creneau", "Entreprise", "Evenement",
    "EventEmail", "Image", "Mot", "Occurrence", "Photo", "Prestation", "PrestationRessource",
    "Reservation", "Ressource", "SemaineType", "Tentative", "TypeUtilisateur", "Utilisateur",
    "MODELS",
)

MODELS = tuple(BaseModel.__subclasses__())  # referenced tables come first
