"""Calendars for other programs: a file for each booking, and private feeds."""

from typing import Any

import falcon

from reservation.domain.booking import feeds
from reservation.domain.booking.feeds import ACCOUNT, BUSINESS, OF_GENRE
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses
from reservation.domain.planning.ressources import RessourceRecord
from reservation.lib import icalendar
from reservation.operations.answers import ok
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import plain
from reservation.resources.business.ressources import run_ressource
from reservation.storage.models import Entreprise

ADDRESS = "https://reservation.example/flux/u1-mEWfCfOC3Bp0CW3YGuWXFAmEWfCfOC3Bp0CW3YGuWXF.ics"
_ADDRESS = plain("Feed", url={"type": "string", "format": "uri", "examples": [ADDRESS]})
_CALENDAR = ok(
    "iCalendar.",
    {"type": "string", "examples": ["BEGIN:VCALENDAR\r\n…\r\nEND:VCALENDAR\r\n"]},
    media_type=icalendar.MIME,
)
_PRESENT = ok("The private address.", _ADDRESS)
_RENEWED = ok("The new address; the old one is revoked.", _ADDRESS)


class ReservationFile(Resource):
    """GET /api/reservations/{id}.ics"""

    @operation(
        "readReservationFile", "A booking as a file for calendar programs", _CALENDAR, links=True
    )
    def on_get(self, resp: falcon.Response, account: Account, id: int) -> bytes:
        resp.downloadable_as = f"reservation-{id}.ics"
        return feeds.file(self.db, account, id, self.parts.feeds.origin).encode()


class FluxOfAccount(Resource):
    """GET, POST /api/flux"""

    @operation("readFlux", "The private address of the feed of the caller's bookings", _PRESENT)
    def on_get(self, account: Account) -> Any:
        return {"url": self.parts.feeds.url(self.db, ACCOUNT, account.id)}

    @operation("renewFlux", "Replace the private address", _RENEWED)
    def on_post(self, account: Account) -> Any:
        return {"url": self.parts.feeds.renew(self.db, ACCOUNT, account.id)}


class FluxOfEntreprise(Resource):
    """GET, POST /api/entreprises/{id}/flux"""

    @operation(
        "readFluxOfEntreprise",
        "The private address of the feed of a business",
        _PRESENT,
        subject=businesses.owned,
    )
    def on_get(self, entreprise: Entreprise) -> Any:
        return {"url": self.parts.feeds.url(self.db, BUSINESS, entreprise.id)}

    @operation(
        "renewFluxOfEntreprise",
        "Replace the private address",
        _RENEWED,
        subject=businesses.owned,
    )
    def on_post(self, entreprise: Entreprise) -> Any:
        return {"url": self.parts.feeds.renew(self.db, BUSINESS, entreprise.id)}


class FluxOfRessource(Resource):
    """GET, POST /api/ressources/{id}/flux"""

    @operation(
        "readFluxOfRessource",
        "The private address of the feed of a person or a room",
        _PRESENT,
        subject=run_ressource,
    )
    def on_get(self, ressource: RessourceRecord) -> Any:
        kind = OF_GENRE[ressource.genre]
        return {"url": self.parts.feeds.url(self.db, kind, ressource.id)}

    @operation(
        "renewFluxOfRessource",
        "Replace the private address",
        _RENEWED,
        subject=run_ressource,
    )
    def on_post(self, ressource: RessourceRecord) -> Any:
        kind = OF_GENRE[ressource.genre]
        return {"url": self.parts.feeds.renew(self.db, kind, ressource.id)}


class Flux(Resource):
    """GET /flux/{jeton}.ics"""

    @operation(
        "readFeed", "A calendar to subscribe to; its address is the credential", _CALENDAR
    )
    def on_get(self, resp: falcon.Response, jeton: str, now: int) -> bytes:
        resp.cache_control = ["private", "no-cache"]
        return self.parts.feeds.read(self.db, jeton, now).encode()
