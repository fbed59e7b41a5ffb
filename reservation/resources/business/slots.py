"""The free times of a business."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import falcon

from reservation.domain.booking.alternatives import terms_of_business
from reservation.domain.budget import Budget
from reservation.domain.calendar import finding, performers
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.finding import UnfinishedSearch
from reservation.domain.calendar.terms import (
    CANNOT_PERFORM,
    NOT_OFFERED,
    BusinessTerms,
    Visit,
    terms,
)
from reservation.domain.people.sessions import Account
from reservation.http.codes import InvalidQuery
from reservation.lib import instants
from reservation.operations import queries
from reservation.operations.answers import ok, refused
from reservation.operations.fields import Field, Query
from reservation.operations.operation import operation
from reservation.operations.queries import check_span, link_next, whole_number
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many
from reservation.resources.business.starts import ANY_START, starts_as_json
from reservation.storage.database import Database

DAYS, MOST_DAYS = 7, 31


class SpanQuery(Query):
    du = Field(queries.DATE, default=None, doc="The first local date. Default: today.")
    au = Field(
        queries.DATE,
        default=None,
        doc=f"The last local date, at most {MOST_DAYS} days in all. Default: {DAYS} days in all.",
    )
    ressource = Field(
        queries.ID, default=None, doc="Who performs the service. Default: anybody who is free."
    )


class NextQuery(SpanQuery):
    prochain = Field(queries.FLAG, default=None, doc="Only the first free time from `du` on.")


class VisitQuery(SpanQuery):
    prestation = Field(queries.ID, default=None, doc="The service. Default: a slot, any service.")
    places = Field(whole_number(1, 10_000), default=1)


class StartQuery(VisitQuery, NextQuery):
    tous = Field(queries.FLAG, default=None, doc="Also times that are not free, with `motif`.")


class OwnStartQuery(StartQuery):
    lieu = Field(queries.ID, default=None, doc="The room. Default: any room that is free. Without"
                 " a service and a person, the owner gets the slots of the room itself.")


class Creneaux(Resource):
    """GET /api/entreprises/{id}/creneaux"""

    @operation(
        "listCreneaux",
        "The times at which a visit can begin",
        ok("The starts, by time.", Many(ANY_START), headers=("Link",)),
        description="There is one entry for each time, however many persons are free. If the"
        " search for `prochain` takes too long, the answer is empty, and its"
        " `Link` continues the search. The answer is 503 while a long calendar is being prepared;"
        " retry after a moment.",
    )
    def on_get(
        self, req: falcon.Request, resp: falcon.Response, query: StartQuery, id: int, now: int
    ) -> bytes:
        entreprise, visit = visit_of(self.db, id, query, now)
        return _times(req, resp, self.db, entreprise, visit, query, now)


class OwnCreneaux(Resource):
    """GET /api/entreprises/{id}/creneaux/internes"""

    @operation(
        "listOwnCreneaux",
        "The times at which the business can book a visit for a customer",
        ok("The starts, by time.", Many(ANY_START), headers=("Link",)),
        description="As `listCreneaux`, but without the minimum notice, with the times of today"
        " that have passed, and also if the business is closed to online bookings. `prochain` is"
        " a coming time. An account that runs the calendar of a person gets only times of this"
        " person.",
        refuses=refused(403),
    )
    def on_get(
        self, req: falcon.Request, resp: falcon.Response, account: Account,
        query: OwnStartQuery, id: int, now: int,
    ) -> bytes:
        entreprise, visit = visit_of(self.db, id, query, now, account)
        if query.lieu is not None:
            of_room = query.prestation is None and query.ressource is None
            if of_room and account.acts_for(entreprise.proprietaire_id):
                rooms = performers.rooms(self.db, id)
                visit = visit._replace(persons=(query.lieu,), of_team=False)
            else:
                rooms = visit.rooms or ()
                visit = visit._replace(rooms=(query.lieu,))
            if query.lieu not in rooms:
                raise InvalidQuery({"lieu": CANNOT_PERFORM})
        return _times(req, resp, self.db, entreprise, visit, query, now)


def visit_of(
    db: Database, id: int, query: VisitQuery, now: int, asking: Account | None = None
) -> tuple[BusinessTerms, Visit]:
    """Returns the business and the requested visit; under the terms of the business itself for
    the account `asking`.

    Raises NotFound if the business does not exist, and NotPermitted as `terms_of_business` does.
    Raises InvalidQuery if the service or the person is not available.
    """
    entreprise, service = terms(db, id, query.prestation)
    if query.prestation is not None and not (service and service.actif):
        raise InvalidQuery({"prestation": NOT_OFFERED})
    who = performers.of_service(db, id, service)
    if service:
        visit = Visit.of(service, query.places, who)
    else:
        visit = Visit(places=query.places, persons=who.persons, of_team=who.of_team)
    if asking is not None:
        entreprise, visit = terms_of_business(asking, entreprise, visit, who, now)
    return entreprise, with_person(visit, query.ressource)


def with_person(visit: Visit, ressource: int | None) -> Visit:
    """Returns the visit with only this person, or unchanged if `ressource` is None. Raises
    InvalidQuery if this person cannot perform the service."""
    if ressource is None:
        return visit
    if ressource not in visit.persons:
        raise InvalidQuery({"ressource": CANNOT_PERFORM})
    return visit._replace(persons=(ressource,))


def _times(
    req: falcon.Request, resp: falcon.Response, db: Database, entreprise: BusinessTerms,
    visit: Visit, query: StartQuery, now: int,
) -> bytes:
    """Returns the free starts of a visit as JSON, or all starts if the query asks for them."""
    if not query.tous or query.prochain:
        return free_times(req, resp, db, entreprise, visit, query, now)
    zone = instants.zone_of(entreprise.fuseau)
    start, end = span_of(query.du, query.au, zone, now)
    found = finding.all_starts(db, entreprise, visit, start, end, now, Budget())
    return starts_as_json(found, zone, visit.of_team)


def free_times(
    req: falcon.Request, resp: falcon.Response, db: Database, entreprise: BusinessTerms,
    visit: Visit, query: NextQuery, now: int,
) -> bytes:
    """Returns the free starts of a visit as JSON."""
    zone = instants.zone_of(entreprise.fuseau)
    start, end = span_of(query.du, query.au, zone, now)
    found: Sequence[Start]
    if query.prochain:
        following = finding.following(db, entreprise, visit, start, now, Budget())
        found = _next(req, resp, following, zone)
    else:
        found = finding.free_starts(db, entreprise, visit, start, end, now, Budget())
    return starts_as_json(found, zone, visit.of_team)


def _next(
    req: falcon.Request, resp: falcon.Response, following: Iterator[Start], zone: ZoneInfo
) -> list[Start]:
    """Returns at most one start. If the search takes too long, adds a Link to continue it."""
    try:
        return list(islice(following, 1))
    except UnfinishedSearch as ex:
        day = instants.local_date(ex.at, zone).isoformat()
        link_next(req, resp, du=day, au=day)  # a given `au` may be before the new `du`
        return []


def span_of(
    du: date | None, au: date | None, zone: ZoneInfo, now: int, days: int = DAYS
) -> tuple[int, int]:
    """Returns the start of the day `du` and the end of the day `au`, in Unix seconds. By default,
    `du` is today and the period has `days` days."""
    du = du or instants.local_date(now, zone)
    au = au or du + timedelta(days=days - 1)
    check_span(du, au, MOST_DAYS)
    return instants.midnight(du, zone), instants.end_of(au, zone)
