"""Reservations: booking, looking, moving, cancelling."""

import hashlib
import json
import re
from typing import Any

import falcon

from reservation.domain import (
    accounts,
    booking,
    businesses,
    finding,
    instants,
    reservations,
    states,
)
from reservation.domain.accounts import Account
from reservation.domain.availability import Visit
from reservation.domain.tokens import Tokens
from reservation.errors import InvalidInput, NotFound, SlotTaken
from reservation.http import fields, serialisers
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.conditional import expected_version, matched_version
from reservation.http.errors import as_json
from reservation.http.fields import Field, reference, text, whole
from reservation.http.queries import Page, Query
from reservation.resources.businesses import VERSION
from reservation.storage.database import Database

PLACES = whole(1, 10_000)
CLIENT = {
    "email": Field(fields.email),
    "nom": Field(text(100, shortest=1)),
    "prenom": Field(text(100), default=""),
    "telephone": Field(text(40), default=""),
}
BOOKING = {
    "creneauId": Field(reference),
    "prestationId": Field(reference),
    "places": Field(PLACES, default=1),
    "commentaire": Field(text(2000), default=""),
    "client": Field(fields.inner(CLIENT), default=None, nullable=True),
}
CHANGE = {
    "creneauId": Field(reference),
    "places": Field(PLACES),
    "commentaire": Field(text(2000)),
    "statut": Field(fields.choice(*states.STATES)),
    "version": VERSION,
}
_KEY = re.compile(r"[\x21-\x7e]{1,100}")


class Reservations:
    """GET, POST /api/reservations"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        query = Query(req)
        entreprise_id = query.id("entreprise")
        statut = query.choice("statut", states.STATES)
        du, au = query.date("du"), query.date("au")
        page = Page(req, query, keys=2)
        query.done()
        zone = instants.zone_of(_zone(self.db, entreprise_id if du or au else None))
        rows = reservations.listed(
            self.db,
            req.context.account,
            entreprise_id=entreprise_id,
            statut=statut,
            since=instants.midnight(du, zone) if du else None,
            until=instants.end_of(au, zone) if au else None,
            after=page.after,
            most=page.limit + 1,
        )
        rows = page.cut(resp, rows, reservations.place_of)
        as_json(resp, [serialisers.reservation(row) for row in rows])

    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        asking: Account = req.context.account
        body = read_json(req)
        values = fields.read(BOOKING, body)
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
            raise InvalidInput(fields.INVALID, {"prestationId": "is unknown"}) from None
        businesses.owned(self.db, asking, entreprise_id)
        return accounts.customer(self.db, **client)


class OneReservation:
    """GET, PUT, DELETE /api/reservations/{id}"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        _show(self.db, req.context.account, resp, id)

    @falcon.before(require_account)
    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        asking: Account = req.context.account
        reservation, _ = reservations.visible(self.db, asking, id)
        values = fields.read(CHANGE, read_json(req), partial=True)
        if "version" not in values and req.get_header("If-Match") is None:
            raise InvalidInput(fields.INVALID, {"version": "is required"})
        version = expected_version(req, values, reservation.version)
        try:
            booking.change(self.db, asking, id, booking.Change(version, **values))
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

    @falcon.before(require_account)
    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        asking: Account = req.context.account
        reservation, _ = reservations.visible(self.db, asking, id)
        version = matched_version(req, reservation.version)
        booking.cancel(self.db, asking, id, version=version)
        resp.status = falcon.HTTP_204


def _show(db: Database, asking: Account, resp: falcon.Response, id: int) -> None:
    reservation, _ = reservations.visible(db, asking, id)
    resp.etag = f"v{reservation.version}"
    as_json(resp, serialisers.reservation(reservation))


def _add_alternatives(
    db: Database, ex: SlotTaken, creneau_id: int | None, prestation_id: int, places: int
) -> None:
    """Tell somebody who came too late of the free times nearest to the one that was wanted."""
    prestation = businesses.service(db, prestation_id)
    entreprise = businesses.get(db, prestation.entreprise_id)
    wanted = finding.start_of(db, creneau_id)
    near = finding.nearest(db, entreprise, Visit.of(prestation, places), wanted)
    shown = serialisers.starts(near, instants.zone_of(entreprise.fuseau))
    ex.details["alternatives"] = json.loads(shown)


def _key(req: falcon.Request) -> str | None:
    key = req.get_header("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        raise InvalidInput("Idempotency-Key must have 1 to 100 visible ASCII characters")
    return key


def _zone(db: Database, entreprise_id: int | None) -> str:
    """Whose dates `du` and `au` are: the business's, or those of France."""
    return businesses.get(db, entreprise_id).fuseau if entreprise_id else instants.FRANCE
