"""The week of a business and its free times."""

from datetime import date, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import falcon

from reservation.domain import availability, businesses, finding, instants, planning
from reservation.domain.availability import Visit
from reservation.domain.tokens import Tokens
from reservation.errors import InvalidInput
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version
from reservation.http.errors import JSON, as_json
from reservation.http.fields import Field, whole
from reservation.http.queries import Query
from reservation.storage.database import Database

OPENING = {
    "jour": Field(whole(1, 7)),
    "debut": Field(fields.wall_time_of_start),
    "fin": Field(fields.wall_time),
    "pasMinutes": Field(whole(5, 1440)),
    "capacite": Field(whole(1, 10_000), default=1),
    "prestationId": Field(fields.reference, default=None, nullable=True),
}
MOST_OPENINGS = 200
DAYS, MOST_DAYS = 7, 31


class Week:
    """GET, PUT /api/entreprises/{id}/semainetype"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    def on_get(self, _req: falcon.Request, resp: falcon.Response, id: int) -> None:
        resp.etag = f"v{businesses.get(self.db, id).version}"
        as_json(resp, self._shown(id))

    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        rows = fields.read_list(OPENING, read_json(req, list), MOST_OPENINGS)
        version = expected_version(req, {}, entreprise.version)
        done = planning.replace_week(self.db, entreprise, rows, version=version)
        resp.etag = f"v{version + 1}"
        as_json(resp, {"semaine": self._shown(id), "creneaux": serialisers.change(done)})

    def _shown(self, id: int) -> list[serialisers.Json]:
        return [serialisers.opening(row) for row in planning.week(self.db, id)]


class Creneaux:
    """GET /api/entreprises/{id}/creneaux"""

    def __init__(self, db: Database) -> None:
        self.db = db

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        query = Query(req)
        prestation_id = query.id("prestation")
        du, au = query.date("du"), query.date("au")
        places = query.whole("places", 1, 1, 10_000)
        everything, first_only = query.flag("tous"), query.flag("prochain")
        query.done()
        entreprise, service = availability.terms(self.db, id, prestation_id)
        if prestation_id is not None and not (service and service.actif):
            raise InvalidInput("Invalid query", {"prestation": "is no service of this business"})
        visit = Visit.of(service, places) if service else Visit(places=places)
        zone = instants.zone_of(entreprise.fuseau)
        start, end = _range(du, au, zone)
        if first_only:
            found = list(islice(finding.following(self.db, entreprise, visit, start), 1))
        elif everything:
            found = finding.all_starts(self.db, entreprise, visit, start, end)
        else:
            found = finding.free_starts(self.db, entreprise, visit, start, end)
        resp.content_type = JSON
        resp.data = serialisers.starts(found, zone)


def _range(du: date | None, au: date | None, zone: ZoneInfo) -> tuple[int, int]:
    """The instants of local dates, both included; by default seven days from today on."""
    du = du or instants.today(zone)
    au = au or du + timedelta(days=DAYS - 1)
    if not 0 <= (au - du).days < MOST_DAYS:
        raise InvalidInput("Invalid query", {"au": f"must be within {MOST_DAYS} days from du on"})
    return instants.midnight(du, zone), instants.end_of(au, zone)
