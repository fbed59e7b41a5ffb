"""The occupancy of a business by week."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from reservation.domain import states
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import calendar
from reservation.domain.calendar.performers import PERSON, ROOM
from reservation.errors import NotFound
from reservation.lib import instants
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

_MINUTES = (
    "SUM(CASE WHEN ouvert = 1 THEN (fin - debut) * capacite ELSE 0 END) / 60,"
    " SUM((fin - debut) * places_prises) / 60 FROM creneau WHERE"
)
_BOOKINGS = (
    f"SUM(CASE WHEN statut NOT IN {states.RELEASED} THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'honoree' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'absente' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'annulee' THEN 1 ELSE 0 END) FROM reservation WHERE"
)
_OF_PERSONS = (
    f"ressource_id IN (SELECT r.id FROM ressource r WHERE r.genre = '{PERSON}'"
    " AND r.entreprise_id = ?)"
)
_GENRE = "SELECT genre FROM ressource WHERE id = ? AND entreprise_id = ?"


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
    budget: Budget = UNLIMITED, ressource_id: int | None = None,
) -> list[WeekOccupation]:
    """Returns the weeks from that of `first` to that of `last`, local dates of the business.

    The weeks are those of all persons together, or of one person or room.

    Raises NotFound if the ressource belongs to another business.
    """
    minutes_of, bookings_of, owner = _OF_PERSONS, "entreprise_id", entreprise.id
    if ressource_id is not None:
        owner, minutes_of = ressource_id, "ressource_id = ?"
        bookings_of = _column_of(db, entreprise.id, ressource_id)
    zone = instants.zone_of(entreprise.fuseau)
    count = (monday_of(last) - monday_of(first)).days // 7 + 1
    mondays = [monday_of(first) + timedelta(weeks=number) for number in range(count + 1)]
    bounds = [instants.midnight(monday, zone) for monday in mondays]
    calendar.extend(db, entreprise, bounds[-1], now, budget)
    minutes = _by_week(db, f"{_MINUTES} {minutes_of}", owner, bounds)
    bookings = _by_week(db, f"{_BOOKINGS} {bookings_of} = ?", owner, bounds)
    return [
        WeekOccupation(
            mondays[number], *minutes.get(number, (0, 0)), *bookings.get(number, (0, 0, 0, 0))
        )
        for number in range(count)
    ]


def _column_of(db: Database, entreprise_id: int, ressource_id: int) -> str:
    """Returns the column of reservation that names the ressource. Raises NotFound."""
    rows = db.rows(_GENRE, ressource_id, entreprise_id)
    if not rows:
        raise NotFound()
    return "lieu_id" if rows[0][0] == ROOM else "ressource_id"


def _by_week(
    db: Database, sums: str, owner: int, bounds: Sequence[int]
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
    rows = db.rows(sql, *ends, owner, start, ends[-1])
    return {week: [int(sum_) for sum_ in found] for week, *found in rows}
