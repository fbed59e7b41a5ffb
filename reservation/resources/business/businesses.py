"""Businesses: searching, creating and listing them."""

from typing import Any

from reservation.domain.budget import Budget
from reservation.domain.calendar.terms import LONGEST_HORIZON
from reservation.domain.catalogue import offers, search
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses
from reservation.operations import kinds, properties, queries
from reservation.operations.answers import created, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.kinds import text, whole
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent, nested, within
from reservation.operations.queries import Page, PageQuery, by_id
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, Properties, Property, Shape
from reservation.resources.business.starts import START
from reservation.storage.models import Entreprise

A_YEAR = 366 * 1440  # minutes


class EntrepriseInput(Body):
    nom = Field(text(150, shortest=1), example="Salon Alice")
    description = Field(text(5000), default="")
    adresse = Field(text(200), default="")
    code_postal = Field(text(10), default="")
    ville = Field(text(100, shortest=1), example="Lyon")
    telephone = Field(text(40), default="")
    email = Field(kinds.OPTIONAL_EMAIL, default="")
    metiers = Field(
        kinds.TRADES, default=[], example=["Coiffeur"], doc="The trades, for searches."
    )
    fuseau = Field(kinds.ZONE, default="Europe/Paris", doc="The IANA time zone.")
    delai_reservation = Field(
        whole(0, A_YEAR), default=0, doc="Minimum notice of a booking, in minutes."
    )
    horizon_jours = Field(whole(1, LONGEST_HORIZON), default=90, doc="Booking horizon, in days.")
    delai_annulation = Field(
        whole(0, A_YEAR),
        default=0,
        doc="Minimum notice to move or cancel a booking, in minutes. Does not apply to requests,"
        " and to visits during a closure: these can be moved or cancelled until they start.",
    )
    validation_manuelle = Field(
        kinds.FLAG, default=False, doc="Whether the owner must approve each booking."
    )
    rappel_heures = Field(
        whole(0, 720), default=24, doc="Hours from the reminder to the visit; 0: none."
    )
    adresse_courte = Field(
        kinds.SHORT_ADDRESS,
        default=None,
        example="salon-alice-lyon",
        doc="The path of the page of the business. Made from the name and the city if absent at"
        " first; unchanged if absent later. The last 10 former paths still lead to the page.",
    )
    max_a_venir = Field(
        whole(1, 1000),
        default=None,
        nullable=True,
        doc="Upper bound of the upcoming bookings of a customer; null: no limit.",
    )
    actif = Field(kinds.FLAG, default=True)


class EntrepriseSearch(PageQuery):
    q = Field(
        queries.WORDS,
        default="",
        doc="Words of the name, the trades, the services or the description, without regard to"
        " gender, plural and one typing error; also a city or a post code. The best match is"
        " first.",
    )
    ville = Field(
        queries.WORDS,
        default="",
        doc="A city or a post code. Businesses near by, in the same intercommunality, are last.",
    )
    prestation = Field(queries.WORDS, default="", doc="Part of the name of a service.")
    disponible = Field(
        queries.DATE,
        default=None,
        doc="Only businesses with a free time on this day.",
    )


_SHOWN: Properties = {
    "id": ID,
    "proprietaire_id": ID,
    **as_sent(EntrepriseInput),
    "version": properties.VERSION,
}
ENTREPRISE = Shape("Entreprise", _SHOWN)
_SERVICE = Shape(
    "OfferedService",
    {
        "id": ID,
        "nom": properties.text("Coupe femme"),
        "duree_minutes": {**properties.COUNT, "examples": [45]},
        "prix_centimes": {**properties.COUNT, "examples": [3900]},
        "version": properties.VERSION,
    },
)
_START = Shape(
    "OfferedStart",
    {
        **within("start", START, zone="entreprise.fuseau"),
        "prestation_id": Property(ID, source="prestation.id"),
        "prestation": nested(_SERVICE, "prestation"),
    },
)
OFFER = Shape(
    "Offer",
    {**within("entreprise", _SHOWN), "prochain_creneau": nested(_START, optional=True)},
)


class Entreprises(Resource):
    """GET, POST /api/entreprises"""

    @operation(
        "listEntreprises",
        "Search businesses",
        ok("A page of businesses.", Many(OFFER)),
        description="With `disponible` each business has a `prochainCreneau`. The search then"
        " reads the businesses in blocks, and sorts each block by the quality of the match, then"
        " by the earliest free time. A page with a `Link` to the next page is not the last page,"
        " even if it is empty.",
    )
    def on_get(self, query: EntrepriseSearch, now: int) -> Page[Any]:
        words: dict[str, Any] = {
            "q": query.q, "ville": query.ville, "prestation": query.prestation
        }
        if query.disponible is None:
            page = query.page(
                lambda after, most: search.businesses(self.db, **words, after=after, most=most),
                lambda row: (row.cle,),
            )
            return page.show(ENTREPRISE)
        found, cursor = offers.page(
            self.db,
            **words,
            day=query.disponible,
            after=query.after(4),
            most=query.limite,
            now=now,
            budget=Budget(),
        )
        return Page.before(found, cursor)

    @operation(
        "createEntreprise",
        "Create a business",
        created("The business.", ENTREPRISE, location="/api/entreprises/{id}"),
        description="If RESERVATION_LIMITS is `on`, the limit is 20 businesses per account in a"
        " day. Admins have no limit.",
        roles=("company", "admin"),
        refuses=refused(429),
    )
    def on_post(self, account: Account, body: EntrepriseInput, now: int) -> Entreprise:
        id = businesses.create(self.db, account, body.values, now, self.settings.limits)
        return businesses.get(self.db, id)


class EntreprisesOfAccount(Resource):
    """GET /api/compte/entreprises"""

    @operation(
        "listManagedEntreprises",
        "The caller's businesses, including inactive businesses; for an admin all businesses",
        ok("A page of businesses.", Many(ENTREPRISE)),
    )
    def on_get(self, account: Account, query: PageQuery) -> Page[Entreprise]:
        return query.page(
            lambda after, most: businesses.managed(self.db, account, after, most=most), by_id
        )
