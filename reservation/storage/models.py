"""The models of the tables. schema.sql is authoritative; a test compares the models with it.

Models are not bound to a database, because a process may use several databases: each query gets
its database as an argument, as in `Creneau.select().execute(db)`.
"""

from typing import TYPE_CHECKING, Any

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    CharField,
    DateField,
    ForeignKeyField,
    IntegerField,
    Model,
    TextField,
)

from reservation.lib.folding import search_key


class BaseModel(Model):
    """Declares for mypy what peewee adds: `id`, and `…_id` for each foreign key."""

    id: Any

    class Meta:
        legacy_table_names = True  # a table has the name of its model, in lower case

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class TypeUtilisateur(BaseModel):
    nom = CharField(20, unique=True)


class Utilisateur(BaseModel):
    type = ForeignKeyField(TypeUtilisateur)
    email = CharField(254, unique=True)
    email_prouve_le = BigIntegerField(null=True)
    mot_de_passe_hash = CharField(100, null=True)
    nom = CharField(100)
    nom_cle = CharField(100, index=True)
    prenom = CharField(100, default="")
    date_naissance = DateField(null=True)
    telephone = CharField(40, default="")
    ecole = CharField(200, default="")
    langue = CharField(2, default="fr")
    actif = BooleanField(default=True)
    jetons_depuis = BigIntegerField(default=0)
    reinit_empreinte = CharField(64, null=True)
    reinit_jusqua = BigIntegerField(default=0)
    flux_version = IntegerField(default=1)
    cree_le = BigIntegerField()


class Entreprise(BaseModel):
    proprietaire = ForeignKeyField(Utilisateur)
    adresse_courte = CharField(80, unique=True)
    nom = CharField(150)
    nom_cle = CharField(150)
    description = TextField(default="")
    adresse = CharField(200, default="")
    code_postal = CharField(10, default="")
    ville = CharField(100)
    ville_cle = CharField(100, index=True)
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
    flux_version = IntegerField(default=1)
    version = IntegerField(default=1)
    cree_le = BigIntegerField()

    class Meta:
        indexes = ((("ville_cle", "code_postal"), False),)


class AncienneAdresse(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    adresse = CharField(80, unique=True)

    class Meta:
        table_name = "ancienne_adresse"


class Photo(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    genre = CharField(5)
    texte = CharField(200)
    ordre = IntegerField()
    empreinte = CharField(32, index=True)
    largeur = IntegerField()
    hauteur = IntegerField()
    version = IntegerField(default=1)
    cree_le = BigIntegerField()


class Image(BaseModel):
    photo = ForeignKeyField(Photo, index=False)
    taille = IntegerField()
    octets = BlobField()

    class Meta:
        indexes = ((("photo", "taille"), True),)


class Prestation(BaseModel):
    entreprise = ForeignKeyField(Entreprise)
    nom = CharField(150)
    nom_cle = CharField(150)
    categorie = CharField(100, default="")
    description = TextField(default="")
    duree_minutes = IntegerField()
    duree_max_minutes = IntegerField(index=True)
    tampon_avant = IntegerField(default=0)
    tampon_apres = IntegerField(default=0)
    intervalle_minutes = IntegerField(null=True)
    prix_centimes = IntegerField(default=0)
    lieu_requis = BooleanField(default=False)
    actif = BooleanField(default=True)
    version = IntegerField(default=1)


class Mot(BaseModel):
    texte = CharField(30, unique=True)
    envers = CharField(30, index=True)
    racine = CharField(30, index=True)


class Occurrence(BaseModel):
    entreprise = ForeignKeyField(Entreprise, index=False)
    mot = CharField(60)
    rang = IntegerField()

    class Meta:
        indexes = ((("entreprise", "mot"), True), (("mot", "entreprise", "rang"), False))


class Ressource(BaseModel):
    entreprise = ForeignKeyField(Entreprise, index=False)
    genre = CharField(8, default="personne")
    nom = CharField(100, default="")
    description = TextField(default="")
    ordre = IntegerField(default=0)
    semaine_propre = BooleanField(default=False)
    actif = BooleanField(default=True)
    utilisateur = ForeignKeyField(Utilisateur, null=True)
    flux_version = IntegerField(default=1)
    version = IntegerField(default=1)
    cree_le = BigIntegerField()

    class Meta:
        indexes = ((("entreprise", "utilisateur"), True),)


class PrestationRessource(BaseModel):
    prestation = ForeignKeyField(Prestation, index=False)
    ressource = ForeignKeyField(Ressource)

    class Meta:
        table_name = "prestation_ressource"
        indexes = ((("prestation", "ressource"), True),)


class SemaineType(BaseModel):
    entreprise = ForeignKeyField(Entreprise, index=False)
    ressource = ForeignKeyField(Ressource, null=True)
    jour = IntegerField()
    debut = IntegerField()
    fin = IntegerField()
    pas_minutes = IntegerField()
    capacite = IntegerField(default=1)
    prestation = ForeignKeyField(Prestation, null=True)

    class Meta:
        indexes = ((("entreprise", "ressource", "jour", "debut"), True),)


class Evenement(BaseModel):
    entreprise = ForeignKeyField(Entreprise, index=False)
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

    class Meta:
        indexes = (
            (("entreprise", "fin"), False),
            (("entreprise", "debut"), False),
            (("portee_jours", "debut"), False),
        )


class Creneau(BaseModel):
    ressource = ForeignKeyField(Ressource, index=False)
    debut = BigIntegerField()
    fin = BigIntegerField()
    ouverture = BigIntegerField()
    capacite = IntegerField()
    capacite_prevue = IntegerField()
    places_prises = IntegerField(default=0)
    ouvert = BooleanField(default=True)
    prestation = ForeignKeyField(Prestation, null=True)

    class Meta:
        indexes = ((("ressource", "debut"), True),)


class Client(BaseModel):
    entreprise = ForeignKeyField(Entreprise, index=False)
    utilisateur = ForeignKeyField(Utilisateur, null=True)
    email = CharField(254, index=True)
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

    class Meta:
        indexes = (
            (("entreprise", "utilisateur"), True),
            (("entreprise", "email"), False),
            (("entreprise", "telephone_cle"), False),
            (("entreprise", "nom_cle"), False),
        )

    @staticmethod
    def keys(nom: str, prenom: str, telephone: str) -> dict[str, str]:
        """Returns the columns for searches."""
        digits = "".join(filter(str.isdecimal, telephone))
        return {"nom_cle": search_key(f"{nom} {prenom}")[:201], "telephone_cle": digits}


class Reservation(BaseModel):
    client = ForeignKeyField(Client, index=False)
    titulaire = ForeignKeyField(Utilisateur, null=True, index=False)
    demandeur = ForeignKeyField(Utilisateur, null=True, index=False)
    entreprise = ForeignKeyField(Entreprise, index=False)
    prestation = ForeignKeyField(Prestation)
    ressource = ForeignKeyField(Ressource, index=False)
    lieu = ForeignKeyField(Ressource, null=True, index=False, backref="+")
    creneau = ForeignKeyField(Creneau, null=True, on_delete="SET NULL")
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

    class Meta:
        indexes = (
            (("demandeur", "cle_idempotence"), True),
            (("titulaire", "debut"), False),
            (("client", "debut"), False),
            (("entreprise", "debut"), False),
            (("entreprise", "statut", "debut"), False),
            (("ressource", "debut"), False),
            (("lieu", "debut"), False),
            (("statut", "debut"), False),
            (("debut",), False),
        )


class EventEmail(BaseModel):
    reservation = ForeignKeyField(Reservation, null=True)
    entreprise = ForeignKeyField(Entreprise, null=True, index=False)
    ressource = ForeignKeyField(Ressource, null=True, index=False)
    genre = CharField(20)
    destinataire = CharField(254, index=True)
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

    class Meta:
        indexes = (
            (("statut", "prochain_essai"), False),
            (("statut",), False),
            (("entreprise", "statut"), False),
            (("ressource", "statut"), False),
        )


class Code(BaseModel):
    cle = CharField(64, unique=True)
    empreinte = CharField(64)
    essais = IntegerField()
    jusqua = BigIntegerField()


class Tentative(BaseModel):
    cle = CharField(64, unique=True)
    nombre = IntegerField()
    depuis = BigIntegerField()
    bloque_jusqua = BigIntegerField()


MODELS = tuple(BaseModel.__subclasses__())  # a table comes after the tables that it references
