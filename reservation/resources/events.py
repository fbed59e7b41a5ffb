"""The dated exceptions of a business: closures, extra openings, public happenings."""

import falcon

from reservation.contract import events as contract
from reservation.contract.operation import operation
from reservation.domain.budget import Budget
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses, events
from reservation.domain.planning.events import Planned
from reservation.errors import Fault, InvalidInput
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version, matched_version
from reservation.http.queries import Page, read_query
from reservation.http.replies import as_json
from reservation.http.serialisers import Json
from reservation.lib import instants
from reservation.lib.holidays import ALSACE_MOSELLE, METROPOLE
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
        essai = read_query(contract.CREATE.query, req)["essai"]
        values = fields.read(contract.EVENEMENT, read_json(req))

        if essai:
            tried = events.rehearse(self.db, entreprise, values)
            return as_json(resp, _tried(_shown(entreprise, tried)))
        done = events.add(self.db, entreprise, values, budget=Budget())
        shown = _shown(entreprise, done)
        resp.status = falcon.HTTP_201
        resp.location = f"{req.root_path}/api/evenements/{shown['id']}"
        as_json(resp, shown)


class Feries:
    """POST /api/entreprises/{id}/evenements/feries"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.CLOSE_HOLIDAYS)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        essai = read_query(contract.CLOSE_HOLIDAYS.query, req)["essai"]
        asked = fields.read(contract.FERIES, read_json(req))

        closures = events.missing_holidays(self.db, entreprise, asked["annee"], _region(asked))
        if essai:
            tried = [events.rehearse(self.db, entreprise, one) for one in closures]
            return as_json(resp, [_tried(_shown(entreprise, one)) for one in tried])
        budget = Budget()
        done = [events.add(self.db, entreprise, one, budget=budget) for one in closures]
        resp.status = falcon.HTTP_201
        as_json(resp, [_shown(entreprise, one) for one in done])


class OneEvenement:
    """GET, PUT, DELETE /api/evenements/{id}"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    def on_get(self, _req: falcon.Request, resp: falcon.Response, id: int) -> None:
        evenement = events.get(self.db, id)
        zone = instants.zone_of(businesses.get(self.db, evenement.entreprise_id).fuseau)
        resp.etag = f"v{evenement.version}"
        as_json(resp, serialisers.evenement(evenement, zone))

    @operation(contract.UPDATE)
    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        evenement, entreprise = self._owned(req, id)
        essai = read_query(contract.UPDATE.query, req)["essai"]
        values = fields.read(contract.CHANGE, read_json(req))
        version = expected_version(req, values, evenement.version)

        if essai:
            done = events.rehearse(self.db, entreprise, values, evenement, version)
        else:
            done = events.update(
                self.db, entreprise, evenement, values, version, budget=Budget()
            )
        shown = _shown(entreprise, done)
        resp.etag = f"v{shown['version']}"
        as_json(resp, shown)

    @operation(contract.REMOVE)
    @falcon.before(require_account)
    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        evenement, entreprise = self._owned(req, id)
        version = matched_version(req, evenement.version)
        events.remove(self.db, entreprise, evenement, version=version, budget=Budget())
        resp.status = falcon.HTTP_204

    def _owned(self, req: falcon.Request, id: int) -> tuple[Evenement, Entreprise]:
        evenement = events.get(self.db, id)
        return evenement, businesses.owned(
            self.db, req.context.account, evenement.entreprise_id
        )


def _region(asked: events.Values) -> str:
    """Raises InvalidInput if `alsaceMoselle`, which is older than `region`, contradicts it."""
    if not asked["alsace_moselle"]:
        return str(asked["region"])
    if asked["region"] not in (METROPOLE, ALSACE_MOSELLE):
        raise InvalidInput({"region": Fault("contradiction", "contradicts alsaceMoselle")})
    return ALSACE_MOSELLE


def _tried(shown: Json) -> Json:
    """Without what only an event that stays has."""
    return {
        key: value for key, value in shown.items() if key not in ("id", "entrepriseId", "version")
    }


def _shown(entreprise: Entreprise, done: Planned) -> Json:
    """The event, what it did to the calendar, and the bookings that it strands."""
    zone = instants.zone_of(entreprise.fuseau)
    return {**serialisers.evenement(done.evenement, zone), **serialisers.done(done)}


def _list(
    db: Database, req: falcon.Request, resp: falcon.Response, entreprise: Entreprise | None
) -> None:
    """Events as they begin; `du` and `au` are dates of the business, or of Paris."""
    query = read_query(contract.SEARCH, req)
    du, au = query["du"], query["au"]
    page = Page(req, query, keys=2)
    zone = instants.zone_of(entreprise.fuseau if entreprise else instants.FRANCE)
    found = events.search(
        entreprise.id if entreprise else None,
        query["ville"],
        instants.midnight(du, zone) if du else None,
        instants.end_of(au, zone) if au else None,
    )
    rows = page.cut(
        resp, page.read(db, found, Evenement.debut, Evenement.id), lambda row: (row.debut, row.id)
    )
    as_json(
        resp,
        [serialisers.evenement(row, instants.zone_of(row.entreprise.fuseau)) for row in rows],
    )
