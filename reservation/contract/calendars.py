"""The week of a business and its free times."""

from reservation.contract import shapes
from reservation.contract.answers import Answer, refusals
from reservation.contract.operation import Body, Operation
from reservation.domain import availability
from reservation.http import kinds, queries
from reservation.http.fields import Field
from reservation.http.kinds import whole
from reservation.http.queries import whole_number
from reservation.http.schemas import array, as_shown, of_table, shown

OPENING = {
    "jour": Field(whole(1, 7), example=2, doc="The day of the week; Monday is 1."),
    "debut": Field(kinds.WALL_TIME_OF_START, example="09:00"),
    "fin": Field(kinds.WALL_TIME, example="12:00", doc='"24:00" is the end of the day.'),
    "pasMinutes": Field(whole(5, 1440), example=15, doc="The length of a creneau."),
    "capacite": Field(whole(1, 10_000), default=1, doc="Places at a time."),
    "prestationId": Field(
        kinds.REFERENCE, default=None, nullable=True, doc="The one service it is kept for."
    ),
}
MOST_OPENINGS = 200
DAYS, MOST_DAYS = 7, 31
QUERY = {
    "prestation": Field(queries.ID, default=None, doc="The service; else one creneau."),
    "du": Field(queries.DATE, default=None, doc="The first local date; today is the default."),
    "au": Field(
        queries.DATE, default=None, doc=f"The last local date; {MOST_DAYS} days at most."
    ),
    "places": Field(whole_number(1, 10_000), default=1),
    "tous": Field(queries.FLAG, default=None, doc="The others too, each with its `motif`."),
    "prochain": Field(queries.FLAG, default=None, doc="The first free one from `du` on alone."),
}

MOTIF = {"type": "string", "enum": list(availability.MOTIFS)}
START = {
    "id": shapes.ID,
    "debut": shapes.instant("2030-06-04T09:00:00+02:00"),
    "fin": shapes.instant("2030-06-04T09:45:00+02:00"),
    "placesRestantes": {**shapes.COUNT, "examples": [1]},
}
FREE = shown("FreeStart", START)
SHOWN_START = shown("Start", {**START, "motif": MOTIF}, optional=("motif",))
WEEK = array(shown("Opening", as_shown(OPENING)))
CHANGED = shown(
    "CalendarChange",
    {"ajoutes": shapes.COUNT, "supprimes": shapes.COUNT, "conserves": shapes.COUNT},
)
_OPENINGS = {**array(of_table("OpeningInput", OPENING)), "maxItems": MOST_OPENINGS}

LIST = Operation(
    "listCreneaux",
    "The times at which a visit can begin",
    query=QUERY,
    headers=("If-None-Match",),
    answers={200: Answer("The starts, by time.", array(SHOWN_START), headers=("ETag",))},
)
READ = Operation(
    "readSemainetype",
    "The weekly template of a business",
    headers=("If-None-Match",),
    answers={200: Answer("The whole week.", WEEK, headers=("ETag",))},
)
REPLACE = Operation(
    "replaceSemainetype",
    "Set the weekly template, as a whole",
    description="Creneaux with bookings are kept, and the free time around them is filled.",
    account=True,
    headers=("If-Match",),
    body=Body(_OPENINGS),
    answers={
        200: Answer(
            "The week, and what became of the calendar.",
            shown("WeekChange", {"semaine": WEEK, "creneaux": CHANGED}),
            headers=("ETag",),
        )
    },
    refuses=refusals(403),
)
