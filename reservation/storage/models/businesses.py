"""Models of businesses: their services, people, rooms, pictures, hours, events and slots, and the
index for searches."""

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    CharField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from reservation.storage.models.base import BaseModel, first_feed_version
from reservation.storage.models.people import Utilisateur


class Entreprise(BaseModel):
    proprietaire = ForeignKeyField(Utilisateur)
    adresse_courte = CharField(80)
    nom = CharField(150)
    nom_cle = CharField(150)
    description = TextField(default="")
    adresse = CharField(200, default="")
    code_postal = CharField(10, default="")
    ville = CharField(100)
    ville_cle = CharField(100)
    telephone = CharField(40, default="")
    email = CharField(254, default="")
    metiers = CharField(310, default="")
    fuseau = CharField(64, default="Europe/Paris")
    delai_reservation = IntegerField(default=0)
    horizon_jours = IntegerField(default=90)
    delai_annulation = IntegerField(default=0)
    validation_manuelle = BooleanField(default=False)
    rappel_heures = IntegerField(default=24)
    max_a_venir = IntegerField(null=True)
    mails_par_jour = IntegerField(null=True)
    actif = BooleanField(default=True)
    calendrier_jusqua = BigIntegerField(default=0)
    calendrier_version = IntegerField(default=0)
    flux_version = IntegerField(default=first_feed_version)
    version = IntegerField(default=1)
    cree_le = BigIntegerField()


class AncienneAdresse(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    adresse = CharField(80)

    class Meta:
        table_name = "ancienne_adresse"


class Photo(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    genre = CharField(5)
    texte = CharField(200)
    ordre = IntegerField()
    empreinte = CharField(32)
    largeur = IntegerField()
    hauteur = IntegerField()
    version = IntegerField(default=1)
    cree_le = BigIntegerField()


class Image(BaseModel):
    photo = ForeignKeyField(Photo)
    taille = IntegerField()
    octets = BlobField()


class Prestation(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    nom = CharField(150)
    nom_cle = CharField(150)
    categorie = CharField(100, default="")
    description = TextField(default="")
    duree_minutes = IntegerField()
    duree_max_minutes = IntegerField()
    tampon_avant = IntegerField(default=0)
    tampon_apres = IntegerField(default=0)
    intervalle_minutes = IntegerField(null=True)
    prix_centimes = IntegerField(default=0)
    lieu_requis = BooleanField(default=False)
    actif = BooleanField(default=True)
    version = IntegerField(default=1)


class Mot(BaseModel):
    texte = CharField(30)
    envers = CharField(30)
    racine = CharField(30)


class Occurrence(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    mot = CharField(60)
    rang = IntegerField()


class Ressource(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    genre = CharField(8, default="personne")
    nom = CharField(100, default="")
    description = TextField(default="")
    ordre = IntegerField(default=0)
    semaine_propre = BooleanField(default=False)
    actif = BooleanField(default=True)
    utilisateur = ForeignKeyField(Utilisateur, null=True)
    flux_version = IntegerField(default=first_feed_version)
    version = IntegerField(default=1)
    cree_le = BigIntegerField()


class PrestationRessource(BaseModel):
    prestation = ForeignKeyField(Prestation)
    ressource = ForeignKeyField(Ressource)

    class Meta:
        table_name = "prestation_ressource"


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
