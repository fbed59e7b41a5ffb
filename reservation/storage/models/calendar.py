"""Models of weekly hours, events and slots."""

from peewee import (
    BigIntegerField,
    BooleanField,
    CharField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from reservation.storage.models.base import BaseModel
from reservation.storage.models.businesses import Entreprise, Prestation, Ressource


class SemaineType(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    ressource = ForeignKeyField(Ressource, null=True)
    jour = IntegerField()
    debut = IntegerField()
    fin = IntegerField()
    pas_minutes = IntegerField()
    capacite = IntegerField(default=1)
    prestation = ForeignKeyField(Prestation, null=True)


class Evenement(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    ressource = ForeignKeyField(Ressource, null=True)
    type = CharField(12)
    titre = CharField(150)
    description = TextField(default="")
    debut = BigIntegerField()
    fin = BigIntegerField()
    portee_jours = IntegerField()
    pas_minutes = IntegerField(null=True)
    capacite = IntegerField(null=True)
    version = IntegerField(default=1)


class Creneau(BaseModel):
    ressource = ForeignKeyField(Ressource)
    debut = BigIntegerField()
    fin = BigIntegerField()
    ouverture = BigIntegerField()
    capacite = IntegerField()
    capacite_prevue = IntegerField()
    places_prises = IntegerField(default=0)
    ouvert = BooleanField(default=True)
    prestation = ForeignKeyField(Prestation, null=True)
