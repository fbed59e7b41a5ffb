"""How full the calendar of a business is."""

from datetime import date, timedelta
from typing import Any

import falcon

from reservation.contract import occupation as contract
from reservation.contract.operation import operation
from reservation.domain.budget import Budget
from reservation.domain.calendar import occupation
from reservation.domain.people.tokens import Tokens
from reservation.domain.planning import businesses
from reservation.http import serialisers
from reservation.http.bearer import require_account
from reservation.http.queries import check_span, read_query
from reservation.http.replies import as_json
from reservation.lib import instants
from reservation.storage.database import Database


class Occupation:
    """GET /api/entreprises/{id}/occupation"""

    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.READ)
    @falcon.before(require_account)
    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        entreprise = businesses.owned(self.db, req.context.account, id)
        query = read_query(contract.QUERY, req)
        first, last = _range(query, instants.today(instants.zone_of(entreprise.fuseau)))
        weeks = occupation.weeks(self.db, entreprise, first, last, budget=Budget())
        as_json(resp, [serialisers.occupation(week) for week in weeks])


def _range(query: dict[str, Any], today: date) -> tuple[date, date]:
    """Dates of the first and of the last week."""
    du = query["du"] or today - timedelta(weeks=contract.WEEKS_BEFORE)
    au = query["au"] or du + timedelta(weeks=contract.WEEKS_BEFORE + contract.WEEKS_AFTER)
    check_span(du, au, 7 * contract.MOST_WEEKS - du.weekday())
    return du, au
