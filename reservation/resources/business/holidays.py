"""Closures on the public holidays of France."""

import falcon

from reservation.domain.budget import Budget
from reservation.domain.planning import businesses, closures, events
from reservation.domain.planning.replanning import PlanOutcome
from reservation.errors import Fault, InvalidInput
from reservation.lib.holidays import ALSACE_MOSELLE, METROPOLE, REGIONS
from reservation.operations import kinds
from reservation.operations.answers import created, ok
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.kinds import choice, whole
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many
from reservation.resources.business.events import PLANNED, STRANDS, TRIED, TrialQuery
from reservation.storage.models import Entreprise


class Feries(Body):
    annee = Field(whole(1971, 9998), example=2030)
    region = Field(
        choice(*REGIONS),
        default=METROPOLE,
        doc="The eleven holidays of article L3133-1 apply everywhere. Additional holidays: "
        + "; ".join(f"`{one}`: {', '.join(more) or 'none'}" for one, more in REGIONS.items()),
    )
    alsace_moselle = Field(
        kinds.FLAG, default=False, doc="Deprecated: the same as the region `alsace-moselle`."
    )


class Holidays(Resource):
    """POST /api/entreprises/{id}/evenements/feries"""

    @operation(
        "closeHolidays",
        "Close on the public holidays of a year in France",
        created("The closures that were added.", Many(PLANNED)),
        ok("With `essai`: the closures that would be added.", Many(TRIED)),
        description=f"{STRANDS} Omits holidays that are over.",
        subject=businesses.owned,
    )
    def on_post(
        self,
        resp: falcon.Response,
        entreprise: Entreprise,
        query: TrialQuery,
        body: Feries,
        now: int,
    ) -> list[PlanOutcome]:
        missing = closures.missing_holidays(
            self.db, entreprise, body.annee, _region(body), since=now
        )
        if query.essai:
            resp.status = falcon.HTTP_200
            return [events.rehearse(self.db, entreprise, one, now=now) for one in missing]
        return closures.close_holidays(self.db, entreprise, missing, now, Budget())


def _region(asked: Feries) -> str:
    if not asked.alsace_moselle:
        return asked.region
    if asked.region not in (METROPOLE, ALSACE_MOSELLE):
        raise InvalidInput({"region": Fault("contradiction", "contradicts alsaceMoselle")})
    return ALSACE_MOSELLE
