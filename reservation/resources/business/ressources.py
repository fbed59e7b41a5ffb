"""The persons and rooms of a business."""

from typing import Any

import falcon

from reservation.domain.budget import Budget
from reservation.domain.calendar.performers import KINDS, PERSON
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, ressources, retiring
from reservation.domain.planning.ressources import RessourceRecord
from reservation.domain.planning.retiring import Retirement
from reservation.errors import NotFound
from reservation.http.bearer import caller
from reservation.operations import kinds, queries, shapes
from reservation.operations.answers import created, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field, Query
from reservation.operations.kinds import choice, text, whole
from reservation.operations.operation import operation
from reservation.operations.queries import Page, PageQuery
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json, Schema
from reservation.operations.shapes import (
    ID,
    Many,
    Properties,
    Property,
    Shape,
    as_sent,
    many,
    within,
)
from reservation.resources.business.businesses import VERSION
from reservation.resources.business.events import OUTCOME, TrialQuery
from reservation.resources.reservations import RESERVATION
from reservation.storage.models import Entreprise

_ALL = Field(
    queries.FLAG,
    default=None,
    doc="For who manages the business: also retired ones, and `compte` of each.",
)
_MANAGED = "`toutes` requires an account that manages the business."


class RessourceSettings(Body):
    nom = Field(text(100, shortest=1), example="Léa")
    description = Field(text(5000), default="")
    ordre = Field(whole(0, 10_000), default=0, doc="Lower numbers are shown and chosen first.")
    compte = Field(
        kinds.EMAIL,
        default=None,
        nullable=True,
        doc="The proven e-mail address of the account that runs the calendar of this person.",
    )


class RessourceInput(RessourceSettings):
    genre = Field(choice(*KINDS), default=PERSON, doc="A person or a room. Never changes.")


class RessourceChange(RessourceSettings):
    actif = Field(kinds.FLAG, default=True, doc="false takes no new bookings.")
    version = VERSION


class RessourceSearch(PageQuery):
    toutes = _ALL


class RessourceQuery(Query):
    toutes = _ALL


class RetirementQuery(TrialQuery):
    vers = Field(
        queries.ID,
        default=None,
        doc="The person or room to whom the upcoming bookings move where that one is free.",
    )


_COMPTE: Schema = {
    "type": ["string", "null"],
    "format": "email",
    "examples": ["lea@example.fr"],
    "description": "Only for who manages the business.",
}
_PUBLIC: Properties = {
    "id": ID,
    "entreprise_id": ID,
    "genre": as_sent(RessourceInput)["genre"],
    **as_sent(RessourceChange),
    "prestations": {
        "type": "array",
        "items": ID,
        "examples": [[1]],
        "description": "The services that list this person or room. A service that lists no"
        " person is performed by every person, and a service that lists no room in every room.",
    },
    "version": shapes.VERSION,
}
RESSOURCE = Shape("Ressource", {**_PUBLIC, "compte": Property(_COMPTE, optional=True)})
_FOR_PUBLIC = Shape(
    "Ressource", {name: one for name, one in _PUBLIC.items() if name != "compte"}
)
_FOR_MANAGER = Shape("Ressource", {**_PUBLIC, "compte": _COMPTE})
RETIREMENT = Shape(
    "Retirement",
    {
        **within("ressource", {**_PUBLIC, "compte": _COMPTE}),
        **OUTCOME,
        "reservations_deplacees": many(RESERVATION, "moved"),
    },
)


def ressource(resource: Resource, id: int) -> RessourceRecord:
    return ressources.get(resource.db, id)


def owned_ressource(resource: Resource, account: Account, id: int) -> RessourceRecord:
    found = ressource(resource, id)
    businesses.owned(resource.db, account, found.entreprise_id)
    return found


def _check_manages(resource: Resource, req: falcon.Request, entreprise_id: int) -> None:
    businesses.owned(resource.db, caller(req, resource.db, resource.tokens), entreprise_id)


class RessourcesOfEntreprise(Resource):
    """GET, POST /api/entreprises/{id}/ressources"""

    @operation(
        "listRessources",
        "The persons and rooms of a business",
        ok("A page, by `ordre`.", Many(RESSOURCE)),
        description="Empty if the business is run by one person without a name. " + _MANAGED,
        subject=Resource.business,
        refuses=refused(401, 403, 419),
    )
    def on_get(
        self, req: falcon.Request, entreprise: Entreprise, query: RessourceSearch
    ) -> Page[Any]:
        retired = bool(query.toutes)
        if retired:
            _check_manages(self, req, entreprise.id)
        page = query.page(
            lambda after, most: ressources.listed(self.db, entreprise.id, after, most, retired),
            lambda row: (row.ordre, row.id),
            length=2,
        )
        return page.show(_FOR_MANAGER if retired else _FOR_PUBLIC)

    @operation(
        "createRessource",
        "Add a person or a room",
        created("The person or room.", RESSOURCE, location="/api/ressources/{id}"),
        description="With the second one, the first gets the first name of the owner. A business"
        f" has at most {ressources.MOST} active ones.",
        subject=Resource.owned_business,
        refuses=refused(403, 409),
    )
    def on_post(self, entreprise: Entreprise, body: RessourceInput, now: int) -> Json:
        number = ressources.add(self.db, entreprise, body.values, now, Budget())
        return _FOR_MANAGER.show(ressources.get(self.db, number))


class OneRessource(Resource):
    """GET, PUT, DELETE /api/ressources/{id}"""

    @operation(
        "readRessource",
        "One person or room",
        ok("The person or room.", RESSOURCE),
        description=_MANAGED,
        subject=ressource,
        refuses=refused(401, 403, 419),
    )
    def on_get(
        self, req: falcon.Request, ressource: RessourceRecord, query: RessourceQuery
    ) -> Json:
        if query.toutes:
            _check_manages(self, req, ressource.entreprise_id)
            return _FOR_MANAGER.show(ressource)
        if not ressource.actif:
            raise NotFound()
        return _FOR_PUBLIC.show(ressource)

    @operation(
        "updateRessource",
        "Replace the settings of a person or a room",
        ok("The person or room.", RESSOURCE),
        subject=owned_ressource,
        refuses=refused(403, 409),
    )
    def on_put(
        self, ressource: RessourceRecord, body: RessourceChange, version: int, now: int
    ) -> Json:
        ressources.update(self.db, ressource, body.values, version, now, Budget())
        return _FOR_MANAGER.show(ressources.get(self.db, ressource.id))

    @operation(
        "retireRessource",
        "Retire a person or a room",
        ok("The person or room, and the upcoming bookings.", RETIREMENT),
        description="Ends new bookings. `reservationsTouchees` lists the upcoming bookings that"
        " stay, `reservationsDeplacees` those that moved to `vers`.",
        subject=owned_ressource,
        refuses=refused(403, 409),
    )
    def on_delete(
        self,
        account: Account,
        ressource: RessourceRecord,
        query: RetirementQuery,
        version: int | None,
        now: int,
    ) -> Retirement:
        act = retiring.rehearse if query.essai else retiring.retire
        return act(self.db, account, ressource, query.vers, version, now)
