"""The weekly occupancy of a business."""

from datetime import timedelta

from reservation.domain.budget import Budget
from reservation.domain.calendar import occupation
from reservation.domain.calendar.occupation import WeekOccupation
from reservation.domain.planning import businesses
from reservation.lib import instants
from reservation.operations import queries
from reservation.operations.answers import ok
from reservation.operations.fields import Field, Query
from reservation.operations.operation import operation
from reservation.operations.properties import count, day
from reservation.operations.queries import check_span
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, Property, Shape
from reservation.storage.models import Entreprise

WEEKS_BEFORE, WEEKS_AFTER, MOST_WEEKS = 8, 4, 53


class WeekQuery(Query):
    du = Field(
        queries.DATE,
        default=None,
        doc=f"A date of the first week. Default: {WEEKS_BEFORE} weeks ago.",
    )
    au = Field(
        queries.DATE,
        default=None,
        doc=f"A date of the last week, at most {MOST_WEEKS} weeks in all. Default:"
        f" {WEEKS_BEFORE + 1 + WEEKS_AFTER} weeks in all.",
    )
    ressource = Field(
        queries.ID, default=None, doc="A person or a room. Default: all persons together."
    )


_WEEK = Shape(
    "WeekOccupation",
    {
        "semaine": Property(
            {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$", "examples": ["2030-W23"]},
            show=lambda monday: "{}-W{:02}".format(*monday.isocalendar()),
            source="monday",
        ),
        "du": day("The Monday.", source="monday"),
        "capacite_minutes": count(
            "capacity_minutes", "The sum over all open slots of minutes times places."
        ),
        "prises_minutes": count(
            "taken_minutes",
            "The sum over all slots of minutes times taken places, including buffers.",
        ),
        "reservations": count(
            "bookings",
            "Bookings that begin in the week and hold their places. Requests that were not"
            " answered before the visit do not count.",
        ),
        "honorees": count("attended"),
        "absentes": count("missed"),
        "annulees": count("cancelled"),
    },
)


class Occupation(Resource):
    """GET /api/entreprises/{id}/occupation"""

    @operation(
        "readOccupation",
        "The occupancy of a business by week",
        ok("The weeks, by time.", Many(_WEEK)),
        subject=businesses.owned,
    )
    def on_get(self, entreprise: Entreprise, query: WeekQuery, now: int) -> list[WeekOccupation]:
        today = instants.local_date(now, instants.zone_of(entreprise.fuseau))
        du = query.du or today - timedelta(weeks=WEEKS_BEFORE)
        au = query.au or du + timedelta(weeks=WEEKS_BEFORE + WEEKS_AFTER)
        check_span(du, au, 7 * MOST_WEEKS - du.weekday())
        return occupation.weeks(
            self.db, entreprise, du, au, now=now, budget=Budget(), ressource_id=query.ressource
        )
