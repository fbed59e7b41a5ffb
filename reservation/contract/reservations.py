"""Reservations: booking, looking, moving, cancelling."""

from reservation.contract import calendars, shapes
from reservation.contract.answers import ERROR, Answer, refusals
from reservation.contract.businesses import VERSION
from reservation.contract.operation import Body, Operation
from reservation.domain import states
from reservation.errors import PlacesNotHeld, SlotTaken
from reservation.http import kinds, queries
from reservation.http.errors import body_of
from reservation.http.fields import Field
from reservation.http.kinds import choice, text, whole
from reservation.http.queries import PAGE
from reservation.http.schemas import array, of_table, shown

PLACES = whole(1, 10_000)
COMMENT = text(2000)
CLIENT = {
    "email": Field(kinds.EMAIL, example="chloe@example.fr"),
    "nom": Field(text(100, shortest=1), example="Martin"),
    "prenom": Field(text(100), default=""),
    "telephone": Field(text(40), default=""),
}
BOOKING = {
    "creneauId": Field(kinds.REFERENCE, example=1, doc="Where the visit starts: listCreneaux."),
    "prestationId": Field(kinds.REFERENCE, example=1),
    "places": Field(PLACES, default=1),
    "commentaire": Field(COMMENT, default=""),
    "client": Field(
        kinds.inner("Client", CLIENT),
        default=None,
        nullable=True,
        doc="For whom an owner books; an account is made where the e-mail has none.",
    ),
}
CHANGE = {
    "creneauId": Field(kinds.REFERENCE, default=None, example=1, doc="Moves the visit."),
    "places": Field(PLACES, default=None, example=1),
    "commentaire": Field(COMMENT, default=None, example=""),
    "statut": Field(choice(*states.STATES), default=None, doc="For the owner, but to cancel."),
    "message": Field(
        text(1000),
        default=None,
        example="",
        doc="The owner's own word to the customer, who is written to of this change: it is "
        "cancelled, refused, approved or moved.",
    ),
    "version": VERSION,
}
SEARCH = {
    "entreprise": Field(queries.ID, default=None),
    "statut": Field(queries.one_of(*states.STATES), default=None),
    "du": Field(queries.DATE, default=None, doc="Those from this date on."),
    "au": Field(queries.DATE, default=None, doc="Those up to this date."),
    "miennes": Field(queries.FLAG, default=None, doc="Only the caller's own visits."),
    "recentes": Field(queries.FLAG, default=None, doc="The latest first."),
    **PAGE,
}
_CUSTOMER = shown(
    "Customer",
    {
        "id": shapes.ID,
        "nom": shapes.text("Martin"),
        "prenom": shapes.text("Chloé"),
        "email": shapes.text("chloe@example.fr"),
        "telephone": shapes.text("06 11 22 33 44"),
    },
)
SHOWN = shown(
    "Reservation",
    {
        "id": shapes.ID,
        "entrepriseId": shapes.ID,
        "prestationId": shapes.ID,
        "utilisateurId": shapes.ID,
        "creneauId": shapes.OPTIONAL_ID,
        "debut": shapes.instant("2030-06-04T09:00:00+02:00"),
        "fin": shapes.instant("2030-06-04T09:45:00+02:00"),
        "places": {**PLACES.schema, "examples": [1]},
        "statut": {"type": "string", "enum": list(states.STATES), "examples": ["confirmee"]},
        "commentaire": shapes.text(),
        "version": shapes.VERSION,
        "creeLe": shapes.instant("2030-05-20T18:03:11+02:00"),
        "entreprise": shapes.named("EntrepriseName", "Salon Alice"),
        "prestation": shapes.named("PrestationName", "Coupe femme"),
        "client": _CUSTOMER,
    },
    optional=("client",),
)
_TAKEN = shown(
    "SlotTaken",
    {
        **ERROR["properties"],
        "motif": {"anyOf": [calendars.MOTIF, {"type": "null"}]},
        "alternatives": array(calendars.FREE),
    },
    optional=tuple({*ERROR["properties"], "motif", "alternatives"} - {"error"}),
)
TAKEN = Answer(
    "The time is not to be had: `motif` says why, `alternatives` are the nearest free ones."
    " Without `motif`: the reservation is in a state that does not allow the change, or the"
    " calendar counts fewer places than the reservation holds.",
    _TAKEN,
    example={
        **body_of(SlotTaken()),
        "motif": "complet",
        "alternatives": [
            {
                "id": 4,
                "debut": "2030-06-04T09:45:00+02:00",
                "fin": "2030-06-04T10:30:00+02:00",
                "placesRestantes": 1,
            }
        ],
    },
)

LIST = Operation(
    "listReservations",
    "One's own reservations; a company those of its businesses, an admin all",
    description="`client` is shown to the owner of the business and to an admin alone.",
    account=True,
    query=SEARCH,
    headers=("If-None-Match",),
    answers={200: Answer("A page of them, by time.", array(SHOWN), headers=("ETag", "Link"))},
    refuses=refusals(404),
)
CREATE = Operation(
    "createReservation",
    "Book a time",
    description="Sent again with the same Idempotency-Key it books once.",
    account=True,
    headers=("Idempotency-Key",),
    body=Body(of_table("Booking", BOOKING)),
    answers={201: Answer("The reservation.", SHOWN, headers=("Location", "ETag"))},
    refuses={**refusals(403, 404, 422), 409: TAKEN},
)
READ = Operation(
    "readReservation",
    "One reservation",
    account=True,
    headers=("If-None-Match",),
    answers={200: Answer("The reservation.", SHOWN, headers=("ETag",))},
)
UPDATE = Operation(
    "updateReservation",
    "Move a reservation, or say what became of it",
    description="What is left out stays. The version is in the body or in If-Match.",
    account=True,
    headers=("If-Match",),
    body=Body(of_table("ReservationChange", CHANGE, partial=True), required=False),
    answers={200: Answer("The reservation.", SHOWN, headers=("ETag",))},
    refuses={**refusals(403), 409: TAKEN},
)
CANCEL = Operation(
    "cancelReservation",
    "Cancel a reservation; again changes nothing",
    account=True,
    headers=("If-Match",),
    answers={204: Answer("Cancelled.")},
    refuses={
        **refusals(403, 413, 415),
        409: Answer(
            "The reservation is in a state that does not allow it, or the calendar counts fewer"
            " places than the reservation holds.",
            ERROR,
            example=body_of(PlacesNotHeld()),
        ),
    },
)
