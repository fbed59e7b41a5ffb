"""Reservations: booking, looking, moving, cancelling."""

import re
import time

import falcon

from reservation.contract import reservations as contract
from reservation.contract.operation import operation
from reservation.domain.booking import booking, changing, reservations
from reservation.domain.people.accounts import Account
from reservation.domain.people.sessions import Tokens
from reservation.domain.planning import businesses
from reservation.errors import InvalidInput
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
        rows = page.cut(resp, rows, reservations.key_of)
        shown = [serialisers.reservation(row, reservations.side_of(asking, row)) for row in rows]
        as_json(resp, shown)

    @operation(contract.CREATE)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        asking: Account = req.context.account
        body = read_json(req)
        values = fields.read(contract.BOOKING, body)
        client = booking.Client(**values["client"]) if values["client"] else None
        request = booking.Request(**{**values, "client": client}, cle=_key(req))
        reservation_id = booking.book(self.db, asking, request, now=int(time.time()))
        resp.status = falcon.HTTP_201
        resp.location = f"{req.root_path}/api/reservations/{reservation_id}"
        _show(self.db, asking, resp, reservation_id)


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
        asked = changing.Change(version, **values)
        changing.change(self.db, asking, id, asked, now=int(time.time()))
        _show(self.db, asking, resp, id)

    @operation(contract.CANCEL)
    @falcon.before(require_account)
    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        asking: Account = req.context.account
        reservation, _ = reservations.visible(self.db, asking, id)
        fields.read({}, read_json(req))  # a message that is sent along would be lost
        version = matched_version(req, reservation.version)
        changing.cancel(self.db, asking, id, now=int(time.time()), version=version)
        resp.status = falcon.HTTP_204


def _show(db: Database, asking: Account, resp: falcon.Response, id: int) -> None:
    reservation, side = reservations.visible(db, asking, id)
    resp.etag = f"v{reservation.version}"
    as_json(resp, serialisers.reservation(reservation, side))


def _key(req: falcon.Request) -> str | None:
    key = req.get_header("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        raise RequestRefused("invalid_idempotency_key")
    return key


def _zone(db: Database, entreprise_id: int | None) -> str:
    """Whose dates `du` and `au` are: the business's, or those of France."""
    return businesses.get(db, entreprise_id).fuseau if entreprise_id else instants.FRANCE
