"""The times to which a booking can be moved."""

import falcon

from reservation.domain.booking import moving
from reservation.domain.people.sessions import Account
from reservation.operations import queries
from reservation.operations.answers import ok
from reservation.operations.fields import Field
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many
from reservation.resources.business.slots import NextQuery, free_times, with_person
from reservation.resources.business.starts import FREE_START


class MoveQuery(NextQuery):
    places = Field(
        queries.whole_number(1, 10_000), default=None, doc="Default: the places of the booking."
    )


class CreneauxOfReservation(Resource):
    """GET /api/reservations/{id}/creneaux"""

    @operation(
        "listCreneauxOfReservation",
        "The times to which a booking can be moved",
        ok("The free times, in order.", Many(FREE_START), headers=("Link",)),
        description="The places of the booking itself count as free, so a visit of an hour can"
        " move by 15 minutes. The list omits the present time with the present person. Whether the"
        " booking can still be moved is decided by `updateReservation` alone. `Link` and 503: see"
        " `listCreneaux`.",
        links=True,
    )
    def on_get(
        self,
        req: falcon.Request,
        resp: falcon.Response,
        account: Account,
        query: MoveQuery,
        id: int,
        now: int,
    ) -> bytes:
        entreprise, visit = moving.terms_of_move(self.db, account, id, query.places)
        visit = with_person(visit, query.ressource)
        return free_times(req, resp, self.db, entreprise, visit, query, now)
