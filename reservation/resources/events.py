"""The dated exceptions of a business: closures, extra openings, public happenings."""

from typing import Any

import falcon

from reservation.contract import events as contract
from reservation.contract.operation import operation
from reservation.domain import businesses, instants, planning
from reservation.domain.planning import Planned
from reservation.domain.states import OWNER
from reservation.domain.tokens import Tokens
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version, matched_version
from reservation.http.errors import as_json
from reservation.http.queries import Page, read_query
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Evenement


class Evenements:
    """GET /api/evenements"""

    def __init__(self, db: Database) -> None:
        self.db = db

    @operation(contract.SEARCH_ALL)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        _list(self.db, req, resp, None)


class EvenementsOfEntreprise:
    """GET, POST /api/entreprises/{id}/evenements"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        _list(self.db, req, resp, businesses.get(self.db, id))

    @operation(contract.CREATE)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        values = fields.read(contract.EVENEMENT, read_json(req))
        done = planning.add_event(self.db, entreprise, values)
        resp.status = falcon.HTTP_201
        resp.location = f"{req.root_path}/api/evenements/{done.evenement_id}"
        as_json(resp, _shown(self.db, entreprise, done))


class Feries:
    """POST /api/entreprises/{id}/evenements/feries"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.CLOSE_HOLIDAYS)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        asked = fields.read(contract.FERIES, read_json(req))
        done = planning.close_holidays(
            self.db, entreprise, asked["annee"], asked["alsace_moselle"]
        )
        resp.status = falcon.HTTP_201
        as_json(resp, [_shown(self.db, entreprise, one) for one in done])


class OneEvenement:
    """GET, PUT, DELETE /api/evenements/{id}"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    def on_get(self, _req: falcon.Request, resp: falcon.Response, id: int) -> None:
        evenement = planning.event(self.db, id)
        zone = instants.zone_of(businesses.get(self.db, evenement.entreprise_id).fuseau)
        resp.etag = f"v{evenement.version}"
        as_json(resp, serialisers.evenement(evenement, zone))

    @operation(contract.UPDATE)
    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        evenement, entreprise = self._owned(req, id)
        values = fields.read(contract.CHANGE, read_json(req))
        version = expected_version(req, values, evenement.version)
        done = planning.update_event(self.db, entreprise, evenement, values, version)
        resp.etag = f"v{version + 1}"
        as_json(resp, _shown(self.db, entreprise, done))

    @operation(contract.REMOVE)
    @falcon.before(require_account)
    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        evenement, entreprise = self._owned(req, id)
        version = matched_version(req, evenement.version)
        planning.remove_event(self.db, entreprise, evenement, version=version)
        resp.status = falcon.HTTP_204

    def _owned(self, req: falcon.Request, id: int) -> tuple[Evenement, Entreprise]:
        evenement = planning.event(self.db, id)
        return evenement, businesses.owned(
            self.db, req.context.account, evenement.entreprise_id
        )


def _shown(db: Database, entreprise: Entreprise, done: Planned) -> dict[str, Any]:
    """The event, what it did to the calendar, and the bookings that a closure strands."""
    zone = instants.zone_of(entreprise.fuseau)
    return {
        **serialisers.evenement(planning.event(db, done.evenement_id), zone),
        "creneaux": serialisers.change(done.calendrier),
        "reservationsTouchees": [
            serialisers.reservation(row, OWNER) for row in done.touchees
        ],
    }


def _list(
    db: Database, req: falcon.Request, resp: falcon.Response, entreprise: Entreprise | None
) -> None:
    """Events in the order of their ids; `du` and `au` are dates of the business, or of Paris."""
    query = read_query(contract.SEARCH, req)
    du, au = query["du"], query["au"]
    page = Page(req, query)
    zone = instants.zone_of(entreprise.fuseau if entreprise else instants.FRANCE)
    found = planning.events(
        entreprise.id if entreprise else None,
        query["ville"],
        instants.midnight(du, zone) if du else None,
        instants.end_of(au, zone) if au else None,
    )
    rows = page.cut(resp, page.read(db, found, Evenement.id), lambda row: (row.id,))
    as_json(
        resp,
        [serialisers.evenement(row, instants.zone_of(row.entreprise.fuseau)) for row in rows],
    )
