"""The weekly hours of a business, and of a person or a room."""

import falcon

from reservation.domain.budget import Budget
from reservation.domain.planning import businesses, hours, own_hours, ressources
from reservation.domain.planning.replanning import PlanOutcome
from reservation.domain.planning.ressources import RessourceRecord
from reservation.operations import kinds
from reservation.operations.answers import ok
from reservation.operations.bodies import Body, entries
from reservation.operations.fields import Field
from reservation.operations.kinds import whole
from reservation.operations.operation import operation
from reservation.operations.properties import as_sent, many
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json
from reservation.operations.shapes import Many, Shape
from reservation.resources.business.events import OUTCOME, TrialQuery
from reservation.resources.business.ressources import owned_ressource
from reservation.storage.models import Entreprise, SemaineType


class OpeningInput(Body):
    most = 200

    jour = Field(whole(1, 7), example=2, doc="The day of the week; Monday is 1.")
    debut = Field(kinds.WALL_TIME_OF_START, example="09:00")
    fin = Field(
        kinds.WALL_TIME,
        example="12:00",
        doc='"24:00" is the end of the day. A time up to `debut` is on the next day.',
    )
    pas_minutes = Field(
        whole(1, 1440),
        example=15,
        doc="The length of a slot, in minutes. A day of a person or a room has at most 500 slots.",
    )
    capacite = Field(whole(1, 10_000), default=1, doc="The places of a slot.")
    prestation_id = Field(
        kinds.REFERENCE,
        default=None,
        nullable=True,
        doc="The only service that can be booked in this opening.",
    )


class OwnWeekInput(Body):
    semaine = Field(
        entries(kinds.inner(OpeningInput), OpeningInput.most),
        nullable=True,
        example=[{"jour": 2, "debut": "09:00", "fin": "12:00", "pasMinutes": 15}],
        doc="null: the weekly hours of the business.",
    )


OPENING = Shape("Opening", as_sent(OpeningInput))
WEEK_CHANGE = Shape("WeekChange", {"semaine": many(OPENING, "written"), **OUTCOME})


class Week(Resource):
    """GET, PUT /api/entreprises/{id}/semainetype"""

    @operation(
        "readSemainetype",
        "The weekly hours of a business",
        ok("The whole week.", Many(OPENING)),
        subject=businesses.get,
    )
    def on_get(self, resp: falcon.Response, entreprise: Entreprise) -> list[SemaineType]:
        resp.etag = f"v{entreprise.version}"
        return hours.read(self.db, entreprise.id)

    @operation(
        "replaceSemainetype",
        "Replace the weekly hours",
        ok("The week, and what changed in the calendar.", WEEK_CHANGE, headers=("ETag",)),
        description="Slots with bookings are kept, and new slots fill the time around them."
        " `reservationsTouchees` lists the bookings outside the new hours.",
        subject=businesses.owned,
    )
    def on_put(
        self,
        resp: falcon.Response,
        entreprise: Entreprise,
        query: TrialQuery,
        body: list[OpeningInput],
        version: int,
        now: int,
    ) -> PlanOutcome:
        rows = [one.values for one in body]
        resp.etag = f"v{version if query.essai else version + 1}"
        if query.essai:
            return hours.rehearse(self.db, entreprise, rows, version=version, now=now)
        return hours.replace(
            self.db, entreprise, rows, version=version, now=now, budget=Budget()
        )


_OWN = many(OPENING, "written", nullable=True)
OWN_WEEK = Shape("OwnWeek", {"semaine": _OWN._replace(source="")})
OWN_WEEK_CHANGE = Shape("OwnWeekChange", {"semaine": _OWN, **OUTCOME})


class OwnWeek(Resource):
    """GET, PUT /api/ressources/{id}/semainetype"""

    @operation(
        "readSemainetypeOfRessource",
        "The weekly hours of a person or a room",
        ok("The whole week; null: the hours of the business.", OWN_WEEK),
        subject=ressources.get,
    )
    def on_get(self, resp: falcon.Response, ressource: RessourceRecord) -> Json:
        resp.etag = f"v{ressource.version}"
        return OWN_WEEK.show(own_hours.read(self.db, ressource))

    @operation(
        "replaceSemainetypeOfRessource",
        "Replace the weekly hours of a person or a room",
        ok("The week, and what changed in the calendar.", OWN_WEEK_CHANGE, headers=("ETag",)),
        subject=owned_ressource,
    )
    def on_put(
        self,
        resp: falcon.Response,
        ressource: RessourceRecord,
        query: TrialQuery,
        body: OwnWeekInput,
        version: int,
        now: int,
    ) -> PlanOutcome:
        rows = None if body.semaine is None else [one.values for one in body.semaine]
        resp.etag = f"v{version if query.essai else version + 1}"
        if query.essai:
            return own_hours.rehearse(self.db, ressource, rows, now, version)
        return own_hours.replace(self.db, ressource, rows, now, version, Budget())
