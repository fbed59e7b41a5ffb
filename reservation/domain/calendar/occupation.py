"""The occupancy of a business by week."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from reservation.domain import states
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import calendar
from reservation.lib import instants
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

_MINUTES = (
    "SUM(CASE WHEN ouvert = 1 THEN (fin - debut) * capacite ELSE 0 END) / 60,"
    " SUM((fin - debut) * places_prises) / 60 FROM creneau WHERE ressource_id IN"
    " (SELECT r.id FROM ressource r WHERE r.entreprise_id = ?)"
)
_BOOKINGS = (
    f"SUM(CASE WHEN statut NOT IN {states.RELEASED} THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'honoree' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'absente' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'annulee' THEN 1 ELSE 0 END) FROM reservation"
    " WHERE entreprise_id = ?"
)


class WeekOccupation(NamedTuple):
    """Sums over the slots and bookings that begin in an ISO week. Buffers count as taken;
    `bookings` excludes cancelled and refused bookings."""

    monday: date
    capacity_minutes: int
    taken_minutes: int
    bookings: int
    attended: int
    missed: int
    cancelled: int


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def weeks(
    db: Database, entreprise: Entreprise, first: date, last: date, now: int,
    budget: Budget = UNLIMITED,
) -> list[WeekOccupation]:
    """Returns the weeks from that of `first` to that of `last`, local dates of the business."""
    zone = instants.zone_of(entreprise.fuseau)
    count = (monday_of(last) - monday_of(first)).days // 7 + 1
    mondays = [monday_of(first) + timedelta(weeks=number) for number in range(count + 1)]
    bounds = [instants.midnight(monday, zone) for monday in mondays]
    calendar.extend(db, entreprise, bounds[-1], now, budget)
    minutes = _by_week(db, _MINUTES, entreprise.id, bounds)
    bookings = _by_week(db, _BOOKINGS, entreprise.id, bounds)
    return [
        WeekOccupation(
            mondays[number], *minutes.get(number, (0, 0)), *bookings.get(number, (0, 0, 0, 0))
        )
        for number in range(count)
    ]


def _by_week(
    db: Database, sums: str, entreprise_id: int, bounds: Sequence[int]
) -> dict[int, list[int]]:
    """Returns the sums over the rows that begin in each week, by number of the week, without
    empty weeks.

    The end of each week is listed, because a clock change makes a week longer or shorter.
    """
    start, *ends = bounds
    number = " ".join(f"WHEN debut < ? THEN {number}" for number in range(len(ends)))
    sql = (
        f"SELECT CASE {number} END AS semaine, {sums}"
        " AND debut >= ? AND debut < ? GROUP BY semaine"
    )
    rows = db.rows(sql, *ends, entreprise_id, start, ends[-1])
    return {week: [int(sum_) for sum_ in found] for week, *found in rows}
