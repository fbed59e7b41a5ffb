"""The services of businesses."""

from reservation.contract import shapes
from reservation.contract.answers import Answer, refusals
from reservation.contract.businesses import VERSION
from reservation.contract.operation import Body, Operation
from reservation.http import kinds, queries
from reservation.http.fields import Field
from reservation.http.kinds import text, whole
from reservation.http.queries import PAGE
from reservation.http.schemas import array, as_shown, of_table, shown

PRESTATION = {
    "nom": Field(text(150, shortest=1), example="Coupe femme"),
    "description": Field(text(5000), default=""),
    "dureeMinutes": Field(whole(1, 14 * 1440), example=45),
    "tamponAvant": Field(whole(0, 1440), default=0, doc="Minutes kept free before the visit."),
    "tamponApres": Field(whole(0, 1440), default=0, doc="Minutes kept free after the visit."),
    "intervalleMinutes": Field(
        whole(1, 1440),
        default=None,
        nullable=True,
        doc="Visits start at the opening and every so many minutes after; null: at each creneau.",
    ),
    "prixCentimes": Field(whole(0, 10**9), default=0),
    "actif": Field(kinds.FLAG, default=True),
}
CHANGE = {**PRESTATION, "version": VERSION}
SEARCH = {
    "q": Field(queries.WORDS, default="", doc="Words of the name."),
    "ville": Field(queries.WORDS, default="", doc="The city of the business."),
    **PAGE,
}
SHOWN = shown(
    "Prestation",
    {
        "id": shapes.ID,
        "entrepriseId": shapes.ID,
        **as_shown(PRESTATION),
        "version": shapes.VERSION,
    },
)
_PAGE = {200: Answer("A page of services.", array(SHOWN), headers=("ETag", "Link"))}

SEARCH_ALL = Operation(
    "searchPrestations",
    "Services of all businesses",
    query=SEARCH,
    headers=("If-None-Match",),
    answers=_PAGE,
)
LIST = Operation(
    "listPrestations",
    "Services of one business",
    query=PAGE,
    headers=("If-None-Match",),
    answers=_PAGE,
)
CREATE = Operation(
    "createPrestation",
    "Offer a service",
    account=True,
    body=Body(of_table("PrestationInput", PRESTATION)),
    answers={201: Answer("The service.", SHOWN, headers=("Location",))},
    refuses=refusals(403),
)
READ = Operation(
    "readPrestation",
    "One service",
    headers=("If-None-Match",),
    answers={200: Answer("The service.", SHOWN, headers=("ETag",))},
)
UPDATE = Operation(
    "updatePrestation",
    "Change a service, as a whole",
    account=True,
    headers=("If-Match",),
    body=Body(of_table("PrestationChange", CHANGE)),
    answers={200: Answer("The service.", SHOWN, headers=("ETag",))},
    refuses=refusals(403),
)
RETIRE = Operation(
    "retirePrestation",
    "Offer a service no more; its bookings stay",
    account=True,
    headers=("If-Match",),
    answers={204: Answer("Retired.")},
    refuses=refusals(403),
)
