"""The weekly template of a business."""

from reservation.contract import reservations
from reservation.contract.answers import Answer, refusals
from reservation.contract.calendars import CHANGED, TRIAL
from reservation.contract.operation import Body, Operation
from reservation.http import kinds
from reservation.http.fields import Field
from reservation.http.kinds import whole
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

WEEK = array(shown("Opening", as_shown(OPENING)))
_OPENINGS = {**array(of_table("OpeningInput", OPENING)), "maxItems": MOST_OPENINGS}

READ = Operation(
    "readSemainetype",
    "The weekly template of a business",
    headers=("If-None-Match",),
    answers={200: Answer("The whole week.", WEEK, headers=("ETag",))},
)
REPLACE = Operation(
    "replaceSemainetype",
    "Set the weekly template, as a whole",
    description="Creneaux with bookings are kept, and the free time around them is filled. The "
    "answer lists in `reservationsTouchees` the bookings that are left outside of the hours.",
    account=True,
    query=TRIAL,
    headers=("If-Match",),
    body=Body(_OPENINGS),
    answers={
        200: Answer(
            "The week, and what became of the calendar.",
            shown(
                "WeekChange",
                {
                    "semaine": WEEK,
                    "creneaux": CHANGED,
                    "reservationsTouchees": array(reservations.SHOWN),
                },
            ),
            headers=("ETag",),
        )
    },
    refuses=refusals(403),
)
