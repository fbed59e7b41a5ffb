"""Models of customers, bookings and messages."""

from peewee import (
    BigIntegerField,
    BooleanField,
    CharField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from reservation.lib.folding import search_key
from reservation.lib.telephones import national
from reservation.storage.models.base import BaseModel
from reservation.storage.models.businesses import Creneau, Entreprise, Prestation, Ressource
from reservation.storage.models.people import Utilisateur


class Client(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    utilisateur = ForeignKeyField(Utilisateur, null=True)
    email = CharField(254)
    nom = CharField(100)
    nom_cle = CharField(201)
    prenom = CharField(100)
    telephone = CharField(40)
    telephone_cle = CharField(40)
    suit_compte = BooleanField()
    note = TextField(default="")
    bloque = BooleanField(default=False)
    version = IntegerField(default=1)
    cree_le = BigIntegerField()

    @staticmethod
    def keys(nom: str, prenom: str, telephone: str) -> dict[str, str]:
        """Returns the keys for searches: both names without case and accents, and the telephone
        number without the prefix of France (see `national`)."""
        names = search_key(f"{nom} {prenom}")[:201]
        return {"nom_cle": names, "telephone_cle": national(telephone)}


class Reservation(BaseModel):
    client = ForeignKeyField(Client)
    titulaire = ForeignKeyField(Utilisateur, null=True)
    demandeur = ForeignKeyField(Utilisateur, null=True)
    entreprise = ForeignKeyField(Entreprise)
    prestation = ForeignKeyField(Prestation)
    ressource = ForeignKeyField(Ressource)
    lieu = ForeignKeyField(Ressource, null=True, backref="+")
    creneau = ForeignKeyField(Creneau, null=True)
    debut = BigIntegerField()
    fin = BigIntegerField()
    occupe_debut = BigIntegerField()
    occupe_fin = BigIntegerField()
    places = IntegerField(default=1)
    prix_centimes = IntegerField(default=0)
    statut = CharField(10)
    commentaire = TextField(default="")
    cle_idempotence = CharField(100, null=True)
    empreinte = CharField(64, null=True)
    version = IntegerField(default=1)
    cree_le = BigIntegerField()
    modifie_le = BigIntegerField()


class EventEmail(BaseModel):
    reservation = ForeignKeyField(Reservation, null=True)
    entreprise = ForeignKeyField(Entreprise, null=True)
    ressource = ForeignKeyField(Ressource, null=True)
    genre = CharField(20)
    destinataire = CharField(254)
    message = CharField(1000, null=True)
    debut = BigIntegerField(null=True)
    fin = BigIntegerField(null=True)
    sequence = IntegerField(default=0)
    sujet = CharField(250, default="")
    corps = TextField(default="")
    piece_jointe = TextField(null=True)
    statut = CharField(10, default="attente")
    essais = IntegerField(default=0)
    prochain_essai = BigIntegerField()
    derniere_erreur = CharField(500, null=True)
    envoye_le = BigIntegerField(null=True)
    cree_le = BigIntegerField()
