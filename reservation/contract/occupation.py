"""How full the calendar of a business is."""

from reservation.contract import shapes
from reservation.contract.answers import Answer, refusals
from reservation.contract.operation import Operation
from reservation.http import queries
from reservation.http.fields import Field
from reservation.http.schemas import array, shown

WEEKS_BEFORE, WEEKS_AFTER, MOST_WEEKS = 8, 4, 53
QUERY = {
    "du": Field(
        queries.DATE,
        default=None,
        doc=f"A date of the first week; {WEEKS_BEFORE} weeks ago is the default.",
    ),
    "au": Field(
        queries.DATE,
        default=None,
        doc=f"A date of the last week; {MOST_WEEKS} weeks at most, by default "
        f"{WEEKS_BEFORE + 1 + WEEKS_AFTER}.",
    ),
}
SHOWN = shown(
    "WeekOccupation",
    {
        "semaine": {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$", "examples": ["2030-W23"]},
        "du": {
            "type": "string", "format": "date", "examples": ["2030-06-03"],
            "description": "Its Monday.",
        },
        "capaciteMinutes": {
            **shapes.COUNT, "description": "Minutes that are open, times the places of each."
        },
        "prisesMinutes": {
            **shapes.COUNT,
            "description": "Of the places that are taken, buffers included, closed times too.",
        },
        "reservations": {
            **shapes.COUNT, "description": "All that begin in it but those refused or cancelled."
        },
        "honorees": shapes.COUNT,
        "absentes": shapes.COUNT,
        "annulees": shapes.COUNT,
    },
)

READ = Operation(
    "readOccupation",
    "How full the calendar of a business is, week by week",
    account=True,
    query=QUERY,
    headers=("If-None-Match",),
    answers={200: Answer("The weeks, by time.", array(SHOWN), headers=("ETag",))},
    refuses=refusals(403),
)
