"""One event: reading, changing and removing it."""

from reservation.domain.budget import Budget
from reservation.domain.people.sessions import Account
from reservation.domain.planning import events
from reservation.domain.planning.replanning import PlanOutcome
from reservation.operations.answers import no_content, ok
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.versions import VERSION
from reservation.resources.business.events import (
    EVENEMENT,
    PLANNED,
    STRANDS,
    EvenementInput,
    TrialQuery,
)
from reservation.storage.database import Database
from reservation.storage.models import Evenement


class EvenementChange(EvenementInput):
    version = VERSION


def owned_event(db: Database, account: Account, id: int) -> Evenement:
    found = events.get(db, id)
    account.check_acts_for(found.entreprise.proprietaire_id)
    return found


class OneEvenement(Resource):
    """GET, PUT, DELETE /api/evenements/{id}"""

    @operation("readEvenement", "One event", ok("The event.", EVENEMENT), subject=events.get)
    def on_get(self, evenement: Evenement) -> Evenement:
        return evenement

    @operation(
        "updateEvenement",
        "Replace an event",
        ok("The event, and what it changed.", PLANNED),
        description=STRANDS,
        subject=owned_event,
    )
    def on_put(
        self,
        evenement: Evenement,
        query: TrialQuery,
        body: EvenementChange,
        version: int,
        now: int,
    ) -> PlanOutcome:
        entreprise = evenement.entreprise
        if query.essai:
            return events.rehearse(self.db, entreprise, body.values, now, evenement, version)
        return events.update(
            self.db, entreprise, evenement, body.values, version, now=now, budget=Budget()
        )

    @operation(
        "removeEvenement",
        "Remove an event",
        no_content("Removed."),
        subject=owned_event,
    )
    def on_delete(self, evenement: Evenement, version: int | None, now: int) -> None:
        events.remove(
            self.db, evenement.entreprise, evenement, now=now, version=version, budget=Budget()
        )
