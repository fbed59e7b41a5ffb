"""Computes the weekly occupancy of a business."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from reservation.domain import states
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import calendar
from reservation.domain.calendar.performers import PERSON, ROOM
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

_MINUTES = (
    "SUM(CASE WHEN ouvert = 1 THEN (fin - debut) * capacite ELSE 0 END) / 60,"
    " SUM((fin - debut) * places_prises) / 60"
)
_BOOKINGS = (
    f"SUM(CASE WHEN statut NOT IN {states.RELEASED} AND {{}} THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'honoree' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'absente' THEN 1 ELSE 0 END),"
    " SUM(CASE WHEN statut = 'annulee' THEN 1 ELSE 0 END) FROM reservation WHERE"
)
_OF_PERSONS = (
    "FROM ressource r {} ON creneau.ressource_id = r.id"
    f" WHERE r.genre = '{PERSON}' AND r.entreprise_id = ?"
)
_GENRE = "SELECT genre FROM ressource WHERE id = ? AND entreprise_id = ?"


class WeekOccupation(NamedTuple):
    """Totals of the slots and bookings that begin in an ISO week. `taken_minutes` includes
    buffers. `bookings` excludes cancelled and refused bookings, and lapsed requests."""

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
    """Returns the weeks from `first` to `last` (local dates), for all persons or for one person or
    room.

    Raises NotFound if the person or room belongs to another business.
    """
    column, owner = bookings_of(db, entreprise.id, ressource_id)
    zone = instants.zone_of(entreprise.fuseau)
    count = (monday_of(last) - monday_of(first)).days // 7 + 1
    mondays = [monday_of(first) + timedelta(weeks=number) for number in range(count + 1)]
    bounds = [instants.midnight(monday, zone) for monday in mondays]
    minutes = minutes_between(db, entreprise, bounds, now, budget, ressource_id)
    bookings = _sums(db, f"{_BOOKINGS.format(unlapsed(now))} {column} = ?", owner, bounds)
    return [
        WeekOccupation(
            mondays[number], *minutes.get(number, (0, 0)), *bookings.get(number, (0, 0, 0, 0))
        )
        for number in range(count)
    ]


def unlapsed(now: int, row: str = "") -> str:
    """Returns the SQL condition that a booking is no lapsed request: a request that the business
    has not answered before the visit. `row` is a prefix of the columns, such as `r.`."""
    return f"({row}statut <> 'demandee' OR {row}debut > {now})"


def bookings_of(
    db: Database, entreprise_id: int, ressource_id: int | None
) -> tuple[str, int]:
    """Returns a column of `reservation` and a value. The bookings of the business, person or room
    have this value in this column. For room 7, returns ("lieu_id", 7).

    Raises NotFound if the person or room belongs to another business.
    """
    if ressource_id is None:
        return "entreprise_id", entreprise_id
    (genre,) = records.first(db.rows(_GENRE, ressource_id, entreprise_id))
    return "lieu_id" if genre == ROOM else "ressource_id", ressource_id


def minutes_between(
    db: Database, entreprise: Entreprise, bounds: Sequence[int], now: int, budget: Budget,
    ressource_id: int | None,
) -> dict[int, list[int]]:
    """Returns {n: [open minutes, taken minutes]}, where n is the number of an interval.

    The interval n has the slots that begin in [bounds[n], bounds[n + 1]). A slot of one hour with
    3 places counts as 180 open minutes. Intervals without slots are omitted.
    """
    calendar.extend(db, entreprise, bounds[-1], now, budget)
    if ressource_id is None:
        persons = _OF_PERSONS.format(db.JOIN_BY_KEY.format("creneau", "creneau_ressource_debut"))
        return _sums(db, f"{_MINUTES} {persons}", entreprise.id, bounds)
    return _sums(db, f"{_MINUTES} FROM creneau WHERE ressource_id = ?", ressource_id, bounds)


def interval_of(bounds: Sequence[int]) -> str:
    """Returns an SQL expression for the number of the interval in which a row begins.

    The interval n is [bounds[n], bounds[n + 1]). The placeholders of the expression stand for
    bounds[1:].
    """
    number = " ".join(f"WHEN debut < ? THEN {number}" for number in range(len(bounds) - 1))
    return f"CASE {number} END"


def _sums(db: Database, sums: str, owner: int, bounds: Sequence[int]) -> dict[int, list[int]]:
    start, *ends = bounds
    sql = (
        f"SELECT {interval_of(bounds)} AS intervalle, {sums}"
        " AND debut >= ? AND debut < ? GROUP BY intervalle"
    )
    rows = db.rows(sql, *ends, owner, start, ends[-1])
    return {number: [int(sum_) for sum_ in found] for number, *found in rows}
