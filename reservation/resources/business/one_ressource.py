"""One person or room: reading, changing and retiring it.

A retired person or room takes no new bookings.
"""

import falcon

from reservation.domain.budget import Budget
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, ressources, retiring, team
from reservation.domain.planning.ressources import RessourceRecord
from reservation.domain.planning.retiring import Retirement
from reservation.errors import NotFound
from reservation.http.bearer import caller
from reservation.operations import queries
from reservation.operations.answers import ok, refused
from reservation.operations.fields import Field, Query
from reservation.operations.operation import operation
from reservation.operations.properties import many, within
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json
from reservation.operations.shapes import Shape
from reservation.resources.business.events import OUTCOME, TrialQuery
from reservation.resources.business.ressources import (
    ALL,
    FOR_MANAGER,
    FOR_PUBLIC,
    NEEDS_MANAGER,
    RESSOURCE,
    RessourceChange,
    owned_ressource,
)
from reservation.resources.reservation_shapes import RESERVATION


class RessourceQuery(Query):
    toutes = ALL


class RetirementQuery(TrialQuery):
    vers = Field(
        queries.ID,
        default=None,
        doc="The person or room that takes over upcoming bookings when it is free.",
    )


RETIREMENT = Shape(
    "Retirement",
    {
        **within("ressource", FOR_MANAGER.properties),
        **OUTCOME,
        "reservations_deplacees": many(RESERVATION, "moved"),
    },
)


class OneRessource(Resource):
    """GET, PUT, DELETE /api/ressources/{id}"""

    @operation(
        "readRessource",
        "One person or room",
        ok("The person or room.", RESSOURCE),
        description=NEEDS_MANAGER,
        subject=ressources.get,
        refuses=refused(401, 403, 419),
    )
    def on_get(
        self, req: falcon.Request, ressource: RessourceRecord, query: RessourceQuery
    ) -> Json:
        if query.toutes:
            businesses.owned(self.db, caller(req, self), ressource.entreprise_id)
            return FOR_MANAGER.show(ressource)
        if not ressource.actif:
            raise NotFound()
        return FOR_PUBLIC.show(ressource)

    @operation(
        "updateRessource",
        "Replace the settings of a person or a room",
        ok("The person or room.", RESSOURCE),
        subject=owned_ressource,
        refuses=refused(409, 429),
    )
    def on_put(
        self, ressource: RessourceRecord, body: RessourceChange, version: int, now: int
    ) -> Json:
        team.update(self.db, ressource, body.values, version, now, Budget())
        return FOR_MANAGER.show(ressources.get(self.db, ressource.id))

    @operation(
        "retireRessource",
        "Retire a person or a room",
        ok("The person or room, and the upcoming bookings.", RETIREMENT),
        description="A retired person or room takes no new bookings. `reservationsTouchees` lists"
        " the upcoming bookings that stay, `reservationsDeplacees` the bookings that moved to"
        " `vers`. If there are many bookings or the calendar is long, later bookings may stay at"
        " first; repeat the request to move them.",
        subject=owned_ressource,
        refuses=refused(409),
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
