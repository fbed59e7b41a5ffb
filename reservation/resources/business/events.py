"""The events of a business: closures, extra openings, special hours and announcements."""

from typing import Any

import falcon

from reservation.domain.budget import Budget
from reservation.domain.catalogue import search
from reservation.domain.planning import businesses, events
from reservation.domain.planning.replanning import PlanOutcome
from reservation.lib import instants
from reservation.operations import kinds, properties, queries
from reservation.operations.answers import created, ok
from reservation.operations.bodies import Body
from reservation.operations.fields import Field, Query
from reservation.operations.kinds import choice, text, whole
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent, count, many, nested, within
from reservation.operations.queries import Page, PageQuery
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, Properties, Property, Shape
from reservation.resources.reservation_shapes import RESERVATION
from reservation.storage.models import Entreprise, Evenement

_STORED = (
    "Counts only the stored calendar, which is extended by the worker, and when a later day is"
    " shown or booked."
)
STRANDS = "`reservationsTouchees` lists coming bookings that the event puts outside opening hours."


class EvenementInput(Body):
    type = Field(
        choice("fermeture", "ouverture", "horaires", "information"),
        example="fermeture",
        doc="A `fermeture` closes the business, even during an `ouverture` or `horaires`. An"
        " `ouverture` adds time outside the weekly hours. `horaires` replace the weekly openings"
        " that begin on the local days from `debut` to `fin`. An opening that begins the evening"
        " before stays. `horaires` of the whole business concern a person or room with its own"
        " weekly hours only on days on which these have an opening, and keep its places. An"
        " `information` does not affect the calendar.",
    )
    titre = Field(text(150, shortest=1), example="Congés")
    description = Field(text(5000), default="")
    debut = Field(kinds.INSTANT, example="2030-08-05T00:00:00+02:00")
    fin = Field(
        kinds.INSTANT,
        example="2030-08-12T00:00:00+02:00",
        doc="At most 366 days after `debut`; for `horaires`, at most 8 days.",
    )
    pas_minutes = Field(
        whole(1, 1440),
        default=None,
        nullable=True,
        doc="The length of a slot, in minutes; required for `ouverture` and `horaires`, otherwise"
        " null. A day of a person or a room has at most 500 slots.",
    )
    capacite = Field(
        whole(1, 10_000),
        default=None,
        nullable=True,
        doc="The places of a slot; required for `ouverture` and `horaires`, otherwise null.",
    )
    ressource_id = Field(
        kinds.REFERENCE,
        default=None,
        nullable=True,
        doc="The person or room that the event concerns; null: the whole business.",
    )


class EvenementSearch(PageQuery):
    ville = Field(queries.WORDS, default="", doc="The city of the business.")
    du = Field(queries.DATE, default=None, doc="Events that end after the start of this date.")
    au = Field(queries.DATE, default=None, doc="Events that begin before the end of this date.")


class EvenementOfEntrepriseSearch(EvenementSearch):
    ressource = Field(
        queries.ID,
        default=None,
        doc="Only events of this person or room, and events of the whole business.",
    )


class TrialQuery(Query):
    essai = Field(
        queries.FLAG,
        default=None,
        doc="1: a dry run, which only says what would change. `creneaux` counts only the stored"
        " calendar.",
    )


_SENT = as_sent(EvenementInput, zone="entreprise.fuseau")
_SHOWN: Properties = {
    "id": ID,
    "entreprise_id": ID,
    **_SENT,
    "version": properties.VERSION,
}
EVENEMENT = Shape("Evenement", _SHOWN)
_CALENDAR_CHANGE = Shape(
    "CalendarChange",
    {
        "ajoutes": count("added", f"New slots. {_STORED}"),
        "supprimes": count("removed", f"Removed slots; a closure removes none. {_STORED}"),
        "conserves": count("kept", f"Booked slots that stay. {_STORED}"),
        "jusqua": Property(
            {
                "type": "string",
                "format": "date-time",
                "examples": ["2031-06-04T00:00:00+00:00"],
                "description": "Only for a long calendar: its slots are updated up to this time."
                " Later slots are updated before they are shown or booked, and are not included"
                " in the counts.",
            },
            show=lambda until: instants.to_iso(until, instants.zone_of("UTC")),
            source="until",
            optional=True,
        ),
    },
)
OUTCOME = {
    "creneaux": nested(_CALENDAR_CHANGE, "change"),
    "reservations_touchees": many(RESERVATION, "stranded"),
}
PLANNED = Shape("PlannedEvenement", {**within("written", _SHOWN), **OUTCOME})
TRIED = Shape("TriedEvenement", {**within("written", _SENT), **OUTCOME})


class Evenements(Resource):
    """GET /api/evenements"""

    @operation(
        "searchEvenements",
        "Events of all businesses",
        ok("A page of events.", Many(EVENEMENT)),
    )
    def on_get(self, query: EvenementSearch) -> Page[Evenement]:
        return _page(self, query, None)


class EvenementsOfEntreprise(Resource):
    """GET, POST /api/entreprises/{id}/evenements"""

    @operation(
        "listEvenements",
        "Events of one business",
        ok("A page of events.", Many(EVENEMENT)),
        subject=businesses.get,
    )
    def on_get(
        self, entreprise: Entreprise, query: EvenementOfEntrepriseSearch
    ) -> Page[Evenement]:
        return _page(self, query, entreprise, query.ressource)

    @operation(
        "createEvenement",
        "Create an event",
        created("The event, and what it changed.", PLANNED, location="/api/evenements/{id}"),
        ok("With `essai`: the event, and what it would change.", TRIED),
        description=STRANDS,
        subject=businesses.owned,
    )
    def on_post(
        self,
        resp: falcon.Response,
        entreprise: Entreprise,
        query: TrialQuery,
        body: EvenementInput,
        now: int,
    ) -> PlanOutcome:
        if query.essai:
            resp.status = falcon.HTTP_200
            return events.rehearse(self.db, entreprise, body.values, now=now)
        return events.add(self.db, entreprise, body.values, now=now, budget=Budget())


def _page(
    resource: Resource, query: EvenementSearch, entreprise: Entreprise | None,
    ressource_id: int | None = None,
) -> Page[Evenement]:
    """Returns a page of events of a business, ordered by start. If `entreprise` is None, returns
    events of all businesses, and reads the dates in `query` in the time zone of France."""
    queries.check_order(query.du, query.au)
    zone = instants.zone_of(entreprise.fuseau if entreprise else instants.FRANCE)
    found: dict[str, Any] = {
        "entreprise_id": entreprise and entreprise.id,
        "ressource_id": ressource_id,
        "ville": query.ville,
        "since": instants.midnight(query.du, zone) if query.du else None,
        "until": instants.end_of(query.au, zone) if query.au else None,
    }
    page = query.page(
        lambda after, most: search.event_keys(resource.db, **found, after=after, most=most),
        tuple,
        length=2,
    )
    return page.load(lambda keys: search.events(resource.db, keys))
