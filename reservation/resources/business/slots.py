"""The free times of a business."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import islice, repeat
from typing import Any
from zoneinfo import ZoneInfo

import falcon

from reservation.conflicts import SlotTaken
from reservation.domain.budget import Budget
from reservation.domain.calendar import finding, performers, reasons
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.finding import UnfinishedSearch
from reservation.domain.calendar.terms import (
    CANNOT_PERFORM,
    NOT_OFFERED,
    BusinessTerms,
    Visit,
    terms,
)
from reservation.http.codes import InvalidQuery
from reservation.http.errors import body_of
from reservation.http.replies import as_list
from reservation.lib import instants
from reservation.lib.instants import to_iso
from reservation.operations import queries
from reservation.operations.answers import ERROR, Answer, ok
from reservation.operations.fields import Field, Query
from reservation.operations.operation import operation
from reservation.operations.properties import COUNT, ID, instant
from reservation.operations.queries import check_span, link_next, whole_number
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json
from reservation.operations.shapes import Many, Property, Shape, plain
from reservation.storage.database import Database

DAYS, MOST_DAYS = 7, 31

MOTIF = {"type": "string", "enum": list(reasons.MOTIFS)}


class VisitQuery(Query):
    prestation = Field(queries.ID, default=None, doc="The service. Default: a slot, any service.")
    du = Field(queries.DATE, default=None, doc="The first local date. Default: today.")
    au = Field(
        queries.DATE, default=None, doc=f"The last local date, at most {MOST_DAYS} days in all."
    )
    ressource = Field(
        queries.ID, default=None, doc="Who performs the service. Default: anybody who is free."
    )
    places = Field(whole_number(1, 10_000), default=1)


class StartQuery(VisitQuery):
    tous = Field(queries.FLAG, default=None, doc="Also times that are not free, with `motif`.")
    prochain = Field(queries.FLAG, default=None, doc="Only the first free time from `du` on.")


START = {
    "id": Property(ID),
    "debut": instant("2030-06-04T09:00:00+02:00"),
    "fin": instant("2030-06-04T09:45:00+02:00"),
    "places_restantes": Property({**COUNT, "examples": [1]}, source="places_left"),
}
_FREE_PERSONS: dict[str, Any] = {
    "type": "array",
    "items": ID,
    "description": "The persons who are free then. Only if the business has several persons.",
}
_OF_TEAM = {"ressources": Property(_FREE_PERSONS, source="persons", optional=True)}
FREE_START = Shape("FreeStart", {**START, **_OF_TEAM})
_START = Shape("Start", {**START, "motif": Property(MOTIF, optional=True), **_OF_TEAM})


def starts_as_json(found: Sequence[Start], zone: ZoneInfo, of_team: bool) -> bytes:
    """Formats the starts as JSON without `json`, for speed. `of_team` adds the free persons."""
    numbers, debuts, fins, places, motifs, persons = zip(*found) if found else [()] * 6
    times = map(_times, debuts, fins, repeat(zone))
    rests = [f', "motif": "{motif}"' if motif else "" for motif in motifs]
    if of_team:
        rests = [f'{rest}, "ressources": {[*ids]}' for rest, ids in zip(rests, persons)]
    return as_list(map(_START_AS_JSON.__mod__, zip(numbers, times, places, rests)))


_START_AS_JSON = '{"id": %d, %s, "placesRestantes": %d%s}'


@lru_cache(maxsize=16384)  # many answers contain the same times
def _times(debut: int, fin: int, zone: ZoneInfo) -> str:
    return f'"debut": "{to_iso(debut, zone)}", "fin": "{to_iso(fin, zone)}"'


TAKEN = Answer(
    409,
    "The time is unavailable: `motif` is the reason, `alternatives` are the nearest free times."
    " If the request names a person, these are the free times of this person, and the same time"
    " with another person."
    " If there is no `motif`, the state of the booking does not allow the change, or the calendar"
    " does not match the booking.",
    plain(
        "SlotTaken",
        tuple({*ERROR["properties"], "motif", "alternatives"} - {"error"}),
        **ERROR["properties"],
        motif={"anyOf": [MOTIF, {"type": "null"}]},
        alternatives=Many(FREE_START),
    ),
    example={
        **body_of(SlotTaken()),
        "motif": "complet",
        "alternatives": [
            {
                "id": 4,
                "debut": "2030-06-04T09:45:00+02:00",
                "fin": "2030-06-04T10:30:00+02:00",
                "placesRestantes": 1,
            }
        ],
    },
)


def show_taken(ex: SlotTaken) -> Json:
    """Returns the additional keys of the error body: `motif` and `alternatives`."""
    zone = instants.zone_of(ex.fuseau or instants.FRANCE)
    of_team = any(start.persons for start in ex.alternatives)
    found = starts_as_json(ex.alternatives, zone, of_team)
    return {"motif": ex.motif, "alternatives": json.loads(found)}


class Creneaux(Resource):
    """GET /api/entreprises/{id}/creneaux"""

    @operation(
        "listCreneaux",
        "The times at which a visit can begin",
        ok("The starts, by time.", Many(_START), headers=("Link",)),
        description="There is one entry for each time, however many persons are free. If the"
        " search for `prochain` takes too long, the answer is empty, and its"
        " `Link` continues the search. The answer is 503 while a long calendar is being prepared;"
        " retry after a moment.",
    )
    def on_get(
        self, req: falcon.Request, resp: falcon.Response, query: StartQuery, id: int, now: int
    ) -> bytes:
        entreprise, visit = visit_of(self.db, id, query)
        zone = instants.zone_of(entreprise.fuseau)
        start, end = span_of(query, zone, now)
        search = (self.db, entreprise, visit)
        found: Sequence[Start]
        if query.prochain:
            following = finding.following(*search, start, now=now, budget=Budget())
            found = _next(req, resp, following, zone)
        elif query.tous:
            found = finding.all_starts(*search, start, end, now=now, budget=Budget())
        else:
            found = finding.free_starts(*search, start, end, now=now, budget=Budget())
        return starts_as_json(found, zone, visit.of_team)


def visit_of(db: Database, id: int, query: VisitQuery) -> tuple[BusinessTerms, Visit]:
    """Returns the business and the requested visit. Raises NotFound if the business does not
    exist. Raises InvalidQuery if the service or the person is not available."""
    entreprise, service = terms(db, id, query.prestation)
    if query.prestation is not None and not (service and service.actif):
        raise InvalidQuery({"prestation": NOT_OFFERED})
    who = performers.of_service(db, id, service)
    if service:
        visit = Visit.of(service, query.places, who)
    else:
        visit = Visit(places=query.places, persons=who.persons, of_team=who.of_team)
    if query.ressource is not None:
        if query.ressource not in visit.persons:
            raise InvalidQuery({"ressource": CANNOT_PERFORM})
        visit = visit._replace(persons=(query.ressource,))
    return entreprise, visit


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


def span_of(query: VisitQuery, zone: ZoneInfo, now: int) -> tuple[int, int]:
    """Returns the start of the first day and the end of the last day, in Unix seconds. By default,
    the first day is today and the period has DAYS days."""
    du = query.du or instants.local_date(now, zone)
    au = query.au or du + timedelta(days=DAYS - 1)
    check_span(du, au, MOST_DAYS)
    return instants.midnight(du, zone), instants.end_of(au, zone)
