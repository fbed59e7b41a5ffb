"""The free times of a business."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import falcon

from reservation.contract import calendars as contract
from reservation.contract.operation import operation
from reservation.domain.budget import Budget
from reservation.domain.calendar import finding
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.finding import Unfinished
from reservation.domain.calendar.terms import NOT_OFFERED, Visit, terms
from reservation.http import serialisers
from reservation.http.codes import InvalidQuery
from reservation.http.queries import check_span, link_next, read_query
from reservation.http.replies import JSON
from reservation.lib import instants
from reservation.storage.database import Database


class Creneaux:
    """GET /api/entreprises/{id}/creneaux"""

    def __init__(self, db: Database) -> None:
        self.db = db

    @operation(contract.LIST)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        query = read_query(contract.QUERY, req)
        prestation_id, places = query["prestation"], query["places"]
        entreprise, service = terms(self.db, id, prestation_id)
        if prestation_id is not None and not (service and service.actif):
            raise InvalidQuery({"prestation": NOT_OFFERED})
        visit = Visit.of(service, places) if service else Visit(places=places)
        zone = instants.zone_of(entreprise.fuseau)
        start, end = _range(query["du"], query["au"], zone)
        about = (self.db, entreprise, visit)
        budget = Budget()
        if query["prochain"]:
            found = _next(req, resp, finding.following(*about, start, budget=budget), zone)
        elif query["tous"]:
            found = finding.all_starts(*about, start, end, budget=budget)
        else:
            found = finding.free_starts(*about, start, end, budget=budget)
        resp.content_type = JSON
        resp.data = serialisers.starts(found, zone)


def _next(
    req: falcon.Request, resp: falcon.Response, following: Iterator[Start], zone: ZoneInfo
) -> list[Start]:
    """The first of them. Where looking for it takes too long, a link says where to go on."""
    try:
        return list(islice(following, 1))
    except Unfinished as ex:
        link_next(req, resp, du=instants.local_date(ex.at, zone).isoformat())
        return []


def _range(du: date | None, au: date | None, zone: ZoneInfo) -> tuple[int, int]:
    """The instants of local dates, both included; by default seven days from today on."""
    du = du or instants.today(zone)
    au = au or du + timedelta(days=contract.DAYS - 1)
    check_span(du, au, contract.MOST_DAYS)
    return instants.midnight(du, zone), instants.end_of(au, zone)
