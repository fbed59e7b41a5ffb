"""The days on which a business has free times."""

from collections import Counter
from typing import Any

from reservation.domain.budget import Budget
from reservation.domain.calendar import finding
from reservation.lib import instants
from reservation.operations.answers import ok
from reservation.operations.operation import operation
from reservation.operations.properties import COUNT
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, plain
from reservation.resources.business.slots import VisitQuery, span_of, visit_of

_DAY = plain(
    "FreeDay",
    jour={"type": "string", "format": "date", "examples": ["2030-06-04"]},
    libres={**COUNT, "minimum": 1, "examples": [12], "description": "The number of free times."},
)


class FreeDays(Resource):
    """GET /api/entreprises/{id}/jours"""

    @operation(
        "listFreeDays",
        "The local dates on which a visit can begin",
        ok("The dates with a free time, in order.", Many(_DAY)),
        description="The parameters are those of `listCreneaux`, without `prochain` and `tous`.",
    )
    def on_get(self, query: VisitQuery, id: int, now: int) -> list[Any]:
        entreprise, visit = visit_of(self.db, id, query, now)
        zone = instants.zone_of(entreprise.fuseau)
        start, end = span_of(query.du, query.au, zone, now)
        free = finding.free_starts(
            self.db, entreprise, visit, start, end, now=now, budget=Budget()
        )
        days = Counter(instants.local_date(one.debut, zone).isoformat() for one in free)
        return [{"jour": day, "libres": count} for day, count in days.items()]
