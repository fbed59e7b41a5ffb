"""The calendar of a business: the times at which a visit can begin."""

from reservation.contract import shapes
from reservation.contract.answers import Answer
from reservation.contract.operation import Operation
from reservation.domain.calendar import availability
from reservation.http import queries
from reservation.http.fields import Field
from reservation.http.queries import whole_number
from reservation.http.schemas import array, shown

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

TRIAL = {
    "essai": Field(
        queries.FLAG, default=None, doc="Answers what it would do, and changes nothing."
    )
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
CHANGED = shown(
    "CalendarChange",
    {
        "ajoutes": shapes.COUNT,
        "supprimes": shapes.COUNT,
        "conserves": shapes.COUNT,
        "jusqua": {
            **shapes.instant("2031-06-04T00:00:00+00:00"),
            "description": "There where the calendar is so long that it was changed up to here"
            " only. The rest follows by itself, before anybody sees or books it; the counts"
            " are without it.",
        },
    },
    optional=("jusqua",),
)

LIST = Operation(
    "listCreneaux",
    "The times at which a visit can begin",
    query=QUERY,
    description="Where `prochain` takes too long to find, the answer is empty and links the "
    "request that goes on; a long calendar that is still being made is 503 for a moment.",
    headers=("If-None-Match",),
    answers={200: Answer("The starts, by time.", array(SHOWN_START), headers=("ETag", "Link"))},
)
