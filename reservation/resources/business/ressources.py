"""The persons and rooms of businesses: listing and adding them."""

from typing import Any

import falcon

from reservation.domain.budget import Budget
from reservation.domain.calendar.performers import KINDS, PERSON
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, ressources, team
from reservation.domain.planning.ressources import RessourceRecord
from reservation.http.bearer import caller
from reservation.operations import kinds, properties, queries
from reservation.operations.answers import created, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.kinds import choice, text, whole
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent
from reservation.operations.queries import Page, PageQuery, by_id
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json, Schema
from reservation.operations.shapes import Many, Property, Shape
from reservation.operations.versions import VERSION
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

ALL = Field(
    queries.FLAG,
    default=None,
    doc="1: also retired persons and rooms, and `compte`. Only for accounts that manage the"
    " business.",
)
NEEDS_MANAGER = "`toutes` requires an account that manages the business."


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
    genre = Field(choice(*KINDS), default=PERSON, doc="A person or a room. This never changes.")


class RessourceChange(RessourceSettings):
    actif = Field(kinds.FLAG, default=True, doc="false: takes no new bookings.")
    version = VERSION


class RessourceSearch(PageQuery):
    toutes = ALL


_COMPTE: Schema = {
    "type": ["string", "null"],
    "format": "email",
    "examples": ["lea@example.fr"],
    "description": "Only for accounts that manage the business, and for the account itself.",
}
FOR_MANAGER = Shape(
    "Ressource",
    {
        "id": ID,
        "entreprise_id": ID,
        "genre": as_sent(RessourceInput)["genre"],
        **as_sent(RessourceChange),
        "compte": _COMPTE,
        "prestations": {
            "type": "array",
            "items": ID,
            "examples": [[1]],
            "description": "The services that list this person or room. A service that lists no"
            " person can be performed by every person. A service that lists no room can take"
            " place in every room.",
        },
        "version": properties.VERSION,
    },
)
RESSOURCE = Shape(
    "Ressource", {**FOR_MANAGER.properties, "compte": Property(_COMPTE, optional=True)}
)
FOR_PUBLIC = Shape(
    "Ressource",
    {name: one for name, one in FOR_MANAGER.properties.items() if name != "compte"},
)


def owned_ressource(db: Database, account: Account, id: int) -> RessourceRecord:
    found = ressources.get(db, id)
    businesses.owned(db, account, found.entreprise_id)
    return found


def run_ressource(db: Database, account: Account, id: int) -> RessourceRecord:
    """Returns the person or room with this id. Raises NotFound if the id is unknown.

    Raises NotPermitted unless the caller is the owner of the business, an admin, or the account
    that runs the calendar of the person.
    """
    found = ressources.get(db, id)
    if not found.is_run_by(account.id):
        businesses.owned(db, account, found.entreprise_id)
    return found


class RessourcesOfEntreprise(Resource):
    """GET, POST /api/entreprises/{id}/ressources"""

    @operation(
        "listRessources",
        "The persons and rooms of a business",
        ok("A page of persons and rooms, by `ordre`.", Many(RESSOURCE)),
        description="Empty if the business is run by one person without a name. " + NEEDS_MANAGER,
        subject=businesses.get,
        refuses=refused(401, 403, 419),
    )
    def on_get(
        self, req: falcon.Request, entreprise: Entreprise, query: RessourceSearch
    ) -> Page[Any]:
        retired = bool(query.toutes)
        if retired:
            businesses.owned(self.db, caller(req, self), entreprise.id)
        page = query.page(
            lambda after, most: ressources.listed(self.db, entreprise.id, after, most, retired),
            lambda row: (row.ordre, row.id),
            length=2,
        )
        return page.show(FOR_MANAGER if retired else FOR_PUBLIC)

    @operation(
        "createRessource",
        "Add a person or a room",
        created("The person or room.", RESSOURCE, location="/api/ressources/{id}"),
        description="The first addition also gives a name to the person without a name: the"
        " owner's first name, or else the name of the business. A business has at most"
        f" {team.MOST} active persons and rooms, and can name {team.MOST} accounts in a day.",
        subject=businesses.owned,
        refuses=refused(409, 429),
    )
    def on_post(self, entreprise: Entreprise, body: RessourceInput, now: int) -> Json:
        number = team.add(self.db, entreprise, body.values, now, Budget())
        return FOR_MANAGER.show(ressources.get(self.db, number))


class RessourcesOfAccount(Resource):
    """GET /api/compte/ressources"""

    @operation(
        "listOwnRessources",
        "The persons of businesses whose calendars the caller runs",
        ok("A page of persons.", Many(RESSOURCE)),
    )
    def on_get(self, account: Account, query: PageQuery) -> Page[Any]:
        page = query.page(
            lambda after, most: ressources.of_account(self.db, account.id, after, most), by_id
        )
        return page.show(FOR_MANAGER)
