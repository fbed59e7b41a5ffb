"""The dated exceptions of a business: closures, extra openings, public happenings."""

from reservation.contract import reservations, shapes
from reservation.contract.answers import Answer, refusals
from reservation.contract.businesses import VERSION
from reservation.contract.calendars import CHANGED, TRIAL
from reservation.contract.operation import Body, Operation
from reservation.http import kinds, queries
from reservation.http.fields import Field
from reservation.http.kinds import choice, text, whole
from reservation.http.queries import PAGE
from reservation.http.schemas import array, as_shown, of_table, shown
from reservation.lib.holidays import METROPOLE, REGIONS

EVENEMENT = {
    "type": Field(
        choice("fermeture", "ouverture", "information"),
        example="fermeture",
        doc="A closure, an extra opening, or a happening that leaves the calendar alone.",
    ),
    "titre": Field(text(150, shortest=1), example="Congés"),
    "description": Field(text(5000), default=""),
    "debut": Field(kinds.INSTANT, example="2030-08-05T00:00:00+02:00"),
    "fin": Field(kinds.INSTANT, example="2030-08-12T00:00:00+02:00"),
    "pasMinutes": Field(
        whole(5, 1440), default=None, nullable=True, doc="An opening's length of a creneau."
    ),
    "capacite": Field(
        whole(1, 10_000), default=None, nullable=True, doc="An opening's places at a time."
    ),
}
CHANGE = {**EVENEMENT, "version": VERSION}
FERIES = {
    "annee": Field(whole(1971, 9998), example=2030),
    "region": Field(
        choice(*REGIONS),
        default=METROPOLE,
        doc="Each region has the eleven holidays of article L3133-1 and those that it adds. "
        + "; ".join(f"`{one}`: {', '.join(more) or 'none'}" for one, more in REGIONS.items()),
    ),
    "alsaceMoselle": Field(
        kinds.FLAG, default=False, doc="Deprecated: the same as the region `alsace-moselle`."
    ),
}
SEARCH = {
    "ville": Field(queries.WORDS, default="", doc="The city of the business."),
    "du": Field(queries.DATE, default=None, doc="Those that end after the beginning of it."),
    "au": Field(queries.DATE, default=None, doc="Those that begin before the end of it."),
    **PAGE,
}
_SHOWN = {
    "id": shapes.ID,
    "entrepriseId": shapes.ID,
    **as_shown(EVENEMENT),
    "version": shapes.VERSION,
}
SHOWN = shown("Evenement", _SHOWN)
_DONE = {"creneaux": CHANGED, "reservationsTouchees": array(reservations.SHOWN)}
PLANNED = shown("PlannedEvenement", {**_SHOWN, **_DONE})
TRIED = shown("TriedEvenement", {**as_shown(EVENEMENT), **_DONE})
_PAGE = {200: Answer("A page of events.", array(SHOWN), headers=("ETag", "Link"))}
_STRANDS = "The answer lists in `reservationsTouchees` the bookings that it strands."

SEARCH_ALL = Operation(
    "searchEvenements",
    "Events of all businesses",
    query=SEARCH,
    headers=("If-None-Match",),
    answers=_PAGE,
)
LIST = Operation(
    "listEvenements",
    "Events of one business",
    query=SEARCH,
    headers=("If-None-Match",),
    answers=_PAGE,
)
CREATE = Operation(
    "createEvenement",
    "Plan an event",
    description=_STRANDS,
    account=True,
    query=TRIAL,
    body=Body(of_table("EvenementInput", EVENEMENT)),
    answers={
        200: Answer("With `essai`: the event and what it would do.", TRIED),
        201: Answer("The event and what it does.", PLANNED, headers=("Location",)),
    },
    refuses=refusals(403),
)
CLOSE_HOLIDAYS = Operation(
    "closeHolidays",
    "Close on the public holidays of a year in France",
    description=_STRANDS,
    account=True,
    query=TRIAL,
    body=Body(of_table("Feries", FERIES)),
    answers={
        200: Answer("With `essai`: the closures that would be added.", array(TRIED)),
        201: Answer("The closures that were added.", array(PLANNED)),
    },
    refuses=refusals(403),
)
READ = Operation(
    "readEvenement",
    "One event",
    headers=("If-None-Match",),
    answers={200: Answer("The event.", SHOWN, headers=("ETag",))},
)
UPDATE = Operation(
    "updateEvenement",
    "Change an event, as a whole",
    description=_STRANDS,
    account=True,
    query=TRIAL,
    headers=("If-Match",),
    body=Body(of_table("EvenementChange", CHANGE)),
    answers={200: Answer("The event and what it does.", PLANNED, headers=("ETag",))},
    refuses=refusals(403),
)
REMOVE = Operation(
    "removeEvenement",
    "Take an event back",
    account=True,
    headers=("If-Match",),
    answers={204: Answer("Removed.")},
    refuses=refusals(403),
)
