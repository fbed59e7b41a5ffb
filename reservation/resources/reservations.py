"""Bookings: creating and listing them."""

import re
from typing import Any

import falcon

from reservation.domain import states
from reservation.domain.booking import booking, lists, reservations
from reservation.domain.booking.lists import Filter
from reservation.domain.booking.requests import Request
from reservation.domain.customers.records import Details
from reservation.domain.people import proving
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER
from reservation.http.codes import RequestRefused
from reservation.lib import instants
from reservation.operations import kinds, queries
from reservation.operations.answers import created, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.kinds import choice, text
from reservation.operations.operation import operation
from reservation.operations.queries import Page, PageQuery
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json
from reservation.operations.shapes import Many
from reservation.resources.business.starts import TAKEN
from reservation.resources.reservation_shapes import PLACES, RESERVATION, as_json, show

_KEY = re.compile(r"[\x21-\x7e]{1,100}")


class ClientInput(Body):
    nom = Field(text(100, shortest=1), example="Martin")
    prenom = Field(text(100), default="")
    email = Field(kinds.OPTIONAL_EMAIL, default="", example="chloe@example.fr")
    telephone = Field(text(40), default="")


class Booking(Body):
    creneau_id = Field(
        kinds.REFERENCE, example=1, doc="The first slot of the visit, from `listCreneaux`."
    )
    prestation_id = Field(kinds.REFERENCE, example=1)
    prestation_version = Field(
        kinds.REFERENCE,
        default=None,
        nullable=True,
        example=1,
        doc="The `version` of the service whose price and length the customer has seen. If the"
        " service has changed since, the answer is 409.",
    )
    ressource_id = Field(
        kinds.REFERENCE,
        default=None,
        nullable=True,
        example=1,
        doc="The person who performs the service. Null: of the persons who are free, the one"
        " with the fewest booked minutes that day.",
    )
    lieu_id = Field(
        kinds.REFERENCE,
        default=None,
        nullable=True,
        example=2,
        doc="The room. For the business, with `client`. Null: the first that is free.",
    )
    places = Field(PLACES, default=1)
    commentaire = Field(text(2000), default="")
    client = Field(
        kinds.inner(ClientInput),
        default=None,
        nullable=True,
        doc="The customer for whom an owner books, with an e-mail address or a telephone. The"
        " visit may have begun earlier today. A person who runs a calendar can book there too, but"
        " changes no details that the business has.",
    )


_ZONE = (
    " The date is local to the business that `entreprise`, `client` or `ressource` names. Without"
    " these, it is local to the caller's businesses if they share one time zone, and otherwise to"
    " Europe/Paris."
)


class ReservationSearch(PageQuery):
    entreprise = Field(queries.ID, default=None)
    client = Field(queries.ID, default=None, doc="The record of a customer of a business.")
    ressource = Field(queries.ID, default=None, doc="The person who performs, or the room.")
    statut = Field(choice(*states.STATES), default=None)
    du = Field(queries.DATE, default=None, doc=f"Bookings from this date on.{_ZONE}")
    au = Field(queries.DATE, default=None, doc=f"Bookings up to this date.{_ZONE}")
    miennes = Field(queries.FLAG, default=None, doc="Only the caller's own visits.")
    recentes = Field(queries.FLAG, default=None, doc="Latest first.")


class Reservations(Resource):
    """GET, POST /api/reservations"""

    @operation(
        "listReservations",
        "The caller's bookings; for a company also those of its businesses, for an admin all",
        ok("A page of bookings, by time.", Many(RESERVATION)),
        description="An account that runs the calendar of a person also sees the bookings of this"
        " person. Only such an account, the owner of the business and an admin see `client`."
        " `ressource` is the person who performs the service, and `lieu` is the room; each is"
        " omitted if it has no name.",
    )
    def on_get(self, account: Account, query: ReservationSearch) -> Page[Any]:
        du, au = query.du, query.au
        queries.check_order(du, au)
        named = query.entreprise, query.client, query.ressource
        zone = instants.zone_of(
            lists.zone(self.db, account, *named) if du or au else instants.FRANCE
        )
        filter = Filter(
            entreprise_id=query.entreprise,
            client_id=query.client,
            ressource_id=query.ressource,
            statut=query.statut or "",
            since=instants.midnight(du, zone) if du else None,
            until=instants.end_of(au, zone) if au else None,
            own=bool(query.miennes),
            latest=bool(query.recentes),
        )
        page = query.page(
            lambda after, most: lists.listed(self.db, account, filter, after, most),
            reservations.key_of,
            length=2,
        )
        return Page(as_json(account, page.rows), page.following)

    @operation(
        "createReservation",
        "Book a time",
        created("The booking.", RESERVATION, location="/api/reservations/{id}"),
        description="Requests with the same Idempotency-Key create one booking. `creneauId`"
        " names a time: it may be the slot of another person than `ressourceId`.",
        headers=("Idempotency-Key",),
        refuses=(*refused(403, 404, 422), TAKEN),
    )
    def on_post(self, req: falcon.Request, account: Account, body: Booking, now: int) -> Json:
        if self.settings.verify_email:
            proving.require(self.db, account.id)
        client = Details(**body.client.values) if body.client else None
        asked = Request(**{**body.values, "client": client}, cle=_key(req))
        id, made = booking.place(self.db, account, asked, now=now)
        if made and reservations.side_of(account, made) == CUSTOMER:
            return show(made, CUSTOMER)
        return show(*reservations.visible(self.db, account, id))


def _key(req: falcon.Request) -> str | None:
    key = req.get_header("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        raise RequestRefused("invalid_idempotency_key")
    return key
