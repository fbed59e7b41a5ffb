"""One booking: reading, moving and cancelling it, and the times to which it can be moved."""

import falcon

from reservation.conflicts import PlacesNotHeld
from reservation.domain import states
from reservation.domain.booking import changing, moving, reservations
from reservation.domain.booking.requests import Change
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar import lateness
from reservation.domain.people.sessions import Account
from reservation.http.bodies import read_json
from reservation.http.errors import body_of
from reservation.operations import kinds, queries
from reservation.operations.answers import ERROR, Answer, no_content, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.kinds import choice, text
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json
from reservation.operations.shapes import Many
from reservation.operations.versions import VERSION
from reservation.resources.business.slots import NextQuery, free_times, with_person
from reservation.resources.business.starts import FREE_START, TAKEN
from reservation.resources.reservation_shapes import PLACES, RESERVATION, WITH_CLOSURE, show
from reservation.storage.database import Database


class ReservationChange(Body):
    partial = True

    creneau_id = Field(kinds.REFERENCE, default=None, example=1, doc="Moves the visit.")
    ressource_id = Field(
        kinds.REFERENCE,
        default=None,
        example=1,
        doc="The person who performs the service. Default: the same person as before, if free.",
    )
    lieu_id = Field(
        kinds.REFERENCE,
        default=None,
        example=2,
        doc="The room. For the business. Default: the same room as before, if free.",
    )
    places = Field(PLACES, default=None, example=1)
    commentaire = Field(text(2000), default=None, example="")
    statut = Field(
        choice(*states.STATES),
        default=None,
        doc="For the business; customers use DELETE to cancel. A `demandee` booking can become"
        " `confirmee`, `refusee` or `annulee`; a `confirmee` booking can become `annulee` or, from"
        " the start of the visit on, `honoree` or `absente`. Up to"
        f" {states.CORRECTION_DAYS} days after the visit, `honoree` can become `absente`, and"
        " `absente` can become `honoree`.",
    )
    message = Field(
        text(1000),
        default=None,
        example="",
        doc="The text of the business in the message to the customer. Only for a change that"
        " notifies the customer: a cancellation, a refusal, an approval, a move or another number"
        " of places.",
    )
    version = VERSION


class MoveQuery(NextQuery):
    places = Field(
        queries.whole_number(1, 10_000), default=None, doc="Default: the places of the booking."
    )


def visible(db: Database, account: Account, id: int) -> ReservationRecord:
    return reservations.visible(db, account, id)[0]


class OneReservation(Resource):
    """GET, PUT, DELETE /api/reservations/{id}"""

    @operation("readReservation", "One booking", ok("The booking.", WITH_CLOSURE), links=True)
    def on_get(self, account: Account, id: int) -> Json:
        shown = show(*reservations.visible(self.db, account, id))
        return {**shown, "ferme": True} if lateness.is_closed(self.db, id) else shown

    @operation(
        "updateReservation",
        "Move a booking, or change its state",
        ok("The booking.", RESERVATION),
        description="Omitted fields keep their values. The version is in the body or in If-Match."
        " If the business approves each booking, a customer who asks for another time or person or"
        " for more places needs a new approval.",
        subject=visible,
        links=True,
        refuses=(TAKEN,),
    )
    def on_put(
        self,
        account: Account,
        reservation: ReservationRecord,
        body: ReservationChange,
        version: int,
        now: int,
    ) -> Json:
        change = Change(version, **body.values)
        changing.change(self.db, account, reservation.id, change, now=now)
        return show(*reservations.visible(self.db, account, reservation.id))

    @operation(
        "cancelReservation",
        "Cancel a booking; a repeated request changes nothing",
        no_content("Cancelled."),
        subject=visible,
        links=True,
        refuses=(
            *refused(413, 415),
            Answer(
                409,
                "The state of the booking does not allow a cancellation, or the calendar does not"
                " match the booking.",
                ERROR,
                example=body_of(PlacesNotHeld()),
            ),
        ),
    )
    def on_delete(
        self,
        req: falcon.Request,
        account: Account,
        reservation: ReservationRecord,
        version: int | None,
        now: int,
    ) -> None:
        Body.read(read_json(req))  # refuses a body with fields
        changing.cancel(self.db, account, reservation.id, now=now, version=version)


class CreneauxOfReservation(Resource):
    """GET /api/reservations/{id}/creneaux"""

    @operation(
        "listCreneauxOfReservation",
        "The times to which a booking can be moved",
        ok("The free times, in order.", Many(FREE_START), headers=("Link",)),
        description="The places of the booking itself count as free, so a visit of an hour can"
        " move by 15 minutes. The list omits the present time with the present person, unless"
        " another number of `places` is asked for. Whether the booking can still be moved is"
        " decided by `updateReservation` alone. `Link` and 503: see `listCreneaux`.",
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
