"""How full the calendar of a business is, week by week."""

import time
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import calendar
from reservation.lib import instants
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

_MINUTES = (
    "SUM(CASE WHEN ouvert = 1 THEN (fin - debut) * capacite ELSE 0 END),"
    " SUM((fin - debut) * places_prises) FROM creneau"
)
_BOOKED = (
    "SUM(CASE WHEN statut NOT IN ('refusee', 'annulee') THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'honoree' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'absente' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'annulee' THEN 1 ELSE 0 END) FROM reservation"
)


class Week(NamedTuple):
    """One ISO week, by what begins in it. Buffers are time taken; `reservations` are those
    that hold their places, of which some are honorees or absentes."""

    monday: date
    capacite_minutes: int
    prises_minutes: int
    reservations: int
    honorees: int
    absentes: int
    annulees: int


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def weeks(
    db: Database,
    entreprise: Entreprise,
    first: date,
    last: date,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> list[Week]:
    """The weeks of the business's zone from that of one local date to that of another."""
    count = (monday_of(last) - monday_of(first)).days // 7 + 1
    mondays = [monday_of(first) + timedelta(weeks=number) for number in range(count)]
    zone = instants.zone_of(entreprise.fuseau)
    ends = [instants.midnight(monday + timedelta(weeks=1), zone) for monday in mondays]
    now = int(time.time()) if now is None else now
    calendar.extend(db, entreprise, ends[-1], now, budget)
    span = (entreprise.id, instants.midnight(mondays[0], zone), ends[-1])
    minutes = _by_week(db, _MINUTES, ends, span)
    booked = _by_week(db, _BOOKED, ends, span)
    return [
        Week(
            monday,
            *(seconds // 60 for seconds in minutes.get(number, (0, 0))),
            *booked.get(number, (0, 0, 0, 0)),
        )
        for number, monday in enumerate(mondays)
    ]


def _by_week(
    db: Database, sums: str, ends: Sequence[int], span: tuple[int, int, int]
) -> dict[int, list[int]]:
    """Some sums over what begins in each week, by its number; nothing for an empty one.

    The ends are told one by one, for a week in which the clock changes has another length.
    """
    number = " ".join(f"WHEN debut < ? THEN {number}" for number in range(len(ends)))
    sql = (
        f"SELECT CASE {number} END AS semaine, {sums}"
        " WHERE entreprise_id = ? AND debut >= ? AND debut < ? GROUP BY semaine"
    )
    rows: Any = db.rows(sql, *ends, *span)
    return {week: [int(one) for one in found] for week, *found in rows}
