"""Businesses."""

from reservation.contract import calendars, shapes
from reservation.contract.answers import Answer, refusals
from reservation.contract.operation import Body, Operation
from reservation.http import kinds, queries
from reservation.http.fields import Field
from reservation.http.kinds import text, whole
from reservation.http.queries import PAGE
from reservation.http.schemas import array, as_shown, of_table, shown

A_YEAR = 366 * 1440  # minutes
ENTREPRISE = {
    "nom": Field(text(150, shortest=1), example="Salon Alice"),
    "description": Field(text(5000), default=""),
    "adresse": Field(text(200), default=""),
    "codePostal": Field(text(10), default=""),
    "ville": Field(text(100, shortest=1), example="Lyon"),
    "telephone": Field(text(40), default=""),
    "email": Field(kinds.OPTIONAL_EMAIL, default=""),
    "fuseau": Field(kinds.ZONE, default="Europe/Paris", doc="The IANA zone of its times."),
    "delaiReservation": Field(
        whole(0, A_YEAR), default=0, doc="Minutes of notice that a booking needs."
    ),
    "horizonJours": Field(
        whole(1, 730), default=90, doc="Days from today in which can be booked."
    ),
    "delaiAnnulation": Field(
        whole(0, A_YEAR),
        default=0,
        doc="Minutes before the visit until which its customer may move or cancel it.",
    ),
    "validationManuelle": Field(
        kinds.FLAG, default=False, doc="Whether a booking waits for the owner's approval."
    ),
    "rappelHeures": Field(
        whole(0, 720), default=24, doc="Hours before the visit of the reminder; 0 is none."
    ),
    "actif": Field(kinds.FLAG, default=True),
}
VERSION = Field(
    whole(1, 2**31 - 1), default=None, example=1, doc="The version that the change is made to."
)
CHANGE = {**ENTREPRISE, "version": VERSION}
SEARCH = {
    "q": Field(queries.WORDS, default="", doc="Words of the name, or a service."),
    "ville": Field(queries.WORDS, default="", doc="The city, without regard to accents."),
    "prestation": Field(queries.WORDS, default="", doc="Words of a service."),
    "disponible": Field(
        queries.DATE, default=None, doc="Only those with a free time that day, earliest first."
    ),
    **PAGE,
}

_SHOWN = {
    "id": shapes.ID,
    "proprietaireId": shapes.ID,
    **as_shown(ENTREPRISE),
    "version": shapes.VERSION,
}
SHOWN = shown("Entreprise", _SHOWN)
_OFFERED = shown(
    "OfferedService",
    {
        "id": shapes.ID,
        "nom": shapes.text("Coupe femme"),
        "dureeMinutes": {**shapes.COUNT, "examples": [45]},
        "prixCentimes": {**shapes.COUNT, "examples": [3900]},
    },
)
OFFER = shown(
    "Offer",
    {
        **_SHOWN,
        "prochainCreneau": shown(
            "OfferedStart",
            {**calendars.START, "prestationId": shapes.ID, "prestation": _OFFERED},
        ),
    },
    optional=("prochainCreneau",),
)

LIST = Operation(
    "listEntreprises",
    "Search businesses",
    description="With `disponible` each has its `prochainCreneau`. The search then goes through "
    "the businesses in blocks, and those of a block come with the earliest time first; as long "
    "as there is a link to the next page there may be more, even after an empty page.",
    query=SEARCH,
    headers=("If-None-Match",),
    answers={200: Answer("A page of businesses.", array(OFFER), headers=("ETag", "Link"))},
)
LIST_MANAGED = Operation(
    "listManagedEntreprises",
    "One's own businesses, inactive ones too; all for an admin",
    account=True,
    query=PAGE,
    headers=("If-None-Match",),
    answers={200: Answer("A page of businesses.", array(SHOWN), headers=("ETag", "Link"))},
)
CREATE = Operation(
    "createEntreprise",
    "Open a business",
    account=True,
    body=Body(of_table("EntrepriseInput", ENTREPRISE)),
    answers={201: Answer("The business.", SHOWN, headers=("Location",))},
    refuses=refusals(403),
)
READ = Operation(
    "readEntreprise",
    "One business",
    headers=("If-None-Match",),
    answers={200: Answer("The business.", SHOWN, headers=("ETag",))},
)
UPDATE = Operation(
    "updateEntreprise",
    "Change a business, as a whole",
    account=True,
    headers=("If-Match",),
    body=Body(of_table("EntrepriseChange", CHANGE)),
    answers={200: Answer("The business.", SHOWN, headers=("ETag",))},
    refuses=refusals(403),
)
