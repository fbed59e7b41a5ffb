"""What the calendar of a business should be: its week, the exceptions and its time zone."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from reservation.domain.calendar.timetable import (
    REACH,
    Exceptional,
    Opening,
    capacities,
    daily_grains,
    grains,
    openings,
)
from reservation.lib import instants
from reservation.storage.database import Database

LONGEST_GRAIN = 1440 * 60  # seconds: how far before its end a creneau can start
LONGEST_VISIT, LONGEST_BUFFER = 14 * instants.DAY, instants.DAY  # in seconds
_WEEK = (
    "SELECT jour, debut, fin, pas_minutes, capacite, prestation_id FROM semainetype"
    " WHERE entreprise_id = ? ORDER BY jour, debut"
)
_EXCEPTIONS = (
    "SELECT type, debut, fin, pas_minutes, capacite FROM evenement WHERE entreprise_id = ?"
    " AND type <> 'information' AND fin > ? AND debut < ? AND id <> ? ORDER BY debut, fin, id"
)


class New(NamedTuple):
    """A creneau that the plan asks for."""

    debut: int
    fin: int
    ouverture: int
    capacite: int
    prestation_id: int | None
    ouvert: bool


class Plan(NamedTuple):
    """What lays out a calendar."""

    week: Sequence[Opening]
    exceptions: Sequence[Exceptional]
    zone: ZoneInfo

    def creneaux(self, start: int, end: int, kept: Sequence[tuple[int, int]]) -> list[New]:
        """The creneaux that start in [start, end), laid around the kept ones."""
        begun = [debut for debut, _ in openings(*self, start, end)]
        return [
            New(one.debut, one.fin, begun[bisect_right(begun, one.debut) - 1], *one[2:])
            for one in grains(*self, start, end, kept)
        ]

    def capacities(self, intervals: Sequence[tuple[int, int]]) -> list[int]:
        """The capacity over the whole of each interval; 0 where part of it is not open.

        The intervals come by start and do not overlap.
        """
        return capacities(*self, intervals)

    def end_of_slice(self, start: int, end: int, most: int) -> int:
        """The last local midnight, up to `end`, before which about `most` creneaux start.

        At least one day is always included.
        """
        days = max(1, int(most / max(1.0, daily_grains(self.week, self.exceptions))))
        if end - start <= (days - 1) * instants.DAY:
            return end
        midnight = instants.midnight_after(start, self.zone, days)
        return min(end, midnight)


def read(db: Database, entreprise: Any, start: int, end: int) -> Plan:
    """Returns the stored plan of a business, with all that reaches into [start, end)."""
    week = [Opening(*row) for row in db.rows(_WEEK, entreprise.id)]
    return Plan(week, exceptions(db, entreprise.id, start, end), zone_of(entreprise))


def exceptions(
    db: Database, entreprise_id: int, start: int, end: int, without: int = 0
) -> list[Exceptional]:
    """Returns the exceptions that reach into [start, end), except the event `without`."""
    rows = db.rows(_EXCEPTIONS, entreprise_id, start - REACH, end + LONGEST_GRAIN, without)
    return [Exceptional(*row) for row in rows]


def exceptional(event: Mapping[str, Any]) -> list[Exceptional]:
    """Returns what the columns of an event mean for the plan: nothing for an `information`."""
    if event["type"] == "information":
        return []
    columns = ("type", "debut", "fin", "pas_minutes", "capacite")
    return [Exceptional(*(event[column] for column in columns))]


def zone_of(entreprise: Any) -> ZoneInfo:
    return instants.zone_of(entreprise.fuseau)
