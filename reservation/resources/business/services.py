"""The services of businesses."""

from collections.abc import Sequence
from typing import Any

from reservation.domain.calendar.performers import KINDS
from reservation.domain.catalogue import search
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, services
from reservation.operations import kinds, properties, queries
from reservation.operations.answers import created, no_content, ok
from reservation.operations.bodies import Body, entries
from reservation.operations.fields import Field
from reservation.operations.kinds import text, whole
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent
from reservation.operations.queries import Page, PageQuery, by_id
from reservation.operations.resource import Resource
from reservation.operations.schemas import Schema
from reservation.operations.shapes import Many, Property, Shape
from reservation.operations.versions import VERSION
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation


class PrestationInput(Body):
    nom = Field(text(150, shortest=1), example="Coupe femme")
    categorie = Field(
        text(100), default="", example="Coupes", doc="The heading above the service in lists."
    )
    description = Field(text(5000), default="")
    duree_minutes = Field(whole(1, 14 * 1440), example=45)
    tampon_avant = Field(whole(0, 1440), default=0, doc="Minutes kept free before the visit.")
    tampon_apres = Field(whole(0, 1440), default=0, doc="Minutes kept free after the visit.")
    intervalle_minutes = Field(
        whole(1, 1440),
        default=None,
        nullable=True,
        doc="Minutes from one start to the next, counted from the opening; null: visits start"
        " at each slot.",
    )
    prix_centimes = Field(whole(0, 10**9), default=0)
    ressources = Field(
        entries(kinds.REFERENCE, 200),
        default=[],
        doc="The persons who can perform the service, and the rooms where it can take place. With"
        " no person in the list, every person can perform it; with no room, every room is"
        " suitable.",
    )
    lieu_requis = Field(kinds.FLAG, default=False, doc="Whether a visit also needs a room.")
    actif = Field(kinds.FLAG, default=True)


class PrestationChange(PrestationInput):
    version = VERSION


class PrestationSearch(PageQuery):
    q = Field(queries.WORDS, default="", doc="Part of the name.")
    ville = Field(queries.WORDS, default="", doc="The city of the business.")


_RETIRED: Schema = {
    "type": "array",
    "items": kinds.choice(*KINDS).schema,
    "examples": [["personne"]],
    "description": "The kinds of which `ressources` lists only retired persons or rooms. Nobody"
    " can perform the service, or no room is suitable. Absent if there is no such kind.",
}
PRESTATION = Shape(
    "Prestation",
    {
        "id": ID,
        "entreprise_id": ID,
        **as_sent(PrestationInput),
        "genres_retires": Property(_RETIRED, optional=True),
        "version": properties.VERSION,
    },
)


def owned_service(db: Database, account: Account, id: int) -> Prestation:
    found = services.get(db, id)
    businesses.owned(db, account, found.entreprise_id)
    return found


def _page(resource: Resource, query: PageQuery, **wanted: Any) -> Page[Prestation]:
    def read(after: tuple[int, ...] | None, most: int) -> Sequence[Prestation]:
        found = search.services(resource.db, **wanted, after=after, most=most)
        return services.with_ressources(resource.db, found)

    return query.page(read, by_id)


class Prestations(Resource):
    """GET /api/prestations"""

    @operation(
        "searchPrestations",
        "Services of all businesses",
        ok("A page of services.", Many(PRESTATION)),
    )
    def on_get(self, query: PrestationSearch) -> Page[Prestation]:
        return _page(self, query, q=query.q, ville=query.ville)


class PrestationsOfEntreprise(Resource):
    """GET, POST /api/entreprises/{id}/prestations"""

    @operation(
        "listPrestations",
        "Services of one business",
        ok("A page of services.", Many(PRESTATION)),
        subject=businesses.get,
    )
    def on_get(self, entreprise: Entreprise, query: PageQuery) -> Page[Prestation]:
        return _page(self, query, entreprise_id=entreprise.id)

    @operation(
        "createPrestation",
        "Create a service",
        created("The service.", PRESTATION, location="/api/prestations/{id}"),
        subject=businesses.owned,
    )
    def on_post(self, entreprise: Entreprise, body: PrestationInput) -> Prestation:
        return services.get(self.db, services.add(self.db, entreprise, body.values))


class OnePrestation(Resource):
    """GET, PUT, DELETE /api/prestations/{id}"""

    @operation(
        "readPrestation", "One service", ok("The service.", PRESTATION), subject=services.get
    )
    def on_get(self, prestation: Prestation) -> Prestation:
        return prestation

    @operation(
        "updatePrestation",
        "Replace the settings of a service",
        ok("The service.", PRESTATION),
        subject=owned_service,
    )
    def on_put(self, prestation: Prestation, body: PrestationChange, version: int) -> Prestation:
        services.update(self.db, prestation, body.values, version)
        return services.get(self.db, prestation.id)

    @operation(
        "retirePrestation",
        "Retire a service; existing bookings stay",
        no_content("The service is retired."),
        subject=owned_service,
    )
    def on_delete(self, prestation: Prestation, version: int | None) -> None:
        services.retire(self.db, prestation, version)
