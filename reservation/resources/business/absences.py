"""Absences of persons. Proposes another person or another time for each visit that an absent
person would miss. Moves these visits, and closes the calendar of the absent person."""

from typing import Any

from reservation.domain.budget import Budget
from reservation.domain.calendar.performers import PERSON
from reservation.domain.people.sessions import Account
from reservation.domain.planning import absences, businesses
from reservation.domain.planning.absences import Absence, Move
from reservation.domain.planning.ressources import RessourceRecord
from reservation.errors import NotFound
from reservation.lib import instants
from reservation.operations import kinds, queries
from reservation.operations.answers import CODE, ok
from reservation.operations.bodies import Body, entries
from reservation.operations.fields import Field, Query
from reservation.operations.kinds import inner, text
from reservation.operations.operation import operation
from reservation.operations.properties import ID, instant, nested
from reservation.operations.properties import text as shown_text
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json
from reservation.operations.shapes import Many, Shape, plain
from reservation.resources.business.events import EVENEMENT
from reservation.resources.business.ressources import owned_ressource
from reservation.resources.business.slots import MOST_DAYS, span_of
from reservation.resources.reservation_shapes import RESERVATION, named
from reservation.storage.database import Database

MOST_MOVES = 100


class AbsenceQuery(Query):
    du = Field(queries.DATE, default=None, doc="The first local date. Default: today.")
    au = Field(
        queries.DATE,
        default=None,
        doc=f"The last local date, at most {MOST_DAYS} days in all. Default: `du`.",
    )


class AcceptedMove(Body):
    reservation = Field(kinds.REFERENCE, example=1)
    version = Field(kinds.REFERENCE, example=1)
    ressource_id = Field(kinds.REFERENCE, example=2)
    creneau_id = Field(kinds.REFERENCE, example=5)


class AbsenceMoves(Body):
    deplacements = Field(entries(inner(AcceptedMove), MOST_MOVES), example=[])
    message = Field(
        text(1000), default="", doc="The owner's text in the message to each moved customer."
    )
    fermeture = Field(
        text(150, shortest=1),
        default=None,
        nullable=True,
        example="Absence",
        doc="The title of a closure for the person from `du` to `au`; null: no closure. Everybody"
        " can read the title.",
    )


_SUBSTITUTE = Shape(
    "Substitute",
    {
        "creneau_id": ID,
        "ressource": named("PersonName", "ressource", "Léa"),
        "debut": instant("2030-06-04T09:00:00+02:00"),
        "fin": instant("2030-06-04T09:45:00+02:00"),
    },
)
_PROPOSAL = Shape(
    "AbsenceProposal",
    {
        "reservation": nested(RESERVATION, "reservation"),
        "proposition": nested(_SUBSTITUTE, "substitute", optional=True),
    },
)
_DONE = plain(
    "AbsenceMoveOutcome",
    ("code", "error"),
    reservation=ID,
    deplacee={"type": "boolean", "examples": [True]},
    code=CODE,
    error=shown_text("This time is unavailable"),
)
_OUTCOME = plain(
    "AbsenceOutcome",
    ("evenement",),
    deplacements=Many(_DONE),
    reservationsTouchees=Many(RESERVATION),
    evenement=EVENEMENT,
)


def absent_person(db: Database, account: Account, id: int) -> RessourceRecord:
    """Returns the person with this id. Raises NotFound if the id is unknown or belongs to a room.

    Raises NotPermitted if the caller is neither the owner of the business nor an admin.
    """
    found = owned_ressource(db, account, id)
    if found.genre != PERSON:
        raise NotFound()
    return found


class AbsenceOfRessource(Resource):
    """GET, POST /api/ressources/{id}/absence"""

    def _absence(self, person: RessourceRecord, query: AbsenceQuery, now: int) -> Absence:
        entreprise = businesses.get(self.db, person.entreprise_id)
        zone = instants.zone_of(entreprise.fuseau)
        start, end = span_of(query.du, query.au, zone, now, days=1)
        return Absence(person, start, end)

    @operation(
        "readAbsence",
        "Propose other persons or times for the visits of an absent person",
        ok("The upcoming visits that the person would miss, by time.", Many(_PROPOSAL)),
        description="`proposition` is the same time with another person. If nobody else is free"
        " then, it is the nearest free time with any person; this can be the absent person before"
        " `du` or after `au`. No two propositions need the same place in a slot. Nothing is"
        " reserved. A visit has no `proposition` if there is no free time within a month, or if"
        " the search takes too long. In the second case, move some visits and ask again.",
        subject=absent_person,
    )
    def on_get(self, ressource: RessourceRecord, query: AbsenceQuery, now: int) -> Any:
        absence = self._absence(ressource, query, now)
        return absences.propose(self.db, absence, now, Budget())

    @operation(
        "moveAbsence",
        "Move visits of an absent person, and close the person's calendar",
        ok("The outcome of each move, and the visits that stay.", _OUTCOME),
        description="Each booking moves in a transaction of its own, so some moves may succeed and"
        " others be refused: `code` and `error` say why. Each customer whose visit moved gets one"
        " message. Then `fermeture` closes the person's calendar, and the customers whose visits"
        " stay (`reservationsTouchees`) get the message about a closure. A repeated request moves"
        " and closes nothing twice.",
        subject=absent_person,
    )
    def on_post(
        self,
        account: Account,
        ressource: RessourceRecord,
        query: AbsenceQuery,
        body: AbsenceMoves,
        now: int,
    ) -> Json:
        absence = self._absence(ressource, query, now)
        moves = [Move(**one.values) for one in body.deplacements]
        done = absences.move(self.db, account, ressource, moves, body.message, now)
        closure: Json = {}
        if body.fermeture is not None:
            event = absences.close(self.db, absence, body.fermeture, now, Budget())
            closure = {"evenement": EVENEMENT.show(event)}
        return {
            "deplacements": [_shown(*one) for one in done],
            "reservationsTouchees": [
                RESERVATION.show(one) for one in absences.visits(self.db, absence, now)
            ],
            **closure,
        }


def _shown(reservation: int, refusal: Any) -> Json:
    shown: Json = {"reservation": reservation, "deplacee": refusal is None}
    if refusal is not None:
        shown |= {"code": refusal.code, "error": refusal.message}
    return shown
