"""Models of accounts, codes that are sent by e-mail, and counts of attempts."""

from peewee import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateField,
    ForeignKeyField,
    IntegerField,
)

from reservation.storage.models.base import BaseModel, first_feed_version


class TypeUtilisateur(BaseModel):
    nom = CharField(20)


class Utilisateur(BaseModel):
    type = ForeignKeyField(TypeUtilisateur)
    email = CharField(254)
    email_prouve_le = BigIntegerField(null=True)
    mot_de_passe_hash = CharField(100, null=True)
    nom = CharField(100)
    nom_cle = CharField(100)
    prenom = CharField(100, default="")
    date_naissance = DateField(null=True)
    telephone = CharField(40, default="")
    ecole = CharField(200, default="")
    langue = CharField(2, default="fr")
    actif = BooleanField(default=True)
    jetons_depuis = BigIntegerField(default=0)
    dernier_jeton_le = BigIntegerField(default=0)
    reinit_empreinte = CharField(64, null=True)
    reinit_jusqua = BigIntegerField(default=0)
    flux_version = IntegerField(default=first_feed_version)
    cree_le = BigIntegerField()


class Code(BaseModel):
    cle = CharField(64)
    empreinte = CharField(64)
    essais = IntegerField()
    jusqua = BigIntegerField()


class Tentative(BaseModel):
    cle = CharField(64)
    nombre = IntegerField()
    depuis = BigIntegerField()
    bloque_jusqua = BigIntegerField()
