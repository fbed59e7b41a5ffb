"""Calendars to take along: the file of a reservation, and the private feeds."""

import falcon

from reservation.contract import feeds as contract
from reservation.contract.operation import operation
from reservation.domain.booking import feeds
from reservation.domain.booking.feeds import ACCOUNT, BUSINESS, Feeds
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses
from reservation.http.bearer import require_account
from reservation.http.replies import as_json
from reservation.lib import icalendar
from reservation.storage.database import Database

CALENDAR = f"{icalendar.MIME}; charset=utf-8"


class ReservationFile:
    """GET /api/reservations/{id}.ics"""

    def __init__(self, db: Database, tokens: Tokens, private: Feeds) -> None:
        self.db, self.tokens, self.feeds = db, tokens, private

    @operation(contract.FILE)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        text = feeds.file(self.db, req.context.account, id, self.feeds.origin)
        resp.downloadable_as = f"reservation-{id}.ics"
        resp.content_type, resp.data = CALENDAR, text.encode()


class FluxOfAccount:
    """GET, POST /api/flux: the address of the caller's feed, and a new one instead."""

    def __init__(self, db: Database, tokens: Tokens, private: Feeds) -> None:
        self.db, self.tokens, self.feeds = db, tokens, private

    @operation(contract.READ)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        as_json(resp, {"url": self.feeds.url(self.db, ACCOUNT, req.context.account.id)})

    @operation(contract.RENEW)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        as_json(resp, {"url": self.feeds.renew(self.db, ACCOUNT, req.context.account.id)})


class FluxOfEntreprise:
    """GET, POST /api/entreprises/{id}/flux: the same for a business."""

    def __init__(self, db: Database, tokens: Tokens, private: Feeds) -> None:
        self.db, self.tokens, self.feeds = db, tokens, private

    @operation(contract.READ_OF_ENTREPRISE)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        businesses.owned(self.db, req.context.account, id)
        as_json(resp, {"url": self.feeds.url(self.db, BUSINESS, id)})

    @operation(contract.RENEW_OF_ENTREPRISE)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        businesses.owned(self.db, req.context.account, id)
        as_json(resp, {"url": self.feeds.renew(self.db, BUSINESS, id)})


class Flux:
    """GET /flux/{jeton}.ics: the address itself is what opens it."""

    def __init__(self, db: Database, private: Feeds) -> None:
        self.db, self.feeds = db, private

    @operation(contract.FEED)
    def on_get(self, _req: falcon.Request, resp: falcon.Response, jeton: str) -> None:
        text = self.feeds.read(self.db, jeton)
        resp.cache_control = ["private", "no-cache"]
        resp.content_type, resp.data = CALENDAR, text.encode()
