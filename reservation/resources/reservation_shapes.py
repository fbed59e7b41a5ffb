"""The JSON of a booking, for the customer and for the business."""

from collections.abc import Sequence
from functools import partial
from itertools import chain, groupby

from reservation.domain import states
from reservation.domain.booking import reservations
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER, OWNER, STAFF
from reservation.http.replies import as_list
from reservation.operations import properties
from reservation.operations.kinds import whole
from reservation.operations.properties import ID, instant, nested
from reservation.operations.schemas import Json
from reservation.operations.shapes import Property, Shape

PLACES = whole(1, 10_000)
_CUSTOMER = Shape(
    "Customer",
    {
        "id": Property(ID, source="client_id"),
        "nom": Property(properties.text("Martin"), source="client_nom"),
        "prenom": Property(properties.text("Chloé"), source="client_prenom"),
        "email": Property(properties.text("chloe@example.fr"), source="client_email"),
        "telephone": Property(properties.text("06 11 22 33 44"), source="client_telephone"),
    },
)


def named(shape: str, noun: str, example: str, *, optional: bool = False) -> Property:
    """Returns a property whose value is an object with an id and a name. If it is `optional`, the
    rows without a name omit it."""
    id, nom = f"{noun}_id", f"{noun}_nom"
    text = Property(properties.text(example), source=nom)
    shown = Shape(shape, {"id": Property(ID, source=id), "nom": text})
    return nested(shown, presence=nom if optional else "")


RESERVATION = Shape(
    "Reservation",
    {
        "id": ID,
        "entreprise_id": ID,
        "prestation_id": ID,
        "utilisateur_id": Property(properties.OPTIONAL_ID, source="titulaire_id"),
        "creneau_id": properties.OPTIONAL_ID,
        "debut": instant("2030-06-04T09:00:00+02:00"),
        "fin": instant("2030-06-04T09:45:00+02:00"),
        "places": {**PLACES.schema, "examples": [1]},
        "prix_centimes": {
            **properties.COUNT,
            "examples": [3900],
            "description": "The price of a place at the time of booking.",
        },
        "statut": {
            "type": "string",
            "enum": list(states.STATES),
            "examples": ["confirmee"],
            "description": "A `demandee` booking waits for the approval of the business, and a"
            " `confirmee` booking is confirmed. The business declined a `refusee` booking; the"
            " customer or the business cancelled an `annulee` booking. The customer came to an"
            " `honoree` visit, and did not come to an `absente` visit.",
        },
        "commentaire": properties.text(),
        "version": properties.VERSION,
        "cree_le": instant("2030-05-20T18:03:11+02:00"),
        "entreprise": named("EntrepriseName", "entreprise", "Salon Alice"),
        "prestation": named("PrestationName", "prestation", "Coupe femme"),
        "ressource": named("PersonName", "ressource", "Léa", optional=True),
        "lieu": named("RoomName", "lieu", "Cabine 1", optional=True),
        "client": nested(_CUSTOMER, optional=True),
    },
)

# `ferme` is read for one booking only, because each booking of a list would need a query.
WITH_CLOSURE = Shape(
    "BookingRead",
    {
        **RESERVATION.properties,
        "ferme": Property(
            {
                "type": "boolean",
                "examples": [True],
                "description": "True if a closure covers the visit. The customer can then move or"
                " cancel the visit until its start, whatever `delaiAnnulation` is.",
            },
            optional=True,
        ),
    },
)


_FOR_CUSTOMER = Shape(
    RESERVATION.name,
    {name: one for name, one in RESERVATION.properties.items() if name != "client"},
)


# Only the business sees the customer's details.
_SHAPES = {OWNER: RESERVATION, STAFF: RESERVATION, CUSTOMER: _FOR_CUSTOMER}


def show(row: ReservationRecord, side: str) -> Json:
    return _SHAPES[side].show(row)


def as_json(account: Account, rows: Sequence[ReservationRecord]) -> bytes:
    sides = groupby(rows, partial(reservations.side_of, account))
    return as_list(chain.from_iterable(_SHAPES[side].texts([*alike]) for side, alike in sides))
