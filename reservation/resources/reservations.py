"""Reservations: booking, looking, moving, cancelling."""

import hashlib
import json
import re
from typing import Any

import falcon

from reservation.contract import reservations as contract
from reservation.contract.operation import operation
from reservation.domain.booking import booking, changing, reservations
from reservation.domain.budget import Budget
from reservation.domain.calendar import finding
from reservation.domain.calendar.terms import NOT_OFFERED, Visit
from reservation.domain.people import accounts
from reservation.domain.people.accounts import Account
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses
from reservation.errors import InvalidInput, NotFound, SlotTaken
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.codes import RequestRefused
from reservation.http.conditional import expected_version, matched_version
from reservation.http.queries import Page, read_query
from reservation.http.replies import as_json
from reservation.lib import instants
from reservation.storage.database import Database

_KEY = re.compile(r"[\x21-\x7e]{1,100}")


class Reservations:
    """GET, POST /api/reservations"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.LIST)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        asking: Account = req.context.account
        query = read_query(contract.SEARCH, req)
        entreprise_id, du, au = query["entreprise"], query["du"], query["au"]
        page = Page(req, query, keys=2)
        zone = instants.zone_of(_zone(self.db, entreprise_id if du or au else None))
        rows = reservations.listed(
            self.db,
            asking,
            entreprise_id=entreprise_id,
            statut=query["statut"],
            since=instants.midnight(du, zone) if du else None,
            until=instants.end_of(au, zone) if au else None,
            own=bool(query["miennes"]),
            latest=bool(query["recentes"]),
            after=page.after,
            most=page.limit + 1,
        )
        rows = page.cut(resp, rows, reservations.place_of)
        shown = [serialisers.reservation(row, reservations.side_of(asking, row)) for row in rows]
        as_json(resp, shown)

    @operation(contract.CREATE)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        asking: Account = req.context.account
        body = read_json(req)
        values = fields.read(contract.BOOKING, body)
        client, key = values.pop("client"), _key(req)
        request = booking.Request(
            utilisateur_id=self._customer(asking, client, values["prestation_id"]),
            cle=key,
            empreinte=hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest(),
            **values,
        )
        try:
            reservation_id = booking.book(self.db, asking, request)
        except SlotTaken as ex:
            _add_alternatives(self.db, ex, request.creneau_id, request.prestation_id,
                              request.places)
            raise
        resp.status = falcon.HTTP_201
        resp.location = f"{req.root_path}/api/reservations/{reservation_id}"
        _show(self.db, asking, resp, reservation_id)

    def _customer(self, asking: Account, client: Any, prestation_id: int) -> int:
        """Who the booking is for: the caller, or the customer whom an owner names."""
        if client is None:
            return asking.id
        try:
            entreprise_id = businesses.service(self.db, prestation_id).entreprise_id
        except NotFound:
            raise InvalidInput({"prestation_id": NOT_OFFERED}) from None
        businesses.owned(self.db, asking, entreprise_id)
        return accounts.customer(self.db, **client)


class OneReservation:
    """GET, PUT, DELETE /api/reservations/{id}"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        _show(self.db, req.context.account, resp, id)

    @operation(contract.UPDATE)
    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        asking: Account = req.context.account
        reservation, _ = reservations.visible(self.db, asking, id)
        values = fields.read(contract.CHANGE, read_json(req), partial=True)
        if "version" not in values and req.get_header("If-Match") is None:
            raise InvalidInput({"version": fields.IS_REQUIRED})
        version = expected_version(req, values, reservation.version)
        try:
            changing.change(self.db, asking, id, changing.Change(version, **values))
        except SlotTaken as ex:
            _add_alternatives(
                self.db,
                ex,
                values.get("creneau_id", reservation.creneau_id),
                reservation.prestation_id,
                values.get("places", reservation.places),
            )
            raise
        _show(self.db, asking, resp, id)

    @operation(contract.CANCEL)
    @falcon.before(require_account)
    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        asking: Account = req.context.account
        reservation, _ = reservations.visible(self.db, asking, id)
        fields.read({}, read_json(req))  # a message that is sent along would be lost
        version = matched_version(req, reservation.version)
        changing.cancel(self.db, asking, id, version=version)
        resp.status = falcon.HTTP_204


def _show(db: Database, asking: Account, resp: falcon.Response, id: int) -> None:
    reservation, side = reservations.visible(db, asking, id)
    resp.etag = f"v{reservation.version}"
    as_json(resp, serialisers.reservation(reservation, side))


def _add_alternatives(
    db: Database, ex: SlotTaken, creneau_id: int | None, prestation_id: int, places: int
) -> None:
    """Tell somebody who came too late of the free times nearest to the one that was wanted."""
    prestation = businesses.service(db, prestation_id)
    entreprise = businesses.get(db, prestation.entreprise_id)
    wanted = finding.start_of(db, creneau_id)
    visit = Visit.of(prestation, places)
    near = finding.nearest(db, entreprise, visit, wanted, budget=Budget())
    ex.alternatives, ex.fuseau = near, entreprise.fuseau


def _key(req: falcon.Request) -> str | None:
    key = req.get_header("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        raise RequestRefused("invalid_idempotency_key")
    return key


def _zone(db: Database, entreprise_id: int | None) -> str:
    """Whose dates `du` and `au` are: the business's, or those of France."""
    return businesses.get(db, entreprise_id).fuseau if entreprise_id else instants.FRANCE
