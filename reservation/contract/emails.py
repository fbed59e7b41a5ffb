"""The messages of the outbox and what became of them."""

from reservation.contract import shapes
from reservation.contract.answers import Answer, refusals
from reservation.contract.operation import Operation
from reservation.domain.messages import messages, outbox
from reservation.http import queries
from reservation.http.fields import Field
from reservation.http.queries import PAGE
from reservation.http.schemas import array, shown

SEARCH = {"statut": Field(queries.one_of(*outbox.STATES), default=None), **PAGE}
SHOWN = shown(
    "Email",
    {
        "id": shapes.ID,
        "reservationId": shapes.OPTIONAL_ID,
        "entrepriseId": shapes.OPTIONAL_ID,
        "genre": {"type": "string", "enum": list(messages.KINDS)},
        "destinataire": shapes.text("chloe@example.fr"),
        "statut": {"type": "string", "enum": list(outbox.STATES), "examples": ["envoye"]},
        "sujet": shapes.text("Rendez-vous confirmé"),
        "corps": shapes.text("Bonjour …"),
        "essais": {**shapes.COUNT, "description": "How often it was tried."},
        "prochainEssai": shapes.instant("2030-05-20T18:05:00+02:00", optional=True),
        "derniereErreur": {"type": ["string", "null"], "examples": [None]},
        "envoyeLe": shapes.instant("2030-05-20T18:03:12+02:00", optional=True),
        "creeLe": shapes.instant("2030-05-20T18:03:11+02:00"),
    },
)
_PAGE = {
    200: Answer("A page, the latest first.", array(SHOWN), headers=("ETag", "Link")),
}

LIST = Operation(
    "listEmailsOfEntreprise",
    "The messages about one business",
    account=True,
    query=SEARCH,
    headers=("If-None-Match",),
    answers=_PAGE,
    refuses=refusals(403),
)
LIST_ALL = Operation(
    "listEmails",
    "All messages, for an admin",
    account=True,
    query=SEARCH,
    headers=("If-None-Match",),
    answers=_PAGE,
    refuses=refusals(403),
)
SEND_AGAIN = Operation(
    "sendEmailAgain",
    "Send a message again",
    account=True,
    answers={202: Answer("It waits to be sent.", SHOWN)},
    refuses=refusals(403, 409),
)
