"""One business and its settings."""

from reservation.domain.budget import Budget
from reservation.domain.planning import businesses
from reservation.operations.answers import ok
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.versions import VERSION
from reservation.resources.business.businesses import ENTREPRISE, EntrepriseInput
from reservation.storage.models import Entreprise


class EntrepriseChange(EntrepriseInput):
    version = VERSION


class OneEntreprise(Resource):
    """GET, PUT /api/entreprises/{id}"""

    @operation(
        "readEntreprise",
        "One business",
        ok("The business.", ENTREPRISE),
        subject=businesses.get,
    )
    def on_get(self, entreprise: Entreprise) -> Entreprise:
        return entreprise

    @operation(
        "updateEntreprise",
        "Replace the settings of a business",
        ok("The business.", ENTREPRISE),
        subject=businesses.owned,
    )
    def on_put(
        self, entreprise: Entreprise, body: EntrepriseChange, version: int, now: int
    ) -> Entreprise:
        businesses.update(
            self.db, entreprise, body.values, version, now=now, budget=Budget()
        )
        return businesses.get(self.db, entreprise.id)
