"""The free times of a business."""

from datetime import date, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import falcon

from reservation.contract import calendars as contract
from reservation.contract.operation import operation
from reservation.domain import availability, finding, instants
from reservation.domain.availability import Visit
from reservation.errors import InvalidInput
from reservation.http import serialisers
from reservation.http.errors import JSON
from reservation.http.queries import read_query
from reservation.storage.database import Database


class Creneaux:
    """GET /api/entreprises/{id}/creneaux"""

    def __init__(self, db: Database) -> None:
        self.db = db

    @operation(contract.LIST)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        query = read_query(contract.QUERY, req)
        prestation_id, places = query["prestation"], query["places"]
        entreprise, service = availability.terms(self.db, id, prestation_id)
        if prestation_id is not None and not (service and service.actif):
            raise InvalidInput("Invalid query", {"prestation": "is no service of this business"})
        visit = Visit.of(service, places) if service else Visit(places=places)
        zone = instants.zone_of(entreprise.fuseau)
        start, end = _range(query["du"], query["au"], zone)
        if query["prochain"]:
            found = list(islice(finding.following(self.db, entreprise, visit, start), 1))
        elif query["tous"]:
            found = finding.all_starts(self.db, entreprise, visit, start, end)
        else:
            found = finding.free_starts(self.db, entreprise, visit, start, end)
        resp.content_type = JSON
        resp.data = serialisers.starts(found, zone)


def _range(du: date | None, au: date | None, zone: ZoneInfo) -> tuple[int, int]:
    """The instants of local dates, both included; by default seven days from today on."""
    du = du or instants.today(zone)
    au = au or du + timedelta(days=contract.DAYS - 1)
    why = f"must be within {contract.MOST_DAYS} days from du on"
    if not 0 <= (au - du).days < contract.MOST_DAYS:
        raise InvalidInput("Invalid query", {"au": why})
    return instants.midnight(du, zone), instants.end_of(au, zone)
