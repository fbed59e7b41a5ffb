"""Statistics of a business over a period, compared with the previous period."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from reservation.domain import states
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import occupation
from reservation.lib import instants
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

# Periods of at most _DAYS days are split into days, periods of at most _WEEKS days into weeks, and
# longer periods into months.
_DAYS, _WEEKS = 31, 183
_GROUPS = (
    "SELECT {} AS intervalle, prestation_id, ressource_id, statut, COUNT(*),"
    " SUM(places * prix_centimes)"
    " FROM reservation {} WHERE {} = ? AND debut >= ? AND debut < ? AND {}"
    " GROUP BY intervalle, prestation_id, ressource_id, statut"
)
# A returning customer has more than one visit in the period, or has a visit before the period.
_CUSTOMERS = (
    "SELECT COUNT(*), COALESCE(SUM(CASE WHEN c.visites > 1 OR EXISTS (SELECT 1 FROM reservation e"
    " WHERE e.client_id = c.client_id AND e.debut < ?"
    f" AND e.statut NOT IN {states.RELEASED} AND {{earlier}}) THEN 1 ELSE 0 END), 0)"
    " FROM (SELECT client_id, COUNT(*) AS visites FROM reservation {index} WHERE {column} = ?"
    f" AND debut >= ? AND debut < ? AND statut NOT IN {states.RELEASED} AND {{present}}"
    " GROUP BY client_id) AS c"
)
_SERVICES = "SELECT id, nom FROM prestation WHERE entreprise_id = ?"
_TEAM = "SELECT id, nom FROM ressource WHERE entreprise_id = ?"


class Period(NamedTuple):
    """The local dates from `du` to `au`, both included."""

    du: date
    au: date

    def before(self) -> "Period":
        """Returns the preceding period of the same length.

        If the period consists of whole months, returns the same number of whole months. For
        example, returns February for March.
        """
        last = self.du - timedelta(days=1)
        if self.du.day == 1 and (self.au + timedelta(days=1)).day == 1:
            months = (self.au.year - self.du.year) * 12 + self.au.month - self.du.month + 1
            number = self.du.year * 12 + self.du.month - 1 - months
            return Period(date(number // 12, number % 12 + 1, 1), last)
        return Period(self.du - (self.au - self.du) - timedelta(days=1), last)

    def split(self) -> list["Period"]:
        """Splits the period into days, ISO weeks or months, depending on its length."""
        length = (self.au - self.du).days + 1
        starts = [self.du]
        for day in (self.du + timedelta(days=number) for number in range(1, length)):
            if length <= _DAYS or (day.weekday() == 0 if length <= _WEEKS else day.day == 1):
                starts.append(day)
        ends = [start - timedelta(days=1) for start in starts[1:]] + [self.au]
        return [Period(*dates) for dates in zip(starts, ends, strict=True)]


class Figures:
    """Counts of bookings, and total prices in cents.

    `bookings` counts all bookings that are not cancelled or refused, without lapsed requests;
    `booked` is their total price. `honoured` is the total price of the attended bookings.
    """

    def __init__(self, id: int = 0, nom: str = "") -> None:
        self.id, self.nom = id, nom
        self.bookings = self.attended = self.missed = self.cancelled = 0
        self.booked = self.honoured = 0

    def add(self, statut: str, count: int, cents: int) -> None:
        if statut not in states.RELEASED:
            self.bookings += count
            self.booked += cents
        if statut == "honoree":
            self.attended += count
            self.honoured += cents
        self.missed += count if statut == "absente" else 0
        self.cancelled += count if statut == "annulee" else 0


class Interval(Figures):
    """The figures of a part of a period, with the open and taken minutes of its slots."""

    def __init__(self, period: Period, minutes: Sequence[int]) -> None:
        super().__init__()
        self.du, self.au = period
        self.capacity_minutes, self.taken_minutes = minutes


class Whole(Interval):
    """The figures of a whole period, with the numbers of customers and returning customers."""

    def __init__(self, period: Period, minutes: Sequence[int], customers: Sequence[int]) -> None:
        super().__init__(period, minutes)
        self.customers, self.returning = customers


class Statistics(NamedTuple):
    """The figures of a period, in total and in parts.

    `services` and `people` list only services and persons with bookings. The highest revenue is
    first.
    """

    whole: Whole
    before: Whole
    intervals: list[Interval]
    services: list[Figures]
    people: list[Figures]


def statistics(
    db: Database, entreprise: Entreprise, period: Period, now: int,
    budget: Budget = UNLIMITED, ressource_id: int | None = None,
) -> Statistics:
    """Returns the statistics of the business or, with `ressource_id`, of one person or room.

    Raises NotFound if the person or room belongs to another business. Raises CalendarNotReady if
    the budget is spent before the calendar is complete.
    """
    zone = instants.zone_of(entreprise.fuseau)
    column, owner = occupation.bookings_of(db, entreprise.id, ressource_id)
    before, parts = period.before(), period.split()
    # Interval 0 is the period before, interval 1 is the first part of the period, and so on.
    starts = [instants.midnight(part.du, zone) for part in (before, *parts)]
    bounds = [*starts, instants.end_of(period.au, zone)]
    opened = occupation.minutes_between(db, entreprise, bounds, now, budget, ressource_id)
    opened_before, *minutes = (opened.get(number, [0, 0]) for number in range(len(parts) + 1))
    total = [sum(pair) for pair in zip(*minutes, strict=True)]
    index = db.BY_INDEX.format(f"reservation_{column.removesuffix('_id')}_debut")
    present, earlier = occupation.unlapsed(now), occupation.unlapsed(now, "e.")
    customers = _CUSTOMERS.format(index=index, column=column, present=present, earlier=earlier)
    start, middle, end = bounds[0], bounds[1], bounds[-1]
    previous = Whole(before, opened_before, _numbers(db, customers, start, owner, start, middle))
    whole = Whole(period, total, _numbers(db, customers, middle, owner, middle, end))
    intervals = [Interval(part, pair) for part, pair in zip(parts, minutes, strict=True)]
    sql = _GROUPS.format(occupation.interval_of(bounds), index, column, present)
    groups = db.rows(sql, *bounds[1:], owner, start, end)
    # Read the names after the groups: a service of a group may be new.
    services, people = (
        {id: Figures(id, nom) for id, nom in db.rows(sql, entreprise.id)}
        for sql in (_SERVICES, _TEAM)
    )
    for number, service, person, statut, count, cents in groups:
        targets: list[Figures] = [previous]
        if number:
            targets = [whole, intervals[number - 1], services[service], people[person]]
        for target in targets:
            target.add(statut, int(count), int(cents))
    return Statistics(whole, previous, intervals, _shown(services), _shown(people))


def _numbers(db: Database, sql: str, *values: int) -> list[int]:
    (row,) = db.rows(sql, *values)
    return [int(number) for number in row]


def _shown(figures: dict[int, Figures]) -> list[Figures]:
    return sorted(
        (one for one in figures.values() if one.bookings and one.nom),
        key=lambda one: (-one.booked, -one.bookings, one.nom, one.id),
    )
